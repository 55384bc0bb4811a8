//! Ten thousand steps of coherent motion with teleports in between: a traversal that remembers must
//! answer like one that begins at the root, and visit fewer node pairs.

use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_hierarchy::build::{Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::leaf::SeventeenAxes;
use impinge_hierarchy::methods::obbtree;
use impinge_hierarchy::traverse::{
    Front, FrontOfBoth, LargerFirst, LeafPair, Restart, Simultaneous, Tested, Traversal, Trees,
};
use impinge_hierarchy::volume::Volume;
use impinge_hierarchy::{NodePair, TreeEngine};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancelled, Control, Counter, Engine, Verdict};

const STEPS: usize = 10_000;

/// A walk of B near A with a teleport every 500 steps. About half of the steps touch.
fn walk() -> Vec<Pose> {
    let mut random = Random::new(8);
    let mut poses = Vec::with_capacity(STEPS);
    let mut place = Pose::identity();
    for step in 0..STEPS {
        if step % 500 == 0 {
            let at = random.unit_vector() * random.range(0.9, 1.3);
            place = random.turned_to(at);
        }
        let small = random.vector(-0.01, 0.01) - place.translation() * 0.002;
        let v = random.vector(-0.005, 0.005);
        let turn = [v.x, v.y, v.z, (1.0 - v.norm_squared()).sqrt()];
        let turn = Pose::from_quaternion([0.0; 3], turn).expect("a unit quaternion");
        let turned = place.then_inner(&turn);
        let moved = place.translation() + small;
        // Pushed out again when too deep.
        let moved = if moved.norm() < 0.8 { moved * 1.05 } else { moved };
        place = Pose::new(*turned.rotation(), moved).expect("a rotation");
        poses.push(place);
    }
    poses
}

type Tree<T> = TreeEngine<TopDown<ObbRowsFit, Mean>, T, SeventeenAxes>;

fn tree<T: Traversal>(traversal: T) -> Tree<T> {
    let root = obbtree();
    TreeEngine::new(root.description, root.builder, traversal, SeventeenAxes)
}

/// Verdicts (and contacts, if all are asked) of every step, and the sum of volume tests.
fn answers<T: Traversal>(traversal: T, poses: &[Pose], ask: &Ask) -> (Vec<Answer>, u64) {
    let engine = tree(traversal);
    let a = engine.prepare(&Shape::Torus.mesh(600, 0), &Control::NONE).expect("a mesh");
    let b = engine.prepare(&Shape::Gear.mesh(500, 0), &Control::NONE).expect("a mesh");
    let mut memory = engine.memory();
    let (mut all, mut tests) = (Vec::new(), 0);
    for pose in poses {
        let mut answer = Answer::default();
        engine
            .query(&a, &b, pose, &mut memory, &ask.counted(), &Control::NONE, &mut answer)
            .expect("an answer");
        tests += answer.statistics.take().expect("counted").volume_tests;
        all.push(answer);
    }
    (all, tests)
}

/// Compares a traversal with the root's; returns the shares of hits and of volume tests.
fn compare<T: Traversal>(traversal: T, ask: &Ask, poses: &[Pose]) -> Result<(f64, f64), String> {
    let (root, tests) = answers(LargerFirst, poses, ask);
    let (other, fewer) = answers(traversal, poses, ask);
    let mut hits = 0;
    for (step, (x, y)) in root.iter().zip(&other).enumerate() {
        if x.verdict != y.verdict {
            return Err(format!("step {step}: {:?}, from the root {:?}", y.verdict, x.verdict));
        }
        if *ask == Ask::all_contacts() && x.contacts != y.contacts {
            return Err(format!(
                "step {step}: {} contacts of {}",
                y.contacts.len(),
                x.contacts.len()
            ));
        }
        hits += usize::from(x.verdict == Verdict::Intersecting);
    }
    Ok((hits as f64 / poses.len() as f64, fewer as f64 / tests as f64))
}

#[test]
fn a_restart_answers_like_the_root_with_fewer_tests() {
    let (hits, tests) = compare(Restart, &Ask::first_contact(), &walk()).expect("the same answers");
    assert!((0.3..=0.7).contains(&hits), "{hits} hit");
    assert!(tests < 0.8, "{tests} of the root's volume tests");
}

#[test]
fn a_front_answers_like_the_root_with_fewer_tests() {
    let poses = walk();
    let (_, tests) = compare(Front, &Ask::first_contact(), &poses).expect("the same answers");
    assert!(tests < 1.0, "{tests} of the root's volume tests");
    let (_, tests) = compare(Front, &Ask::all_contacts(), &poses).expect("the same contacts");
    assert!(tests < 0.9, "{tests} of the root's volume tests");
}

#[test]
fn a_front_of_both_answers_like_the_root_with_fewer_tests() {
    let poses = &walk()[..3_000];
    let sum = |traversal| answers(traversal, poses, &Ask::all_contacts()).1;
    let (root, tests) =
        (answers(Simultaneous, poses, &Ask::all_contacts()).1, sum(FrontOfBoth { renewed: true }));
    assert!(tests < root, "{tests} of {root} volume tests");
    compare(FrontOfBoth { renewed: true }, &Ask::all_contacts(), poses).expect("the same contacts");
    compare(FrontOfBoth { renewed: true }, &Ask::first_contact(), poses)
        .expect("the same verdicts");
}

/// On a long approach a front that only sinks takes more tests than one that is renewed.
#[test]
fn a_front_pays_on_a_long_approach_if_it_is_renewed() {
    let turned = walk()[0];
    let at = |k: u32| turned.translation() * (1.0 - 0.002 * f64::from(k));
    let poses: Vec<Pose> =
        (0..400).map(|k| Pose::new(*turned.rotation(), at(k)).expect("a rotation")).collect();
    let sum = |renewed| answers(FrontOfBoth { renewed }, &poses, &Ask::all_contacts()).1;
    let root = answers(Simultaneous, &poses, &Ask::all_contacts()).1;
    let (sinking, renewed) = (sum(false), sum(true));
    assert!(renewed < root && renewed < sinking, "{renewed} {root} {sinking}");
    compare(FrontOfBoth { renewed: true }, &Ask::all_contacts(), &poses).expect("the same");
}

/// At every step a first contact, which is remembered, then all contacts from there; the first step
/// whose contacts are not the root's.
fn first_wrong_step<T: Traversal>(traversal: T, poses: &[Pose]) -> Option<usize> {
    let (root, _) = answers(LargerFirst, poses, &Ask::all_contacts());
    let engine = tree(traversal);
    let a = engine.prepare(&Shape::Torus.mesh(600, 0), &Control::NONE).expect("a mesh");
    let b = engine.prepare(&Shape::Gear.mesh(500, 0), &Control::NONE).expect("a mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    poses.iter().zip(root).position(|(pose, root)| {
        for ask in [Ask::first_contact(), Ask::all_contacts()] {
            engine
                .query(&a, &b, pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
        }
        answer.contacts != root.contacts
    })
}

#[test]
fn a_restart_finds_every_contact() {
    let poses = &walk()[..2000];
    assert_eq!(first_wrong_step(Restart, poses), None);
    assert!(first_wrong_step(NeverWidens, poses).is_some(), "the faults is not noticed");
}

/// A restart that never widens: what a test must notice.
#[derive(Clone, Copy, Debug)]
struct NeverWidens;

impl Traversal for NeverWidens {
    type Memory = Vec<NodePair>;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut Vec<NodePair>,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        if let Some([s, t]) = memory.first().copied() {
            if leaf(LeafPair::new(s, t), counter).is_continue() {
                memory.clear();
            }
            return Ok(());
        }
        let mut last = None;
        LargerFirst.walk(trees, &mut Vec::new(), counter, control, |pair, counter| {
            let flow = leaf(pair, counter);
            if flow.is_break() {
                last = Some([pair.a, pair.b]);
            }
            flow
        })?;
        memory.extend(last);
        Ok(())
    }
}

#[test]
fn a_restart_that_never_widens_is_noticed() {
    let why = compare(NeverWidens, &Ask::first_contact(), &walk()).expect_err("misses contacts");
    assert!(why.contains("Separated"), "{why}");
}
