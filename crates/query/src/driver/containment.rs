//! Whether a component of one closed mesh lies inside the other. Called once the surfaces are known
//! to be apart: each component is then wholly inside or outside, and one of its vertices decides
//! (fan §4.3.1, condition 3).

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Mesh, Point, Pose};

use super::{Run, Search};
use crate::{Cancelled, Control, Counter, Inner, Nearest, QueryError, Side, Verdict};

/// Triangles tested against a ray between two checks for cancellation.
const AT_ONCE: usize = 256;

impl<S: Search, C: Counter> Run<'_, '_, S, C> {
    /// Tests for containment, given that the surfaces are apart.
    pub(super) fn containment(&mut self) -> Result<(), QueryError> {
        let (search, query) = (self.search, self.query);
        let found = self.counter.stage("containment", |counter| find(search, query, counter))?;
        let Some((inner, at)) = found else { return Ok(()) };
        let answer = &mut *self.answer;
        answer.verdict = Verdict::Contained(inner);
        answer.nearer = answer.nearer.map(|_| true);
        if let Some(nearest) = &mut answer.nearest {
            *nearest = Nearest { distance: 0.0, on_a: at, on_b: at, ..*nearest };
        }
        Ok(())
    }

    /// Whether all of B is inside A. The verdict must be known.
    ///
    /// [`Inner::B`] means that no component of A is inside B and one of B's is inside A. If all of
    /// B's components are inside A, the region they enclose contains no part of A's surface, so it
    /// is inside A too.
    pub(super) fn is_wholly_inside(&mut self) -> Result<bool, QueryError> {
        if self.answer.verdict != Verdict::Contained(Inner::B) {
            return Ok(false);
        }
        let (search, query) = (self.search, self.query);
        self.counter.stage("containment", |counter| {
            let refuse = |open| QueryError::NotClosed { side: Side::B, open };
            let of_b = query.subject(Side::B).representatives().map_err(refuse)?;
            let mut about = search.winding(*query, Side::A);
            for p in of_b {
                if about(&query.pose.apply(&p), counter)? == 0 {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }
}

/// Which mesh has a component inside the other, and a vertex of that component in A's frame. A's
/// components are tested first, so [`Inner::B`] implies that none of them is inside B.
fn find<S: Search, C: Counter>(
    search: &S,
    query: &super::Query<'_, S::Model>,
    counter: &mut C,
) -> Result<Option<(Inner, Point)>, QueryError> {
    let refuse = |side| move |open| QueryError::NotClosed { side, open };
    let of_a = query.subject(Side::A).representatives().map_err(refuse(Side::A))?;
    let of_b = query.subject(Side::B).representatives().map_err(refuse(Side::B))?;
    let mut about = search.winding(*query, Side::B);
    for p in of_a {
        if about(&p, counter)? != 0 {
            return Ok(Some((Inner::A, p)));
        }
    }
    let mut about = search.winding(*query, Side::A);
    for p in of_b {
        let p = query.pose.apply(&p);
        if about(&p, counter)? != 0 {
            return Ok(Some((Inner::B, p)));
        }
    }
    Ok(None)
}

/// Winding number of a posed surface about `p`, which must be off the surface, by exact crossings
/// of a ray with every triangle.
///
/// # Errors
/// [`Cancelled`].
pub fn winding(
    mesh: &Mesh,
    pose: &Pose,
    p: &Point,
    counter: &mut impl Counter,
    control: &Control<'_>,
) -> Result<i32, Cancelled> {
    let mut winding = 0;
    for (index, triangle) in mesh.corners().enumerate() {
        if index % AT_ONCE == 0 {
            control.check()?;
        }
        counter.primitives(1);
        if let Crossing::Adds(n) = crossing(&triangle.map(|x| pose.apply(&x)), p) {
            winding += n;
        }
    }
    Ok(winding)
}
