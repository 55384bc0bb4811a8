//! When two moving features meet first, by planes between them.
//!
//! Two convex sets are apart if and only if some vector has a greater scalar product with all points
//! of one than with all points of the other. Corners run along straight lines, so a vector that
//! parts the features at two times parts them at all times in between.
//!
//! 1. Features meet only where their four points are in one plane. Their volume is a cubic, known by
//!    its values at four times; its roots are counted by Sturm's theorem. Each is enclosed in an
//!    interval of 2⁻¹¹⁰, and is no contact if some vector parts the features there.
//! 2. If the points are always in one plane: from time 0 on, a step takes the vector that parts the
//!    features longest, and goes to the end of that. Where none does, they meet.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign};
use impinge_geometry::Point;

use super::integers::{Vector, common_scale};
use super::sturm;

/// Times are multiples of this power of 1/2.
const BITS: usize = 110;
/// Shorter steps than this many times that count as none.
const SHORT: usize = 10;
/// Steps after which the oracle gives up. Contacts take fewer than a hundred where features approach
/// at some speed, and very many where they touch and part again.
const STEPS: usize = 250;

/// What the oracle found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstContact {
    /// The features are apart at all times from 0 to 1.
    Never,
    /// They meet at this time, and not before.
    At(Time),
    /// They do not meet before this time, and no vector parts them for 2⁻¹⁰⁰ from there. They meet,
    /// unless coordinates are so many orders of magnitude apart that they come as near as that.
    Near(Time),
    /// They do not meet before this time; what follows is not known after many steps.
    After(Time),
}

/// A time from 0 to 1: a whole number over a power of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    number: IBig,
}

impl Time {
    fn start() -> Self {
        Self { number: IBig::ZERO }
    }

    /// Whether a number from 0 to 1 is below this time, by more than 2⁻⁹⁰.
    pub fn is_above(&self, x: f64) -> bool {
        self.minus(x) > IBig::ONE << (PLACES - 90)
    }

    /// Whether a number from 0 to 1 is above this time, by more than 2⁻⁹⁰.
    pub fn is_below(&self, x: f64) -> bool {
        self.minus(x) < -(IBig::ONE << (PLACES - 90))
    }

    /// The difference to a number in units of 2⁻¹¹⁰⁰.
    fn minus(&self, x: f64) -> IBig {
        let (n, exponent) = common_scale(&[x, f64::from_bits(1)]);
        (&self.number << (PLACES - BITS)) - (&n[0] << (PLACES as i32 + exponent) as usize)
    }
}

/// More binary places than an f64 has.
const PLACES: usize = 1_100;

/// Two features in motion: each a list of points, the feature being their hull.
struct Motion {
    /// Differences of a point of the one and a point of the other, at time 0 and at time 1.
    ends: Vec<[Vector; 2]>,
}

/// The first contact of the hulls of two sets of points: of the first `n` of the points, and of the
/// others. `start` are their places at time 0, `end` those at time 1. For up to four points.
///
/// # Panics
/// If a coordinate is not finite.
pub fn first_contact(start: &[Point; 4], end: &[Point; 4], n: usize) -> FirstContact {
    let motion = Motion::new(start, end, n);
    match motion.volume(n) {
        Some(volume) => motion.at_roots(&sturm::chain(&volume)),
        None => motion.step_by_step(),
    }
}

/// For how long a vector parts the features.
enum Parted {
    /// There is none now.
    Not,
    /// For this share of what is left of time, numerator and denominator.
    For([IBig; 2]),
    /// Until time 1, included.
    ToTheEnd,
}

impl Motion {
    fn new(start: &[Point; 4], end: &[Point; 4], n: usize) -> Self {
        // A plane stays a plane if each axis has its own scale.
        let places = [0, 1, 2].map(|k| {
            let all: Vec<f64> = start.iter().chain(end).map(|p| p[k]).collect();
            common_scale(&all).0
        });
        let point = |i: usize| Vector(places.each_ref().map(|x| x[i].clone()));
        let ends = (0..n)
            .flat_map(|i| (n..4).map(move |j| (i, j)))
            .map(|(i, j)| [point(j).minus(&point(i)), point(4 + j).minus(&point(4 + i))])
            .collect();
        Self { ends }
    }

    /// The volume of the four points as a cubic in the time; `None` if it is always zero.
    fn volume(&self, n: usize) -> Option<[IBig; 4]> {
        // Three differences that reach all points.
        let three = if n == 1 { [0, 1, 2] } else { [0, 1, 3] };
        let at = |t: i32| -> IBig {
            let [a, b, c] = three.map(|i| {
                let [s, e] = &self.ends[i];
                s.times(&IBig::from(1 - t)).plus(&e.times(&IBig::from(t)))
            });
            a.dot(&b.cross(&c))
        };
        let [f0, f1, f2, f3] = [0, 1, 2, 3].map(at);
        // Newton's forward differences, times 6.
        let first = &f1 - &f0;
        let second = &f2 - IBig::from(2) * &f1 + &f0;
        let third = &f3 - IBig::from(3) * &f2 + IBig::from(3) * &f1 - &f0;
        let cubic = [
            IBig::from(6) * f0,
            IBig::from(6) * first - IBig::from(3) * &second + IBig::from(2) * &third,
            IBig::from(3) * second - IBig::from(3) * &third,
            third,
        ];
        cubic.iter().any(|c| !c.is_zero()).then_some(cubic)
    }

    /// The first root of the volume at which nothing parts the features.
    fn at_roots(&self, chain: &sturm::Chain) -> FirstContact {
        let mut low = IBig::ZERO;
        if chain.vanishes(&low, BITS) && matches!(self.part(&Time::start()), Parted::Not) {
            return FirstContact::At(Time::start());
        }
        // The next root is in an interval that begins at `number` and includes its end.
        while let Some(number) = chain.next_root(&low, BITS) {
            let next = &number + IBig::ONE;
            if chain.vanishes(&next, BITS) {
                let time = Time { number: next.clone() };
                if matches!(self.part(&time), Parted::Not) {
                    return FirstContact::At(time);
                }
            } else if !self.parted_for(&number, &IBig::ONE) {
                return FirstContact::Near(Time { number });
            }
            low = next;
        }
        FirstContact::Never
    }

    /// Whether one vector parts the features from a time on for so many units.
    fn parted_for(&self, number: &IBig, units: &IBig) -> bool {
        match self.part(&Time { number: number.clone() }) {
            Parted::Not => false,
            Parted::ToTheEnd => true,
            Parted::For([share, whole]) => ((IBig::ONE << BITS) - number) * share > units * whole,
        }
    }

    fn step_by_step(&self) -> FirstContact {
        let mut time = Time::start();
        for _ in 0..STEPS {
            match self.part(&time) {
                Parted::ToTheEnd => return FirstContact::Never,
                Parted::Not => return FirstContact::At(time),
                Parted::For([share, whole]) => {
                    let rest = (IBig::ONE << BITS) - &time.number;
                    let step = &rest * share / whole;
                    if step.bit_len() < SHORT && step < rest {
                        return FirstContact::Near(time);
                    }
                    time.number += step;
                }
            }
        }
        FirstContact::After(time)
    }

    /// The longest that any of the vectors parts the features from a time on.
    fn part(&self, time: &Time) -> Parted {
        let (late, early) = (&time.number, (IBig::ONE << BITS) - &time.number);
        let now: Vec<Vector> =
            self.ends.iter().map(|[s, e]| s.times(&early).plus(&e.times(late))).collect();
        let mut longest = Parted::Not;
        for n in directions(&now) {
            longest = match (self.parted_by(&n, &now), longest) {
                (Parted::ToTheEnd, _) => return Parted::ToTheEnd,
                (Parted::For(one), Parted::For(other)) if is_less(&one, &other) => {
                    Parted::For(other)
                }
                (Parted::Not, longest) => longest,
                (parted, _) => parted,
            };
        }
        longest
    }

    /// For how long the product of `n` with all differences is positive.
    fn parted_by(&self, n: &Vector, now: &[Vector]) -> Parted {
        let mut shortest = Parted::ToTheEnd;
        for (v, [_, end]) in now.iter().zip(&self.ends) {
            // The unit of `now` is smaller.
            let (x, y) = (n.dot(v), n.dot(end) << BITS);
            if !is_positive(&x) {
                return Parted::Not;
            }
            if is_positive(&y) {
                continue;
            }
            let share = [x.clone(), x - y];
            if !matches!(&shortest, Parted::For(other) if !is_less(&share, other)) {
                shortest = Parted::For(share);
            }
        }
        shortest
    }
}

/// The axes, and the directions from the origin to the nearest point of every point, line and plane
/// through some of these points; the plane's of both signs. If the origin is outside of the hull,
/// one of them has a positive product with all points: that of the hull's nearest point.
fn directions(points: &[Vector]) -> Vec<Vector> {
    let mut all = Vec::new();
    for k in 0..3 {
        for sign in [IBig::ONE, IBig::NEG_ONE] {
            let mut axis = Vector([IBig::ZERO, IBig::ZERO, IBig::ZERO]);
            axis.0[k] = sign;
            all.push(axis);
        }
    }
    all.extend(points.iter().cloned());
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            let edge = q.minus(p);
            all.push(p.times(&edge.squared()).minus(&edge.times(&p.dot(&edge))));
            for r in &points[j + 1..] {
                let normal = edge.cross(&r.minus(p));
                all.push(normal.times(&IBig::NEG_ONE));
                all.push(normal);
            }
        }
    }
    all
}

/// Of two fractions with positive denominators.
fn is_less([a, b]: &[IBig; 2], [c, d]: &[IBig; 2]) -> bool {
    a * d < c * b
}

fn is_positive(n: &IBig) -> bool {
    n.sign() == Sign::Positive && !n.is_zero()
}
