//! Image-based collision detection. Draws pairs of convex hulls into depth and stencil images, many
//! in one atlas, and reads from the pixels whether they overlap (fan 2003, §2.4); or whole meshes into
//! layered depth images (sbv §3).
//!
//! **This crate must not know** of files, trees of triangles, threads, or wgpu by name.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`ImageEngine`] | one engine for `ibcd` and `recode`, generic over a form |
//! | [`ibcd`](ibcd()) | a hierarchy of convex patches |
//! | [`recode`](recode()) | the baseline: all pairs of patches, no hierarchy |
//! | [`ldi`] | layered depth images: the guide of exact tests, and the overlap of solids |
//! | `body` | a closed mesh as convex patches, and hulls for drawing |
//! | `viewport` | the view of a pair: direction, rectangle, depth range |
//! | `backend` | drawing: in software, or on a graphics adapter (feature `wgpu`) |
//! | `witness` | from a pixel to a point that provably lies in both hulls |
//! | `solid` | when such a point proves that the solids overlap as posed |
//! | `triangles` | the exact test of two patches |
//!
//! An image is a sample. [`Mode::Sampled`] trusts it, as the paper does. [`Mode::Certified`] uses
//! it to order the tests and to find points to prove; its answers follow from exact signs or from proved
//! bounds on errors. Documented in
//! `docs/methods/ibcd.md`, `recode.md` and `ldi.md`.
//!
//! ```
//! use impinge_image::{geometry::Pose, query::{Ask, Control, Engine}, ibcd};
//! # use impinge_image::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let model = ibcd().prepare(&tetrahedron, &Control::NONE)?; // once for many questions
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = ibcd().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod backend;
mod body;
mod certified;
mod device;
mod engine;
mod ibcd;
mod inside;
pub mod ldi;
mod nested;
mod pair;
mod params;
mod recode;
mod sampled;
mod solid;
mod triangles;
mod viewport;
mod witness;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use body::Sent;
pub use engine::{ImageEngine, Memory};
#[cfg(feature = "wgpu")]
pub use ibcd::ibcd_on;
pub use ibcd::{Ibcd, ImageModel, Surveyed, ibcd, ibcd_with};
pub use params::{Drawing, Mode, Params};
pub use recode::{Recode, RecodeMemory, RecodeModel, recode, recode_with};
