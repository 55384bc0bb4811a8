//! Answers are checked: wrong answers of an entry are counted, and a wrong answer of the reference
//! is an error.

use impinge::query::{
    Answer, Ask, Control, Description, Engine, PrepareError, QueryError, Question, Verdict,
};
use impinge::wide::{Memory, Wide, WideModel, wide};
use impinge::{Mesh, Pose};
use impinge_benches::progress::Listener;
use impinge_peers::entry::{Entry, reference};
use impinge_peers::scenes::Wishes;
use impinge_peers::session::{Plan, run};
use impinge_records::peers::{End, Measurement, Record};

/// The reference with every answer changed.
struct Changed(Wide, Description, Change);

type Change = fn(&Pose, &Ask, &mut Answer) -> Result<(), QueryError>;

fn changed(word: &'static str, title: &'static str, change: Change) -> Entry {
    let description = Description { word, title, ..*wide().describe() };
    Entry::new(Changed(wide(), description, change))
}

fn liar() -> Entry {
    changed("liar", "says what is not so", |_, ask, answer| {
        falsify(ask, answer);
        Ok(())
    })
}

fn falsify(ask: &Ask, answer: &mut Answer) {
    match ask.question {
        Question::AllContacts => {
            // Drop one pair and repeat another.
            answer.contacts.pop();
            answer.contacts.extend(answer.contacts.last().copied());
        }
        Question::FirstContact => {
            let hit = answer.verdict.is_hit();
            answer.verdict = if hit { Verdict::Separated } else { Verdict::Intersecting };
        }
        _ => {
            if let Some(nearest) = &mut answer.nearest {
                nearest.distance *= 1.0 + 1e-6;
            }
        }
    }
}

/// Throws where B is on one side.
fn throw(pose: &Pose, _: &Ask, _: &mut Answer) -> Result<(), QueryError> {
    let reason = "no".to_owned();
    let thrown = Err(QueryError::Backend { word: "thrower", reason });
    if pose.translation().x < 0.0 { thrown } else { Ok(()) }
}

impl Engine for Changed {
    type Model = WideModel;
    type Memory = Memory;

    fn describe(&self) -> &Description {
        &self.1
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<WideModel, PrepareError> {
        Engine::prepare(&self.0, mesh, control)
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn query(
        &self,
        a: &WideModel,
        b: &WideModel,
        pose: &Pose,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        Engine::query(&self.0, a, b, pose, memory, ask, control, answer)?;
        (self.2)(pose, ask, answer)
    }
}

fn outcome(entries: &[Entry]) -> (Vec<Measurement>, End) {
    let words = vec!["torus300".to_owned(), "torus300+sphere100/3".to_owned()];
    let wishes = Wishes { words, quick: true, poses: Some(2), seed: 3, ..Wishes::default() };
    let plan = Plan { wishes, ..Plan::default() };
    let mut rows = Vec::new();
    let mut write = |record: &Record| {
        if let Record::Measurement(row) = record {
            rows.push(row.clone());
        }
        Ok(())
    };
    let end = run(&plan, entries, &[], Listener::NONE, &mut write).expect("tori can be placed");
    (rows, end)
}

#[test]
fn an_entry_that_lies_is_reported_as_wrong() {
    let (rows, end) = outcome(&[reference(), liar()]);
    assert_eq!(end.wrong_answers_of_reference, 0);
    assert_eq!(end.measurements, rows.len());
    let (honest, lies): (Vec<&Measurement>, Vec<&Measurement>) =
        rows.iter().partition(|row| row.peer == "wide");
    assert_eq!((honest.len(), lies.len()), (2 * 16, 2 * 16), "8 + 4 + 4 targets");
    for row in honest {
        let faults = (row.false_hits, row.missed_hits, row.extra_pairs, row.missing_pairs);
        assert_eq!(faults, (0, 0, 0, 0), "{row:?}");
        assert!(row.wrong_poses.is_empty() && row.errors == 0, "{row:?}");
        assert_eq!(row.times_ns.len(), row.of);
    }
    let of =
        |question: &str| lies.iter().filter(|row| row.question == question).collect::<Vec<_>>();
    for row in of("first") {
        assert_eq!(row.false_hits + row.missed_hits, row.of, "{row:?}");
        assert_eq!(row.wrong_poses, (0..row.of).collect::<Vec<_>>());
    }
    for row in of("all").iter().filter(|row| row.pairs > 2) {
        assert!(row.missing_pairs > 0 && row.extra_pairs > 0, "{row:?}");
    }
    for row in of("distance") {
        assert!(
            row.distance_deviation.is_some_and(|off| (0.9e-6..1.1e-6).contains(&off)),
            "{row:?}"
        );
    }
    // Both verdicts must occur, or the check proves nothing.
    assert!(
        lies.iter().any(|row| row.false_hits > 0) && lies.iter().any(|row| row.missed_hits > 0)
    );
}

#[test]
fn a_reference_that_lies_fails_the_run() {
    let (rows, end) = outcome(&[liar()]);
    // Every answer to the first question is wrong, and others too.
    let asked: usize = rows.iter().filter(|row| row.question == "first").map(|row| row.of).sum();
    assert!(end.wrong_answers_of_reference > asked as u64, "{end:?}");
}

/// A pose at which an entry throws keeps its place: the times after it are those of the same poses as of
/// the others.
#[test]
fn an_entry_that_throws_at_some_poses_keeps_their_places() {
    let (rows, end) = outcome(&[reference(), changed("thrower", "throws", throw)]);
    assert_eq!(end.wrong_answers_of_reference, 0);
    let thrown: Vec<&Measurement> = rows.iter().filter(|row| row.peer == "thrower").collect();
    for row in &thrown {
        assert_eq!((row.times_ns.len(), row.judged()), (row.of, row.of), "{row:?}");
        assert_eq!((row.wrong_poses.len(), row.false_hits + row.missed_hits), (row.errors, 0));
    }
    let first = |row: &&&Measurement| row.wrong_poses == [0] && row.of == 2;
    assert!(thrown.iter().any(|row| first(&row)), "one throws at the first of two poses only");
}
