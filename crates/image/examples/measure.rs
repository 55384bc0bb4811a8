//! What the image settles and what it costs: patches, share of overlapping pairs of patches that are
//! settled, and the error rate of the sampled form, by resolution.
//!
//! `cargo run --release -p impinge-image --example measure`

use std::time::Instant;

use impinge_image::{Ibcd, Params, ibcd_with};
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Control, Engine};

#[allow(dead_code)]
#[path = "../tests/it/bodies.rs"]
mod bodies;

fn main() {
    prepared();
    ordered();
    settled();
    sampled();
}

fn prepared() {
    println!(
        "| mesh | triangles | patches | nodes | prepared, ms |\n| --- | --- | --- | --- | --- |"
    );
    let engine = ibcd_with(Params::default());
    for shape in [Shape::Sphere, Shape::Torus, Shape::Gear, Shape::Comb, Shape::Chain, Shape::Hand]
    {
        let mesh = shape.mesh(1000, 1);
        let start = Instant::now();
        let Ok(model) = engine.prepare(&mesh, &Control::NONE) else { continue };
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let (triangles, nodes) = (mesh.triangles().len(), model.tree().nodes().len());
        let patches = model.decomposition().patches().len();
        println!("| {shape} | {triangles} | {patches} | {nodes} | {ms:.1} |");
    }
}

/// Does the picture help? Triangles tested until the first contact, and time, by pictures drawn.
fn ordered() {
    println!("\n| pictures at most | hits | triangle tests | ms per hit | ms per miss |");
    println!("| --- | --- | --- | --- | --- |");
    for drawn in [0, 8, 32, 128] {
        let engine = ibcd_with(Params { drawn, ..Params::default() });
        let (mut hits, mut tests, mut hit_s, mut misses, mut miss_s) = (0, 0, 0.0, 0, 0.0);
        for shape in [Shape::Torus, Shape::Gear, Shape::Chain, Shape::Hand, Shape::Sphere] {
            let mesh = shape.mesh(2000, 1);
            let model = bodies::model(&engine, &mesh);
            let mut memory = engine.memory();
            for index in 0..40 {
                let pose = impinge_models::Random::stream(93, index).pose(0.7);
                let (ask, control) = (Ask::first_contact().counted(), &Control::NONE);
                let mut answer = Answer::default();
                let start = Instant::now();
                let done =
                    engine.query(&model, &model, &pose, &mut memory, &ask, control, &mut answer);
                let seconds = start.elapsed().as_secs_f64();
                done.expect("software draws");
                if answer.verdict.is_hit() {
                    hits += 1;
                    hit_s += seconds;
                    tests += answer.statistics.expect("counted").primitive_tests;
                } else {
                    misses += 1;
                    miss_s += seconds;
                }
            }
        }
        let mean = |sum: f64, n: u32| 1e3 * sum / f64::from(n.max(1));
        println!(
            "| {drawn} | {hits} | {:.1} | {:.3} | {:.3} |",
            tests as f64 / f64::from(hits),
            mean(hit_s, hits),
            mean(miss_s, misses)
        );
    }
}

fn settled() {
    println!("\n| resolution | overlapping pairs of patches | seen | settled | ms per picture |");
    println!("| --- | --- | --- | --- | --- |");
    for resolution in [8, 16, 32, 64, 128, 256] {
        let engine = ibcd_with(Params { resolution, ..Params::default() });
        let (mut overlapping, mut seen, mut settled, mut pictures, mut seconds) = (0, 0, 0, 0, 0.0);
        for pair in bodies::pairs() {
            let [a, b] = [&pair.a, &pair.b].map(|mesh| bodies::model(&engine, mesh));
            for index in 0..12 {
                let pose = pair.pose(91, index);
                let start = Instant::now();
                let survey = engine.survey(&a, &b, &pose, &Control::NONE).expect("software draws");
                seconds += start.elapsed().as_secs_f64();
                for found in survey.iter().filter(|found| found.solid) {
                    pictures += 1;
                    let [p, q] = found.patches;
                    let still = impinge_geometry::Pose::identity();
                    let hulls = (bodies::hull(&a, p, &still), bodies::hull(&b, q, &pose));
                    overlapping += u32::from(bodies::overlap(&hulls.0, &hulls.1));
                    seen += u32::from(found.seen);
                    settled += u32::from(found.witness.is_some());
                }
            }
        }
        let share = |n: u32| 100.0 * f64::from(n) / f64::from(overlapping);
        let each = 1e3 * seconds / f64::from(pictures);
        println!(
            "| {resolution} | {overlapping} | {:.1} % | {:.1} % | {each:.3} |",
            share(seen),
            share(settled)
        );
    }
}

fn sampled() {
    println!("\n| resolution | poses | false hits | false misses | of these contained |");
    println!("| --- | --- | --- | --- | --- |");
    let certain = ibcd_with(Params::default());
    for resolution in [4, 8, 16, 32, 64, 128, 256] {
        let engine = ibcd_with(Params::sampled(resolution));
        let (mut poses, mut hits, mut misses, mut contained) = (0, 0, 0, 0);
        for pair in bodies::pairs() {
            let models = [&pair.a, &pair.b].map(|mesh| bodies::model(&engine, mesh));
            for index in 0..40 {
                let pose = pair.pose(92, index);
                let ask = |engine: &Ibcd| {
                    let (mut memory, mut answer) = (engine.memory(), Answer::default());
                    let [a, b] = &models;
                    let (ask, control) = (Ask::first_contact().solids(), &Control::NONE);
                    engine.query(a, b, &pose, &mut memory, &ask, control, &mut answer).expect("it");
                    answer.verdict
                };
                let (truth, seen) = (ask(&certain), ask(&engine));
                poses += 1;
                hits += u32::from(seen.is_hit() && !truth.is_hit());
                let missed = truth.is_hit() && !seen.is_hit();
                misses += u32::from(missed);
                contained += u32::from(missed && truth.word() == "contained");
            }
        }
        println!("| {resolution} | {poses} | {hits} | {misses} | {contained} |");
    }
}
