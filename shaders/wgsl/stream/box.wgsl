//!include stream/records.wgsl
// An edge against an oriented box on six axes: the operations of crates/stream/src/kernel/boxes.rs,
// in the same order.

// By how much boxes are enlarged, in units of an edge's error: see docs/methods/stream-tree.md.
const ENLARGED: f32 = 192.0;

// 2^-122, 16 times the smallest normal number: five results below that may be taken for 0.
const TINY: f32 = 1.880791e-37;

fn meets_box(edge: StreamEdge, node: StreamNode) -> bool {
    let p = edge.head.xyz;
    var q = edge.tail.xyz;
    var more = 0.0;
    if job.mode == SAMPLED {
        q = op3(p + op3(edge.head.w * q));
    } else {
        if edge.head.w < 0.0 {
            return true;
        }
        more = op(ENLARGED * edge.head.w);
    }
    let middle = op3(op3(0.5 * p) + op3(0.5 * q));
    let half = op3(op3(0.5 * q) - op3(0.5 * p));
    let to = op3(middle - node.centre);
    let axis_x = node.axis_x.xyz;
    let axis_y = node.axis_y.xyz;
    let axis_z = node.axis_z.xyz;
    let m = vec3<f32>(dot_of(axis_x, to), dot_of(axis_y, to), dot_of(axis_z, to));
    let v = vec3<f32>(dot_of(axis_x, half), dot_of(axis_y, half), dot_of(axis_z, half));
    let d = abs(v);
    let h = op3(vec3<f32>(node.axis_x.w, node.axis_y.w, node.axis_z.w) + vec3<f32>(more));
    let along = abs(m) > op3(h + d);
    // On the axes perpendicular to the edge and one of the box's: 1 and 2, 2 and 0, 0 and 1.
    let off = abs(op3(op3(m.yzx * v.zxy) - op3(m.zxy * v.yzx)));
    let wide = op3(op3(op3(h.yzx * d.zxy) + op3(h.zxy * d.yzx)) + vec3<f32>(TINY));
    return !(any(along) || any(off > wide));
}
