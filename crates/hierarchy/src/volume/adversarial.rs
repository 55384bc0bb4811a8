//! Worst cases for the rounding of volume tests, and the share of the granted slack that they need.
//! Frames are as far from orthonormal as the invariants of boxes and poses allow; double-double
//! arithmetic gives the truth.
//!
//! Each test finds the largest error, by construction or by local search, and asserts that it is at
//! most the proved bound, which is at most the granted one, and at least a quarter of the proved
//! one.

use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Random;
use nalgebra::Matrix3;

use super::ball::length_below;
use super::dop::DIAGONAL;
use super::separation::{DOWN, Relative};
use super::{Dop, ObbRows, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// Unit of rounding.
const U: f64 = f64::EPSILON / 2.0;

/// A number of twice the precision: the unevaluated sum of two.
#[derive(Clone, Copy)]
struct Twice(f64, f64);

impl Twice {
    const ZERO: Self = Self(0.0, 0.0);

    /// The exact difference.
    fn between(a: f64, b: f64) -> Self {
        Self(a, 0.0).plus(Self(-b, 0.0))
    }

    fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        let part = sum - self.0;
        let lost = (self.0 - (sum - part)) + (other.0 - part);
        let lost = lost + self.1 + other.1;
        let top = sum + lost;
        Self(top, lost - (top - sum))
    }

    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let lost = self.0.mul_add(other.0, -product) + self.0 * other.1 + self.1 * other.0;
        let top = product + lost;
        Self(top, lost - (top - product))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self(-other.0, -other.1))
    }

    /// `Σ a_k b_k`.
    fn dot(a: [Self; 3], b: [Self; 3]) -> Self {
        (0..3).fold(Self::ZERO, |sum, k| sum.plus(a[k].times(b[k])))
    }

    fn of(v: [f64; 3]) -> [Self; 3] {
        v.map(|x| Self(x, 0.0))
    }

    /// One Newton step from the square root in f64.
    fn root(self) -> Self {
        let guess = self.0.sqrt();
        let rest = self.minus(Self(guess, 0.0).times(Self(guess, 0.0)));
        Self(guess, 0.0).plus(Self(rest.0 / (2.0 * guess), 0.0))
    }
}

/// Asserts the order of the error found, the proved bound, and the granted bound.
fn holds(what: &str, found: f64, proved: f64, granted: f64) {
    println!("{what}: {found:.3e} found, {proved:.3e} proved, {granted:.3e} granted");
    assert!(found <= proved, "{what}: {found:e} is needed, {proved:e} is proved");
    assert!(proved <= granted, "{what}: {proved:e} is proved, {granted:e} is granted");
    assert!(found > proved / 4.0, "{what}: only {found:e} of {proved:e} is found");
}

/// A case given by numbers in −1 … 1, and a search for the worst case.
#[derive(Clone)]
struct Numbers<const N: usize>([f64; N]);

impl<const N: usize> Numbers<N> {
    fn changed(&self, random: &mut Random) -> Self {
        let mut other = self.clone();
        let by = 10f64.powf(random.range(-16.0, 0.3));
        let one = &mut other.0[random.below(N as u64) as usize];
        *one = (*one + by * random.range(-1.0, 1.0)).clamp(-1.0, 1.0);
        other
    }

    /// The largest value over several climbs.
    fn worst(seed: u64, [starts, steps]: [u64; 2], value: impl Fn(&Self) -> Option<f64>) -> f64 {
        let mut worst = 0.0f64;
        for start in 0..starts {
            let mut random = Random::stream(seed, start);
            let mut at = Self(std::array::from_fn(|_| random.range(-1.0, 1.0)));
            let mut best = f64::NEG_INFINITY;
            for _ in 0..steps {
                let next = at.changed(&mut random);
                if let Some(found) = value(&next)
                    && found >= best
                {
                    (at, best) = (next, found);
                }
            }
            worst = worst.max(best);
        }
        worst
    }

    fn vector(&self, at: usize) -> Vector {
        Vector::new(self.0[at], self.0[at + 1], self.0[at + 2])
    }

    /// A rotation from four numbers, with each entry changed by up to 4 units by nine more; `None`
    /// if it is not within 8 units of orthonormal.
    fn frame(&self, at: usize) -> Option<Matrix3<f64>> {
        let q = nalgebra::Vector4::from_fn(|k, _| self.0[at + k]).try_normalize(1e-3)?;
        let turn = Pose::from_quaternion([0.0; 3], q.into()).ok()?;
        let skew = |i: usize, j: usize| 4.0 * U * self.0[at + 4 + 3 * i + j];
        let frame = Matrix3::from_fn(|i, j| turn.rotation()[(i, j)] + skew(i, j));
        let column = |j: usize| Twice::of([frame[(0, j)], frame[(1, j)], frame[(2, j)]]);
        let off = |i: usize, j: usize| {
            let unit = if i == j { 1.0 } else { 0.0 };
            Twice::dot(column(i), column(j)).minus(Twice(unit, 0.0)).0.abs()
        };
        let whole = (0..3).all(|i| (0..3).all(|j| off(i, j) <= 8.0 * U));
        whole.then_some(frame)
    }
}

/// The smallest box with these axes and this centre that contains a point, which is then in a
/// corner.
fn tight(axes: &Matrix3<f64>, center: Point, corner: Point) -> ObbRows {
    let half = [0, 1, 2].map(|i| {
        let d = [0, 1, 2].map(|k| Twice::between(corner[k], center[k]));
        let axis = Twice::of([axes[(0, i)], axes[(1, i)], axes[(2, i)]]);
        let Twice(high, low) = Twice::dot(axis, d);
        let length = if high < 0.0 { Twice(-high, -low) } else { Twice(high, low) };
        if length.1 > 0.0 { length.0.next_up() } else { length.0 }
    });
    let row = |k: usize| [axes[(k, 0)], axes[(k, 1)], axes[(k, 2)], center[k]];
    ObbRows { rows: [row(0), row(1), row(2)], half }
}

/// By how much the fifteen axes separate two boxes if there were no slack.
fn excess(a: &ObbRows, b: &ObbRows, placement: &Placement) -> f64 {
    let placed = b.place(placement);
    let mut relative = a.relative(&placed, 0.0);
    relative.slack = 0.0;
    let q = relative.r.map(super::lanes::Lanes::abs);
    let (alpha, beta) = (&a.half, &placed.half);
    let mut all = vec![relative.face_a(&q, alpha, beta), relative.face_b(&q, alpha, beta)];
    all.extend((0..3).map(|i| relative.edges(i, &q, alpha, beta)));
    let over = all.iter().flat_map(|(x, y)| (0..3).map(|k| x.0[k] - y.0[k]));
    over.fold(f64::NEG_INFINITY, f64::max)
}

/// Two frames, the rotation of a pose, and the sizes of two boxes.
struct Skew {
    turn: Matrix3<f64>,
    of_a: Matrix3<f64>,
    of_b: Matrix3<f64>,
    alpha: Vector,
    beta: Vector,
}

impl Skew {
    /// Two boxes around the origins of their frames that share a corner, on either side of a plane
    /// with normal `a_i × b_j`, `a_i` for `j = 3` or `b_j` for `i = 3`: the error of the fifteen
    /// axes, in units of rounding of the sum of all half-lengths.
    fn off(&self, [i, j]: [usize; 2]) -> Option<f64> {
        let Self { turn, of_a, of_b, alpha, beta } = self;
        let (on_a, on_b) = (|i: usize| Vector::from(of_a.column(i)), |j| turn * of_b.column(j));
        let n = match (i, j) {
            (3, 3) => return None,
            (i, 3) => on_a(i),
            (3, j) => on_b(j),
            (i, j) => on_a(i).cross(&on_b(j)),
        };
        let toward = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        let corner_b = (0..3).fold(Point::origin(), |at, j| {
            at - of_b.column(j) * (beta[j] * toward(on_b(j).dot(&n)))
        });
        let pose = Pose::new(*turn, Vector::zeros()).ok()?;
        if pose.rotation() != turn {
            return None;
        }
        let shared = pose.apply(&corner_b);
        let center_a =
            (0..3).fold(shared, |at, i| at - of_a.column(i) * (alpha[i] * toward(on_a(i).dot(&n))));
        let (a, b) = (tight(of_a, center_a, shared), tight(of_b, Point::origin(), corner_b));
        let sum = a.half.iter().chain(&b.half).sum::<f64>();
        Some(excess(&a, &b, &Placement::new(&pose, 0.0, 0.0)) / (U * sum))
    }

    /// Frames and sizes from numbers.
    fn new(numbers: &Numbers<48>) -> Option<Self> {
        let [turn, of_a, of_b] = [0, 13, 26].map(|at| numbers.frame(at));
        let size = |at: usize| numbers.vector(at).map(f64::abs) * 10f64.powf(numbers.0[at + 3]);
        let (alpha, beta) = (size(39), size(43));
        Some(Self { turn: turn?, of_a: of_a?, of_b: of_b?, alpha, beta })
    }
}

/// Arbitrary boxes, in frames slightly off orthonormal.
#[test]
fn fifteen_axes_are_never_off_by_more_than_is_proved() {
    let found = Numbers::worst(41, [12, 3000], |numbers: &Numbers<48>| {
        let skew = Skew::new(numbers)?;
        let each = (0..16).filter_map(|k| skew.off([k / 4, k % 4]));
        each.reduce(f64::max)
    });
    println!("boxes of any kind are off by {found:.2} u");
    assert!(found > 1.0 && found <= NEED_OF_SIZES, "{found} u");
}

/// A needle of B along a diagonal of frames as far from orthonormal as allowed, each entry of
/// `MᵀM − I` 8 units: along the diagonal each stretches by 12 units, and A's frame by twice that.
#[test]
fn fifteen_axes_need_their_slack() {
    let skew = Matrix3::identity() + Matrix3::repeat(3.99 * U);
    let r = 3f64.sqrt().recip();
    let (s, t) = (2f64.sqrt().recip(), 6f64.sqrt().recip());
    let diagonal = Matrix3::new(r, s, t, r, -s, t, r, 0.0, -2.0 * t);
    let off = |beta: [f64; 3], axis| {
        let (alpha, beta) = (Vector::repeat(1e-9), Vector::from(beta));
        let skewed = Skew { turn: skew, of_a: skew, of_b: diagonal, alpha, beta };
        skewed.off(axis).expect("a pose that is kept as it is")
    };
    let found = off([1.0, 1e-9, 1e-9], [3, 0]);
    holds("slack of boxes, in units of half-lengths", found, NEED_OF_SIZES, SLACK / U);
}

/// See `docs/methods/obbtree.md`, "Error bound".
const NEED_OF_SIZES: f64 = 96.0;

/// Two long thin boxes that cross at a small angle, and frames with axes longer than unit length:
/// the length of the common normal is underestimated.
#[test]
fn a_gap_along_an_edge_axis_needs_its_factor() {
    let long = Matrix3::from_diagonal_element(1.0 + 4.0 * U);
    let pose = Pose::new(long, Vector::zeros()).expect("a rotation");
    assert_eq!(*pose.rotation(), long, "kept as it is");
    let mut found = f64::NEG_INFINITY;
    for step in 0..4000 {
        // Squared sines from 1e-5 to 1.
        let square = 10f64.powf(-f64::from(step) / 800.0);
        let (sine, cosine) = (square.sqrt(), (1.0 - square).sqrt());
        let turn = Matrix3::new(cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0) * long[0];
        let boxed = |axes: &Matrix3<f64>, z: f64| {
            let row = |k: usize| [axes[(k, 0)], axes[(k, 1)], axes[(k, 2)], [0.0, 0.0, z][k]];
            ObbRows { rows: [row(0), row(1), row(2)], half: [0.125, 0.0, 0.0] }
        };
        let (a, b) = (boxed(&long, 0.0), boxed(&turn, 1.0));
        let placed = b.place(&Placement::new(&pose, 0.0, 0.0));
        let mut relative = a.relative(&placed, 0.0);
        relative.slack = 0.0;
        // The segments lie in planes of constant height, through the posed centres.
        let apart = placed.rows[2].0[3] - a.rows[2][3];
        let gap = relative.gap(&a.half, &placed.half, f64::INFINITY);
        assert!(gap <= apart, "{square:e}: {gap:e} of {apart:e}");
        found = found.max(gap / DOWN / apart - 1.0);
    }
    holds("length of an edge axis", found, 2.5e-12, 1.0 - DOWN);
}

/// A gap computation ends early only above `enough`, and its result is still a lower bound.
#[test]
fn a_gap_that_is_enough_is_a_bound() {
    let mut early = 0;
    for index in 0..2000 {
        let mut random = Random::stream(42, index);
        let mut boxed = || {
            let axes = *random.turned_to(Vector::zeros()).rotation();
            let at = random.vector(-2.0, 2.0);
            let half = random.vector(0.1, 1.0);
            let row = |k: usize| [axes[(k, 0)], axes[(k, 1)], axes[(k, 2)], at[k]];
            ObbRows { rows: [row(0), row(1), row(2)], half: half.into() }
        };
        let (a, b) = (boxed(), boxed());
        let placement = Placement::new(&Pose::identity(), 4.0, 4.0);
        let placed = b.place(&placement);
        let whole = a.gap(&placed, &placement, f64::INFINITY);
        for share in [0.0, 0.5, 0.99, 1.0, 1.5] {
            let enough = share * whole;
            let gap = a.gap(&placed, &placement, enough);
            assert!(gap <= whole, "{index}: {gap:e} of {whole:e}");
            assert!(gap == whole || gap > enough, "{index}: {gap:e} is not enough");
            early += u32::from(gap < whole);
        }
        // A bound equal to `enough` is not above it: the next bound is computed.
        let mut bound = a.gap(&placed, &placement, 0.0);
        while bound < whole {
            let next = a.gap(&placed, &placement, bound);
            assert!(next > bound, "{index}: {next:e} after {bound:e} of {whole:e}");
            bound = next;
        }
    }
    assert!(early > 100, "{early} ended early");
}

/// Two boxes in relative form without slack, for tests of its parts.
#[test]
fn boxes_that_touch_within_the_slack_meet_and_beyond_do_not() {
    let unit = |z: f64| ObbRows {
        rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, z]],
        half: [1.0, 2.0, 0.5],
    };
    let placement = Placement::new(&Pose::identity(), 2.0, 2.0);
    let slack = placement.pad + SLACK * 7.0;
    for (over, meet) in [(0.0, true), (0.9, true), (1.1, false)] {
        let placed = unit(1.0 + over * slack).place(&placement);
        let relative: Relative = unit(0.0).relative(&placed, placement.pad);
        assert!((relative.slack / slack - 1.0).abs() < 1e-12);
        assert_eq!(unit(0.0).meets(&placed, &placement), meet, "{over} of the slack");
        assert_eq!(unit(0.0).gap(&placed, &placement, 1.0) > 0.0, !meet, "{over} of the slack");
    }
}

#[test]
fn lengths_need_their_factor() {
    let value = |n: &Numbers<6>| {
        let ([p, q], d) = ([n.vector(0), n.vector(3)], n.vector(0) - n.vector(3));
        let exact = [0, 1, 2].map(|k| Twice::between(p[k], q[k]));
        let square = Twice::dot(exact, exact);
        if square.0 < 1e-6 {
            return None;
        }
        let truth = square.root();
        let over = Twice(length_below(d.into()), 0.0).minus(truth);
        Some((over.0 / truth.0 + SLACK) / U)
    };
    let found = Numbers::worst(43, [8, 4000], value);
    holds("a length from below", found, 5.0, SLACK / U);
}

/// In and out of the range of squares: a difference that was rounded up must not give a larger gap.
#[test]
fn a_length_is_never_more_than_the_exact_difference() {
    for exponent in [-1000, -650, -470, -460, 0, 460, 470, 650, 900] {
        let unit = 2f64.powi(exponent);
        // 1 + 3/4 of a unit of rounding, which is rounded up.
        let (high, low) = (unit, -1.5 * U * unit);
        assert!(high - low > unit, "rounded up");
        let exact = Twice::between(high, low);
        let length = length_below([0.0, high - low, 0.0]);
        assert!(length < exact.0, "{unit:e}: {length:e}");
        assert!(length > 0.999 * unit, "{unit:e}: {length:e}");
        // All three components count where squares are in range.
        let diagonal = length_below([unit; 3]) / unit;
        assert!(diagonal <= 3f64.sqrt() && diagonal > 0.999, "{unit:e}: {diagonal:e}");
        assert!(diagonal > 1.7 || exponent.abs() >= 466, "{unit:e}: {diagonal:e}");
    }
}

/// Two points along a direction of a DOP: the direction's length is a rounded root, and the
/// quotient by it is rounded.
#[test]
fn a_gap_along_a_diagonal_needs_its_factor() {
    let (mut found, mut random) = (f64::NEG_INFINITY, Random::new(44));
    let placement = Placement { pad: 0.0, ..Placement::new(&Pose::identity(), 0.0, 0.0) };
    let frame = <Dop<13> as Volume>::frame(&placement);
    let at = |p: [f64; 3]| Dop::<13>::around([p].into_iter());
    for _ in 0..20_000 {
        let x = random.range(1.0, 4.0);
        for p in [[x, x, x], [x, -x, x], [x, x, 0.0], [0.0, x, -x]] {
            let truth = Twice::dot(Twice::of(p), Twice::of(p)).root();
            let gap = at([0.0; 3]).gap(&at(p), &frame, f64::INFINITY);
            let over = Twice(gap, 0.0).minus(truth).0 / truth.0;
            assert!(over <= 0.0, "{p:?}: {gap:e}");
            found = found.max(over / U + (1.0 - DIAGONAL) / U);
        }
    }
    holds("a quotient by a root", found, 4.0, (1.0 - DIAGONAL) / U);
    assert_eq!(1.0 - DIAGONAL, 4.0 / (1u64 << 53) as f64, "and no more");
}
