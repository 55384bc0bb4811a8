//! Whether points are inside a solid, by crossings with all its triangles.

use impinge_geometry::{Point, Pose};
use impinge_query::{Cancelled, Counter, MeshModel, Query, Side, driver};

/// The winding number of one of the surfaces about points of A's frame; 0 without a look at the
/// triangles for those that are not `near`, as all are that the surface is wound about. Linear in the
/// triangles for each other point.
pub(crate) fn winding<'q, M: MeshModel, C: Counter>(
    query: Query<'q, M>,
    solid: Side,
    near: impl Fn(&Point) -> bool + 'q,
) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> + 'q {
    let pose = match solid {
        Side::A => Pose::identity(),
        Side::B => *query.pose,
    };
    let mesh = query.subject(solid).mesh();
    move |p, counter| {
        query.control.check()?;
        counter.volumes(1);
        if near(p) { driver::winding(mesh, &pose, p, counter, query.control) } else { Ok(0) }
    }
}
