//! Deforming meshes keep their triangles and invariants at every step, and are reproducible.

use impinge_geometry::{Mesh, Topology};
use impinge_models::procedural::{Drape, hand};
use impinge_models::{DeformingMesh, DeformingScene, Shape};

use crate::measures::{crossings, hash, least_area, volume};

/// The number of crossing pairs of an edge and a triangle of bodies 0 and 1, per step.
fn crossings_by_step(scene: &DeformingScene, steps: impl Iterator<Item = usize>) -> Vec<usize> {
    let placed = |body: usize, step: usize| -> Mesh {
        scene.meshes[body].mesh(step).posed(&scene.poses[body]).unwrap()
    };
    steps.map(|step| crossings(&placed(0, step), &placed(1, step))).collect()
}

#[test]
fn the_closing_hand_is_the_hand_at_every_curl() {
    let closing = DeformingMesh::closing_hand(0.8, 500, 9).unwrap();
    let shape = Shape::Hand.mesh(500, 0);
    assert_eq!(closing.triangles(), shape.triangles(), "the same knob");
    let open = DeformingMesh::closing_hand(0.5, 500, 2).unwrap();
    assert_eq!(open.mesh(1), shape, "half closed it is the shape, bit for bit");
    assert_eq!(open.mesh(0).bounds(), hand(0.0, [1, 1, 1]).unwrap().bounds());
    for step in 0..9 {
        let mesh = closing.mesh(step);
        assert!(Topology::new(&mesh).closed().is_ok(), "step {step}");
        assert!(volume(&mesh) > 0.0 && least_area(&mesh) > 0.0);
        assert_eq!(crossings(&mesh, &mesh), 0, "step {step} meets itself");
    }
    assert_eq!(closing.mesh(8), closing.mesh(1000), "past the end it rests");
}

#[test]
fn counts_are_near_the_wish() {
    let scene = DeformingScene::hand_on_ball(10_000, 2_000, 100).unwrap();
    let [hand, ball] = [0, 1].map(|body| scene.meshes[body].triangles().len());
    assert!((9_000..=11_000).contains(&hand), "{hand}");
    assert!((1_800..=2_200).contains(&ball), "{ball}");
    assert!(Topology::new(&scene.meshes[1].mesh(0)).closed().is_ok());
    assert_eq!((scene.steps(), scene.meshes[1].is_rigid()), (100, true));
    for wish in [2, 50, 1000, 20_000, 1_000_000] {
        let cloth = DeformingMesh::cloth(&Drape::default(), wish, 2).unwrap();
        let found = cloth.triangles().len();
        assert!((found as f64 / wish as f64 - 1.0).abs() < 0.1, "{found} of {wish}");
    }
}

#[test]
fn the_hand_reaches_the_ball_in_the_second_half_of_its_steps() {
    let scene = DeformingScene::hand_on_ball(2_000, 500, 100).unwrap();
    let found = crossings_by_step(&scene, (0..100).step_by(3));
    println!("{found:?}");
    let first = found.iter().position(|&n| n > 0).expect("it reaches the ball") * 3;
    assert!((50..80).contains(&first), "first contact at step {first}");
    assert!(found[first / 3..].iter().all(|&n| n > 0), "and does not let go");
}

#[test]
fn the_cloth_falls_on_the_ball_and_flutters() {
    let scene = DeformingScene::cloth_on_ball(2_000, 500, 100).unwrap();
    let found = crossings_by_step(&scene, (0..100).step_by(3));
    println!("{found:?}");
    assert!(found[..8].iter().all(|&n| n == 0), "it falls");
    let touching = found[12..].iter().filter(|&&n| n > 0).count();
    assert!(touching >= 18, "{touching} of 22 steps");
    let mut kinds = found.clone();
    kinds.dedup();
    assert!(kinds.len() > 15, "contacts change from step to step");
}

#[test]
fn the_cloth_is_an_open_sheet_without_degenerate_triangles() {
    let cloth = DeformingMesh::cloth(&Drape::default(), 800, 21).unwrap();
    for step in 0..21 {
        let mesh = cloth.mesh(step);
        let topology = Topology::new(&mesh);
        assert_eq!((topology.components().len(), topology.nonmanifold_edges()), (1, 0));
        assert_eq!(topology.boundary_edges(), 4 * 20);
        assert!(least_area(&mesh) > 0.0);
    }
}

#[test]
fn the_cloth_keeps_its_lengths_about() {
    // Along the four spokes from the middle, arc length is preserved up to folds and waves.
    let calm = Drape { flutter: 0.0, ..Drape::default() };
    let cloth = DeformingMesh::cloth(&calm, 20_000, 50).unwrap();
    for step in 0..50 {
        let vertices = cloth.vertices(step);
        let spoke = &vertices[50 * 101..51 * 101];
        let length: f64 = spoke.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        assert!((0.85..1.1).contains(&(length / 1.2)), "step {step}: {length}");
    }
}

#[test]
fn steps_follow_each_other_closely() {
    let meshes = [
        DeformingMesh::closing_hand(0.5, 1000, 100).unwrap(),
        DeformingMesh::cloth(&Drape::default(), 1000, 100).unwrap(),
    ];
    for mesh in meshes {
        let mut most = 0.0_f64;
        for step in 1..100 {
            let (before, after) = (mesh.vertices(step - 1), mesh.vertices(step));
            let moved = before.iter().zip(&after).map(|(p, q)| (q - p).norm()).fold(0.0, f64::max);
            assert!(moved > 0.0, "step {step} moves nothing");
            most = most.max(moved);
        }
        println!("a vertex moves by at most {most:.4} a step");
        assert!(most < 0.05, "{most}");
    }
}

#[test]
fn bits_are_the_recorded_ones() {
    let bits = |mesh: &DeformingMesh| {
        let steps = [0, 17, 33, 50, 99].map(|step| mesh.vertices(step));
        hash(steps.iter().flatten().flat_map(|p| [p.x, p.y, p.z].map(f64::to_bits)))
    };
    let hand = DeformingScene::hand_on_ball(1500, 500, 100).unwrap();
    let cloth = DeformingScene::cloth_on_ball(1500, 500, 100).unwrap();
    let found = [&hand.meshes[0], &hand.meshes[1], &cloth.meshes[0]].map(bits);
    assert_eq!(found, [0xa31c_7d05_027e_695f, 0x8097_c353_e573_9c7f, 0xbed0_f638_9547_689f]);
}

#[test]
fn a_million_triangles_move_quickly() {
    let start = std::time::Instant::now();
    let cloth = DeformingMesh::cloth(&Drape::default(), 1_000_000, 100).unwrap();
    let made = start.elapsed().as_secs_f64();
    let moved = cloth.vertices(60).len();
    let seconds = start.elapsed().as_secs_f64() - made;
    println!("{moved} vertices in {seconds:.3} s, made in {made:.3} s");
    // A guard against quadratic time, generous for a busy machine.
    assert!(seconds < 5.0, "{seconds} s");
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let cloth = |change: fn(&mut Drape)| {
        let mut drape = Drape::default();
        change(&mut drape);
        DeformingMesh::cloth(&drape, 100, 10).unwrap_err().to_string()
    };
    let refusals = [
        (DeformingMesh::closing_hand(1.5, 500, 10).unwrap_err().to_string(), "hand: curl"),
        (DeformingMesh::closing_hand(0.5, 500, 0).unwrap_err().to_string(), "hand: steps"),
        (cloth(|d| d.radius = f64::NAN), "cloth: radius"),
        (cloth(|d| d.side = 6.0), "cloth: side"),
        (cloth(|d| d.drop = -1.0), "cloth: drop"),
        (cloth(|d| d.clearance = 1.0), "cloth: clearance"),
        (cloth(|d| d.flutter = f64::INFINITY), "cloth: flutter"),
        (DeformingScene::cloth_on_ball(9, 9, usize::MAX).unwrap_err().to_string(), "cloth: steps"),
    ];
    for (error, start) in refusals {
        assert!(error.starts_with(start), "{error}");
    }
}
