//!include invocation.wgsl
// Dispatches whose size is known on the device only.

@group(0) @binding(0) var<storage, read> count: u32;
@group(0) @binding(1) var<uniform> size: u32;
@group(0) @binding(2) var<storage, read_write> groups: array<u32, 3>;

// The workgroups of `size` invocations, at least 2, that `count` invocations need.
@compute @workgroup_size(1)
fn plan() {
    let needed = count / size + select(0u, 1u, count % size != 0u);
    groups[0] = min(needed, GROUPS_IN_A_ROW);
    groups[1] = max(needed / GROUPS_IN_A_ROW + select(0u, 1u, needed % GROUPS_IN_A_ROW != 0u), 1u);
    groups[2] = 1u;
}
