//! The interface of collision detection: queries, answers, and the two layers of an engine:
//! [`Engine`] (typed, what methods implement) and [`Detector`] (object safe, what the facade, the
//! bench and the command line hold).
//!
//! **This crate must not know** any method, any tree or any GPU. Only [`batch`] knows threads:
//! those of the caller's pool.
//!
//! A query sees A in its own frame and B through the pose of B in A. `docs/conventions.md` defines
//! the terms used here (touching, solids, exact).

#![forbid(unsafe_code)]

pub mod answer;
pub mod ask;
pub mod batch;
pub mod broad;
pub mod contacts;
pub mod continuous;
pub mod describe;
pub mod details;
pub mod detector;
pub mod driver;
pub mod engine;
pub mod error;
pub mod lists;
pub mod order;
pub mod statistics;
pub mod subject;

pub use answer::{Answer, Backend, Certainty, Contact, Detail, Inner, Nearest, Verdict};
pub use ask::{Ask, Meaning, Question, QuestionKind};
pub use broad::{BroadPhase, Objects};
pub use contacts::Contacts;
pub use continuous::Continuous;
pub use describe::{Description, Needs};
pub use detector::{Detector, PairMemory, Prepared};
pub use driver::{Batching, Found, Goal, MeshModel, Query, Search};
pub use engine::{Engine, Hint, Model, ModelId, PairKey, Place};
pub use error::{BatchError, PrepareError, QueryError, RefitError, Side};
pub use statistics::{Counted, Counter, Pictures, Spread, Stage, Statistics, ThreadShare};
pub use subject::Subject;

pub use impinge_threads::{Cancel, Cancelled, Control, Looks, Moment, Progress, control};
