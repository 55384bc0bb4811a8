//! Scenes of two bodies at exact distances and depths.

use std::path::Path;

use impinge::Pose;
use impinge::query::QuestionKind;

use super::{Body, Group, NamedMesh, Query, Scene, Step};
use crate::placement::{Placed, Plan, TARGETS, Target, place, store};
use crate::progress::Listener;

/// The questions where the surfaces are apart.
const APART: &[QuestionKind] = &[QuestionKind::FirstContact, QuestionKind::Distance];
/// The questions where they meet.
const MEETING: &[QuestionKind] = &[QuestionKind::FirstContact, QuestionKind::AllContacts];

/// Name and placement of a scene.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The scene's word.
    pub name: String,
    /// The group of tables it belongs to.
    pub group: Group,
    /// The orientations to place.
    pub plan: Plan,
}

/// Places `b` about `a`, or reads the poses from the store in `cache`.
///
/// # Errors
/// If the meshes cannot be placed.
pub fn scene(
    recipe: Recipe,
    a: NamedMesh,
    b: Option<NamedMesh>,
    cache: Option<&Path>,
    listener: Listener<'_>,
) -> Result<Scene, String> {
    let (placed, mut notes) = {
        let other = b.as_ref().unwrap_or(&a);
        stored_or_placed(&a, other, &recipe.plan, cache, listener)?
    };
    let found = placed.len() / TARGETS.len();
    if found < recipe.plan.orientations {
        notes.push(format!(
            "{found} of {} orientations: the other lines pass through without contact",
            recipe.plan.orientations
        ));
    }
    let second = usize::from(b.is_some());
    let steps = placed.iter().map(|placed| step(placed, second)).collect();
    let what = match &b {
        None => format!("two copies of {}", a.name),
        Some(b) => format!("{} and {}", a.name, b.name),
    };
    let about = format!(
        "Static benchmark (Trenkel, Weller, Zachmann 2007): {what} in {found} random orientations, \
         pushed together along a random line through both centres. Distances and depths are parts \
         of the smaller diagonal; depth is measured along the line from first contact."
    );
    let title = format!("{what} at exact distances and depths");
    let meshes = std::iter::once(a).chain(b).collect();
    let Recipe { name, group, .. } = recipe;
    Ok(Scene { name, group, title, about, meshes, deforming: Vec::new(), steps, notes })
}

fn stored_or_placed(
    a: &NamedMesh,
    b: &NamedMesh,
    plan: &Plan,
    cache: Option<&Path>,
    listener: Listener<'_>,
) -> Result<(Vec<Placed>, Vec<String>), String> {
    let file = cache.map(|folder| store::path(folder, a, b, plan));
    if let Some(placed) = file.as_deref().and_then(store::load) {
        return Ok((placed, Vec::new()));
    }
    let placed = place(a, b, plan, &|done| listener.stage("placing", done, plan.orientations))?;
    let mut notes = Vec::new();
    if let Some(file) = file
        && let Err(error) = store::save(&file, &placed)
    {
        notes.push(format!("the placed poses could not be stored: {error}"));
    }
    Ok((placed, notes))
}

fn step(placed: &Placed, second: usize) -> Step {
    let bodies =
        vec![Body { mesh: 0, pose: Pose::identity() }, Body { mesh: second, pose: placed.pose }];
    let questions = match placed.target {
        Target::Apart(_) => APART,
        Target::Deep(_) | Target::Inside => MEETING,
    };
    let queries = vec![Query { a: 0, b: 1, pose: placed.pose }];
    Step { label: placed.target.label(), questions, bodies, queries }
}
