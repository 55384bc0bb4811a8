//! The readings of the thesis: what boxes, comparing bounds, and the edges of a leaf change in the
//! work. Contacts stay the same.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_parallel::methods::{EdgeBoxParams, SimpleParams, escd_with, sstcd_with};
use impinge_parallel::{Balanced, Form, ParallelEngine, Passed};
use impinge_query::{Answer, Ask, Contact, Control, Engine};

/// Summed over all poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    volumes: u64,
    primitives: u64,
    tasks: u64,
}

/// The contacts of each pose.
type Lists = Vec<Vec<Contact>>;

fn count<F: Form>(engine: &ParallelEngine<F>, mesh: &Mesh, ask: &Ask) -> (Counted, Lists) {
    let model = engine.prepare(mesh, &Control::NONE).expect("a legal mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let (mut counted, mut lists) = (Counted::default(), Vec::new());
    for index in 0..6 {
        let pose: Pose = Random::stream(21, index).pose(0.3 * mesh.diagonal());
        engine
            .query(&model, &model, &pose, &mut memory, &ask.counted(), &Control::NONE, &mut answer)
            .expect("an answer");
        let statistics = answer.statistics.as_ref().expect("counted");
        counted.volumes += statistics.volume_tests;
        counted.primitives += statistics.primitive_tests;
        counted.tasks += statistics.spread.as_ref().expect("tasks").tasks();
        lists.push(answer.contacts.clone());
    }
    (counted, lists)
}

/// Boxes and bounds: shrunk or not, compared or not.
const READINGS: [(bool, bool); 4] = [(true, true), (true, false), (false, true), (false, false)];

const fn builder(shrink: bool) -> Balanced {
    Balanced { lambda: 1.0, leaf: 10, nearly: 0.9, copies: 8, shrink }
}

fn boxes(ask: &Ask) -> [(Counted, Lists); 4] {
    let mesh = Shape::Trefoil.mesh(600, 3);
    READINGS.map(|(shrink, bounds_first)| {
        let builder = builder(shrink);
        count(&sstcd_with(SimpleParams { builder, bounds_first, ..Default::default() }), &mesh, ask)
    })
}

fn edges(passed: Passed, ask: &Ask) -> [(Counted, Lists); 4] {
    let mesh = Shape::Trefoil.mesh(600, 3);
    READINGS.map(|(shrink, bounds_first)| {
        let builder = builder(shrink);
        let params = EdgeBoxParams { builder, passed, bounds_first, ..Default::default() };
        count(&escd_with(params), &mesh, ask)
    })
}

const PASSED: [Passed; 3] = [Passed::All, Passed::Surviving, Passed::AllAtLeaves];

/// The counts of `escd` alone.
fn counts(passed: Passed) -> [Counted; 4] {
    edges(passed, &Ask::all_contacts()).map(|one| one.0)
}

/// The counts of `sstcd` alone.
fn counts_of_boxes() -> [Counted; 4] {
    boxes(&Ask::all_contacts()).map(|one| one.0)
}

#[test]
fn every_reading_finds_the_same_contacts() {
    let ask = Ask::all_contacts();
    let all = boxes(&ask);
    let truth = &all[0].1;
    let hits = truth.iter().filter(|list| !list.is_empty()).count();
    assert!(hits >= 3, "{hits} of {} hit", truth.len());
    for (counted, lists) in PASSED.iter().flat_map(|&passed| edges(passed, &ask)).chain(all.clone())
    {
        assert!(lists == *truth, "{counted:?}");
    }
}

#[test]
fn counts_do_not_change_from_run_to_run() {
    for ask in [Ask::first_contact(), Ask::all_contacts()] {
        assert!(boxes(&ask) == boxes(&ask), "sstcd");
        for passed in PASSED {
            assert!(edges(passed, &ask) == edges(passed, &ask), "{passed:?}");
        }
    }
}

/// Without comparing bounds, every comparison is a test; with it, at most half of them.
#[test]
fn comparing_bounds_first_leaves_fewer_tests() {
    for counted in PASSED.map(counts).iter().chain([&counts_of_boxes()]) {
        let [a, b, c, d] = counted;
        for [with, without] in [[a, b], [c, d]] {
            assert_eq!(with.tasks, without.tasks);
            assert_eq!(with.volumes - without.volumes, without.primitives, "each is compared once");
            assert!(2 * with.primitives < without.primitives, "{with:?} {without:?}");
        }
    }
}

/// Boxes that are not shrunk meet more often, and more of their triangles are apart.
#[test]
fn boxes_that_are_not_shrunk_cost_more_tests() {
    for counted in PASSED.map(counts).iter().chain([&counts_of_boxes()]) {
        let [_, shrunk, _, divided] = counted;
        assert!(4 * divided.primitives > 5 * shrunk.primitives, "{divided:?} {shrunk:?}");
        assert!(5 * divided.tasks > 6 * shrunk.tasks, "{divided:?} {shrunk:?}");
    }
}

/// The more edges are handed down, the more tests; the boxes that are reached are the same.
#[test]
fn fewer_edges_handed_down_make_fewer_tests() {
    let [all, surviving, letter] = PASSED.map(counts);
    for ((all, surviving), letter) in all.iter().zip(&surviving).zip(&letter) {
        assert_eq!((all.tasks, surviving.tasks), (letter.tasks, letter.tasks));
        assert!(5 * surviving.volumes < all.volumes, "{surviving:?} {all:?}");
        assert_eq!(surviving.primitives, all.primitives, "the same edges reach the leaves");
        assert!(letter.primitives > 2 * all.primitives, "{letter:?} {all:?}");
    }
    for (all, letter) in [(&all[1], &letter[1]), (&all[3], &letter[3])] {
        assert!(letter.primitives > 50 * all.primitives, "without comparing bounds");
    }
}

/// Edges against boxes make fewer tasks than pairs of boxes.
#[test]
fn edges_make_fewer_tasks() {
    for (edges, boxes) in counts(Passed::All).iter().zip(&counts_of_boxes()) {
        assert!(2 * edges.tasks < boxes.tasks, "{} and {} tasks", edges.tasks, boxes.tasks);
    }
}
