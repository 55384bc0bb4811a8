//! A convex polytope that grows by points.

use super::Corner;
use crate::Vector;

/// The most faces a polytope gets.
const MOST: usize = 4096;

/// What a point may be under a plane, and is still taken for one of it; coordinates are about 1.
const LEVEL: f64 = 1e-14;

/// A face, its corners counterclockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [u16; 3],
    /// Unit normal, outward.
    pub(super) normal: Vector,
    /// The height of its plane over the origin along the normal.
    pub(super) height: f64,
}

/// The convex hull of points `w` of a difference A − B, up to rounding. The origin may be outside.
#[derive(Clone, Debug)]
pub(super) struct Polytope {
    pub(super) points: Vec<Corner>,
    pub(super) faces: Vec<Face>,
    /// The faces that the last point replaced.
    seen: Vec<usize>,
}

impl Polytope {
    /// A tetrahedron; `None` if it has no volume.
    pub(super) fn new(points: &[Corner; 4]) -> Option<Self> {
        let mut all = Self { points: points.to_vec(), faces: Vec::new(), seen: Vec::new() };
        let [p, q, r, s] = points.each_ref().map(|corner| corner.w);
        let volume = (q - p).cross(&(r - p)).dot(&(s - p));
        let faces = if volume > 0.0 {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]]
        };
        (volume != 0.0 && faces.into_iter().all(|face| all.add(face))).then_some(all)
    }

    /// Adds a face; `false` if it has no area.
    fn add(&mut self, corners: [u16; 3]) -> bool {
        let [p, q, r] = corners.map(|k| self.points[usize::from(k)].w);
        let normal = (q - p).cross(&(r - p));
        let length = normal.norm();
        if !(length > 0.0) {
            return false;
        }
        let normal = normal / length;
        // The mean of three heights, so that none of the corners is preferred.
        let height = (normal.dot(&p) + normal.dot(&q) + normal.dot(&r)) / 3.0;
        self.faces.push(Face { corners, normal, height });
        true
    }

    /// The face whose plane is lowest over the origin, that is the nearest one if the origin is
    /// inside; its index.
    pub(super) fn lowest(&self) -> usize {
        let heights = self.faces.iter().map(|face| face.height).enumerate();
        heights.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
    }

    /// The shares of the corners of a face in the foot of the origin on its plane: three numbers with the
    /// sum 1, negative where the foot is across the side opposite.
    pub(super) fn shares(&self, face: &Face) -> [f64; 3] {
        let w = face.corners.map(|k| self.points[usize::from(k)].w);
        let foot = face.normal * face.height;
        let areas = [[1, 2], [2, 0], [0, 1]]
            .map(|[i, j]| (w[i] - foot).cross(&(w[j] - foot)).dot(&face.normal));
        let sum: f64 = areas.iter().sum();
        areas.map(|area| area / sum)
    }

    /// Takes in a point beyond face `beyond`: the faces around it that see the point, or have it in their
    /// planes but for rounding, make room for those of their rim and the point. `false` if one of these
    /// has no area, or there are too many; the polytope is of no more use then.
    pub(super) fn grow(&mut self, point: Corner, beyond: usize) -> bool {
        let at = u16::try_from(self.points.len()).unwrap_or(u16::MAX);
        self.points.push(point);
        self.seen.clear();
        self.seen.push(beyond);
        let (mut done, mut rim) = (0, Vec::new());
        while let Some(&face) = self.seen.get(done) {
            done += 1;
            let [a, b, c] = self.faces[face].corners;
            for side in [[a, b], [b, c], [c, a]] {
                let Some(other) = self.across(side) else { return false };
                let over = self.faces[other].normal.dot(&point.w) - self.faces[other].height;
                if self.seen.contains(&other) {
                    continue;
                }
                if over > -LEVEL {
                    self.seen.push(other);
                } else {
                    rim.push((side, other));
                }
            }
        }
        // One that was seen from another side is no rim.
        rim.retain(|(_, other)| !self.seen.contains(other));
        self.seen.sort_unstable();
        while let Some(face) = self.seen.pop() {
            self.faces.swap_remove(face);
        }
        rim.iter().all(|([a, b], _)| self.add([*a, *b, at]))
            && (4..=MOST).contains(&self.faces.len())
    }

    /// The face across a side.
    fn across(&self, [a, b]: [u16; 2]) -> Option<usize> {
        self.faces.iter().position(|face| {
            let [p, q, r] = face.corners;
            [[p, q], [q, r], [r, p]].contains(&[b, a])
        })
    }
}
