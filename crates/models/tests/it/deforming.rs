//! Deforming meshes keep their triangles and invariants at every step, and are reproducible.

use impinge_geometry::{Mesh, Topology};
use impinge_models::procedural::{Drape, Press, hand};
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
    for wish in [1000, 20_000, 1_000_000] {
        let found = DeformingMesh::pressed(&Press::default(), wish, 2).unwrap().triangles().len();
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

/// Crossings of the ball with thumb, index, middle, ring and little finger, which are side by side
/// along x.
fn crossings_by_finger(scene: &DeformingScene, step: usize) -> [usize; 5] {
    let [hand, ball] =
        [0, 1].map(|body: usize| scene.meshes[body].mesh(step).posed(&scene.poses[body]).unwrap());
    [[-1.0, 0.0], [0.0, 0.11], [0.11, 0.23], [0.23, 0.35], [0.35, 1.0]].map(|[from, to]| {
        let place =
            |t: &[u32; 3]| t.iter().map(|&v| hand.vertices()[v as usize].x).sum::<f64>() / 3.0;
        let of_finger = hand.triangles().iter().filter(|t| (from..to).contains(&place(t)));
        let finger = Mesh::new(hand.vertices().to_vec(), of_finger.copied().collect()).unwrap();
        crossings(&finger, &ball)
    })
}

/// The scene of the paper's size.
#[test]
fn the_fingers_reach_the_ball_after_seven_tenths_of_the_steps_and_hold_it() {
    let scene = DeformingScene::hand_on_ball(10_000, 2_000, 100).unwrap();
    let found = crossings_by_step(&scene, 65..100);
    println!("{found:?}");
    let first = 65 + found.iter().position(|&n| n > 0).expect("it reaches the ball");
    assert_eq!(first, 71);
    assert!(found[first - 65..].iter().all(|&n| n > 0), "and does not let go");
    let fingers = [first, 80, 99].map(|step| crossings_by_finger(&scene, step));
    println!("{fingers:?}");
    let touching = fingers.map(|counts| counts.map(|n| n > 0));
    assert_eq!(touching[0], [false, false, true, true, false], "the middle and the ring finger");
    assert_eq!(touching[1], [false, true, true, true, false], "the index finger follows");
    assert_eq!(touching[2], [false, true, true, true, true], "all but the thumb");
}

#[test]
fn pressed_bodies_meet_from_the_middle_of_the_steps_on() {
    let scene = DeformingScene::pressed_bodies(0.3, 10_000, 100).unwrap();
    assert_eq!((scene.steps(), scene.meshes[0].is_rigid()), (100, false));
    let found = crossings_by_step(&scene, [0, 45, 55, 70, 85, 99].into_iter());
    println!("{found:?}");
    let [0, 0, touching, pressed, flat, end] = found[..] else { panic!("{found:?}") };
    assert!(0 < touching && touching < pressed && pressed < flat && flat < end, "a growing face");
    assert!(end > 10 * touching, "of many bumps");
    // Balls that only touch the plane do not meet.
    for (depth, meets) in [(0.0, false), (0.1, true)] {
        let scene = DeformingScene::pressed_bodies(depth, 10_000, 100).unwrap();
        assert_eq!(crossings_by_step(&scene, 99..100)[0] > 0, meets, "{depth}");
    }
}

#[test]
fn a_pressed_body_is_closed_and_never_meets_itself() {
    let press = Press { depth: 0.5, bumps: 0.05, ..Press::default() };
    for (press, triangles) in [(Press::default(), 2_000), (press, 800), (press, 12)] {
        let body = DeformingMesh::pressed(&press, triangles, 7).unwrap();
        for step in 0..7 {
            let mesh = body.mesh(step);
            assert!(Topology::new(&mesh).closed().is_ok(), "step {step}");
            assert!(volume(&mesh) > 0.0 && least_area(&mesh) > 0.0);
            assert_eq!(crossings(&mesh, &mesh), 0, "step {step} meets itself");
        }
    }
}

#[test]
fn a_pressed_body_is_flat_where_it_is_pressed_and_keeps_its_volume() {
    let press = Press::default();
    let body = DeformingMesh::pressed(&press, 10_000, 11).unwrap();
    let whole = volume(&body.mesh(0));
    let height = press.bumps * press.radius;
    for step in 0..11 {
        let mesh = body.mesh(step);
        let share = volume(&mesh) / whole;
        assert!((0.97..1.03).contains(&share), "step {step}: {share}");
        assert!(mesh.vertices().iter().all(|p| p.z <= height), "step {step}");
        let flat = mesh.vertices().iter().filter(|p| p.z > -2.0 * height).count();
        println!("step {step}: {share:.4} of the volume, {flat} vertices in the face");
        assert!(step < 10 || flat > 800, "{flat}");
    }
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
        DeformingMesh::pressed(&Press::default(), 1000, 100).unwrap(),
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
    let pressed = DeformingScene::pressed_bodies(0.3, 1500, 100).unwrap();
    let found = [&hand.meshes[0], &hand.meshes[1], &cloth.meshes[0], &pressed.meshes[0]].map(bits);
    let recorded = [
        0xa31c_7d05_027e_695f,
        0x8097_c353_e573_9c7f,
        0xbed0_f638_9547_689f,
        0xdf6a_40ff_0f56_0f80,
    ];
    assert_eq!(found, recorded);
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
    let press = |change: fn(&mut Press)| {
        let mut press = Press::default();
        change(&mut press);
        DeformingMesh::pressed(&press, 100, 10).unwrap_err().to_string()
    };
    let refusals = [
        (press(|p| p.radius = 0.0), "press: radius"),
        (press(|p| p.bumps = 0.06), "press: bumps"),
        (press(|p| p.gap = -0.1), "press: gap"),
        (press(|p| p.depth = f64::NAN), "press: depth"),
        (DeformingScene::pressed_bodies(0.6, 9, 9).unwrap_err().to_string(), "press: depth"),
        (DeformingScene::pressed_bodies(0.3, 9, 0).unwrap_err().to_string(), "press: steps"),
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
