//! B's placement relative to A in numbers that a graphics adapter has: integers for the places of
//! vertices, 32-bit floating point for boxes and for the test of two triangles. The derivation of
//! the bounds is in `docs/methods/stream-pairs.md`, "Error bound".

use impinge_geometry::Pose;
use impinge_hierarchy::placement::Placement;
use impinge_query::MeshModel;

use super::model::{Corners, PairsModel, PlacedBox};
use crate::kernel::{Class, Face, RHO, classify, cross, dot, greater, largest};

/// Places in a unit of length: 2²⁸.
pub(super) const PLACES: f64 = (1u64 << 28) as f64;

/// Parts of 1 in the entries of a rotation: 2³⁰.
const TURNS: f64 = (1u64 << 30) as f64;

/// Bound on the error of a place: 2.25 are needed. Larger: more pairs left to the exact test.
pub(super) const GRID: f64 = 2.5;

/// Bound on the rounding of a box test, in units of [`RHO`]: 80 are needed. Larger: more pairs of
/// boxes are tested.
pub(super) const BOXES: f64 = 128.0;

/// Origins farther apart than this, in the larger of both units, belong to bodies that are apart:
/// coordinates are at most 1, and √3 once turned.
const FAR: f64 = 3.0;

/// The rounding of posed vertices, in the larger of both units, above which nothing is known.
const ROUGH: f64 = 1.0;

/// B's pose between the origins of both bodies' coordinates, in the larger of their units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    /// The rotation by rows, in units of 2⁻³⁰.
    pub(super) turn: [[i32; 3]; 3],
    /// The translation, in places.
    pub(super) shift: [i32; 3],
    /// Binary places from A's unit to the larger one, and from B's; at most 31.
    pub(super) down: [u32; 2],
    /// Bound on the error of a coordinate before it is rounded to 32 bits; infinite if nothing is
    /// known.
    pub(super) grid: f32,
    /// By how much a box test must err on the side of meeting.
    pub(super) more: f32,
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
    ratio: [f32; 2],
}

/// How a pose is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Placing {
    /// The bodies are too far apart to meet.
    Apart,
    /// Within what integers hold.
    Near(Placed),
    /// Nothing is known of any pair: the rounding of posed vertices is as large as the larger body,
    /// and the bodies may meet.
    Rough(Placed),
}

impl Placing {
    /// The pose for these bodies.
    pub(crate) fn of(a: &PairsModel, b: &PairsModel, pose: &Pose) -> Self {
        let [of_a, of_b] = [a.frame(), b.frame()];
        let unit = of_a.unit.max(of_b.unit);
        let down = [of_a, of_b].map(|frame| places(unit / frame.unit));
        let placement = Placement::new(pose, a.subject().max_abs(), b.subject().max_abs());
        let moved = placement.apply(&of_b.origin);
        let between = [0, 1, 2].map(|k| (moved[k] - of_a.origin[k]) / unit);
        let rough = 1.001 * placement.pad / unit;
        let turn = [0, 1, 2].map(|i| [0, 1, 2].map(|k| placement.rows[i][k]));
        if between.iter().any(|x| x.abs() > FAR + rough) {
            return Self::Apart;
        }
        if !(rough < ROUGH) {
            return Self::Rough(Placed::in_units(turn, [0.0; 3], down, f64::INFINITY));
        }
        Self::Near(Placed::in_units(turn, between, down, rough))
    }
}

impl Placed {
    pub(super) fn in_units(
        turn: [[f64; 3]; 3],
        between: [f64; 3],
        down: [u32; 2],
        rough: f64,
    ) -> Self {
        let turn = turn.map(|row| row.map(|x| (x * TURNS).round() as i32));
        let shift = between.map(|x| (x * PLACES).round() as i32);
        Self {
            turn,
            shift,
            down,
            grid: above(GRID / PLACES + rough),
            more: above(BOXES * f64::from(RHO) + rough),
            rotation: turn.map(|row| row.map(|x| x as f32 * (1.0 / TURNS) as f32)),
            translation: shift.map(|x| x as f32 * (1.0 / PLACES) as f32),
            ratio: down.map(|places| f32::from_bits((127 - places) << 23)),
        }
    }

    /// Whether the box of a node of A and that of a node of B may meet. `false` proves that they do
    /// not: their projections on an axis of one of them, or on one perpendicular to an axis of
    /// each, are disjoint.
    #[inline(always)]
    pub(crate) fn boxes_meet(&self, a: &PlacedBox, b: &PlacedBox) -> bool {
        let Self { rotation: turn, translation, ratio, more, .. } = self;
        let [middle_a, half_a] = [a.centre, a.half].map(|v| v.map(|x| ratio[0] * x));
        let [middle_b, half_b] = [b.centre, b.half].map(|v| v.map(|x| ratio[1] * x));
        let d = [0, 1, 2].map(|i| dot(turn[i], middle_b) + translation[i] - middle_a[i]);
        let wide = turn.map(|row| row.map(f32::abs));
        if (0..3).any(|i| d[i].abs() > half_a[i] + dot(wide[i], half_b) + more) {
            return false;
        }
        let column = |m: [[f32; 3]; 3], j: usize| [m[0][j], m[1][j], m[2][j]];
        let reaches = |j: usize| half_b[j] + dot(column(wide, j), half_a) + more;
        if (0..3).any(|j| dot(column(*turn, j), d).abs() > reaches(j)) {
            return false;
        }
        let across = |j: usize| {
            let (k, l) = ((j + 1) % 3, (j + 2) % 3);
            let off = cross(column(*turn, j), d);
            let (wide_k, wide_l) = (column(wide, k), column(wide, l));
            let wide_j = column(wide, j);
            (0..3).any(|i| {
                let (m, n) = ((i + 1) % 3, (i + 2) % 3);
                let of_a = half_a[m] * wide_j[n] + half_a[n] * wide_j[m];
                let of_b = half_b[k] * wide_l[i] + half_b[l] * wide_k[i];
                off[i].abs() > of_a + of_b + more
            })
        };
        !(across(0) || across(1) || across(2))
    }

    /// What 32 bits prove about a triangle of A and one of B: whether an edge of one meets the
    /// other.
    pub(crate) fn class(&self, a: &Corners, b: &Corners) -> Class {
        let ([p, q], delta) = self.relative(a, b);
        match (edges_of(&q, &p, delta), edges_of(&p, &q, delta)) {
            (Class::Hit, _) | (_, Class::Hit) => Class::Hit,
            (Class::Miss, Class::Miss) => Class::Miss,
            _ => Class::Unknown,
        }
    }

    /// Both triangles relative to a corner of A's, in the larger unit, and the bound on the error of
    /// a coordinate.
    fn relative(&self, a: &Corners, b: &Corners) -> ([[[f32; 3]; 3]; 2], f32) {
        let [a, b] = self.places(a, b);
        let origin = a[0];
        let relative = |p: [i32; 3]| {
            [0, 1, 2].map(|k| p[k].wrapping_sub(origin[k]) as f32 * (1.0 / PLACES) as f32)
        };
        let both = [a.map(relative), b.map(relative)];
        let reach = both.iter().flatten().fold(0.0, |reach, p| greater(reach, largest(*p)));
        (both, self.grid + RHO * reach)
    }

    /// Both triangles in places of the larger unit, from A's origin.
    pub(super) fn places(&self, a: &Corners, b: &Corners) -> [Corners; 2] {
        [a.map(|p| p.map(|x| down(x, self.down[0]))), b.map(|p| self.placed(p))]
    }

    /// A vertex of B.
    fn placed(&self, p: [i32; 3]) -> [i32; 3] {
        [0, 1, 2].map(|i| down(turned(self.turn[i], p), self.down[1]).wrapping_add(self.shift[i]))
    }
}

/// The binary places of a power of two of at least 1, or infinity; 31 if there are more.
fn places(ratio: f64) -> u32 {
    ((ratio.to_bits() >> 52) as u32).saturating_sub(1023).min(31)
}

/// The next 32-bit number above a positive one, or infinity.
fn above(x: f64) -> f32 {
    (x as f32).next_up()
}

/// An integer over 2 to the power of `places`, rounded.
const fn down(x: i32, places: u32) -> i32 {
    if places == 0 { x } else { x.wrapping_add(1 << (places - 1)) >> places }
}

/// A row of the rotation times a point, rounded.
fn turned(row: [i32; 3], p: [i32; 3]) -> i32 {
    let product = |k: usize| (i64::from(row[k]) * i64::from(p[k])) >> 15;
    ((product(0) + product(1) + product(2) + (1 << 14)) >> 15) as i32
}

/// The edges of a triangle against another one.
fn edges_of(p: &[[f32; 3]; 3], q: &[[f32; 3]; 3], delta: f32) -> Class {
    let face = Face::new(*q);
    let mut class = Class::Miss;
    for k in 0..3 {
        match classify(p[k], p[(k + 1) % 3], delta, &face) {
            kind if kind == Class::Hit as u32 => return Class::Hit,
            kind if kind == Class::Unknown as u32 => class = Class::Unknown,
            _ => {}
        }
    }
    class
}
