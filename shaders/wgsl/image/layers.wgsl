// Layered depth images: all triangles over the middle of each pixel, in any order. The Rust side is in
// src/image/layers.rs; a test compares every offset.

// A window of an image, and how it is drawn.
struct LayersJob {
    // The first column and row, and how many there are.
    column: u32,
    row: u32,
    columns: u32,
    rows: u32,
    // Rows that an invocation draws.
    band: u32,
    // Layers that a pixel has room for.
    room: u32,
    triangles: u32,
}

// A corner is at x, y in parts of a pixel; z has the bits of its depth.
struct LayersTriangle {
    a: vec4<i32>,
    b: vec4<i32>,
    c: vec4<i32>,
}

// Parts of a pixel.
const PARTS: i32 = 256;

@group(0) @binding(0) var<uniform> job: LayersJob;
@group(0) @binding(1) var<storage, read> triangles: array<LayersTriangle>;
// Layers of each pixel; counts on beyond the room.
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
// The depth; the triangle times two, and one if it turns the other way.
@group(0) @binding(3) var<storage, read_write> layers: array<vec2<u32>>;

// A product of 64 bits, lower half first.
fn product(a: i32, b: i32) -> vec2<u32> {
    let m = u32(abs(a));
    let n = u32(abs(b));
    let low = (m & 0xffffu) * (n & 0xffffu);
    let left = (m >> 16u) * (n & 0xffffu);
    let right = (m & 0xffffu) * (n >> 16u);
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    let high = (m >> 16u) * (n >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u);
    let whole = vec2<u32>((low & 0xffffu) | (middle << 16u), high);
    if (a < 0) == (b < 0) {
        return whole;
    }
    return vec2<u32>(0u - whole.x, ~whole.y + select(0u, 1u, whole.x == 0u));
}

// The sign of m - n, both of 64 bits.
fn difference(m: vec2<u32>, n: vec2<u32>) -> i32 {
    let a = bitcast<i32>(m.y);
    let b = bitcast<i32>(n.y);
    if a != b {
        return select(-1, 1, a > b);
    }
    if m.x == n.x {
        return 0;
    }
    return select(-1, 1, m.x > n.x);
}

// What an edge adds to the winding number about a point.
fn turn_of(p: vec2<i32>, q: vec2<i32>, at: vec2<i32>) -> i32 {
    let up = p.y <= at.y && at.y < q.y;
    let down = q.y <= at.y && at.y < p.y;
    if !up && !down {
        return 0;
    }
    let u = p - at;
    let v = q - at;
    let side = difference(product(u.x, v.y), product(u.y, v.x));
    if up && side > 0 {
        return 1;
    }
    return select(0, -1, down && side < 0);
}

// The depth of the triangle at a point of its projection.
fn depth_at(triangle: LayersTriangle, at: vec2<i32>) -> f32 {
    let b = vec2<f32>(triangle.b.xy - triangle.a.xy);
    let c = vec2<f32>(triangle.c.xy - triangle.a.xy);
    let p = vec2<f32>(at - triangle.a.xy);
    let z = vec3<f32>(bitcast<f32>(triangle.a.z), bitcast<f32>(triangle.b.z), bitcast<f32>(triangle.c.z));
    let area = b.x * c.y - b.y * c.x;
    if area == 0.0 {
        return z.x;
    }
    let s = (p.x * c.y - p.y * c.x) / area;
    let t = (b.x * p.y - b.y * p.x) / area;
    let depth = z.x + s * (z.y - z.x) + t * (z.z - z.x);
    return clamp(depth, min(z.x, min(z.y, z.z)), max(z.x, max(z.y, z.z)));
}

// One invocation for each triangle and band of rows.
@compute @workgroup_size(64)
fn draw_layers(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.x * 64u + local;
    if index >= job.triangles {
        return;
    }
    let triangle = triangles[index];
    let low = min(triangle.a.xy, min(triangle.b.xy, triangle.c.xy));
    let high = max(triangle.a.xy, max(triangle.b.xy, triangle.c.xy));
    let half = PARTS / 2;
    let start = vec2<i32>(i32(job.column), i32(job.row + group.y * job.band));
    let rows = min(job.band, job.rows - min(group.y * job.band, job.rows));
    let end = start + vec2<i32>(i32(job.columns), i32(rows)) - 1;
    // The first and the last middle of a pixel that the box of the triangle holds.
    let first = max((low + (half - 1)) >> vec2<u32>(8u), start);
    let last = min((high - half) >> vec2<u32>(8u), end);
    for (var row = first.y; row <= last.y; row++) {
        for (var column = first.x; column <= last.x; column++) {
            let at = vec2<i32>(column, row) * PARTS + half;
            let turn = turn_of(triangle.a.xy, triangle.b.xy, at)
                + turn_of(triangle.b.xy, triangle.c.xy, at)
                + turn_of(triangle.c.xy, triangle.a.xy, at);
            if turn != 0 {
                let pixel = u32(row - i32(job.row)) * job.columns + u32(column - i32(job.column));
                let place = atomicAdd(&counts[pixel], 1u);
                if place < job.room {
                    let depth = bitcast<u32>(depth_at(triangle, at));
                    let word = (index << 1u) | select(0u, 1u, turn < 0);
                    layers[pixel * job.room + place] = vec2<u32>(depth, word);
                }
            }
        }
    }
}
