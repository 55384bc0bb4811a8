//! What a scene consists of: parts by name, the mesh of each, and where it is.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::models::files::{self, ReadOptions};
use impinge::{Mesh, Pose};

use crate::failure::Failure;
use crate::interrupt::waiting;

/// Where the mesh of a part comes from. Parts with the same source share their mesh.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A mesh file or a stored mesh, read later.
    File(PathBuf),
    /// A mesh of a glTF file, and a number that only it has.
    Mesh(Arc<Mesh>, usize),
}

/// A part of the scene.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) group: String,
    pub(super) source: Source,
    pub(super) pose: Pose,
}

/// The parts of all paths, in order.
pub(super) fn list(paths: &[PathBuf]) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    let mut meshes = 0;
    for path in paths {
        match kind(path) {
            Kind::Table => parts.extend(of_table(path)?),
            Kind::Scene => {
                let prefix = (paths.len() > 1).then(|| path.display().to_string());
                parts.extend(of_scene(path, prefix.as_deref(), &mut meshes)?);
            }
            Kind::Mesh => parts.push(Part {
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

fn of_table(path: &Path) -> Result<Vec<Part>, Failure> {
    let rows = waiting(|| files::read_table(path))?;
    let part = |row: files::Row| Part {
        name: row.name,
        group: row.group.unwrap_or_else(|| stem(path)),
        source: Source::File(row.file),
        pose: row.pose,
    };
    Ok(rows.into_iter().map(part).collect())
}

fn of_scene(path: &Path, prefix: Option<&str>, meshes: &mut usize) -> Result<Vec<Part>, Failure> {
    let scene = waiting(|| files::read_parts(path, &ReadOptions::default()))?;
    let shared: Vec<Source> = (scene.meshes.into_iter())
        .map(|mesh| {
            *meshes += 1;
            Source::Mesh(Arc::new(mesh), *meshes)
        })
        .collect();
    let part = |part: files::Part| Part {
        name: prefix.map_or_else(|| part.name.clone(), |path| format!("{path}/{}", part.name)),
        group: stem(path),
        source: shared[part.mesh].clone(),
        pose: part.pose,
    };
    scene.notes.iter().for_each(|note| tell(path, note));
    Ok(scene.parts.into_iter().map(part).collect())
}

/// A note about a file, on standard error.
pub(super) fn tell(path: &Path, note: &str) {
    // If standard error is closed, notes are lost.
    let _ = writeln!(std::io::stderr(), "impinge: {}: {note}", path.display());
}

/// Refuses two parts of one name: an answer could not tell which is meant.
fn check_names(parts: &[Part]) -> Result<(), Failure> {
    let mut seen = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        if let Some(first) = seen.insert(part.name.as_str(), number) {
            let (first, second) = (first + 1, number + 1);
            let message = format!("parts {first} and {second} of the scene have this name");
            return Err(Failure::file(&part.name, message));
        }
    }
    Ok(())
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
