//! Balls inside a closed surface, as large as fit, and the pair of balls of two solids that overlaps
//! deepest.
//!
//! A ball is found by shrinking a ball that touches the surface from inside at a sample point until no
//! part of the surface is in it (J. Ma, S. W. Bae, S. Choi, 3D medial axis point approximation using
//! nearest neighbors and the normal field, The Visual Computer 28, 2012). Its radius is then the
//! proved clearance of its centre, so the sample and the shrinking decide only how large it is.

use impinge_geometry::{Point, Vector};
use impinge_query::{Cancelled, Control};

use super::field::{Bounds, Field};

/// A ball inside a solid. A radius of 0 is a point of the solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) center: Point,
    pub(crate) radius: f64,
}

/// Samples of the surface from which balls are grown.
const SAMPLES: usize = 3_000;
/// Steps of shrinking; each costs one search for the nearest triangle.
const STEPS: usize = 12;
/// Balls in a leaf of the tree.
const LEAF: usize = 4;

/// A node over the balls `from..to`; its children, if any, are at `first` and `first + 1`.
#[derive(Clone, Copy, Debug)]
struct Node {
    around: Bounds,
    largest: f64,
    from: u32,
    to: u32,
    first: u32,
}

/// Balls inside a solid, with a tree. Empty if none were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balls {
    pub(crate) balls: Vec<Ball>,
    nodes: Vec<Node>,
}

/// Two balls, one of each solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallPair {
    pub(crate) a: Ball,
    pub(crate) b: Ball,
    /// The sum of radii less the distance of the centres.
    pub(crate) overlap: f64,
    /// Their indices, for the next search to begin with.
    pub(crate) indices: [u32; 2],
}

impl Balls {
    /// Balls in the solid of a closed surface, and its vertices as balls of radius 0. Radii are less
    /// than the clearance by `slack`.
    pub(crate) fn inside(
        field: &Field,
        vertices: impl Iterator<Item = Point>,
        slack: f64,
        control: &Control<'_>,
    ) -> Result<Self, Cancelled> {
        let mut balls: Vec<Ball> = vertices.map(|center| Ball { center, radius: 0.0 }).collect();
        for (k, (point, inward)) in samples(field).into_iter().enumerate() {
            if k % 64 == 0 {
                control.check()?;
            }
            balls.extend([inward, -inward].into_iter().find_map(|n| grown(field, point, n, slack)));
        }
        Ok(Self::of(balls))
    }

    fn of(mut balls: Vec<Ball>) -> Self {
        let mut nodes = Vec::new();
        if !balls.is_empty() {
            let count = balls.len();
            nodes.push(node(&balls, 0, count));
            split(&mut nodes, 0, &mut balls);
        }
        Self { balls, nodes }
    }

    /// The same balls in another frame; `place` moves no two points farther apart or nearer but for
    /// rounding, by which `shrink` makes every radius smaller.
    pub(crate) fn moved(&self, place: impl Fn(&Point) -> Point, scale: f64, shrink: f64) -> Self {
        let ball = |b: &Ball| Ball {
            center: place(&b.center),
            radius: if b.radius > 0.0 { (b.radius * scale - shrink).max(0.0) } else { 0.0 },
        };
        let balls: Vec<Ball> = self.balls.iter().map(ball).collect();
        let mut nodes = self.nodes.clone();
        for k in (0..nodes.len()).rev() {
            let Node { from, to, first, .. } = nodes[k];
            let fresh = if first == 0 {
                node(&balls, from as usize, to as usize)
            } else {
                let [p, q] = [nodes[first as usize], nodes[first as usize + 1]];
                let around = p.around.merged(&q.around);
                Node { around, largest: p.largest.max(q.largest), from, to, first }
            };
            nodes[k] = Node { first, ..fresh };
        }
        Self { balls, nodes }
    }

    /// The largest.
    pub(crate) fn largest(&self) -> Option<Ball> {
        self.balls.iter().copied().max_by(|x, y| x.radius.total_cmp(&y.radius))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.balls.capacity() * size_of::<Ball>() + self.nodes.capacity() * size_of::<Node>()
    }

    /// The pair that overlaps deepest if the other balls are moved by `v`; a pair that does not
    /// overlap by more than `least` need not be found. `hint` is tried first.
    pub(crate) fn deepest(
        &self,
        other: &Self,
        v: &Vector,
        hint: Option<[u32; 2]>,
        least: f64,
    ) -> Option<BallPair> {
        if self.balls.is_empty() || other.balls.is_empty() {
            return None;
        }
        let pair = |i: u32, j: u32| {
            let (a, b) = (self.balls[i as usize], other.balls[j as usize]);
            let overlap = a.radius + b.radius - (a.center - (b.center + v)).norm();
            BallPair { a, b, overlap, indices: [i, j] }
        };
        let mut best = hint.map(|[i, j]| pair(i, j)).filter(|p| p.overlap > least);
        let bound = |p: u32, q: u32| {
            let (p, q) = (&self.nodes[p as usize], &other.nodes[q as usize]);
            p.largest + q.largest - p.around.gap(&q.around, v).norm()
        };
        let mut open = Vec::with_capacity(64);
        open.push((bound(0, 0), 0u32, 0u32));
        while let Some((most, p, q)) = open.pop() {
            if most <= best.map_or(least, |b| b.overlap) {
                continue;
            }
            let (of_a, of_b) = (&self.nodes[p as usize], &other.nodes[q as usize]);
            if of_a.first == 0 && of_b.first == 0 {
                for i in of_a.from..of_a.to {
                    for j in of_b.from..of_b.to {
                        let next = pair(i, j);
                        if next.overlap > best.map_or(least, |b| b.overlap) {
                            best = Some(next);
                        }
                    }
                }
                continue;
            }
            let open_a = of_b.first == 0
                || (of_a.first != 0 && of_a.around.extent().amax() >= of_b.around.extent().amax());
            let pairs = if open_a {
                [(of_a.first, q), (of_a.first + 1, q)]
            } else {
                [(p, of_b.first), (p, of_b.first + 1)]
            };
            let [x, y] = pairs.map(|(p, q)| (bound(p, q), p, q));
            let (worse, better) = if y.0 > x.0 { (x, y) } else { (y, x) };
            open.push(worse);
            open.push(better);
        }
        best
    }
}

fn node(balls: &[Ball], from: usize, to: usize) -> Node {
    let start = Bounds { low: balls[from].center, high: balls[from].center };
    let around = balls[from..to].iter().fold(start, |b, ball| Bounds {
        low: b.low.inf(&ball.center),
        high: b.high.sup(&ball.center),
    });
    let largest = balls[from..to].iter().map(|b| b.radius).fold(0.0, f64::max);
    Node { around, largest, from: from as u32, to: to as u32, first: 0 }
}

/// Splits a node at the median of centre or radius, whichever varies most, and its children after it.
fn split(nodes: &mut Vec<Node>, at: usize, balls: &mut [Ball]) {
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        let (from, to) = (nodes[at].from as usize, nodes[at].to as usize);
        if to - from <= LEAF {
            continue;
        }
        let part = &mut balls[from..to];
        let extent = nodes[at].around.extent();
        let least = part.iter().map(|b| b.radius).fold(f64::INFINITY, f64::min);
        let spread = nodes[at].largest - least;
        let axis = extent.imax();
        let middle = part.len() / 2;
        if spread >= extent[axis] {
            part.select_nth_unstable_by(middle, |p, q| p.radius.total_cmp(&q.radius));
        } else {
            part.select_nth_unstable_by(middle, |p, q| p.center[axis].total_cmp(&q.center[axis]));
        }
        let first = nodes.len();
        nodes[at].first = first as u32;
        nodes.push(node(balls, from, from + middle));
        nodes.push(node(balls, from + middle, to));
        open.extend([first, first + 1]);
    }
}

/// Points spread over the surface by area, each with the normal that points inward if the surface
/// faces outward.
fn samples(field: &Field) -> Vec<(Point, Vector)> {
    let areas: Vec<f64> =
        field.triangles.iter().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).collect();
    let total: f64 = areas.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return Vec::new();
    }
    let step = total / SAMPLES as f64;
    let (mut passed, mut next, mut made) = (0.0, 0.5 * step, 0u32);
    let mut samples = Vec::with_capacity(SAMPLES + 1);
    for ([a, b, c], area) in field.triangles.iter().zip(areas) {
        passed += area;
        while next < passed && samples.len() <= SAMPLES {
            // A sequence that fills the triangle evenly: multiples of the inverse plastic numbers.
            made += 1;
            let spread = |alpha: f64| (0.5 + alpha * f64::from(made)).fract();
            let (mut s, mut t) = (spread(0.754_877_666_246_692_7), spread(0.569_840_290_998_053_2));
            if s + t > 1.0 {
                (s, t) = (1.0 - s, 1.0 - t);
            }
            let n = (b - a).cross(&(c - a));
            samples.push((a + (b - a) * s + (c - a) * t, -n / n.norm()));
            next += step;
        }
    }
    samples
}

/// The ball that touches the surface at about `point`, on the side of `inward`, if that is inside.
fn grown(field: &Field, point: Point, inward: Vector, slack: f64) -> Option<Ball> {
    let mut radius = 0.5 * field.bounds().extent().norm();
    let mut center = point + inward * radius;
    for _ in 0..STEPS {
        let near = field.nearest(&center, f64::INFINITY)?;
        if near.clearance >= radius * (1.0 - 1e-4) {
            break;
        }
        let to = near.foot - point;
        let along = to.dot(&inward);
        if !(along > 0.0) {
            break;
        }
        radius = (0.5 * to.norm_squared() / along).min(radius * 0.9999);
        center = point + inward * radius;
    }
    let radius = field.nearest(&center, f64::INFINITY)?.clearance - slack;
    (radius > 0.0 && field.holds(&center)).then_some(Ball { center, radius })
}
