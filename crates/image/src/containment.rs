//! Does a component of one closed mesh lie inside the other? Asked once the surfaces are known to be
//! apart: then a whole component is inside or outside, and one of its vertices tells (fan §4.3.1,
//! condition 3).

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Triangle};
use impinge_query::{Cancelled, Control, Counter, Inner};

use crate::pair::Pair;

/// Which mesh has a component inside the other, if any. Linear in the triangles for each component
/// whose vertex lies in the other's box.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn find<C: Counter>(
    pair: &Pair<'_>,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Option<Inner>, Cancelled> {
    let [a, b] = pair.boxes([0, 0]);
    let mut inside = |p: &Point, root: &Obb, triangles: &mut dyn Iterator<Item = Triangle>| {
        control.check()?;
        counter.volumes(1);
        Ok(root.contains(p) && winding(p, triangles, counter) != 0)
    };
    for p in pair.a.witnesses() {
        let count = pair.b.mesh().triangles().len() as u32;
        if inside(p, &b, &mut (0..count).map(|t| pair.triangle_b(t)))? {
            return Ok(Some(Inner::A));
        }
    }
    for p in pair.b.witnesses() {
        if inside(&pair.pose.apply(p), &a, &mut pair.a.mesh().corners())? {
            return Ok(Some(Inner::B));
        }
    }
    Ok(None)
}

/// Winding number of `p`, which is off the surface, by exact crossings of a ray.
fn winding<C: Counter>(
    p: &Point,
    triangles: &mut dyn Iterator<Item = Triangle>,
    counter: &mut C,
) -> i32 {
    let mut winding = 0;
    for triangle in triangles {
        counter.primitives(1);
        if let Crossing::Adds(n) = crossing(&triangle, p) {
            winding += n;
        }
    }
    winding
}
