//! Tests of the harness.

use impinge::Vector;
use impinge::parallel::methods::{EdgeStealParams, edge_steal_with};
use impinge::parallel::{Pool, edge_steal, escd, spcd};
use impinge::{Method, Pose};
use impinge_models::{FanScene, Scene, Shape};

use super::task_tree::{PROCESSORS, grow};
use super::*;

fn interlocked(triangles: usize, steps: usize) -> Workload {
    Workload::every_pair(Scene::interlocked(Shape::Torus, triangles, 1, steps).expect("a scene"))
}

#[test]
fn everyone_has_a_turn_at_every_step_and_another_is_first_each_time() {
    let mut turns = Vec::new();
    take_all_turns(3, 2, 2, |turn| turns.push((turn.pass, turn.step, turn.who, turn.first)));
    let firsts: Vec<usize> = turns.iter().filter(|turn| turn.3).map(|turn| turn.2).collect();
    assert_eq!(firsts, [0, 1, 1, 2]);
    for three in turns.chunks(3) {
        let mut who: Vec<usize> = three.iter().map(|turn| turn.2).collect();
        who.sort_unstable();
        assert_eq!(who, [0, 1, 2]);
        assert!(three.iter().all(|turn| (turn.0, turn.1) == (three[0].0, three[0].1)));
    }
    let mut done = 0;
    let stopped = take_turns(2, 9, 9, |turn| {
        done += 1;
        if turn.step == 1 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((stopped, done), (Err("enough"), 3));
}

#[test]
fn every_pair_is_asked_at_every_step() {
    let scene = FanScene::Bodies.with(5_000, 1, 3).expect("a scene");
    let asked = Workload::every_pair(scene);
    assert_eq!((asked.pairs, asked.steps.len(), asked.steps[2].len()), (105, 3, 105));
    assert!((4_500..5_500).contains(&asked.triangles), "{}", asked.triangles);
}

#[test]
fn competitors_are_counted_and_timed() {
    let pose = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("a pose");
    let poses = [0.3, 0.9, 1.5].map(pose);
    let workload = Workload::motion(vec![Shape::Sphere.mesh(100, 1)], [0, 0], &poses);
    let twice = Competitor::named(&["obbtree", "obbtree"]).expect("it is built");
    let ask = Ask::all_contacts();
    let found = compete(&twice, &workload, &ask, Rules::passes(2), Listener::NONE).expect("runs");
    assert_eq!(found[0].hit, [true, true, false]);
    assert_eq!((found[0].hits(), found[0].volume_tests), (2, found[1].volume_tests));
    for timing in &found {
        assert!(timing.total() > 0.0 && timing.total().is_finite());
        assert!((timing.mean() - timing.total() / 3.0).abs() < 1e-6);
    }
    let counted = count(&twice[0], &workload, &ask, false).expect("it runs");
    assert_eq!((counted.contacts, counted.least.len()), (found[0].contacts, 0));
}

#[test]
fn what_took_long_enough_is_timed_once() {
    let workload = interlocked(300, 2);
    let both = Competitor::named(&["sstcd", "escd"]).expect("both are built");
    let rules = Rules { enough: Duration::ZERO, ..Rules::passes(4) };
    let found = compete(&both, &workload, &Ask::all_contacts(), rules, Listener::NONE);
    for timing in found.expect("they agree") {
        let [odd, even] = &timing.halves;
        assert!(odd == &timing.least && odd.iter().all(|time| time.is_finite()));
        assert!(even.iter().all(|time| time.is_infinite()), "there is no second pass");
        assert_eq!(timing.passes, odd.iter().map(|time| vec![*time]).collect::<Vec<_>>());
    }
}

#[test]
fn who_has_more_passes_is_compared_by_as_many() {
    let timing = |passes: &[&[f64]]| Timing {
        passes: passes.iter().map(|step| step.to_vec()).collect(),
        ..Timing::default()
    };
    let (slow, quick) = (timing(&[&[9.0], &[3.0, 4.0]]), timing(&[&[5.0, 1.0], &[2.0, 1.0]]));
    assert_eq!(level([&slow, &quick]), [vec![9.0, 3.0], vec![5.0, 1.0]]);
    assert_eq!(level([&quick, &quick]), [vec![1.0, 1.0], vec![1.0, 1.0]]);
}

#[test]
fn who_was_idle_is_seen() {
    let workload = interlocked(500, 3);
    let pool = Pool::of(2).expect("two threads");
    let stealing = edge_steal_with(EdgeStealParams { pool, ..Default::default() });
    let both = [Competitor::new("escd", escd()), Competitor::new("steal", stealing)];
    let rules = Rules { warm: 3, ..Rules::passes(2) };
    let found = compete(&both, &workload, &Ask::all_contacts(), rules, Listener::NONE);
    for timing in found.expect("they agree") {
        assert!(timing.mean() > 0.0 && timing.tasks > 0 && timing.bytes > 0.0);
        let [odd, even] = &timing.halves;
        assert!((0..3).all(|step| timing.least[step] == odd[step].min(even[step])));
        assert!((0.0..1.0).contains(&timing.idle()) && timing.noise() >= 0.0);
    }
}

#[test]
fn different_answers_are_an_error() {
    let two = ["one", "other"].map(|label| Competitor::new(label, escd()));
    let both = [&two[0], &two[1]];
    let timing = |contacts| Timing { contacts, ..Timing::default() };
    let found = [timing(3), timing(4)];
    let why = agree(&both, &found, &Ask::all_contacts()).expect_err("they differ");
    assert!(why.contains("other and one disagree"), "{why}");
    assert!(agree(&both, &found, &Ask::first_contact()).is_ok());
    let hits = |hit: [bool; 2]| Timing { hit: hit.to_vec(), ..Timing::default() };
    for (other, same) in [([true, false], true), ([true, true], false), ([false, true], false)] {
        let found = [hits([true, false]), hits(other)];
        let agreed = agree(&both, &found, &Ask::first_contact()).is_ok();
        assert_eq!(agreed, same, "{other:?}: as many hits are not the same ones");
    }
}

#[test]
fn a_method_that_is_not_there_is_named() {
    let why = Competitor::named(&["obbtree", "attic"]).expect_err("there is no attic");
    assert!(why.contains("attic"), "{why}");
    assert_eq!(Competitor::from(Method::ObbTree).label, "obbtree");
}

#[test]
fn a_ladder_ends_at_the_machine() {
    assert_eq!(ladder(1), [1, 2]);
    assert_eq!(ladder(2), [1, 2]);
    assert_eq!(ladder(6), [1, 2, 4, 6]);
    assert_eq!(ladder(8), [1, 2, 4, 8]);
}

#[test]
fn a_tree_of_tasks_keeps_its_bounds() {
    let workload = interlocked(1_000, 2);
    let ask = Ask::all_contacts();
    let boxes = grow(&spcd(), &workload, &ask, 1).expect("it runs");
    let slices = grow(&edge_steal(), &workload, &ask, 1).expect("it runs");
    for tree in [boxes, slices] {
        assert!(tree.portions > 1 && tree.span > 0.0 && tree.parallelism() >= 1.0);
        assert!(tree.on.iter().all(|time| *time >= tree.span));
        let most = PROCESSORS.map(|n| n as f64);
        assert!(tree.speed_ups().iter().zip(most).all(|(up, most)| *up <= most));
    }
}
