//! Every procedural shape keeps its documented properties: closed, outward, size, reproducibility.

use impinge_geometry::Topology;
use impinge_models::Shape;
use impinge_models::procedural::{
    Gear, MAX_TRIANGLES, chain, comb, cuboid, gear, hand, sphere, teapot, teapot_patches, torus,
    trefoil_tube,
};

use crate::measures::{crossings, fingerprint, least_area, volume};

#[test]
fn closed_shapes_are_closed_and_wound_outward() {
    for shape in Shape::ALL {
        for target in [1, 100, 317, 1000, 20_000, 200_000] {
            let mesh = shape.mesh(target, 1);
            let topology = Topology::new(&mesh);
            assert_eq!(topology.closed().is_ok(), shape.is_closed(), "{shape} {target}");
            assert_eq!(topology.nonmanifold_edges(), 0, "{shape} {target}");
            // A sheet has no inside.
            assert!(volume(&mesh) > 0.0 || shape == Shape::Leaf, "{shape} {target}");
            assert!(least_area(&mesh) > 0.0, "{shape} {target}");
        }
    }
}

#[test]
fn triangle_counts_are_near_the_wish() {
    for shape in Shape::ALL {
        let least = shape.least_triangles();
        assert_eq!(shape.mesh(0, 1).triangles().len(), least, "{shape}");
        let (mut target, mut worst, mut worst_small) = (100, 0.0_f64, 0.0_f64);
        while target < 200_000 {
            let count = shape.mesh(target, 1).triangles().len();
            let error = (count as f64 / target as f64 - 1.0).abs();
            assert!(count >= least, "{shape} {target}: {count}");
            if target >= 1000 {
                assert!(error <= 0.1, "{shape} {target}: {count}");
                worst = worst.max(error);
            } else if target >= 2 * least {
                assert!(error <= 0.25, "{shape} {target}: {count}");
                worst_small = worst_small.max(error);
            }
            target += if target < 1000 { 11 } else { target / 6 };
        }
        println!("{shape}: off by at most {worst:.3} from 1000 up, {worst_small:.3} below");
    }
}

#[test]
fn sizes_are_about_one_and_centred() {
    for shape in Shape::ALL {
        for target in [100, 2000] {
            let mesh = shape.mesh(target, 1);
            let (low, high) = mesh.bounds();
            let longest = (high - low).max();
            assert!((0.7..=1.1).contains(&longest), "{shape} {target}: {longest}");
            assert!(mesh.max_abs_coordinate() <= 1.0, "{shape} {target}");
            let off = (0.5 * (low.coords + high.coords)).amax();
            assert_eq!(off > 0.1, shape == Shape::Hand, "{shape} {target}: {off}");
            assert!(shape != Shape::Hand || low.y == 0.0, "{target}: {}", low.y);
        }
    }
}

/// Hashes of every shape at 1500 triangles; a change here changes every recorded result.
const FINGERPRINTS: [(Shape, u64); 11] = [
    (Shape::Sphere, 0xe9f7_8223_4c4c_ba80),
    (Shape::Torus, 0x4893_273e_f46c_0ba2),
    (Shape::Trefoil, 0x9e2c_11aa_6ac3_ed61),
    (Shape::Teapot, 0xd160_1370_49bf_0f52),
    (Shape::Gear, 0x15a5_d3c2_61c7_7e6e),
    (Shape::Chain, 0x8def_e198_e208_e409),
    (Shape::Hand, 0x0457_644b_4695_97af),
    (Shape::Hull, 0x6ed2_9a42_00e4_3011),
    (Shape::Cube, 0xed7a_bba1_54be_8739),
    (Shape::Comb, 0x704a_27a3_d0a6_5190),
    (Shape::Leaf, 0x8497_cc97_d556_4924),
];

#[test]
fn bits_are_the_recorded_ones() {
    let found = Shape::ALL.map(|shape| (shape, fingerprint(&shape.mesh(1500, 42))));
    assert_eq!(found, FINGERPRINTS);
}

#[test]
fn only_the_hull_depends_on_the_seed() {
    for shape in Shape::ALL {
        let [one, again, other] = [5, 5, 6].map(|seed| fingerprint(&shape.mesh(700, seed)));
        assert_eq!(one, again, "{shape}");
        assert_eq!(one == other, shape != Shape::Hull, "{shape}");
    }
}

#[test]
fn words_are_read_back() {
    for shape in Shape::ALL {
        assert_eq!(shape.word().parse(), Ok(shape));
        assert_eq!(format!("{shape:>8}").trim(), shape.word());
    }
    let error = "dodo".parse::<Shape>().unwrap_err().to_string();
    assert!(error.contains("\"dodo\"") && error.contains("sphere, torus"), "{error}");
}

#[test]
fn surfaces_do_not_meet_themselves() {
    for shape in Shape::ALL.into_iter().filter(|shape| shape.is_closed()) {
        for target in [100, 600, 1500] {
            let mesh = shape.mesh(target, 3);
            assert_eq!(crossings(&mesh, &mesh), 0, "{shape} {target}");
        }
    }
    // Guards the crossing test: these two meshes do cross.
    let torus = Shape::Torus.mesh(300, 0);
    let teapot = Shape::Teapot.mesh(300, 0);
    assert!(crossings(&torus, &teapot) > 20);
}

#[test]
fn the_coarsest_and_thickest_knots_do_not_meet_themselves() {
    for (rings, sides) in [(18, 3), (19, 4), (23, 5), (40, 8)] {
        let mesh = trefoil_tube(3.0, 0.5, rings, sides).unwrap();
        assert_eq!(crossings(&mesh, &mesh), 0, "{rings} {sides}");
    }
}

#[test]
fn the_sphere_is_inscribed_and_fills_the_ball() {
    let mesh = sphere(2.0, 100, 200).unwrap();
    assert!(mesh.vertices().iter().all(|p| (p.coords.norm() - 2.0).abs() < 1e-14));
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
    assert!(volume(&mesh) < ball && volume(&mesh) > 0.998 * ball);
}

#[test]
fn the_torus_has_the_volume_of_pappus() {
    let mesh = torus(2.0, 0.5, 200, 100).unwrap();
    let exact = 2.0 * std::f64::consts::PI.powi(2) * 2.0 * 0.25;
    assert!((volume(&mesh) / exact - 1.0).abs() < 1e-2);
}

#[test]
fn the_cuboid_has_its_volume() {
    let mesh = cuboid([1.0, 2.0, 4.0], [2, 3, 5]).unwrap();
    assert!((volume(&mesh) - 8.0).abs() < 1e-12);
    assert_eq!(mesh.triangles().len(), 4 * (6 + 15 + 10));
    assert_eq!(mesh.vertices().len(), mesh.triangles().len() / 2 + 2);
}

#[test]
fn the_chain_is_linked_links() {
    let mesh = chain(5, 0.1, 6, 8).unwrap();
    let topology = Topology::new(&mesh);
    assert_eq!(topology.components().len(), 5);
    assert_eq!(mesh.triangles().len(), 5 * 2 * 8 * (12 + 6));
    assert_eq!(mesh.bounds().1.x, -mesh.bounds().0.x);
}

#[test]
fn the_gear_has_its_formula_and_teeth() {
    let parameters = Gear { teeth: 9, around: 3, across: 2, through: 4, ..Gear::default() };
    let mesh = gear(&parameters).unwrap();
    assert_eq!(mesh.triangles().len(), parameters.triangles());
    let radii: Vec<f64> = mesh.vertices().iter().map(|p| p.x.hypot(p.y)).collect();
    let tips = radii.iter().filter(|&&r| (r - 0.5).abs() < 1e-12).count();
    // Two corners per tooth, on each row of the rim.
    assert_eq!(tips, 2 * 9 * (4 + 1));
    let topology = Topology::new(&mesh);
    let edges = mesh.triangles().len() * 3 / 2;
    assert_eq!(topology.components().len(), 1);
    assert_eq!(mesh.vertices().len() + mesh.triangles().len(), edges, "a gear is a torus");
}

#[test]
fn the_comb_fits_into_itself() {
    let mesh = comb(6, [1, 2, 1]).unwrap();
    let (low, high) = mesh.bounds();
    assert_eq!((high.x, high.y, low.y), (0.5, 0.25, -0.25));
    let turned = mesh.vertices().iter().map(|p| {
        // Rotated by 180 degrees about z and shifted by half a period, prongs 0.35 deep in the
        // gaps.
        impinge_geometry::Point::new(1.25 / 13.5 - p.x, 0.15 - p.y, p.z)
    });
    let turned = mesh.with_vertices(turned.collect()).unwrap();
    assert_eq!(crossings(&mesh, &turned), 0);
    assert!(turned.bounds().0.y < high.y - 0.3);
}

#[test]
fn the_hand_deforms_without_changing_its_triangles() {
    let flat = hand(0.0, [2, 2, 2]).unwrap();
    assert_eq!(flat.bounds().0.y, 0.0);
    let mut last = f64::INFINITY;
    for curl in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let mesh = hand(curl, [2, 2, 2]).unwrap();
        assert_eq!(mesh.triangles(), flat.triangles());
        assert_eq!(Topology::new(&mesh).components().len(), 1);
        assert!(volume(&mesh) > 0.9 * volume(&flat) && volume(&mesh) < 1.1 * volume(&flat));
        assert!(least_area(&mesh) > 0.0);
        assert_eq!(crossings(&mesh, &mesh), 0, "curl {curl}");
        let reach = mesh.bounds().1.y;
        assert!(reach < last, "fingers come nearer to the wrist");
        last = reach;
    }
}

#[test]
fn the_teapot_is_newells() {
    let patches = teapot_patches();
    assert_eq!(patches.len(), 32);
    let mut points: Vec<[u64; 3]> = patches
        .iter()
        .flatten()
        .flatten()
        .map(|p| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits))
        .collect();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), 290, "distinct control points of the published listing");
    for (around, along) in [(2, 1), (4, 4), (7, 3)] {
        let mesh = teapot(around, along).unwrap();
        assert_eq!(mesh.triangles().len(), 64 * around * along - 8 * around);
        let topology = Topology::new(&mesh);
        assert_eq!(topology.components().len(), 3, "pot with handle, lid, spout");
        assert_eq!(topology.boundary_edges(), 16 * around);
        assert_eq!(topology.nonmanifold_edges(), 0);
        let (low, high) = mesh.bounds();
        assert_eq!((low.z, high.z, low.y), (0.0, 3.15, -2.0));
        assert_eq!(low.y, -high.y);
        let has = |p: [f64; 3]| mesh.vertices().iter().any(|q| q.coords.as_slice() == p);
        assert!(mesh.vertices().iter().all(|p| has([p.x, -p.y, p.z])), "symmetric in y");
    }
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let huge = MAX_TRIANGLES;
    let refusals = [
        (sphere(0.5, 1, 3).unwrap_err(), "sphere: stacks"),
        (sphere(f64::NAN, 3, 3).unwrap_err(), "sphere: radius"),
        (sphere(0.5, huge, huge).unwrap_err(), "sphere: triangles"),
        (torus(1.0, 1.0, 3, 3).unwrap_err(), "torus: minor"),
        (torus(1.0, 0.5, usize::MAX, usize::MAX).unwrap_err(), "torus: triangles"),
        (trefoil_tube(1.0, 0.2, 30, 3).unwrap_err(), "trefoil: tube"),
        (trefoil_tube(1.0, 0.1, 17, 3).unwrap_err(), "trefoil: rings"),
        (teapot(0, 1).unwrap_err(), "teapot: around"),
        (gear(&Gear { bore: 0.35, ..Gear::default() }).unwrap_err(), "gear: bore"),
        (gear(&Gear { teeth: usize::MAX, ..Gear::default() }).unwrap_err(), "gear: triangles"),
        (chain(0, 1.0, 3, 3).unwrap_err(), "chain: links"),
        (chain(huge, 1.0, 3, 3).unwrap_err(), "chain: triangles"),
        (hand(1.5, [1, 1, 1]).unwrap_err(), "hand: curl"),
        (hand(f64::NAN, [1, 1, 1]).unwrap_err(), "hand: curl"),
        (hand(0.5, [1, 0, 1]).unwrap_err(), "hand: splits"),
        (cuboid([1.0, -1.0, 1.0], [1, 1, 1]).unwrap_err(), "cube: extent"),
        (cuboid([1.0; 3], [usize::MAX; 3]).unwrap_err(), "cube: triangles"),
        (comb(usize::MAX, [1, 1, 1]).unwrap_err(), "comb: triangles"),
    ];
    for (error, start) in refusals {
        assert!(error.to_string().starts_with(start), "{error}");
    }
}

#[test]
fn a_million_triangles_come_quickly() {
    for shape in [Shape::Sphere, Shape::Torus] {
        let start = std::time::Instant::now();
        let mesh = shape.mesh(1_000_000, 0);
        let seconds = start.elapsed().as_secs_f64();
        println!("{shape}: {} triangles in {seconds:.3} s", mesh.triangles().len());
        // A guard against quadratic time, generous for a busy machine.
        assert!(seconds < 10.0, "{shape}: {seconds} s");
    }
}
