//! Which triangles the octree is built over.

use impinge_geometry::Triangle;
use impinge_geometry::volume::Aabb;
use impinge_hierarchy::Tree;
use impinge_hierarchy::traverse::Poll;
use impinge_hierarchy::tree::Child;
use impinge_hierarchy::volume::{AxisBox, Volume};
use impinge_query::lists::Bounded;
use impinge_query::{Cancelled, Control, Counter, Query};

use super::engine::{OctreeFrontModel, placement};

/// The bounds of a node's triangles along A's axes.
type Bounds = [[f64; 2]; 3];

/// Replaces `items` by all triangles of both objects, in A's frame.
pub(super) fn everything<C: Counter>(
    query: &Query<'_, OctreeFrontModel>,
    items: &mut [Vec<Bounded>; 2],
    counter: &mut C,
) -> Result<(), Cancelled> {
    let whole = |_: &AxisBox| [[f64::NEG_INFINITY, f64::INFINITY]; 3];
    let region = Aabb { min: [f64::MIN; 3].into(), max: [f64::MAX; 3].into() };
    query.control.check()?;
    let [of_a, of_b] = items;
    let mut of_a = Reaching { region, into: of_a, control: query.control };
    of_a.collect(query.a.tree(), whole, |t| query.a.mesh().triangle(t), counter)?;
    let mut of_b = Reaching { region, into: of_b, control: query.control };
    of_b.collect(query.b.tree(), whole, |t| query.posed(t), counter)
}

/// Replaces `items` by the triangles whose bounds reach into the common part of both root boxes, in
/// A's frame. Triangles that meet do.
pub(super) fn near<C: Counter>(
    query: &Query<'_, OctreeFrontModel>,
    items: &mut [Vec<Bounded>; 2],
    counter: &mut C,
) -> Result<(), Cancelled> {
    let placement = placement(query);
    let frame = AxisBox::frame(&placement);
    let in_a = |volume: &AxisBox| {
        let (low, high) = (volume.low(), volume.high());
        [0, 1, 2].map(|k| [low[k], high[k]])
    };
    let posed = |volume: &AxisBox| {
        let bounds = AxisBox::bounds(&volume.place(&frame));
        bounds.map(|[low, high]| [low - placement.pad, high + placement.pad])
    };
    let [a, b] = [query.a.tree(), query.b.tree()];
    let roots = [in_a(a.volume(0)), posed(b.volume(0))].map(|bounds| Aabb {
        min: bounds.map(|[low, _]| low).into(),
        max: bounds.map(|[_, high]| high).into(),
    });
    let [of_a, of_b] = items;
    of_a.clear();
    of_b.clear();
    let Some(region) = roots[0].intersection(&roots[1]) else { return query.control.check() };
    let mut of_a = Reaching { region, into: of_a, control: query.control };
    of_a.collect(a, in_a, |t| query.a.mesh().triangle(t), counter)?;
    let mut of_b = Reaching { region, into: of_b, control: query.control };
    of_b.collect(b, posed, |t| query.posed(t), counter)
}

/// Collects the triangles of a tree whose bounds reach into a region.
struct Reaching<'r> {
    region: Aabb,
    into: &'r mut Vec<Bounded>,
    control: &'r Control<'r>,
}

impl Reaching<'_> {
    fn collect<C: Counter>(
        &mut self,
        tree: &Tree<AxisBox>,
        bounds: impl Fn(&AxisBox) -> Bounds,
        triangle: impl Fn(u32) -> Triangle,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        self.into.clear();
        let (mut stack, mut poll) = (vec![0], Poll::new());
        while let Some(node) = stack.pop() {
            poll.poll(self.control)?;
            counter.volumes(1);
            let (around, region) = (bounds(tree.volume(node)), &self.region);
            if (0..3).any(|k| around[k][0] > region.max[k] || around[k][1] < region.min[k]) {
                continue;
            }
            match tree.nodes()[node as usize].child() {
                Child::Pair(first) => stack.extend([first, first + 1]),
                Child::Leaf(leaf) => {
                    for &t in tree.leaf(leaf).as_slice() {
                        counter.updated(1);
                        let one = Bounded::new(t, triangle(t));
                        if one.reaches(region) {
                            self.into.push(one);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
