//! A first contact that continues from the front of the last one says what a new search says, and
//! tests less where bodies move slowly.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Verdict};
use impinge_wide::{Memory, WideModel, WideParams, Width, wide, wide_with};

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("any mesh")
}

fn ask(models: [&WideModel; 2], pose: &Pose, memory: &mut Memory, ask: &Ask) -> Answer {
    let (mut answer, [a, b]) = (Answer::default(), models);
    let ask = Ask { count: true, ..*ask };
    Engine::query(&wide(), a, b, pose, memory, &ask, &Control::NONE, &mut answer)
        .expect("any pose");
    answer
}

fn work(answer: &Answer) -> u64 {
    let counted = answer.statistics.as_ref().expect("counted");
    counted.volume_tests + 16 * counted.primitive_tests
}

/// Verdicts of a walk with memory, with the work of both, in and without memory.
#[derive(Debug, Default)]
struct Told {
    hits: u32,
    steps: u32,
    with: u64,
    without: u64,
}

impl Told {
    /// Whether it is a hit.
    fn step(
        &mut self,
        models: [&WideModel; 2],
        pose: &Pose,
        memory: &mut Memory,
        question: &Ask,
    ) -> bool {
        let fresh = ask(models, pose, &mut Memory::default(), question);
        let remembered = ask(models, pose, memory, question);
        assert_eq!(remembered.verdict, fresh.verdict, "{} {pose:?}", self.steps);
        assert_eq!(remembered.nearest, fresh.nearest, "{} {pose:?}", self.steps);
        for contact in &remembered.contacts {
            let p = models[0].mesh().triangle(contact.a);
            let q = models[1].mesh().triangle(contact.b).map(|x| pose.apply(&x));
            assert!(impinge_geometry::exact::triangles_meet(&p, &q), "{contact:?}");
        }
        self.hits += u32::from(fresh.verdict.is_hit());
        self.steps += 1;
        self.with += work(&remembered);
        self.without += work(&fresh);
        fresh.verdict.is_hit()
    }
}

/// A slow motion of B about A, which turns inward and outward so that it is in contact for about a
/// third of its way.
struct Walk {
    random: Random,
    at: [f64; 3],
    turn: [f64; 4],
    way: [f64; 3],
    spin: [f64; 3],
    /// Factor from sizes to the meshes' unit.
    scale: f64,
    /// The way since it was last apart, and last in contact, in sizes.
    since: [f64; 2],
}

impl Walk {
    fn new(seed: u64, scale: f64) -> Self {
        let mut random = Random::new(seed);
        let at = random.unit_vector() * 0.9;
        let (turn, way, spin) = (random.quaternion(), random.unit_vector(), random.unit_vector());
        let since = [0.0; 2];
        Self { random, at: at.into(), turn, way: way.into(), spin: spin.into(), scale, since }
    }

    /// Moves by `speed` sizes and turns by as many radians. `hit`: whether the last step was one.
    fn step(&mut self, speed: f64, hit: bool) -> Pose {
        let bend = self.random.in_ball() * 0.3;
        self.since[usize::from(hit)] = 0.0;
        self.since[usize::from(!hit)] += speed;
        let [in_contact, apart] = self.since;
        let outward = if in_contact > 0.02 {
            1.0
        } else if apart > 0.04 {
            -1.0
        } else {
            0.0
        };
        self.go(speed, bend.into(), outward)
    }

    /// The same, at most `far` away from A's middle and at least `near`.
    fn step_between(&mut self, speed: f64, [near, far]: [f64; 2]) -> Pose {
        let bend = self.random.in_ball() * 0.3;
        let distance = length(self.at);
        let outward = f64::from(u8::from(distance < near)) - f64::from(u8::from(distance > far));
        self.go(speed, bend.into(), outward)
    }

    fn go(&mut self, speed: f64, bend: [f64; 3], outward: f64) -> Pose {
        let distance = length(self.at);
        for k in 0..3 {
            self.way[k] += bend[k] + 0.5 * outward * self.at[k] / distance;
        }
        let unit = length(self.way);
        for k in 0..3 {
            self.way[k] /= unit;
            self.at[k] += speed * self.way[k];
        }
        let [x, y, z, w] = self.turn;
        let [p, q, r] = self.spin.map(|s| 0.5 * speed * s);
        self.turn = [
            x + p * w + q * z - r * y,
            y + q * w + r * x - p * z,
            z + r * w + p * y - q * x,
            w - p * x - q * y - r * z,
        ];
        let norm = self.turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.turn = self.turn.map(|x| x / norm);
        Pose::from_quaternion(self.at.map(|x| x * self.scale), self.turn).expect("unit")
    }
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// At every speed, from standing to leaps, in and out of contact; standing costs nothing.
#[test]
fn slow_walks_are_told_as_by_new_searches() {
    let pairs = [
        [Shape::Torus, Shape::Gear],
        [Shape::Trefoil, Shape::Sphere],
        [Shape::Cube, Shape::Cube],
        [Shape::Hull, Shape::Torus],
    ];
    for (k, shapes) in pairs.into_iter().enumerate() {
        let [a, b] = shapes.map(|shape| prepare(&shape.mesh(2_000, 1)));
        let (models, mut told, mut hit) = ([&a, &b], Told::default(), false);
        let mut memory = Memory::default();
        let mut walk = Walk::new(k as u64, 1.0);
        for step in 0..1_200 {
            let speed = [1e-4, 1e-3, 4e-3, 0.0, 0.02, 1e-3][step / 20 % 6];
            let pose = walk.step(speed, hit);
            let question = if step % 50 == 49 { Ask::distance() } else { Ask::first_contact() };
            hit = told.step(models, &pose, &mut memory, &question);
        }
        println!("{shapes:?}: {told:?}");
        assert!(told.hits > 120 && told.hits < 1_080, "{shapes:?} {told:?}");
        assert!(told.with < told.without, "{shapes:?} {told:?}");
    }
}

/// Without contact, a slow walk takes less than half of the tests.
#[test]
fn a_slow_walk_beside_a_body_tests_little() {
    let [a, b] = [Shape::Trefoil, Shape::Torus].map(|shape| prepare(&shape.mesh(4_000, 1)));
    for (speed, share) in [(0.0, 0.02), (1e-4, 0.25), (1e-3, 0.6)] {
        let (mut told, mut memory) = (Told::default(), Memory::default());
        let mut walk = Walk::new(5, 1.0);
        for _ in 0..400 {
            let pose = walk.step_between(speed, [0.85, 0.95]);
            told.step([&a, &b], &pose, &mut memory, &Ask::first_contact());
        }
        let of = told.with as f64 / told.without as f64;
        println!("speed {speed}: {of:.3} of the tests, {told:?}");
        assert!(of < share && told.hits == 0, "speed {speed}: {of}, {told:?}");
    }
}

/// Two faces in one plane: the step at which they touch is told, and the ones around it.
#[test]
fn the_step_of_touching_is_told() {
    let cube = prepare(&Shape::Cube.mesh(1_200, 0));
    let (low, high) = cube.mesh().bounds();
    let edge = high.x - low.x;
    for steps in [1u32, 3, 10, 40] {
        let mut memory = Memory::default();
        // Powers of two, so that the last step ends in the plane.
        let way = edge / 64.0 / f64::from(steps.next_power_of_two());
        for step in 0..=(steps.next_power_of_two() * 16) {
            let left = f64::from(steps.next_power_of_two() * 16 - step) * way;
            let pose = Pose::translation_by([edge + left, 0.25 * edge, 0.0].into());
            let pose = pose.expect("finite");
            let answer = ask([&cube, &cube], &pose, &mut memory, &Ask::first_contact());
            assert_eq!(answer.verdict == Verdict::Intersecting, left == 0.0, "{steps} {left:e}");
        }
    }
}

/// Any unit of measure, bodies far from the origin, and sizes that differ.
#[test]
fn units_places_and_sizes_change_nothing() {
    let moved = |mesh: &Mesh, scale: f64, shift: f64| {
        let at = |p: &Point| Point::new(p.x * scale + shift, p.y * scale, p.z * scale - shift);
        let vertices = mesh.vertices().iter().map(at).collect();
        prepare(&mesh.with_vertices(vertices).expect("finite"))
    };
    let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(800, 1));
    let cases = [(1e-150, 1.0, 0.0), (1e150, 1.0, 0.0), (1.0, 1.0, 1e6), (1.0, 1e-3, 0.0)];
    let tiny = [(1e-290, 1.0, 0.0), (1.0, 1e-12, 0.0)];
    for (k, (unit, ratio, shift)) in cases.into_iter().chain(tiny).enumerate() {
        let models = [moved(&a, unit * ratio, 0.0), moved(&b, unit, shift * unit)];
        let (mut told, mut memory, mut hit) = (Told::default(), Memory::default(), false);
        let mut walk = Walk::new(17 + k as u64, unit);
        for step in 0..400 {
            let pose = walk.step([1e-3, 1e-2][step / 50 % 2], hit);
            // So that B, which is far from its origin, is where the walk says.
            let center = pose.apply(&Point::new(shift * unit, 0.0, -shift * unit));
            let shift = pose.translation() - (center - Point::from(*pose.translation()));
            let there = Pose::new(*pose.rotation(), shift).expect("rigid");
            hit = told.step([&models[0], &models[1]], &there, &mut memory, &Ask::first_contact());
        }
        println!("{unit:e} {ratio:e} {shift:e}: {told:?}");
        assert!(ratio < 1.0 || told.hits > 40 && told.hits < 360, "{told:?}");
    }
}

/// Coarse against fine, so that leaves are opened, and repeated triangles, which are left out.
#[test]
fn opened_leaves_and_repeats_are_in_the_front() {
    let cube = Shape::Cube.mesh(12, 0);
    let (fine, torus) = (Shape::Torus.mesh(20_000, 0), Shape::Torus.mesh(600, 1));
    let twice = |mesh: &Mesh| {
        let mut triangles = mesh.triangles().to_vec();
        triangles.extend_from_slice(mesh.triangles());
        Mesh::new(mesh.vertices().to_vec(), triangles).expect("legal")
    };
    let pairs = [[&cube, &fine], [&fine, &cube], [&twice(&torus), &twice(&cube)]];
    for (k, pair) in pairs.into_iter().enumerate() {
        let [a, b] = pair.map(prepare);
        let (mut told, mut memory, mut hit) = (Told::default(), Memory::default(), false);
        let mut walk = Walk::new(40 + k as u64, 1.0);
        for step in 0..500 {
            let pose = walk.step([1e-3, 4e-3, 1e-2][step / 40 % 3], hit);
            hit = told.step([&a, &b], &pose, &mut memory, &Ask::first_contact());
        }
        println!("{k}: {told:?}");
        assert!(told.hits > 50 && told.hits < 450, "{told:?}");
    }
}

/// Other models, refits and copies, leaps and other questions between the steps.
#[test]
fn what_comes_between_resets_the_front() {
    let [a, mut b] = [Shape::Torus, Shape::Gear].map(|shape| prepare(&shape.mesh(1_000, 1)));
    let other = prepare(&Shape::Sphere.mesh(300, 0));
    let (mut told, mut memory, mut hit) = (Told::default(), Memory::default(), false);
    let mut walk = Walk::new(77, 1.0);
    let mut random = Random::new(78);
    for step in 0..600u32 {
        let pose = walk.step(2e-3, hit);
        hit = told.step([&a, &b], &pose, &mut memory, &Ask::first_contact());
        match random.below(60) {
            0 => _ = told.step([&a, &other], &pose, &mut memory, &Ask::first_contact()),
            1 => _ = told.step([&b, &a], &pose, &mut memory, &Ask::first_contact()),
            2 => {
                let grown = 1.0 + 0.05 * f64::from(step % 3);
                let vertices: Vec<_> = b.mesh().vertices().iter().map(|p| p * grown).collect();
                wide().refit(&mut b, &vertices, &Control::NONE).expect("finite");
            }
            3 => {
                let to = random.unit_vector();
                let leap = random.turned_to(to);
                told.step([&a, &b], &leap, &mut memory, &Ask::first_contact());
            }
            4 => drop(ask([&a, &b], &pose, &mut memory, &Ask::all_contacts())),
            5 => drop(ask([&a, &b], &pose, &mut memory, &Ask::nearer_than(0.1))),
            _ => {}
        }
    }
    println!("{told:?}");
    assert!(told.hits > 60 && told.hits < 540, "{told:?}");
}

/// Every instruction set, with one memory each.
#[test]
fn every_set_goes_on_from_its_front() {
    for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
        let engine = wide_with(WideParams { width: Some(width), ..WideParams::default() });
        let [a, b] = [Shape::Trefoil, Shape::Gear].map(|shape| prepare(&shape.mesh(900, 1)));
        let (mut memory, mut hits, mut hit) = (Memory::default(), 0, false);
        let mut walk = Walk::new(90, 1.0);
        for step in 0..400 {
            let pose = walk.step(3e-3, hit);
            let mut answer = Answer::default();
            let question = Ask::first_contact();
            Engine::query(
                &engine,
                &a,
                &b,
                &pose,
                &mut memory,
                &question,
                &Control::NONE,
                &mut answer,
            )
            .expect("any pose");
            let fresh = ask([&a, &b], &pose, &mut Memory::default(), &question);
            assert_eq!(answer.verdict, fresh.verdict, "{width} {step}");
            hit = answer.verdict.is_hit();
            hits += u32::from(hit);
        }
        assert!(hits > 40 && hits < 360, "{width}: {hits}");
    }
}
