//! Checks how soon a call notices cancellation. The tests between two checks of the flag are
//! counted, for every question, and each call must end at the check at which the flag is raised.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Shape;
use impinge_query::{
    Answer, Ask, Cancel, Control, Detector, Looks, PrepareError, Prepared, QueryError,
};

use super::{Outcome, Tally};

/// The most tests of volumes and triangles between two checks. The slowest, some 5 µs each, then
/// take 50 ms.
const TESTS: u64 = 10_000;

/// Checks that threads may still make after the flag is raised.
const LATE: u64 = 64;

/// Coincident triangles in a pile; their pairs far exceed [`TESTS`].
const PILE: usize = 160;

/// A pair of meshes whose query takes long.
struct Scene {
    name: &'static str,
    a: Mesh,
    b: Mesh,
    pose: Pose,
    /// The least number of contacts.
    contacts: u64,
}

/// Piles of coincident triangles that meet, pass each other, or are apart; a closed pile around a
/// body; ordinary meshes. Every question is counted, and cancelled at several checks.
pub fn looks_are_frequent(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for scene in scenes()? {
        let models = [prepare(detector, &scene.a)?, prepare(detector, &scene.b)?];
        let [Some(a), Some(b)] = models else { continue };
        let bench = Bench { detector, a, b, pose: scene.pose };
        for ask in asks(detector, &scene) {
            let hit = examine(&bench, &scene, &ask).map_err(|e| {
                format!("{}, {:?}, {:?}: {e}", scene.name, ask.question, ask.meaning)
            })?;
            tally.count(hit);
        }
    }
    Ok(tally)
}

struct Bench<'d> {
    detector: &'d dyn Detector,
    a: Prepared,
    b: Prepared,
    pose: Pose,
}

/// The questions that the detector answers about this pair, all with counting.
fn asks(detector: &dyn Detector, scene: &Scene) -> Vec<Ask> {
    let kinds =
        [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), Ask::nearer_than(1e-3)];
    let closed =
        [&scene.a, &scene.b].iter().all(|m| impinge_geometry::Topology::new(m).closed().is_ok());
    let solids = closed.then(|| Ask::first_contact().solids());
    let all = kinds.into_iter().chain(solids).map(Ask::counted);
    all.filter(|ask| detector.describe().check(ask).is_ok()).collect()
}

/// Counts the flag checks of one question and cancels it at several of them.
fn examine(bench: &Bench<'_>, scene: &Scene, ask: &Ask) -> Result<bool, String> {
    let (outcome, answer, all) = watched(bench, ask, u64::MAX);
    outcome.map_err(|e| e.to_string())?;
    let statistics = answer.statistics.ok_or("no statistics")?;
    let tests = statistics.volume_tests + statistics.primitive_tests;
    let threads = statistics.spread.map_or(1, |spread| 1 + u64::from(spread.threads));
    let unseen = tests.saturating_sub(all.tests);
    if all.longest > TESTS || unseen > 2 * threads * TESTS {
        return Err(format!("of {tests} tests {unseen} before or after looks, else {all:?}"));
    }
    if matches!(ask.question, impinge_query::Question::AllContacts)
        && answer.contacts_found < scene.contacts
    {
        return Err(format!("{} contacts of {}", answer.contacts_found, scene.contacts));
    }
    // Ask again: a model may keep what its first question computed, such as whether it is closed.
    let (_, _, all) = watched(bench, ask, u64::MAX);
    for look in [1, 2, all.number / 3, all.number / 2] {
        if look == 0 || look > all.number {
            continue;
        }
        let (outcome, _, looks) = watched(bench, ask, look);
        if matches!(outcome, Ok(())) && threads > 1 && looks.number < look {
            // With several threads the number of checks varies between runs.
            continue;
        }
        if !matches!(outcome, Err(QueryError::Cancelled(_))) || looks.number > look + LATE {
            return Err(format!("raised at look {look} of {}: {outcome:?}, {looks:?}", all.number));
        }
    }
    Ok(answer.verdict.is_hit())
}

/// Asks with a fresh memory, so that an earlier question does not shorten this one.
fn watched(bench: &Bench<'_>, ask: &Ask, look: u64) -> (Result<(), QueryError>, Answer, Looks) {
    let Bench { detector, a, b, pose } = bench;
    let (mut memory, mut answer) = (detector.memory(), Answer::default());
    let cancel = Cancel::at_look(look);
    let control = Control::NONE.cancelled_by(&cancel);
    let outcome = detector.query(a, b, pose, &mut memory, ask, &control, &mut answer);
    let looks = cancel.looks().expect("a flag that counts");
    (outcome, answer, looks)
}

/// Prepares the mesh; `None` if the method refuses it. Preparation must check the flag at least
/// once per [`TESTS`] triangles, and end at the check at which the flag is raised.
fn prepare(detector: &dyn Detector, mesh: &Mesh) -> Result<Option<Prepared>, String> {
    let prepare = |look| {
        let cancel = Cancel::at_look(look);
        let outcome = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
        (outcome, cancel.looks().expect("a flag that counts").number)
    };
    let (outcome, number) = prepare(u64::MAX);
    let prepared = match outcome {
        Ok(prepared) => prepared,
        Err(PrepareError::Open(_) | PrepareError::Refused { .. }) => return Ok(None),
        Err(e) => return Err(e.to_string()),
    };
    let least = 1 + mesh.triangles().len() as u64 / TESTS;
    if number < least {
        return Err(format!("{number} looks for {} triangles", mesh.triangles().len()));
    }
    for look in [1, number.div_ceil(2)] {
        let (outcome, looks) = prepare(look);
        if !matches!(outcome, Err(PrepareError::Cancelled(_))) || looks > look + LATE {
            return Err(format!("preparation raised at look {look} of {number}: {looks} looks"));
        }
    }
    Ok(Some(prepared))
}

fn scenes() -> Result<Vec<Scene>, String> {
    let text = |e: impinge_geometry::MeshError| e.to_string();
    let shift = |x: f64, y: f64, z: f64| {
        Pose::translation_by(Vector::new(x, y, z)).map_err(|e| e.to_string())
    };
    let one = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.5]];
    let across = [[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.4, 2.0]];
    let face = [[0, 1, 2]];
    let one = || pile(&one, &face, PILE);
    let near = |lift: f64| nearly(&one()?, lift);
    let scene = |name, a, b, pose, contacts| Scene { name, a, b, pose, contacts };
    let pairs = (PILE * PILE) as u64;
    // A closed pile of more triangles than may be tested between two checks, all reaching above the
    // body inside it.
    let corners = [[-1.0, -1.0, -3.0], [5.0, -1.0, -3.0], [-1.0, 5.0, 2.0], [-1.0, -1.0, 5.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let body = Shape::Cube.mesh(12, 0).scaled(0.2).map_err(text)?;
    let around = pile(&corners, &faces, 3 * TESTS as usize / 10)?;
    let (torus, ball) = (Shape::Torus.mesh(900, 0), Shape::Sphere.mesh(900, 0));
    Ok(vec![
        scene("piles that meet", one()?, pile(&across, &face, PILE)?, Pose::identity(), pairs),
        // Their boxes overlap, but they do not meet.
        scene("piles that pass", one()?, one()?, shift(0.0, 0.0, 0.25)?, 0),
        scene("piles apart", one()?, one()?, shift(0.3, 2.0, 0.1)?, 0),
        // No two triangles are equal, and all are equally near.
        scene("stacks that pass", near(1e-12)?, near(-1e-12)?, shift(0.0, 0.0, 0.25)?, 0),
        scene("stacks apart", near(1e-12)?, near(-1e-12)?, shift(0.3, 2.0, 0.1)?, 0),
        scene("in a pile", around.clone(), body.clone(), Pose::identity(), 0),
        scene("a pile around", body, around, Pose::identity(), 0),
        scene("a ball on a ball", ball.clone(), ball.clone(), shift(0.01, 0.0, 0.0)?, 1),
        scene("a torus and a ball", torus, ball, shift(0.3, 0.1, 0.2)?, 1),
    ])
}

/// The triangles of a pile, each with its own vertices, lifted by multiples of `lift`.
fn nearly(pile: &Mesh, lift: f64) -> Result<Mesh, String> {
    let lifted =
        |(k, t): (usize, [Point; 3])| t.map(|p| p + Vector::new(0.0, 0.0, lift * k as f64));
    let vertices: Vec<Point> = pile.corners().enumerate().flat_map(lifted).collect();
    let triangles = (0..pile.triangles().len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    Mesh::new(vertices, triangles.collect()).map_err(|e| e.to_string())
}

/// The same triangles repeated `n` times over the same vertices.
fn pile(corners: &[[f64; 3]], triangles: &[[u32; 3]], n: usize) -> Result<Mesh, String> {
    let vertices = corners.iter().map(|&p| Point::from(p)).collect();
    Mesh::new(vertices, triangles.repeat(n)).map_err(|e| e.to_string())
}
