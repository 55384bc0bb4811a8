//! Times first contacts of meshes in motion, by trees over both ends.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example motions -- [TRIANGLES] [MOTIONS]
//! ```
//! Bodies about 1 long come from 1.2 away and pass each other or meet; in a motion each vertex runs
//! along a straight line between two rigid poses. Three lengths of a motion: the whole way, a tenth of
//! it, a hundredth. Prints the median and the 99th percentile of refitting both trees and of the
//! question, and the share of motions with a contact.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::geometry::{Mesh, Point, Pose};
use impinge_continuous::query::Control;
use impinge_continuous::{Moving, MovingTree};
use impinge_models::{Random, Shape};

const PAIRS: [[Shape; 2]; 3] =
    [[Shape::Teapot; 2], [Shape::Hand, Shape::Gear], [Shape::Torus, Shape::Trefoil]];

/// A body on its way: its poses at both ends of the way, and how far along it the motion is.
struct Way {
    mesh: Mesh,
    ends: [Pose; 2],
}

impl Way {
    fn new(shape: Shape, triangles: usize, random: &mut Random) -> Self {
        let from = random.unit_vector() * 0.6;
        let to = random.in_ball() * 0.5 - from;
        let ends = [from, to].map(|at| random.turned_to(at));
        Self { mesh: shape.mesh(triangles, 0), ends }
    }

    /// The vertices at a part of the way.
    fn at(&self, part: f64) -> Vec<Point> {
        let between = |p: &Point| {
            let [from, to] = self.ends.each_ref().map(|pose| pose.apply(p));
            from + (to - from) * part
        };
        self.mesh.vertices().iter().map(between).collect()
    }
}

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * share) as usize]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(10_000);
    let motions = numbers.next().transpose()?.unwrap_or(200).max(1);
    println!("{triangles} triangles a body, {motions} motions; times in µs");
    println!(
        "{:<18} {:>6} {:>7} {:>18} {:>20}",
        "bodies", "way", "hits %", "refit p50", "p50, p99"
    );
    for shapes in PAIRS {
        for length in [1.0, 0.1, 0.01] {
            let mut random = Random::stream(0x307, 0);
            let (mut fits, mut asks, mut hits) = (Vec::new(), Vec::new(), 0);
            let mut trees: Option<[MovingTree; 2]> = None;
            for _ in 0..motions {
                let ways = shapes.map(|shape| Way::new(shape, triangles, &mut random));
                let from = random.range(0.0, 1.0 - length);
                let mut bodies = Vec::new();
                for way in &ways {
                    let mesh = Mesh::new(way.at(from), way.mesh.triangles().to_vec())?;
                    bodies.push((mesh, way.at(from + length)));
                }
                let [a, b] = [0, 1].map(|k| Moving::new(&bodies[k].0, &bodies[k].1));
                let (a, b) = (a?, b?);
                if trees.is_none() {
                    let new = |moving| MovingTree::new(moving, &Control::NONE);
                    trees = Some([new(&a)?, new(&b)?]);
                }
                let Some([p, q]) = &mut trees else { continue };
                let start = Instant::now();
                p.refit(&a)?;
                q.refit(&b)?;
                fits.push(start.elapsed().as_secs_f64() * 1e6);
                let start = Instant::now();
                let found = black_box(p.first_contact(q, &Control::NONE)?);
                asks.push(start.elapsed().as_secs_f64() * 1e6);
                hits += usize::from(found.is_some());
            }
            let [a, b] = shapes;
            println!(
                "{:<18} {length:>6} {:>7.0} {:>18.0} {:>10.1} {:>9.1}",
                format!("{a}, {b}"),
                100.0 * hits as f64 / motions as f64,
                percentile(&mut fits, 0.5),
                percentile(&mut asks, 0.5),
                percentile(&mut asks, 0.99)
            );
        }
    }
    Ok(())
}
