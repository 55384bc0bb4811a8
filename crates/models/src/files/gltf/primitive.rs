//! Step 5: the primitives of a placed mesh, as triangles of the one mesh that is read.

use std::collections::BTreeMap;

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use impinge_geometry::{MAX_COORDINATE, Mesh};

use super::accessor::Numbers;
use super::buffers::Buffers;
use super::nodes::{Affine, Placement};
use super::{fault, item};
use crate::files::assemble::Assembly;
use crate::files::error::{Fault, Place};

/// The mesh in the making.
pub(super) struct Output<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    assembly: Assembly,
    /// Meshes that a reflection has turned inside out, and that were turned back.
    turned: usize,
    /// Primitives of points or lines.
    loose: usize,
}

impl<'a> Output<'a> {
    pub(super) fn new(root: &'a Root, buffers: &'a Buffers<'a>, notes: Vec<String>) -> Self {
        let mut assembly = Assembly::default();
        assembly.notes = notes;
        Self { root, buffers, assembly, turned: 0, loose: 0 }
    }

    /// Adds a note, unless it is there already.
    fn note_once(&mut self, note: &str) {
        if self.assembly.notes.iter().all(|old| old != note) {
            self.assembly.notes.push(note.to_owned());
        }
    }

    /// Adds a mesh. Primitives that share their positions share their vertices.
    pub(super) fn place(&mut self, placement: &Placement) -> Result<(), Fault> {
        let Placement { mesh: index, ref transform } = *placement;
        let mesh = item(&self.root.meshes, index, "meshes")?;
        let turn = transform.is_reflection();
        self.turned += usize::from(turn);
        let mut shared = BTreeMap::new();
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let name = format!("meshes[{}].primitives[{p}]", index.value());
            self.primitive(primitive, transform, turn, &name, &mut shared)?;
        }
        Ok(())
    }

    /// `turn`: the transform turns surfaces inside out; they are turned back, so that outside
    /// stays outside.
    fn primitive(
        &mut self,
        primitive: &Primitive,
        transform: &Affine,
        turn: bool,
        name: &str,
        shared: &mut BTreeMap<usize, (u32, usize)>,
    ) -> Result<(), Fault> {
        let at = |message: String| Fault::At(Place::Item(name.to_owned()), message);
        let Checked::Valid(mode) = primitive.mode else {
            return Err(at("an unknown mode".to_owned()));
        };
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            self.loose += 1;
            return Ok(());
        }
        let Some(&positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions))
        else {
            self.note_once("primitives without positions skipped");
            return Ok(());
        };
        if primitive.targets.as_ref().is_some_and(|targets| !targets.is_empty()) {
            self.note_once("morph targets not evaluated");
        }
        let (base, count) = if let Some(&known) = shared.get(&positions.value()) {
            known
        } else {
            let new = self.vertices(positions, transform, name)?;
            shared.insert(positions.value(), new);
            new
        };
        let indices = match primitive.indices {
            Some(indices) => self.indices(indices)?,
            // At most MAX_INSTANCED.
            None => (0..count as u32).collect(),
        };
        if let Some(bad) = indices.iter().find(|&&v| v as usize >= count) {
            return Err(at(format!("vertex index {bad} is out of range, there are {count}")));
        }
        self.triangles(&indices, mode, turn, base, name)
    }

    /// Adds the transformed positions; their first index and number.
    fn vertices(
        &mut self,
        index: Index<Accessor>,
        transform: &Affine,
        name: &str,
    ) -> Result<(u32, usize), Fault> {
        let numbers = Numbers::new(self.root, index)?;
        if numbers.kind != Type::Vec3 || numbers.component == ComponentType::U32 {
            let message = "positions must be of type VEC3 and componentType FLOAT";
            return Err(fault("accessors", numbers.index, message));
        }
        // Not above MAX_INSTANCED: the survey has counted them.
        let base = self.assembly.vertex_count() as u32;
        let values = numbers.read(self.buffers)?;
        let (points, _) = values.as_chunks::<3>();
        for (v, &point) in points.iter().enumerate() {
            let moved = transform.apply(point);
            for (whose, point) in [("", point), (" in the scene", moved)] {
                if let Some((axis, c)) = beyond(point) {
                    let message =
                        format!("vertex {v}: coordinate {axis}{whose} is {c:e}, it must be finite");
                    return Err(Fault::At(Place::Item(name.to_owned()), message));
                }
            }
            self.assembly.vertex(moved);
        }
        Ok((base, points.len()))
    }

    fn indices(&self, index: Index<Accessor>) -> Result<Vec<u32>, Fault> {
        let numbers = Numbers::new(self.root, index)?;
        let unsigned = matches!(
            numbers.component,
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32
        );
        if numbers.kind != Type::Scalar || !unsigned || numbers.accessor.normalized {
            let message = "indices must be of type SCALAR and an unsigned componentType";
            return Err(fault("accessors", numbers.index, message));
        }
        // 32-bit unsigned integers are exact in f64.
        Ok(numbers.read(self.buffers)?.into_iter().map(|value| value as u32).collect())
    }

    fn triangles(
        &mut self,
        indices: &[u32],
        mode: Mode,
        turn: bool,
        base: u32,
        name: &str,
    ) -> Result<(), Fault> {
        if mode == Mode::Triangles && !indices.len().is_multiple_of(3) {
            let message = format!("{} corners are no multiple of 3", indices.len());
            return Err(Fault::At(Place::Item(name.to_owned()), message));
        }
        let count = match mode {
            Mode::Triangles => indices.len() / 3,
            _ => indices.len().saturating_sub(2),
        };
        for t in 0..count {
            let [a, b, c] = match mode {
                Mode::Triangles => [3 * t, 3 * t + 1, 3 * t + 2],
                Mode::TriangleFan => [t + 1, t + 2, 0],
                // Every second triangle of a strip is turned (glTF 2.0, 3.7.2.1).
                _ => [t, t + 1 + t % 2, t + 2 - t % 2],
            }
            .map(|i| indices[i]);
            if mode != Mode::Triangles && (a == b || b == c || c == a) {
                // Stitches between strips.
                continue;
            }
            let corners = if turn { [a, c, b] } else { [a, b, c] };
            for v in corners {
                self.assembly.corner(base + v);
            }
            self.assembly.end_face(3)?;
        }
        Ok(())
    }

    /// The mesh and the notes.
    pub(super) fn finish(mut self) -> Result<(Mesh, Vec<String>), Fault> {
        let notes = &mut self.assembly.notes;
        if self.turned > 0 {
            notes
                .push(format!("winding turned in {} meshes that their nodes reflect", self.turned));
        }
        if self.loose > 0 {
            notes.push(format!("{} primitives of points or lines skipped", self.loose));
        }
        self.assembly.finish()
    }
}

/// The first coordinate that no mesh may have.
fn beyond(point: [f64; 3]) -> Option<(char, f64)> {
    let named = ['x', 'y', 'z'].into_iter().zip(point);
    named.into_iter().find(|(_, c)| !(c.abs() <= MAX_COORDINATE))
}
