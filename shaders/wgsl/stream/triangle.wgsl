//!include stream/records.wgsl
// An edge against a triangle: the operations of crates/stream/src/kernel/certified.rs and
// sampled.rs, in the same order.

const MISS: u32 = 0u;
const HIT: u32 = 1u;
const UNKNOWN: u32 = 2u;

// Constants of the proven bound: see docs/methods/stream-basic.md.
const INPUT: f32 = 13.0;
const RHO: f32 = 1.1920929e-7;
const ROUNDING: f32 = 64.0;

fn bound(a: f32, b: f32, c: f32, delta: f32) -> f32 {
    let pairs = op(op(op(a * b) + op(b * c)) + op(c * a));
    let all = op(op(a * b) * c);
    return op(op(op(INPUT * delta) * pairs) + op((ROUNDING * RHO) * all));
}

fn certified(edge: StreamEdge, face: StreamFace) -> u32 {
    let delta = edge.head.w;
    if delta < 0.0 {
        return UNKNOWN;
    }
    let u = op3(edge.head.xyz - face.corner.xyz);
    let v = op3(edge.tail.xyz - face.corner.xyz);
    let dir = op3(edge.tail.xyz - edge.head.xyz);
    let slack = op(2.0 * delta);
    let size = op(face.corner.w + slack);
    let reach = op(max(largest(u), largest(v)) + slack);
    let length = op(largest(dir) + slack);

    let gap = op(op(4.0 * delta) + op((2.0 * RHO) * op(reach + size)));
    let low = op3(min(min(face.e12.xyz, face.e13.xyz), vec3<f32>(0.0)) - vec3<f32>(gap));
    let high = op3(max(max(face.e12.xyz, face.e13.xyz), vec3<f32>(0.0)) + vec3<f32>(gap));
    if any(min(u, v) > high) || any(max(u, v) < low) {
        return MISS;
    }

    let at_u = dot_of(face.normal.xyz, u);
    let at_v = dot_of(face.normal.xyz, v);
    let side = bound(size, size, reach, delta);
    if (at_u > side && at_v > side) || (at_u < -side && at_v < -side) {
        return MISS;
    }

    let moment = cross_of(u, dir);
    let det = -dot_of(face.normal.xyz, dir);
    let over_a = dot_of(face.e13.xyz, moment);
    let over_b = -dot_of(face.e12.xyz, moment);
    let over_c = op(op(det - over_a) - over_b);
    let of_det = bound(size, size, length, delta);
    let of_ab = bound(size, length, reach, delta);
    let of_c = op(of_det + op(2.0 * of_ab));
    let turn = select(1.0, -1.0, det < 0.0);
    let a = over_a * turn;
    let b = over_b * turn;
    let c = over_c * turn;
    let steep = abs(det) > of_det;
    if steep && (a < -of_ab || b < -of_ab || c < -of_c) {
        return MISS;
    }
    let through = (at_u > side && at_v < -side) || (at_u < -side && at_v > side);
    if steep && through && a > of_ab && b > of_ab && c > of_c {
        return HIT;
    }
    return UNKNOWN;
}

// The parameter where the ray of an edge meets a triangle; negative if it does not.
fn parameter(edge: StreamEdge, face: StreamFace) -> f32 {
    let dir = edge.tail.xyz;
    let v1o = op3(edge.head.xyz - face.corner.xyz);
    let v1od = cross_of(v1o, dir);
    let det = dot_of(face.e13.xyz, cross_of(face.e12.xyz, dir));
    let along = dot_of(face.normal.xyz, dir);
    // A quotient by 0 is no number on the processor, and any number here.
    if det == 0.0 || along == 0.0 {
        return -1.0;
    }
    let u = op(dot_of(face.e13.xyz, v1od) / det);
    let v = op(-dot_of(face.e12.xyz, v1od) / det);
    let w = op(u + v);
    let t = op(-dot_of(face.normal.xyz, v1o) / along);
    return select(-1.0, t, u >= 0.0 && v >= 0.0 && w <= 1.0 && t >= 0.0);
}

fn sampled(edge: StreamEdge, face: StreamFace) -> u32 {
    let t = parameter(edge, face);
    return select(MISS, HIT, t >= 0.0 && t <= edge.head.w);
}
