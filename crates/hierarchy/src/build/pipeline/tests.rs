//! The position of the tip, and the order of siblings towards it.

use impinge_geometry::Triangle;
use impinge_models::Shape;

use super::*;
use crate::tree::Child;
use crate::volume::Kind;

fn items(corners: impl Iterator<Item = Triangle>) -> Vec<Item> {
    corners.zip(0..).map(|(corners, index)| Item { corners, index }).collect()
}

fn tip_of(items: &[Item]) -> (Point, Vector) {
    towards_tip(items, &Passes::default())
}

/// A strip along x from −1 to 1, times a unit, of sixty slices of given widths.
fn strip(unit: f64, width: impl Fn(f64) -> f64) -> Vec<Item> {
    let corner = |x: f64, y: f64| Point::new(x * unit, 0.25 * unit, y * unit);
    items((0..60).flat_map(move |k| {
        let (x, h) = (f64::from(2 * k - 59) / 60.0, 1.0 / 60.0);
        let w = 0.5 * width(x);
        let [p, q] = [-w, w].map(|y| corner(x - h, y));
        let [r, s] = [w, -w].map(|y| corner(x + h, y));
        [[p, q, r], [r, s, p]]
    }))
}

/// The tip is at the end whose outer sixth has less area, regardless of the area in between.
#[test]
fn the_tip_is_the_end_whose_outer_sixth_has_less_area() {
    for unit in [2f64.powi(-600), 2f64.powi(-9), 1.0, 2f64.powi(9), 2f64.powi(600)] {
        for side in [1.0, -1.0] {
            for (inner, outer) in [(0.6, 0.02), (0.02, 0.6)] {
                let width = |x: f64| match (x.abs() > 2.0 / 3.0, x * side > 0.0) {
                    (true, true) => 0.01,
                    (true, false) => 0.02,
                    (false, true) => inner,
                    (false, false) => outer,
                };
                let (origin, tip) = tip_of(&strip(unit, width));
                assert!(tip.x * side > 0.9, "{unit:e} {side} {inner}: {tip}");
                assert!((tip.norm() - 1.0).abs() < 1e-12);
                let middle = Vector::new(0.0, 0.25, 0.0);
                assert!((origin.coords / unit - middle).norm() < 0.1, "{origin}");
            }
            // One slice in the outer sixth is heavier: at the inner end of the sixth, or at the
            // outer end.
            for heavy in [0.7, 0.95] {
                let width = |x: f64| {
                    let is_there = (x * side - heavy).abs() < 1.0 / 60.0;
                    if is_there { 0.2 } else { 0.1 }
                };
                let (_, tip) = tip_of(&strip(unit, width));
                assert!(tip.x * side < -0.9, "{unit:e} {side} {heavy}: {tip}");
            }
        }
    }
}

/// With ends of equal area the tip is where the longest axis points; a point has a tip too.
#[test]
fn of_equal_ends_the_axis_decides() {
    let even = strip(1.0, |_| 0.125);
    let obb = Obb::fit(ObbFit::VertexCovariance, even.iter().map(|item| item.corners));
    let extent = Extent::from(&obb.expect("some"));
    let (origin, tip) = tip_of(&even);
    assert_eq!((origin, tip), (extent.center, extent.axes[extent.longest_first()[0]]));
    let (origin, tip) = tip_of(&items([[Point::new(1.0, 2.0, 3.0); 3]].into_iter()));
    assert!(
        (origin - Point::new(1.0, 2.0, 3.0)).norm() < 1e-12 && (tip.norm() - 1.0).abs() < 1e-12
    );
}

/// Of two siblings the first is nearer to the tip by the mean of its triangles, where rounding can
/// tell them apart.
#[test]
fn of_two_siblings_the_one_towards_the_tip_comes_first() {
    let (mut cells, mut boxes) = (0, 0);
    for (shape, seed) in [(Shape::Leaf, 0), (Shape::Leaf, 1), (Shape::Gear, 0), (Shape::Torus, 0)] {
        let mesh = shape.mesh(400, seed);
        let tree = LeafPipeline { depth: 4 }.build(&mesh, &Control::NONE).expect("nothing cancels");
        let (_, tip) = tip_of(&items(mesh.corners()));
        let mean = |node: u32| {
            let below = tree.leaf(tree.all_below(node).expect("kept"));
            let each = below
                .as_slice()
                .iter()
                .map(|&t| mesh.triangle(t).iter().map(|p| p.coords.dot(&tip)).sum::<f64>());
            each.sum::<f64>() / below.as_slice().len() as f64
        };
        for node in tree.nodes() {
            let Child::Pair(first) = node.child() else { continue };
            assert!(mean(first) > mean(first + 1) - 1e-12, "{shape}");
            cells += u32::from(node.volume.kind() == Kind::Aabb);
            boxes += u32::from(node.volume.kind() == Kind::Obb);
        }
    }
    assert!(cells > 12 && boxes > 100, "{cells} {boxes}");
}
