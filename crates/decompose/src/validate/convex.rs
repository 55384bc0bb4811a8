//! Checks that a hull is the convex hull of its patch, and that the patch is on its boundary.
//!
//! A hull with few faces is tested against each of its vertices. A large one is given to
//! [`ConvexBody`], which proves in linear time that a closed surface bounds a convex body, by an
//! independent argument. A plane through a vertex of a convex hull supports the hull if no
//! neighbour of that vertex is in front of it.

use std::collections::{BTreeSet, HashMap};

use impinge_geometry::Mesh;
use impinge_geometry::convex::ConvexBody;
use impinge_geometry::predicates::{Sign, orient2d};

use super::Judge;
use crate::Patch;
use crate::surface::projection;

/// Faces times vertices up to which all pairs are tested.
pub(super) const BRUTE: usize = 1 << 14;

impl Judge<'_> {
    /// Step 3; `hull` has the faces of the patch's hull as indices of points.
    pub(super) fn is_hull_of(&self, patch: &Patch, hull: &[[u32; 3]]) -> Result<(), String> {
        let of = |triangles: &mut dyn Iterator<Item = [u32; 3]>| -> BTreeSet<u32> {
            triangles.flatten().collect()
        };
        let mine = of(&mut patch.faces.iter().map(|&f| self.surface.triangles[f as usize]));
        let theirs = of(&mut hull.iter().copied());
        if mine != theirs {
            return Err("the vertices of the hull differ from those of the patch".to_owned());
        }
        let named: BTreeSet<u32> =
            patch.hull.vertices.iter().map(|&v| self.point[v as usize]).collect();
        if named != theirs {
            return Err("the hull's vertex list differs from the vertices of its faces".to_owned());
        }
        if patch.flat {
            return self.is_polygon(patch, hull);
        }
        self.is_closed(hull)?;
        self.is_convex(hull, &theirs)?;
        self.is_on_boundary(patch, hull, &theirs)
    }

    /// Checks that every edge has two faces in opposite directions, and the topology of a sphere.
    pub(super) fn is_closed(&self, hull: &[[u32; 3]]) -> Result<(), String> {
        let sides = directed(hull)?;
        if sides.iter().any(|&(a, b)| !sides.contains(&(b, a))) {
            return Err("the hull is open".to_owned());
        }
        let vertices: BTreeSet<u32> = hull.iter().flatten().copied().collect();
        if vertices.len() as i64 - hull.len() as i64 / 2 != 2 {
            return Err("the hull does not have the topology of a sphere".to_owned());
        }
        if hull.iter().all(|&f| hull[0].iter().all(|&v| self.side(f, v).is_zero())) {
            return Err("the hull has no volume".to_owned());
        }
        Ok(())
    }

    pub(super) fn is_convex(
        &self,
        hull: &[[u32; 3]],
        vertices: &BTreeSet<u32>,
    ) -> Result<(), String> {
        if hull.len() * vertices.len() <= BRUTE {
            let outside = |f: &[u32; 3]| {
                self.projects(*f).then_some(())?;
                vertices.iter().find(|&&v| self.side(*f, v) == Sign::Positive)
            };
            return match hull.iter().find_map(outside) {
                Some(v) => Err(format!(
                    "vertex {} is outside of the hull",
                    self.surface.vertex[*v as usize]
                )),
                None => Ok(()),
            };
        }
        let index: HashMap<u32, u32> = vertices.iter().copied().zip(0..).collect();
        let points = vertices.iter().map(|&v| *self.surface.point(v)).collect();
        let faces = hull.iter().map(|f| f.map(|v| index[&v])).collect();
        let mesh = Mesh::new(points, faces).map_err(|e| e.to_string())?;
        let body = ConvexBody::new(&mesh).map_err(|e| format!("the hull is not convex: {e}"))?;
        if body.exactly_convex() { Ok(()) } else { Err("the hull has notches".to_owned()) }
    }

    fn projects(&self, f: [u32; 3]) -> bool {
        let t = f.map(|v| *self.surface.point(v));
        !orient2d(&t[0], &t[1], &t[2], projection(&t)).is_zero()
    }

    fn is_on_boundary(
        &self,
        patch: &Patch,
        hull: &[[u32; 3]],
        vertices: &BTreeSet<u32>,
    ) -> Result<(), String> {
        let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
        for f in hull {
            for k in 0..3 {
                next.entry(f[k]).or_default().push(f[(k + 1) % 3]);
            }
        }
        let few = patch.faces.len() * vertices.len() <= BRUTE;
        for &f in &patch.faces {
            let t = self.surface.triangles[f as usize];
            let in_front = |v: &u32| self.side(t, *v) == Sign::Positive;
            let bad =
                if few { vertices.iter().any(in_front) } else { next[&t[0]].iter().any(in_front) };
            if bad {
                return Err(format!("triangle {f} is not on the boundary of the hull"));
            }
        }
        // A triangle coplanar with a whole flat side may have the wrong orientation.
        let flipped = |f: &&u32| {
            let t = self.surface.triangles[**f as usize];
            next[&t[0]].iter().all(|&v| self.side(t, v).is_zero())
                && vertices.iter().all(|&v| self.side(t, v) != Sign::Negative)
        };
        match patch.faces.iter().find(flipped) {
            Some(f) => Err(format!("triangle {f} faces into the hull")),
            None => Ok(()),
        }
    }

    /// Checks a flat patch: hull and patch have the same border, which is a convex polygon.
    fn is_polygon(&self, patch: &Patch, hull: &[[u32; 3]]) -> Result<(), String> {
        let faces: Vec<[u32; 3]> =
            patch.faces.iter().map(|&f| self.surface.triangles[f as usize]).collect();
        let plane = hull[0];
        let t = plane.map(|v| *self.surface.point(v));
        let drop = projection(&t);
        let turn = |f: &[u32; 3]| {
            let [a, b, c] = f.map(|v| self.surface.point(v));
            orient2d(a, b, c, drop)
        };
        let level = |f: &[u32; 3]| f.iter().all(|&v| self.side(plane, v).is_zero());
        if !faces.iter().chain(hull).all(|f| level(f) && turn(f) == turn(&plane)) {
            return Err("it is not flat".to_owned());
        }
        let (mine, theirs) = (border(&faces)?, border(hull)?);
        if mine != theirs {
            return Err("it does not fill its hull".to_owned());
        }
        let mut starts: Vec<u32> = mine.iter().map(|s| s.0).collect();
        starts.dedup();
        if starts.len() != mine.len() {
            return Err("its border touches itself".to_owned());
        }
        let vertices: BTreeSet<u32> = faces.iter().flatten().copied().collect();
        for &(a, b) in &mine {
            let out = turn(&plane).opposite();
            if vertices.iter().any(|&v| turn(&[a, b, v]) == out) {
                return Err("its border is not convex".to_owned());
            }
        }
        Ok(())
    }
}

/// All directed sides; an error if one occurs twice.
fn directed(faces: &[[u32; 3]]) -> Result<BTreeSet<(u32, u32)>, String> {
    let mut sides = BTreeSet::new();
    for f in faces {
        for k in 0..3 {
            if !sides.insert((f[k], f[(k + 1) % 3])) {
                return Err(
                    "two triangles of the hull run along an edge in the same direction".to_owned()
                );
            }
        }
    }
    Ok(sides)
}

/// The directed sides whose reverse does not occur.
pub(super) fn border(faces: &[[u32; 3]]) -> Result<BTreeSet<(u32, u32)>, String> {
    let sides = directed(faces)?;
    Ok(sides.iter().copied().filter(|&(a, b)| !sides.contains(&(b, a))).collect())
}
