//!include invocation.wgsl
//!include stream/trees/triangles.wgsl
// A few steps depth first for each pose, until a pair of triangles is certain to meet. What is left
// goes to the list of pairs of nodes. One invocation for each pose.

// Pairs of boxes that one invocation tests.
const STEPS: u32 = 2048u;
// Pairs on the stack: at most 3 for each depth, and 1.
const STACK: u32 = 128u;

@group(0) @binding(4) var<storage, read> nodes_a: array<TreesNode>;
@group(0) @binding(5) var<storage, read> nodes_b: array<TreesNode>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> found: array<u32>;
@group(0) @binding(8) var<storage, read_write> open: array<u32>;

@compute @workgroup_size(64)
fn probe(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let index = invocation(group, local, 64u);
    if index >= arrayLength(&poses) {
        return;
    }
    let pose = poses[index];
    var stack: array<vec2<u32>, STACK>;
    stack[0] = vec2<u32>(0u, 0u);
    var height = 1u;
    var steps = 0u;
    var tested = 0u;
    while height > 0u && steps < STEPS {
        height -= 1u;
        steps += 1u;
        let pair = stack[height];
        let node_a = nodes_a[pair.x];
        let node_b = nodes_b[pair.y];
        if !boxes_meet(pose, node_a, node_b) {
            continue;
        }
        let a = node_a.link;
        let b = node_b.link;
        if (a & b & LEAF) != 0u {
            tested += 1u;
            let kind = triangles(pose, 9u * (a & ~LEAF), 9u * (b & ~LEAF));
            if kind != MISS {
                list(index, (a & ~LEAF) | select(0u, OPEN, kind == UNKNOWN), b & ~LEAF);
            }
            if kind == HIT {
                height = 0u;
            }
            continue;
        }
        // The first children are taken first.
        let many_a = select(2u, 1u, (a & LEAF) != 0u);
        let many_b = select(2u, 1u, (b & LEAF) != 0u);
        for (var k = many_a; k > 0u; k--) {
            for (var m = many_b; m > 0u; m--) {
                let child_a = select(a + k - 1u, pair.x, many_a == 1u);
                let child_b = select(b + m - 1u, pair.y, many_b == 1u);
                stack[height] = vec2<u32>(child_a, child_b);
                height += 1u;
            }
        }
    }
    atomicAdd(&counts[POSES + 2u * index], steps);
    atomicAdd(&counts[POSES + 2u * index + 1u], tested);
    let place = atomicAdd(&counts[LEVELS], height);
    for (var k = 0u; k < height; k++) {
        if place + k < arrayLength(&open) / ENTRY {
            open[ENTRY * (place + k)] = index;
            open[ENTRY * (place + k) + 1u] = stack[k].x;
            open[ENTRY * (place + k) + 2u] = stack[k].y;
        }
    }
}

fn list(pose: u32, a: u32, b: u32) {
    let place = atomicAdd(&counts[FOUND], 1u);
    if place < arrayLength(&found) / ENTRY {
        found[ENTRY * place] = pose;
        found[ENTRY * place + 1u] = a;
        found[ENTRY * place + 2u] = b;
    }
}
