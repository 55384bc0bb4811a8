//! Triangles with a common corner, projected on a sphere around it: pairs that share another point
//! have a common direction.
//!
//! A triangle `v x y` is seen from `v` as the arc between the directions to `x` and `y`. Each arc
//! has a bounding box on the unit sphere: that of its ends, enlarged by the arc's sagitta over its
//! chord and by rounding. A tree of these boxes leaves few pairs for the exact test.

use std::ops::ControlFlow;

use impinge_geometry::{Point, Triangle};
use impinge_query::{Cancelled, Control};

use super::LOOK;

/// Callbacks of the search; either may end it.
pub(super) trait Visit {
    /// Called for each comparison of two boxes.
    fn boxes(&mut self) -> ControlFlow<()>;
    /// Called for two triangles that may have a common direction.
    fn pair(&mut self, triangles: [u32; 2]) -> ControlFlow<()>;
}

/// Most arcs in a leaf.
const LEAF: usize = 4;

/// Rounding moves a coordinate `c` of a direction by at most `c (7.5 − 4 c²) u ≤ 3.96 u`, u = 2⁻⁵³
/// (`docs/methods/wide.md`, "Directions"), and subtracting this from a bound by half a u.
const ROUNDING: f64 = 5.0 * f64::EPSILON / 2.0;

/// An arc over a chord of length c has the sagitta 1 − √(1 − c²/4), at most c²/4; slightly more is
/// granted for the rounding of c.
const BULGE: f64 = 0.26;

/// Least and greatest coordinates of directions.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    fn joined(mut self, other: &Self) -> Self {
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
        self
    }

    fn meet(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Twice the centre along one axis.
    fn twice(&self, k: usize) -> f64 {
        self.low[k] + self.high[k]
    }
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    bounds: Bounds,
    triangle: u32,
}

impl Arc {
    /// The arc of a triangle with the corner `v`; `None` if all its corners equal `v`.
    fn new(v: &Point, triangle: u32, corners: &Triangle) -> Option<Self> {
        let mut ends = corners.iter().filter(|x| *x != v).map(|x| direction(v, x));
        let first = ends.next()?;
        let last = ends.next().unwrap_or(first);
        let square: f64 = (0..3).map(|k| (first[k] - last[k]).powi(2)).sum();
        let pad = BULGE * square + ROUNDING;
        let low = [0, 1, 2].map(|k| first[k].min(last[k]) - pad);
        let high = [0, 1, 2].map(|k| first[k].max(last[k]) + pad);
        Some(Self { bounds: Bounds { low, high }, triangle })
    }
}

/// The direction from `v` to another point, of unit length up to [`ROUNDING`]. Differences of
/// coordinates up to 1e300 do not overflow, and a difference that underflows is exact.
fn direction(v: &Point, x: &Point) -> [f64; 3] {
    let way = x - v;
    let way = way / way.amax();
    (way / way.norm()).into()
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Range of its arcs.
    from: u32,
    to: u32,
    /// The second child; the first is the next node. `None` for a leaf.
    second: Option<u32>,
}

/// Triangles with a common corner, in a tree of bounding boxes of their arcs. Node 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Cones {
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
}

impl Cones {
    /// The tree of triangles that all have the corner `v`; `None` if no triangle has another
    /// corner. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn new(
        v: &Point,
        triangles: &[u32],
        corners: impl Fn(u32) -> Triangle,
        control: &Control<'_>,
    ) -> Result<Option<Self>, Cancelled> {
        let arc = |&t: &u32| Arc::new(v, t, &corners(t));
        let mut cones = Self { nodes: Vec::new(), arcs: Vec::new() };
        for some in triangles.chunks(LOOK) {
            control.check()?;
            cones.arcs.extend(some.iter().filter_map(arc));
        }
        if cones.arcs.is_empty() {
            return Ok(None);
        }
        cones.grow(0, cones.arcs.len(), control)?;
        Ok(Some(cones))
    }

    /// Adds the node of a range of arcs, halved at the median along the longest side of their box.
    fn grow(&mut self, from: usize, to: usize, control: &Control<'_>) -> Result<(), Cancelled> {
        let arcs = &mut self.arcs[from..to];
        if arcs.len() > LOOK {
            control.check()?;
        }
        let bounds = arcs[1..].iter().fold(arcs[0].bounds, |all, arc| all.joined(&arc.bounds));
        let at = self.nodes.len();
        self.nodes.push(Node { bounds, from: from as u32, to: to as u32, second: None });
        if arcs.len() <= LEAF {
            return Ok(());
        }
        let side = |k: &usize| bounds.high[*k] - bounds.low[*k];
        let longest = (0..3).max_by(|i, j| side(i).total_cmp(&side(j))).unwrap_or(0);
        let half = arcs.len() / 2;
        let along = |arc: &Arc| arc.bounds.twice(longest);
        arcs.select_nth_unstable_by(half, |x, y| along(x).total_cmp(&along(y)));
        self.grow(from, from + half, control)?;
        self.nodes[at].second = Some(self.nodes.len() as u32);
        self.grow(from + half, to, control)
    }

    fn children(&self, at: u32) -> Option<[u32; 2]> {
        self.nodes[at as usize].second.map(|second| [at + 1, second])
    }

    fn arcs(&self, at: u32) -> &[Arc] {
        let node = &self.nodes[at as usize];
        &self.arcs[node.from as usize..node.to as usize]
    }

    /// Visits every pair of these triangles that may have a common direction, each once, until the
    /// visitor breaks off.
    pub(super) fn among(&self, visitor: &mut impl Visit) -> ControlFlow<()> {
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if let Some([first, second]) = self.children(at) {
                self.between([first, second], self, visitor)?;
                stack.extend([second, first]);
                continue;
            }
            let arcs = self.arcs(at);
            for (i, p) in arcs.iter().enumerate() {
                for q in arcs[i + 1..].iter().filter(|q| p.bounds.meet(&q.bounds)) {
                    visitor.pair([p.triangle, q.triangle])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The same for pairs of one of these triangles and one of another set with the same corner.
    pub(super) fn with(&self, other: &Self, visitor: &mut impl Visit) -> ControlFlow<()> {
        self.between([0, 0], other, visitor)
    }

    fn between(&self, nodes: [u32; 2], other: &Self, visitor: &mut impl Visit) -> ControlFlow<()> {
        let mut stack = vec![nodes];
        while let Some([i, j]) = stack.pop() {
            visitor.boxes()?;
            let (own, its) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if !own.bounds.meet(&its.bounds) {
                continue;
            }
            let larger = own.to - own.from >= its.to - its.from;
            match (self.children(i), other.children(j)) {
                (Some(children), its) if larger || its.is_none() => {
                    stack.extend(children.map(|i| [i, j]));
                }
                (_, Some(children)) => stack.extend(children.map(|j| [i, j])),
                (_, None) => {
                    for p in self.arcs(i) {
                        let its = other.arcs(j).iter();
                        for q in its.filter(|q| p.bounds.meet(&q.bounds)) {
                            visitor.pair([p.triangle, q.triangle])?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;
    use impinge_query::Cancel;

    use super::*;

    fn box_of(v: &Point, x: [f64; 3], y: [f64; 3]) -> Bounds {
        let corners = [*v, Point::from(x), Point::from(y)];
        Arc::new(v, 0, &corners).expect("it has other corners").bounds
    }

    /// Points on one ray from a third, exactly: integers with differences of 54 bits, which round.
    /// Their computed directions must agree up to rounding; a quarter of the granted bound would
    /// not be enough.
    #[test]
    fn what_is_on_one_ray_is_seen_in_one_direction_and_the_bound_is_needed() {
        const LARGE: u64 = 1 << 53;
        let (mut random, mut worst) = (Random::new(5), 0.0_f64);
        for _ in 0..100_000 {
            let way = [(); 3].map(|()| (1 << 24) + random.below(3 << 24));
            let most = way.iter().max().copied().unwrap_or(1);
            let times = [(); 2].map(|()| LARGE / most + 1 + random.below(LARGE / most / 4));
            let low = [(); 3].map(|()| LARGE / 2 + random.below(LARGE / 8));
            let v = Point::from(low.map(|x| -(x as f64)));
            let at = |s: u64| [0, 1, 2].map(|k| (s * way[k]) as i64 - low[k] as i64);
            let [near, far] = times.map(at);
            assert!(near.iter().chain(&far).all(|x| x.unsigned_abs() <= LARGE), "exact in f64");
            let [near, far] = [near, far].map(|x| x.map(|x| x as f64));
            assert!(box_of(&v, near, near).meet(&box_of(&v, far, far)), "{way:?} {times:?}");
            let [p, q] = [near, far].map(|x| direction(&v, &Point::from(x)));
            worst = (0..3).map(|k| (p[k] - q[k]).abs()).fold(worst, f64::max);
        }
        let unit = f64::EPSILON / 2.0;
        println!("{} u", worst / unit);
        assert!(worst > 2.0 * 4.5 / 4.0 * unit, "{} u", worst / unit);
    }

    /// A wide arc is far from its chord: a thin triangle in its middle must be in its box.
    #[test]
    fn the_middle_of_an_arc_is_in_its_box() {
        let v = Point::new(0.5, -1.0, 2.0);
        let at = |angle: f64| [v.x + 3.0 * angle.cos(), v.y + 3.0 * angle.sin(), v.z];
        for degrees in 1..180 {
            let half = 0.5 * f64::from(degrees).to_radians();
            let arc = box_of(&v, at(half), at(-half));
            for part in [0.0, 0.2, 0.7, -0.9] {
                let thin = box_of(&v, at(half * part), at(half * part));
                assert!(arc.meet(&thin), "{degrees} {part}");
            }
        }
        let opposite = box_of(&v, at(0.0), at(std::f64::consts::PI));
        assert!(opposite.meet(&box_of(&v, at(1.5), at(1.6))));
    }

    /// Records what is visited.
    #[derive(Default)]
    struct Notes {
        boxes: usize,
        pairs: Vec<[u32; 2]>,
        /// Breaks off after this many pairs.
        most: usize,
    }

    impl Visit for Notes {
        fn boxes(&mut self) -> ControlFlow<()> {
            self.boxes += 1;
            ControlFlow::Continue(())
        }
        fn pair(&mut self, [p, q]: [u32; 2]) -> ControlFlow<()> {
            self.pairs.push([p.min(q), p.max(q)]);
            if self.pairs.len() < self.most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        }
    }

    /// Narrow triangles around a corner, corners in any order; every tenth is only that point.
    fn about(v: &Point, n: u32, random: &mut Random) -> Vec<Triangle> {
        let narrow = |t: u32| {
            let way = random.unit_vector();
            let other = way + random.in_ball() * 0.3;
            let corners = [*v, v + way * random.range(0.1, 9.0), v + other];
            if t % 10 == 7 { [*v; 3] } else { [0, 1, 2].map(|k| corners[(k + t as usize) % 3]) }
        };
        (0..n).map(narrow).collect()
    }

    fn bounds(v: &Point, triangles: &[Triangle]) -> Vec<Option<Bounds>> {
        triangles.iter().map(|t| Arc::new(v, 0, t).map(|arc| arc.bounds)).collect()
    }

    fn meet(p: Option<Bounds>, q: Option<Bounds>) -> bool {
        p.zip(q).is_some_and(|(p, q)| p.meet(&q))
    }

    /// Every pair whose boxes meet is visited once and no other, within one set and between two,
    /// with few comparisons of boxes.
    #[test]
    fn pairs_whose_boxes_meet_are_visited_once() {
        let v = Point::new(0.3, -2.0, 1.0);
        let mut random = Random::new(6);
        for n in [1, 2, 4, 5, 8, 9, 60, 300] {
            let (own, its) = (about(&v, n, &mut random), about(&v, 2 * n + 1, &mut random));
            let cones = |triangles: &[Triangle]| {
                let numbers: Vec<u32> = (0..triangles.len() as u32).collect();
                let cones = Cones::new(&v, &numbers, |t| triangles[t as usize], &Control::NONE);
                cones.expect("not cancelled").expect("some have area")
            };
            let (of_own, of_its) = (bounds(&v, &own), bounds(&v, &its));
            let mut among = Notes { most: usize::MAX, ..Notes::default() };
            assert!(cones(&own).among(&mut among).is_continue());
            let pairs = (0..n).flat_map(|p| (p + 1..n).map(move |q| [p, q]));
            let at = |[p, q]: &[u32; 2]| meet(of_own[*p as usize], of_own[*q as usize]);
            let wanted: Vec<[u32; 2]> = pairs.filter(at).collect();
            among.pairs.sort_unstable();
            assert_eq!(among.pairs, wanted, "{n}");
            let mut with = Notes { most: usize::MAX, ..Notes::default() };
            assert!(cones(&own).with(&cones(&its), &mut with).is_continue());
            let met = of_own.iter().map(|p| of_its.iter().filter(|q| meet(*p, **q)).count());
            assert_eq!(with.pairs.len(), met.sum::<usize>(), "{n}");
            println!("{n}: {} pairs of {} boxes", among.pairs.len(), among.boxes);
            assert!(n < 300 || among.boxes < 10_000, "{n}: {}", among.boxes);
            for most in [1, 3] {
                let mut some = Notes { most, ..Notes::default() };
                let ended = cones(&own).with(&cones(&its), &mut some).is_break();
                assert!(!ended || some.pairs.len() == most, "{n}");
            }
        }
        let of_points = Cones::new(&v, &[0], |_| [v; 3], &Control::NONE);
        assert!(of_points.is_ok_and(|cones| cones.is_none()));
    }

    /// Halves by count, at most four arcs per leaf, every arc in the boxes above it.
    #[test]
    fn a_tree_of_cones_is_halved_and_holds_its_arcs() {
        let v = Point::origin();
        let triangles = about(&v, 100, &mut Random::new(7));
        let numbers: Vec<u32> = (0..100).collect();
        let cones = Cones::new(&v, &numbers, |t| triangles[t as usize], &Control::NONE);
        let cones = cones.expect("not cancelled").expect("with area");
        assert_eq!(cones.arcs.len(), 90);
        for (at, node) in (0..).zip(&cones.nodes) {
            let within = |arc: &Arc| {
                (0..3).all(|k| {
                    node.bounds.low[k] <= arc.bounds.low[k]
                        && arc.bounds.high[k] <= node.bounds.high[k]
                })
            };
            assert!(cones.arcs(at).iter().all(within));
            let number = node.to - node.from;
            assert_eq!(node.second.is_some(), number > 4);
            if let Some(children) = cones.children(at) {
                let [first, second] = children.map(|child| &cones.nodes[child as usize]);
                assert_eq!((first.from, first.to), (node.from, node.from + number / 2));
                assert_eq!((second.from, second.to), (first.to, node.to));
                // Along the longest side, no arc of the first half comes after one of the second.
                let side = |k: &usize| node.bounds.high[*k] - node.bounds.low[*k];
                let k = (0..3).max_by(|i, j| side(i).total_cmp(&side(j))).expect("three");
                let along = |arc: &Arc| arc.bounds.low[k] + arc.bounds.high[k];
                let [first, second] = children.map(|child| cones.arcs(child));
                let last = first.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                assert!(second.iter().all(|arc| along(arc) >= last), "node {at}");
            }
        }
    }

    #[test]
    fn boxes_that_touch_meet() {
        let of = |low: [f64; 3], high: [f64; 3]| Bounds { low, high };
        let one = of([0.0; 3], [1.0, 2.0, 3.0]);
        for k in 0..3 {
            let mut other = of([0.1; 3], [0.2; 3]);
            (other.low[k], other.high[k]) = (one.high[k], 9.0);
            assert!(one.meet(&other) && other.meet(&one));
            other.low[k] = one.high[k].next_up();
            assert!(!one.meet(&other) && !other.meet(&one));
        }
        let joined = one.joined(&of([-1.0, 0.5, 0.5], [0.5, 9.0, 2.0]));
        assert_eq!((joined.low, joined.high), ([-1.0, 0.0, 0.0], [1.0, 9.0, 3.0]));
    }

    /// Boxes are no larger than the ends, the sagitta and rounding require.
    #[test]
    fn boxes_of_arcs_are_hardly_larger_than_the_arcs() {
        let v = Point::new(1.0, 1.0, 1.0);
        for degrees in [0, 1, 10, 60, 90] {
            let angle = f64::from(degrees).to_radians();
            let end = [1.0 + 2.0 * angle.cos(), 1.0 + 2.0 * angle.sin(), 1.0];
            let found = box_of(&v, [3.0, 1.0, 1.0], end);
            let square = (angle.cos() - 1.0).powi(2) + angle.sin().powi(2);
            let most = 0.2601 * square + 6.0 * f64::EPSILON;
            let (low, high) = ([angle.cos(), 0.0, 0.0], [1.0, angle.sin(), 0.0]);
            for k in 0..3 {
                let given = [low[k] - found.low[k], found.high[k] - high[k]];
                let right = given.iter().all(|x| *x >= 0.25 * square && *x <= most);
                assert!(right, "{degrees}, {k}: {given:?} of {most}");
            }
        }
    }

    /// Coordinates at both ends of the range.
    #[test]
    fn directions_are_found_at_any_size() {
        for size in [5e-324, 1e-308, 1.0, 1e300] {
            let v = Point::new(-size, size, 0.0);
            let seen = direction(&v, &Point::new(size, -size, size));
            let third = [2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0];
            assert!((0..3).all(|k| (seen[k] - third[k]).abs() <= ROUNDING), "{size} {seen:?}");
        }
    }

    /// For so many triangles, and for each long part of the tree.
    #[test]
    fn building_looks_often() {
        let v = Point::new(0.3, -2.0, 1.0);
        let (n, mut random) = (16 * LOOK as u32, Random::new(8));
        let triangles = about(&v, n, &mut random);
        let numbers: Vec<u32> = (0..n).collect();
        let looks = |look: u64| {
            let (cancel, corners) = (Cancel::at_look(look), |t: u32| triangles[t as usize]);
            let control = &Control::NONE.cancelled_by(&cancel);
            let built = Cones::new(&v, &numbers, corners, control).map(|cones| cones.is_some());
            (built, cancel.looks().map_or(0, |looks| looks.number))
        };
        let all = 16 + 1 + 2 + 4 + 8;
        assert_eq!(looks(u64::MAX), (Ok(true), all));
        for look in [1, 5, 16, 17, 20, all] {
            assert_eq!(looks(look), (Err(Cancelled), look));
        }
    }
}
