//! Streams of edges against triangles and boxes (fan 2003, chapter 3), in 32 bits: the shaders
//! of the forms `Compute` and `Raster` of the streaming methods.
//!
//! Their twin is the processor's form, `crates/stream/src/kernel`: the same operations in the same
//! order. WGSL allows a compiler to regroup and fuse operations, and then no error bound holds.
//! [`StreamJob::zero`] prevents that: every intermediate result passes an exclusive or with it.
//!
//! Lists grow by an atomic count, which counts on beyond the end of a list, so that a list that was
//! too short is noticed. The counts are words: see [`FOUND`], [`CANDIDATES`], [`UNDRAWN`],
//! [`LEVELS`].

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};
use crate::shader::{Entry, Shader, Stage};

/// Operations of 32 bits that every certified test of an edge against a triangle does: those of
/// `certified` in `triangle.wgsl` before its first possible `return MISS`, in floating point, and the
/// exclusive or of `op`. The table is in `docs/methods/stream-basic.md`, "Operations of a test"; a test
/// counts them in the shader.
pub const OPERATIONS_AT_LEAST: [u32; 2] = [58, 23];

/// What one dispatch does; binding 0 of all kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StreamJob {
    /// 0, in a place where no compiler knows it.
    pub zero: u32,
    /// 0: certified, 1: sampled ([`SAMPLED`]), 2: first contacts
    /// ([`trees::FIRST`](crate::trees::FIRST)).
    pub mode: u32,
    /// Depth in the tree.
    pub level: u32,
    /// What is taken from a list: 0, [`TARGETS`] or [`PAIRS_LISTED`].
    pub listed: u32,
    /// The first edge.
    pub edge_begin: u32,
    /// The edge after the last.
    pub edge_end: u32,
    /// The first triangle or node, or its place in the list.
    pub face_begin: u32,
    /// The triangle or node after the last, or its place in the list.
    pub face_end: u32,
    /// Of a draw: the edge in the first texel of the textures.
    pub first: u32,
    /// Of a draw: a power of two that brings all lengths below 1.
    pub scale: f32,
}

/// An edge.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StreamEdge {
    /// One end; and the bound on the error of a coordinate, or in sampled mode the length. A
    /// negative bound says that nothing is known: an infinite one is not portable.
    pub head: [f32; 4],
    /// The other end, or in sampled mode the direction; and 0.
    pub tail: [f32; 4],
}

/// A triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StreamFace {
    /// A corner, and the largest coordinate of a side.
    pub corner: [f32; 4],
    /// A side from it, and 0.
    pub e12: [f32; 4],
    /// The other side from it, and 0.
    pub e13: [f32; 4],
    /// The product of the sides, and 0.
    pub normal: [f32; 4],
}

/// A node of a tree of boxes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StreamNode {
    /// An axis, and the half-length along it.
    pub axis_x: [f32; 4],
    /// The second axis.
    pub axis_y: [f32; 4],
    /// The third axis.
    pub axis_z: [f32; 4],
    /// The middle.
    pub centre: [f32; 3],
    /// The first of two children, or a triangle and [`LEAF`].
    pub link: u32,
}

impl StreamJob {
    pub(crate) const LAYOUT: Layout = layout!(StreamJob {
        zero: u32,
        mode: u32,
        level: u32,
        listed: u32,
        edge_begin: u32,
        edge_end: u32,
        face_begin: u32,
        face_end: u32,
        first: u32,
        scale: f32,
    });
}

impl StreamEdge {
    pub(crate) const LAYOUT: Layout = layout!(StreamEdge { head: [f32; 4], tail: [f32; 4] });
}

impl StreamFace {
    pub(crate) const LAYOUT: Layout =
        layout!(StreamFace { corner: [f32; 4], e12: [f32; 4], e13: [f32; 4], normal: [f32; 4] });
}

impl StreamNode {
    pub(crate) const LAYOUT: Layout = layout!(StreamNode {
        axis_x: [f32; 4],
        axis_y: [f32; 4],
        axis_z: [f32; 4],
        centre: [f32; 3],
        link: u32,
    });
}

/// [`StreamJob::mode`] of the sampled form.
pub const SAMPLED: u32 = 1;
/// [`StreamJob::listed`] if triangles or nodes are taken from a list.
pub const TARGETS: u32 = 1;
/// [`StreamJob::listed`] if pairs of an edge and a triangle or node are taken from a list.
pub const PAIRS_LISTED: u32 = 2;
/// Set in the link of a leaf.
pub const LEAF: u32 = 1 << 31;
/// Set in the triangle of a listed pair that 32 bits do not decide.
pub const OPEN: u32 = 1 << 31;
/// Place of the count of pairs found.
pub const FOUND: usize = 0;
/// Place of the count of what boxes leave: triangles, pairs of an edge and a triangle, or pairs of
/// triangles.
pub const CANDIDATES: usize = 1;
/// Place of the count of pairs that were to be drawn and were not.
pub const UNDRAWN: usize = 2;
/// Place of the count of open nodes, of pairs of an edge and a node, or of pairs of nodes, at depth
/// 0; then of each further depth.
pub const LEVELS: usize = 3;
/// Edges of a workgroup of [`FACES`], and triangles that each invocation tests.
pub const BLOCK: u32 = 64;
/// Edges that an invocation of [`MARK`] tests.
pub const EDGES: u32 = 64;

/// A kernel of this family with workgroups of 64.
const fn kernel(name: &'static str, entries: &'static [Entry]) -> Shader {
    Shader { name, entries }
}

/// The compute entry point of a kernel, with so many invocations in a group.
const fn entry(name: &'static str, size: u32) -> Entry {
    Entry { name, stage: Stage::Compute { group: [size, 1, 1] } }
}

/// `wgsl/stream/faces.wgsl`: a range of edges against a range of triangles. Bindings of group 0: the
/// [`StreamJob`] (uniform); edges, triangles, list of triangles, counts, pairs found (storage).
pub const FACES: Shader = kernel("stream/faces", &[entry(TEST_FACES, 64)]);
/// The entry point of [`FACES`]; workgroups along x for [`BLOCK`] edges, along y for as many
/// triangles.
pub const TEST_FACES: &str = "test_faces";

/// `wgsl/stream/pairs.wgsl`: listed pairs of an edge and a triangle. Bindings as for [`FACES`], with
/// the pairs in the place of the list.
pub const PAIRS: Shader = kernel("stream/pairs", &[entry(TEST_PAIRS, 64)]);
/// The entry point of [`PAIRS`]; an invocation for each pair.
pub const TEST_PAIRS: &str = "test_pairs";

/// `wgsl/stream/shrink.wgsl`: pairs of an edge and a node. Bindings of group 0: the [`StreamJob`]
/// (uniform); edges, nodes, pairs of this depth, counts, pairs of the next depth, pairs of an edge
/// and a triangle (storage).
pub const SHRINK: Shader = kernel("stream/shrink", &[entry(SHRINK_LEVEL, 64)]);
/// The entry point of [`SHRINK`]; an invocation for each pair.
pub const SHRINK_LEVEL: &str = "shrink";

/// `wgsl/stream/spread.wgsl`: open nodes times blocks of edges. Bindings of group 0: the
/// [`StreamJob`] (uniform); counts, the product (storage).
pub const SPREAD: Shader = kernel("stream/spread", &[entry(SPREAD_NODES, 1)]);
/// The entry point of [`SPREAD`]; one invocation.
pub const SPREAD_NODES: &str = "spread";

/// `wgsl/stream/mark.wgsl`: open nodes against a range of edges. Bindings of group 0: the
/// [`StreamJob`] (uniform); edges, nodes, open nodes, counts, marks (storage).
pub const MARK: Shader = kernel("stream/mark", &[entry(MARK_NODES, 64)]);
/// The entry point of [`MARK`]; an invocation for a node and [`EDGES`] edges.
pub const MARK_NODES: &str = "mark";

/// `wgsl/stream/children.wgsl`: what is below marked nodes. Bindings of group 0: the [`StreamJob`]
/// (uniform); nodes, open nodes, marks, counts, open nodes of the next depth, list of triangles
/// (storage).
pub const CHILDREN: Shader = kernel("stream/children", &[entry(OPEN_CHILDREN, 64)]);
/// The entry point of [`CHILDREN`]; an invocation for each node.
pub const OPEN_CHILDREN: &str = "open_children";

/// `wgsl/stream/draw.wgsl`: quads over the tiles of an [`Atlas`](crate::image::Atlas), each with a
/// texel for each edge. Bindings of group 0: the [`StreamJob`] and the atlas (uniform), the texture
/// of [`StreamEdge::head`]; the list of triangles or pairs (storage); the texture of
/// [`StreamEdge::tail`]; triangles, the number of listed pairs (storage).
pub const DRAW: Shader = Shader {
    name: "stream/draw",
    entries: &[
        Entry { name: PLACE_TILE, stage: Stage::Vertex },
        Entry { name: DRAW_CERTIFIED, stage: Stage::Fragment },
        Entry { name: DRAW_LENGTHS, stage: Stage::Fragment },
        Entry { name: DRAW_SAMPLED, stage: Stage::Fragment },
    ],
};
/// The vertex entry point of [`DRAW`] and [`DRAW_BOXES`]: a strip of 4 for each tile.
pub const PLACE_TILE: &str = "place_tile";
/// The fragments of the certified test: a word for each pair.
pub const DRAW_CERTIFIED: &str = "draw_certified";
/// The fragments that write the length of each edge as the depth of its texels.
pub const DRAW_LENGTHS: &str = "draw_lengths";
/// The fragments of the sampled test: where the ray meets the triangle, its parameter as depth.
pub const DRAW_SAMPLED: &str = "draw_sampled";

/// `wgsl/stream/draw_boxes.wgsl`: the same for boxes. Bindings as for [`DRAW`], with nodes in the place
/// of triangles.
pub const DRAW_BOXES: Shader = Shader {
    name: "stream/draw_boxes",
    entries: &[
        Entry { name: PLACE_TILE, stage: Stage::Vertex },
        Entry { name: DRAW_BOX, stage: Stage::Fragment },
    ],
};
/// The fragments of [`DRAW_BOXES`]: a word for each pair.
pub const DRAW_BOX: &str = "draw_boxes";

/// `wgsl/stream/gather.wgsl`: lists the pairs of a drawn image. Bindings of group 0: the [`StreamJob`]
/// and the atlas (uniform), the image; the list of triangles or pairs, counts, pairs found, the number
/// of listed pairs (storage).
pub const GATHER: Shader = kernel("stream/gather", &[entry(GATHER_PAIRS, 64)]);
/// The entry point of [`GATHER`]; workgroups along x for 64 texels of a row, along y for the rows.
pub const GATHER_PAIRS: &str = "gather";

/// `wgsl/stream/gather_marks.wgsl`: marks the nodes that an edge meets in an image of boxes. Bindings
/// as for [`GATHER`], with marks in the place of pairs found.
pub const MARKS: Shader = kernel("stream/gather_marks", &[entry(GATHER_MARKS, 64)]);
/// The entry point of [`MARKS`]; workgroups as for [`GATHER`].
pub const GATHER_MARKS: &str = "gather_marks";

/// `wgsl/stream/gather_below.wgsl`: what is below the boxes of an image, for each edge that meets one.
/// Bindings as for [`GATHER`], with pairs of the next depth in the place of pairs found; then nodes,
/// pairs of an edge and a triangle (storage).
pub const BELOW: Shader = kernel("stream/gather_below", &[entry(GATHER_BELOW, 64)]);
/// The entry point of [`BELOW`]; workgroups as for [`GATHER`].
pub const GATHER_BELOW: &str = "gather_below";
