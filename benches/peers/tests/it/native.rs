//! The way to C++ and back, with a stand-in for a library; where there is no C++ compiler it says so and passes.

use std::path::PathBuf;
use std::process::Command;

use impinge::query::{Answer, Ask, QuestionKind};
use impinge::{Mesh, Point, Pose};
use impinge_benches::scene::NamedMesh;
use impinge_peers::native::{Kind, open};
use impinge_peers::peer::{Peer, Task};

/// The contenders of the stand-in, with the folder that it lies in; `None` without a compiler.
fn stand_in(kind: Kind) -> Option<(tempfile::TempDir, Vec<Box<dyn Peer>>)> {
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

fn task(ask: Ask, x: f64, listed: bool) -> Task {
    // A quarter turn about z: the first row is (0, -1, 0).
    let turn = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let pose = Pose::from_quaternion([x, 0.0, 0.5], turn).expect("a rotation");
    Task { b: 1, pose, ask, listed }
}

#[test]
fn contacts_are_counted_and_listed_in_order() {
    let Some((_folder, mut peers)) = stand_in(Kind::Fcl) else { return };
    assert_eq!((peers.len(), peers[0].word()), (1, "fcl"));
    assert!(peers[0].title().contains("of paper"));
    let prepared = peers[0].prepare(&[mesh(2, 0.0), mesh(3, 0.0)]).expect("both are taken");
    assert_eq!((prepared.triangles, prepared.bytes), (5, Some(4_002 + 5_003)));
    assert!(prepared.distance_seconds.is_some(), "it has models for distances");
    let mut answer = Answer::default();
    for (n, listed) in [(3, true), (3, false), (200, true), (7, true), (0, true)] {
        let task = task(Ask::all_contacts(), f64::from(n), listed);
        peers[0].ask(&task, &mut answer).expect("it answers");
        let list: Vec<(u32, u32)> = answer.contacts.iter().map(|c| (c.a, c.b)).collect();
        let all: Vec<(u32, u32)> = (0..n).map(|k| (k, 0)).collect();
        assert_eq!(list, if listed { all } else { Vec::new() });
        assert_eq!((answer.contacts_found, answer.verdict.is_hit()), (u64::from(n), n > 0));
    }
    peers[0].ask(&task(Ask::first_contact(), 5.0, true), &mut answer).expect("it answers");
    assert_eq!((answer.contacts_found, answer.contacts.len()), (1, 1), "one is enough");
}

#[test]
fn distances_take_their_own_models_and_the_pose_row_by_row() {
    let Some((_folder, mut peers)) = stand_in(Kind::Fcl) else { return };
    peers[0].prepare(&[mesh(2, 3.0), mesh(3, 5.0)]).expect("both are taken");
    let mut answer = Answer::default();
    peers[0].ask(&task(Ask::distance(), 0.0, false), &mut answer).expect("it answers");
    let found = answer.nearest.expect("a distance").distance;
    let expected = -10.0 + 0.5 + 300.0 + 5_000.0;
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn refusals_and_exceptions_are_errors() {
    let Some((_folder, mut peers)) = stand_in(Kind::Fcl) else { return };
    let why = peers[0].prepare(&[mesh(1, 0.0)]).expect_err("the library refuses it");
    assert!(why.contains("strip1"), "{why}");
    let mut answer = Answer::default();
    assert!(peers[0].ask(&task(Ask::first_contact(), 1.0, false), &mut answer).is_err());
    peers[0].prepare(&[mesh(2, 0.0), mesh(2, 0.0)]).expect("both are taken");
    for ask in [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), Ask::nearer_than(1.0)] {
        assert!(peers[0].ask(&task(ask, -1.0, true), &mut answer).is_err(), "{ask:?}");
    }
    peers[0].release();
    assert!(peers[0].ask(&task(Ask::first_contact(), 1.0, false), &mut answer).is_err());
}

#[test]
fn default_options_are_a_contender_of_their_own() {
    let Some((_folder, mut peers)) = stand_in(Kind::Coal) else { return };
    let words: Vec<&str> = peers.iter().map(|peer| peer.word()).collect();
    assert_eq!(words, ["coal", "coal-default"]);
    let mut hits = Vec::new();
    for peer in &mut peers {
        peer.prepare(&[mesh(2, 0.0), mesh(2, 0.0)]).expect("both are taken");
        let mut answer = Answer::default();
        peer.ask(&task(Ask::first_contact(), 0.0, false), &mut answer).expect("it answers");
        hits.push(answer.verdict.is_hit());
    }
    assert_eq!(hits, [false, true], "only the second has plain options");
    assert!(peers[0].answers(QuestionKind::Distance) && !peers[1].answers(QuestionKind::Distance));
}
