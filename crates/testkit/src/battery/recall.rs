//! One memory for many pairs: the check of hints.

use std::num::NonZero;

use impinge_geometry::{Pose, Vector};
use impinge_query::{Answer, Ask, Backend, Contact, Control, Detector, Hint, Place, Verdict};

use super::pairs::{pairs, pose};
use super::{Outcome, Tally};

/// After [`Detector::recall`], an answer depends on the hint alone: a memory that serves all pairs
/// gives the verdict and the contact that a new memory gives. With and without hints, and with hints
/// of triangles that the meshes do not have.
pub fn one_memory_serves_many(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let mut shared = detector.memory();
    let pairs = &pairs()[..3];
    let ask = Ask::first_contact();
    let mut models = Vec::new();
    for pair in pairs {
        let prepare = |mesh| detector.prepare(mesh, &Control::NONE).map_err(|e| e.to_string());
        models.push((prepare(&pair.a)?, prepare(&pair.b)?, Hint::default()));
    }
    for round in 0..30 {
        for (number, (pair, (a, b, kept))) in pairs.iter().zip(&mut models).enumerate() {
            // Some poses near each other in a row, so that what a memory knows of a pair shows.
            let start = pose(pair, 12, round);
            for turn in 0..4 {
                let hint = match (round + turn) % 3 {
                    0 => Hint::default(),
                    1 => *kept,
                    _ => hint_of_others(),
                };
                let step = Vector::new(0.02 * pair.reach * turn as f64, 0.0, 0.0);
                let place = Pose::new(*start.rotation(), start.translation() + step)
                    .map_err(|e| e.to_string())?;
                let mut found = |memory: &mut _| {
                    let mut answer = Answer::default();
                    detector.recall(a, b, memory, hint).map_err(|e| e.to_string())?;
                    (detector.query(a, b, &place, memory, &ask, &Control::NONE, &mut answer))
                        .map_err(|e| e.to_string())?;
                    *kept = detector.hint(memory);
                    // Which contact is the first, threads may decide by chance.
                    let by_chance = matches!(answer.backend, Backend::Threads(_));
                    let contacts = if by_chance { Vec::new() } else { answer.contacts };
                    Ok::<_, String>((answer.verdict, contacts))
                };
                let (with, without) = (found(&mut shared)?, found(&mut detector.memory())?);
                if with != without {
                    return Err(format!(
                        "pair {number}, round {round}: {with:?} with a shared memory, {without:?} \
                         with a new one"
                    ));
                }
                tally.count(with.0 != Verdict::Separated);
            }
        }
    }
    Ok(tally)
}

/// A hint whose triangles no mesh here has.
fn hint_of_others() -> Hint {
    let beyond = Contact { a: u32::MAX, b: 1 << 30 };
    let place = Place { a: NonZero::<u32>::MAX, b: NonZero::<u32>::MIN };
    Hint { met: Some(beyond), nearest: Some(beyond), place: Some(place) }
}
