//!include stream/words.wgsl
// Marks the open nodes of an image of boxes that an edge meets.

@group(0) @binding(5) var<storage, read_write> marks: array<atomic<u32>>;

@compute @workgroup_size(64)
fn gather_marks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let texel = vec2<u32>(group.x * 64u + local, group.y);
    let node = met(texel);
    if node != NOTHING {
        atomicStore(&marks[job.face_begin + tile_of(texel)], 1u);
    }
}
