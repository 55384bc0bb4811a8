//! The right answers, from nothing that is measured.
//!
//! Which triangles meet: [`judge`](mod@judge)'s sweep and exact predicates (rational ones for small
//! meshes), without a tree; in scenes beyond [`JUDGED`] triangles `obbtree`, another tree than
//! `wide`'s with the same predicates. How far apart meshes are: `obbtree`.

use impinge::{Contact, Method, Pair};
use impinge_benches::judge;
use impinge_benches::progress::Listener;
use impinge_benches::scene::Scene;

/// In larger scenes a sweep takes seconds a pose. Unit: triangles of both meshes.
pub const JUDGED: usize = 500_000;

/// What is right, step by step of a scene.
#[derive(Clone, Debug)]
pub struct Expected {
    /// All pairs that meet, in canonical order; empty if the meshes are apart.
    pub contacts: Vec<Vec<Contact>>,
    /// Distances, 0 where they meet.
    pub distances: Vec<f64>,
    /// Who says so.
    pub judge: String,
}

/// Finds the right answers to all questions of a scene of two bodies.
///
/// # Errors
/// A sentence if the meshes cannot be prepared or a pose moves one out of range.
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
        let truth = judge::judge(scene, listener)?;
        let list = truth.contacts.into_iter().map(|mut step| step.swap_remove(0));
        (list.collect(), truth.record.name)
    };
    let mut distances = Vec::new();
    for (pose, pairs) in poses().zip(&contacts) {
        let apart = pairs.is_empty();
        distances.push(if apart { pair.distance(&pose).map_err(said)?.distance } else { 0.0 });
    }
    Ok(Expected { contacts, distances, judge })
}
