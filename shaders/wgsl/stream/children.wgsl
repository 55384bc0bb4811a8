//!include invocation.wgsl
//!include stream/records.wgsl
// The children of the marked nodes of a depth, and the triangles of marked leaves. One invocation
// for each node.

@group(0) @binding(1) var<storage, read> nodes: array<StreamNode>;
@group(0) @binding(2) var<storage, read> open: array<u32>;
@group(0) @binding(3) var<storage, read> marks: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> next: array<u32>;
@group(0) @binding(6) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(64)
fn open_children(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    if i >= atomicLoad(&counts[LEVELS + job.level]) || marks[i] == 0u {
        return;
    }
    let link = nodes[open[i]].link;
    if (link & LEAF) != 0u {
        list[atomicAdd(&counts[CANDIDATES], 1u)] = link & ~LEAF;
    } else {
        let place = atomicAdd(&counts[LEVELS + job.level + 1u], 2u);
        next[place] = link;
        next[place + 1u] = link + 1u;
    }
}
