//! The parts of a scene of several files: tables of parts, glTF files, and mesh files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge_geometry::{Mesh, Pose};

use super::error::Fault;
use super::table::Entry;
use super::{FileError, Part, Parts, ReadOptions, Row, read_parts, table};

/// Where the mesh of a part comes from. Parts with the same source share their mesh.
#[derive(Clone, Debug)]
pub enum Source {
    /// A mesh file or a stored mesh, which is not opened yet.
    File(PathBuf),
    /// A mesh of a glTF file, and a number that only it has in the scene.
    Mesh(Arc<Mesh>, usize),
    /// Why the part is not known, beside its name.
    Unread(Arc<FileError>),
}

/// A part of a scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its group. Empty if that is not known: of a table that cannot be read, and of a row whose name or
    /// group cannot.
    pub group: String,
    /// Its mesh.
    pub source: Source,
    /// Where the mesh is in the scene.
    pub pose: Pose,
}

/// Lists the parts of all paths, in order. A `.csv` file is a table of parts ([`read_table`](super::read_table)), a
/// `.gltf` or `.glb` file has the parts of [`read_parts`], any other is one part, called by its path.
/// Parts of glTF files among several paths are called `path/node`. A part without a group in a table
/// is in the group named like its file, without folder and extension. Mesh files are not opened.
///
/// `options` are those of [`read_parts`] for each glTF file, and of no other.
///
/// What cannot be read is one part with [`Source::Unread`], and stops nothing else: a glTF file or a table, called
/// by its path, and a row of a table, called as it says, or else `path: line 7`. A table with more than 1,000
/// such rows cannot be read.
///
/// `note` is called with each note of a reader, and the path that it is about.
///
/// # Errors
/// [`FileError`] of the first name that stands twice: an answer could not tell which is meant. So do names of
/// files that differ in bytes that are not UTF-8.
pub fn list_parts(
    paths: &[PathBuf],
    options: &ReadOptions,
    note: &mut dyn FnMut(&Path, &str),
) -> Result<Vec<Listed>, FileError> {
    let mut parts = Vec::new();
    let mut meshes = 0;
    for path in paths {
        match kind(path) {
            Kind::Table => parts.extend(of_table(path)?),
            Kind::Scene => {
                let prefix = (paths.len() > 1).then(|| path.display().to_string());
                match read_parts(path, options) {
                    Ok(scene) => {
                        scene.notes.iter().for_each(|text| note(path, text));
                        parts.extend(of_scene(path, scene, prefix.as_deref(), &mut meshes));
                    }
                    Err(error) => {
                        parts.push(unread(path.display().to_string(), stem(path), error));
                    }
                }
            }
            Kind::Mesh => parts.push(Listed {
                name: path.display().to_string(),
                group: stem(path),
                source: Source::File(path.clone()),
                pose: Pose::identity(),
            }),
        }
    }
    check_names(&parts)?;
    Ok(parts)
}

/// What a path is, by its extension.
enum Kind {
    Table,
    Scene,
    Mesh,
}

fn kind(path: &Path) -> Kind {
    let is = |word: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(word));
    if is("csv") {
        Kind::Table
    } else if is("gltf") || is("glb") {
        Kind::Scene
    } else {
        Kind::Mesh
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A part that is not known.
fn unread(name: String, group: String, error: FileError) -> Listed {
    Listed { name, group, source: Source::Unread(Arc::new(error)), pose: Pose::identity() }
}

fn of_table(path: &Path) -> Result<Vec<Listed>, FileError> {
    let table = path.display().to_string();
    let entries = match table::entries(path) {
        Ok(entries) => entries,
        Err(error) => return Ok(vec![unread(table, String::new(), error)]),
    };
    table::check_names(&entries).map_err(|fault| fault.in_file(&table))?;
    let group_of = |group: Option<String>| group.unwrap_or_else(|| stem(path));
    let part = |entry: Entry| match entry {
        Ok(Row { name, file, pose, group, .. }) => {
            Listed { name, group: group_of(group), source: Source::File(file), pose }
        }
        Err(unfit) => {
            let (name, group) = match unfit.label {
                Some((name, group)) => (name, group_of(group)),
                None => (format!("{table}: line {}", unfit.line), String::new()),
            };
            unread(name, group, unfit.fault.in_file(&table))
        }
    };
    Ok(entries.into_iter().map(part).collect())
}

fn of_scene(path: &Path, scene: Parts, prefix: Option<&str>, meshes: &mut usize) -> Vec<Listed> {
    let shared: Vec<Source> = (scene.meshes.into_iter())
        .map(|mesh| {
            *meshes += 1;
            Source::Mesh(Arc::new(mesh), *meshes)
        })
        .collect();
    let part = |part: Part| Listed {
        name: prefix.map_or_else(|| part.name.clone(), |path| format!("{path}/{}", part.name)),
        group: stem(path),
        source: shared[part.mesh].clone(),
        pose: part.pose,
    };
    scene.parts.into_iter().map(part).collect()
}

fn check_names(parts: &[Listed]) -> Result<(), FileError> {
    let mut seen = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        if let Some(first) = seen.insert(part.name.as_str(), number) {
            let (first, second) = (first + 1, number + 1);
            let mut message = format!("parts {first} and {second} of the scene have this name");
            if part.name.contains(char::REPLACEMENT_CHARACTER) {
                message.push_str("; bytes that are not UTF-8 are shown as \u{fffd}");
            }
            return Err(Fault::file(message).in_file(&part.name));
        }
    }
    Ok(())
}
