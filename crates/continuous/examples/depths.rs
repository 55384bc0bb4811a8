//! Penetration depth of pairs of bodies at 5 % of their diagonal, over many poses.
//!
//! `cargo run --release -p impinge-continuous --example depths -- torus 10000 100 0.1`

use std::time::Instant;

use impinge_continuous::penetration::{PenetrationBody, PenetrationOptions, penetration};
use impinge_geometry::{Mesh, Pose, Vector};
use impinge_hierarchy::query::{Ask, Control, Engine as _};
use impinge_hierarchy::obbtree;
use impinge_models::{Random, Shape};

/// A random pose at which B has come in by `depth` from its first contact along a random direction.
fn pose(random: &mut Random, meets: &dyn Fn(&Pose) -> bool, size: f64, depth: f64) -> Pose {
    let turned = random.turned_to(Vector::zeros());
    let way = random.unit_vector();
    let at = |t: f64| Pose::new(*turned.rotation(), way * t).expect("in range");
    let mut far = 1.5 * size;
    while far > 0.0 && !meets(&at(far)) {
        far -= 0.01 * size;
    }
    let (mut low, mut high) = (far, far + 0.01 * size);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        *(if meets(&at(middle)) { &mut low } else { &mut high }) = middle;
    }
    at(low - depth)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, or: f64| arguments.get(k).and_then(|x| x.parse().ok()).unwrap_or(or);
    let shape = match arguments.first().map(String::as_str) {
        Some("trefoil") => Shape::Trefoil,
        Some("gear") => Shape::Gear,
        Some("comb") => Shape::Comb,
        Some("hull") => Shape::Hull,
        Some("sphere") => Shape::Sphere,
        Some("cube") => Shape::Cube,
        Some("hand") => Shape::Hand,
        _ => Shape::Torus,
    };
    let (triangles, poses, width) = (number(1, 10_000.0), number(2, 100.0), number(3, 0.1));
    let mesh: Mesh = shape.mesh(triangles as usize, 0);
    let clock = Instant::now();
    let body = PenetrationBody::new(&mesh, &Control::NONE).expect("not cancelled");
    println!("{shape:?}: {} triangles, prepared in {:?}", mesh.triangles().len(), clock.elapsed());
    let model = obbtree().prepare(&mesh, &Control::NONE).expect("any mesh");
    let meets = |pose: &Pose| {
        let ask = Ask::first_contact();
        obbtree().ask(&model, &model, pose, &ask).expect("in range").verdict.is_hit()
    };
    let mut random = Random::new(5);
    let options = PenetrationOptions { width, ..PenetrationOptions::default() };
    let (mut widths, mut times) = (Vec::new(), Vec::new());
    for _ in 0..poses as usize {
        let pose = pose(&mut random, &meets, mesh.diagonal(), 0.05 * mesh.diagonal());
        let clock = Instant::now();
        let depth = penetration(&body, &body, &pose, &options, &Control::NONE).expect("an answer");
        times.push(clock.elapsed().as_secs_f64() * 1e3);
        widths.push(depth.width());
        println!("{:.4} {:.4} width {:.4} cells {} {:.1} ms", depth.lower, depth.upper, depth.width(), depth.cells, times[times.len() - 1]);
    }
    println!("median width {:.4}, time {:.1} ms", median(widths), median(times));
}
