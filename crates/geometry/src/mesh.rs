//! Indexed triangle meshes over 64-bit points: checked once when made, immutable afterwards.

mod bounds;

use crate::{Column, Point, Pose};

/// Three corners, counter-clockwise seen from outside where the mesh has an outside.
///
/// A triangle may be degenerate: a segment or a single point. All exact tests accept that.
pub type Triangle = [Point; 3];

/// The largest allowed coordinate magnitude: twice a sum of coordinates must stay finite in every
/// bounding-volume formula, whatever the pose.
///
/// Unit: the user's. Beyond 2e307, differences would overflow.
pub const MAX_COORDINATE: f64 = 1e300;

/// Why a mesh was refused. Each case names the offending element.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The mesh has no triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// A coordinate is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error(
        "vertex {vertex}: coordinate {axis} is {value:e}; it must be finite and at most 1e300 in magnitude"
    )]
    Coordinate {
        /// Index of the vertex.
        vertex: usize,
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The refused value.
        value: f64,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error(
        "triangle {triangle}: vertex index {index} is out of range, the mesh has {vertices} vertices"
    )]
    Index {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex index in the triangle.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// More vertices or triangles than 32-bit indices can address.
    #[error("the mesh has {count} {what}, more than 32-bit indices can address")]
    TooLarge {
        /// `"vertices"` or `"triangles"`.
        what: &'static str,
        /// The number of them.
        count: usize,
    },
    /// A replacement list has the wrong length (new vertices, or the face map).
    #[error("expected {expected} {what}, got {found}")]
    Length {
        /// What the list holds.
        what: &'static str,
        /// The length required.
        expected: usize,
        /// The length given.
        found: usize,
    },
}

/// A triangle mesh: points and index triples, with an optional map from triangle to polygon face.
///
/// Invariants, checked by every constructor: at least one triangle, all coordinates finite and at
/// most [`MAX_COORDINATE`] in magnitude, all indices in range, at most `u32::MAX` of each.
/// Degenerate triangles, duplicate and unused vertices, non-manifold edges and open borders are
/// legal.
///
/// ```
/// use impinge_geometry::{Mesh, Point};
/// let mesh = Mesh::new(
///     vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)],
///     vec![[0, 1, 2]],
/// )?;
/// assert_eq!(mesh.triangles().len(), 1);
/// assert!(Mesh::new(vec![Point::origin()], vec![[0, 0, 7]]).is_err());
/// # Ok::<(), impinge_geometry::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawMesh"))]
pub struct Mesh {
    vertices: Column<Point>,
    triangles: Column<[u32; 3]>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    faces: Option<Column<u32>>,
}

impl Mesh {
    /// Makes a mesh of `vertices` and index triples.
    ///
    /// # Errors
    /// [`MeshError`] names the first vertex or triangle that breaks an invariant. O(n).
    pub fn new(vertices: Vec<Point>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        Self::of_columns(vertices.into(), triangles.into())
    }

    /// The same of lists that may be views of bytes.
    ///
    /// # Errors
    /// As [`Mesh::new`]. O(n).
    pub fn of_columns(
        vertices: Column<Point>,
        triangles: Column<[u32; 3]>,
    ) -> Result<Self, MeshError> {
        check_count("vertices", vertices.len())?;
        check_count("triangles", triangles.len())?;
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        check_coordinates(&vertices)?;
        for (t, corners) in triangles.iter().enumerate() {
            for &index in corners {
                if index as usize >= vertices.len() {
                    let vertices = vertices.len();
                    return Err(MeshError::Index { triangle: t, index, vertices });
                }
            }
        }
        Ok(Self { vertices, triangles, faces: None })
    }

    /// Adds a polygon face index per triangle, as file readers produce when they triangulate
    /// polygons.
    ///
    /// # Errors
    /// [`MeshError::Length`] unless there is one face index per triangle.
    pub fn with_faces(self, faces: Vec<u32>) -> Result<Self, MeshError> {
        self.with_face_column(faces.into())
    }

    /// The same of a list that may be a view of bytes.
    ///
    /// # Errors
    /// As [`Mesh::with_faces`].
    pub fn with_face_column(mut self, faces: Column<u32>) -> Result<Self, MeshError> {
        check_length("face indices", self.triangles.len(), faces.len())?;
        self.faces = Some(faces);
        Ok(self)
    }

    /// The same triangles with moved vertices: one step of a deformation.
    ///
    /// # Errors
    /// [`MeshError::Length`] if the number of vertices changes, [`MeshError::Coordinate`] as in
    /// [`Mesh::new`].
    pub fn with_vertices(&self, vertices: Vec<Point>) -> Result<Self, MeshError> {
        check_length("vertices", self.vertices.len(), vertices.len())?;
        check_coordinates(&vertices)?;
        let (triangles, faces) = (self.triangles.clone(), self.faces.clone());
        Ok(Self { vertices: vertices.into(), triangles, faces })
    }

    /// Moves the vertices without copying the triangles: in place, or into a list of its own if a clone
    /// shares them. On error nothing changes.
    ///
    /// # Errors
    /// As [`Mesh::with_vertices`].
    pub fn move_vertices(&mut self, vertices: &[Point]) -> Result<(), MeshError> {
        check_length("vertices", self.vertices.len(), vertices.len())?;
        check_coordinates(vertices)?;
        self.vertices.change(|moved| moved.copy_from_slice(vertices));
        Ok(())
    }

    /// All vertices, used or not, in the mesh's frame.
    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Per triangle, the indices of its three vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Per triangle, the polygon face it came from, if the mesh was triangulated from polygons.
    pub fn faces(&self) -> Option<&[u32]> {
        self.faces.as_deref()
    }

    /// The polygon face of triangle `t`; `t` itself if the mesh has no polygons.
    pub fn face_of(&self, t: u32) -> u32 {
        self.faces.as_ref().map_or(t, |faces| faces[t as usize])
    }

    /// The corners of triangle `t`.
    ///
    /// # Panics
    /// If `t` is not below `self.triangles().len()`.
    #[inline]
    pub fn triangle(&self, t: u32) -> Triangle {
        self.triangles[t as usize].map(|v| self.vertices[v as usize])
    }

    /// Iterates over the corners of all triangles.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = Triangle> + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// The posed mesh: every vertex is mapped by [`Pose::apply`], the one function that rounds
    /// posed vertices. Exact decisions about a posed mesh are exact for this one.
    ///
    /// # Errors
    /// [`MeshError::Coordinate`] if a vertex leaves the range of [`MAX_COORDINATE`].
    pub fn posed(&self, pose: &Pose) -> Result<Self, MeshError> {
        self.with_vertices(self.vertices.iter().map(|p| pose.apply(p)).collect())
    }

    /// The mesh with all coordinates multiplied by `factor`, each rounded once.
    ///
    /// # Errors
    /// [`MeshError::Coordinate`] if a vertex leaves the range of [`MAX_COORDINATE`].
    pub fn scaled(&self, factor: f64) -> Result<Self, MeshError> {
        self.with_vertices(self.vertices.iter().map(|p| p * factor).collect())
    }

    /// Merges vertices of equal coordinates (`-0.0` equals `0.0`) and keeps the first of each.
    /// Triangles keep their order and number; the face map is kept. O(n log n).
    #[must_use]
    pub fn welded(&self) -> Self {
        let map = first_equal(&self.vertices);
        let mut new_index = vec![u32::MAX; self.vertices.len()];
        let kept = map.iter().zip(0..).filter(|&(&first, v)| first == v).count();
        let mut vertices = Vec::with_capacity(kept);
        for (v, &first) in map.iter().enumerate() {
            if first as usize == v {
                new_index[v] = vertices.len() as u32;
                vertices.push(self.vertices[v]);
            }
        }
        let triangles =
            self.triangles.iter().map(|t| t.map(|v| new_index[map[v as usize] as usize])).collect();
        Self { vertices: vertices.into(), triangles, faces: self.faces.clone() }
    }

    /// The mesh with the winding of every triangle reversed.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self { vertices: self.vertices.clone(), triangles, faces: self.faces.clone() }
    }

    /// Several meshes as one, in order. Drops polygon faces.
    ///
    /// # Errors
    /// [`MeshError`] if there is no triangle, or if together they exceed 32-bit indices.
    pub fn union<'a>(parts: impl IntoIterator<Item = &'a Mesh>) -> Result<Self, MeshError> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for part in parts {
            check_count("vertices", vertices.len() + part.vertices.len())?;
            let base = vertices.len() as u32;
            vertices.extend_from_slice(&part.vertices);
            triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + base)));
        }
        Self::new(vertices, triangles)
    }
}

/// For every point, the index of the first point with equal coordinates. Sorts by numbers mixed of the
/// coordinates, and those of equal numbers by the coordinates, so no input is slow: O(n log n).
pub(crate) fn first_equal(points: &[Point]) -> Vec<u32> {
    first_equal_by(points, mixed)
}

/// [`first_equal`] with any numbers: only their upper halves count.
fn first_equal_by(points: &[Point], mixed: impl Fn([u64; 3]) -> u64) -> Vec<u32> {
    // Adding zero turns −0 into 0; equal numbers then have equal bits.
    let bits = |p: &Point| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits(), (p.z + 0.0).to_bits()];
    let of = |entry: &u64| bits(&points[(entry & INDEX) as usize]);
    let mut order: Vec<u64> =
        points.iter().zip(0..).map(|(p, index)| mixed(bits(p)) & !INDEX | index).collect();
    order.sort_unstable();
    let mut first: Vec<u32> = (0..points.len() as u32).collect();
    for run in order.chunk_by_mut(|a, b| a & !INDEX == b & !INDEX).filter(|run| run.len() > 1) {
        let one = of(&run[0]);
        if run.iter().any(|entry| of(entry) != one) {
            run.sort_by_key(of);
        }
        for equal in run.chunk_by(|a, b| of(a) == of(b)) {
            for entry in equal {
                first[(entry & INDEX) as usize] = (equal[0] & INDEX) as u32;
            }
        }
    }
    first
}

/// The bits of an index.
const INDEX: u64 = u32::MAX as u64;

/// A number whose upper half depends on all bits.
fn mixed([x, y, z]: [u64; 3]) -> u64 {
    // Odd numbers without a pattern: the fraction of the golden ratio, and parts of that of π.
    let mix = |sum: u64, factor: u64| {
        let product = sum.wrapping_mul(factor);
        product ^ (product >> 32)
    };
    let x = mix(x, 0x9e37_79b9_7f4a_7c15);
    mix(mix(x.wrapping_add(y), 0x243f_6a88_85a3_08d3).wrapping_add(z), 0x1319_8a2e_0370_7345)
}

fn check_count(what: &'static str, count: usize) -> Result<(), MeshError> {
    if count > u32::MAX as usize { Err(MeshError::TooLarge { what, count }) } else { Ok(()) }
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), MeshError> {
    if expected == found { Ok(()) } else { Err(MeshError::Length { what, expected, found }) }
}

fn check_coordinates(vertices: &[Point]) -> Result<(), MeshError> {
    for (vertex, p) in vertices.iter().enumerate() {
        for (axis, &value) in ['x', 'y', 'z'].into_iter().zip(p.iter()) {
            // Written so that NaN fails too.
            if !(value.abs() <= MAX_COORDINATE) {
                return Err(MeshError::Coordinate { vertex, axis, value });
            }
        }
    }
    Ok(())
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawMesh {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    #[serde(default)]
    faces: Option<Vec<u32>>,
}

#[cfg(feature = "serde")]
impl TryFrom<RawMesh> for Mesh {
    type Error = MeshError;
    fn try_from(raw: RawMesh) -> Result<Self, MeshError> {
        let mesh = Self::new(raw.vertices, raw.triangles)?;
        match raw.faces {
            Some(faces) => mesh.with_faces(faces),
            None => Ok(mesh),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;

    #[test]
    fn welded_vertices_are_allocated_once() {
        let vertices = (0..100).map(|k| Point::new(f64::from(k / 3), 0.0, 0.0)).collect();
        let mesh = Mesh::new(vertices, vec![[0, 50, 99]]).expect("indices are in range");
        let welded = mesh.welded();
        let vertices = welded.vertices.into_vec();
        assert_eq!((vertices.len(), vertices.capacity()), (34, 34));
    }

    #[test]
    fn counts_end_where_32_bits_do() {
        let most = u32::MAX as usize;
        assert_eq!(check_count("vertices", 0), Ok(()));
        assert_eq!(check_count("vertices", most), Ok(()));
        for count in [most + 1, usize::MAX] {
            let refused = Err(MeshError::TooLarge { what: "vertices", count });
            assert_eq!(check_count("vertices", count), refused);
        }
    }

    /// Also where different points have one number, some or all.
    #[test]
    fn each_point_has_the_first_of_equal_coordinates() {
        let mut r = Random(71);
        let mut repeated = 0;
        for n in 0..200 {
            let mut number = || [0.0, -0.0, 1.0, 0.1, -3.0, 1e300, 5e-324][r.below(7)];
            let points: Vec<Point> =
                (0..n).map(|_| Point::new(number(), number(), number())).collect();
            let truth: Vec<u32> = (points.iter())
                .map(|p| points.iter().position(|q| q == p).unwrap_or(0) as u32)
                .collect();
            repeated += truth.iter().zip(0..).filter(|(first, index)| **first != *index).count();
            assert_eq!(first_equal(&points), truth);
            assert_eq!(first_equal_by(&points, |_| 7 << 32), truth);
            assert_eq!(first_equal_by(&points, |[x, ..]| x), truth);
        }
        assert!(repeated > 1_000, "{repeated}");
    }

    /// One bit of one coordinate changes about half of the bits that count.
    #[test]
    fn every_bit_counts() {
        let of = [0.1_f64, -7.3, 2.5e-9].map(f64::to_bits);
        for axis in 0..3 {
            let changed = (0..64).map(|bit| {
                let mut other = of;
                other[axis] ^= 1 << bit;
                ((mixed(of) ^ mixed(other)) >> 32).count_ones()
            });
            assert!(changed.clone().all(|bits| bits > 0) && changed.sum::<u32>() > 64 * 12);
        }
    }
}
