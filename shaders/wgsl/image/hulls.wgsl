// Draws one hull of a pair from triangle strips that are decoded here, vertex by vertex (fan
// section 2.3.4). Drawn as a triangle list of 3 (length - 2) vertices, so that no backend has to
// know what a strip or its restart is; instance i is pair i. There is no fragment stage: the test
// needs depth and stencil alone.

//!include image/pair.wgsl

// Flags of a strip entry, see src/image/strip.rs.
const NO_TRIANGLE: u32 = 0x80000000u;
const FLIPPED: u32 = 0x40000000u;
const INDEX: u32 = 0x3fffffffu;

@group(0) @binding(0) var<storage, read> pairs: array<PairDraw>;
@group(0) @binding(1) var<storage, read> coordinates: array<f32>;
@group(0) @binding(2) var<storage, read> entries: array<u32>;

// Corner `number % 3` of the triangle that ends at entry `number / 3 + 2` of the hull, in clip
// space. All corners coincide where no triangle ends.
fn corner(hull: Placed, number: u32) -> vec4<f32> {
    let start = hull.begin + number / 3u;
    let last = entries[start + 2u];
    if (last & NO_TRIANGLE) != 0u {
        return vec4<f32>(0.0, 0.0, 0.0, 1.0);
    }
    var step = number % 3u;
    if (last & FLIPPED) != 0u && step != 0u {
        step = 3u - step;
    }
    let at = 3u * (entries[start + step] & INDEX);
    let x = coordinates[at];
    let y = coordinates[at + 1u];
    let z = coordinates[at + 2u];
    return vec4<f32>(
        row(hull.row_x, x, y, z),
        row(hull.row_y, x, y, z),
        row(hull.row_z, x, y, z),
        1.0,
    );
}

fn row(r: vec4<f32>, x: f32, y: f32, z: f32) -> f32 {
    return ((r.x * x + r.y * y) + r.z * z) + r.w;
}

@vertex
fn draw_first(
    @builtin(vertex_index) number: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    return corner(pairs[pair].first, number);
}

@vertex
fn draw_second(
    @builtin(vertex_index) number: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    return corner(pairs[pair].second, number);
}
