//! Continuous detection: when meshes whose vertices move touch, or come near each other.

use impinge_geometry::{MAX_COORDINATE, Mesh, Point, Vector};

use crate::{Cancelled, Contact, Control};

/// A mesh in motion: at time 0 its vertices are those of the mesh, at time 1 they are at other
/// places. In between each runs along a straight line at constant speed.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'m> {
    mesh: &'m Mesh,
    end: &'m [Point],
}

/// Why the places at time 1 are not those of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// There are more or fewer places than vertices.
    #[error("the mesh has {vertices} vertices, and {found} places at the end of its motion")]
    Length {
        /// Vertices of the mesh.
        vertices: usize,
        /// Places that were given.
        found: usize,
    },
    /// A coordinate is NaN, infinite, or beyond [`MAX_COORDINATE`].
    #[error("vertex {vertex} ends at {value}, which is out of range")]
    Coordinate {
        /// Index of the vertex.
        vertex: usize,
        /// The first such coordinate.
        value: f64,
    },
}

impl<'m> Moving<'m> {
    /// The mesh moves to `end`, one place for each vertex.
    ///
    /// # Errors
    /// [`MotionError`].
    pub fn new(mesh: &'m Mesh, end: &'m [Point]) -> Result<Self, MotionError> {
        let vertices = mesh.vertices().len();
        if vertices != end.len() {
            return Err(MotionError::Length { vertices, found: end.len() });
        }
        for (vertex, p) in end.iter().enumerate() {
            // Written so that NaN fails too.
            if let Some(&value) = p.iter().find(|x| !(x.abs() <= MAX_COORDINATE)) {
                return Err(MotionError::Coordinate { vertex, value });
            }
        }
        Ok(Self { mesh, end })
    }

    /// The mesh at time 0.
    pub const fn mesh(&self) -> &'m Mesh {
        self.mesh
    }

    /// The vertices at time 1.
    pub const fn end(&self) -> &'m [Point] {
        self.end
    }
}

/// Times between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval {
    /// Nothing meets before this time.
    pub low: f64,
    /// Something has met by this time.
    pub high: f64,
}

/// The parts of two triangles that touch first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Features {
    /// The triangles share a point at time 0 already.
    Start,
    /// A vertex of A touches the triangle of B.
    VertexOfA(u32),
    /// A vertex of B touches the triangle of A.
    VertexOfB(u32),
    /// An edge of A touches an edge of B; vertices by index in their meshes.
    Edges([u32; 2], [u32; 2]),
}

/// The first contact of two triangles, or of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// Holds the time of first contact.
    pub time: Interval,
    /// A pair of triangles that meets then.
    pub triangles: Contact,
    /// What of them touches.
    pub features: Features,
    /// A unit vector across both features, from A to B: relative to A's, B's touching point moves
    /// against it. Its angle to the true one is at most 2⁻²⁰.
    ///
    /// `None` where there is none, or f64 does not tell it that accurately: contact at the start,
    /// faces without area, parallel edges, features that graze or slide within their plane.
    pub normal: Option<Vector>,
}

/// The first time at which two meshes are at most a distance apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Approach {
    /// Before `low` the meshes are farther apart than asked. At `high` they are at most the distance
    /// asked and [`excess`](Self::excess) apart.
    pub time: Interval,
    /// A pair of triangles that is so near at `high`.
    pub triangles: Contact,
    /// 0 if the meshes are certainly as near as asked at `high`. Else it was not decided whether they
    /// come nearer, then or later.
    pub excess: f64,
}

/// Finds contacts between moving meshes. Surfaces are closed sets, time 0 and time 1 count. The
/// intervals of an exact method are at most 2⁻⁴⁰ wide.
///
/// *A mesh in motion meets itself* where two of its triangles meet
/// [elsewhere](impinge_geometry::exact::meet_elsewhere) than neighbours do at time 0, or at any time
/// a vertex and a triangle, or two edges, of different triangles share a point that have no vertex in
/// common. Vertices that are at equal coordinates at both ends are one vertex.
pub trait Continuous: Send + Sync {
    /// Its name on the command line and in `docs/methods/`.
    fn word(&self) -> &'static str;

    /// The first contact of two meshes in one frame, `None` if they share no point from time 0 to
    /// time 1.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled>;

    /// Every pair of triangles that meets within the motion, once, with its first contact: ascending
    /// by (a, b), and at most the first `cap`.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn contacts(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled>;

    /// The first time at which two meshes are at most `distance` apart, in the unit of their frame;
    /// `None` if they are farther apart from time 0 to time 1, and for a negative number or NaN. For 0
    /// it is the first contact. Neither misses nor invents an approach: what is not decided is told by
    /// [`Approach::excess`].
    ///
    /// # Errors
    /// [`Cancelled`].
    fn first_within(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled>;

    /// The first time at which a mesh meets itself, as defined [above](Self), or two of its triangles
    /// without a vertex in common are at most `distance` apart; otherwise as
    /// [`first_within`](Self::first_within). Triangles with a common vertex are near at all times, so they
    /// count only where they meet elsewhere. In the triangles `a < b`.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn first_self_within(
        &self,
        body: &Moving<'_>,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled>;

    /// The first contact of a mesh with itself, as defined [above](Self). In its triangles `a < b`.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn first_self_contact(
        &self,
        body: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled>;

    /// Every pair of triangles `a < b` of a mesh that meets within the motion, as
    /// [`contacts`](Self::contacts).
    ///
    /// # Errors
    /// [`Cancelled`].
    fn self_contacts(
        &self,
        body: &Moving<'_>,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_has_a_place_in_range_for_each_vertex() {
        let start = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let mesh = Mesh::new(start, vec![[0, 1, 2]]).expect("a triangle");
        let mut end = vec![Point::new(0.0, 0.0, MAX_COORDINATE); 3];
        let moving = Moving::new(&mesh, &end).expect("in range");
        assert_eq!((moving.mesh().vertices(), moving.end()), (mesh.vertices(), end.as_slice()));
        let short = Moving::new(&mesh, &end[1..]).expect_err("a place is missing");
        assert_eq!(short, MotionError::Length { vertices: 3, found: 2 });
        end[2].y = -MAX_COORDINATE.next_up();
        let far = Moving::new(&mesh, &end).expect_err("out of range");
        assert_eq!(far, MotionError::Coordinate { vertex: 2, value: end[2].y });
        end[2].y = f64::NAN;
        let none = Moving::new(&mesh, &end);
        assert!(matches!(none, Err(MotionError::Coordinate { vertex: 2, .. })));
    }
}
