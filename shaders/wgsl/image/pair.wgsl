// Records shared by the kernels of the image test. The Rust side is in src/image; a test compares
// every offset.

// Entries of one hull: see src/image/strip.rs.
struct Run {
    begin: u32,
    length: u32,
    vertices: u32,
    strips: u32,
}

// A hull and where it is seen: three rows of the affine map from its frame to clip space, and its
// entries.
struct Placed {
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
    run: Run,
}

// The two hulls of one viewport.
struct PairDraw {
    first: Placed,
    second: Placed,
}
