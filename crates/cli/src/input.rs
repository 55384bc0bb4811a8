//! Meshes from files and from standard input.

use std::io::Write;
use std::path::Path;

use impinge::models::files::{self, FileError, Loaded, ReadOptions};
use impinge::{Body, Mesh};

use crate::arguments::Reading;
use crate::failure::Failure;
use crate::interrupt::waiting;
use crate::stored;

/// Whether a path stands for standard input.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of a path in answers and errors.
pub(crate) fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Refuses standard input used twice, and a format without standard input.
pub(crate) fn check(
    meshes: &[&Path],
    poses: Option<&Path>,
    reading: &Reading,
) -> Result<(), Failure> {
    let from_standard = meshes.iter().filter(|path| is_standard(path)).count();
    if from_standard + usize::from(poses.is_some_and(is_standard)) > 1 {
        return Err(Failure::usage("standard input", "only one input can be -"));
    }
    if from_standard == 0 && reading.format.is_some() {
        let message = "it sets the format of standard input, but no mesh is -";
        return Err(Failure::usage("--format", message));
    }
    Ok(())
}

/// A mesh that was read.
pub(crate) struct Read {
    pub(crate) mesh: Mesh,
    pub(crate) format: String,
    pub(crate) notes: Vec<String>,
    /// The mesh prepared by the default method, if it was stored so.
    pub(crate) body: Option<Body>,
}

/// Reads a mesh file, a stored mesh or standard input. Tells on standard error what the reader left out,
/// changed or doubts.
pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Read, Failure> {
    read_telling(path, reading, |warning| tell(path, warning))
}

/// Tells a note about a file on standard error.
pub(crate) fn tell(path: &Path, note: &str) {
    // If standard error is closed, notes are lost.
    let _ = writeln!(std::io::stderr(), "impinge: {}: {note}", name(path));
}

/// As [`read`], for a command that reports all notes itself.
pub(crate) fn read_quietly(path: &Path, reading: &Reading) -> Result<Read, Failure> {
    read_telling(path, reading, |_| ())
}

fn read_telling(path: &Path, reading: &Reading, tell: impl Fn(&str)) -> Result<Read, Failure> {
    if stored::is_stored(path) {
        let body = stored::read(path, reading)?;
        let no_mesh = || Failure::at(name(path), "the file has no mesh");
        let mesh = body.mesh().ok_or_else(no_mesh)?.clone();
        let (format, notes) = ("impinge".to_owned(), Vec::new());
        return Ok(Read { mesh, format, notes, body: Some(body) });
    }
    let loaded = read_mesh(path, reading)?;
    loaded.warnings().for_each(tell);
    let (format, notes) = (loaded.format.to_string(), loaded.notes);
    Ok(Read { mesh: loaded.mesh, format, notes, body: None })
}

fn read_mesh(path: &Path, reading: &Reading) -> Result<Loaded, Failure> {
    let mut options =
        ReadOptions { max_triangles: reading.max_triangles, ..ReadOptions::default() };
    let is_standard = is_standard(path);
    let loaded = if is_standard {
        options.format = reading.format;
        waiting(|| files::read_stream(std::io::stdin().lock(), &name(path), &options))
    } else {
        waiting(|| files::read_with(path, &options))
    };
    loaded.map_err(|error| match error {
        FileError::Format { path, message } if is_standard && reading.format.is_none() => {
            Failure::file(path, format!("{message}; set the format with --format"))
        }
        error => Failure::reading(error),
    })
}
