//! What a scene consists of: parts by name, the mesh of each, and where it is.

use std::io::Write;
use std::path::{Path, PathBuf};

use impinge::models::files;
pub(super) use impinge::models::files::{Listed as Part, Source};

use crate::failure::Failure;
use crate::interrupt::waiting;

/// The parts of all paths, in order.
pub(super) fn list(paths: &[PathBuf]) -> Result<Vec<Part>, Failure> {
    Ok(waiting(|| files::list_parts(paths, &mut |path, note| tell(path, note)))?)
}

/// A note about a file, on standard error.
pub(super) fn tell(path: &Path, note: &str) {
    // If standard error is closed, notes are lost.
    let _ = writeln!(std::io::stderr(), "impinge: {}: {note}", path.display());
}

/// The pairs of names in a file, and their lines.
pub(super) fn pairs(path: &Path) -> Result<Vec<([String; 2], u64)>, Failure> {
    let name = path.display().to_string();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_path(path)
        .map_err(|error| Failure::file(&name, error.to_string()))?;
    let mut pairs = Vec::new();
    for record in waiting(|| reader.records().collect::<Vec<_>>()) {
        let record = record.map_err(|error| Failure::file(&name, error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        match record.iter().collect::<Vec<_>>()[..] {
            [a, b] => pairs.push(([a.to_owned(), b.to_owned()], line)),
            ref words => {
                let message =
                    format!("{} names; a pair has two, separated by a comma", words.len());
                return Err(Failure::file(format!("{name}: line {line}"), message));
            }
        }
    }
    Ok(pairs)
}
