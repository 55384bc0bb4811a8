//! Image-based collision detection (fan 2003, §2.4): draws pairs of convex hulls into depth and
//! stencil images, many in one atlas, and reads from the pixels whether they overlap.
//!
//! **This crate must not know** of files, trees of triangles, threads, or wgpu by name.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`ImageEngine`] | one engine for both methods, generic over a form |
//! | [`ibcd`](ibcd()) | a hierarchy of convex patches |
//! | [`recode`](recode()) | the baseline: all pairs of patches, no hierarchy |
//! | `body` | a closed mesh as convex patches, and hulls for drawing |
//! | `viewport` | the view of a pair: direction, rectangle, depth range |
//! | `backend` | drawing: in software, or on a graphics adapter (feature `wgpu`) |
//! | `witness` | from a pixel to a point that provably lies in both hulls |
//! | `triangles` | the exact test of two patches |
//!
//! An image is a sample. [`Mode::Sampled`] trusts it, as the paper does. [`Mode::Certified`] uses
//! it only to order the tests; its answers are proved by exact signs. Documented in
//! `docs/methods/ibcd.md` and `recode.md`.
//!
//! ```
//! use impinge_image::ibcd;
//! use impinge_query::{Answer, Ask, Control, Engine, Verdict};
//! # use impinge_geometry::{Mesh, Point, Pose, Vector};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let engine = ibcd();
//! let model = engine.prepare(&tetrahedron, &Control::NONE)?;
//! let (mut memory, mut answer) = (engine.memory(), Answer::default());
//! let aside = Pose::translation_by(Vector::new(1.0, 0.0, 0.0))?;
//! let ask = Ask::all_contacts();
//! engine.query(&model, &model, &aside, &mut memory, &ask, &Control::NONE, &mut answer)?;
//! assert_eq!(answer.verdict, Verdict::Intersecting); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod backend;
mod body;
mod certified;
mod engine;
mod ibcd;
mod pair;
mod params;
mod recode;
mod sampled;
mod triangles;
mod viewport;
mod witness;

pub use body::Sent;
pub use engine::{ImageEngine, Memory};
#[cfg(feature = "wgpu")]
pub use ibcd::ibcd_on;
pub use ibcd::{Ibcd, ImageModel, Surveyed, ibcd, ibcd_with};
pub use params::{Drawing, Mode, Params};
pub use recode::{Recode, RecodeMemory, RecodeModel, recode, recode_with};
