//! The octree against all pairs of triangles, and its bounds on what cannot be divided.

use impinge_geometry::{Pose, Vector, exact};
use impinge_models::{Random, Shape};
use impinge_query::Cancel;

use super::*;

/// The bounded triangles of a shape, moved.
fn items(shape: Shape, triangles: usize, by: Vector) -> Vec<Bounded> {
    let pose = Pose::translation_by(by).expect("finite");
    let mesh = shape.mesh(triangles, 0).posed(&pose).expect("in range");
    mesh.corners().zip(0..).map(|(corners, t)| Bounded::new(t, corners)).collect()
}

fn built(params: &OctreeParams, of: [&[Bounded]; 2]) -> Octree {
    let mut octree = Octree::default();
    octree.build(params, of, &Control::NONE).expect("nothing cancels");
    octree
}

fn bits(flags: [bool; 3]) -> usize {
    flags.iter().filter(|flag| **flag).count()
}

/// A pair of triangles that meet whose triangles are not both in the result, if any.
fn lost(of: [&[Bounded]; 2], result: [&[u32]; 2]) -> Option<[usize; 2]> {
    let pairs = (0..of[0].len()).flat_map(|i| (0..of[1].len()).map(move |j| [i, j]));
    let mut meeting = pairs.filter(|&[i, j]| {
        let (p, q) = (&of[0][i], &of[1][j]);
        p.overlaps(q) && exact::triangles_meet(&p.corners, &q.corners)
    });
    meeting.find(|ij| (0..2).any(|k| !result[k].contains(&(ij[k] as u32))))
}

/// Under every choice of parameters the result has all triangles that meet, each once; a result
/// without one of them is noticed.
#[test]
fn triangles_that_meet_are_in_a_common_cell() {
    let mut random = Random::new(21);
    let default = OctreeParams::default();
    let all = [
        default,
        OctreeParams { division: Division::Two, ..default },
        OctreeParams { everywhere: true, ..default },
        OctreeParams { triangles: 1, depth: 30, ..default },
        OctreeParams { depth: 0, ..default },
        OctreeParams { ratio: 1.0, ..default },
    ];
    let (mut meeting, mut left_out) = (0, 0);
    for round in 0..30 {
        let by = random.unit_vector() * random.range(0.3, 0.9);
        let a = items(Shape::Gear, 500, Vector::zeros());
        let b = items(Shape::Torus, 400, by);
        for params in &all {
            let octree = built(params, [&a, &b]);
            let [of_a, of_b] = octree.result();
            assert_eq!(lost([&a, &b], [of_a, of_b]), None, "round {round}, {params:?}");
            for (result, of) in [(of_a, &a), (of_b, &b)] {
                let mut sorted = result.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), result.len(), "each once");
                left_out += of.len() - result.len();
            }
            // Without one of its triangles it would be noticed.
            let contact =
                (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| [i, j])).find(|&[i, j]| {
                    a[i].overlaps(&b[j]) && exact::triangles_meet(&a[i].corners, &b[j].corners)
                });
            if let Some([i, _]) = contact {
                meeting += 1;
                let fewer: Vec<u32> = of_a.iter().copied().filter(|k| *k != i as u32).collect();
                assert!(lost([&a, &b], [&fewer, of_b]).is_some(), "a missing triangle is noticed");
            }
        }
    }
    assert!(meeting > 60 && left_out > 10_000, "{meeting} {left_out}");
}

/// Triangles that touch the plane between two cells from either side share a point there.
#[test]
fn what_touches_a_dividing_plane_is_on_both_sides() {
    let at = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let small = |p: Point| [p, p + Vector::new(0.01, 0.0, 0.0), p + Vector::new(0.0, 0.01, 0.0)];
    // Their bounds have the middle 0 on every axis, where one of A and one of B touch.
    let mut a = vec![[at(0.0, 0.0, 0.0), at(-0.5, 0.0, 0.0), at(-0.25, -0.5, 0.0)]];
    let mut b = vec![[at(0.0, 0.0, 0.0), at(0.5, 0.0, 0.0), at(0.25, 0.5, 0.0)]];
    for k in 0..60 {
        let corner = |k: i32| if k % 2 == 0 { -1.0 } else { 0.99 };
        let p = at(corner(k), corner(k / 2), corner(k / 4))
            + Vector::new(0.0, 0.0, 0.01 * f64::from(k / 8));
        a.push(small(p));
        b.push(small(p + Vector::new(0.0, 0.0, 0.004)));
    }
    let [a, b] = [a, b]
        .map(|of| of.into_iter().zip(0..).map(|(t, k)| Bounded::new(k, t)).collect::<Vec<_>>());
    for division in [Division::Eight, Division::Two] {
        let params = OctreeParams { triangles: 1, division, ..OctreeParams::default() };
        let octree = built(&params, [&a, &b]);
        assert!(octree.size().depth > 2);
        let [of_a, of_b] = octree.result();
        assert!(of_a.contains(&0) && of_b.contains(&0));
    }
}

/// An edge is halved if it is at most `ratio` times shorter than the longest: 2, 4 or 8 parts.
#[test]
fn short_edges_are_not_halved() {
    let cell = |x: f64, y: f64, z: f64| Aabb { min: Point::origin(), max: Point::new(x, y, z) };
    let (eight, two) =
        (OctreeParams::default(), OctreeParams { division: Division::Two, ..Default::default() });
    let long = OctreeParams { ratio: 3.0, ..eight };
    for (x, y, z, expected) in
        [(1.0, 1.0, 1.0, 3), (1.0, 0.72, 0.70, 2), (1.0, 0.4, 0.5, 1), (0.4, 0.0, 0.4, 2)]
    {
        assert_eq!(bits(halved(&cell(x, y, z), &eight)), expected, "{x} {y} {z}");
        assert_eq!(bits(halved(&cell(x, y, z), &two)), 1, "{x} {y} {z}");
    }
    assert_eq!(halved(&cell(1.0, 0.4, 0.3), &long), [true, true, false]);
    for params in [&eight, &two] {
        assert_eq!(halved(&cell(0.0, 0.0, 0.0), params), [false; 3], "a point");
    }
}

/// Two cells at a time give the leaves of eight at a time with three times the depth, at most.
#[test]
fn a_binary_tree_is_deeper() {
    let (a, b) = (
        items(Shape::Sphere, 4_000, Vector::zeros()),
        items(Shape::Sphere, 4_000, Vector::zeros()),
    );
    let params = OctreeParams { depth: 40, ..OctreeParams::default() };
    let eight = built(&params, [&a, &b]).size();
    let two = built(&OctreeParams { division: Division::Two, ..params }, [&a, &b]).size();
    assert!(two.depth > 2 * eight.depth, "{two:?} {eight:?}");
    assert!(eight.shared > 50 && two.shared > 50);
}

/// A pile that no plane divides stays one cell; long needles in all directions, that each divide into
/// nearly all parts, end within bounds.
#[test]
fn what_cannot_be_divided_is_not() {
    let pile: Vec<Bounded> = items(Shape::Cube, 12, Vector::zeros()).repeat(400);
    let octree =
        built(&OctreeParams { triangles: 1, depth: 60, ..Default::default() }, [&pile, &pile]);
    assert!(octree.size().listed <= MOST * 2 * pile.len());
    let mut random = Random::new(22);
    let needles: Vec<Bounded> = (0..2_000)
        .map(|k| {
            let (p, q) = (Point::from(random.unit_vector()), Point::from(random.unit_vector()));
            Bounded::new(k, [p, q, p])
        })
        .collect();
    let params = OctreeParams { triangles: 1, depth: 60, ..Default::default() };
    let octree = built(&params, [&needles, &needles]);
    assert!(octree.size().listed <= MOST * 2 * needles.len(), "{:?}", octree.size());
    assert_eq!(octree.result().map(<[u32]>::len), [2_000; 2]);
}

/// Bounds that are apart share no cell, and an empty list none either; a build ends when cancelled.
#[test]
fn nothing_in_common_is_no_result() {
    let a = items(Shape::Sphere, 2_000, Vector::zeros());
    let b = items(Shape::Sphere, 2_000, Vector::new(3.0, 0.0, 0.0));
    for params in [OctreeParams::default(), OctreeParams { everywhere: true, ..Default::default() }]
    {
        for of in [[&a[..], &b[..]], [&a[..], &[]], [&[], &b[..]]] {
            let octree = built(&params, of);
            assert_eq!(octree.result().map(<[u32]>::len), [0; 2]);
        }
    }
    let everywhere = OctreeParams { everywhere: true, ..Default::default() };
    let size = built(&everywhere, [&a, &b]).size();
    assert!(size.leaves > 50 && size.shared == 0, "{size:?}");
    let cancel = Cancel::at_look(2);
    let control = Control::NONE.cancelled_by(&cancel);
    assert!(Octree::default().build(&everywhere, [&a, &b], &control).is_err());
}
