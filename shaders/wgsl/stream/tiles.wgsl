//!include image/atlas.wgsl
//!include stream/records.wgsl
// An image of pairs: a tile for each triangle or node, and in it a texel for each edge. Or a single
// tile with a texel for each listed pair.

// Words of the image. One that was not drawn is 0; of a pair that is not a miss, the triangle or node
// plus FIRST, and OPEN.
const MISSED: u32 = 1u;
const FIRST: u32 = 2u;

const NO_EDGE: u32 = 0xffffffffu;

@group(0) @binding(1) var<uniform> atlas: Atlas;
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(6) var<storage, read> paired: u32;

// The number of a texel in its tile.
fn in_tile(texel: vec2<u32>) -> u32 {
    return texel.y % atlas.height * atlas.width + texel.x % atlas.width;
}

// The edge of a texel; NO_EDGE behind the last one.
fn edge_of(texel: vec2<u32>) -> u32 {
    let i = in_tile(texel);
    if job.listed == PAIRS {
        if i >= min(paired, arrayLength(&list) / 2u) {
            return NO_EDGE;
        }
        return list[2u * i];
    }
    let edge = job.edge_begin + i;
    return select(NO_EDGE, edge, edge < job.edge_end);
}
