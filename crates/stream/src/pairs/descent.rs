//! One pose on the processor: the tests of the kernels, depth first.

use impinge_query::{Cancelled, Contacts, Counter, Query};

use super::model::PairsModel;
use super::placed::Placed;
use super::ready::{Left, take};
use crate::kernel::Class;
use crate::model::Below;
use crate::pass::Decided;

/// Pairs between two polls of the caller's flag.
const LOOK: u64 = 1 << 8;

/// Tests pairs of boxes from the roots down, and the triangles of pairs of leaves.
pub(super) fn descend<C: Counter>(
    query: &Query<'_, PairsModel>,
    placed: &Placed,
    stack: &mut Vec<[u32; 2]>,
    counter: &mut C,
    found: &mut Contacts,
) -> Result<Decided, Cancelled> {
    let [boxes_a, boxes_b] = [query.a.boxes(), query.b.boxes()];
    let [corners_a, corners_b] = [query.a.corners(), query.b.corners()];
    let (mut decided, mut seen) = (Decided::default(), 0u64);
    stack.clear();
    stack.push([0, 0]);
    while let Some([a, b]) = stack.pop() {
        if seen.is_multiple_of(LOOK) {
            query.control.check()?;
        }
        seen += 1;
        counter.volumes(1);
        let [node_a, node_b] = [&boxes_a[a as usize], &boxes_b[b as usize]];
        if !placed.boxes_meet(node_a, node_b) {
            continue;
        }
        match (node_a.below, node_b.below) {
            (Below::Nodes(p), Below::Nodes(q)) => {
                stack.extend([[p + 1, q + 1], [p + 1, q], [p, q + 1], [p, q]]);
            }
            (Below::Nodes(p), Below::Triangle(_)) => stack.extend([[p + 1, b], [p, b]]),
            (Below::Triangle(_), Below::Nodes(q)) => stack.extend([[a, q + 1], [a, q]]),
            (Below::Triangle(s), Below::Triangle(t)) => {
                counter.primitives(1);
                let class = placed.class(&corners_a[s as usize], &corners_b[t as usize]);
                if class == Class::Miss {
                    decided.settled += 1;
                    continue;
                }
                let open = class == Class::Unknown;
                decided.settled += u64::from(!open);
                let left = Left { a: s, b: t, open };
                if take(&left, query, counter, &mut decided, found).is_break() {
                    break;
                }
            }
        }
    }
    Ok(decided)
}
