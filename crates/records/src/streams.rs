//! The `streams` record of `measure`: streaming methods on the processor and on an adapter.

use serde::{Deserialize, Serialize};

/// Times of the streaming methods in all their forms, and of a batch of poses. Every verdict was
/// compared; a difference ends the run without this record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Streams {
    /// The adapter; absent if none was asked for.
    pub adapter: Option<StreamAdapter>,
    /// Single queries: a method in a form in each.
    pub queries: Vec<StreamQueries>,
    /// The batch of poses; absent if `stream-pairs` was not asked for.
    pub batch: Option<StreamBatch>,
}

/// An adapter, and how fast it computes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamAdapter {
    /// Its name.
    pub name: String,
    /// Whether it is hardware, not a driver that computes on the processor.
    pub hardware: bool,
    /// 32-bit operations a second in a kernel of fused multiply-adds, each of which counts as two.
    pub peak_per_s: f64,
    /// 32-bit operations that every test of `stream-basic` does: up to its first return, by the
    /// table in `docs/methods/stream-basic.md`.
    pub operations: u32,
    /// Those of them in floating point; the others are the exclusive or of `op`.
    pub in_floating_point: u32,
}

/// Queries by one method in one form. No pose is a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamQueries {
    /// The method's name.
    pub method: String,
    /// `"processor"`, `"compute"` or `"raster"`.
    pub form: String,
    /// Triangles of each of the two meshes.
    pub triangles: usize,
    /// Number of poses.
    pub poses: usize,
    /// Median over the poses of the least time.
    pub median_ns: f64,
    /// Tests per pose: `N_v + N_p`.
    pub tests: f64,
    /// Submissions per pose; on the processor, the draws that the paper would make.
    pub submissions: f64,
}

/// A batch of poses by `stream-pairs`, and by `wide` over all threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamBatch {
    /// Triangles of each of the two meshes.
    pub triangles: usize,
    /// Number of poses.
    pub poses: usize,
    /// Number of these that are hits.
    pub hits: usize,
    /// Submissions of `stream-pairs` for all poses; 0 on the processor.
    pub submissions: u64,
    /// Least time of `stream-pairs` for all poses.
    pub pairs_ns: f64,
    /// Least time of `wide` for all poses.
    pub wide_ns: f64,
    /// Relative difference between the odd and the even passes, the larger of the two methods'.
    pub noise: f64,
}
