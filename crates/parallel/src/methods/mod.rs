//! The methods by name: *tasks × schedule*.
//!
//! | word | tasks | schedule | source |
//! | --- | --- | --- | --- |
//! | [`sstcd`] | box against box | queue | fan §4.3.3 |
//! | [`spcd`] | box against box | a level at once | fan §4.3.4 |
//! | [`escd`] | edges against box | queue | fan §4.4 |
//! | [`epcd`] | edges against box | 32 at once | fan §4.4, §4.5.1 |
//! | [`edge_steal`] | edges of patches against patches | work stealing | our own |

mod edge_boxes;
mod edge_steal;
mod simple;

use impinge_query::{Description, QuestionKind};

pub use edge_boxes::{EdgeBoxParams, EdgeBoxes, epcd, epcd_with, escd, escd_with};
pub use edge_steal::{EdgeSteal, EdgeStealParams, PatchTree, edge_steal, edge_steal_with};
pub use simple::{SimpleBoxes, SimpleParams, spcd, spcd_with, sstcd, sstcd_with};

/// The description of a method of this family.
const fn describe(word: &'static str, title: &'static str, paper: &'static str) -> Description {
    Description::exact(word, title, paper, QuestionKind::OF_CONTACTS)
}
