//! A primitive: its triangles over its positions, read from the buffers on demand.

use super::accessor::{self, Numbers};
use super::buffers::Buffers;
use super::schema::{self, Root};
use crate::files::error::{Fault, Place};

/// How corners form triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    /// The mode of a primitive; `None` for points and lines.
    fn of(primitive: &schema::Primitive, name: &Name) -> Result<Option<Self>, Fault> {
        match primitive.mode {
            0..=3 => Ok(None),
            4 => Ok(Some(Self::Triangles)),
            5 => Ok(Some(Self::Strip)),
            6 => Ok(Some(Self::Fan)),
            _ => Err(name.fault("an unknown mode")),
        }
    }

    fn triangles(self, corners: u64) -> u64 {
        match self {
            Self::Triangles => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }
}

/// The place of a primitive, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) mesh: u32,
    pub(super) primitive: usize,
}

impl Name {
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        let name = format!("meshes[{}].primitives[{}]", self.mesh, self.primitive);
        Fault::At(Place::Item(name), message.into())
    }
}

/// Why a primitive is omitted.
pub(super) enum Skipped {
    Loose,
    WithoutPositions,
}

/// Upper bound of the number of triangles of a primitive, from its declared counts.
pub(super) fn promised(
    root: &Root<'_>,
    primitive: &schema::Primitive,
    name: Name,
) -> Result<u64, Fault> {
    let Some(mode) = Mode::of(primitive, &name)? else { return Ok(0) };
    let Some(positions) = primitive.attributes.position else { return Ok(0) };
    let corners = accessor::count(root, primitive.indices.unwrap_or(positions))?;
    Ok(mode.triangles(corners))
}

/// A primitive with triangles.
pub(super) struct Surface<'a> {
    name: Name,
    mode: Mode,
    /// The positions accessor; primitives with the same one share vertices.
    pub(super) group: u32,
    pub(super) positions: Numbers<'a>,
    indices: Option<Numbers<'a>>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(
        buffers: &'a Buffers<'_>,
        primitive: &schema::Primitive,
        name: Name,
    ) -> Result<Result<Self, Skipped>, Fault> {
        let Some(mode) = Mode::of(primitive, &name)? else { return Ok(Err(Skipped::Loose)) };
        let Some(group) = primitive.attributes.position else {
            return Ok(Err(Skipped::WithoutPositions));
        };
        let positions = Numbers::positions(buffers, group)?;
        let indices =
            primitive.indices.map(|indices| Numbers::indices(buffers, indices)).transpose()?;
        let surface = Self { name, mode, group, positions, indices };
        let corners = surface.corners();
        if mode == Mode::Triangles && !corners.is_multiple_of(3) {
            return Err(
                name.fault(format!("the number of corners, {corners}, is not a multiple of 3"))
            );
        }
        if surface.positions.count > u32::MAX as usize {
            return Err(name.fault("more vertices than 32-bit indices can address"));
        }
        Ok(Ok(surface))
    }

    fn corners(&self) -> usize {
        self.indices.as_ref().map_or(self.positions.count, |indices| indices.count)
    }

    /// All triangles, except degenerate ones of strips and fans (an index twice), which only
    /// connect others.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let mode = self.mode;
        let corner = |i: usize| self.indices.as_ref().map_or(i as u32, |indices| indices.index(i));
        let count = mode.triangles(self.corners() as u64) as usize;
        let triangle = move |t: usize| match mode {
            Mode::Triangles => [3 * t, 3 * t + 1, 3 * t + 2],
            Mode::Fan => [t + 1, t + 2, 0],
            // Every second triangle of a strip is reversed (glTF 2.0, 3.7.2.1).
            Mode::Strip => [t, t + 1 + t % 2, t + 2 - t % 2],
        };
        let stitches = move |[a, b, c]: [u32; 3]| a == b || b == c || c == a;
        (0..count)
            .map(move |t| triangle(t).map(corner))
            .filter(move |&corners| mode == Mode::Triangles || !stitches(corners))
    }

    /// Checks that every index is in range and every coordinate is valid for a mesh. Returns the
    /// largest magnitude along each axis.
    pub(super) fn check(&self) -> Result<[f64; 3], Fault> {
        let count = self.positions.count;
        let mut reach = [0.0_f64; 3];
        if let Some(indices) = &self.indices {
            let corners = (0..indices.count).map(|i| indices.index(i));
            if let Some(bad) = corners.into_iter().find(|&v| v as usize >= count) {
                let message = format!("vertex index {bad} is out of range, there are {count}");
                return Err(self.name.fault(message));
            }
        }
        for v in self.triangles().flatten() {
            let point = self.positions.point(v as usize);
            if let Some(bad) = beyond(point) {
                return Err(self.not_finite(v, "", bad));
            }
            reach = [0, 1, 2].map(|k| reach[k].max(point[k].abs()));
        }
        Ok(reach)
    }

    /// The error for vertex `v`, with its coordinate in the file or at `whereabouts`.
    pub(super) fn not_finite(&self, v: u32, whereabouts: &str, (axis, c): (char, f64)) -> Fault {
        let message =
            format!("vertex {v}: coordinate {axis}{whereabouts} is {c:e}, it must be finite");
        self.name.fault(message)
    }
}

/// The first coordinate that is out of range for a mesh.
pub(super) fn beyond(point: [f64; 3]) -> Option<(char, f64)> {
    let named = ['x', 'y', 'z'].into_iter().zip(point);
    named.into_iter().find(|(_, c)| !(c.abs() <= impinge_geometry::MAX_COORDINATE))
}
