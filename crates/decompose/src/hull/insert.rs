//! Adding a vertex to the hull.
//!
//! *Outside*: the faces that see it are found by walking from one of them, and replaced by a fan
//! from the vertex to their border (the horizon). Faces coplanar with the vertex stay, so every
//! face of the fan has area. The cost is the number of faces seen, whatever the hull's size. *In
//! the plane of a flat hull, beyond it*: the same in two dimensions, on top and bottom. *On the
//! boundary*: the face is split in three, or the two at an edge in four.

use impinge_geometry::predicates::{Sign, orient2d};

use super::{GrowingHull, Place, Undo};
use crate::surface::{NONE, Surface, projection};

/// What a vertex outside the hull sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    pub(crate) faces: Vec<u32>,
    /// The sides between visible and other faces: start, end, the face that stays.
    pub(crate) horizon: Vec<(u32, u32, u32)>,
    /// Whether a face of the patch is visible.
    pub(crate) real: bool,
}

impl GrowingHull {
    /// Finds what `v` sees, starting at a face that it sees. With `stop`, stops at the first real
    /// face.
    pub(crate) fn look(&mut self, surface: &Surface, v: u32, face: u32, stop: bool) -> View {
        self.step += 1;
        let mut view = View::default();
        let mut stack = vec![face];
        self.look_at(surface, v, face);
        while let Some(f) = stack.pop() {
            view.faces.push(f);
            view.real |= self.faces[f as usize].real;
            if view.real && stop {
                return view;
            }
            for i in 0..3 {
                let (corners, g) =
                    (self.faces[f as usize].corners, self.faces[f as usize].across[i]);
                let new = self.faces[g as usize].step != self.step;
                if self.look_at(surface, v, g) == Sign::Positive {
                    if new {
                        stack.push(g);
                    }
                } else {
                    view.horizon.push((corners[i], corners[(i + 1) % 3], g));
                }
            }
        }
        view
    }

    /// The side of the face on which the current vertex is; computed once a step.
    fn look_at(&mut self, surface: &Surface, v: u32, face: u32) -> Sign {
        if self.faces[face as usize].step != self.step {
            let sign = self.side(surface, face, v);
            let face = &mut self.faces[face as usize];
            (face.step, face.sign) = (self.step, sign);
        }
        self.faces[face as usize].sign
    }

    /// Adds a vertex outside; `view` must be from the last [`look`](Self::look).
    pub(crate) fn insert_outside(&mut self, v: u32, view: &View) {
        self.clear_last();
        if !self.solid {
            self.solid = true;
            self.journal.push(Undo::Solid);
        }
        self.add_vertex(v);
        for &f in &view.faces {
            self.kill(f);
            self.gone.push(f);
        }
        let first = self.faces.len();
        for &(a, b, outside) in &view.horizon {
            let stays = self.faces[outside as usize];
            // Coplanar with a face of the patch: the fan continues that face.
            let real = stays.real && stays.sign.is_zero();
            let index = self.bear([a, b, v], [outside, NONE, NONE], real);
            self.starts[a as usize] = index;
            self.set_across(outside, stays.side(b, a), index);
            self.fresh.push(index);
            self.rim.push(a);
        }
        // The horizon is one cycle: the face after (a, b) is the one that starts at b. Faces
        // created in this step need no journal.
        for (k, &(_, b, _)) in view.horizon.iter().enumerate() {
            let after = self.starts[b as usize];
            self.faces[first + k].across[1] = after;
            self.faces[after as usize].across[2] = (first + k) as u32;
        }
    }

    /// Adds a vertex in the plane of a flat hull, strictly beyond a side of a top face.
    pub(crate) fn insert_beyond(&mut self, surface: &Surface, v: u32, face: u32, side: usize) {
        let chain = self.visible_sides(surface, v, face, side);
        self.clear_last();
        self.add_vertex(v);
        self.journal.push(Undo::Polygon(self.polygon));
        self.polygon = self.polygon + 2 - chain.len();
        let first = self.faces.len() as u32;
        let last = chain.len() as u32 - 1;
        for (k, &(top, side)) in (0u32..).zip(&chain) {
            let (u, w) = self.ends(top, side);
            let bottom = self.faces[top as usize].across[side];
            let (mine, twin) = (first + 2 * k, first + 2 * k + 1);
            // Sides u → v, v → w, w → u of the top, u → w, w → v, v → u of the bottom.
            let before = if k == 0 { [twin, mine] } else { [mine - 2, twin - 2] };
            let after = if k == last { [twin, mine] } else { [mine + 2, twin + 2] };
            self.bear([u, v, w], [before[0], after[0], top], true);
            self.bear([u, w, v], [bottom, after[1], before[1]], false);
            self.set_across(top, side, mine);
            let back = self.faces[bottom as usize].side(w, u);
            self.set_across(bottom, back, twin);
            self.fresh.push(mine);
            self.rim.push(u);
            if k == last {
                self.rim.push(w);
            }
        }
    }

    fn ends(&self, face: u32, side: usize) -> (u32, u32) {
        let corners = self.faces[face as usize].corners;
        (corners[side], corners[(side + 1) % 3])
    }

    /// The sides of the flat hull's outline that `v` is strictly beyond, in cyclic order.
    fn visible_sides(
        &self,
        surface: &Surface,
        v: u32,
        face: u32,
        side: usize,
    ) -> Vec<(u32, usize)> {
        let corners = self.faces[face as usize].corners.map(|c| *surface.point(c));
        let drop = projection(&corners);
        let left = orient2d(&corners[0], &corners[1], &corners[2], drop);
        let sees = |(f, side): (u32, usize)| {
            let (p, q) = self.ends(f, side);
            let s = orient2d(surface.point(p), surface.point(q), surface.point(v), drop);
            s.is_opposite(left)
        };
        let mut chain = std::collections::VecDeque::from([(face, side)]);
        let (mut forward, mut backward) = (true, true);
        while (forward || backward) && chain.len() < self.polygon {
            if forward {
                let next = self.outline(chain[chain.len() - 1], 1);
                forward = sees(next);
                if forward {
                    chain.push_back(next);
                    continue;
                }
            }
            let next = self.outline(chain[0], 2);
            backward = backward && sees(next);
            if backward {
                chain.push_front(next);
            }
        }
        chain.into()
    }

    /// The side of a flat hull's outline after (`turn` 1) or before (`turn` 2) this one.
    fn outline(&self, (mut f, mut side): (u32, usize), turn: usize) -> (u32, usize) {
        loop {
            side = (side + turn) % 3;
            let n = self.faces[f as usize].across[side];
            if !self.faces[n as usize].real {
                return (f, side);
            }
            let (p, q) = self.ends(f, side);
            side = self.faces[n as usize].side(q, p);
            f = n;
        }
    }

    /// Adds a vertex on the boundary.
    pub(crate) fn insert_on(&mut self, v: u32, place: Place) {
        self.clear_last();
        match place {
            Place::InFace(f) => self.split_face(v, f),
            Place::OnSide(f, side) => self.split_side(v, f, side),
            _ => {}
        }
    }

    fn split_face(&mut self, v: u32, f: u32) {
        self.add_vertex(v);
        let old = self.faces[f as usize];
        self.kill(f);
        let first = self.faces.len() as u32;
        for i in 0..3u32 {
            let k = i as usize;
            let (a, b) = (old.corners[k], old.corners[(k + 1) % 3]);
            let (after, before) = (first + (i + 1) % 3, first + (i + 2) % 3);
            self.bear([a, b, v], [old.across[k], after, before], old.real);
            self.relink(old.across[k], (b, a), first + i);
        }
    }

    fn split_side(&mut self, v: u32, f: u32, side: usize) {
        self.add_vertex(v);
        if !self.solid
            && self.faces[self.faces[f as usize].across[side] as usize].real
                != self.faces[f as usize].real
        {
            self.journal.push(Undo::Polygon(self.polygon));
            self.polygon += 1;
        }
        let (a, b) = self.ends(f, side);
        let (t, n) = (self.faces[f as usize], self.faces[f as usize].across[side]);
        let u = self.faces[n as usize];
        let back = u.side(b, a);
        let (c, d) = (t.corners[(side + 2) % 3], u.corners[(back + 2) % 3]);
        let (bc, ca) = (t.across[(side + 1) % 3], t.across[(side + 2) % 3]);
        let (ad, db) = (u.across[(back + 1) % 3], u.across[(back + 2) % 3]);
        self.kill(f);
        self.kill(n);
        let i = self.faces.len() as u32;
        // (a, v, c), (v, b, c), (b, v, d), (v, a, d)
        self.bear([a, v, c], [i + 3, i + 1, ca], t.real);
        self.bear([v, b, c], [i + 2, bc, i], t.real);
        self.bear([b, v, d], [i + 1, i + 3, db], u.real);
        self.bear([v, a, d], [i, ad, i + 2], u.real);
        self.relink_alive(ca, (a, c), i, (f, n));
        self.relink_alive(bc, (c, b), i + 1, (f, n));
        self.relink_alive(db, (b, d), i + 2, (f, n));
        self.relink_alive(ad, (d, a), i + 3, (f, n));
        self.mend(i);
    }

    /// Sets the neighbour of `face` across `side` to `to`.
    fn relink(&mut self, face: u32, side: (u32, u32), to: u32) {
        let k = self.faces[face as usize].side(side.0, side.1);
        self.set_across(face, k, to);
    }

    fn relink_alive(&mut self, face: u32, side: (u32, u32), to: u32, dead: (u32, u32)) {
        if face != dead.0 && face != dead.1 {
            self.relink(face, side, to);
        }
    }

    /// Repairs links to dead faces. Two faces that share more than one edge, such as top and bottom
    /// of one triangle, still refer to each other after a split; link them to the parts.
    fn mend(&mut self, first: u32) {
        for f in first..first + 4 {
            for k in 0..3 {
                let n = self.faces[f as usize].across[k];
                if self.faces[n as usize].alive {
                    continue;
                }
                let (p, q) = self.ends(f, k);
                let runs = |g: &u32| {
                    let corners = self.faces[*g as usize].corners;
                    (0..3).any(|i| corners[i] == q && corners[(i + 1) % 3] == p)
                };
                if let Some(g) = (first..first + 4).find(runs) {
                    self.faces[f as usize].across[k] = g;
                }
            }
        }
    }

    fn clear_last(&mut self) {
        self.fresh.clear();
        self.gone.clear();
        self.rim.clear();
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_threads::Control;

    use super::*;

    /// A surface in which point `4 i` is the `i`-th of these in the plane z = 0: small tetrahedra
    /// that stand on them.
    fn standing_on(points: &[[f64; 2]]) -> Surface {
        let corners = points.iter().flat_map(|&[x, y]| {
            let above = [[0.25, 0.0], [0.0, 0.25], [-0.25, -0.25]];
            let above = above.map(|[u, v]| Point::new(x + u, y + v, 1.0));
            [Point::new(x, y, 0.0)].into_iter().chain(above)
        });
        let faces = (0..points.len() as u32).flat_map(|i| {
            [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]].map(|t: [u32; 3]| t.map(|c| 4 * i + c))
        });
        let mesh = Mesh::new(corners.collect(), faces.collect()).expect("in range");
        Surface::new(&mesh, &Control::NONE).expect("closed").0
    }

    /// Twice the area of a triangle in the plane z = 0.
    fn area(surface: &Surface, corners: [u32; 3]) -> f64 {
        let [a, b, c] = corners.map(|v| *surface.point(v));
        (b - a).cross(&(c - a)).z
    }

    /// A triangle, a vertex on each of two sides, and one beyond both: it sees four of five sides.
    #[test]
    fn a_vertex_beyond_divided_sides_of_a_flat_hull_sees_all_their_parts() {
        let points = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [2.0, 0.0], [0.0, 2.0], [-1.0, -1.0]];
        let surface = standing_on(&points);
        let [a, b, c, d, e, v] = [0, 4, 8, 12, 16, 20];
        let mut hull = GrowingHull::new(surface.points.len());
        hull.begin([a, b, c]);
        for (n, on) in [(4, d), (5, e)] {
            let place = hull.place(&surface, on, a);
            assert!(matches!(place, Place::OnSide(..)), "{place:?}");
            hull.insert_on(on, place);
            assert_eq!(hull.polygon, n);
        }
        let place = hull.place(&surface, v, a);
        let Place::Beyond(face, side) = place else { panic!("{place:?}") };
        hull.insert_beyond(&surface, v, face, side);
        assert_eq!(hull.polygon, 3);
        let top = hull.faces.iter().filter(|face| face.alive && face.real);
        let covered: f64 = top.map(|face| area(&surface, face.corners)).sum();
        assert_eq!(covered, area(&surface, [v, b, c]));
    }
}
