//!include stream/trees/placed.wgsl
//!include stream/triangle.wgsl
// A triangle of A against one of B: each edge of one against the other.

@group(0) @binding(1) var<storage, read> corners_a: array<i32>;
@group(0) @binding(2) var<storage, read> corners_b: array<i32>;
@group(0) @binding(3) var<storage, read> poses: array<TreesPose>;

fn corner_a(i: u32) -> vec3<i32> {
    return vec3<i32>(corners_a[i], corners_a[i + 1u], corners_a[i + 2u]);
}

fn corner_b(i: u32) -> vec3<i32> {
    return vec3<i32>(corners_b[i], corners_b[i + 1u], corners_b[i + 2u]);
}

// The triangles whose corners begin at these words.
fn triangles(pose: TreesPose, a: u32, b: u32) -> u32 {
    let origin = placed_a(pose, corner_a(a));
    var p = array<vec3<f32>, 3>();
    var q = array<vec3<f32>, 3>();
    var reach = 0.0;
    for (var k = 0u; k < 3u; k++) {
        p[k] = relative(placed_a(pose, corner_a(a + 3u * k)), origin);
        q[k] = relative(placed_b(pose, corner_b(b + 3u * k)), origin);
        reach = max(reach, max(largest(p[k]), largest(q[k])));
    }
    let delta = op(pose.grid + op(RHO * reach));
    let of_b = edges_of(q, p, delta);
    if of_b == HIT {
        return HIT;
    }
    let of_a = edges_of(p, q, delta);
    if of_a == HIT {
        return HIT;
    }
    return max(of_a, of_b);
}

// The edges of a triangle against another one: HIT if one hits, else UNKNOWN unless all miss.
fn edges_of(p: array<vec3<f32>, 3>, q: array<vec3<f32>, 3>, delta: f32) -> u32 {
    let face = face_of(q);
    var kind = MISS;
    for (var k = 0u; k < 3u; k++) {
        let edge = StreamEdge(vec4<f32>(p[k], delta), vec4<f32>(p[(k + 1u) % 3u], 0.0));
        let class_of_edge = certified(edge, face);
        if class_of_edge == HIT {
            return HIT;
        }
        kind = max(kind, class_of_edge);
    }
    return kind;
}

fn face_of(q: array<vec3<f32>, 3>) -> StreamFace {
    let e12 = op3(q[1] - q[0]);
    let e13 = op3(q[2] - q[0]);
    return StreamFace(
        vec4<f32>(q[0], max(largest(e12), largest(e13))),
        vec4<f32>(e12, 0.0),
        vec4<f32>(e13, 0.0),
        vec4<f32>(cross_of(e12, e13), 0.0),
    );
}
