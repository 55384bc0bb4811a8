//!include stream/records.wgsl
// Two bodies under a pose: the operations of crates/stream/src/pairs/placed.rs, in the same order.

// B's pose, between the origins of both bodies' coordinates. The unit of length is the larger of
// their units.
struct TreesPose {
    // The rows of the rotation, in units of 2^-30, each with its part of the translation, in units of
    // 2^-28.
    turn_x: vec4<i32>,
    turn_y: vec4<i32>,
    turn_z: vec4<i32>,
    // Binary places from A's unit to the common one, and from B's.
    down_a: u32,
    down_b: u32,
    // Bound on the error of a coordinate before it is rounded to 32 bits.
    grid: f32,
    // By how much a box test must err on the side of meeting.
    more: f32,
}

// A box along the axes of its body, in its body's unit; and the first of two children, or a triangle
// and LEAF.
struct TreesNode {
    centre: vec3<f32>,
    link: u32,
    half: vec3<f32>,
    unused: u32,
}

// Words of an entry of the lists: a pose, then a node, or a triangle, of A and of B.
const ENTRY: u32 = 3u;

// Place of the counts of each pose: pairs of boxes tested, and pairs of triangles tested or listed.
const POSES: u32 = 64u;

// 2^-28 and 2^-30, the units of places and of rotations.
const PLACE: f32 = 3.7252903e-9;
const TURN: f32 = 9.313226e-10;

fn turn_of(pose: TreesPose) -> array<vec3<f32>, 3> {
    return array<vec3<f32>, 3>(
        op3(vec3<f32>(pose.turn_x.xyz) * TURN),
        op3(vec3<f32>(pose.turn_y.xyz) * TURN),
        op3(vec3<f32>(pose.turn_z.xyz) * TURN),
    );
}

// 2^-places, for at most 31.
fn power(places: u32) -> f32 {
    return bitcast<f32>((127u - places) << 23u);
}

// Whether boxes of A and of B may meet: false proves that they do not.
fn boxes_meet(pose: TreesPose, a: TreesNode, b: TreesNode) -> bool {
    let turn = turn_of(pose);
    let middle_a = op3(power(pose.down_a) * a.centre);
    let half_a = op3(power(pose.down_a) * a.half);
    let middle_b = op3(power(pose.down_b) * b.centre);
    let half_b = op3(power(pose.down_b) * b.half);
    let shift = op3(vec3<f32>(vec3<i32>(pose.turn_x.w, pose.turn_y.w, pose.turn_z.w)) * PLACE);
    let posed = vec3<f32>(
        dot_of(turn[0], middle_b),
        dot_of(turn[1], middle_b),
        dot_of(turn[2], middle_b),
    );
    let d = op3(op3(posed + shift) - middle_a);
    let row_x = abs(turn[0]);
    let row_y = abs(turn[1]);
    let row_z = abs(turn[2]);
    let reach_b = vec3<f32>(dot_of(row_x, half_b), dot_of(row_y, half_b), dot_of(row_z, half_b));
    if any(abs(d) > op3(op3(half_a + reach_b) + pose.more)) {
        return false;
    }
    let column_x = vec3<f32>(turn[0].x, turn[1].x, turn[2].x);
    let column_y = vec3<f32>(turn[0].y, turn[1].y, turn[2].y);
    let column_z = vec3<f32>(turn[0].z, turn[1].z, turn[2].z);
    let wide_x = abs(column_x);
    let wide_y = abs(column_y);
    let wide_z = abs(column_z);
    let along = vec3<f32>(dot_of(column_x, d), dot_of(column_y, d), dot_of(column_z, d));
    let reach_a = vec3<f32>(dot_of(wide_x, half_a), dot_of(wide_y, half_a), dot_of(wide_z, half_a));
    if any(abs(along) > op3(op3(half_b + reach_a) + pose.more)) {
        return false;
    }
    let more = pose.more;
    let apart_x = across(d, column_x, wide_x, half_a, half_b.y, wide_z, half_b.z, wide_y, more);
    let apart_y = across(d, column_y, wide_y, half_a, half_b.z, wide_x, half_b.x, wide_z, more);
    let apart_z = across(d, column_z, wide_z, half_a, half_b.x, wide_y, half_b.y, wide_x, more);
    return !(apart_x || apart_y || apart_z);
}

// Whether an axis perpendicular to an axis of A and to this axis of B separates the boxes; k and l are
// B's other two.
fn across(
    d: vec3<f32>,
    column: vec3<f32>,
    wide: vec3<f32>,
    half_a: vec3<f32>,
    half_k: f32,
    wide_l: vec3<f32>,
    half_l: f32,
    wide_k: vec3<f32>,
    more: f32,
) -> bool {
    let of_a = op3(op3(half_a.yzx * wide.zxy) + op3(half_a.zxy * wide.yzx));
    let of_b = op3(op3(half_k * wide_l) + op3(half_l * wide_k));
    return any(abs(cross_of(column, d)) > op3(op3(of_a + of_b) + more));
}

// An integer over 2^places, rounded.
fn down(x: i32, places: u32) -> i32 {
    if places == 0u {
        return x;
    }
    return (x + (1i << (places - 1u))) >> places;
}

// A row of the rotation times a point, rounded: the sum of three products of 60 bits, over 2^30.
fn turned(row: vec4<i32>, p: vec3<i32>) -> i32 {
    var high = 0;
    var low = 0;
    for (var k = 0; k < 3; k++) {
        let a1 = row[k] >> 15u;
        let a0 = row[k] & 0x7fff;
        let b1 = p[k] >> 15u;
        let b0 = p[k] & 0x7fff;
        let middle = a1 * b0 + a0 * b1 + ((a0 * b0) >> 15u);
        high += a1 * b1 + (middle >> 15u);
        low += middle & 0x7fff;
    }
    return high + ((low + 0x4000) >> 15u);
}

fn placed_a(pose: TreesPose, p: vec3<i32>) -> vec3<i32> {
    let places = pose.down_a;
    return vec3<i32>(down(p.x, places), down(p.y, places), down(p.z, places));
}

fn placed_b(pose: TreesPose, p: vec3<i32>) -> vec3<i32> {
    let places = pose.down_b;
    return vec3<i32>(
        down(turned(pose.turn_x, p), places) + pose.turn_x.w,
        down(turned(pose.turn_y, p), places) + pose.turn_y.w,
        down(turned(pose.turn_z, p), places) + pose.turn_z.w,
    );
}

// A difference of places in 32 bits, in the common unit.
fn relative(p: vec3<i32>, origin: vec3<i32>) -> vec3<f32> {
    return op3(vec3<f32>(p - origin) * PLACE);
}
