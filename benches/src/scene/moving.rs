//! Scenes in motion. Their steps are asked in order, so that methods can use coherence.

use impinge::query::QuestionKind;
use impinge::{Pose, Vector};
use impinge_models::scene::Movers;
use impinge_models::{Scene as Motions, Shape};

use super::{Body, Group, NamedMesh, Query, Scene, Step};

/// The label of all steps of a motion.
const LABEL: &str = "moving";

const PAIR: &[QuestionKind] =
    &[QuestionKind::FirstContact, QuestionKind::AllContacts, QuestionKind::Distance];
const MANY: &[QuestionKind] = &[QuestionKind::FirstContact, QuestionKind::AllContacts];

/// Two bodies, one moving about the other.
///
/// # Errors
/// If the motion is refused.
pub fn walk(
    name: &str,
    [a, b]: [Shape; 2],
    triangles: usize,
    steps: usize,
    seed: u64,
) -> Result<Scene, String> {
    let motions = Motions::walk(a, b, triangles, seed, steps).map_err(|e| e.to_string())?;
    let names = [a, b].map(|shape| format!("{shape}{triangles}"));
    let mut scene = from_motions(&motions, names.to_vec(), PAIR);
    name.clone_into(&mut scene.name);
    scene.title = format!("{} wandering about {}", scene.meshes[1].name, scene.meshes[0].name);
    scene.about = format!(
        "Random walk of {steps} steps in a box of edge 1.6: each step shifts by at most 0.02 and \
         turns by at most 0.05 radians, so one step is much like the last. The meshes are about 1 \
         long."
    );
    Ok(scene)
}

/// Many bodies in random flight, as in scene 1 of Fan's thesis (2003, figure 2-15).
///
/// # Errors
/// If the motion is refused.
pub fn movers(name: &str, count: usize, steps: usize, seed: u64) -> Result<Scene, String> {
    let plan = Movers { count, steps, ..Movers::default() };
    let motions = Motions::random_movers(&plan, seed).map_err(|e| e.to_string())?;
    let names = plan.shapes.iter().map(|shape| format!("{shape}{}", plan.triangles)).collect();
    let mut scene = from_motions(&motions, names, MANY);
    name.clone_into(&mut scene.name);
    scene.title = format!("{count} bodies in random flight");
    let pairs: usize = scene.steps.iter().map(|step| step.queries.len()).sum();
    scene.about = format!(
        "{count} closed bodies of about {} triangles fly and spin in a box of edge 8, {steps} \
         steps (the setting of fan 2003, figure 2-15; its models are not published). A step asks \
         every pair whose bounding spheres meet, {:.1} pairs a step; all methods get the same \
         pairs.",
        plan.triangles,
        pairs as f64 / scene.steps.len().max(1) as f64
    );
    Ok(scene)
}

fn from_motions(
    motions: &Motions,
    names: Vec<String>,
    questions: &'static [QuestionKind],
) -> Scene {
    let meshes: Vec<NamedMesh> = names
        .into_iter()
        .zip(&motions.meshes)
        .map(|(name, mesh)| NamedMesh { name, mesh: mesh.clone() })
        .collect();
    let balls: Vec<Ball> = meshes.iter().map(Ball::around).collect();
    let several = motions.objects.len() > 2;
    let steps = (0..motions.steps())
        .map(|at| {
            let bodies: Vec<Body> = motions
                .objects
                .iter()
                .map(|object| Body { mesh: object.mesh, pose: *object.motion.at(at) })
                .collect();
            let queries = queries(&bodies, several.then_some(&balls));
            Step { label: LABEL.to_owned(), questions, bodies, queries }
        })
        .collect();
    let text = String::new();
    Scene {
        name: motions.name.clone(),
        group: Group::Moving,
        title: text.clone(),
        about: text,
        meshes,
        deforming: Vec::new(),
        steps,
        notes: Vec::new(),
    }
}

/// The bounding ball of a mesh's bounding box.
struct Ball {
    center: impinge::Point,
    radius: f64,
}

impl Ball {
    fn around(mesh: &NamedMesh) -> Self {
        let (lo, hi) = mesh.mesh.bounds();
        Self { center: lo + (hi - lo) * 0.5, radius: 0.5 * mesh.mesh.diagonal() }
    }
}

/// All pairs of bodies, or those whose balls meet if `balls` are given.
fn queries(bodies: &[Body], balls: Option<&Vec<Ball>>) -> Vec<Query> {
    let apart = |a: &Body, b: &Body| {
        balls.is_some_and(|balls| {
            let (p, q) = (&balls[a.mesh], &balls[b.mesh]);
            let way: Vector = a.pose.apply(&p.center) - b.pose.apply(&q.center);
            way.norm() > p.radius + q.radius
        })
    };
    let mut queries = Vec::new();
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate().skip(i + 1) {
            if !apart(a, b) {
                queries.push(Query { a: i, b: j, pose: Pose::relative(&a.pose, &b.pose) });
            }
        }
    }
    queries
}
