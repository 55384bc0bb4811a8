//! The expected answers, computed independently of everything that is measured.
//!
//! Contacts come from the sweep in [`impinge_benches::expected`] with exact predicates (rational
//! ones for small meshes), without a tree. In scenes of more than [`JUDGED`] triangles they come
//! from `obbtree`, a different tree than `wide`'s with the same predicates. Distances come from
//! `obbtree`.

use impinge::{Contact, Method, Pair};
use impinge_benches::expected;
use impinge_benches::progress::Listener;
use impinge_benches::scene::Scene;

/// Above this size a sweep takes seconds per pose. Unit: triangles of both meshes.
pub const JUDGED: usize = 500_000;

/// The expected answers for every step of a scene.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Per step, all pairs of triangles that meet, in canonical order; empty if the meshes are
    /// apart.
    pub contacts: Vec<Vec<Contact>>,
    /// Distance per step; 0 where the meshes meet.
    pub distances: Vec<f64>,
    /// How the answers were found, for the record.
    pub judge: String,
}

/// Finds the expected answers to all questions for a scene of two bodies.
///
/// # Errors
/// If the meshes cannot be prepared or a pose moves one out of range.
pub fn find(scene: &Scene, listener: Listener<'_>) -> Result<Expected, String> {
    let said = |error: impinge::Error| format!("{}: {error}", scene.name);
    let second = scene.meshes.last().ok_or_else(|| format!("{} has no mesh", scene.name))?;
    let mut pair =
        Pair::with(Method::ObbTree, &scene.meshes[0].mesh, &second.mesh).map_err(said)?;
    let poses = || scene.steps.iter().map(|step| step.queries[0].pose);
    let (contacts, judge): (Vec<Vec<Contact>>, String) = if scene.triangles() > JUDGED {
        let list = poses().map(|pose| pair.contacts(&pose).map_err(said).map(<[Contact]>::to_vec));
        (list.collect::<Result<_, _>>()?, "obbtree".to_owned())
    } else {
        let found = expected::find(scene, listener)?;
        let list = found.contacts.into_iter().map(|mut step| step.swap_remove(0));
        (list.collect(), found.record.name)
    };
    let mut distances = Vec::new();
    for (pose, pairs) in poses().zip(&contacts) {
        let apart = pairs.is_empty();
        distances.push(if apart { pair.distance(&pose).map_err(said)?.distance } else { 0.0 });
    }
    Ok(Expected { contacts, distances, judge })
}
