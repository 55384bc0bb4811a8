//! The volume of the intersection of two convex bodies, by cutting the faces of each by the planes of
//! the other. It shares no code with what it judges.

use impinge_geometry::{Mesh, Point, Vector};

/// A plane through a point; its normal points outward.
type Plane = (Point, Vector);

fn planes(mesh: &Mesh) -> Vec<Plane> {
    mesh.corners().map(|[a, b, c]| (a, (b - a).cross(&(c - a)))).collect()
}

/// The part of a polygon behind all planes.
fn cut(polygon: Vec<Point>, planes: &[Plane]) -> Vec<Point> {
    planes.iter().fold(polygon, |polygon, (origin, normal)| {
        let height = |p: &Point| (p - origin).dot(normal);
        if polygon.iter().all(|p| height(p) <= 0.0) {
            return polygon;
        }
        let mut part = Vec::new();
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + 1) % polygon.len()];
            let (s, t) = (height(p), height(q));
            if s <= 0.0 {
                part.push(*p);
            }
            if (s < 0.0) != (t < 0.0) && s != t {
                part.push(p + (q - p) * (s / (s - t)));
            }
        }
        part
    })
}

/// Six times the volume between a polygon and a point.
fn cone(polygon: &[Point], apex: &Point) -> f64 {
    let fan = polygon.windows(2).skip(1);
    fan.map(|two| (polygon[0] - apex).dot(&(two[0] - apex).cross(&(two[1] - apex)))).sum()
}

/// The volume of the intersection of two convex bodies that face outward.
pub(crate) fn volume(a: &Mesh, b: &Mesh) -> f64 {
    let apex = a.vertices()[0];
    let part = |of: &Mesh, by: &Mesh| {
        let planes = planes(by);
        of.corners().map(|t| cone(&cut(t.to_vec(), &planes), &apex)).sum::<f64>()
    };
    (part(a, b) + part(b, a)) / 6.0
}

#[test]
fn a_box_cut_with_a_box_is_a_box() {
    let cube = impinge_models::Shape::Cube.mesh(12, 0);
    let at = |x| Vector::new(x, 0.25, -0.125);
    let moved = |x: f64| {
        let pose = impinge_geometry::Pose::translation_by(at(x)).expect("in range");
        cube.posed(&pose).expect("in range")
    };
    let side = cube.bounds().1.x - cube.bounds().0.x;
    let expected = (side - 0.5) * (side - 0.25) * (side - 0.125);
    assert!((volume(&cube, &moved(0.5)) - expected).abs() < 1e-12);
    assert!(volume(&cube, &moved(2.0 * side)).abs() < 1e-12);
}
