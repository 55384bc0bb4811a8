//! Containment against the oracle: meshes inside one another, both ways, and the refusal of
//! surfaces without an inside.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Control, Detector, Meaning, QueryError};

use super::examiner::Examiner;
use super::{Outcome, Tally};
use crate::oracle;

/// A small body at random places in and around a large hollow one, both ways round. Engines that
/// answer only for surfaces pass by refusing.
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
            tally.count(answer.verdict.is_hit());
        }
    }
    open_surface_is_an_error(detector)?;
    tally.balanced()
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
    Pose::translation_by(impinge_geometry::Vector::new(10.0, 0.0, 0.0)).map_err(|e| e.to_string())
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
