//! Broad phases on moving boxes: all find the same pairs, and one that does not is named.

use std::time::Duration;

use impinge::query::{BroadPhase, Control, Objects};
use impinge::scene::broad::EveryPair;
use impinge::wide::BoxTree;
use impinge_benches::progress::Listener;
use impinge_peers::broad::contender::{Contender, Rival, ours, parry};
use impinge_peers::broad::measure::{self, Effort};
use impinge_peers::broad::scenes::{Wanted, World, parse};
use impinge_peers::native::Kind;
use impinge_peers::scenes::Wishes;
use impinge_peers::session::{Plan, run};
use impinge_records::broad::Boxes;
use impinge_records::peers::Record;

use crate::native::compiled;

const STEPS: usize = 12;

const EFFORT: Effort = Effort { steps: Some(STEPS), quick: true, budget: Duration::from_secs(60) };

fn scene(word: &str) -> Wanted {
    parse(word, true).expect("it is a word for boxes").swap_remove(0)
}

fn measured(word: &str, contenders: &[Contender], effort: Effort) -> Result<Boxes, String> {
    measure::run(&scene(word), contenders, effort, Listener::NONE)
}

/// Brute force first, then all others; FCL's managers by the stand-in, if there is a compiler.
#[test]
fn all_find_the_pairs_of_brute_force() {
    let every = Contender::ours("every-pair", "brute force", |_| Ok(EveryPair::default()));
    let stand_in = compiled(Kind::Fcl);
    let mut contenders = vec![every];
    contenders.extend(ours().into_iter().chain(parry()));
    let own = contenders.len();
    let _folder = stand_in.map(|(folder, loaded)| {
        contenders.extend(loaded.contenders);
        assert_eq!(contenders.len(), own + 7, "trees, sweeps, intervals, cells");
        folder
    });
    let words = ["uniform300", "teleports300", "mixed300", "flat300"];
    let words = words.map(str::to_owned).to_vec();
    let wishes = Wishes { words: words.clone(), quick: true, ..Wishes::default() };
    let plan = Plan { wishes, steps: Some(STEPS), ..Plan::default() };
    let (mut told, mut found) = (0, Vec::new());
    let mut write = |record: &Record| {
        match record {
            Record::Run(run) => told = run.broad.len(),
            Record::Boxes(boxes) => found.push(boxes.clone()),
            Record::End(_) => {}
            other => return Err(format!("{other:?}")),
        }
        Ok(())
    };
    run(&plan, &[], &contenders, Listener::NONE, &mut write).expect("all agree");
    assert_eq!(told, contenders.len());
    assert_eq!(found.iter().map(|boxes| boxes.scene.clone()).collect::<Vec<_>>(), words);
    for boxes in found {
        // Each overlaps two to three others; fewer at the walls of a small space.
        assert!((200.0..500.0).contains(&boxes.pairs), "{}: {}", boxes.scene, boxes.pairs);
        assert_eq!((boxes.objects, boxes.rows.len()), (300, contenders.len()));
        for row in boxes.rows {
            let times = [0.0, row.tenth_us, row.median_us, row.max_us];
            assert!(times.is_sorted() && row.tenth_us > 0.0, "{row:?}");
            assert!(row.mean_us <= row.max_us && row.steps == STEPS, "{row:?}");
        }
    }
}

/// A rival that, from the third step on, loses its last pair, or reports another twice in its place.
struct Liar {
    honest: BoxTree,
    twice: bool,
    steps: usize,
}

impl Rival for Liar {
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) -> Result<(), String> {
        self.honest.update(&Objects::moving(world.boxes()), &Control::NONE).expect("not cancelled");
        self.honest.pairs(&Control::NONE, into).expect("not cancelled");
        self.steps += 1;
        if self.steps > 3 {
            into.pop();
            if self.twice {
                into.push(into[0]);
            }
        }
        Ok(())
    }
}

#[test]
fn one_that_loses_a_pair_is_named_with_another_that_does_not() {
    for twice in [false, true] {
        let honest = Contender::ours("honest", "", |_| Ok(BoxTree::default()));
        let liar = Contender::new("liar", "", move |_| {
            Ok(Liar { honest: BoxTree::default(), twice, steps: 0 })
        });
        let why = measured("uniform200", &[honest, liar], EFFORT).expect_err("one lies");
        for part in ["uniform200, step 3: ", "honest", "liar"] {
            assert!(why.contains(part), "{part} in {why}");
        }
        assert_eq!(why.contains("as many, but others"), twice, "{why}");
    }
}

#[test]
fn who_is_slow_leaves_and_who_takes_fewer_boxes_is_not_asked() {
    let tree = |word: &str| Contender::ours(word, "", |_| Ok(BoxTree::default()));
    let mut small = tree("small");
    small.most = 99;
    let found = measured("flat100", &[tree("a"), small, tree("b")], EFFORT).expect("all agree");
    let words: Vec<&str> = found.rows.iter().map(|row| row.peer.as_str()).collect();
    assert_eq!(words, ["a", "b"]);
    let hasty = Effort { budget: Duration::ZERO, ..EFFORT };
    let found = measured("flat100", &[tree("a"), tree("b")], hasty).expect("all agree");
    assert!(found.rows.iter().all(|row| row.steps == 1) && found.pairs > 0.0, "{found:?}");
}

#[test]
fn a_library_that_refuses_the_boxes_is_named() {
    let Some((_folder, loaded)) = compiled(Kind::Fcl) else { return };
    let why = measured("uniform1", &loaded.contenders, EFFORT).expect_err("it refuses one box");
    assert!(why.contains("uniform1: fcl-tree: "), "{why}");
}
