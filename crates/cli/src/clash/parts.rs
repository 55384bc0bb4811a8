//! What a scene consists of: parts by name, the mesh of each, and where it is.

use std::path::PathBuf;

use impinge::models::files::{self, ReadOptions};
pub(super) use impinge::models::files::{Listed as Part, Source};

use crate::failure::Failure;
use crate::input::tell;
use crate::interrupt::waiting;

/// The parts of all paths, in order.
pub(super) fn list(paths: &[PathBuf], max_triangles: u64) -> Result<Vec<Part>, Failure> {
    let options = ReadOptions { max_triangles, ..ReadOptions::default() };
    let listed = waiting(|| files::list_parts(paths, &options, &mut |path, note| tell(path, note)));
    listed.map_err(Failure::reading)
}
