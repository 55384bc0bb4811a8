//! Where the line through the middle of a pixel crosses a triangle.

use impinge_geometry::Point;
use impinge_geometry::predicates::{Drop, Sign, orient2d};

use super::frame::{Corner, Placed};

/// The winding number of the projected triangle about a point, 0, 1 or −1: how it changes the winding
/// number along the line of sight.
///
/// An edge that two triangles share is decided alike for both, and a point on an edge counts for one
/// side of it, so that the surface has no gap and no double point: for a closed surface the sum over all
/// triangles is 0. Signs are exact.
pub(crate) fn turn(corners: &[Corner; 3], [x, y]: [f64; 2]) -> i32 {
    let centre = Point::new(x, y, 0.0);
    let mut turn = 0;
    for k in 0..3 {
        let [p, q] = [corners[k], corners[(k + 1) % 3]].map(|c| Point::new(c[0], c[1], 0.0));
        let up = p.y <= y && y < q.y;
        if up || q.y <= y && y < p.y {
            let side = orient2d(&p, &q, &centre, Drop::Z);
            match (up, side) {
                (true, Sign::Positive) => turn += 1,
                (false, Sign::Negative) => turn -= 1,
                _ => {}
            }
        }
    }
    turn
}

/// The depth of the triangle at a point of its projection, rounded, and within the given range.
pub(crate) fn depth(placed: &Placed, [x, y]: [f64; 2], [low, high]: [f64; 2]) -> f64 {
    let [a, b, c] = placed.corners;
    let (bx, by, cx, cy) = (b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]);
    let area = bx * cy - by * cx;
    let (px, py) = (x - a[0], y - a[1]);
    let [s, t] = [(px * cy - py * cx) / area, (bx * py - by * px) / area];
    let depth = a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]);
    // A projection that is nearly a line may give anything, also NaN.
    if depth.is_finite() { depth.clamp(low, high) } else { f64::midpoint(low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Shape;

    #[test]
    fn a_closed_surface_is_left_as_often_as_it_is_entered() {
        let mut crossed = 0;
        for shape in [Shape::Cube, Shape::Sphere, Shape::Torus, Shape::Gear] {
            let mesh = shape.mesh(200, 0);
            // Points on edges and corners, too: a cube has them at multiples of a half.
            for i in -9..=9 {
                for j in -9..=9 {
                    let at = [f64::from(i) / 8.0, f64::from(j) / 8.0];
                    let turns = mesh.corners().map(|t| turn(&t.map(Into::into), at));
                    let turns: Vec<i32> = turns.filter(|&turn| turn != 0).collect();
                    assert_eq!(turns.iter().sum::<i32>(), 0, "{shape:?} {at:?} {turns:?}");
                    crossed += usize::from(!turns.is_empty());
                }
            }
        }
        assert!(crossed > 100, "{crossed}");
    }

    #[test]
    fn a_depth_is_that_of_the_plane() {
        let corners = [[0.0, 0.0, 1.0], [4.0, 0.0, 5.0], [0.0, 4.0, 9.0]];
        let placed = Placed { corners, margin: 0.0 };
        assert_eq!(depth(&placed, [1.0, 1.0], [0.0, 9.0]), 4.0);
        assert_eq!(depth(&placed, [1.0, 1.0], [0.0, 3.5]), 3.5);
        let line = Placed { corners: [[0.0; 3], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]], margin: 0.0 };
        assert_eq!(depth(&line, [1.0, 1.0], [2.0, 4.0]), 3.0);
    }
}
