//! Containment compared with the oracle: meshes inside one another, both ways, and the refusal of
//! surfaces that are not closed.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Control, Detector, Meaning, QueryError};

use super::examiner::Examiner;
use super::truth::Truth;
use super::{Outcome, Tally};
use crate::oracle;

/// A small body at random places in and around a large torus, in both orders. Engines that answer
/// only for surfaces pass if they refuse.
pub fn containment(detector: &dyn Detector) -> Outcome {
    if !detector.describe().meanings.contains(&Meaning::Solids) {
        return refuses(detector);
    }
    let mut tally = Tally::default();
    let large = Shape::Torus.mesh(100, 7);
    let small = Shape::Hull.mesh(24, 7).scaled(0.12).map_err(|e| e.to_string())?;
    let reach = 0.3 * large.diagonal();
    for (a, b) in [(&large, &small), (&small, &large)] {
        let mut examiner = Examiner::new(detector, a.clone(), b.clone())?;
        for index in 0..150 {
            let pose = Random::stream(5, index).pose(reach);
            let posed = b.posed(&pose).map_err(|e| e.to_string())?;
            let expected = oracle::solids(a, &posed);
            let answer = examiner.ask(&pose, &Ask::first_contact().solids())?;
            if answer.verdict.word() != expected.word() {
                let verdict = answer.verdict;
                return Err(format!("pose {index} {pose:?}: {verdict:?}, not {expected:?}"));
            }
            let only = examiner.ask(&pose, &Ask::first_contact().solids().verdict_only())?;
            if only.verdict != answer.verdict {
                let (verdict, other) = (only.verdict, answer.verdict);
                return Err(format!("pose {index} {pose:?}: {verdict:?} only, not {other:?}"));
            }
            tally.count(answer.verdict.is_hit());
        }
    }
    open_surface_is_an_error(detector)?;
    tally.balanced()
}

/// Solids turned inside out, wholly or in part, with cavities and with nested bodies: inside is any
/// winding number other than zero. Engines that answer only for surfaces pass as in
/// [`containment`].
pub fn inverted_solids(detector: &dyn Detector) -> Outcome {
    if !detector.describe().meanings.contains(&Meaning::Solids) {
        return refuses(detector);
    }
    let mut tally = Tally::default();
    let small = Shape::Hull.mesh(24, 7).scaled(0.5).map_err(|e| e.to_string())?;
    for (name, large) in inverted()? {
        let smaller = if tally.cases % 2 == 0 { small.clone() } else { small.flipped() };
        for (a, b) in [(&large, &smaller), (&smaller, &large)] {
            let mut examiner = Examiner::new(detector, a.clone(), b.clone())?;
            for index in 0..9 {
                let pose = Random::stream(0x50_11d, tally.cases as u64).pose(3.4);
                let truth = Truth::new(a, b, &pose)?;
                let only = Ask::first_contact().verdict_only();
                let asks = [Ask::first_contact(), only, Ask::nearer_than(0.0), Ask::contained_in()];
                for ask in asks.map(Ask::solids) {
                    if detector.describe().check(&ask).is_ok() {
                        let answer = examiner.ask(&pose, &ask)?;
                        truth
                            .judge(&ask, &answer)
                            .map_err(|e| format!("{name} pose {index} {pose:?}: {e}"))?;
                    }
                }
                tally.count(truth.solids() != oracle::Verdict::Separated);
            }
        }
    }
    tally.balanced()
}

/// Tetrahedra of a few units with coordinates so large that a pose that moves them to the origin
/// turns them inside out by rounding, with a small body inside each or beside it. The posed mesh
/// counts, so the small body is inside. Engines without solids pass as in [`containment`].
pub fn turned_by_rounding(detector: &dyn Detector) -> Outcome {
    if !detector.describe().meanings.contains(&Meaning::Solids) {
        return refuses(detector);
    }
    let mut tally = Tally::default();
    for index in 0.. {
        let Some((large, pose, middle)) = turned(index)? else { continue };
        let x = if tally.cases % 2 == 0 { 0.0 } else { 20.0 };
        let at = Pose::translation_by(middle.coords + Vector::new(x, 0.0, 0.0));
        let small = Shape::Cube.mesh(12, 0).scaled(1e-2).map_err(|e| e.to_string())?;
        let small = small.posed(&at.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
        let truth = Truth::new(&small, &large, &pose)?;
        if (truth.solids() == oracle::Verdict::Contained) != (x == 0.0) {
            continue;
        }
        let mut examiner = Examiner::new(detector, small, large)?;
        let ask = Ask::first_contact().solids();
        for ask in [ask, ask.verdict_only()] {
            let answer = examiner.ask(&pose, &ask)?;
            truth.judge(&ask, &answer).map_err(|e| format!("tetrahedron {index} {pose:?}: {e}"))?;
        }
        tally.count(x == 0.0);
        if tally.cases == 10 {
            break;
        }
    }
    tally.balanced()
}

/// A tetrahedron that faces outward, its pose, after which it faces inward, and its centre when
/// posed.
fn turned(index: u64) -> Result<Option<(Mesh, Pose, Point)>, String> {
    let mut r = Random::stream(0x7093, index);
    let about = r.vector(1.0, 2.0) * 2f64.powi(52);
    // Integers, so the sums are exact.
    let mut whole = |low, high| r.vector(low, high).map(f64::round);
    let about = about.map(f64::round);
    let corners = [(); 4].map(|()| Point::from(about + whole(-4.0, 4.0)));
    let volume = |p: &[Point]| (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(p[3] - p[0]));
    let turn = r.turned_to(Vector::zeros());
    let pose = Pose::new(*turn.rotation(), -turn.apply(&corners[0]).coords);
    let pose = pose.map_err(|e| e.to_string())?;
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    let posed = corners.map(|p| pose.apply(&p));
    let middle = Point::from(posed.iter().map(|p| p.coords).sum::<Vector>() * 0.25);
    let is_turned = volume(&corners) > 0.0 && volume(&posed) < -2.0;
    Ok(is_turned.then_some((mesh.map_err(|e| e.to_string())?, pose, middle)))
}

/// Bodies within four units of the origin, at least part of which has a winding number below zero
/// or above one.
fn inverted() -> Result<Vec<(&'static str, Mesh)>, String> {
    let cube = |half: f64| Shape::Cube.mesh(12, 0).scaled(2.0 * half).map_err(|e| e.to_string());
    let union = |parts: [&Mesh; 2]| Mesh::union(parts).map_err(|e| e.to_string());
    let (outer, inner) = (cube(3.2)?, cube(1.6)?);
    let aside = |x: f64| {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0));
        cube(1.5)?.posed(&pose.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
    };
    let shell = union([&outer, &inner.flipped()])?;
    let torus = Shape::Torus.mesh(60, 7).scaled(6.0).map_err(|e| e.to_string())?;
    let twice = union([&outer, &inner])?;
    Ok(vec![
        ("a cube inside out", outer.flipped()),
        ("a torus inside out", torus.flipped()),
        ("a shell inside out", shell.flipped()),
        ("two windings", twice.clone()),
        ("two windings inside out", twice.flipped()),
        ("one of two inside out", union([&aside(-1.7)?, &aside(1.7)?.flipped()])?),
    ])
}

fn open_surface_is_an_error(detector: &dyn Detector) -> Result<(), String> {
    let closed = Shape::Cube.mesh(12, 0);
    let open = Mesh::new(closed.vertices().to_vec(), closed.triangles()[1..].to_vec())
        .map_err(|e| e.to_string())?;
    let far = far_away()?;
    let outcome = first_contact(detector, &closed, &open, &far, &Ask::first_contact().solids());
    match outcome {
        Err(QueryError::NotClosed { .. }) => Ok(()),
        other => Err(format!("an open surface as a solid gave {other:?}")),
    }
}

fn refuses(detector: &dyn Detector) -> Outcome {
    let cube = Shape::Cube.mesh(12, 0);
    let far = far_away()?;
    match first_contact(detector, &cube, &cube, &far, &Ask::first_contact().solids()) {
        Err(QueryError::Unanswered { .. }) => Ok(Tally::default()),
        other => Err(format!("solids are not among its meanings, yet it gave {other:?}")),
    }
}

fn far_away() -> Result<Pose, String> {
    Pose::translation_by(Vector::new(10.0, 0.0, 0.0)).map_err(|e| e.to_string())
}

fn first_contact(
    detector: &dyn Detector,
    a: &Mesh,
    b: &Mesh,
    pose: &Pose,
    ask: &Ask,
) -> Result<(), QueryError> {
    let prepare = |m| {
        detector.prepare(m, &Control::NONE).map_err(|e| QueryError::Backend {
            word: detector.describe().word,
            reason: e.to_string(),
        })
    };
    let (a, b) = (prepare(a)?, prepare(b)?);
    let mut answer = impinge_query::Answer::default();
    detector.query(&a, &b, pose, &mut detector.memory(), ask, &Control::NONE, &mut answer)
}
