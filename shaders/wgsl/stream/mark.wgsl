//!include invocation.wgsl
//!include stream/blocks.wgsl
//!include stream/box.wgsl
// Marks the open nodes that an edge meets: one invocation for a node and a block of edges.

@group(0) @binding(1) var<storage, read> edges: array<StreamEdge>;
@group(0) @binding(2) var<storage, read> nodes: array<StreamNode>;
@group(0) @binding(3) var<storage, read> open: array<u32>;
@group(0) @binding(4) var<storage, read> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> marks: array<atomic<u32>>;

@compute @workgroup_size(64)
fn mark(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    let stride = blocks();
    let place = i / stride;
    if place >= counts[LEVELS + job.level] {
        return;
    }
    let node = nodes[open[place]];
    var any_meets = false;
    // Neighbouring invocations read neighbouring edges.
    for (var edge = job.edge_begin + i % stride; edge < job.edge_end; edge += stride) {
        any_meets = any_meets || meets_box(edges[edge], node);
    }
    if any_meets {
        atomicStore(&marks[place], 1u);
    }
}
