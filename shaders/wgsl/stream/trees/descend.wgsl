//!include invocation.wgsl
//!include stream/trees/placed.wgsl
// Pairs of nodes: the pairs of their children whose boxes may meet go to the next list, or, if both
// are leaves, to the list of pairs of triangles. A leaf is paired with the children of the other node.
// One invocation for each pair.

@group(0) @binding(1) var<storage, read> nodes_a: array<TreesNode>;
@group(0) @binding(2) var<storage, read> nodes_b: array<TreesNode>;
@group(0) @binding(3) var<storage, read> poses: array<TreesPose>;
@group(0) @binding(4) var<storage, read> open: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> next: array<u32>;
@group(0) @binding(7) var<storage, read_write> candidates: array<u32>;

@compute @workgroup_size(64)
fn descend(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    let count = atomicLoad(&counts[LEVELS + job.level]);
    if i >= min(count, arrayLength(&open) / ENTRY) {
        return;
    }
    let index = open[ENTRY * i];
    let of_a = open[ENTRY * i + 1u];
    let of_b = open[ENTRY * i + 2u];
    let pose = poses[index];
    let link_a = nodes_a[of_a].link;
    let link_b = nodes_b[of_b].link;
    let many_a = select(2u, 1u, (link_a & LEAF) != 0u);
    let many_b = select(2u, 1u, (link_b & LEAF) != 0u);
    for (var k = 0u; k < many_a; k++) {
        let child_a = select(link_a + k, of_a, many_a == 1u);
        let node_a = nodes_a[child_a];
        for (var m = 0u; m < many_b; m++) {
            let child_b = select(link_b + m, of_b, many_b == 1u);
            let node_b = nodes_b[child_b];
            if boxes_meet(pose, node_a, node_b) {
                open_pair(index, child_a, node_a.link, child_b, node_b.link);
            }
        }
    }
    atomicAdd(&counts[POSES + 2u * index], many_a * many_b);
}

fn open_pair(pose: u32, a: u32, link_a: u32, b: u32, link_b: u32) {
    if (link_a & link_b & LEAF) != 0u {
        atomicAdd(&counts[POSES + 2u * pose + 1u], 1u);
        let place = atomicAdd(&counts[CANDIDATES], 1u);
        if place < arrayLength(&candidates) / ENTRY {
            candidates[ENTRY * place] = pose;
            candidates[ENTRY * place + 1u] = link_a & ~LEAF;
            candidates[ENTRY * place + 2u] = link_b & ~LEAF;
        }
        return;
    }
    let place = atomicAdd(&counts[LEVELS + job.level + 1u], 1u);
    if place < arrayLength(&next) / ENTRY {
        next[ENTRY * place] = pose;
        next[ENTRY * place + 1u] = a;
        next[ENTRY * place + 2u] = b;
    }
}
