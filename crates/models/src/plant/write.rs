//! A plant as files: a mesh each, the table of parts, and the list of clashes.

use std::fmt::Write as _;
use std::path::Path;

use super::Plant;
use crate::files::{self, FileError};

/// Writes a plant to `folder`, which is made if it is not there: `mesh-000.ply` and so on,
/// `scene.csv`, the table of parts over them, and `clashes.csv`, with the names of the parts of each
/// clash and its class. Reading the table and the meshes gives the same bits.
///
/// # Errors
/// [`FileError::Io`] if the folder or a file cannot be written.
pub fn write_plant(plant: &Plant, folder: impl AsRef<Path>) -> Result<(), FileError> {
    let folder = folder.as_ref();
    let io = |path: &Path, source| FileError::Io { path: path.display().to_string(), source };
    std::fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
    for (number, mesh) in plant.meshes.iter().enumerate() {
        files::write(folder.join(mesh_file(number)), mesh)?;
    }
    for (file, text) in [("scene.csv", scene(plant)), ("clashes.csv", clashes(plant))] {
        let path = folder.join(file);
        std::fs::write(&path, text).map_err(|source| io(&path, source))?;
    }
    Ok(())
}

fn mesh_file(number: usize) -> String {
    format!("mesh-{number:03}.ply")
}

/// The table of parts. Names, files and groups have no commas and quotes.
fn scene(plant: &Plant) -> String {
    let mut text = String::from("name,file,tx,ty,tz,qx,qy,qz,qw,group\n");
    for part in &plant.parts {
        let (t, [x, y, z, w]) = (part.pose.translation(), part.quaternion);
        let (name, file, group) = (&part.name, mesh_file(part.mesh), part.group);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{name},{file},{:?},{:?},{:?},{x:?},{y:?},{z:?},{w:?},{group}",
            t.x, t.y, t.z
        );
    }
    text
}

fn clashes(plant: &Plant) -> String {
    let mut text = String::from("a,b,class\n");
    for clash in &plant.clashes {
        let [a, b] = [clash.a, clash.b].map(|part| &plant.parts[part].name);
        let _ = writeln!(text, "{a},{b},{}", clash.class);
    }
    text
}
