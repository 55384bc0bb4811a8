//! One question about two meshes, answered by the default method. Each call prepares both meshes,
//! which costs far more than the question: for several questions, use a [`Pair`].

use impinge_geometry::{Mesh, Pose};
use impinge_query::{Contact, Nearest, Verdict};

use crate::{Error, Pair};

/// Whether the surfaces of `a` and of `b`, placed by `b_in_a`, share a point. Touching counts. A
/// mesh inside another does not intersect it: see [`collide_solids`].
///
/// # Errors
/// [`Error`], here and below: a mesh cannot be prepared, or the pose takes a vertex beyond the
/// largest coordinate.
///
/// ```
/// use impinge::{Pose, Vector, models::Shape};
/// let cube = Shape::Cube.mesh(12, 0); // edge 1, centred
/// let touching = Pose::translation_by(Vector::new(1.0, 0.0, 0.0))?;
/// let apart = Pose::translation_by(Vector::new(1.0 + f64::EPSILON, 0.0, 0.0))?;
/// assert!(impinge::intersects(&cube, &cube, &touching)?);
/// assert!(!impinge::intersects(&cube, &cube, &apart)?);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects(a: &Mesh, b: &Mesh, b_in_a: &Pose) -> Result<bool, Error> {
    Pair::new(a, b)?.intersects(b_in_a)
}

/// Every pair of triangles that meet, each once, ascending by (a, b).
///
/// # Errors
/// [`Error`].
///
/// ```
/// use impinge::{Pose, Vector, models::Shape};
/// let cube = Shape::Cube.mesh(12, 0);
/// let corner = Pose::translation_by(Vector::new(1.0, 1.0, 1.0))?;
/// let contacts = impinge::contacts(&cube, &cube, &corner)?;
/// assert!(!contacts.is_empty()); // all triangles at the corner that the cubes share
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn contacts(a: &Mesh, b: &Mesh, b_in_a: &Pose) -> Result<Vec<Contact>, Error> {
    Ok(Pair::new(a, b)?.contacts(b_in_a)?.to_vec())
}

/// The least distance of the surfaces and where it is attained; exactly 0 if and only if they meet.
///
/// # Errors
/// [`Error`].
///
/// ```
/// use impinge::{Pose, Vector, models::Shape};
/// let cube = Shape::Cube.mesh(12, 0);
/// let apart = Pose::translation_by(Vector::new(3.0, 0.0, 0.0))?;
/// let nearest = impinge::distance(&cube, &cube, &apart)?;
/// assert_eq!(nearest.distance, 2.0);
/// assert_eq!((nearest.on_a.x, nearest.on_b.x), (0.5, 2.5));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance(a: &Mesh, b: &Mesh, b_in_a: &Pose) -> Result<Nearest, Error> {
    Pair::new(a, b)?.distance(b_in_a)
}

/// Whether the distance of the surfaces is at most `d`. Cheaper than [`distance`].
///
/// # Errors
/// [`Error`], also if `d` is negative or not finite.
pub fn nearer_than(a: &Mesh, b: &Mesh, b_in_a: &Pose, d: f64) -> Result<bool, Error> {
    Pair::new(a, b)?.nearer_than(b_in_a, d)
}

/// Whether the solids collide: the surfaces meet, or a component of one lies inside the other.
///
/// # Errors
/// [`Error`], also if a mesh is not closed and consistently wound: the error names the edge.
///
/// ```
/// use impinge::query::Inner;
/// use impinge::{Pose, Verdict, models::Shape};
/// let cube = Shape::Cube.mesh(12, 0);
/// let small = cube.scaled(0.5)?;
/// let verdict = impinge::collide_solids(&cube, &small, &Pose::identity())?;
/// assert_eq!(verdict, Verdict::Contained(Inner::B));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn collide_solids(a: &Mesh, b: &Mesh, b_in_a: &Pose) -> Result<Verdict, Error> {
    Pair::new(a, b)?.collide_solids(b_in_a)
}

/// Whether `b`, placed by `b_in_a`, lies wholly inside the solid `a`: every point of b's surface
/// and every point inside `b` is inside `a` and off a's surface. Exact.
///
/// - All components of `b` must be inside; they may be in different components of `a`.
///   [`collide_solids`] returns `Contained` if one component is inside.
/// - A cavity of `a` is outside `a`. A shell around that cavity, within the wall of `a`, is not
///   wholly inside, since the cavity is inside the shell; a shell with a cavity of its own there is
///   inside.
/// - Surfaces that touch, even from inside, are not contained.
///
/// # Errors
/// [`Error`], also if a mesh is not closed and consistently wound: the error names mesh and edge.
///
/// ```
/// use impinge::{Pose, Vector, models::Shape};
/// let cube = Shape::Cube.mesh(12, 0); // edge 1, centred
/// let small = cube.scaled(0.5)?;
/// let touching = Pose::translation_by(Vector::new(0.25, 0.0, 0.0))?;
/// assert!(impinge::contains(&cube, &small, &Pose::identity())?);
/// assert!(!impinge::contains(&cube, &small, &touching)?);
/// assert!(!impinge::contains(&small, &cube, &Pose::identity())?);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn contains(a: &Mesh, b: &Mesh, b_in_a: &Pose) -> Result<bool, Error> {
    Pair::new(a, b)?.contains(b_in_a)
}
