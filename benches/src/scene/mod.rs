//! The measured scenes: meshes, and steps in which bodies of these meshes have poses.
//!
//! - [`catalogue`][]: the built-in scenes by their words.
//! - [`placed`][]: copies of a mesh, or two meshes, at exact distances and depths.
//! - [`moving`][]: motions.
//! - [`deforming`][]: meshes whose vertices move.
//! - [`leaves`][]: pairs of maize leaves.

pub mod catalogue;
pub mod deforming;
pub mod leaves;
pub mod moving;
pub mod placed;

use std::path::Path;

use impinge::query::QuestionKind;
use impinge::{Mesh, Pose};
use impinge_models::{DeformingMesh, Shape, files};

use impinge_records::bench::{LabelCount, MeshInfo};

/// Scenes of one group share a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Unrelated poses at exact distances.
    Placed,
    /// Steps of a motion, in order.
    Moving,
    /// Steps of a deformation, in order.
    Deforming,
    /// The user's own files.
    Files,
}

impl Group {
    /// The group's word in records.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Moving => "moving",
            Self::Deforming => "deforming",
            Self::Files => "files",
        }
    }

    /// Whether each step follows from the one before.
    pub const fn is_sequence(self) -> bool {
        matches!(self, Self::Moving | Self::Deforming)
    }
}

/// A mesh and its name.
#[derive(Clone, Debug)]
pub struct NamedMesh {
    /// Its word or the stem of its file.
    pub name: String,
    /// The mesh.
    pub mesh: Mesh,
}

impl NamedMesh {
    /// A generated shape with about `triangles` triangles, named by its word.
    pub fn shape(shape: Shape, triangles: usize, seed: u64) -> Self {
        Self { name: shape.to_string(), mesh: shape.mesh(triangles, seed) }
    }

    /// Reads a mesh file; the name is the stem of the file.
    ///
    /// # Errors
    /// If it cannot be read; the error names the file and the position.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mesh = files::read(path).map_err(|error| error.to_string())?.mesh;
        Ok(Self { name: stem(path), mesh })
    }

    /// Its line in the scene's record.
    pub fn info(&self) -> MeshInfo {
        MeshInfo {
            name: self.name.clone(),
            triangles: self.mesh.triangles().len(),
            vertices: self.mesh.vertices().len(),
            diagonal: self.mesh.diagonal(),
            closed: impinge::geometry::Topology::new(&self.mesh).closed().is_ok(),
        }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Parses a word such as `torus10k` into a shape and a number of triangles; `None` if it is
/// malformed.
pub fn shape_word(word: &str) -> Option<(Shape, usize)> {
    let (shape, size) = sized_word(word)?;
    Some((shape.parse().ok()?, size))
}

/// Parses a name and a number behind it, where `k` and `M` are zeros; `None` without a number.
pub fn sized_word(word: &str) -> Option<(&str, usize)> {
    let (name, size) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
    let size = size.replace('k', "000").replace('M', "000000");
    Some((name, size.parse().ok()?))
}

/// A posed body.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Index into [`Scene::meshes`].
    pub mesh: usize,
    /// Pose in the world frame.
    pub pose: Pose,
}

/// One query: body `b` as seen from body `a`.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Index into [`Step::bodies`].
    pub a: usize,
    /// Index into [`Step::bodies`].
    pub b: usize,
    /// Pose of B in A's frame, computed once.
    pub pose: Pose,
}

/// One step; its time is the time of all its queries.
#[derive(Clone, Debug)]
pub struct Step {
    /// Steps with the same label are summarised together.
    pub label: String,
    /// The questions asked at this step.
    pub questions: &'static [QuestionKind],
    /// All bodies.
    pub bodies: Vec<Body>,
    /// The pairs left by a broad phase, the same for all methods.
    pub queries: Vec<Query>,
}

/// Meshes and steps.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The scene's word.
    pub name: String,
    /// The group of tables it belongs to.
    pub group: Group,
    /// One line of description.
    pub title: String,
    /// How it was generated.
    pub about: String,
    /// Meshes in their state at the first step.
    pub meshes: Vec<NamedMesh>,
    /// Indices of the deforming meshes, with their deformation over the steps.
    pub deforming: Vec<(usize, DeformingMesh)>,
    /// Steps, in the order of queries.
    pub steps: Vec<Step>,
    /// Deviations from the requested scene.
    pub notes: Vec<String>,
}

impl Scene {
    /// The labels in order of appearance, with their numbers of steps.
    pub fn labels(&self) -> Vec<LabelCount> {
        let mut labels: Vec<LabelCount> = Vec::new();
        for step in &self.steps {
            match labels.iter_mut().find(|known| known.label == step.label) {
                Some(known) => known.steps += 1,
                None => labels.push(LabelCount { label: step.label.clone(), steps: 1 }),
            }
        }
        labels
    }

    /// The meshes in their state at step `at`. O(vertices that move).
    pub fn meshes_at(&self, at: usize) -> MeshesAt<'_> {
        let moved = self.deforming.iter().map(|(index, law)| (*index, law.mesh(at))).collect();
        MeshesAt { meshes: &self.meshes, moved }
    }

    /// Number of triangles of all bodies of the first step.
    pub fn triangles(&self) -> usize {
        let bodies = self.steps.first().map_or(&[][..], |step| &step.bodies[..]);
        bodies.iter().map(|body| self.meshes[body.mesh].mesh.triangles().len()).sum()
    }

    /// The smallest diagonal of a mesh, the unit of distances.
    pub fn size(&self) -> f64 {
        self.meshes.iter().map(|m| m.mesh.diagonal()).fold(f64::INFINITY, f64::min)
    }
}

/// The meshes of a scene in their state at one step.
#[derive(Clone, Debug)]
pub struct MeshesAt<'s> {
    meshes: &'s [NamedMesh],
    moved: Vec<(usize, Mesh)>,
}

impl MeshesAt<'_> {
    /// Mesh `index` of the scene.
    pub fn mesh(&self, index: usize) -> &Mesh {
        let moved = self.moved.iter().find(|(moved, _)| *moved == index);
        moved.map_or(&self.meshes[index].mesh, |(_, mesh)| mesh)
    }

    /// Indices and meshes of the deforming ones.
    pub fn moved(&self) -> &[(usize, Mesh)] {
        &self.moved
    }
}
