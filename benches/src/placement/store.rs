//! Placed poses on disk, so that the search runs once per mesh and plan. The key is a hash of all
//! inputs; numbers are stored as bits and restored exactly.

use std::fs;
use std::path::{Path, PathBuf};

use impinge::{Mesh, Pose, Vector};
use serde::{Deserialize, Serialize};

use super::{Placed, Plan, TARGETS};
use crate::scene::NamedMesh;

/// Version of the search. Changing it discards stored poses.
const VERSION: u64 = 1;

/// A pose as bits: the rotation column by column, then the translation.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    target: usize,
    bits: Vec<u64>,
}

/// The file for these meshes and this plan.
pub fn path(folder: &Path, a: &NamedMesh, b: &NamedMesh, plan: &Plan) -> PathBuf {
    let mut hash = Hash::new();
    hash.add(VERSION);
    hash.add(plan.orientations as u64);
    hash.add(plan.seed);
    for target in TARGETS {
        target.label().bytes().for_each(|byte| hash.add(u64::from(byte)));
    }
    hash.add_mesh(&a.mesh);
    hash.add_mesh(&b.mesh);
    folder.join(format!("placed-{:016x}.json", hash.0))
}

/// The poses in `file`; `None` if it is missing or malformed.
pub fn load(file: &Path) -> Option<Vec<Placed>> {
    let stored: Vec<Stored> = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    stored.iter().map(restored).collect()
}

fn restored(stored: &Stored) -> Option<Placed> {
    let numbers: Vec<f64> = stored.bits.iter().map(|&bits| f64::from_bits(bits)).collect();
    if numbers.len() != 12 {
        return None;
    }
    let mut rotation = *Pose::identity().rotation();
    rotation.copy_from_slice(&numbers[..9]);
    let pose = Pose::new(rotation, Vector::from_column_slice(&numbers[9..])).ok()?;
    Some(Placed { target: *TARGETS.get(stored.target)?, pose })
}

/// Writes the poses to `file`.
///
/// # Errors
/// If the folder cannot be created or the file cannot be written.
pub fn save(file: &Path, placed: &[Placed]) -> std::io::Result<()> {
    let stored: Vec<Stored> = placed.iter().map(stored).collect();
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, serde_json::to_vec(&stored)?)
}

fn stored(placed: &Placed) -> Stored {
    let numbers = placed.pose.rotation().iter().chain(placed.pose.translation().iter());
    let target = TARGETS.iter().position(|target| *target == placed.target);
    Stored {
        target: target.unwrap_or(TARGETS.len()),
        bits: numbers.map(|number| number.to_bits()).collect(),
    }
}

/// FNV-1a over 64-bit words: the same on every machine and compiler version.
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_mesh(&mut self, mesh: &Mesh) {
        self.add(mesh.vertices().len() as u64);
        mesh.vertices().iter().flat_map(|p| p.iter()).for_each(|c| self.add(c.to_bits()));
        mesh.triangles().as_flattened().iter().for_each(|&index| self.add(u64::from(index)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::place;
    use impinge_models::Shape;

    #[test]
    fn poses_come_back_bit_for_bit() {
        let mesh = NamedMesh { name: "ball".to_owned(), mesh: Shape::Sphere.mesh(100, 0) };
        let plan = Plan { orientations: 2, seed: 5 };
        let placed = place(&mesh, &mesh, &plan, &|_| ()).expect("a ball can be placed");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = path(folder.path(), &mesh, &mesh, &plan);
        assert!(load(&file).is_none());
        save(&file, &placed).expect("the folder is writable");
        assert_eq!(load(&file), Some(placed));
        fs::write(&file, "[{\"target\":99,\"bits\":[]}]").expect("the folder is writable");
        assert!(load(&file).is_none());
        let other = path(folder.path(), &mesh, &mesh, &Plan { orientations: 3, seed: 5 });
        assert_ne!(file, other);
    }
}
