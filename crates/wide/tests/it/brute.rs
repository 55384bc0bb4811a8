//! All pairs of triangles, by the exact test and by the distance of triangles: what every answer is
//! compared with.

use impinge_geometry::{Mesh, Pose, Triangle, exact, triangle};
use impinge_query::{Answer, Ask, Contact, Control, Engine};
use impinge_wide::{Wide, WideModel, WideParams, Width, wide_with};

/// What all pairs say.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    /// In order.
    pub(crate) contacts: Vec<Contact>,
    /// Least distance of two triangles, in 64 bits.
    pub(crate) distance: f64,
    /// The first pair, in order, at that distance, if no two meet.
    pub(crate) nearest: Option<Contact>,
}

impl Truth {
    pub(crate) fn of(a: &Mesh, b: &Mesh, pose: &Pose) -> Self {
        let posed: Vec<Triangle> = b.corners().map(|t| t.map(|x| pose.apply(&x))).collect();
        let (mut contacts, mut distance, mut nearest) = (Vec::new(), f64::INFINITY, None);
        for (i, p) in (0u32..).zip(a.corners()) {
            for (j, q) in (0u32..).zip(&posed) {
                let pair = Contact { a: i, b: j };
                if exact::triangles_meet(&p, q) {
                    contacts.push(pair);
                } else if contacts.is_empty() {
                    let (d, ..) = triangle::distance_apart(&p, q);
                    if d < distance {
                        (distance, nearest) = (d, Some(pair));
                    }
                }
            }
        }
        if !contacts.is_empty() {
            (distance, nearest) = (0.0, None);
        }
        Self { contacts, distance, nearest }
    }
}

/// One engine for each instruction set that is here.
pub(crate) fn engines() -> Vec<Wide> {
    let here = Width::ALL.into_iter().filter(|width| width.is_present());
    here.map(|width| wide_with(WideParams { width: Some(width), ..WideParams::default() }))
        .collect()
}

/// What one engine says to one question.
pub(crate) fn ask(engine: Wide, a: &WideModel, b: &WideModel, pose: &Pose, ask: &Ask) -> Answer {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    engine.query(a, b, pose, &mut memory, ask, &Control::NONE, &mut answer).expect("in range");
    answer
}
