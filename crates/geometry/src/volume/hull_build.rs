//! The incremental hull of points in space with exact signs (after C. B. Barber, D. P. Dobkin and
//! H. Huhdanpaa, The Quickhull algorithm for convex hulls, ACM TOMS 22(4), 1996).
//!
//! 1. Start with a tetrahedron of four points in general position. Assign every other point to one
//!    face from which it is visible, or drop it as inside.
//! 2. While a face has points: take the farthest, find all faces it sees by walking from this one,
//!    replace them by a fan from their border (the horizon) to the point, and reassign the points
//!    of the removed faces to the new ones.
//!
//! "Sees" is `orient3d > 0`, exactly. Faces that a point sees are connected and bordered by one
//! cycle, and the point is never collinear with an edge of that cycle, so every face of the fan has
//! area. Coplanar faces stay triangulated; a corner may lie inside a flat side.

use crate::Point;
use crate::predicates::{Sign, orient3d, orient3d_estimate};

/// A face of the growing hull: corners counter-clockwise from outside, the neighbour across the
/// side from corner `i` to `i + 1`, and the points assigned to it.
struct Face {
    corners: [u32; 3],
    across: [u32; 3],
    waiting: Vec<u32>,
    alive: bool,
    /// The step in which it was last tested, and the result.
    visited: u32,
    seen: bool,
}

struct Growing<'p> {
    points: &'p [Point],
    faces: Vec<Face>,
    step: u32,
    /// How often a point was assigned, or dropped.
    assigned: usize,
    /// Per point, the fan face of this step whose first corner it is.
    starts: Vec<u32>,
}

/// Triangles of the hull of `points`. The four in `simplex` must not be coplanar. `look` is called
/// every 4,096 points that are assigned to a face.
///
/// # Errors
/// The first error of `look`.
pub(super) fn solid_faces<E>(
    points: &[Point],
    simplex: [u32; 4],
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<[u32; 3]>, E> {
    let hull = grown(points, simplex, look)?;
    Ok(hull.faces.iter().filter(|f| f.alive).map(|f| f.corners).collect())
}

fn grown<'p, E>(
    points: &'p [Point],
    simplex: [u32; 4],
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<Growing<'p>, E> {
    let starts = vec![u32::MAX; points.len()];
    let mut hull = Growing { points, faces: Vec::new(), step: 0, assigned: 0, starts };
    hull.begin(simplex, look)?;
    let mut next = 0;
    while next < hull.faces.len() {
        let face = &hull.faces[next];
        if face.alive && !face.waiting.is_empty() {
            hull.grow(next, look)?;
        }
        next += 1;
    }
    Ok(hull)
}

impl Growing<'_> {
    fn at(&self, v: u32) -> &Point {
        &self.points[v as usize]
    }

    fn sees(&self, v: u32, face: usize) -> bool {
        let [a, b, c] = self.faces[face].corners;
        orient3d(self.at(a), self.at(b), self.at(c), self.at(v)) == Sign::Positive
    }

    fn begin<E>(
        &mut self,
        simplex: [u32; 4],
        look: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let [a, mut b, mut c, d] = simplex;
        if orient3d(self.at(a), self.at(b), self.at(c), self.at(d)) == Sign::Positive {
            (b, c) = (c, b);
        }
        // d is below a b c; the other three faces share its sides, reversed.
        for (corners, across) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            self.faces.push(Face::new(corners, across));
        }
        let all: Vec<u32> = (0..self.points.len() as u32).collect();
        self.hand_out(all, 0, look)
    }

    /// Assigns each point to the first face, from `first` on, that it sees.
    fn hand_out<E>(
        &mut self,
        waiting: Vec<u32>,
        first: usize,
        look: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        for v in waiting {
            self.assigned += 1;
            if self.assigned.is_multiple_of(1 << 12) {
                look()?;
            }
            if let Some(face) = (first..self.faces.len()).find(|&f| self.sees(v, f)) {
                self.faces[face].waiting.push(v);
            }
        }
        Ok(())
    }

    fn grow<E>(&mut self, face: usize, look: &mut impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let apex = self.farthest(face);
        self.step += 1;
        let mut orphans = Vec::new();
        let horizon = self.remove_visible(face, apex, &mut orphans);
        let first = self.faces.len();
        for &(a, b, outside) in &horizon {
            let index = self.faces.len() as u32;
            self.starts[a as usize] = index;
            self.faces.push(Face::new([a, b, apex], [outside, 0, 0]));
            let neighbour = &mut self.faces[outside as usize];
            let side = (0..3).find(|&i| neighbour.corners[i] == b).unwrap_or(0);
            neighbour.across[side] = index;
        }
        // The horizon is one cycle: the face after (a, b) is the one that starts at b.
        for (k, &(_, b, _)) in horizon.iter().enumerate() {
            let after = self.starts[b as usize];
            self.faces[first + k].across[1] = after;
            self.faces[after as usize].across[2] = (first + k) as u32;
        }
        orphans.retain(|&v| v != apex);
        self.hand_out(orphans, first, look)
    }

    /// The waiting point with the largest height in f64. Any choice is correct; the farthest is
    /// fast.
    fn farthest(&self, face: usize) -> u32 {
        let [a, b, c] = self.faces[face].corners.map(|v| *self.at(v));
        let height = |v: u32| orient3d_estimate(&a, &b, &c, self.at(v)).0;
        let waiting = &self.faces[face].waiting;
        let mut best = (waiting[0], height(waiting[0]));
        for &v in &waiting[1..] {
            let h = height(v);
            if h > best.1 {
                best = (v, h);
            }
        }
        best.0
    }

    /// Removes all faces that the apex sees. Returns the horizon: per edge its start, its end and
    /// the face that stays.
    fn remove_visible(
        &mut self,
        face: usize,
        apex: u32,
        orphans: &mut Vec<u32>,
    ) -> Vec<(u32, u32, u32)> {
        let mut horizon = Vec::new();
        let mut stack = vec![face];
        self.look(face, apex);
        while let Some(f) = stack.pop() {
            self.faces[f].alive = false;
            orphans.append(&mut self.faces[f].waiting);
            for i in 0..3 {
                let (corners, g) = (self.faces[f].corners, self.faces[f].across[i]);
                let new = self.faces[g as usize].visited != self.step;
                if self.look(g as usize, apex) {
                    if new {
                        stack.push(g as usize);
                    }
                } else {
                    horizon.push((corners[i], corners[(i + 1) % 3], g));
                }
            }
        }
        horizon
    }

    /// Whether the apex of this step sees the face; computed once a step.
    fn look(&mut self, face: usize, apex: u32) -> bool {
        if self.faces[face].visited != self.step {
            self.faces[face].visited = self.step;
            self.faces[face].seen = self.sees(apex, face);
        }
        self.faces[face].seen
    }
}

impl Face {
    fn new(corners: [u32; 3], across: [u32; 3]) -> Self {
        Self { corners, across, waiting: Vec::new(), alive: true, visited: 0, seen: false }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::adversarial::Random;

    /// Measured limits on the amount of work, not properties of the points.
    const STEPS: usize = 119;
    const FACES: usize = 605;

    /// Adding the farthest point first encloses most of the others: few points of a cube ever
    /// become corners.
    #[test]
    fn the_farthest_point_first_takes_few_steps() {
        let mut r = Random(191);
        let mut points: Vec<Point> =
            (0..4000).map(|_| Point::new(r.unit(), r.unit(), r.unit())).collect();
        points[..4].copy_from_slice(
            &[[0., 0., 0.], [0.5, 0., 0.], [0., 0.5, 0.], [0., 0., 0.5]].map(Point::from),
        );
        let mut looks = 0;
        let mut look = || {
            looks += 1;
            Ok::<(), Infallible>(())
        };
        let Ok(hull) = grown(&points, [0, 1, 2, 3], &mut look);
        let mut stop = || Err::<(), &str>("stopped");
        assert_eq!(grown(&points, [0, 1, 2, 3], &mut stop).err(), Some("stopped"));
        assert_eq!(looks, hull.assigned >> 12);
        let alive = hull.faces.iter().filter(|face| face.alive).count();
        println!("{alive} faces of {} in {} steps", hull.faces.len(), hull.step);
        assert!(hull.step as usize <= STEPS && hull.faces.len() <= FACES);
        // Faces that stay have no points left.
        assert!(hull.faces.iter().all(|face| !face.alive || face.waiting.is_empty()));
    }
}
