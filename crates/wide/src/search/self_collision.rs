//! A mesh against itself: every pair of its triangles once, those with common corners judged by what
//! else they share.

use std::ops::{ControlFlow, Range};

use impinge_geometry::exact::meet_elsewhere;
use impinge_query::{Cancelled, Contact, Counter};

use super::Pair;
use super::contacts::{Steps, Walk};
use super::pair::Item;
use super::quads::Quads;
use crate::simd::{Simd, Task};
use crate::tree::{LANES, LEAF};

/// A walk over pairs of one model's triangles; both models of its pair are that one.
pub(crate) struct SelfCollision<'w, 'q, C, H, D> {
    pub(crate) walk: Walk<'w, 'q, C, H, D, false>,
    /// The pairs that meet in these nodes: all nodes have all pairs, each once.
    pub(crate) nodes: Range<usize>,
}

impl<C, H, D> Task for SelfCollision<'_, '_, C, H, D>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
{
    type Out = Result<(), Cancelled>;

    /// Every node in front of itself: each lane against those after it, and all that follows from
    /// that; a leaf against itself. A pair of triangles meets in the node where their ways part. Lanes
    /// that hold only repeats are left out; leaves may have some.
    #[inline(always)]
    fn run<S: Simd>(self) -> Result<(), Cancelled> {
        let mut walk = self.walk;
        let quads = Quads::new(&walk.pair);
        walk.stack.clear();
        let mut steps = Steps::new(walk.stack);
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
                if walk.step::<S>(one, after, &mut steps, &quads).is_break() {
                    break 'nodes;
                }
                while let Some(item) = steps.pop() {
                    if walk.poll() {
                        done = walk.control.check();
                    }
                    if done.is_err()
                        || walk
                            .step::<S>(item, walk.pair.firsts(item), &mut steps, &quads)
                            .is_break()
                    {
                        break 'nodes;
                    }
                }
            }
            at += 1;
        }
        steps.give_back(walk.stack);
        done
    }
}

/// Bits of the pairs of a leaf's triangles with those after them.
const AFTER: u32 = 0b1000_1100_1110;

/// [`meet_elsewhere`] of two triangles, of either model.
#[inline(never)]
pub(crate) fn meet_otherwise(pair: &Pair<'_>, f: u32, g: u32) -> bool {
    meet_elsewhere(&pair.models[0].mesh().triangle(f), &pair.models[1].mesh().triangle(g))
}
