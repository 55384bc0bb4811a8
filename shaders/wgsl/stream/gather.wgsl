//!include stream/tiles.wgsl
//!include stream/found.wgsl
// Lists the pairs of a drawn image that are not a miss: one invocation for each texel, 64 of a row
// in a workgroup.

@group(0) @binding(2) var words: texture_2d<u32>;

@compute @workgroup_size(64)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let texel = vec2<u32>(group.x * 64u + local, group.y);
    let tile = texel.y / atlas.height * atlas.columns + texel.x / atlas.width;
    if texel.x >= textureDimensions(words).x || tile >= atlas.count {
        return;
    }
    let edge = edge_of(texel);
    if edge == NO_EDGE {
        return;
    }
    let word = textureLoad(words, texel, 0).x;
    if word == 0u {
        atomicAdd(&counts[UNDRAWN], 1u);
    } else if word != MISSED {
        list_pair(edge, word - FIRST);
    }
}
