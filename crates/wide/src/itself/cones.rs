//! Triangles with a common corner, as they are seen from it: pairs of them that share another point are
//! seen in a common direction.
//!
//! A triangle `v x y` is seen from `v` as the arc between the directions to `x` and `y`. Each arc has a
//! box on the unit sphere: that of its ends, enlarged by how far the arc bulges from its chord, and by
//! rounding. A tree of these boxes leaves few pairs for the exact test.

use std::ops::ControlFlow;

use impinge_geometry::{Point, Triangle};

/// What is done with boxes and pairs of triangles; either may break off.
pub(super) trait Visit {
    /// Two boxes are compared.
    fn boxes(&mut self) -> ControlFlow<()>;
    /// Two triangles may be seen in a common direction.
    fn pair(&mut self, triangles: [u32; 2]) -> ControlFlow<()>;
}

/// Arcs in a leaf, at most.
const LEAF: usize = 4;

/// More than rounding moves a direction: a difference, a quotient by the largest component, the length
/// (three roundings of squares, two of sums, the root) and a quotient by it, at most 6 · 2⁻⁵³ of a number
/// that is at most 1.
const ROUNDING: f64 = 1.0 / (1_u64 << 48) as f64;

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

    /// Twice the middle, along one axis.
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
    /// Of a triangle that has the corner `v`; none if that is all of it.
    fn new(v: &Point, triangle: u32, corners: &Triangle) -> Option<Self> {
        let mut ends = corners.iter().filter(|x| *x != v).map(|x| direction(v, x));
        let first = ends.next()?;
        let last = ends.next().unwrap_or(first);
        let square: f64 = (0..3).map(|k| (first[k] - last[k]).powi(2)).sum();
        // The bulge of an arc over a chord of length c is 1 − √(1 − c²/4), at most c²/4.
        let pad = 0.25 * square + ROUNDING;
        let low = [0, 1, 2].map(|k| first[k].min(last[k]) - pad);
        let high = [0, 1, 2].map(|k| first[k].max(last[k]) + pad);
        Some(Self { bounds: Bounds { low, high }, triangle })
    }
}

/// From `v` to another point, of length one but for [`ROUNDING`]. Coordinates of 1e300 have differences
/// in range, and a difference is exact where it underflows.
fn direction(v: &Point, x: &Point) -> [f64; 3] {
    let way = x - v;
    let way = way / way.amax();
    (way / way.norm()).into()
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Arcs from..to.
    from: u32,
    to: u32,
    /// The second child; the first comes next. None: a leaf.
    second: Option<u32>,
}

/// The triangles with a common corner, as a tree of boxes around directions. Node 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Cones {
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
}

impl Cones {
    /// Of triangles that all have the corner `v`; none if none has another. O(n log n).
    pub(super) fn new(
        v: &Point,
        triangles: &[u32],
        corners: impl Fn(u32) -> Triangle,
    ) -> Option<Self> {
        let arc = |&t: &u32| Arc::new(v, t, &corners(t));
        let mut cones =
            Self { nodes: Vec::new(), arcs: triangles.iter().filter_map(arc).collect() };
        (!cones.arcs.is_empty()).then(|| {
            cones.grow(0, cones.arcs.len());
            cones
        })
    }

    /// Adds the node of some arcs, halved at the middle of the longest side of their box.
    fn grow(&mut self, from: usize, to: usize) {
        let arcs = &mut self.arcs[from..to];
        let bounds = arcs[1..].iter().fold(arcs[0].bounds, |all, arc| all.joined(&arc.bounds));
        let at = self.nodes.len();
        self.nodes.push(Node { bounds, from: from as u32, to: to as u32, second: None });
        if arcs.len() <= LEAF {
            return;
        }
        let side = |k: &usize| bounds.high[*k] - bounds.low[*k];
        let longest = (0..3).max_by(|i, j| side(i).total_cmp(&side(j))).unwrap_or(0);
        let half = arcs.len() / 2;
        let along = |arc: &Arc| arc.bounds.twice(longest);
        arcs.select_nth_unstable_by(half, |x, y| along(x).total_cmp(&along(y)));
        self.grow(from, from + half);
        self.nodes[at].second = Some(self.nodes.len() as u32);
        self.grow(from + half, to);
    }

    fn children(&self, at: u32) -> Option<[u32; 2]> {
        self.nodes[at as usize].second.map(|second| [at + 1, second])
    }

    fn arcs(&self, at: u32) -> &[Arc] {
        let node = &self.nodes[at as usize];
        &self.arcs[node.from as usize..node.to as usize]
    }

    /// Visits every pair of these triangles that may be seen in a common direction, each once, until
    /// the visitor breaks off.
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

    /// The same for pairs of one of these triangles and one of others with the same corner.
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
