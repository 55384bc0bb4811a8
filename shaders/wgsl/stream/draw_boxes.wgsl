//!include stream/quads.wgsl
//!include stream/box.wgsl
// Tests the edge of a texel against the box of its quad (fan section 3.5.1).

@group(0) @binding(5) var<storage, read> nodes: array<StreamNode>;

// Every pair writes a word.
@fragment
fn draw_boxes(corner: Corner) -> @location(0) u32 {
    let texel = vec2<u32>(corner.at.xy);
    let edge = edge_of(texel);
    if edge == NO_EDGE {
        discard;
        return 0u;
    }
    let node = tested(texel, corner.of_quad);
    return select(MISSED, node + FIRST, meets_box(read_edge(edge), nodes[node]));
}
