//!include stream/quads.wgsl
//!include stream/triangle.wgsl
// Tests the edge of a texel against the triangle of its quad.

@group(0) @binding(5) var<storage, read> faces: array<StreamFace>;

struct Drawn {
    @location(0) word: u32,
    @builtin(frag_depth) depth: f32,
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
    let face = tested(texel, corner.of_quad);
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
    let face = tested(texel, corner.of_quad);
    let t = parameter(read_edge(edge), faces[face]);
    if t < 0.0 {
        discard;
    }
    return Drawn(face + FIRST, min(op(job.scale * t), 1.0));
}
