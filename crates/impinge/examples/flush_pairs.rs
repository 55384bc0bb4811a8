//! Times all contacts of pairs of parts, one pair at a time: of those whose faces lie on each other, and of others.
//!
//! ```text
//! cargo run --release -p impinge --example flush_pairs -- [PARTS]
//! ```
//! The clashing pairs of two plants of 1,000 parts, without flush pairs and with as many as there can be.
//! Prints for each class the pairs, the triangles of two parts, the contacts, and the time of all contacts with
//! and without details: the least of three runs, its median and its 95th percentile over the pairs. Prepares
//! are not counted. Most contacts are of parts placed twice.

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge::query::Ask;
use impinge::{Body, Pair, Pose};
use impinge_models::plant::{PlantOptions, plant};

/// Of one class: by pair, triangles, contacts, and both times in µs.
type Row = [f64; 4];

fn percentile(rows: &[Row], column: usize, share: f64) -> f64 {
    let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

/// The least time of a few runs, in µs, and the number of contacts.
fn timed(pair: &mut Pair, pose: &Pose, ask: &Ask) -> Result<[f64; 2], Box<dyn Error>> {
    let (mut least, mut contacts) = (f64::INFINITY, 0);
    for _ in 0..3 {
        let start = Instant::now();
        let answer = black_box(pair.ask(pose, ask)?);
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
        contacts = answer.contacts.len();
    }
    Ok([least, contacts as f64])
}

fn main() -> Result<(), Box<dyn Error>> {
    let parts = std::env::args().nth(1).map_or(Ok(1_000), |word| word.parse())?;
    println!(
        "{:<8} {:<10} {:>6} {:>10} {:>9} {:>10} {:>10} {:>12}",
        "flush", "class", "pairs", "triangles", "contacts", "µs p50", "p95", "details p50"
    );
    for flush in [0.0, 1.0] {
        let plant = plant(&PlantOptions { parts, seed: 0, flush });
        let bodies: Vec<Body> = plant.meshes.iter().map(Body::new).collect::<Result<_, _>>()?;
        let mut classes: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
        for clash in &plant.clashes {
            let [a, b] = [clash.a, clash.b].map(|part| &plant.parts[part]);
            let mut pair = Pair::of(&bodies[a.mesh], &bodies[b.mesh])?;
            let pose = Pose::relative(&a.pose, &b.pose);
            let [plain, contacts] = timed(&mut pair, &pose, &Ask::all_contacts())?;
            let [details, _] = timed(&mut pair, &pose, &Ask::all_contacts().detailed())?;
            let triangles: usize =
                [a, b].iter().map(|part| plant.meshes[part.mesh].triangles().len()).sum();
            let row = [triangles as f64, contacts, plain, details];
            classes.entry(clash.class).or_default().push(row);
        }
        for (class, rows) in &classes {
            let middle = |column| percentile(rows, column, 0.5);
            println!(
                "{flush:<8} {class:<10} {:>6} {:>10.0} {:>9.0} {:>10.1} {:>10.1} {:>12.1}",
                rows.len(),
                middle(0),
                middle(1),
                middle(2),
                percentile(rows, 2, 0.95),
                middle(3),
            );
        }
    }
    Ok(())
}
