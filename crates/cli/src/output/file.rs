//! Files that are written: whole, or not at all.

use std::fs::{self, File};
use std::io::{self, Cursor, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;

/// Where a file is written to.
pub(crate) trait Sink: Write + Seek {}

impl<S: Write + Seek> Sink for S {}

/// The most names that are tried for a file beside another. Others are those of runs at the same time, and of
/// runs that were killed.
const NAMES: u32 = 1000;

/// The most links that are followed to a file that is not there: as many as Linux follows.
const LINKS: usize = 40;

/// The files that are begun.
static BEGUN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Writes a file beside the one at `path`, and puts it in its place once it is complete: what was there
/// before stays if writing fails. Links are followed, and permissions stay. A pipe or a device is
/// written to.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Sink) -> io::Result<()>,
) -> Result<(), Failure> {
    let place = || path.display().to_string();
    put(path, write).map_err(|error| Failure::file(place(), error.to_string()))
}

/// Removes the files that are begun, since the program ends.
pub(crate) fn discard() {
    for path in BEGUN.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // Nobody hears of errors any more.
        let _ = fs::remove_file(path);
    }
}

fn put(path: &Path, write: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
    let there = match fs::metadata(path) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        // A pipe cannot go back, as a zip file must.
        let mut whole = Cursor::new(Vec::new());
        write(&mut whole)?;
        return File::options().write(true).open(path)?.write_all(whole.get_ref());
    }
    let target = if there.is_some() { path.canonicalize()? } else { behind_links(path) };
    let (mut file, begun) = Begun::beside(&target)?;
    if let Some(there) = there {
        file.set_permissions(there.permissions())?;
    }
    write(&mut file)?;
    drop(file);
    begun.put_at(&target)
}

/// The place of a file that is not there, which links may lead to.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(to) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    path
}

/// A file that is begun. Dropped before it is put in its place, it is removed.
struct Begun {
    path: PathBuf,
    placed: bool,
}

impl Begun {
    /// Begins a file in the folder of `target`, with a name that no file has.
    fn beside(target: &Path) -> io::Result<(File, Self)> {
        let mut tried = 0;
        loop {
            let name = format!(".impinge-{}-{tried}.partial", process::id());
            let path = target.with_file_name(name);
            match File::create_new(&path) {
                Ok(file) => {
                    let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
                    begun.push(path.clone());
                    return Ok((file, Self { path, placed: false }));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists && tried < NAMES => {
                    tried += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn put_at(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if !self.placed {
            // The error of writing matters more than that of removing what was written.
            let _ = fs::remove_file(&self.path);
        }
        BEGUN.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
    }
}

/// Refuses files to be written, each with its option, that are inputs of the same call.
pub(crate) fn keep_inputs(
    outputs: &[(&str, Option<&Path>)],
    inputs: &[&Path],
) -> Result<(), Failure> {
    for (option, output) in outputs {
        let Some(Ok(output)) = output.map(Path::canonicalize) else { continue };
        let same = |input: &Path| input.canonicalize().is_ok_and(|input| input == output);
        if let Some(input) = inputs.iter().find(|input| same(input)) {
            let message = format!("it would replace {}, which is an input", input.display());
            return Err(Failure::usage(*option, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_begun_have_names_that_no_file_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("page.html");
        let (_, first) = Begun::beside(&target).expect("created");
        let (_, second) = Begun::beside(&target).expect("created");
        assert_ne!(first.path, second.path);
        drop(first);
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
        second.put_at(&target).expect("renamed");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
        assert!(target.exists());
    }
}
