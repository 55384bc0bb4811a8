//!include stream/tiles.wgsl
// Quads over tiles, and the edges of texels in two textures (fan section 3.3.2).

@group(0) @binding(2) var heads: texture_2d<f32>;
@group(0) @binding(4) var tails: texture_2d<f32>;

struct Corner {
    @builtin(position) at: vec4<f32>,
    // The triangle or node of the tile.
    @location(0) @interpolate(flat) of_quad: u32,
}

// Instance i is tile i.
@vertex
fn place_tile(
    @builtin(vertex_index) corner: u32,
    @builtin(instance_index) tile: u32,
) -> Corner {
    let columns = atlas.columns;
    let rows = (atlas.count + columns - 1u) / columns;
    let at = vec2<u32>(tile % columns + corner % 2u, tile / columns + corner / 2u);
    // Borders are between texels, so rounding changes no texel's tile.
    let share = vec2<f32>(at) / vec2<f32>(vec2<u32>(columns, rows));
    var of_quad = job.face_begin + tile;
    if job.listed == TARGETS {
        of_quad = list[of_quad];
    }
    return Corner(vec4<f32>(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0), of_quad);
}

fn read_edge(edge: u32) -> StreamEdge {
    let place = edge - job.first;
    let side = textureDimensions(heads).x;
    let texel = vec2<u32>(place % side, place / side);
    return StreamEdge(textureLoad(heads, texel, 0), textureLoad(tails, texel, 0));
}

// The triangle or node of a texel.
fn tested(texel: vec2<u32>, of_quad: u32) -> u32 {
    if job.listed == PAIRS {
        return list[2u * in_tile(texel) + 1u];
    }
    return of_quad;
}
