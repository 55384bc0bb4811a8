//! Parameters that give about a wanted number of triangles, for [`Shape`](super::Shape).
//!
//! Each search walks a bounded list of candidates and takes the one of least cost: relative error
//! of the count, plus small terms for uneven triangles and for a missing part of the shape's
//! character (fewer teeth, fewer links).

use super::hand::FACES as HAND_FACES;
use super::{Gear, Leaf, chain, lattice};

/// Weight of unevenness against the relative error of the count; usual value 0.02: a ratio of 1.5
/// counts as an error of 1 %.
const UNEVEN: f64 = 0.02;

/// Keeps the candidate of least cost, the first of equals.
struct Best<T> {
    cost: f64,
    choice: Option<T>,
}

impl<T> Best<T> {
    fn new() -> Self {
        Self { cost: f64::INFINITY, choice: None }
    }

    /// `uneven` are ratios that should be 1; `extra` is added to the cost.
    fn offer(&mut self, count: usize, target: f64, uneven: &[f64], extra: f64, choice: T) {
        let error = (count as f64 / target - 1.0).abs();
        let uneven: f64 = uneven.iter().map(|r| r.max(1.0 / r) - 1.0).sum();
        let cost = error + UNEVEN * uneven + extra;
        if cost < self.cost || self.choice.is_none() {
            (self.cost, self.choice) = (cost, Some(choice));
        }
    }
}

/// At most 65 integers spread over `low..=high`, none below `least`.
fn spread(low: f64, high: f64, least: usize) -> impl Iterator<Item = usize> {
    let low = (low.floor() as usize).max(least);
    let high = (high.ceil() as usize).max(low);
    (low..=high).step_by(((high - low) / 64).max(1))
}

/// Two counts `a >= least.0`, `b >= least.1` with `per·a·b − less·a` near `target` and `a / b`
/// near `ratio`.
pub(super) fn grid(
    target: f64,
    (per, less): (usize, usize),
    ratio: f64,
    least: (usize, usize),
) -> (usize, usize) {
    let middle = (target / per as f64 / ratio).sqrt();
    let mut best = Best::new();
    for b in spread(middle * 0.6, middle * 1.7, least.1) {
        let rows = (per * b - less) as f64;
        let a = ((target / rows).round() as usize).max(least.0);
        let count = per * a * b - less * a;
        best.offer(count, target, &[a as f64 / (b as f64 * ratio)], 0.0, (a, b));
    }
    best.choice.unwrap_or(least)
}

/// Rows and columns of a maize leaf; 212 triangles give the default leaf.
pub(super) fn leaf(target: f64) -> Leaf {
    // Ratio of column pairs to rows: a leaf is long and narrow.
    let (pairs, along) = grid(target, (4, 2), 0.074, (1, 2));
    Leaf { across: 2 * pairs, along, ..Leaf::default() }
}

/// A gear of up to 16 teeth.
pub(super) fn gear(target: f64) -> Gear {
    let mut best = Best::new();
    for teeth in 3..=16 {
        // Edge length of a quarter pitch at the rim, against the width of the ring and the
        // thickness.
        let cell = std::f64::consts::TAU * 0.45 / (4 * teeth) as f64;
        let middle = (target * cell / (16.0 * teeth as f64 * 0.5)).sqrt();
        for around in spread(middle * 0.6, middle * 1.7, 1) {
            let rows = (target / (16 * teeth * around) as f64).round().max(2.0);
            let across = ((rows * 0.55).round() as usize).max(1);
            let through = (rows as usize).saturating_sub(across).max(1);
            let gear = Gear { teeth, around, across, through, ..Gear::default() };
            let uneven = [
                (0.3 / across as f64) / (cell / around as f64),
                (0.2 / through as f64) / (cell / around as f64),
            ];
            best.offer(gear.triangles(), target, &uneven, 0.01 * (16 - teeth) as f64, gear);
        }
    }
    best.choice.unwrap_or_default()
}

/// `(links, bend, sides)` of a chain of up to 8 links.
pub(super) fn links(target: f64) -> (usize, usize, usize) {
    let mut best = Best::new();
    for links in 2..=8 {
        let per_link = target / links as f64;
        // A link is 4.3 times as long as the wire's circumference; 2.84 sections per `bend`.
        let middle = (per_link / 2.0 * 4.3).sqrt() / 2.84;
        for bend in spread(middle * 0.5, middle * 1.5, 3) {
            let rings = chain::sections(bend);
            let sides = ((per_link / (2 * rings) as f64).round() as usize).max(3);
            let uneven = [rings as f64 / (4.3 * sides as f64)];
            let count = 2 * links * rings * sides;
            best.offer(count, target, &uneven, 0.01 * (8 - links) as f64, (links, bend, sides));
        }
    }
    best.choice.unwrap_or((2, 3, 3))
}

/// Splits of a cube of edge 1.
pub(super) fn cube(target: f64) -> [usize; 3] {
    splits(target, [2, 2, 2], [1.0, 1.0, 1.0]).1
}

/// Splits of the hand.
pub(super) fn hand(target: f64) -> [usize; 3] {
    splits(target, HAND_FACES, [0.1, 0.16, 0.1]).1
}

/// Teeth, up to 8, and splits of a comb.
pub(super) fn comb(target: f64) -> (usize, [usize; 3]) {
    let mut best = Best::new();
    for teeth in 2..=8 {
        let faces = lattice::comb_faces(teeth);
        let (cost, splits) = splits(target, faces, [0.6 / teeth as f64, 0.3, 0.1]);
        let extra = cost + 0.01 * (8 - teeth) as f64;
        best.offer(target as usize, target, &[], extra, (teeth, splits));
    }
    best.choice.unwrap_or((2, [1, 1, 1]))
}

/// Splits of a lattice with `faces` surface faces per axis and cells of extent `cell`, with their
/// cost.
fn splits(target: f64, faces: [usize; 3], cell: [f64; 3]) -> (f64, [usize; 3]) {
    let area = |axis: usize| faces[axis] as f64 * cell[(axis + 1) % 3] * cell[(axis + 2) % 3];
    let edge = (2.0 * (area(0) + area(1) + area(2)) / target).sqrt();
    let [mx, my, _] = cell.map(|extent| extent / edge);
    let mut best = Best::new();
    for x in spread(mx * 0.6, mx * 1.6, 1) {
        for y in spread(my * 0.6, my * 1.6, 1) {
            let rest = target / 2.0 - (faces[2] * x * y) as f64;
            let z = (rest / (faces[0] * y + faces[1] * x) as f64).round().max(1.0) as usize;
            let splits = [x, y, z];
            let width = |axis: usize| cell[axis] / splits[axis] as f64;
            let uneven = [width(0) / width(1), width(1) / width(2), width(2) / width(0)];
            best.offer(lattice::triangles(faces, splits), target, &uneven, 0.0, splits);
        }
    }
    (best.cost, best.choice.unwrap_or([1, 1, 1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedural::MAX_TRIANGLES;
    use crate::procedural::lattice::check_splits;

    /// The largest count that `Shape::mesh` passes on must not lead to refused parameters.
    #[test]
    fn the_largest_wish_is_granted() {
        let largest = (MAX_TRIANGLES / 8 * 7) as f64;
        let near = |count: usize| {
            assert!((count as f64 / largest - 1.0).abs() < 0.01, "{count}");
        };
        for ratio in [1.0, 2.0, 10.0] {
            let (a, b) = grid(largest, (2, 0), ratio, (18, 3));
            near(2 * a * b);
        }
        let (around, along) = grid(largest, (64, 8), 1.0, (2, 1));
        near(64 * around * along - 8 * around);
        assert!(64 * around * along <= MAX_TRIANGLES);
        near(gear(largest).triangles());
        let leaf = leaf(largest);
        near(leaf.triangles());
        assert!(2 * leaf.across * leaf.along <= MAX_TRIANGLES);
        let (count, bend, sides) = links(largest);
        near(2 * count * chain::sections(bend) * sides);
        near(lattice::triangles([2, 2, 2], cube(largest)));
        near(lattice::triangles(HAND_FACES, hand(largest)));
        let (teeth, splits) = comb(largest);
        near(lattice::triangles(lattice::comb_faces(teeth), splits));
        assert_eq!(check_splits("comb", lattice::comb_faces(teeth), splits), Ok(()));
    }
}
