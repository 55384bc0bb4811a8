//! Builds a mesh from the elements of a file: index checks, triangulation, notes. All formats with
//! faces use it, so that they agree on what is legal and on the messages.

use impinge_geometry::{MAX_COORDINATE, Mesh, MeshError, Point};

use super::ReadOptions;
use super::error::Fault;
use super::polygon::{Cut, MAX_CORNERS, Triangulator};

/// The last words of the note that every file with polygons gets.
pub(super) const TRIANGULATED: &str = "polygons with more than 3 corners triangulated";

/// The last words of the note about vertices that no triangle has, which change no surface.
pub(super) const UNUSED: &str = "vertices belong to no face";

/// Vertices and polygon faces, as read from a file.
#[derive(Debug)]
pub(super) struct Assembly {
    vertices: Vec<Point>,
    /// Corners of all faces, concatenated.
    corners: Vec<u32>,
    /// Number of corners of each face.
    sizes: Vec<u32>,
    /// Number of triangles that the faces make.
    triangles: u64,
    /// Limit of that number.
    max_triangles: u64,
    /// Notes for the user.
    pub(super) notes: Vec<String>,
}

impl Assembly {
    /// An assembly without vertices and faces.
    pub(super) fn new(options: &ReadOptions) -> Self {
        let (vertices, corners, sizes) = (Vec::new(), Vec::new(), Vec::new());
        let (max_triangles, notes) = (options.max_triangles, Vec::new());
        Self { vertices, corners, sizes, triangles: 0, max_triangles, notes }
    }

    /// Reserves room for more vertices and faces. The caller has checked that the file has bytes
    /// for them.
    pub(super) fn reserve(&mut self, vertices: usize, faces: usize) {
        self.vertices.reserve_exact(vertices);
        self.sizes.reserve_exact(faces);
        self.corners.reserve_exact(faces.saturating_mul(3));
    }

    /// Appends a vertex.
    pub(super) fn vertex(&mut self, [x, y, z]: [f64; 3]) {
        self.vertices.push(Point::new(x, y, z));
    }

    /// Number of vertices so far.
    pub(super) fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Number of faces so far: the index of the next one.
    pub(super) fn face_count(&self) -> usize {
        self.sizes.len()
    }

    /// Appends a corner to the face being built; [`Assembly::end_face`] completes it.
    pub(super) fn corner(&mut self, vertex: u32) {
        self.corners.push(vertex);
    }

    /// Completes a face made of the last `size` corners.
    ///
    /// # Errors
    /// If `size` is below three or above [`MAX_CORNERS`], or there are too many triangles.
    pub(super) fn end_face(&mut self, size: usize) -> Result<(), Fault> {
        self.admit(size)?;
        self.triangles += size as u64 - 2;
        check_triangles(self.triangles, self.max_triangles)?;
        self.sizes.push(size as u32);
        Ok(())
    }

    /// Checks that a face may have `size` corners.
    ///
    /// # Errors
    /// If `size` is below three or above [`MAX_CORNERS`].
    pub(super) fn admit(&self, size: usize) -> Result<(), Fault> {
        let face = self.face_count();
        match size {
            0..3 => Err(Fault::face(face, format!("{size} corners, a polygon needs at least 3"))),
            3..=MAX_CORNERS => Ok(()),
            _ => Err(Fault::face(
                face,
                format!("{size} corners, at most {MAX_CORNERS} can be triangulated"),
            )),
        }
    }

    /// The mesh and the notes.
    ///
    /// # Errors
    /// A corner out of range, a coordinate that is not finite, no face at all, or a polygon that
    /// takes too much work to triangulate.
    pub(super) fn finish(mut self) -> Result<(Mesh, Vec<String>), Fault> {
        if self.sizes.is_empty() {
            return Err(MeshError::Empty.into());
        }
        self.check()?;
        self.note_unused();
        if self.sizes.iter().all(|&size| size == 3) {
            self.sizes = Vec::new();
            let (triangles, _) = self.corners.as_chunks::<3>();
            let mesh = Mesh::new(self.vertices, triangles.to_vec())?;
            return Ok((mesh, self.notes));
        }
        let (triangles, faces) = self.triangulate()?;
        let mesh = Mesh::new(self.vertices, triangles)?.with_faces(faces)?;
        Ok((mesh, self.notes))
    }

    fn faces(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.corners[..];
        self.sizes.iter().map(move |&size| {
            let (face, after) = rest.split_at(size as usize);
            rest = after;
            face
        })
    }

    /// Checks the ranges of corners and coordinates, which triangulation relies on.
    fn check(&self) -> Result<(), Fault> {
        let count = self.vertices.len();
        for (f, face) in self.faces().enumerate() {
            for &v in face {
                if v as usize >= count {
                    let message = format!("vertex index {v} is out of range, there are {count}");
                    return Err(Fault::face(f, message));
                }
            }
        }
        for (vertex, p) in self.vertices.iter().enumerate() {
            for (axis, &value) in ['x', 'y', 'z'].into_iter().zip(p.iter()) {
                if !(value.abs() <= MAX_COORDINATE) {
                    return Err(MeshError::Coordinate { vertex, axis, value }.into());
                }
            }
        }
        Ok(())
    }

    fn note_unused(&mut self) {
        let mut used = vec![false; self.vertices.len()];
        for &v in &self.corners {
            used[v as usize] = true;
        }
        let unused = used.iter().filter(|&&used| !used).count();
        if unused > 0 {
            let total = self.vertices.len();
            self.notes.push(format!("{unused} of {total} {UNUSED}"));
        }
    }

    fn triangulate(&mut self) -> Result<(Vec<[u32; 3]>, Vec<u32>), Fault> {
        let count = self.corners.len() - 2 * self.sizes.len();
        let (mut triangles, mut faces) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut triangulator = Triangulator::default();
        let (mut polygons, mut fans, mut crossed) = (0_usize, 0_usize, 0_usize);
        for (f, face) in self.faces().enumerate() {
            let cut = triangulator
                .cut(&self.vertices, face, &mut triangles)
                .map_err(|message| Fault::face(f, message))?;
            polygons += usize::from(face.len() > 3);
            fans += usize::from(cut == Cut::Fan);
            crossed += usize::from(cut == Cut::Crossed);
            // At most u32::MAX faces: each has three corners, in a file below 16 GiB.
            faces.resize(triangles.len(), f as u32);
        }
        self.notes.push(format!("{polygons} {TRIANGULATED}"));
        if fans > 0 {
            self.notes.push(format!(
                "{fans} degenerate or self-intersecting polygons cut as fans, which may overlap"
            ));
        }
        if crossed > 0 {
            self.notes.push(format!(
                "{crossed} polygons cross themselves; their triangles may overlap, or be outside them"
            ));
        }
        Ok((triangles, faces))
    }
}

/// Refuses more triangles than the limit.
///
/// # Errors
/// [`Fault::TooMany`].
pub(super) fn check_triangles(triangles: u64, limit: u64) -> Result<(), Fault> {
    if triangles > limit { Err(Fault::TooMany { triangles, limit }) } else { Ok(()) }
}
