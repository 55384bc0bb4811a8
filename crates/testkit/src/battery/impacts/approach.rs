//! The check of the first time at which bodies are as near as a distance.

use impinge_geometry::Point;
use impinge_query::Control;
use impinge_query::continuous::{Approach, Continuous};

use super::scene::{Moved, Scene};
use super::{Outcome, STEPS, Tally};
use crate::oracle;

/// The widest interval.
const WIDTH: f64 = 1.0 / (1u64 << 20) as f64;
/// The largest excess, at coordinates up to some hundred: some 500 units of rounding.
const EXCESS: f64 = 1e-10;
/// Distances, of which some are attained exactly: 3, 5, 8, 16 and 32.
const DISTANCES: [f64; 8] = [0.5, 3.0, 4.7, 5.0, 8.0, 11.3, 16.0, 32.0];
/// The same within a body with triangles that have no vertex in common.
const LONG: [f64; 8] = [0.5, 1.0, 2.0, 3.0, 4.7, 5.0, 8.0, 16.0];
/// Motions of each kind.
const MOTIONS: u64 = 96;
/// Those of two plates.
const PLATES: u64 = 8;

/// Checks when small bodies are first as near as a distance. A case is a motion, a hit one with such a
/// time.
pub fn approaches(method: &dyn Continuous) -> Outcome {
    examine(method, Scene::two, MOTIONS, &DISTANCES)
}

/// Checks when a few triangles over common vertices first meet elsewhere, or those without a common vertex
/// are as near as a distance; and the same for two plates of many triangles in one mesh.
pub fn self_approaches(method: &dyn Continuous) -> Outcome {
    examine(method, Scene::one, MOTIONS, &DISTANCES)?;
    let tally = examine(method, Scene::long, MOTIONS, &LONG)?;
    examine(method, Scene::plates, PLATES, &LONG)?;
    Ok(tally)
}

fn examine(
    method: &dyn Continuous,
    make: fn(Moved, u64) -> Scene,
    motions: u64,
    distances: &[f64; 8],
) -> Outcome {
    let (mut tally, mut uncertain) = (Tally::default(), 0);
    for moved in Moved::ALL {
        for index in 0..motions {
            let scene = make(moved, index);
            let named = |why: String| format!("{}, {moved:?} {index}: {why}", method.word());
            let distance = distances[(index % 8) as usize];
            let found = ask(&scene, method, distance).map_err(named)?;
            check(&scene, found, distance).map_err(named)?;
            if scene.bodies_are_one() {
                beside_contacts(&scene, method, found).map_err(named)?;
            }
            uncertain += u64::from(found.is_some_and(|found| found.excess > 0.0));
            tally.count(found.is_some());
            extremes(&scene, method).map_err(named)?;
        }
    }
    // Small integers that graze, or rest, at just such a distance.
    if uncertain * 20 > tally.cases as u64 {
        return Err(format!("{uncertain} of {} cases are not decided", tally.cases));
    }
    tally.balanced()
}

fn ask(scene: &Scene, method: &dyn Continuous, distance: f64) -> Result<Option<Approach>, String> {
    scene.within(method, distance, &Control::NONE).map_err(|error| error.to_string())
}

/// Distances that need no oracle.
fn extremes(scene: &Scene, method: &dyn Continuous) -> Result<(), String> {
    for distance in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        if let Some(found) = ask(scene, method, distance)? {
            return Err(format!("{found:?} for {distance}"));
        }
    }
    let at_once = |x: Option<Approach>| x.is_some_and(|x| x.time.high == 0.0 && x.excess == 0.0);
    let any = scene.pairs().any(|pair| !scene.are_neighbours(pair));
    if any && (!at_once(ask(scene, method, f64::INFINITY)?) || !at_once(ask(scene, method, 1e4)?)) {
        return Err("not near at once".into());
    }
    let first = scene.first(method, &Control::NONE).map_err(|error| error.to_string())?;
    match (first, ask(scene, method, 0.0)?) {
        (None, None) => Ok(()),
        (Some(x), Some(y)) if x.time == y.time && y.excess == 0.0 => Ok(()),
        (x, y) => Err(format!("{y:?} for 0, and the first contact is {x:?}")),
    }
}

/// The distance of two triangles at a time, whose places are rounded but at the oracle's times.
fn apart([p, q]: &[[Point; 3]; 2]) -> f64 {
    oracle::distance(p, q)
}

/// The largest distance along an axis of the boxes of two triangles, which are no nearer.
fn gap([p, q]: &[[Point; 3]; 2]) -> f64 {
    let least = |t: &[Point; 3]| t[0].inf(&t[1]).inf(&t[2]);
    let largest = |t: &[Point; 3]| t[0].sup(&t[1]).sup(&t[2]);
    (least(p) - largest(q)).max().max((least(q) - largest(p)).max())
}

/// What comes near within one mesh is no later than its first contact with itself, and is that where
/// neighbours are named.
fn beside_contacts(
    scene: &Scene,
    method: &dyn Continuous,
    found: Option<Approach>,
) -> Result<(), String> {
    let first = scene.first(method, &Control::NONE).map_err(|error| error.to_string())?;
    match (found, first) {
        (Some(near), Some(first)) if first.time.high < near.time.low => {
            Err(format!("{near:?}, and they meet at {:?} already", first.time))
        }
        (Some(near), first) if scene.are_neighbours(near.triangles) => {
            let meets = first.is_some_and(|first| first.time.low <= near.time.high);
            if meets { Ok(()) } else { Err(format!("{near:?}, and the contact is {first:?}")) }
        }
        (Some(_), _) | (None, None) => Ok(()),
        (None, Some(first)) => Err(format!("nothing is near, and they meet at {:?}", first.time)),
    }
}

fn check(scene: &Scene, found: Option<Approach>, distance: f64) -> Result<(), String> {
    let pairs: Vec<_> = scene.pairs().filter(|pair| !scene.are_neighbours(*pair)).collect();
    let near = |time: f64| {
        pairs.iter().any(|&pair| {
            let [p, q] = scene.corners(pair, time);
            gap(&[p, q]) <= distance && oracle::at_most(&oracle::squared_distance(&p, &q), distance)
        })
    };
    let times = (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
    let known = times.into_iter().find(|&time| near(time));
    let Some(Approach { time, triangles, excess }) = found else {
        return known.map_or(Ok(()), |time| Err(format!("missed what is near at {time}")));
    };
    if !(0.0 <= time.low && time.low <= time.high && time.high <= 1.0) {
        return Err(format!("{time:?}"));
    }
    if time.high - time.low > WIDTH || !(0.0..=EXCESS).contains(&excess) {
        return Err(format!("{time:?}, excess {excess:e}"));
    }
    if let Some(known) = known.filter(|&known| known < time.low) {
        return Err(format!("{time:?}, and they are near at {known}"));
    }
    if !scene.pairs().any(|pair| pair == triangles) {
        return Err(format!("there is no pair {triangles:?}"));
    }
    let rounding = 1e-11;
    let then = apart(&scene.corners(triangles, time.high));
    if then > distance + excess + rounding {
        return Err(format!("{then} apart at {time:?}, excess {excess:e}"));
    }
    if time.high == 0.0 {
        let right = known == Some(0.0) || scene.are_neighbours(triangles);
        return if right { Ok(()) } else { Err("near at once".into()) };
    }
    for pair in pairs {
        let corners = scene.corners(pair, time.low);
        let before = if gap(&corners) > distance { continue } else { apart(&corners) };
        if before < distance - rounding {
            return Err(format!("{before} apart at {} already", time.low));
        }
    }
    Ok(())
}
