//! The image test of two convex hulls (fan section 2.4.4, figures 2-12 to 2-14), for many pairs in
//! one image.
//!
//! **Notation.** A *viewport* is a rectangle of texels in an *atlas* and shows one pair, A and B,
//! along one direction. Depth grows away from the viewer, from 0 (near) to 1 (far). A face is a
//! *front* face if its corners run counter-clockwise on the screen.
//!
//! **Steps**, for every pixel of a viewport, starting with depth 1 and value 0:
//! 1. A's front faces write their depth and the value 1.
//! 2. B's front faces add 1 where the value is at least 1 and they are strictly behind that depth.
//! 3. B's back faces add 1 where the value is at least 1 and they are at or behind that depth.
//! 4. A word per pair records whether there is a pixel of value 2 (A's front is inside B) and
//!    whether there is one of value 3 (all of B is behind A's front).
//!
//! **Departures from the paper.** Figure 2-14 counts both faces of B with "greater or equal". Two
//! hulls that start at the same depth then give 3 whichever is drawn first, and are reported as
//! apart. Its stencil test "equal 1" can never count to 3. The text of step 3 says "smaller" where
//! the listing, and its own figure 2-12, need "not smaller".
//!
//! **Contract.** The values are those of the pixels' centres in 32-bit depth: a sample, not a
//! proof. The absence of value 2 at this resolution does not prove separation, and a value 2 is a
//! candidate to be confirmed.
//!
//! The kernels are `wgsl/image/hulls.wgsl` (steps 1 to 3) and `classify.wgsl` (step 4); their CPU
//! twins are [`raster::draw`] and [`word::classify`].

mod atlas;
mod depth_plane;
pub mod layers;
mod pair;
pub mod raster;
mod screen;
pub mod strip;
mod view;
pub mod word;

pub use atlas::{Atlas, AtlasError, MAX_TEXELS, Rectangle};
pub use pair::{Hulls, PairDraw, PairError, Placed};
pub use view::{View, ViewError};
pub use word::PixelClass;

use crate::shader::{Entry, Shader, Stage};

/// The shader `wgsl/image/hulls.wgsl`. Bindings of group 0, all read-only storage: pairs,
/// coordinates, entries. A hull of strips is drawn by the first two entry points, with the entries
/// as index buffer; a hull as a list by the other two, without one, as many vertices as entries.
pub const HULLS: Shader = Shader {
    name: "image/hulls",
    entries: &[
        Entry { name: DRAW_FIRST, stage: Stage::Vertex },
        Entry { name: DRAW_SECOND, stage: Stage::Vertex },
        Entry { name: LIST_FIRST, stage: Stage::Vertex },
        Entry { name: LIST_SECOND, stage: Stage::Vertex },
    ],
};

/// The vertex entry point that draws A from strips.
pub const DRAW_FIRST: &str = "draw_first";
/// The vertex entry point that draws B from strips.
pub const DRAW_SECOND: &str = "draw_second";
/// The vertex entry point that draws A from a list.
pub const LIST_FIRST: &str = "list_first";
/// The vertex entry point that draws B from a list.
pub const LIST_SECOND: &str = "list_second";

/// The shader `wgsl/image/classify.wgsl`. Bindings of group 0: the [`Atlas`] (uniform), the stencil
/// image (unsigned texture), the words (storage). One workgroup per viewport, numbered along x
/// first.
pub const CLASSIFY: Shader = Shader {
    name: "image/classify",
    entries: &[Entry { name: CLASSIFY_ENTRY, stage: Stage::Compute { group: [64, 1, 1] } }],
};

/// The compute entry point of [`CLASSIFY`].
pub const CLASSIFY_ENTRY: &str = "classify";
