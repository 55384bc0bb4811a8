//!include invocation.wgsl
//!include stream/box.wgsl
//!include stream/below.wgsl
// Pairs of an edge and a box of one depth: those that meet go to what is below. One invocation for
// each pair.

@group(0) @binding(1) var<storage, read> edges: array<StreamEdge>;
@group(0) @binding(2) var<storage, read> nodes: array<StreamNode>;
@group(0) @binding(3) var<storage, read> open: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> next: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> candidates: array<vec2<u32>>;

@compute @workgroup_size(64)
fn shrink(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    if i >= atomicLoad(&counts[LEVELS + job.level]) {
        return;
    }
    // All edges meet the root above the root.
    var pair = vec2<u32>(job.edge_begin + i, 0u);
    if job.level > 0u {
        if i >= arrayLength(&open) {
            return;
        }
        pair = open[i];
    }
    let node = nodes[pair.y];
    if !meets_box(edges[pair.x], node) {
        return;
    }
    go_below(pair.x, node.link);
}
