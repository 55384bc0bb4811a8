//! Tests of [`contest`](super::contest) and [`task_tree`](super::task_tree). They stand in a file of
//! their own because the bench `parallel` shares those two and runs no tests.

use impinge::parallel::methods::{EdgeStealParams, edge_steal_with};
use impinge::parallel::{Pool, edge_steal, escd, spcd};
use impinge::query::Ask;
use impinge_benches::progress::Listener;
use impinge_models::{FanScene, Scene, Shape};

use super::contest::{Asked, Entrant, Lap, agree, contest, ladder};
use super::task_tree::{PROCESSORS, grow};

#[test]
fn every_pair_is_asked_at_every_step() {
    let scene = FanScene::Bodies.with(5_000, 1, 3).expect("a scene");
    let asked = Asked::of(scene);
    assert_eq!((asked.pairs, asked.steps.len(), asked.steps[2].len()), (105, 3, 105));
    assert!((4_500..5_500).contains(&asked.triangles), "{}", asked.triangles);
}

#[test]
fn a_contest_counts_times_and_sees_who_was_idle() {
    let asked = Asked::of(Scene::interlocked(Shape::Torus, 500, 1, 3).expect("a scene"));
    let pool = Pool::of(2).expect("two threads");
    let stealing = edge_steal_with(EdgeStealParams { pool, ..Default::default() });
    let entrants = [Entrant::new("escd", escd()), Entrant::new("steal", stealing)];
    let laps = contest(&entrants, &asked, &Ask::all_contacts(), 2, Listener::NONE);
    let laps = laps.expect("they agree");
    assert!(laps.iter().all(|lap| lap.nanoseconds > 0.0 && lap.tasks > 0 && lap.bytes > 0.0));
    assert!(laps.iter().all(|lap| lap.nanoseconds <= lap.halves[0].min(lap.halves[1])));
    assert!(laps.iter().all(|lap| (0.0..1.0).contains(&lap.idle) && lap.noise() >= 0.0));
}

#[test]
fn different_answers_are_an_error() {
    let two = ["one", "other"].map(|label| Entrant::new(label, escd()));
    let entrants = [&two[0], &two[1]];
    let lap = Lap { contacts: 3, ..Lap::default() };
    let laps = [lap.clone(), Lap { contacts: 4, ..lap }];
    let why = agree(&entrants, &laps, &Ask::all_contacts()).expect_err("they differ");
    assert!(why.contains("other and one disagree"), "{why}");
    assert!(agree(&entrants, &laps, &Ask::first_contact()).is_ok());
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
    let asked = Asked::of(Scene::interlocked(Shape::Torus, 1_000, 1, 2).expect("a scene"));
    let ask = Ask::all_contacts();
    let boxes = grow(&spcd(), &asked, &ask, 1).expect("it runs");
    let slices = grow(&edge_steal(), &asked, &ask, 1).expect("it runs");
    for tree in [boxes, slices] {
        assert!(tree.portions > 1 && tree.span > 0.0 && tree.parallelism() >= 1.0);
        assert!(tree.on.iter().all(|time| *time >= tree.span));
        let most = PROCESSORS.map(|n| n as f64);
        assert!(tree.speed_ups().iter().zip(most).all(|(up, most)| *up <= most));
    }
}
