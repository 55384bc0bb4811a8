//!include invocation.wgsl
// The list 0, 1, 2 ... as long as is counted: the elements of a counted dispatch.

@group(0) @binding(0) var<storage, read> count: u32;
@group(0) @binding(1) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(64)
fn number_all(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, local, 64u);
    if i < count && i < arrayLength(&numbers) {
        numbers[i] = i;
    }
}
