//! Random motions, judged by exact tests of many poses; bounds that are too small are noticed.

use impinge_continuous::geometry::{Mesh, Point, Pose, Vector};
use impinge_continuous::query::{Answer, Ask, Control, Detector, Prepared};
use impinge_continuous::rigid::{
    Course, Extent, RelativeMotion, RigidMotion, Sweep, SweepOptions, Swept, sweep_both, sweep_by,
};
use impinge_hierarchy::methods::{aabb_refit, obbtree, swept_sphere};
use impinge_models::{Random, Shape};

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// None.
    None,
    /// Distances are told twice as large, as if all were half as fast.
    HalfSpeed,
    /// B is taken for a point where it turns about.
    NoTurn,
    /// B is taken to be half as long.
    HalfLever,
}

struct Case {
    detector: Box<dyn Detector>,
    models: [Prepared; 2],
    extents: [Extent; 2],
    motion: RigidMotion,
}

const SHAPES: [Shape; 6] =
    [Shape::Teapot, Shape::Torus, Shape::Gear, Shape::Hand, Shape::Trefoil, Shape::Cube];

impl Case {
    fn new(case: usize, fault: Fault) -> Self {
        let mut random = Random::stream(0x519d, case as u64);
        let meshes = [case, case / 6 + case + 1].map(|k| SHAPES[k % 6].mesh(150, 0));
        let from = random.unit_vector() * random.range(1.1, 1.6);
        let to = random.in_ball() * 2.4 - from;
        let [start, mut end] = [from, to].map(|place| random.turned_to(place));
        if case.is_multiple_of(5) {
            // Turns as they are between short steps.
            let some = RigidMotion::new(&start, &end).expect("in range").pose_at(0.01);
            end = Pose::new(*some.rotation(), to).expect("in range");
        }
        let motion = match case % 3 {
            0 => RigidMotion::new(&start, &end),
            1 => RigidMotion::screw(&start, &end),
            _ => RigidMotion::about(&start, &end, &Point::from(random.in_ball())),
        }
        .expect("in range");
        let detector: Box<dyn Detector> = match case % 4 {
            0 => Box::new(obbtree()),
            1 => Box::new(swept_sphere()),
            _ => Box::new(aabb_refit()),
        };
        let models =
            meshes.each_ref().map(|mesh| detector.prepare(mesh, &Control::NONE).expect("prepared"));
        let centre = match motion.course() {
            Course::About(point) => point,
            Course::Screw => Point::origin(),
        };
        let shrunk = |share: f64| {
            let place = |p: &Point| centre + (p - centre) * share;
            let vertices = meshes[1].vertices().iter().map(place).collect();
            meshes[1].with_vertices(vertices).expect("as many")
        };
        let of_b = match fault {
            Fault::NoTurn => Mesh::new(vec![centre], vec![[0, 0, 0]]).expect("a mesh"),
            Fault::HalfLever => shrunk(0.5),
            Fault::None | Fault::HalfSpeed => meshes[1].clone(),
        };
        let extents = [&meshes[0], &of_b]
            .map(|mesh| Extent::new(mesh, &Control::NONE).expect("not cancelled"));
        Self { detector, models, extents, motion }
    }

    fn sweep(&self, options: &SweepOptions, fault: Fault) -> Swept {
        let [a, b] = &self.models;
        let mut memory = self.detector.memory();
        let mut ask = |pose: &_, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
            self.detector.query(a, b, pose, &mut memory, ask, control, answer)?;
            if let Some(nearest) = answer.nearest.as_mut()
                && fault == Fault::HalfSpeed
            {
                nearest.distance *= 2.0;
            }
            Ok(())
        };
        sweep_by(&mut ask, self.extents.each_ref(), &self.motion, options, &Control::NONE)
            .expect("an answer")
    }

    /// The distance at a time; 0 if and only if they touch.
    fn distance(&self, time: f64) -> f64 {
        let [a, b] = &self.models;
        let pose = self.motion.pose_at(time);
        let (mut memory, mut answer) = (self.detector.memory(), Answer::default());
        let (ask, control) = (Ask::distance(), Control::NONE);
        let asked = self.detector.query(a, b, &pose, &mut memory, &ask, &control, &mut answer);
        asked.expect("an answer");
        answer.nearest.expect("a distance").distance
    }

    /// What is wrong with an outcome.
    fn wrong(&self, outcome: &Sweep, near: f64) -> Option<String> {
        let mut times: Vec<f64> = (0..=200).map(|k| f64::from(k) / 200.0).collect();
        // Near the ends of what is claimed more of them.
        let close = |time: f64| (2..40).map(move |k| time - 0.7 * time * 0.5f64.powi(k));
        if let Sweep::Touching { low, .. } | Sweep::Undecided { low, .. } = *outcome {
            times.extend(close(low));
            times.push(low.next_down().max(0.0));
        }
        let too_near = |time: f64, than: f64| {
            let distance = self.distance(time);
            (distance <= than).then(|| format!("{distance} at {time}: {outcome:?}"))
        };
        match *outcome {
            Sweep::Free { gap, .. } => {
                times.iter().find_map(|time| too_near(*time, gap.next_down()))
            }
            Sweep::Touching { low, high, .. } => {
                let at_high = (self.distance(high) > near).then(|| format!("none: {outcome:?}"));
                let early = times.iter().filter(|time| **time < low);
                at_high.or_else(|| early.clone().find_map(|time| too_near(*time, near)))
            }
            Sweep::Undecided { low, high, .. } => {
                let known = times.iter().filter(|time| **time < low || **time > high);
                known.clone().find_map(|time| too_near(*time, near))
            }
        }
    }
}

/// Runs cases; returns how many end each way, and what is wrong.
fn run(cases: usize, options: &SweepOptions, fault: Fault) -> ([usize; 3], Vec<String>) {
    let (mut seen, mut wrong) = ([0; 3], Vec::new());
    for index in 0..cases {
        let case = Case::new(index, fault);
        let swept = case.sweep(options, fault);
        seen[match swept.outcome {
            Sweep::Touching { .. } => 0,
            Sweep::Free { .. } => 1,
            Sweep::Undecided { .. } => 2,
        }] += 1;
        wrong.extend(case.wrong(&swept.outcome, options.near).map(|why| format!("{index}: {why}")));
    }
    (seen, wrong)
}

#[test]
fn no_outcome_of_a_random_motion_is_wrong() {
    let (seen, wrong) = run(240, &SweepOptions::default(), Fault::None);
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Neither answer can be guessed, and all are decided.
    assert!(seen[0] >= 72 && seen[1] >= 72 && seen[2] == 0, "{seen:?}");
}

#[test]
fn nearness_to_a_distance_is_right_too() {
    let options = SweepOptions { near: 0.05, ..SweepOptions::default() };
    let (seen, wrong) = run(90, &options, Fault::None);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen[0] >= 27 && seen[1] >= 18 && seen[2] == 0, "{seen:?}");
}

#[test]
fn what_few_questions_leave_is_right_too() {
    let options = SweepOptions { budget: 8, ..SweepOptions::default() };
    let (seen, wrong) = run(90, &options, Fault::None);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen.iter().all(|n| *n >= 9), "{seen:?}");
}

#[test]
fn bounds_that_are_too_small_are_noticed() {
    for fault in [Fault::HalfSpeed, Fault::NoTurn, Fault::HalfLever] {
        let (_, wrong) = run(120, &SweepOptions::default(), fault);
        assert!(wrong.len() >= 3, "{fault:?}: {wrong:#?}");
    }
}

#[test]
fn the_same_sweep_has_the_same_bits() {
    for index in 0..20 {
        let case = Case::new(index, Fault::None);
        let first = case.sweep(&SweepOptions::default(), Fault::None);
        assert_eq!(case.sweep(&SweepOptions::default(), Fault::None), first);
    }
}

/// B's own frame may be far from B.
#[test]
fn a_body_far_from_its_origin_is_swept_as_if_it_were_near() {
    let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(200, 0));
    let away = Vector::new(64.0, -32.0, 16.0);
    let far = b.with_vertices(b.vertices().iter().map(|p| p + away).collect()).expect("as many");
    let mut random = Random::new(0xfa7);
    for case in 0..10 {
        let from = random.unit_vector() * 1.3;
        let poses = [from, random.in_ball() * 1.5 - from].map(|place| random.turned_to(place));
        let shifted = poses.each_ref().map(|pose| {
            let back = pose.translation() - pose.rotate(&away);
            Pose::new(*pose.rotation(), back).expect("in range")
        });
        let options = SweepOptions::default();
        let near = RigidMotion::new(&poses[0], &poses[1]).expect("in range");
        let about = Point::from(away);
        let motion = RigidMotion::about(&shifted[0], &shifted[1], &about).expect("in range");
        let of = |mesh: &Mesh, motion: &RigidMotion| {
            crate::rigid::asked([&a, mesh], motion, &options, &Control::NONE).expect("an answer")
        };
        let (one, other) = (of(&b, &near).outcome, of(&far, &motion).outcome);
        match (one, other) {
            (Sweep::Free { gap, .. }, Sweep::Free { gap: same, .. }) => {
                assert!((gap - same).abs() < 1e-9, "{case}: {one:?} {other:?}");
            }
            (Sweep::Touching { low, high, .. }, Sweep::Touching { low: l, high: h, .. }) => {
                assert!(low <= h && l <= high, "{case}: {one:?} {other:?}");
            }
            _ => panic!("{case}: {one:?} {other:?}"),
        }
    }
}

/// Both bodies move; the exact test of many relative poses judges.
#[test]
fn two_bodies_that_move_are_judged_in_the_frame_of_one() {
    let (mut seen, options) = ([0; 2], SweepOptions::default());
    for index in 0..60 {
        let case = Case::new(index, Fault::None);
        let mut random = Random::stream(0x2b0d, index as u64);
        let [start, end] = [0, 1].map(|_| random.turned_to(random.clone().in_ball() * 0.5));
        let of_a = RigidMotion::new(&start, &end).expect("in range");
        let motion = RelativeMotion::new(of_a, case.motion);
        let [a, b] = &case.models;
        let mut memory = case.detector.memory();
        let mut ask = |pose: &_, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
            case.detector.query(a, b, pose, &mut memory, ask, control, answer)
        };
        let extents = case.extents.each_ref();
        let swept = sweep_both(&mut ask, extents, &motion, &options, &Control::NONE);
        let outcome = swept.expect("an answer").outcome;
        let mut distance = |time: f64| {
            let mut answer = Answer::default();
            let asked = ask(&motion.pose_at(time), &Ask::distance(), &Control::NONE, &mut answer);
            asked.expect("an answer");
            answer.nearest.expect("a distance").distance
        };
        let (from, least) = match outcome {
            Sweep::Touching { low, high, .. } => {
                assert!(distance(high) == 0.0 && high - low <= options.width, "{outcome:?}");
                seen[0] += 1;
                (low, 0.0)
            }
            Sweep::Free { gap, .. } => {
                seen[1] += 1;
                (1.0, gap.next_down())
            }
            Sweep::Undecided { .. } => panic!("{index}: {outcome:?}"),
        };
        for k in 0..=300 {
            let time = from * (1.0 - 0.5f64.powi(k / 20)) + from * f64::from(k % 20) * 1e-9;
            if time < from {
                assert!(distance(time) > least, "{index} at {time}: {outcome:?}");
            }
        }
    }
    assert!(seen.iter().all(|n| *n >= 15), "{seen:?}");
}
