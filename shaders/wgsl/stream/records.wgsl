// Records and arithmetic of the streaming kernels. The Rust side is in src/stream.rs; a test
// compares every offset.

// What one dispatch does.
struct StreamJob {
    // 0, which no compiler knows: see `op`.
    zero: u32,
    mode: u32,
    // Depth in the tree.
    level: u32,
    // What is taken from a list: nothing, TARGETS or PAIRS.
    listed: u32,
    edge_begin: u32,
    edge_end: u32,
    face_begin: u32,
    face_end: u32,
    // The edge in the first texel of the textures.
    first: u32,
    // A power of two that brings all lengths below 1.
    scale: f32,
}

// One end and the error's bound, negative if nothing is known; and the other end. In sampled mode
// one end and the length, and the direction.
struct StreamEdge {
    head: vec4<f32>,
    tail: vec4<f32>,
}

// A corner and the largest coordinate of a side, the two sides from it, and their product.
struct StreamFace {
    corner: vec4<f32>,
    e12: vec4<f32>,
    e13: vec4<f32>,
    normal: vec4<f32>,
}

// The axes of a box, each with the half-length along it; the centre; and the first of two children,
// or a triangle and LEAF.
struct StreamNode {
    axis_x: vec4<f32>,
    axis_y: vec4<f32>,
    axis_z: vec4<f32>,
    centre: vec3<f32>,
    link: u32,
}

const SAMPLED: u32 = 1u;
const LEAF: u32 = 0x80000000u;
const TARGETS: u32 = 1u;
const PAIRS: u32 = 2u;

// Set in the triangle of a pair that is not decided.
const OPEN: u32 = 0x80000000u;

// Places of the counts. They count on beyond the ends of the lists.
const FOUND: u32 = 0u;
const CANDIDATES: u32 = 1u;
const UNDRAWN: u32 = 2u;
const LEVELS: u32 = 3u;

@group(0) @binding(0) var<uniform> job: StreamJob;

// The same number, by an operation that is none of floating point: WGSL allows terms to be regrouped
// and fused, but not through this. So each operation below is rounded on its own.
fn op(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ job.zero);
}

fn op3(x: vec3<f32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(bitcast<vec3<u32>>(x) ^ vec3<u32>(job.zero));
}

fn dot_of(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let terms = op3(a * b);
    return op(op(terms.x + terms.y) + terms.z);
}

fn cross_of(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return op3(op3(a.yzx * b.zxy) - op3(a.zxy * b.yzx));
}

fn largest(a: vec3<f32>) -> f32 {
    return max(max(abs(a.x), abs(a.y)), abs(a.z));
}
