//! `recode`: the image-based baseline (Baciu, Wong and Sun 1999, as described in fan 2003, §1.3.4
//! and §2.1). Convex parts only, every part of A against every part of B: no hierarchy, no oriented
//! boxes, no strips.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`RecodeModel`] | a closed mesh as convex patches, each with its axis-aligned box, and hulls as triangles |
//! | `overlap` | boxes of the posed parts, and the view of what two of them have in common |
//! | `sampled` | the paper's form: the pixels decide |
//! | `engine` | the engine; its certified form shares [`certified`](crate::certified) with `ibcd` |

mod engine;
mod model;
mod overlap;
mod sampled;

pub use engine::{Recode, RecodeMemory, recode, recode_with};
pub use model::RecodeModel;
