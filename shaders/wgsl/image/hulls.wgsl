// Draws one hull of a pair, from triangle strips or from a plain list (fan section 2.3.4); instance
// i is pair i. There is no fragment stage: the test needs depth and stencil alone.

//!include image/pair.wgsl

@group(0) @binding(0) var<storage, read> pairs: array<PairDraw>;
@group(0) @binding(1) var<storage, read> coordinates: array<f32>;
@group(0) @binding(2) var<storage, read> entries: array<u32>;

// The vertex in clip space.
fn placed(hull: Placed, vertex: u32) -> vec4<f32> {
    let at = 3u * vertex;
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

// Indexed triangle strips: `vertex` comes from the index buffer, which is the entries.
@vertex
fn draw_first(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    return placed(pairs[pair].first, vertex);
}

@vertex
fn draw_second(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    return placed(pairs[pair].second, vertex);
}

// A triangle list without an index buffer: three invocations for each triangle.
@vertex
fn list_first(
    @builtin(vertex_index) number: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    let hull = pairs[pair].first;
    return placed(hull, entries[hull.run.begin + number]);
}

@vertex
fn list_second(
    @builtin(vertex_index) number: u32,
    @builtin(instance_index) pair: u32,
) -> @invariant @builtin(position) vec4<f32> {
    let hull = pairs[pair].second;
    return placed(hull, entries[hull.run.begin + number]);
}
