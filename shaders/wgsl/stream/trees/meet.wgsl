//!include invocation.wgsl
//!include stream/trees/triangles.wgsl
// Listed pairs of triangles: each edge of one against the other. One invocation for each pair.

// The mode in which only the first pair of each pose that is certain to meet is wanted.
const FIRST: u32 = 2u;

@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> found: array<u32>;
// For each pose, the least triangle of A that is certain to meet one of B.
@group(0) @binding(7) var<storage, read_write> least: array<atomic<u32>>;

@compute @workgroup_size(64)
fn meet(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    if i >= min(atomicLoad(&counts[CANDIDATES]), arrayLength(&candidates) / ENTRY) {
        return;
    }
    let index = candidates[ENTRY * i];
    let a = candidates[ENTRY * i + 1u];
    let b = candidates[ENTRY * i + 2u];
    let kind = triangles(poses[index], 9u * a, 9u * b);
    if kind == MISS {
        return;
    }
    // All certain pairs with the least triangle of A are listed, in any order of invocations.
    if kind == HIT && job.mode == FIRST && a > atomicMin(&least[index], a) {
        return;
    }
    let place = atomicAdd(&counts[FOUND], 1u);
    if place < arrayLength(&found) / ENTRY {
        found[ENTRY * place] = index;
        found[ENTRY * place + 1u] = a | select(0u, OPEN, kind == UNKNOWN);
        found[ENTRY * place + 2u] = b;
    }
}
