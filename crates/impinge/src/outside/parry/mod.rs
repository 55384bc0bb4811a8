//! parry3d (f32) as two comparators.
//!
//! | method | what it calls | questions |
//! | --- | --- | --- |
//! | [`parry`](Parry) | `query::intersection_test`, `distance` and `closest_points` of two `TriMesh`es: one tree is walked once per leaf of the other | first contact, distance, nearer than |
//! | [`parry-pairs`](ParryPairs) | `Bvh::leaf_pairs`, the simultaneous descent, and its triangle test (GJK) | first contact, all contacts |
//!
//! Both are [`Unproven`](impinge_query::Certainty::Unproven): coordinates are rounded to f32, and
//! GJK has an absolute tolerance of about 1e-6, whatever the size of the mesh.
//!
//! Inputs that would make parry panic are refused first: coordinates so large that products
//! overflow f32 ([`LARGEST`]), and more triangles than its nodes can count. GJK asserts that its
//! numbers stay finite; degenerate triangles may still violate that. Such a panic is caught and
//! becomes [`QueryError::Backend`]; its message still goes to standard error.

mod model;
mod nested;
mod pairs;

use std::panic::{AssertUnwindSafe, catch_unwind};

use impinge_geometry::Pose;
use impinge_geometry::parry::pose_to_parry;
use impinge_query::{Ask, QueryError};
use parry3d::math::Pose as ParryPose;

pub use model::ParryModel;
pub use nested::Parry;
pub use pairs::ParryPairs;

/// Largest coordinate magnitude of a mesh. Posed coordinates may reach four times that.
///
/// Unit: the user's. Value: 1e9, so that products of four lengths, the largest that parry's
/// simplices take, stay below 3e38, the end of the f32 range. With a larger value GJK asserts.
pub const LARGEST: f64 = 1e9;

/// Refuses questions that neither comparator answers and poses out of range; converts the pose.
fn accept(
    word: &'static str,
    b: &ParryModel,
    b_in_a: &Pose,
    ask: &Ask,
) -> Result<ParryPose, QueryError> {
    if ask.details {
        return Err(QueryError::Unanswered { word, what: "details" });
    }
    let reach = 2.0 * b.max_abs() + b_in_a.translation().amax();
    if !(reach <= 4.0 * LARGEST) {
        let reason = format!("posed coordinates reach {reach:e}, beyond what 32-bit products hold");
        return Err(QueryError::Backend { word, reason });
    }
    pose_to_parry(b_in_a).map_err(|error| QueryError::Backend { word, reason: error.to_string() })
}

/// Runs `work` of the foreign library and turns a panic into an error.
fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = (panic.downcast_ref::<&str>().copied())
            .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        format!("parry panicked: {}", text.unwrap_or("no message"))
    })
}

/// As [`guarded`], for a query.
fn guarded_query<R>(word: &'static str, work: impl FnOnce() -> R) -> Result<R, QueryError> {
    guarded(work).map_err(|reason| QueryError::Backend { word, reason })
}
