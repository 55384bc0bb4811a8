//! Translations along a line: when two meshes meet first and last, and the way out.
//!
//! B as posed (its vertices rounded once by [`Pose::apply`](impinge_geometry::Pose::apply)) is
//! translated by `s d` for real `s` and a given direction `d`. The `s` at which two triangles meet are
//! a closed interval with rational ends.
//!
//! 1. `exact`: these ends, in fractions. `filter`: in f64, with bounds.
//! 2. `slabs`: bounds for oriented boxes.
//! 3. `last`: the last contact of two meshes, by trees. The first is that of the opposite direction.
//! 4. `free`: where contacts that begin at 0 end, by going through them in order.
//! 5. `exit`: the way out, verified at its pose.
//!
//! ```
//! use impinge_continuous::geometry::{Pose, Vector};
//! use impinge_continuous::query::{Control, Meaning};
//! use impinge_continuous::translation::{TranslationBody, Translations, Way};
//! # let gear = impinge_models::Shape::Gear.mesh(500, 0);
//! let body = TranslationBody::new(&gear, &Control::NONE)?; // once a mesh
//! let pose = Pose::translation_by(Vector::new(0.5, 0.0, 0.0))?; // B in A's frame
//! let pair = Translations::new(&body, &body, &pose);
//! let up = Vector::new(0.0, 0.0, 1.0);
//! let exit = pair.exit(Way::LastContact, &up, Meaning::Solids, &Control::NONE)?;
//! assert!(exit.end.high <= exit.by && exit.by - exit.end.low <= 1e-9 * exit.by);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod direction;
mod exact;
mod exit;
mod filter;
mod fraction;
mod free;
mod last;
mod model;
mod pairs;
mod slabs;

pub use direction::BadDirection;
pub use exit::{Exit, ExitError, Way};
pub use free::Free;
pub use last::Passage;
pub use model::{TranslationBody, TranslationError, Translations};
pub use pairs::exits;
