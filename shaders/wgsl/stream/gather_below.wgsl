//!include stream/words.wgsl
//!include stream/below.wgsl
// Sends the pairs of an image of boxes that meet to what is below.

@group(0) @binding(5) var<storage, read_write> next: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> nodes: array<StreamNode>;
@group(0) @binding(8) var<storage, read_write> candidates: array<vec2<u32>>;

@compute @workgroup_size(64)
fn gather_below(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let texel = vec2<u32>(group.x * 64u + local, group.y);
    let node = met(texel);
    if node != NOTHING {
        go_below(edge_of(texel), nodes[node].link);
    }
}
