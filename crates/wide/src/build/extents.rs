//! How far a subtree reaches along given axes, by branch and bound over its boxes: only leaves that
//! may reach beyond the range found so far are read.

use super::lanes::{Range, Source, less, more};
use crate::simd::{Simd, Task};
use crate::tree::{LANES, LEAF, Leaf, Node, TRIANGLES};

/// A subtree, the axes, and the origin from which coordinates are measured.
pub(super) struct Seeker<'a> {
    /// Nodes of the subtree; the first has index `base`.
    pub(super) nodes: &'a [Node],
    pub(super) base: u32,
    /// Leaves of the subtree; the first has index `first`.
    pub(super) leaves: &'a [Leaf],
    pub(super) first: u32,
    pub(super) source: &'a Source<'a>,
    pub(super) axes: [[f64; 3]; 3],
    pub(super) origin: [f64; 3],
}

/// A reference to a node or leaf, and bounds on the coordinates of its vertices.
type Item = (u32, Range);

/// Widens `range` to the exact range, up to rounding in 64 bits, of all vertices below those lanes
/// of `node` that are inner nodes.
pub(super) struct Widen<'a> {
    pub(super) seeker: Seeker<'a>,
    pub(super) node: &'a Node,
    pub(super) range: &'a mut Range,
}

impl Task for Widen<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { seeker, node, range } = self;
        let mut stack: Vec<Item> = Vec::with_capacity(4 * LANES);
        seeker.open(node, LEAF, range, &mut stack);
        while let Some((child, bound)) = stack.pop() {
            if !(excess(&bound, range) > 0.0) {
                continue;
            }
            if child & LEAF != 0 {
                seeker.leaf(((child & !LEAF) - seeker.first) as usize, range);
            } else {
                let node = &seeker.nodes[(child - seeker.base) as usize];
                seeker.open(node, 0, range, &mut stack);
            }
        }
    }
}

impl Seeker<'_> {
    /// Pushes the lanes that may reach beyond the range, the farthest last; all of them if the range is
    /// empty, the outermost last. Skips lanes whose reference has a bit of `but`.
    #[inline(always)]
    fn open(&self, node: &Node, but: u32, range: &Range, stack: &mut Vec<Item>) {
        let bounds = self.lanes(node);
        let is_empty = range[0][0] > range[1][0];
        let mut most = if is_empty { outermost(&bounds, node, but) } else { [0.0; LANES] };
        for j in 0..if is_empty { 0 } else { 3 } {
            for l in 0..LANES {
                let by = more(range[0][j] - bounds[0][j][l], bounds[1][j][l] - range[1][j]);
                most[l] = more(by, most[l]);
            }
        }
        // The lanes, the least excess first; of equal ones the first.
        let mut order = [0u8; LANES];
        let mut count = 0;
        for l in 0..node.lanes as usize % (LANES + 1) {
            if node.child[l] & but == 0 && (is_empty || most[l] > 0.0) {
                let mut at = count;
                while at > 0 && most[order[at - 1] as usize % LANES] > most[l] {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = l as u8;
                count += 1;
            }
        }
        stack.extend(order[..count].iter().map(|&l| {
            let l = l as usize % LANES;
            (node.child[l], bounds.each_ref().map(|side| side.each_ref().map(|x| x[l])))
        }));
    }

    #[inline(always)]
    fn leaf(&self, index: usize, range: &mut Range) {
        let leaf = &self.leaves[index];
        for i in 0..TRIANGLES {
            for p in self.source.triangle(leaf, i) {
                let o = &self.origin;
                let d = [p[0] - o[0], p[1] - o[1], p[2] - o[2]];
                for j in 0..3 {
                    let x = dot(&self.axes[j], &d);
                    range[0][j] = less(x, range[0][j]);
                    range[1][j] = more(x, range[1][j]);
                }
            }
        }
    }

    /// Bounds on what each lane holds. Axes of boxes are orthonormal up to rounding; 1e-6 of the
    /// sum of half-lengths covers that.
    #[inline(always)]
    fn lanes(&self, node: &Node) -> [[[f64; LANES]; 3]; 2] {
        let mut bounds = [[[0.0; LANES]; 3]; 2];
        let mut way = [0.0; 3];
        for k in 0..3 {
            way[k] = f64::from(node.origin[k]) - self.origin[k];
        }
        for j in 0..3 {
            let a = &self.axes[j];
            let from = dot(a, &way);
            for l in 0..LANES {
                let mut at = from;
                let mut reach = 0.0;
                for i in 0..3 {
                    at += a[i] * f64::from(node.center[i][l]);
                    let axis = &node.axes[i];
                    let x = a[0] * f64::from(axis[0][l])
                        + a[1] * f64::from(axis[1][l])
                        + a[2] * f64::from(axis[2][l]);
                    reach += f64::from(node.half[i][l]) * (x.abs() + 1e-6);
                }
                reach += 1e-12 * (at.abs() + from.abs());
                bounds[0][j][l] = at - reach;
                bounds[1][j][l] = at + reach;
            }
        }
        bounds
    }
}

/// For each lane, how near it comes to reaching farthest of all along one of the axes, forward or
/// backward: zero if it does, else less. Lanes whose reference has a bit of `but` do not count.
#[inline(always)]
fn outermost(bounds: &[[[f64; LANES]; 3]; 2], node: &Node, but: u32) -> [f64; LANES] {
    let mut most = [f64::NEG_INFINITY; LANES];
    for j in 0..3 {
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for l in 0..node.lanes as usize % (LANES + 1) {
            if node.child[l] & but == 0 {
                low = less(bounds[0][j][l], low);
                high = more(bounds[1][j][l], high);
            }
        }
        for l in 0..LANES {
            most[l] = more(more(low - bounds[0][j][l], bounds[1][j][l] - high), most[l]);
        }
    }
    most
}

/// By how much a bound exceeds a range; zero if it is within.
#[inline(always)]
fn excess(bound: &Range, range: &Range) -> f64 {
    let mut most = 0.0;
    for j in 0..3 {
        most = more(more(range[0][j] - bound[0][j], bound[1][j] - range[1][j]), most);
    }
    most
}

#[inline(always)]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;
    use impinge_models::Random;
    use nalgebra::{Matrix3, Vector3};

    use super::*;
    use crate::frame::Frame;
    use crate::tree::Lane;

    /// Bounds contain the boxes, seen from any origin on any axes, so no vertex is missed; and they
    /// are tight, so few leaves are read in vain.
    #[test]
    fn bounds_of_lanes_are_those_of_their_boxes() {
        let mut random = Random::new(41);
        for _ in 0..200 {
            let turn = *random.pose(0.0).rotation();
            let mut node = Node::empty(random.vector(-1.0, 1.0).map(|x| x as f32).into());
            node.lanes = LANES as u32;
            for l in 0..LANES {
                let of_lane = *random.pose(0.0).rotation();
                node.set(
                    l,
                    &Lane {
                        center: random.vector(-0.5, 0.5).map(|x| x as f32).into(),
                        half: random.vector(0.01, 0.4).map(|x| x as f32).into(),
                        axes: [0, 1, 2].map(|j| [0, 1, 2].map(|k| of_lane[(j, k)] as f32)),
                    },
                );
            }
            let vertices = [Point::origin()];
            let frame = Frame { center: [0.0; 3], exponent: 0 };
            let source = Source { vertices: &vertices, triangles: &[], frame, scale: 1.0 };
            let origin = random.vector(-2.0, 2.0);
            let axes = [0, 1, 2].map(|j| [0, 1, 2].map(|k| turn[(j, k)]));
            let (nodes, origin) = (&[][..], origin.into());
            let seeker =
                Seeker { nodes, base: 0, leaves: &[], first: 0, source: &source, axes, origin };
            let found = seeker.lanes(&node);
            for l in 0..LANES {
                let lane = node.get(l);
                let [c, h, o] = [lane.center, lane.half, node.origin].map(|v| v.map(f64::from));
                let [c, h, o] = [c, h, o].map(Vector3::from);
                let at = turn * (o + c - Vector3::from(origin));
                let of_lane = Matrix3::from_fn(|j, k| f64::from(lane.axes[j][k]));
                let reach = (turn * of_lane.transpose()).abs() * h;
                for j in 0..3 {
                    let given =
                        [at[j] - reach[j] - found[0][j][l], found[1][j][l] - at[j] - reach[j]];
                    let most = 1.1e-6 * h.sum() + 1e-11;
                    assert!(given.iter().all(|x| *x > 0.0 && *x < most), "{given:?} of {most:e}");
                }
            }
        }
    }

    /// The allowance for rounding is relative to the distances of the box and of the node from the
    /// origin.
    #[test]
    fn a_box_without_size_is_bounded_by_rounding_of_its_place() {
        let vertices = [Point::origin()];
        let frame = Frame { center: [0.0; 3], exponent: 0 };
        let source = Source { vertices: &vertices, triangles: &[], frame, scale: 1.0 };
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let seeker = Seeker {
            nodes: &[],
            base: 0,
            leaves: &[],
            first: 0,
            source: &source,
            axes,
            origin: [0.0; 3],
        };
        for size in [1.0, 2f64.powi(-10), 2f64.powi(-20)] {
            let mut node = Node::empty([3.0, 0.0, -2.0].map(|x| (x * size) as f32));
            node.lanes = 1;
            let center = [-1.0, 1.0, -2.0].map(|x| (x * size) as f32);
            node.set(0, &Lane { center, ..Lane::default() });
            let found = seeker.lanes(&node);
            for (j, (at, from)) in [(2.0, 3.0), (1.0, 0.0), (-4.0, 2.0)].into_iter().enumerate() {
                let given = [at * size - found[0][j][0], found[1][j][0] - at * size];
                let share = given.map(|x| x / (f64::abs(at) + from) / size);
                assert!(share.iter().all(|x| (x - 1e-12).abs() < 1e-15), "{share:?}");
            }
        }
    }

    #[test]
    fn an_excess_is_the_most_on_any_side() {
        let range = [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]];
        assert_eq!(excess(&range, &range), 0.0);
        assert_eq!(excess(&[[0.5; 3], [0.7; 3]], &range), 0.0);
        for k in 0..3 {
            for (side, by) in [(0, -0.5), (1, 0.25)] {
                let mut bound = range;
                bound[side][k] += by;
                assert_eq!(excess(&bound, &range), f64::abs(by));
            }
        }
        assert_eq!(excess(&range, &super::super::lanes::EMPTY), f64::INFINITY);
    }
}
