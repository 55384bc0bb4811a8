//!include stream/records.wgsl
// Edges that one invocation tests against a box.
const EDGES: u32 = 64u;

fn blocks() -> u32 {
    return (job.edge_end - job.edge_begin + EDGES - 1u) / EDGES;
}
