//! The check of a broad phase: a walk of boxes that drift, jump, change size, touch, appear and
//! vanish. The pairs of each step must be those of all against all.

use std::collections::BTreeSet;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_models::Random;
use impinge_query::broad::BroadPhase;
use impinge_query::{Cancel, Control};

use super::{Outcome, Tally};

/// The most objects, and the steps of a walk.
const OBJECTS: usize = 40;
const STEPS: usize = 250;

/// The unit of lattice coordinates: boxes on them touch in faces, edges and corners.
const LATTICE: f64 = 0.25;

/// Walks at several densities and scales. `phase` must be new. A case is an object in a step; a hit
/// is one that meets another.
pub fn pairs_of_boxes(phase: &mut dyn BroadPhase) -> Outcome {
    let mut tally = Tally::default();
    for (walk, (reach, scale)) in (0..).zip([(1.1, 1.0), (1.4, 1e-9), (1.2, 1e12), (1.0, 1.0)]) {
        let mut random = Random::stream(0xb0de5, walk);
        let mut boxes: Vec<Option<Aabb>> = Vec::new();
        for step in 0..STEPS {
            change(&mut boxes, &mut random, reach, scale);
            if step % 50 == 49 {
                cancelled(phase, &boxes)?;
            }
            let truth = truth(&boxes);
            let word = phase.word();
            let named = |why: String| format!("{word}, walk {walk}, step {step}: {why}");
            let found = found(phase, &boxes).map_err(named)?;
            if found != truth {
                let missed = truth.difference(&found).next();
                let invented = found.difference(&truth).next();
                return Err(named(format!("missed {missed:?}, invented {invented:?}")));
            }
            for (i, _) in (0u32..).zip(&boxes).filter(|(_, one)| one.is_some()) {
                tally.count(truth.iter().any(|&(a, b)| a == i || b == i));
            }
        }
    }
    tally.balanced()
}

/// The pairs reported; an error unless each is reported once, in order.
fn found(
    phase: &mut dyn BroadPhase,
    boxes: &[Option<Aabb>],
) -> Result<BTreeSet<(u32, u32)>, String> {
    let (mut found, mut wrong) = (BTreeSet::new(), None);
    let mut each = |a: u32, b: u32| {
        if a >= b || !found.insert((a, b)) {
            wrong.get_or_insert((a, b));
        }
    };
    phase.pairs(boxes, &Control::NONE, &mut each).map_err(|error| error.to_string())?;
    match wrong {
        Some((a, b)) => Err(format!("{a} and {b} came twice, or the wrong way round")),
        None => Ok(found),
    }
}

/// All pairs of overlapping boxes, by brute force.
fn truth(boxes: &[Option<Aabb>]) -> BTreeSet<(u32, u32)> {
    let present = || (0u32..).zip(boxes).filter_map(|(i, one)| Some((i, (*one)?)));
    let apart = |p: &Aabb, q: &Aabb| (0..3).any(|k| p.max[k] < q.min[k] || q.max[k] < p.min[k]);
    let mut pairs = BTreeSet::new();
    for (i, p) in present() {
        pairs.extend(present().filter(|(j, q)| i < *j && !apart(&p, q)).map(|(j, _)| (i, j)));
    }
    pairs
}

/// A cancelled step must be an error and must not affect the next.
fn cancelled(phase: &mut dyn BroadPhase, boxes: &[Option<Aabb>]) -> Result<(), String> {
    let cancel = Cancel::new();
    cancel.cancel();
    let outcome = phase.pairs(boxes, &Control::NONE.cancelled_by(&cancel), &mut |_, _| ());
    if outcome.is_ok() { Err(format!("{}: a cancelled step", phase.word())) } else { Ok(()) }
}

fn change(boxes: &mut Vec<Option<Aabb>>, random: &mut Random, reach: f64, scale: f64) {
    if boxes.len() < OBJECTS && random.chance(0.5) {
        boxes.push(None);
    }
    if boxes.len() > OBJECTS / 2 && random.chance(0.02) {
        boxes.truncate(OBJECTS / 2);
    }
    for one in boxes.iter_mut() {
        *one = match *one {
            None if random.chance(0.6) => Some(anywhere(random, reach, scale)),
            Some(_) if random.chance(0.03) => None,
            Some(_) if random.chance(0.1) => Some(anywhere(random, reach, scale)),
            Some(Aabb { min, max }) if random.chance(0.7) => {
                let drift = random.in_ball() * (0.05 * scale);
                Some(Aabb { min: min + drift, max: max + drift })
            }
            same => same,
        };
    }
}

/// A random box: half of them on a lattice, some without volume.
fn anywhere(random: &mut Random, reach: f64, scale: f64) -> Aabb {
    let snap = random.chance(0.5);
    let on = |v: Vector| if snap { v.map(|x| (x / LATTICE).round() * LATTICE) } else { v };
    let min = Point::from(on(random.vector(-reach, reach)) * scale);
    let extent = on(random.vector(0.0, 0.8)) * scale;
    Aabb { min, max: min + extent }
}
