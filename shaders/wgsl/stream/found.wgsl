//!include stream/records.wgsl
// The list of pairs that are not a miss. The including file declares its counts.

@group(0) @binding(5) var<storage, read_write> found: array<vec2<u32>>;

// Lists an edge and a triangle, with OPEN if they are not decided.
fn list_pair(edge: u32, face: u32) {
    let place = atomicAdd(&counts[FOUND], 1u);
    if place < arrayLength(&found) {
        found[place] = vec2<u32>(edge, face);
    }
}
