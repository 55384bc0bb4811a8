//! A mesh against itself: every pair of its triangles once; those with common corners are contacts
//! if they also share another point.

use std::ops::{ControlFlow, Range};

use impinge_geometry::exact::meet_elsewhere;
use impinge_query::{Cancelled, Contact, Counter};

use super::Pair;
use super::contacts::Walk;
use super::pair::Item;
use super::quads::Quads;
use crate::simd::{Simd, Task};
use crate::tree::{LANES, LEAF};

/// Traversal over pairs of one model's triangles; both models of its pair are that one.
pub(crate) struct SelfCollision<'w, 'q, C, H, D> {
    pub(crate) walk: Walk<'w, 'q, C, H, D, (), false>,
    /// Finds the pairs whose lowest common ancestor is one of these nodes.
    pub(crate) nodes: Range<usize>,
    /// How far corners may move along each axis: pairs are certain only if that changes nothing.
    pub(crate) room: f64,
}

impl<C, H, D> Task for SelfCollision<'_, '_, C, H, D>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
{
    type Out = Result<(), Cancelled>;

    /// Tests each lane of each node against the lanes after it and descends from there; each leaf
    /// against itself. So a pair of triangles is found once, at its lowest common ancestor. Lanes
    /// with only repeated triangles are left out; leaves may contain some.
    #[inline(always)]
    fn run<S: Simd>(self) -> Result<(), Cancelled> {
        let mut walk = self.walk;
        let quads = Quads::new(&walk.pair).with_room(self.room);
        walk.stack.clear();
        let mut near = [0.0; LANES];
        let mut done = Ok(());
        let mut at = self.nodes.start;
        'nodes: while at < self.nodes.end {
            let node = walk.pair.node(0, at);
            for lane in (0..node.lanes as usize).filter(|lane| node.firsts() >> lane & 1 == 1) {
                let child = node.child[lane];
                let after = (u32::MAX << lane << 1) & node.firsts();
                let flow = if child & LEAF == 0 {
                    ControlFlow::Continue(())
                } else {
                    walk.leaves::<S>([child & !LEAF; 2], AFTER, &quads)
                };
                if flow.is_break() {
                    break 'nodes;
                }
                if after == 0 {
                    continue;
                }
                let one = Item::new((at * LANES + lane) as u32, at as u32, 1);
                if walk.step::<S>(one, after, &mut near, &quads).is_break() {
                    break 'nodes;
                }
                while let Some(item) = walk.stack.pop() {
                    if walk.poll() {
                        done = walk.control.check();
                    }
                    if done.is_err()
                        || walk
                            .step::<S>(item, walk.pair.firsts(item), &mut near, &quads)
                            .is_break()
                    {
                        break 'nodes;
                    }
                }
            }
            at += 1;
        }
        done
    }
}

/// Bits of the pairs of a leaf's triangles `i < j`.
const AFTER: u32 = 0b1000_1100_1110;

/// [`meet_elsewhere`] of a triangle of each of the pair's models, unposed.
#[inline(never)]
pub(crate) fn meet_otherwise(pair: &Pair<'_>, f: u32, g: u32) -> bool {
    meet_elsewhere(&pair.models[0].mesh().triangle(f), &pair.models[1].mesh().triangle(g))
}
