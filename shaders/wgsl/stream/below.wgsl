//!include stream/records.wgsl
// What is below a box that an edge meets. The including file declares the lists and their counts.

// Lists the edge with both children, or with the triangle of a leaf.
fn go_below(edge: u32, link: u32) {
    if (link & LEAF) != 0u {
        let place = atomicAdd(&counts[CANDIDATES], 1u);
        if place < arrayLength(&candidates) {
            candidates[place] = vec2<u32>(edge, link & ~LEAF);
        }
        return;
    }
    let place = atomicAdd(&counts[LEVELS + job.level + 1u], 2u);
    if place + 1u < arrayLength(&next) {
        next[place] = vec2<u32>(edge, link);
        next[place + 1u] = vec2<u32>(edge, link + 1u);
    }
}
