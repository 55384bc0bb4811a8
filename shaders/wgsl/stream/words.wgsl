//!include stream/tiles.wgsl
// Reads a drawn image: one invocation for each texel, 64 of a row in a workgroup.

const NOTHING: u32 = 0xffffffffu;

@group(0) @binding(2) var words: texture_2d<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

fn tile_of(texel: vec2<u32>) -> u32 {
    return texel.y / atlas.height * atlas.columns + texel.x / atlas.width;
}

// The triangle or node, with OPEN, that a texel's edge does not miss; otherwise NOTHING. Counts what
// was not drawn.
fn met(texel: vec2<u32>) -> u32 {
    if texel.x >= textureDimensions(words).x || tile_of(texel) >= atlas.count {
        return NOTHING;
    }
    if edge_of(texel) == NO_EDGE {
        return NOTHING;
    }
    let word = textureLoad(words, texel, 0).x;
    if word == 0u {
        atomicAdd(&counts[UNDRAWN], 1u);
        return NOTHING;
    }
    return select(word - FIRST, NOTHING, word == MISSED);
}
