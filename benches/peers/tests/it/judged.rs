//! Contenders are judged: one that lies is found out, and the reference may not lie at all.

use impinge::query::{Answer, Question, QuestionKind, Verdict};
use impinge_benches::progress::Listener;
use impinge_benches::scene::NamedMesh;
use impinge_peers::ours;
use impinge_peers::peer::{Peer, Prepared, Task};
use impinge_peers::scenes::Wishes;
use impinge_peers::session::{Plan, run};
use impinge_records::peers::{End, Measurement, Record};

/// The reference, with every answer spoilt.
struct Liar(Box<dyn Peer>);

impl Peer for Liar {
    fn word(&self) -> &'static str {
        "liar"
    }

    fn title(&self) -> String {
        "says what is not so".to_owned()
    }

    fn answers(&self, question: QuestionKind) -> bool {
        self.0.answers(question)
    }

    fn prepare(&mut self, meshes: &[NamedMesh]) -> Result<Prepared, String> {
        self.0.prepare(meshes)
    }

    fn release(&mut self) {
        self.0.release();
    }

    fn ask(&mut self, task: &Task, answer: &mut Answer) -> Result<(), String> {
        self.0.ask(task, answer)?;
        match task.ask.question {
            Question::AllContacts => {
                // One pair is lost, one is told twice.
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
        Ok(())
    }
}

fn outcome(mut peers: Vec<Box<dyn Peer>>) -> (Vec<Measurement>, End) {
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
    let end = run(&plan, &mut peers, Listener::NONE, &mut write).expect("tori can be placed");
    (rows, end)
}

#[test]
fn a_peer_that_lies_is_reported_as_wrong() {
    let (rows, end) = outcome(vec![ours::reference(), Box::new(Liar(ours::reference()))]);
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
    // Both verdicts occurred, or nothing was judged.
    assert!(
        lies.iter().any(|row| row.false_hits > 0) && lies.iter().any(|row| row.missed_hits > 0)
    );
}

#[test]
fn a_reference_that_lies_fails_the_run() {
    let (rows, end) = outcome(vec![Box::new(Liar(ours::reference()))]);
    // Each of the answers to the first question, and more.
    let asked: usize = rows.iter().filter(|row| row.question == "first").map(|row| row.of).sum();
    assert!(end.wrong_answers_of_reference > asked as u64, "{end:?}");
}
