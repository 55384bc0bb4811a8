//! Scenes of deforming meshes: poses are fixed, vertices move from step to step.

use impinge::Pose;
use impinge::query::QuestionKind;
use impinge_models::DeformingScene;

use super::{Body, Group, NamedMesh, Query, Scene, Step};

/// The label of all steps.
const LABEL: &str = "deforming";

/// Distance is left out: its run would measure the following of the deformation a third time.
const QUESTIONS: &[QuestionKind] = &[QuestionKind::FirstContact, QuestionKind::AllContacts];

/// A hand of `triangles[0]` triangles that closes on a ball of `triangles[1]`.
///
/// # Errors
/// If the number of steps is refused.
pub fn hand_on_ball(name: &str, triangles: [usize; 2], steps: usize) -> Result<Scene, String> {
    let [hand, ball] = triangles;
    let made = DeformingScene::hand_on_ball(hand, ball, steps).map_err(|e| e.to_string())?;
    let about = format!(
        "A hand closes on a ball in {steps} steps, from flat to a grasp, and ends with its fingers \
         in the ball (the setting of scene 3 in the paper on separating volumes, figures 8 and 9, \
         which has 100 steps; its models are not published)."
    );
    Ok(scene(name, &made, ["hand", "ball"], "a hand closing on a ball", about))
}

/// A cloth of `triangles[0]` triangles that falls on a ball of `triangles[1]`.
///
/// # Errors
/// If the number of steps is refused.
pub fn cloth_on_ball(name: &str, triangles: [usize; 2], steps: usize) -> Result<Scene, String> {
    let [cloth, ball] = triangles;
    let made = DeformingScene::cloth_on_ball(cloth, ball, steps).map_err(|e| e.to_string())?;
    let about = format!(
        "A square cloth falls on a ball in {steps} steps, drapes over it and flutters; where its \
         waves dip, cloth and ball meet. The shape is in closed form: nothing keeps the cloth off \
         the ball or off itself."
    );
    Ok(scene(name, &made, ["cloth", "ball"], "a cloth falling on a ball", about))
}

/// How far soft bodies are pressed together; unit: their radii.
const DEPTH: f64 = 0.3;

/// Two soft bodies of so many triangles each that are pressed together.
///
/// # Errors
/// If the number of steps is refused.
pub fn pressed_bodies(name: &str, triangles: usize, steps: usize) -> Result<Scene, String> {
    let made = DeformingScene::pressed_bodies(DEPTH, triangles, steps);
    let made = made.map_err(|e| e.to_string())?;
    let about = format!(
        "Two soft bumpy bodies approach each other in {steps} steps and flatten against each other; \
         both deform, and their bumps overlap. The shapes are in closed form and do not meet \
         themselves."
    );
    Ok(scene(name, &made, ["below", "above"], "two soft bodies pressed together", about))
}

fn scene(name: &str, made: &DeformingScene, names: [&str; 2], title: &str, about: String) -> Scene {
    let meshes: Vec<NamedMesh> = (made.meshes.iter().zip(names))
        .map(|(law, name)| NamedMesh { name: name.to_owned(), mesh: law.mesh(0) })
        .collect();
    let laws = made.meshes.iter().enumerate().filter(|(_, law)| !law.is_rigid());
    let bodies: Vec<Body> =
        (made.poses.iter().enumerate()).map(|(mesh, &pose)| Body { mesh, pose }).collect();
    let pose = Pose::relative(&bodies[0].pose, &bodies[1].pose);
    let step = Step {
        label: LABEL.to_owned(),
        questions: QUESTIONS,
        bodies,
        queries: vec![Query { a: 0, b: 1, pose }],
    };
    Scene {
        name: name.to_owned(),
        group: Group::Deforming,
        title: title.to_owned(),
        about,
        deforming: laws.map(|(index, law)| (index, law.clone())).collect(),
        meshes,
        steps: vec![step; made.steps()],
        notes: Vec::new(),
    }
}
