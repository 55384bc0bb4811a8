//! Pairs of maize leaves: the scenes of anthology 5, §4.

use impinge::Pose;
use impinge::query::QuestionKind;
use impinge_models::maize;

use super::{Body, Group, NamedMesh, Query, Scene, Step};

const ALL: &[QuestionKind] =
    &[QuestionKind::FirstContact, QuestionKind::AllContacts, QuestionKind::Distance];

/// `count` pairs of leaves near each other, about half of them in contact.
///
/// # Errors
/// If the family of pairs is refused.
pub fn pairs(name: &str, count: usize, seed: u64) -> Result<Scene, String> {
    let family = maize::leaf_pairs(count, seed).map_err(|error| error.to_string())?;
    let named = |(k, mesh)| NamedMesh { name: format!("leaf {k}"), mesh };
    let meshes = family.leaves.into_iter().enumerate().map(named).collect();
    let step = |pair: &maize::LeafPair| Step {
        label: "near".to_owned(),
        questions: ALL,
        bodies: vec![
            Body { mesh: pair.a, pose: Pose::identity() },
            Body { mesh: pair.b, pose: pair.pose },
        ],
        queries: vec![Query { a: 0, b: 1, pose: pair.pose }],
    };
    Ok(Scene {
        name: name.to_owned(),
        group: Group::Placed,
        title: "pairs of maize leaves".to_owned(),
        about: format!(
            "{count} pairs of maize leaves of 136 points and 212 triangles, near each other in \
             their outer halves; about half of the pairs collide (the setting of anthology 5, \
             whose digitised leaves are not published). Twelve leaves, NURBS surfaces that vary in \
             size, arch, twist and waves."
        ),
        meshes,
        deforming: Vec::new(),
        steps: family.pairs.iter().map(step).collect(),
        notes: Vec::new(),
    })
}
