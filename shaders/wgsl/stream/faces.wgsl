//!include stream/report.wgsl
// Edges against triangles, each against each: one invocation for an edge and a block of triangles.

// Triangles of a block.
const BLOCK: u32 = 64u;

@group(0) @binding(3) var<storage, read> list: array<u32>;

@compute @workgroup_size(64)
fn test_faces(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let edge = job.edge_begin + group.x * 64u + local;
    if edge >= job.edge_end {
        return;
    }
    let begin = job.face_begin + group.y * BLOCK;
    let end = min(begin + BLOCK, job.face_end);
    for (var i = begin; i < end; i++) {
        var face = i;
        if job.listed == TARGETS {
            face = list[i];
        }
        report(edge, face);
    }
}
