//!include stream/blocks.wgsl
// How many invocations the open nodes of a depth need, each for all blocks of edges.

@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: u32;

@compute @workgroup_size(1)
fn spread() {
    count = counts[LEVELS + job.level] * blocks();
}
