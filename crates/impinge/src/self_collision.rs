//! A mesh against itself, in one call.

use impinge_geometry::Mesh;
use impinge_query::{Contact, Side};

use crate::{Body, Error};

/// Whether two triangles of the mesh share a point that is on no corner and no edge they have in
/// common. Neighbours meet in this sense only if they fold onto or through each other; duplicate
/// triangles do. Corners with the same coordinates are the same corner.
///
/// Check meshes of unknown origin with it: a surface that meets itself has no well-defined inside.
///
/// # Errors
/// [`Error::Prepare`], if the mesh has too many triangles.
///
/// ```
/// use impinge::{Mesh, Point, models::Shape};
/// let ring = Shape::Torus.mesh(2_000, 0);
/// assert!(!impinge::self_intersects(&ring)?);
/// let mut torn = ring.vertices().to_vec();
/// torn[0] = Point::new(-2.0, 0.0, 0.0); // one vertex drawn through the other side
/// assert!(impinge::self_intersects(&ring.with_vertices(torn)?)?);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn self_intersects(mesh: &Mesh) -> Result<bool, Error> {
    body(mesh)?.self_intersects()
}

/// All pairs of triangles that meet as [`self_intersects`] defines, each once, `a < b`, ascending.
///
/// # Errors
/// As [`self_intersects`].
pub fn self_contacts(mesh: &Mesh) -> Result<Vec<Contact>, Error> {
    body(mesh)?.self_contacts()
}

fn body(mesh: &Mesh) -> Result<Body, Error> {
    Body::new(mesh).map_err(|source| Error::Prepare { side: Side::A, source })
}
