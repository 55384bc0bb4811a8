//!include invocation.wgsl
//!include stream/report.wgsl
// Listed pairs of an edge and a triangle: one invocation for each.

@group(0) @binding(3) var<storage, read> candidates: array<vec2<u32>>;

@compute @workgroup_size(64)
fn test_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    if i < min(atomicLoad(&counts[CANDIDATES]), arrayLength(&candidates)) {
        report(candidates[i].x, candidates[i].y);
    }
}
