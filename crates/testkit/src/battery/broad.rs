//! The check of a broad phase: walks of boxes that drift, jump, change size, touch, appear, vanish
//! and get fixed. The pairs of each step, and the neighbours of a box, must be those of all against
//! all.

use std::collections::BTreeSet;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_models::Random;
use impinge_query::broad::{BroadPhase, Objects};
use impinge_query::{Cancel, Control};

use super::{Outcome, Tally};

/// The unit of lattice coordinates: boxes on them touch in faces, edges and corners.
const LATTICE: f64 = 0.25;

/// A walk: the most objects, the steps, half the side of the space, the unit of length, the centre
/// of the space in that unit.
struct Walk {
    objects: usize,
    steps: u32,
    reach: f64,
    scale: f64,
    centre: f64,
}

/// Small worlds for many steps, a large one for some, at several units; one far from the origin, where 32 bits
/// hold no box; and one of many blocks for many steps.
const WALKS: [Walk; 7] = [
    Walk { objects: 40, steps: 1_000, reach: 1.1, scale: 1.0, centre: 0.0 },
    Walk { objects: 40, steps: 100, reach: 1.4, scale: 1e-9, centre: 0.0 },
    Walk { objects: 40, steps: 100, reach: 1.2, scale: 1e12, centre: 0.0 },
    Walk { objects: 600, steps: 40, reach: 4.2, scale: 1.0, centre: 0.0 },
    Walk { objects: 40, steps: 60, reach: 1.1, scale: 1e-300, centre: 0.0 },
    Walk { objects: 40, steps: 100, reach: 1.1, scale: 1.0, centre: 1e9 },
    Walk { objects: 300, steps: 1_000, reach: 3.3, scale: 1.0, centre: 0.0 },
];

/// Walks at several sizes and scales. `phase` must be new. A case is an object in a step; a hit is
/// one that meets another.
pub fn pairs_of_boxes(phase: &mut dyn BroadPhase) -> Outcome {
    let mut tally = Tally::default();
    for (number, walk) in (0..).zip(&WALKS) {
        let mut random = Random::stream(0xb0de5, number);
        let mut boxes: Vec<Option<Aabb>> = Vec::new();
        let mut fixed: Vec<bool> = Vec::new();
        for step in 0..walk.steps {
            change(&mut boxes, &mut random, walk);
            // Fewer flags than boxes: the rest are not fixed.
            fixed.truncate(boxes.len());
            while fixed.len() < boxes.len() / 2 {
                fixed.push(random.chance(0.5));
            }
            // Some become fixed, or cease to be, where they are.
            let turned = step as usize % (3 * fixed.len().max(1));
            if let Some(one) = fixed.get_mut(turned) {
                *one = !*one;
            }
            let objects = Objects { boxes: &boxes, fixed: &fixed };
            let word = phase.word();
            let named = |why: String| format!("{word}, walk {number}, step {step}: {why}");
            if step % 50 == 49 {
                cancelled(phase, &objects).map_err(named)?;
            }
            let truth = truth(&objects);
            phase.update(&objects, &Control::NONE).map_err(|error| named(error.to_string()))?;
            same(&found(phase).map_err(named)?, &truth).map_err(named)?;
            if step % 10 == 0 {
                neighbours(phase, &objects, &anywhere(&mut random, walk)).map_err(named)?;
            }
            let met: BTreeSet<u32> = truth.iter().flat_map(|&(a, b)| [a, b]).collect();
            for (i, ..) in objects.present() {
                tally.count(met.contains(&i));
            }
        }
    }
    tally.balanced()
}

/// The pairs reported; an error unless each is reported once, in order.
fn found(phase: &mut dyn BroadPhase) -> Result<BTreeSet<(u32, u32)>, String> {
    let (mut found, mut pairs) = (BTreeSet::new(), vec![[7, 7]]);
    phase.pairs(&Control::NONE, &mut pairs).map_err(|error| error.to_string())?;
    for &[a, b] in pairs.get(1..).ok_or("the list's own entry is gone")? {
        if a >= b || !found.insert((a, b)) {
            return Err(format!("{a} and {b} came twice, or the wrong way round"));
        }
    }
    Ok(found)
}

fn same(found: &BTreeSet<(u32, u32)>, truth: &BTreeSet<(u32, u32)>) -> Result<(), String> {
    if found == truth {
        return Ok(());
    }
    let missed = truth.difference(found).next();
    let invented = found.difference(truth).next();
    Err(format!("missed {missed:?}, invented {invented:?}"))
}

/// Whether the boxes have no common point.
fn apart(p: &Aabb, q: &Aabb) -> bool {
    (0..3).any(|k| p.max[k] < q.min[k] || q.max[k] < p.min[k])
}

/// All pairs of overlapping boxes that are not both fixed, by brute force.
fn truth(objects: &Objects<'_>) -> BTreeSet<(u32, u32)> {
    let present: Vec<(u32, Aabb, bool)> = objects.present().collect();
    let mut pairs = BTreeSet::new();
    for (k, (i, p, at_rest)) in present.iter().enumerate() {
        let others = present[k + 1..].iter().filter(|(_, q, fixed)| {
            let both = *at_rest && *fixed;
            !both && !apart(p, q)
        });
        pairs.extend(others.map(|(j, ..)| (*i, *j)));
    }
    pairs
}

/// The boxes that overlap one box, and those that overlap the first object's own.
fn neighbours(phase: &dyn BroadPhase, objects: &Objects<'_>, one: &Aabb) -> Result<(), String> {
    let own = objects.present().next().map(|(_, own, _)| own);
    for one in own.iter().chain([one]) {
        let mut found = Vec::new();
        phase.overlapping(one, &mut found);
        found.sort_unstable();
        let truth = objects.present().filter(|(_, other, _)| !apart(one, other));
        let truth: Vec<u32> = truth.map(|(i, ..)| i).collect();
        if found != truth {
            return Err(format!("the neighbours of {one:?} are {truth:?}, not {found:?}"));
        }
    }
    Ok(())
}

/// A cancelled call must be an error and must not affect the next. After a cancelled update there
/// are no objects.
fn cancelled(phase: &mut dyn BroadPhase, objects: &Objects<'_>) -> Result<(), String> {
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    if phase.pairs(&control, &mut Vec::new()).is_ok() {
        return Err("a cancelled search".to_owned());
    }
    if phase.update(objects, &control).is_ok() {
        return Err("a cancelled update".to_owned());
    }
    for look in 1..6 {
        let left = found(phase)?;
        if !left.is_empty() {
            return Err(format!("after a cancelled update: {left:?}"));
        }
        // Later looks may come too late for a small world.
        let cancel = Cancel::at_look(look);
        if phase.update(objects, &Control::NONE.cancelled_by(&cancel)).is_ok() {
            break;
        }
    }
    Ok(())
}

fn change(boxes: &mut Vec<Option<Aabb>>, random: &mut Random, walk: &Walk) {
    if boxes.len() < walk.objects && random.chance(0.5) {
        // A small world grows by one, a large one fills up at once.
        boxes.resize((boxes.len() + 1).max(walk.objects - 40), None);
    }
    if boxes.len() > walk.objects / 2 && random.chance(0.02) {
        boxes.truncate(walk.objects / 2);
    }
    for one in boxes.iter_mut() {
        *one = match *one {
            None if random.chance(0.6) => Some(anywhere(random, walk)),
            Some(_) if random.chance(0.03) => None,
            Some(_) if random.chance(0.1) => Some(anywhere(random, walk)),
            Some(Aabb { min, max }) if random.chance(0.1) => {
                // Grows or shrinks where it is.
                Some(Aabb { min, max: min + (max - min) * random.range(0.5, 1.8) })
            }
            Some(Aabb { min, max }) if random.chance(0.7) => {
                let drift = random.in_ball() * (0.05 * walk.scale);
                Some(Aabb { min: min + drift, max: max + drift })
            }
            same => same,
        };
    }
}

/// A random box: half of them on a lattice, some without volume, and a few as large as the space.
fn anywhere(random: &mut Random, walk: &Walk) -> Aabb {
    let Walk { reach, scale, centre, .. } = *walk;
    let snap = random.chance(0.5);
    let on = |v: Vector| if snap { v.map(|x| (x / LATTICE).round() * LATTICE) } else { v };
    let size = if random.chance(0.003) { reach } else { 0.8 };
    let min = on(random.vector(-reach, reach)).map(|x| (x + centre) * scale);
    let extent = on(random.vector(0.0, size)) * scale;
    Aabb { min: Point::from(min), max: Point::from(min + extent) }
}
