//! Adopting a face, and every face that must join with it.
//!
//! When vertex `v` joins, the new hull may contain more of the surface than the patch: a face with
//! all corners in the hull, or part of a flat side that is triangulated differently from the hull.
//! By equation 2-3, `S ∩ C = c`, those faces must join too, if they can. What they add to the hull
//! is examined in turn. The result is the smallest valid patch that contains patch and candidate.
//! So if one of those faces cannot join, the candidate can never join this patch.
//!
//! Per face: 1. place its new vertices; 2. criterion 2, no face of the patch is visible from them;
//! 3. every vertex of the patch is on or below the face's plane; 4. criterion 3, on the faces
//! around the vertices where the hull has changed, and by the tree on those that share no vertex
//! with it.

use std::ops::Range;

use impinge_geometry::predicates::{Sign, orient2d, orient3d};

use super::Grower;
use super::meets::Meets;
use crate::hull::{GrowingHull, Place};
use crate::surface::projection;

/// The result of trying a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It joined, with every face that had to join with it.
    Joined,
    Refused,
    /// It cannot join before one of these faces has joined.
    WaitsFor(Vec<u32>),
    /// It cannot join while the hull is flat.
    WaitsForVolume,
}

/// What remains to be checked while a candidate is being adopted.
#[derive(Debug, Default)]
pub(super) struct Open {
    pending: std::collections::VecDeque<u32>,
    /// Faces `f` with an edge `(a, b)` in the hull whose two faces are both outside the patch.
    pub(super) chords: Vec<(u32, u32, u32)>,
    /// Faces that meet the hull and share no vertex with the patch.
    pub(super) strangers: Vec<u32>,
    /// The vertices that enlarged the hull, and the faces that each removed.
    pub(super) steps: Vec<Step>,
    pub(super) parts: Vec<u32>,
    /// Faces of the hull that border on new ones.
    pub(super) beside: Vec<u32>,
}

/// A vertex that enlarged the hull.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) v: u32,
    /// Whether the hull had a volume then.
    pub(super) solid: bool,
    /// The faces it removed; for a flat hull, those that it added.
    pub(super) parts: Range<usize>,
}

#[derive(Debug)]
struct Never;

impl Grower<'_> {
    /// Adopts these faces and those that must join with them, or changes nothing.
    pub(super) fn absorb(&mut self, faces: &[u32]) -> Outcome {
        let (mark, joined, touched) = (self.hull.mark(), self.faces.len(), self.touched.len());
        let mut open = Open { pending: faces.iter().copied().collect(), ..Open::default() };
        let outcome = if self.adopt_all(&mut open).is_err() {
            Outcome::Refused
        } else {
            self.settle(&open, mark, joined)
        };
        if outcome != Outcome::Joined {
            self.hull.undo(mark);
            self.release(touched);
            while self.faces.len() > joined {
                self.part();
            }
        }
        outcome
    }

    fn adopt_all(&mut self, open: &mut Open) -> Result<(), Never> {
        while let Some(f) = open.pending.pop_front() {
            if self.is_member(f) {
                continue;
            }
            if !self.may_join(f) {
                return Err(Never);
            }
            self.adopt(f, open)?;
        }
        Ok(())
    }

    fn adopt(&mut self, f: u32, open: &mut Open) -> Result<(), Never> {
        let corners = self.surface.triangles[f as usize];
        let Some(anchor) = corners.into_iter().find(|&v| self.hull.has(v)) else {
            open.strangers.push(f);
            return Ok(());
        };
        for v in corners {
            if !self.hull.has(v) {
                self.add(v, anchor, f)?;
                self.touch(v);
                if self.options.criteria.hull {
                    self.look_around(f, v, open)?;
                }
            }
        }
        if self.options.criteria.below && !self.supports(f, anchor) {
            return Err(Never);
        }
        self.hull.mark_real(self.surface, corners);
        self.join(f);
        Ok(())
    }

    fn add(&mut self, v: u32, anchor: u32, f: u32) -> Result<(), Never> {
        let criteria = self.options.criteria;
        match self.hull.place(self.surface, v, anchor) {
            Place::Outside(face) => {
                let view = self.hull.look(self.surface, v, face, criteria.visibility);
                if view.real && criteria.visibility {
                    return Err(Never);
                }
                // The hull is in the cone from v over the horizon.
                if criteria.below && view.horizon.iter().any(|h| self.above(f, h.0)) {
                    return Err(Never);
                }
                self.hull.insert_outside(v, &view);
            }
            Place::Beyond(face, side) => self.hull.insert_beyond(self.surface, v, face, side),
            Place::Never => return Err(Never),
            on => self.hull.insert_on(v, on),
        }
        Ok(())
    }

    /// Whether the vertex is strictly above the face's plane.
    pub(super) fn above(&self, f: u32, v: u32) -> bool {
        let [a, b, c] = self.surface.corners(f);
        !self.surface.triangles[f as usize].contains(&v)
            && orient3d(&a, &b, &c, self.surface.point(v)) == Sign::Positive
    }

    /// Whether the whole hull is on or below the plane of `f`, whose corner `v` is a vertex of the
    /// hull. The hull is in the cone from a vertex over its neighbours, so the neighbours decide.
    fn supports(&self, f: u32, v: u32) -> bool {
        let t @ [a, b, c] = self.surface.corners(f);
        let mut flat = true;
        for face in self.hull.around(v) {
            let next = self.hull.others(face, v)[0];
            if self.surface.triangles[f as usize].contains(&next) {
                continue;
            }
            match orient3d(&a, &b, &c, self.surface.point(next)) {
                Sign::Positive => return false,
                Sign::Negative => flat = false,
                Sign::Zero => {}
            }
        }
        // All coplanar: whether `f` is wound as the hull there.
        let up = || {
            let top = |h: &u32| self.hull.solid || self.hull.faces[*h as usize].real;
            self.hull.around(v).find(top).is_some_and(|h| {
                let drop = projection(&t);
                let [p, q, r] = self.hull.faces[h as usize].corners.map(|v| *self.surface.point(v));
                orient2d(&p, &q, &r, drop) == orient2d(&a, &b, &c, drop)
            })
        };
        !flat || up()
    }

    /// Tests criterion 3 after `v` was added with the face `f`: finds the faces that the hull now
    /// meets.
    fn look_around(&mut self, f: u32, v: u32, open: &mut Open) -> Result<(), Never> {
        let mut rim = std::mem::take(&mut self.hull.rim);
        rim.push(v);
        let result = rim.iter().try_for_each(|&h| {
            for &g in self.surface.at(h) {
                if g == f || self.is_member(g) {
                    continue;
                }
                match self.meets_at(g) {
                    Meets::Shared => {}
                    Meets::More if self.may_join(g) => open.pending.push_back(g),
                    Meets::More => return Err(Never),
                    Meets::Chord(a, b) => open.chords.push((g, a, b)),
                }
            }
            Ok(())
        });
        self.hull.rim = rim;
        result?;
        if self.hull.changed() {
            open.grew(v, &self.hull);
        }
        Ok(())
    }
}

impl Open {
    fn grew(&mut self, v: u32, hull: &GrowingHull) {
        let first = self.parts.len();
        self.parts.extend(if hull.solid { &hull.gone } else { &hull.fresh });
        self.beside.extend(hull.fresh.iter().map(|&f| hull.faces[f as usize].across[0]));
        self.steps.push(Step { v, solid: hull.solid, parts: first..self.parts.len() });
    }
}
