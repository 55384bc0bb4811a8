//!include stream/words.wgsl
//!include stream/found.wgsl
// Lists the pairs of an image of triangles that are not a miss.

@compute @workgroup_size(64)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let texel = vec2<u32>(group.x * 64u + local, group.y);
    let face = met(texel);
    if face != NOTHING {
        list_pair(edge_of(texel), face);
    }
}
