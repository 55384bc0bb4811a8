//!include stream/tiles.wgsl
//!include stream/triangle.wgsl
// Draws a quad over each tile (fan section 3.3.2). A fragment reads its edge from two textures and
// tests it against the triangle of the quad.

@group(0) @binding(2) var heads: texture_2d<f32>;
@group(0) @binding(4) var tails: texture_2d<f32>;
@group(0) @binding(5) var<storage, read> faces: array<StreamFace>;

struct Corner {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) face: u32,
}

struct Drawn {
    @location(0) word: u32,
    @builtin(frag_depth) depth: f32,
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
    var face = job.face_begin + tile;
    if job.listed == TRIANGLES {
        face = list[face];
    }
    return Corner(vec4<f32>(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0), face);
}

fn read_edge(edge: u32) -> StreamEdge {
    let place = edge - job.first;
    let side = textureDimensions(heads).x;
    let texel = vec2<u32>(place % side, place / side);
    return StreamEdge(textureLoad(heads, texel, 0), textureLoad(tails, texel, 0));
}

fn face_of(texel: vec2<u32>, of_quad: u32) -> u32 {
    if job.listed == PAIRS {
        return list[2u * in_tile(texel) + 1u];
    }
    return of_quad;
}

// Every pair writes a word.
@fragment
fn draw_certified(corner: Corner) -> @location(0) u32 {
    let texel = vec2<u32>(corner.at.xy);
    let edge = edge_of(texel);
    if edge == NO_EDGE {
        discard;
        return 0u;
    }
    let face = face_of(texel, corner.face);
    let kind = certified(read_edge(edge), faces[face]);
    if kind == MISS {
        return MISSED;
    }
    return (face + FIRST) | select(0u, OPEN, kind == UNKNOWN);
}

// Writes the lengths of edges as depths.
@fragment
fn draw_lengths(corner: Corner) -> Drawn {
    let edge = edge_of(vec2<u32>(corner.at.xy));
    if edge == NO_EDGE {
        discard;
        return Drawn(0u, 1.0);
    }
    return Drawn(MISSED, op(job.scale * read_edge(edge).head.w));
}

// The depth test compares the parameter with the length.
@fragment
fn draw_sampled(corner: Corner) -> Drawn {
    let texel = vec2<u32>(corner.at.xy);
    let edge = edge_of(texel);
    if edge == NO_EDGE {
        discard;
        return Drawn(0u, 1.0);
    }
    let face = face_of(texel, corner.face);
    let t = parameter(read_edge(edge), faces[face]);
    if t < 0.0 {
        discard;
    }
    return Drawn(face + FIRST, min(op(job.scale * t), 1.0));
}
