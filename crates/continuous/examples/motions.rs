//! Times questions about meshes in motion, by trees over both ends.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example motions -- [TRIANGLES] [MOTIONS]
//! ```
//! Bodies about 1 long come from 1.2 away and pass each other or meet; in a motion each vertex runs
//! along a straight line between two rigid poses. Three lengths of a motion: the whole way, a tenth of
//! it, a hundredth. Prints the share of motions with a contact; the median time of refitting both trees,
//! and the median and the 99th percentile of the time of the first contact, by `MovingTree` and by
//! `BinaryTree`; then, by `MovingTree`, the median times of the first 100 contacts in order, of the
//! first time nearer than 1/100, and of the first contact of the first body with itself.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::geometry::{Mesh, Point, Pose};
use impinge_continuous::query::Control;
use impinge_continuous::{BinaryTree, Moving, MovingTree};
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

/// The times of one question in µs.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    /// Asks five times; of these the shortest counts, since other programs may have run.
    fn take<T>(&mut self, mut call: impl FnMut() -> T) -> T {
        let mut shortest = f64::INFINITY;
        let mut once = || {
            let start = Instant::now();
            let answer = black_box(call());
            shortest = shortest.min(start.elapsed().as_secs_f64() * 1e6);
            answer
        };
        for _ in 0..4 {
            once();
        }
        let answer = once();
        self.0.push(shortest);
        answer
    }

    fn percentile(&mut self, share: f64) -> f64 {
        self.0.sort_unstable_by(f64::total_cmp);
        self.0[((self.0.len() - 1) as f64 * share) as usize]
    }
}

/// What is measured about one pair of shapes and one length.
#[derive(Default)]
struct Row {
    hits: usize,
    refits: [Times; 2],
    first: [Times; 2],
    all: Times,
    near: Times,
    itself: Times,
}

impl Row {
    /// Asks about one motion of two bodies.
    fn ask(
        &mut self,
        [a, b]: [&Moving<'_>; 2],
        trees: &mut ([MovingTree; 2], [BinaryTree; 2]),
    ) -> Result<(), Box<dyn Error>> {
        let ([p, q], [v, w]) = trees;
        self.refits[0].take(|| p.refit(a).and_then(|()| q.refit(b)))?;
        self.refits[1].take(|| v.refit(a).and_then(|()| w.refit(b)))?;
        let found = self.first[0].take(|| p.first_contact(q, &Control::NONE))?;
        let other = self.first[1].take(|| v.first_contact(w, &Control::NONE))?;
        if found.is_some() != other.is_some() {
            return Err("the trees disagree".into());
        }
        self.hits += usize::from(found.is_some());
        self.all.take(|| p.contacts(q, Some(100), &Control::NONE))?;
        self.near.take(|| p.first_within(q, 0.01, &Control::NONE))?;
        self.itself.take(|| p.first_self_contact(&Control::NONE))?;
        Ok(())
    }
}

impl Row {
    fn print(&mut self, bodies: &str, length: f64, motions: usize) {
        let hits = 100.0 * self.hits as f64 / motions as f64;
        let ([refit, other], [first, binary]) = (&mut self.refits, &mut self.first);
        println!(
            "{bodies:<15} {length:>5} {hits:>6.0} {:>7.0} {:>9.1} {:>9.1} {:>7.0} {:>9.1} {:>9.1} \
             {:>9.1} {:>9.1} {:>9.1}",
            refit.percentile(0.5),
            first.percentile(0.5),
            first.percentile(0.99),
            other.percentile(0.5),
            binary.percentile(0.5),
            binary.percentile(0.99),
            self.all.percentile(0.5),
            self.near.percentile(0.5),
            self.itself.percentile(0.5)
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(10_000);
    let motions = numbers.next().transpose()?.unwrap_or(200).max(1);
    println!("{triangles} triangles a body, {motions} motions; times in µs");
    println!(
        "{:<15} {:>5} {:>6} {:>7} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "bodies",
        "way",
        "hits %",
        "refit",
        "first",
        "p99",
        "binary:",
        "first",
        "p99",
        "all",
        "near",
        "itself"
    );
    for shapes in PAIRS {
        for length in [1.0, 0.1, 0.01] {
            let mut random = Random::stream(0x307, 0);
            let mut row = Row::default();
            let mut trees = None;
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
                    let none = &Control::NONE;
                    let wide = [MovingTree::new(&a, none)?, MovingTree::new(&b, none)?];
                    trees = Some((wide, [BinaryTree::new(&a, none)?, BinaryTree::new(&b, none)?]));
                }
                if let Some(trees) = &mut trees {
                    row.ask([&a, &b], trees)?;
                }
            }
            let [x, y] = shapes;
            row.print(&format!("{x}, {y}"), length, motions);
        }
    }
    Ok(())
}
