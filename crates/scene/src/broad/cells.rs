//! Cells of a uniform grid. The map from coordinates to cells never turns the order of two numbers
//! around, so boxes that overlap have a cell in common, whatever was rounded or cut.

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;

/// A cell, by its number on each axis.
pub(super) type Cell = [u32; 3];

/// A grid of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cells {
    /// Where the first cell begins. What is before it belongs to it.
    pub(super) origin: Point,
    /// Cells of a unit of length; positive.
    pub(super) density: [f64; 3],
    /// Number of cells. What is beyond the last belongs to it.
    pub(super) number: Cell,
}

/// The cells that a box touches, from the first to the last on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) first: Cell,
    pub(super) last: Cell,
}

impl Cells {
    /// `number` equal cells over a box.
    pub(super) fn over(around: &Aabb, number: Cell) -> Self {
        let mut density = [1.0; 3];
        for k in 0..3 {
            // Halves, since the side may be larger than the largest number.
            let half = 0.5 * around.max[k] - 0.5 * around.min[k];
            density[k] = (0.5 * f64::from(number[k]) / half).clamp(1e-300, 1e300);
        }
        Self { origin: around.min, density, number }
    }

    #[inline]
    fn cell(&self, p: &Point) -> Cell {
        let mut cell = [0; 3];
        for k in 0..3 {
            // Monotone: each operation is, rounding is, and so is the conversion, which cuts.
            let at = ((p[k] - self.origin[k]) * self.density[k]) as u32;
            cell[k] = at.min(self.number[k] - 1);
        }
        cell
    }

    /// The cells that a box touches.
    #[inline]
    pub(super) fn span(&self, one: &Aabb) -> Span {
        Span { first: self.cell(&one.min), last: self.cell(&one.max) }
    }
}

impl Span {
    /// How many cells.
    #[inline]
    pub(super) fn count(&self) -> u128 {
        (0..3).map(|k| u128::from(self.last[k] - self.first[k]) + 1).product()
    }

    /// The first of the cells that both touch, if both touch some: the one in which the pair is
    /// tested.
    #[inline]
    pub(super) fn first_common(&self, other: &Self) -> Cell {
        let (a, b) = (&self.first, &other.first);
        [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
    }

    /// All cells.
    pub(super) fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { first, last } = self;
        let line = move |x, y| (first[2]..=last[2]).map(move |z| [x, y, z]);
        let plane = move |x| (first[1]..=last[1]).flat_map(move |y| line(x, y));
        (first[0]..=last[0]).flat_map(plane)
    }
}
