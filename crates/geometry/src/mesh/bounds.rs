//! How far a mesh reaches.

use super::Mesh;
use crate::Point;
use crate::triangle::{larger, smaller};

impl Mesh {
    /// The largest coordinate magnitude over all vertices.
    pub fn max_abs_coordinate(&self) -> f64 {
        // One maximum per axis, to shorten the dependency chain.
        let most = self
            .vertices
            .iter()
            .fold([0.0_f64; 3], |most, p| [0, 1, 2].map(|k| larger(p[k].abs(), most[k])));
        most[0].max(most[1]).max(most[2])
    }

    /// Lower and upper corner of the bounding box of all triangles; ignores unused vertices. O(n).
    pub fn bounds(&self) -> (Point, Point) {
        bounds_of(self.corners())
    }

    /// Lower and upper corner of the bounding box of all vertices, used or not: [`Mesh::bounds`] if
    /// [`Mesh::uses_all_vertices`], in a fraction of the time. O(n).
    pub fn bounds_of_vertices(&self) -> (Point, Point) {
        let (fours, rest) = self.vertices.as_chunks::<4>();
        bounds_of(fours.iter().copied().chain(rest.iter().map(|p| [*p; 4])))
    }

    /// Whether each vertex is a corner of some triangle. O(n).
    pub fn uses_all_vertices(&self) -> bool {
        let mut used = vec![false; self.vertices.len()];
        for &v in self.triangles.as_flattened() {
            used[v as usize] = true;
        }
        !used.contains(&false)
    }

    /// Length of the diagonal of [`Mesh::bounds`], the size to which relative distances refer.
    pub fn diagonal(&self) -> f64 {
        let (lo, hi) = self.bounds();
        let d = hi - lo;
        let scale = d.amax();
        if scale == 0.0 { 0.0 } else { (d / scale).norm() * scale }
    }
}

/// Lower and upper corner of the bounding box of points.
fn bounds_of<const N: usize>(groups: impl Iterator<Item = [Point; N]>) -> (Point, Point) {
    // One box per place in a group, to shorten the dependency chain.
    let mut boxes = [[[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]; N];
    for group in groups {
        for ([low, high], p) in boxes.iter_mut().zip(&group) {
            for k in 0..3 {
                low[k] = smaller(p[k], low[k]);
                high[k] = larger(p[k], high[k]);
            }
        }
    }
    let all = |side: usize, start: f64, of: fn(f64, f64) -> f64| {
        Point::from([0, 1, 2].map(|k| boxes.iter().fold(start, |x, b| of(b[side][k], x))))
    };
    (all(0, f64::INFINITY, smaller), all(1, f64::NEG_INFINITY, larger))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;

    /// Of every number of vertices, with and without some that no triangle uses.
    #[test]
    fn bounds_are_the_least_and_largest_coordinates() {
        let mut r = Random(29);
        for n in 1..40_usize {
            for unused in [0, 1, 3] {
                let mut number = || [0.5, -0.25, 3.0, -7.0, 1e300, 5e-324][r.below(6)];
                let points: Vec<Point> =
                    (0..n + unused).map(|_| Point::new(number(), number(), number())).collect();
                let triangles = (0..n as u32).rev().map(|v| [v, v / 2, v]).collect();
                let mesh = Mesh::new(points.clone(), triangles).expect("legal");
                let truth = |points: &[Point], start: f64, of: fn(f64, f64) -> f64| {
                    Point::from([0, 1, 2].map(|k| points.iter().fold(start, |x, p| of(x, p[k]))))
                };
                let both = |points: &[Point]| {
                    (
                        truth(points, f64::INFINITY, f64::min),
                        truth(points, f64::NEG_INFINITY, f64::max),
                    )
                };
                assert_eq!(mesh.bounds(), both(&points[..n]));
                assert_eq!(mesh.bounds_of_vertices(), both(&points));
                assert_eq!(mesh.uses_all_vertices(), unused == 0);
            }
        }
    }
}
