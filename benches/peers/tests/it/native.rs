//! The interface to C++, tested with a stand-in library. Without a C++ compiler the test reports
//! this and passes.

use std::path::PathBuf;
use std::process::Command;

use impinge::query::{Answer, Ask, Control, Detector, Prepared, QuestionKind};
use impinge::{Mesh, Point, Pose};
use impinge_benches::harness::Query;
use impinge_benches::scene::NamedMesh;
use impinge_peers::entry::{Entry, reference};
use impinge_peers::native::{Kind, Loaded, open};

/// The entries of the stand-in, and the folder that holds it; `None` without a compiler.
fn stand_in(kind: Kind) -> Option<(tempfile::TempDir, Vec<Entry>)> {
    compiled(kind).map(|(folder, loaded)| (folder, loaded.entries))
}

/// The stand-in, and the folder that holds it; `None` without a compiler.
pub(crate) fn compiled(kind: Kind) -> Option<(tempfile::TempDir, Loaded)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("stand_in.so");
    let source: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests", "it", "stand_in.cpp"].iter().collect();
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let mut command = Command::new(compiler);
    command
        .args(["-std=c++17", "-Wall", "-Wextra", "-shared", "-fPIC", "-o"])
        .arg(&file)
        .arg(source);
    match command.output() {
        Err(error) => {
            eprintln!("nothing was tested: no C++ compiler ({error})");
            None
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{said}");
            Some((folder, open(kind, &file).expect("it is a shim")))
        }
    }
}

/// A strip of triangles whose last corner is at height `last`.
fn mesh(triangles: u32, last: f64) -> NamedMesh {
    let at = |k: u32| {
        Point::new(f64::from(k), f64::from(k % 2), if k == triangles + 1 { last } else { 0.0 })
    };
    let vertices = (0..triangles + 2).map(at).collect();
    let mesh = Mesh::new(vertices, (0..triangles).map(|k| [k, k + 1, k + 2]).collect());
    NamedMesh { name: format!("strip{triangles}"), mesh: mesh.expect("indices are in range") }
}

fn at(x: f64) -> Query {
    // A quarter turn about z; the first row is (0, -1, 0).
    let turn = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let pose = Pose::from_quaternion([x, 0.0, 0.5], turn).expect("a rotation");
    Query { a: 0, b: 1, pair: 0, pose }
}

#[test]
fn contacts_are_counted_and_listed_in_order() {
    let Some((_folder, entries)) = stand_in(Kind::Fcl) else { return };
    let fcl = &entries[0];
    assert_eq!((entries.len(), fcl.word()), (2, "fcl"));
    assert!(fcl.title.contains("of paper") && fcl.foreign);
    let (models, took) = fcl.prepare(&[mesh(2, 0.0), mesh(3, 0.0)]).expect("both are taken");
    assert_eq!(models.iter().map(Prepared::triangles).sum::<usize>(), 5);
    assert_eq!(models.iter().map(Prepared::bytes).sum::<usize>(), 4_002 + 5_003);
    assert!(took.iter().all(|seconds| *seconds > 0.0), "it has models for distances");
    let mut ready = fcl.ready();
    for (n, listed) in [(3, true), (3, false), (200, true), (7, true), (0, true)] {
        let all = Ask::all_contacts();
        let ask = if listed { all } else { fcl.timed(all) };
        ready.ask(&models, &at(f64::from(n)), &ask).expect("it answers");
        let list: Vec<(u32, u32)> = ready.answer.contacts.iter().map(|c| (c.a, c.b)).collect();
        let all: Vec<(u32, u32)> = (0..n).map(|k| (k, 0)).collect();
        assert_eq!(list, if listed { all } else { Vec::new() });
        let counted = (ready.answer.contacts_found, ready.answer.verdict.is_hit());
        assert_eq!(counted, (u64::from(n), n > 0));
    }
    ready.ask(&models, &at(5.0), &Ask::first_contact()).expect("it answers");
    let found = (ready.answer.contacts_found, ready.answer.contacts.len());
    assert_eq!(found, (1, 1), "one is enough");
}

#[test]
fn distances_take_their_own_models_and_the_pose_row_by_row() {
    let Some((_folder, entries)) = stand_in(Kind::Fcl) else { return };
    let models = entries[0].prepare(&[mesh(2, 3.0), mesh(3, 5.0)]);
    let mut ready = entries[0].ready();
    let (models, _) = models.expect("both are taken");
    ready.ask(&models, &at(0.0), &Ask::distance()).expect("it answers");
    let found = ready.answer.nearest.expect("a distance").distance;
    let expected = -10.0 + 0.5 + 300.0 + 5_000.0;
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn refusals_and_exceptions_are_errors() {
    let Some((_folder, entries)) = stand_in(Kind::Fcl) else { return };
    let fcl = &entries[0];
    let why = fcl.prepare(&[mesh(1, 0.0), mesh(2, 0.0)]).expect_err("the library refuses it");
    assert!(why.contains("strip1"), "{why}");
    let (models, _) = fcl.prepare(&[mesh(2, 0.0), mesh(2, 0.0)]).expect("both are taken");
    let mut ready = fcl.ready();
    for ask in [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), Ask::nearer_than(1.0)] {
        assert!(ready.ask(&models, &at(-1.0), &ask).is_err(), "{ask:?}");
    }
    // A model of another engine is rejected.
    let wide = reference();
    let (others, _) = wide.prepare(&[mesh(2, 0.0), mesh(2, 0.0)]).expect("taken");
    assert!(ready.ask(&others, &at(1.0), &Ask::first_contact()).is_err());
}

#[test]
fn models_of_different_libraries_do_not_mix() {
    let (Some((_one, first)), Some((_two, second))) = (stand_in(Kind::Fcl), stand_in(Kind::Fcl))
    else {
        return;
    };
    let [a, b] = [&first, &second].map(|entries| &entries[0].competitor.detector);
    let model = |detector: &dyn Detector| {
        detector.prepare(&mesh(2, 0.0).mesh, &Control::NONE).expect("it is taken")
    };
    let (mut memory, mut answer) = (a.memory(), Answer::default());
    let (own, other) = (model(&**a), model(&**b));
    let ask = Ask::first_contact();
    let pose = at(1.0).pose;
    let asked = a.query(&own, &other, &pose, &mut memory, &ask, &Control::NONE, &mut answer);
    assert!(asked.is_err());
}

#[test]
fn the_other_tree_and_default_options_are_entries_of_their_own() {
    let found = |entry: &Entry, ask: Ask| {
        let models = entry.prepare(&[mesh(2, 0.0), mesh(2, 0.0)]);
        let mut ready = entry.ready();
        let (models, took) = models.expect("both are taken");
        assert_eq!(took[1] > 0.0, entry.answers(QuestionKind::Distance), "a model for distances");
        ready.ask(&models, &at(0.0), &ask).expect("it answers");
        ready.answer.contacts_found
    };
    let all = |kind: Kind| {
        let (_folder, entries) = stand_in(kind)?;
        let of = |entry: &Entry| {
            let all = entry.answers(QuestionKind::AllContacts);
            let ask = if all { Ask::all_contacts() } else { Ask::first_contact() };
            (entry.word().to_owned(), entry.answers(QuestionKind::Distance), found(entry, ask))
        };
        Some(entries.iter().map(of).collect::<Vec<_>>())
    };
    let (Some(fcl), Some(coal)) = (all(Kind::Fcl), all(Kind::Coal)) else { return };
    let row = |word: &str, distance, found| (word.to_owned(), distance, found);
    assert_eq!(fcl, [row("fcl", true, 0), row("fcl-obbrss", false, 2)]);
    let default = row("coal-default", false, 1);
    assert_eq!(coal, [row("coal", true, 0), row("coal-obbrss", false, 2), default]);
}
