//! The surface of a mesh as a manifold, with triangle adjacency.

use super::error::End;
use super::{NotConvex, looking};
use crate::mesh::first_equal;
use crate::predicates::collinear;
use crate::topology::across;
use crate::volume::power_below_inverse;
use crate::{Mesh, Point, Triangle, Vector};

/// A closed surface of triangles with area, two at every edge. Vertices of equal coordinates are
/// merged, unused ones dropped; triangles keep the mesh's order.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) points: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Per triangle and side `k → k + 1`, the triangle that runs back along it.
    pub(super) across: Vec<[u32; 3]>,
    /// Per point, one of its triangles.
    triangle_at: Vec<u32>,
    /// Per point, its first vertex in the mesh.
    pub(super) vertex: Vec<u32>,
}

impl Surface {
    pub(super) fn of<E>(
        mesh: &Mesh,
        look: &mut impl FnMut() -> Result<(), End<E>>,
    ) -> Result<Self, End<E>> {
        looking(mesh.triangles().len(), look, |triangle| {
            let [a, b, c] = mesh.triangle(triangle);
            let degenerate = collinear(&a, &b, &c);
            if degenerate { Err(NotConvex::Degenerate { triangle }.into()) } else { Ok(()) }
        })?;
        let same = first_equal(mesh.vertices());
        let mut number = vec![u32::MAX; same.len()];
        let (mut points, mut vertex, mut triangle_at) = (vec![], vec![], vec![]);
        let mut triangles = mesh.triangles().to_vec();
        for (t, corners) in (0u32..).zip(&mut triangles) {
            for c in corners {
                let first = same[*c as usize];
                let slot = &mut number[first as usize];
                if *slot == u32::MAX {
                    *slot = points.len() as u32;
                    points.push(mesh.vertices()[first as usize]);
                    vertex.push(first);
                    triangle_at.push(t);
                }
                *c = *slot;
            }
        }
        look()?;
        let across = across(&triangles, &vertex, look)?;
        Ok(Self { points, triangles, across, triangle_at, vertex })
    }

    pub(super) fn corners(&self, t: u32) -> Triangle {
        self.triangles[t as usize].map(|p| self.points[p as usize])
    }

    /// Visits every triangle of one fan of the point. If several fans meet at it, which a convex
    /// body does not have, visits only one of them.
    #[inline]
    pub(super) fn fan(&self, point: u32, mut visit: impl FnMut(u32)) {
        let first = self.triangle_at[point as usize];
        let mut t = first;
        for _ in 0..self.triangles.len() {
            visit(t);
            let side = self.triangles[t as usize].iter().position(|&p| p == point).unwrap_or(0);
            t = self.across[t as usize][side];
            if t == first {
                break;
            }
        }
    }

    /// The triangle nearest to `x`, by steps to nearer triangles around the corners of the present
    /// one, starting at `point`. In a flat facet that contains `x` it always arrives; elsewhere it
    /// may stop early.
    pub(super) fn walk_to(&self, x: &Point, point: u32) -> u32 {
        let largest = self.points[point as usize].coords.amax().max(x.coords.amax());
        let scale = power_below_inverse(largest);
        let mut best = (self.triangle_at[point as usize], f64::INFINITY);
        self.nearer_at(x, point, scale, &mut best);
        for _ in 0..self.triangles.len() {
            let from = best.0;
            for point in self.triangles[from as usize] {
                self.nearer_at(x, point, scale, &mut best);
            }
            if best.0 == from {
                break;
            }
        }
        best.0
    }

    fn nearer_at(&self, x: &Point, point: u32, scale: f64, best: &mut (u32, f64)) {
        self.fan(point, |t| {
            let distance = squared_distance(x, &self.corners(t), scale);
            if distance < best.1 {
                *best = (t, distance);
            }
        });
    }
}

/// Squared distance of a point to a triangle, in scaled units; without an error bound.
fn squared_distance(x: &Point, t: &Triangle, scale: f64) -> f64 {
    let [a, b, c] = t.map(|p| (p - x) * scale);
    let n = (b - a).cross(&(c - a));
    let inside = |p: &Vector, q: &Vector| p.cross(q).dot(&n) >= 0.0;
    if inside(&a, &b) && inside(&b, &c) && inside(&c, &a) && n.norm_squared() > 0.0 {
        let height = a.dot(&n);
        return height * height / n.norm_squared();
    }
    let side = |p: &Vector, q: &Vector| {
        let e = q - p;
        let t = (-p.dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
        (p + e * if t.is_nan() { 0.0 } else { t }).norm_squared()
    };
    side(&a, &b).min(side(&b, &c)).min(side(&c, &a))
}

/// Per point, the points joined to it by a side of a triangle.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    /// Of a closed surface: every side occurs in both directions, and each direction adds one
    /// neighbour.
    pub(super) fn of(points: usize, triangles: &[[u32; 3]]) -> Self {
        let mut first = vec![0u32; points + 1];
        triangles.iter().flatten().for_each(|&p| first[p as usize + 1] += 1);
        for p in 0..points {
            first[p + 1] += first[p];
        }
        let mut next = first.clone();
        let mut all = vec![0; 3 * triangles.len()];
        for corners in triangles {
            for k in 0..3 {
                let slot = &mut next[corners[k] as usize];
                all[*slot as usize] = corners[(k + 1) % 3];
                *slot += 1;
            }
        }
        Self { first, all }
    }

    #[inline]
    pub(super) fn at(&self, point: u32) -> &[u32] {
        let p = point as usize;
        &self.all[self.first[p] as usize..self.first[p + 1] as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.first.len() + self.all.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;
    use crate::triangle;

    #[test]
    fn squared_distances_are_those_of_the_closest_points_in_the_given_unit() {
        let mut r = Random(182);
        let mut inside = 0;
        for k in 0..4000 {
            let mut point = || match k % 3 {
                0 => Point::new(r.unit(), r.unit(), r.unit()),
                1 => Point::new(r.unit(), r.unit(), 0.1 * r.unit()),
                _ => Point::new(r.below(4) as f64, r.below(4) as f64, r.below(2) as f64),
            };
            let t = [point(), point(), point()];
            let degenerate = [t[0], t[k % 2], t[1]];
            let x = point();
            for t in [t, degenerate, [t[0]; 3]] {
                let (truth, _, foot) = triangle::distance(&[x; 3], &t);
                inside += u32::from(t.iter().all(|c| (c - foot).amax() > 1e-3));
                for scale in [1.0, 0.25] {
                    let found = squared_distance(&x, &t, scale) / (scale * scale);
                    assert!((found - truth * truth).abs() < 1e-9, "{x} {t:?} {found} {truth}");
                }
            }
        }
        assert!(inside > 2000, "{inside}");
    }
}
