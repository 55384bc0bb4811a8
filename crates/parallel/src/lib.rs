//! Parallel detection (fan ch. 4): the work of one query as tasks, and schedules that distribute
//! them to threads.
//!
//! A method is *tasks × schedule*: [`task::Tasks`] defines what a task does and which tasks it
//! leaves, [`Schedule`] their order and concurrency, [`Pool`] the threads. Contacts are the same
//! for every schedule and number of threads.
//!
//! | part | here | what it decides |
//! | --- | --- | --- |
//! | tree | [`Balanced`] boxes; oriented boxes over [`patches`] | the unit of a task |
//! | tasks | [`boxes`], [`edge_boxes`], [`descent`] | what is tested against what |
//! | schedule | queue, levels, stealing | the order, and the barriers |
//!
//! **This crate must not know** of GPUs, files, or tree methods by name.
//!
//! ```
//! use impinge_parallel::{geometry::Pose, query::{Ask, Control, Engine}, edge_steal};
//! # use impinge_parallel::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let model = edge_steal().prepare(&tetrahedron, &Control::NONE)?; // once for many questions
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = edge_steal().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod balanced;
mod bounds;
pub mod boxes;
pub mod descent;
pub mod edge_boxes;
mod edge_face;
mod engine;
pub mod methods;
mod model;
mod patch_pair;
pub mod patches;
mod pool;
mod schedule;
mod shared_queue;
mod sync;
pub mod task;
mod trace;
mod workers;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use balanced::Balanced;
pub use edge_boxes::Passed;
pub use engine::{Form, ParallelEngine};
pub use methods::{edge_steal, epcd, escd, spcd, sstcd};
pub use model::{BalancedModel, OnTree};
pub use pool::Pool;
pub use schedule::Schedule;
pub use trace::{Trace, Traced};
pub use workers::Work;
