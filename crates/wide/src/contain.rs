//! Does a component of one closed mesh lie inside the other? Asked once the surfaces are known to
//! be apart: then a whole component is inside or outside, and one of its vertices tells
//! (fan §4.3.1, condition 3).

use impinge_geometry::{Point, Pose};
use impinge_query::{Control, Counter, Inner, QueryError, Side};

use crate::model::WideModel;
use crate::search::ray::Surface;

/// Which mesh has a component inside the other, if any, and a vertex of that component in A's frame.
///
/// # Errors
/// [`QueryError::NotClosed`] if a mesh has no inside, [`QueryError::Cancelled`].
pub(crate) fn find<C: Counter>(
    [a, b]: [&WideModel; 2],
    pose: &Pose,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Option<(Inner, Point)>, QueryError> {
    let refuse = |side| move |open| QueryError::NotClosed { side, open };
    let of_a = a.witnesses().map_err(refuse(Side::A))?;
    let of_b = b.witnesses().map_err(refuse(Side::B))?;
    let posed = Surface::new(b, pose);
    for p in of_a {
        if posed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::A, p)));
        }
    }
    let still = Pose::identity();
    let fixed = Surface::new(a, &still);
    for p in of_b {
        let p = pose.apply(&p);
        if fixed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::B, p)));
        }
    }
    Ok(None)
}
