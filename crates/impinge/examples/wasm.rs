//! Every kind of question on a machine that may have no clock, no second thread and no files, such
//! as `wasm32-unknown-unknown`. `cargo xtask test` runs it there, in node. The exit status is the
//! number of the check that failed.

use std::process::ExitCode;

use impinge::models::{Random, Shape, files};
use impinge::query::{Ask, Control, QuestionKind};
use impinge::{Body, Method, Pair, Pose, Vector};

type Check = fn() -> Result<bool, Box<dyn std::error::Error>>;

const CHECKS: [Check; 7] = [batches, counts, distances, large_meshes, bodies, all_methods, texts];

fn main() -> ExitCode {
    let failed = CHECKS.iter().position(|check| !matches!(check(), Ok(true)));
    failed.map_or(ExitCode::SUCCESS, |index| ExitCode::from(index as u8 + 1))
}

fn shifted(x: f64) -> Result<Pose, impinge::Error> {
    Ok(Pose::translation_by(Vector::new(x, 0.0, 0.0))?)
}

fn batches() -> Result<bool, Box<dyn std::error::Error>> {
    let mut pair = Pair::new(&Shape::Torus.mesh(2_000, 0), &Shape::Gear.mesh(1_000, 0))?;
    let poses: Vec<Pose> = (0..400).map(|seed| Random::new(seed).pose(1.0)).collect();
    let hits = pair.intersects_at(&poses)?;
    let single = poses.iter().map(|pose| pair.intersects(pose)).collect::<Result<Vec<_>, _>>()?;
    Ok(hits == single && hits.contains(&true) && hits.contains(&false))
}

fn counts() -> Result<bool, Box<dyn std::error::Error>> {
    let mut pair = Pair::new(&Shape::Torus.mesh(2_000, 0), &Shape::Cube.mesh(12, 0))?;
    let answer = pair.ask(&shifted(0.3)?, &Ask::all_contacts().counted())?;
    Ok(answer.statistics.as_ref().is_some_and(|all| all.volume_tests > 0 && !all.stages.is_empty()))
}

fn distances() -> Result<bool, Box<dyn std::error::Error>> {
    let cube = Shape::Cube.mesh(12, 0);
    let mut pair = Pair::new(&cube, &cube)?;
    let apart = shifted(3.0)?;
    Ok(pair.distance(&apart)?.distance == 2.0 && pair.nearer_than(&apart, 2.0)?)
}

fn large_meshes() -> Result<bool, Box<dyn std::error::Error>> {
    let torus = Shape::Torus.mesh(8_000, 0);
    let mut pair = Pair::new(&torus, &torus)?;
    let contacts = pair.contacts(&shifted(0.05)?)?.len();
    Ok(contacts > 200 && !impinge::self_intersects(&torus)?)
}

fn bodies() -> Result<bool, Box<dyn std::error::Error>> {
    let ball = Shape::Sphere.mesh(500, 0);
    let mut body = Body::from_bytes(&Body::new(&ball)?.to_bytes()?)?;
    body.refit(&ball.scaled(2.0)?)?;
    let apart = Pair::of(&body, &Body::new(&ball)?)?.intersects(&shifted(0.2)?)?;
    Ok(!apart && body.mesh().is_some())
}

fn all_methods() -> Result<bool, Box<dyn std::error::Error>> {
    let (ball, near, far) = (Shape::Sphere.mesh(500, 0), shifted(0.7)?, shifted(1.5)?);
    let mut right = true;
    for &method in Method::all() {
        let body = Body::with(method, &ball, &Control::NONE)?;
        let mut pair = Pair::of(&body, &body)?;
        right &= pair.intersects(&near)? && !pair.intersects(&far)?;
        right &= pair.intersects_at(&[near, far])? == [true, false];
        if method.description().questions.contains(&QuestionKind::AllContacts) {
            let answer = pair.ask(&near, &Ask::all_contacts().counted())?;
            right &= !answer.contacts.is_empty() && answer.statistics.is_some();
        }
    }
    Ok(right)
}

fn texts() -> Result<bool, Box<dyn std::error::Error>> {
    let loaded =
        files::read_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", files::Format::Obj, "")?;
    // A build without a method names the feature that it needs.
    let known = |word: &str, feature: &str| match word.parse::<Method>() {
        Ok(method) => method.word() == word,
        Err(unknown) => unknown.to_string().contains(&format!("\"{feature}\" is off")),
    };
    let named = known("obbtree", "methods") && known("parry", "parry");
    let absent = files::read("no-such-file.obj").is_err();
    Ok(loaded.mesh.triangles().len() == 1 && named && absent)
}
