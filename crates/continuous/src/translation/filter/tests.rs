//! The filter beside fractions: with its bounds it is never wrong, and with a hundredth of them it is.

use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

use super::{Estimate, Proven, Share, estimate_with};
use crate::translation::direction::Direction;
use crate::translation::exact::ends;
use crate::translation::fraction::Fraction;

/// No bounds at all.
struct None;

impl Share for None {
    const OF_BOUNDS: f64 = 0.0;
}

/// A hundredth of the bounds.
struct Hundredth;

impl Share for Hundredth {
    const OF_BOUNDS: f64 = 0.01;
}

/// All but the errors of heights.
struct NoHeights;

impl Share for NoHeights {
    const OF_BOUNDS: f64 = 1.0;
    const OF_HEIGHTS: f64 = 0.0;
}

/// All but the errors of shares of edges and faces, and of parts of edges.
struct NoShares;

impl Share for NoShares {
    const OF_BOUNDS: f64 = 1.0;
    const OF_SHARES: f64 = 0.0;
}

#[derive(Clone, Copy, Debug)]
enum Family {
    /// Points and direction anywhere.
    Random,
    /// Corners over corners and edges of the other, up to rounding.
    Over,
    /// All in a plane that holds the direction, up to rounding.
    Along,
    /// Needles of 1e-8 … 1e-16.
    Needles,
    /// Small integers.
    Integers,
    /// Two small triangles far from each other along the direction.
    Far,
    /// All of one over a flat face of the other, two corners close to it.
    Level,
    /// As `Over`, at other scales.
    Scaled,
}

const ALL: [Family; 8] = [
    Family::Random,
    Family::Over,
    Family::Along,
    Family::Needles,
    Family::Integers,
    Family::Far,
    Family::Level,
    Family::Scaled,
];

impl Family {
    fn case(self, number: u64) -> (Triangle, Triangle, Vector) {
        let mut random = Random::stream(0xf117, number);
        let d = random.unit_vector() * random.range(0.5, 2.0);
        let place = |random: &mut Random| Point::from(random.vector(-1.0, 1.0));
        let mut p = [0; 3].map(|_| place(&mut random));
        let mut q = [0; 3].map(|_| place(&mut random));
        match self {
            Self::Random => {}
            Self::Over | Self::Scaled => {
                for corner in &mut q {
                    let (k, share) = (random.below(3) as usize, random.unit().round());
                    let on = p[k] + (p[(k + 1) % 3] - p[k]) * (share * random.unit());
                    if random.chance(0.7) {
                        *corner = on + d * random.range(-1.0, 1.0);
                    }
                }
                if matches!(self, Self::Scaled) {
                    let scale = 10f64.powi(random.below(140) as i32 - 70);
                    (p, q) = (p.map(|x| x * scale), q.map(|x| x * scale));
                    let scale = 10f64.powi(random.below(600) as i32 - 300);
                    return (p, q, d * scale);
                }
            }
            Self::Along => {
                let across = random.unit_vector();
                for corner in p.iter_mut().chain(&mut q) {
                    let (x, y) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0));
                    *corner = Point::from(d * x + across * y);
                }
            }
            Self::Needles => {
                let width = 10f64.powi(-8 - random.below(9) as i32);
                p[2] = p[0] + (p[1] - p[0]) * random.unit() + random.unit_vector() * width;
                q[2] = q[0] + (q[1] - q[0]) * random.unit() + random.unit_vector() * width;
            }
            Self::Integers => {
                let mut whole = || [0; 3].map(|_| random.below(5) as f64 - 2.0);
                (p, q) = ([0; 3].map(|_| whole().into()), [0; 3].map(|_| whole().into()));
                let d = Vector::from(whole());
                return (p, q, if d.amax() == 0.0 { Vector::x() } else { d });
            }
            Self::Level => {
                let mut height = || random.range(0.5, 0.6);
                p = [[0.0, 0.0, 0.0], [0.5, 0.0, height()], [0.0, 0.5, height()]].map(Point::from);
                let z = height();
                q = [[-1.0, -1.0, z], [3.0, -1.0, z], [-1.0, 3.0, z]].map(Point::from);
                p = p.map(|x| x + Vector::repeat(0.1 * random.unit()));
                return (p, q, Vector::new(0.0, 0.0, d.x));
            }
            Self::Far => {
                let (at, size) =
                    (d * random.range(1.0, 9.0), 10f64.powi(-(random.below(7) as i32)));
                (p, q) = (p.map(|x| x * size), q.map(|x| x * size + at));
            }
        }
        (p, q, d)
    }
}

/// Estimates that tell all, and how many of all estimates are wrong.
fn tally<S: Share>(family: Family, cases: u64) -> [usize; 2] {
    let (mut told, mut wrong) = (0, 0);
    for number in 0..cases {
        let (p, q, d) = family.case(number);
        let direction = Direction::new(&d).expect("not zero");
        let truth = ends(&p, &q, &d).map(|ends| ends.map(|end| direction.of_given(end)));
        let within = |[low, high]: [f64; 2], s: &Fraction| {
            (low == f64::NEG_INFINITY || Fraction::of(low) <= *s)
                && (high == f64::INFINITY || *s <= Fraction::of(high))
        };
        let right = match (estimate_with::<S>(&p, &q, &direction), &truth) {
            (Estimate::Never, truth) => {
                told += 1;
                truth.is_none()
            }
            (Estimate::Within(_), Option::None) => true,
            (Estimate::Within(all), Some(ends)) => ends.iter().all(|end| within(all, end)),
            (Estimate::Meet { .. }, Option::None) => false,
            (Estimate::Meet { first, last }, Some(ends)) => {
                told += usize::from((first[1] - first[0]).max(last[1] - last[0]) < 1e-9);
                within(first, &ends[0]) && within(last, &ends[1])
            }
        };
        wrong += usize::from(!right);
    }
    [told, wrong]
}

#[test]
fn the_filter_is_never_wrong() {
    for family in ALL {
        let [told, wrong] = tally::<Proven>(family, 3000);
        assert_eq!(wrong, 0, "{family:?}: {told} told");
        let least = match family {
            Family::Random | Family::Far | Family::Level => 2990,
            Family::Over | Family::Scaled => 100,
            Family::Needles => 1000,
            Family::Along | Family::Integers => 0,
        };
        assert!(told >= least, "{family:?}: {told}");
    }
}

#[test]
fn smaller_bounds_are_noticed() {
    let families = [Family::Over, Family::Along, Family::Needles];
    let sum = |tally: fn(Family, u64) -> [usize; 2], cases: u64| -> usize {
        families.iter().map(|family| tally(*family, cases)[1]).sum()
    };
    let none = sum(tally::<None>, 2000);
    assert!(none > 1000, "{none} wrong without bounds");
    let hundredth = sum(tally::<Hundredth>, 10_000);
    assert!(hundredth > 5, "{hundredth} wrong with a hundredth of the bounds");
    let heights = tally::<NoHeights>(Family::Level, 3000)[1];
    assert!(heights > 5, "{heights} wrong without errors of heights");
    let shares = sum(tally::<NoShares>, 4000);
    assert!(shares > 5, "{shares} wrong without errors of shares");
}
