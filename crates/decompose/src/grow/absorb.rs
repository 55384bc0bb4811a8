//! Adopting a face, and every face that has to come with it.
//!
//! When vertex `v` joins, the new hull may hold more of the surface than the patch: a face with all
//! corners in the hull, a part of a flat side that is divided otherwise than the hull. Equation
//! 2-3, `S ∩ C = c`, leaves one way: those faces join too, if they can. What that brings into the
//! hull is looked at in turn. The smallest valid patch that holds patch and candidate is what comes
//! out, so if one of those faces cannot join, the candidate cannot join this patch at any time.
//!
//! Per face: 1. place its new vertices; 2. criterion 2, no face of the patch is visible from them;
//! 3. every vertex of the patch is on or below the face's plane; 4. criterion 3, on the faces
//! around the vertices where the hull has changed, and by the tree on those that share no vertex
//! with it.

use impinge_geometry::predicates::{Sign, orient2d, orient3d};

use super::Grower;
use super::meets::Meets;
use crate::hull::Place;
use crate::surface::projection;

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It joined, with what had to come along.
    Joined,
    /// It can never join this patch.
    Refused,
    /// Not before one of these faces has joined.
    WaitsFor(Vec<u32>),
    /// Not while the hull is flat.
    WaitsForVolume,
}

/// What is still open while a candidate is being adopted.
#[derive(Debug, Default)]
struct Open {
    /// Faces that must join.
    pending: std::collections::VecDeque<u32>,
    /// Faces of which an edge is in the hull, but neither that face nor the one across is in the
    /// patch.
    chords: Vec<(u32, u32, u32)>,
    /// Faces that meet the hull and share no vertex with the patch.
    strangers: Vec<u32>,
    /// Vertices that enlarged the hull, and where their parts of it end in [`Open::parts`]; with a volume?
    grown: Vec<(u32, usize, bool)>,
    /// What [`Grower::strangers`] has to look through.
    parts: Vec<u32>,
}

/// The candidate cannot join.
#[derive(Debug)]
struct Never;

impl Grower<'_> {
    /// Adopts these faces and what must come along, or changes nothing.
    pub(super) fn absorb(&mut self, faces: &[u32]) -> Outcome {
        let (mark, joined, touched) = (self.hull.mark(), self.faces.len(), self.touched.len());
        let mut open = Open { pending: faces.iter().copied().collect(), ..Open::default() };
        let outcome = if self.adopt_all(&mut open).is_err() {
            Outcome::Refused
        } else {
            self.look_far(&mut open);
            self.settle(&open, joined)
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

    /// Criterion 3 for what has no corner in the hull. The search is the dearest step, so it comes
    /// last: what is refused for another reason does not need it.
    fn look_far(&self, open: &mut Open) {
        let mut first = 0;
        for &(v, last, solid) in &open.grown {
            self.strangers(v, &open.parts[first..last], solid, &mut open.strangers);
            first = last;
        }
    }

    /// What is left when nothing is pending: is the patch one piece, and is its hull its own?
    fn settle(&self, open: &Open, joined: usize) -> Outcome {
        let mut missing = Vec::new();
        for &(f, a, b) in &open.chords {
            let across = self.surface.across_edge(f, a, b);
            if !self.is_member(f) && !self.is_member(across) {
                missing.extend([f, across]);
            }
        }
        // A stranger may touch the hull in a vertex that another face there can bring in.
        for &f in &open.strangers {
            let corners = self.surface.triangles[f as usize];
            if !self.is_member(f) && !corners.iter().any(|&v| self.hull.has(v)) {
                missing.extend(corners.iter().flat_map(|&v| self.surface.at(v)));
            }
        }
        missing.extend(self.detached(joined));
        missing.sort_unstable();
        missing.dedup();
        if !missing.is_empty() {
            return Outcome::WaitsFor(missing);
        }
        // The patch fills the polygon if and only if its border is the outline: elsewhere the border
        // goes a longer way, or around a hole.
        if !self.hull.solid && self.border != self.hull.polygon as i64 && self.options.criteria.hull
        {
            return Outcome::WaitsForVolume;
        }
        Outcome::Joined
    }

    /// New faces that are not joined to the patch by edges.
    fn detached(&self, joined: usize) -> Vec<u32> {
        let new = &self.faces[joined..];
        if new.len() == 1 {
            return Vec::new();
        }
        let index: std::collections::HashMap<u32, usize> = new.iter().copied().zip(0..).collect();
        let mut reached = vec![false; new.len()];
        let is_old = |n: u32| self.is_member(n) && !index.contains_key(&n);
        let at_old = |f: &u32| self.surface.across[*f as usize].iter().any(|&n| is_old(n));
        let mut stack: Vec<usize> = (0..new.len()).filter(|&k| at_old(&new[k])).collect();
        while let Some(k) = stack.pop() {
            if !std::mem::replace(&mut reached[k], true) {
                let next = self.surface.across[new[k] as usize];
                stack.extend(next.iter().filter_map(|n| index.get(n)));
            }
        }
        new.iter().zip(reached).filter(|(_, r)| !r).map(|(f, _)| *f).collect()
    }

    /// Adopts one face.
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

    /// Adds a vertex of the face `f` to the hull.
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

    /// Is the vertex strictly above the face's plane?
    pub(super) fn above(&self, f: u32, v: u32) -> bool {
        let [a, b, c] = self.surface.corners(f);
        orient3d(&a, &b, &c, self.surface.point(v)) == Sign::Positive
    }

    /// Is the whole hull on or below the plane of `f`, whose corner `v` is a vertex of it? The hull
    /// is in the cone from a vertex over its neighbours, so these decide.
    fn supports(&self, f: u32, v: u32) -> bool {
        let t @ [a, b, c] = self.surface.corners(f);
        let mut flat = true;
        for face in self.hull.around(v) {
            let next = self.surface.point(self.hull.others(face, v)[0]);
            match orient3d(&a, &b, &c, next) {
                Sign::Positive => return false,
                Sign::Negative => flat = false,
                Sign::Zero => {}
            }
        }
        // All in one plane: which side of it is up?
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

    /// Criterion 3 after `v` came with the face `f`: which faces does the hull meet now?
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
            let solid = self.hull.solid;
            open.parts.extend(if solid { &self.hull.gone } else { &self.hull.fresh });
            open.grown.push((v, open.parts.len(), solid));
        }
        Ok(())
    }
}
