//! Breadth-first descent over pairs of nodes (fan 2003, §2.4.1): from each level, the pairs whose
//! boxes are not certainly apart.

use impinge_query::{Cancelled, Control, Counter};

use crate::pair::{Nodes, Pair};
use crate::viewport::Viewport;

/// A pair of nodes whose boxes may share a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) nodes: Nodes,
    pub(crate) viewport: Viewport,
}

/// Number of box tests between two polls of the caller's flag.
const STRIDE: usize = 256;

/// The pairs of a level whose boxes may share a point, each with its view.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn near<C: Counter>(
    pair: &Pair<'_>,
    level: &[Nodes],
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Vec<Near>, Cancelled> {
    counter.volumes(level.len() as u64);
    let mut kept = Vec::new();
    for some in level.chunks(STRIDE) {
        control.check()?;
        kept.extend(some.iter().filter_map(|&nodes| {
            let [a, b] = pair.boxes(nodes);
            Viewport::new(&a, &b).map(|viewport| Near { nodes, viewport })
        }));
    }
    Ok(kept)
}

/// All pairs of leaves whose boxes may share a point. Pairs are dropped by boxes only.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn leaves<C: Counter>(
    pair: &Pair<'_>,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Vec<Near>, Cancelled> {
    let (mut level, mut found) = (vec![[0, 0]], Vec::new());
    while !level.is_empty() {
        let mut next = Vec::new();
        for near in near(pair, &level, counter, control)? {
            if pair.patches(near.nodes).is_some() {
                found.push(near);
            } else {
                pair.children(near.nodes, &mut next);
            }
        }
        level = next;
    }
    Ok(found)
}
