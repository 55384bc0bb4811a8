//! The oracle against answers worked out by hand and against itself: its linear program, its
//! fractions and its symmetries.

use dashu_ratio::RBig;
use impinge_geometry::{Mesh, Point, Triangle, Vector};
use impinge_models::{Random, Shape};
use impinge_testkit::cases::{self, Class};
use impinge_testkit::oracle::{self, Location, Verdict};

fn triangle(c: [[f64; 3]; 3]) -> Triangle {
    c.map(Point::from)
}

const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

/// Second triangles and their squared distances from [`FLAT`], worked out by hand.
fn by_hand() -> Vec<([[f64; 3]; 3], RBig)> {
    let int = |n: i32| RBig::from(n);
    vec![
        // A corner on the face, on an edge, on a corner; the face itself.
        ([[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]], int(0)),
        ([[2.0, 2.0, 0.0], [5.0, 5.0, 1.0], [5.0, 5.0, -1.0]], int(0)),
        ([[4.0, 0.0, 0.0], [9.0, 0.0, 1.0], [9.0, 0.0, -1.0]], int(0)),
        (FLAT, int(0)),
        // An edge through the face; edges that cross in one point.
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 9.0]], int(0)),
        ([[2.0, 0.0, 0.0], [2.0, 0.0, 5.0], [2.0, -7.0, 0.0]], int(0)),
        ([[2.0, -1.0, -1.0], [2.0, 1.0, 1.0], [2.0, -1.0, 1.0]], int(0)),
        // Coplanar: inside, apart by a corner, apart by an edge (x + y = 4 to x + y = 5).
        ([[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]], int(0)),
        ([[7.0, -4.0, 0.0], [9.0, -4.0, 0.0], [9.0, -5.0, 0.0]], int(25)),
        (
            [[5.0, 0.0, 0.0], [0.0, 5.0, 0.0], [5.0, 5.0, 0.0]],
            RBig::from_parts(1.into(), 2u8.into()),
        ),
        // Above the face, beside a corner, an edge beside an edge.
        ([[1.0, 1.0, 3.0], [1.0, 2.0, 4.0], [2.0, 1.0, 4.0]], int(9)),
        ([[-2.0, -3.0, 6.0], [-9.0, -9.0, 7.0], [-9.0, -8.0, 8.0]], int(49)),
        ([[2.0, -1.0, -5.0], [2.0, -1.0, 5.0], [2.0, -9.0, 0.0]], int(1)),
        // Degenerate: a point, a segment, a segment through the face.
        ([[1.0, 1.0, 2.0]; 3], int(4)),
        ([[1.0, 1.0, 0.0]; 3], int(0)),
        ([[-1.0, 0.0, 0.0], [-1.0, 5.0, 0.0], [-1.0, 2.0, 0.0]], int(1)),
        ([[1.0, 1.0, 1.0], [1.0, 1.0, -3.0], [1.0, 1.0, 0.5]], int(0)),
    ]
}

#[test]
fn hand_computed_answers() {
    let a = triangle(FLAT);
    for (corners, squared) in by_hand() {
        let b = triangle(corners);
        assert_eq!(oracle::squared_distance(&a, &b), squared, "{corners:?}");
        assert_eq!(oracle::triangles_meet(&a, &b), squared.is_zero(), "{corners:?}");
    }
}

#[test]
fn one_ulp_decides() {
    let a = triangle(FLAT);
    let tip = |z: f64| triangle([[1.0, 1.0, z], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]);
    for z in [5e-324, 1e-300, f64::EPSILON] {
        assert!(!oracle::triangles_meet(&a, &tip(z)));
        assert!(oracle::triangles_meet(&a, &tip(-z)));
        assert_eq!(oracle::distance(&a, &tip(z)), z);
    }
    let beyond = |x: f64| triangle([[x, 2.0, 0.0], [5.0, 5.0, 1.0], [5.0, 5.0, -1.0]]);
    assert!(oracle::triangles_meet(&a, &beyond(2.0)));
    assert!(!oracle::triangles_meet(&a, &beyond(2f64.next_up())));
}

#[test]
fn distances_round_to_the_nearest() {
    let at = |p: [f64; 3]| [Point::from(p); 3];
    let origin = at([0.0; 3]);
    assert_eq!(oracle::distance(&origin, &at([1.0, 1.0, 0.0])), 2f64.sqrt());
    assert_eq!(oracle::distance(&origin, &at([1.0, 1.0, 1.0])), 3f64.sqrt());
    assert_eq!(oracle::distance(&origin, &at([3e150, 4e150, 0.0])), 5e150);
    assert_eq!(oracle::distance(&origin, &at([0.0, 0.0, 5e-324])), 5e-324);
    let far = oracle::distance(&at([-1e300; 3]), &at([1e300; 3]));
    assert!((far / (2e300 * 3f64.sqrt()) - 1.0).abs() < 1e-15);
}

/// In every class the linear program and the fractions agree, for any order of triangles and
/// corners.
#[test]
fn two_computations_agree() {
    let mut hits = 0;
    for class in Class::ALL {
        for index in 0..400 {
            let (a, b) = cases::generate(class, index);
            let meet = oracle::triangles_meet(&a, &b);
            let squared = oracle::squared_distance(&a, &b);
            let show = || format!("{class:?} {index}\n{}", cases::as_source(&a, &b));
            assert_eq!(meet, squared.is_zero(), "{}", show());
            assert!(!meet || oracle::boxes_meet(&a, &b), "{}", show());
            let (c, d) = ([a[2], a[0], a[1]], [b[1], b[0], b[2]]);
            assert_eq!(meet, oracle::triangles_meet(&b, &a), "{}", show());
            assert_eq!(meet, oracle::triangles_meet(&c, &d), "{}", show());
            if index < 100 {
                assert_eq!(squared, oracle::squared_distance(&d, &c), "{}", show());
            }
            hits += usize::from(meet);
        }
    }
    let share = hits as f64 / (400.0 * Class::ALL.len() as f64);
    assert!((0.3..=0.7).contains(&share), "share of hits {share}");
}

/// Exact motions and scalings change nothing.
#[test]
fn exact_maps_change_nothing() {
    for class in [Class::Lattice, Class::Coplanar, Class::EdgeCrossing, Class::VertexOnFace] {
        for index in 0..200 {
            let (a, b) = cases::generate(class, index);
            let meet = oracle::triangles_meet(&a, &b);
            for exponent in [-200, -3, 1, 200] {
                let factor = 2f64.powi(exponent);
                let scale = |t: &Triangle| t.map(|p| p * factor);
                assert_eq!(
                    meet,
                    oracle::triangles_meet(&scale(&a), &scale(&b)),
                    "{class:?} {index}"
                );
            }
        }
    }
    for index in 0..200 {
        let (a, b) = cases::generate(Class::Lattice, index);
        let shift = |t: &Triangle| t.map(|p| p + Vector::new(1000.0, -77.0, 123_456.0));
        assert_eq!(
            oracle::squared_distance(&a, &b),
            oracle::squared_distance(&shift(&a), &shift(&b))
        );
    }
}

fn cube(half: f64) -> Mesh {
    Shape::Cube.mesh(12, 0).scaled(2.0 * half).expect("small")
}

#[test]
fn winding_of_a_cube_and_of_its_copies() {
    let unit = cube(1.0);
    let both = Mesh::union([&unit, &cube(2.0)]).expect("small");
    let hollow = Mesh::union([&unit.flipped(), &cube(2.0)]).expect("small");
    let at = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    assert_eq!(oracle::winding(&unit, &at(0.0, 0.0, 0.0)), Location::Inside(1));
    assert_eq!(oracle::winding(&unit.flipped(), &at(0.0, 0.5, 0.0)), Location::Inside(-1));
    assert_eq!(oracle::winding(&both, &at(0.25, 0.0, 0.0)), Location::Inside(2));
    assert_eq!(oracle::winding(&hollow, &at(0.25, 0.0, 0.0)), Location::Outside);
    assert_eq!(oracle::winding(&hollow, &at(1.5, 0.0, 0.0)), Location::Inside(1));
    for p in [at(1.0, 0.0, 0.0), at(1.0, 1.0, 1.0), at(1.0, 1.0, 0.3)] {
        assert_eq!(oracle::winding(&unit, &p), Location::On);
    }
    for p in [at(1f64.next_up(), 0.0, 0.0), at(1.0, 1.0, -3.0), at(-4.0, -2.0, -1.0)] {
        assert_eq!(oracle::winding(&unit, &p), Location::Outside, "{p}");
    }
    // Rays that would run into an edge or a corner in the first directions tried.
    assert_eq!(oracle::winding(&cube(4.0), &at(0.0, 2.0, 3.0)), Location::Inside(1));
    assert_eq!(oracle::winding(&unit, &at(-4.0, -2.0, -1.0)), Location::Outside);
}

#[test]
fn winding_of_a_torus_by_its_equation() {
    let torus = Shape::Torus.mesh(200, 0);
    let mut random = Random::new(11);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..200 {
        let p = Point::from(random.vector(-0.5, 0.5).component_mul(&Vector::new(1.0, 1.0, 0.3)));
        let off_ring = (p.x.hypot(p.y) - 0.35).hypot(p.z);
        // The mesh lies between tubes of radius 0.12 and 0.15, up to the coarseness of its outline.
        if off_ring < 0.09 {
            assert_eq!(oracle::winding(&torus, &p), Location::Inside(1), "{p}");
            inside += 1;
        } else if off_ring > 0.151 {
            assert_eq!(oracle::winding(&torus, &p), Location::Outside, "{p}");
            outside += 1;
        }
    }
    assert!(inside > 20 && outside > 20, "{inside} inside, {outside} outside");
}

#[test]
fn solids_of_nested_cubes() {
    let (inner, outer) = (cube(1.0), cube(2.0));
    assert_eq!(oracle::solids(&inner, &outer), Verdict::Contained);
    assert_eq!(oracle::solids(&outer, &inner), Verdict::Contained);
    assert_eq!(oracle::solids(&inner, &inner), Verdict::Intersecting);
    let moved = |m: &Mesh, x: f64| {
        m.with_vertices(m.vertices().iter().map(|p| p + Vector::new(x, 0.0, 0.0)).collect())
            .expect("small")
    };
    assert_eq!(oracle::solids(&moved(&inner, 9.0), &outer), Verdict::Separated);
    // A cavity is outside. A distant second component that contains the point counts.
    let shell = Mesh::union([&outer, &cube(1.5).flipped()]).expect("small");
    assert_eq!(oracle::solids(&inner, &shell), Verdict::Separated);
    let two = Mesh::union([&moved(&inner, 9.0), &inner]).expect("small");
    assert_eq!(oracle::solids(&outer, &two), Verdict::Contained);
}

/// The pruned search finds the smallest distance of all pairs and every touching contact.
#[test]
fn mesh_search_leaves_nothing_out() {
    let (a, b) = (Shape::Hull.mesh(16, 3), Shape::Torus.mesh(24, 0));
    let mut hits = 0;
    for index in 0..24 {
        let posed = b.posed(&Random::stream(5, index).pose(0.55)).expect("small");
        let mut least: Option<RBig> = None;
        let mut found = Vec::new();
        for (i, p) in (0u32..).zip(a.corners()) {
            for (j, q) in (0u32..).zip(posed.corners()) {
                let d = oracle::squared_distance(&p, &q);
                if d.is_zero() {
                    found.push((i, j));
                }
                least = Some(least.map_or(d.clone(), |l| l.min(d)));
            }
        }
        assert_eq!(Some(oracle::mesh_squared_distance(&a, &posed)), least);
        assert_eq!(oracle::contacts(&a, &posed), found);
        hits += usize::from(!found.is_empty());
    }
    assert!((6..=18).contains(&hits), "{hits} of 24 hit");
}
