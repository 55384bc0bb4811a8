//! The convex hull of a growing patch: a closed triangulation of its boundary on exact signs.
//! Vertices are added one at a time, and the last ones can be removed again.
//!
//! - Every vertex of the patch that is on the boundary of the hull is a vertex of the
//!   triangulation, also inside flat sides. The hull near a vertex is therefore determined by the
//!   faces around it, without a search.
//! - A hull without volume is a convex polygon covered twice: *top* faces wound as the patch,
//!   *bottom* faces reversed.
//! - A face is *real* if it is in the plane of a face of the patch: no later vertex may see it from
//!   outside (criterion 2).
//!
//! [`place`] locates a new vertex, [`insert`] adds it, [`journal`] undoes that.

mod insert;
mod journal;
mod place;

use impinge_geometry::predicates::{Sign, orient3d};

use crate::surface::{NONE, Surface};
use journal::Undo;
pub(crate) use place::Place;

#[derive(Clone, Copy, Debug)]
pub(crate) struct HullFace {
    /// Counter-clockwise from outside.
    pub(crate) corners: [u32; 3],
    /// The neighbour across the side from corner `i` to `i + 1`.
    pub(crate) across: [u32; 3],
    pub(crate) alive: bool,
    pub(crate) real: bool,
    /// The step in which it was last tested, and the side on which the vertex of that step was.
    step: u32,
    sign: Sign,
}

impl HullFace {
    fn new(corners: [u32; 3], across: [u32; 3], real: bool) -> Self {
        Self { corners, across, alive: true, real, step: 0, sign: Sign::Zero }
    }

    /// The index of the side that runs from `a` to `b`.
    fn side(&self, a: u32, b: u32) -> usize {
        (0..3).find(|&i| self.corners[i] == a && self.corners[(i + 1) % 3] == b).unwrap_or(0)
    }
}

/// The hull. Vertices are indices of points of the surface.
#[derive(Clone, Debug)]
pub(crate) struct GrowingHull {
    pub(crate) faces: Vec<HullFace>,
    /// The patch's vertices, in the order in which they were added.
    pub(crate) vertices: Vec<u32>,
    /// Whether the hull has a volume.
    pub(crate) solid: bool,
    /// The number of sides of the polygon while the hull is flat.
    pub(crate) polygon: usize,
    /// Per point, a face at it; `NONE` if it is not in the patch. The face is dead if the vertex is
    /// now inside the hull, which happens only without criterion 2.
    face_at: Vec<u32>,
    starts: Vec<u32>,
    step: u32,
    journal: Vec<Undo>,
    /// Faces that the last vertex added, faces it removed, vertices around it.
    pub(crate) fresh: Vec<u32>,
    pub(crate) gone: Vec<u32>,
    pub(crate) rim: Vec<u32>,
}

impl GrowingHull {
    pub(crate) fn new(points: usize) -> Self {
        Self {
            faces: Vec::new(),
            vertices: Vec::new(),
            solid: false,
            polygon: 3,
            face_at: vec![NONE; points],
            starts: vec![NONE; points],
            step: 0,
            journal: Vec::new(),
            fresh: Vec::new(),
            gone: Vec::new(),
            rim: Vec::new(),
        }
    }

    /// Restarts with one triangle, covered twice.
    pub(crate) fn begin(&mut self, [a, b, c]: [u32; 3]) {
        for v in self.vertices.drain(..) {
            self.face_at[v as usize] = NONE;
        }
        self.faces.clear();
        self.journal.clear();
        self.solid = false;
        self.polygon = 3;
        self.faces.push(HullFace::new([a, b, c], [1; 3], true));
        self.faces.push(HullFace::new([a, c, b], [0; 3], false));
        for v in [a, b, c] {
            self.face_at[v as usize] = 0;
            self.vertices.push(v);
        }
    }

    /// Whether the point is a vertex of the patch.
    #[inline]
    pub(crate) fn has(&self, v: u32) -> bool {
        self.face_at[v as usize] != NONE
    }

    /// The faces around a vertex, the last one changed first; none if the vertex is not in the
    /// patch or is inside the hull.
    pub(crate) fn around(&self, v: u32) -> Around<'_> {
        let first = self.face_at[v as usize];
        let there = first != NONE && self.faces[first as usize].alive;
        Around { hull: self, v, first, next: if there { first } else { NONE } }
    }

    /// The two corners after `v` in a face at `v`, counter-clockwise.
    #[inline]
    pub(crate) fn others(&self, face: u32, v: u32) -> [u32; 2] {
        let corners = self.faces[face as usize].corners;
        let k = corners.iter().position(|&c| c == v).unwrap_or(0);
        [corners[(k + 1) % 3], corners[(k + 2) % 3]]
    }

    /// The side of a face on which the point is. Positive: outside.
    #[inline]
    pub(crate) fn side(&self, surface: &Surface, face: u32, v: u32) -> Sign {
        let corners = self.faces[face as usize].corners;
        // The exact stage would return this too, at a hundred times the cost.
        if corners.contains(&v) {
            return Sign::Zero;
        }
        let [a, b, c] = corners.map(|v| surface.point(v));
        orient3d(a, b, c, surface.point(v))
    }

    /// Whether the last vertex enlarged the hull. One on its boundary does not.
    pub(crate) fn changed(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Marks as real every face in the plane of `plane`, a face of the patch, starting around its
    /// corners. Not needed for a flat hull, whose top is real from the start.
    pub(crate) fn mark_real(&mut self, surface: &Surface, plane: [u32; 3]) {
        if !self.solid {
            return;
        }
        let [a, b, c] = plane.map(|v| *surface.point(v));
        let in_plane =
            |v: u32| plane.contains(&v) || orient3d(&a, &b, &c, surface.point(v)).is_zero();
        let is_flat = |f: &HullFace| f.corners.into_iter().all(in_plane);
        let start =
            plane.iter().find_map(|&v| self.around(v).find(|&f| is_flat(&self.faces[f as usize])));
        let mut stack: Vec<u32> = start.into_iter().collect();
        while let Some(f) = stack.pop() {
            if self.faces[f as usize].real {
                continue;
            }
            self.faces[f as usize].real = true;
            self.journal.push(Undo::Real(f));
            let next = self.faces[f as usize].across;
            stack.extend(next.into_iter().filter(|&n| is_flat(&self.faces[n as usize])));
        }
    }

    fn bear(&mut self, corners: [u32; 3], across: [u32; 3], real: bool) -> u32 {
        let index = self.faces.len() as u32;
        self.faces.push(HullFace::new(corners, across, real));
        self.journal.push(Undo::Born);
        // In a flat hull a vertex has faces on both sides; those of the top belong to the patch.
        if self.solid || real {
            for v in corners {
                self.set_face_at(v, index);
            }
        }
        index
    }

    fn kill(&mut self, face: u32) {
        self.faces[face as usize].alive = false;
        self.journal.push(Undo::Died(face));
    }

    fn set_face_at(&mut self, v: u32, face: u32) {
        self.journal.push(Undo::FaceAt(v, self.face_at[v as usize]));
        self.face_at[v as usize] = face;
    }

    fn set_across(&mut self, face: u32, side: usize, to: u32) {
        let slot = &mut self.faces[face as usize].across[side];
        self.journal.push(Undo::Across(face, side, *slot));
        *slot = to;
    }

    fn add_vertex(&mut self, v: u32) {
        self.vertices.push(v);
        self.journal.push(Undo::Vertex);
    }
}

/// See [`GrowingHull::around`].
pub(crate) struct Around<'h> {
    hull: &'h GrowingHull,
    v: u32,
    first: u32,
    next: u32,
}

impl Iterator for Around<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let current = self.next;
        if current == NONE {
            return None;
        }
        let face = &self.hull.faces[current as usize];
        let side = face.corners.iter().position(|&c| c == self.v).unwrap_or(0);
        let next = face.across[side];
        self.next = if next == self.first { NONE } else { next };
        Some(current)
    }
}
