//! Verdicts and contact sets compared with the oracle: single triangles, posed meshes, and posed
//! meshes at other scales.

use impinge_geometry::{Mesh, Pose, Triangle};
use impinge_query::Detector;

use super::examiner::Examiner;
use super::pairs::{pairs, pose};
use super::{Outcome, Tally};
use crate::cases::{self, Class};

/// Single triangles of every class of [`cases`], 60 each, as meshes of one triangle.
pub fn triangle_pairs(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for class in Class::ALL {
        for index in 0..60 {
            let (p, q) = cases::generate(class, index);
            let mut examiner = Examiner::new(detector, single(&p)?, single(&q)?)?;
            let hit =
                examiner.judge(&Pose::identity()).map_err(|e| format!("{class:?} {index}: {e}"))?;
            tally.count(hit);
        }
    }
    tally.balanced()
}

fn single(t: &Triangle) -> Result<Mesh, String> {
    Mesh::new(t.to_vec(), vec![[0, 1, 2]]).map_err(|e| e.to_string())
}

/// Four pairs of meshes, 60 random poses each.
pub fn posed_meshes(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
        for index in 0..60 {
            let hit = examiner
                .judge(&pose(&pair, 1, index))
                .map_err(|e| format!("{} pose {index}: {e}", pair.name))?;
            tally.count(hit);
        }
    }
    tally.balanced()
}

/// As [`posed_meshes`] at other units of measure: 2⁻⁶⁰⁰, 1e-6, 1e6, 2⁶⁰⁰.
pub fn scaled_meshes(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs().iter().take(2) {
        for scale in [2f64.powi(-600), 1e-6, 1e6, 2f64.powi(600)] {
            let scaled = |m: &Mesh| m.scaled(scale).map_err(|e| e.to_string());
            let mut examiner = Examiner::new(detector, scaled(&pair.a)?, scaled(&pair.b)?)?;
            for index in 0..12 {
                let pose = pose(pair, 2, index);
                let pose = Pose::new(*pose.rotation(), pose.translation() * scale)
                    .map_err(|e| e.to_string())?;
                let hit = examiner
                    .judge(&pose)
                    .map_err(|e| format!("{} × {scale:e}, pose {index}: {e}", pair.name))?;
                tally.count(hit);
            }
        }
    }
    tally.balanced()
}
