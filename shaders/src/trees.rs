//! Two trees of boxes under many poses: the kernels of `stream-pairs`.
//!
//! Their twin is `crates/stream/src/pairs/placed.rs`: the same operations in the same order. Places
//! of vertices are integers, so that posing a vertex is exact but for its rounding; boxes and the
//! test of two triangles are in 32-bit floating point, with [`StreamJob::zero`] between operations
//! as in [`stream`](crate::stream).
//!
//! Counts are those of [`stream`](crate::stream). An entry of a list is [`ENTRY`] words: a pose,
//! then a node, or a triangle, of A and of B.

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};
use crate::shader::{Entry, Shader, Stage};
#[cfg(doc)]
use crate::stream::StreamJob;

/// B's pose, between the origins of both bodies' coordinates. The unit of length is the larger of
/// their units.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct TreesPose {
    /// First row of the rotation, in units of 2⁻³⁰; and the translation's first, in units of 2⁻²⁸.
    pub turn_x: [i32; 4],
    /// The second row.
    pub turn_y: [i32; 4],
    /// The third row.
    pub turn_z: [i32; 4],
    /// Binary places from A's unit to the common one, at most 31.
    pub down_a: u32,
    /// The same for B.
    pub down_b: u32,
    /// Bound on the error of a coordinate before it is rounded to 32 bits.
    pub grid: f32,
    /// By how much a box test must err on the side of meeting.
    pub more: f32,
}

/// A node of a tree of boxes along the axes of their body, in its unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct TreesNode {
    /// The middle.
    pub centre: [f32; 3],
    /// The first of two children, or a triangle and [`LEAF`](crate::stream::LEAF).
    pub link: u32,
    /// The half-lengths.
    pub half: [f32; 3],
    /// Nothing.
    pub unused: u32,
}

impl TreesPose {
    pub(crate) const LAYOUT: Layout = layout!(TreesPose {
        turn_x: [i32; 4],
        turn_y: [i32; 4],
        turn_z: [i32; 4],
        down_a: u32,
        down_b: u32,
        grid: f32,
        more: f32,
    });
}

impl TreesNode {
    pub(crate) const LAYOUT: Layout =
        layout!(TreesNode { centre: [f32; 3], link: u32, half: [f32; 3], unused: u32 });
}

/// Words of an entry of the lists.
pub const ENTRY: usize = 3;
/// [`StreamJob::mode`] in which only the first pair of each pose that is certain to meet is wanted.
pub const FIRST: u32 = 2;
/// Place of two counts for each pose: pairs of boxes tested, and pairs of triangles tested or listed.
pub const POSES: usize = 64;
/// The greatest depth of a tree for [`PROBE`], whose stack is limited.
pub const DEEPEST: usize = 42;

/// A kernel with workgroups of 64.
const fn entry(name: &'static str) -> Entry {
    Entry { name, stage: Stage::Compute { group: [64, 1, 1] } }
}

/// `wgsl/stream/trees/probe.wgsl`: each pose depth first. Bindings of group 0: the [`StreamJob`] (uniform);
/// A's corners, B's corners, nine words for a triangle, poses, A's nodes, B's nodes, counts, pairs
/// of triangles found, pairs of nodes left (storage).
pub const PROBE: Shader = Shader { name: "stream/trees/probe", entries: &[entry(PROBE_POSES)] };
/// The entry point of [`PROBE`]; an invocation for each pose.
pub const PROBE_POSES: &str = "probe";

/// `wgsl/stream/trees/descend.wgsl`: pairs of nodes of one list. Bindings of group 0: the [`StreamJob`]
/// (uniform); A's nodes, B's nodes, poses, pairs of this list, counts, pairs of the next list, pairs
/// of triangles (storage).
pub const DESCEND: Shader =
    Shader { name: "stream/trees/descend", entries: &[entry(DESCEND_LEVEL)] };
/// The entry point of [`DESCEND`]; an invocation for each pair.
pub const DESCEND_LEVEL: &str = "descend";

/// `wgsl/stream/trees/meet.wgsl`: pairs of triangles. Bindings of group 0: the [`StreamJob`] (uniform); A's
/// corners, B's corners, poses, pairs, counts, pairs found, and the least triangle of each pose
/// (storage).
pub const MEET: Shader = Shader { name: "stream/trees/meet", entries: &[entry(MEET_PAIRS)] };
/// The entry point of [`MEET`]; an invocation for each pair.
pub const MEET_PAIRS: &str = "meet";
