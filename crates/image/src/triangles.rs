//! The exact test of two patches.

use std::ops::ControlFlow;

use impinge_query::lists::Lists;
use impinge_query::{Cancelled, Contact, Control, Counter};

use crate::body::Parts;
use crate::pair::Pair;

/// Passes every pair of triangles of two patches that meet to `hit`, each once, until it breaks off.
/// `lists` is space.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn meet_in_patches<C: Counter, M: Parts>(
    lists: &mut Lists,
    pair: &Pair<'_, M>,
    [p, q]: [u32; 2],
    (counter, control): (&mut C, &Control<'_>),
    hit: impl FnMut(Contact) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Cancelled> {
    let [a, b] = pair.bodies();
    let faces_a = a.decomposition().patches()[p as usize].faces();
    let faces_b = b.decomposition().patches()[q as usize].faces();
    lists.fill(
        faces_a.iter().map(|&t| (t, pair.triangle_a(t))),
        faces_b.iter().map(|&t| (t, pair.triangle_b(t))),
        control,
    )?;
    lists.meet(counter, control, hit)
}
