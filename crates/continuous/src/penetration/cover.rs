//! A cover of the ball of shorter translations by cubes, the nearest to the origin first.
//!
//! Each cube is proved to hold only translations that leave the bodies in contact, or is split in
//! eight. What has not been proved lies in the cubes that are left, so the least distance of one of
//! them from the origin is a lower bound of the depth.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use impinge_geometry::Vector;
use impinge_query::{Cancelled, Meaning};

use super::escape::Escape;
use super::linked::Linked;
use super::report::PenetrationOptions;
use super::scene::Scene;
use super::witness::{Proved, Witness};

/// A cube of translations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) center: Vector,
    pub(crate) half: f64,
    /// The balls whose overlap was deepest at the centre of the cube it is a part of.
    hint: Option<[u32; 2]>,
    /// A witness for that cube.
    witness: Option<Witness>,
}

impl Cell {
    /// The least length of a translation in the cube, but for rounding.
    pub(crate) fn nearest(&self) -> f64 {
        self.center.map(|c| (c.abs() - self.half).max(0.0)).norm()
    }

    /// The greatest.
    pub(crate) fn farthest(&self) -> f64 {
        self.center.map(|c| c.abs() + self.half).norm()
    }

    /// Whether all of the cube is in a ball.
    fn within(&self, ball: &Proved) -> bool {
        let far = (self.center - ball.center).map(|c| c.abs() + self.half);
        far.norm() <= ball.radius
    }

    /// Half of the diagonal.
    pub(crate) fn reach(&self) -> f64 {
        self.half * 3f64.sqrt()
    }

    fn parts(&self) -> impl Iterator<Item = Self> + '_ {
        let half = 0.5 * self.half;
        (0..8).map(move |k| {
            let side = |bit: u32| if k >> bit & 1 == 0 { -half } else { half };
            Self { center: self.center + Vector::new(side(0), side(1), side(2)), half, ..*self }
        })
    }
}

/// What a cover has proved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covered {
    /// No shorter translation parts the bodies.
    pub(crate) lower: f64,
    /// Cubes that were examined.
    pub(crate) cells: u64,
}

/// The order of cubes: nearest first, then as they were made.
struct Order(f64, u64, Cell);

impl Ord for Order {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}
impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Order {}

/// A way out of less than this many times the rounding leaves nothing to prove.
const HOPELESS: f64 = 64.0;

/// Covers the ball of translations until the bounds are as close as asked, or the budget is used up. Shorter ways out that are met on the way improve `escape`.
pub(crate) fn cover(
    scene: &Scene<'_>,
    linked: &Linked,
    escape: &mut Escape<'_, '_>,
    options: &PenetrationOptions,
) -> Result<Covered, Cancelled> {
    if escape.length() <= HOPELESS * scene.slack {
        return Ok(Covered { lower: 0.0, cells: 0 });
    }
    let root = Cell { center: Vector::zeros(), half: escape.length(), hint: None, witness: None };
    let mut open = BinaryHeap::from([Reverse(Order(0.0, 0, root))]);
    let (mut made, mut cells, mut lower) = (0, 0, 0.0f64);
    while let Some(Reverse(Order(nearest, _, cell))) = open.pop() {
        scene.control.check()?;
        // Below a bound that was reached nothing is left.
        lower = lower.max(nearest);
        if lower >= escape.length() * (1.0 - options.width) || cells == options.budget {
            break;
        }
        cells += 1;
        let (covered, cell) = examine(scene, linked, escape, cell)?;
        if covered {
            continue;
        }
        for part in cell.parts().take(scene.trust.parts) {
            made += 1;
            open.push(Reverse(Order(part.nearest(), made, part)));
        }
    }
    Ok(Covered { lower: (lower - scene.slack).max(0.0), cells })
}

/// Whether a cube is covered; else the cube with what its parts begin with.
fn examine(
    scene: &Scene<'_>,
    linked: &Linked,
    escape: &mut Escape<'_, '_>,
    mut cell: Cell,
) -> Result<(bool, Cell), Cancelled> {
    if scene.meaning == Meaning::Surfaces && !linked.neither_inside(scene, &cell) {
        let covered = linked.pierced(scene, &cell)?;
        if !covered {
            try_center(scene, escape, &cell)?;
        }
        return Ok((covered, cell));
    }
    Ok((overlapping(scene, escape, &mut cell)?, cell))
}

/// Cubes of less than this half-length, relative to the way out, are searched more thoroughly.
const SMALL: f64 = 0.2;

/// Whether the solids overlap for all translations of a cube: by the witness of the cube that it is a
/// part of, that witness moved, the deepest pair of balls, or a place where the surfaces meet.
fn overlapping(
    scene: &Scene<'_>,
    escape: &mut Escape<'_, '_>,
    cell: &mut Cell,
) -> Result<bool, Cancelled> {
    let v = cell.center;
    let covers = |cell: &Cell, of: &Option<Witness>| of.is_some_and(|w| cell.within(&w.proved));
    if covers(cell, &cell.witness) {
        return Ok(true);
    }
    let moved = cell.witness.and_then(|w| w.moved(&v));
    cell.witness = moved.and_then(|x| scene.ascend(&v, x, [false; 2], cell.reach()));
    if covers(cell, &cell.witness) {
        return Ok(true);
    }
    let least = cell.witness.map_or(0.0, |w| w.proved.radius);
    if let Some(pair) = scene.balls_a.deepest(&scene.balls_b, &v, cell.hint, least) {
        cell.hint = Some(pair.indices);
        if cell.within(&scene.of_balls(&pair)) {
            return Ok(true);
        }
        let on = [pair.a.radius == 0.0, pair.b.radius == 0.0];
        let point = Scene::between(&pair, &v);
        cell.witness = deeper(cell.witness, scene.ascend(&v, point, on, cell.reach()));
    }
    if cell.witness.is_none() && try_center(scene, escape, cell)? {
        return Ok(false);
    }
    if !covers(cell, &cell.witness) && cell.half < SMALL * escape.length() {
        let found = scene.where_they_meet(&v, cell.reach())?;
        cell.witness = deeper(cell.witness, found);
    }
    Ok(covers(cell, &cell.witness))
}

/// The witness that proves more.
fn deeper(p: Option<Witness>, q: Option<Witness>) -> Option<Witness> {
    match (p, q) {
        (Some(x), Some(y)) => Some(if y.proved.radius > x.proved.radius { y } else { x }),
        (x, y) => x.or(y),
    }
}

/// Tries the translation in the middle of a cube, if it is shorter than the best so far.
fn try_center(
    scene: &Scene<'_>,
    escape: &mut Escape<'_, '_>,
    cell: &Cell,
) -> Result<bool, Cancelled> {
    let apart = cell.center.norm() < escape.length() && scene.apart(&cell.center)?;
    if apart {
        escape.improve(cell.center)?;
    }
    Ok(apart)
}
