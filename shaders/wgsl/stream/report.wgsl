//!include stream/found.wgsl
//!include stream/triangle.wgsl
// Tests an edge against a triangle, and lists the pair if it is not a miss.

@group(0) @binding(1) var<storage, read> edges: array<StreamEdge>;
@group(0) @binding(2) var<storage, read> faces: array<StreamFace>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

fn report(edge: u32, face: u32) {
    var kind = MISS;
    if job.mode == SAMPLED {
        kind = sampled(edges[edge], faces[face]);
    } else {
        kind = certified(edges[edge], faces[face]);
    }
    if kind != MISS {
        list_pair(edge, face | select(0u, OPEN, kind == UNKNOWN));
    }
}
