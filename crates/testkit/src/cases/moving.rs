//! Seeded queries of continuous detection: a vertex against a triangle, or an edge against an edge,
//! in families that are hard to decide.

use impinge_geometry::Point;
use impinge_models::Random;
use impinge_query::continuous::Interval;

use crate::oracle::moving::{FirstContact, first_contact};

/// What moves: point 0 against the triangle of points 1 to 3, or the edge of points 0 and 1 against
/// that of points 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A vertex and a triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

impl Kind {
    /// The number of points of the first feature; the others are the second's.
    pub const fn first(self) -> usize {
        match self {
            Self::VertexFace => 1,
            Self::EdgeEdge => 2,
        }
    }
}

/// A query.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// What moves.
    pub kind: Kind,
    /// The places at time 0.
    pub start: [Point; 4],
    /// The places at time 1.
    pub end: [Point; 4],
    /// A time at which they meet, by the way the query is made; maybe not the first.
    pub meets: Option<f64>,
}

impl Query {
    /// Compares an answer with the oracle's, and with the time at which they meet.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, found: Option<Interval>) -> Result<(), String> {
        let truth = first_contact(&self.start, &self.end, self.kind.first());
        let wrong = || Err(format!("{found:?}, and {truth:?} is true of {self:?}"));
        let Some(Interval { low, high }) = found else {
            // What comes nearer than the oracle sees, but does not meet.
            let apart = match truth {
                FirstContact::Never | FirstContact::After(_) => true,
                FirstContact::Near(_) => self.is_wide(),
                FirstContact::At(_) => false,
            };
            return if apart && self.meets.is_none() { Ok(()) } else { wrong() };
        };
        let width = high - low;
        let sound = 0.0 <= low && (0.0..=WIDTH).contains(&width) && high <= 1.0;
        let agrees = match &truth {
            FirstContact::Never => false,
            FirstContact::At(time) => !time.is_above(high) && !time.is_below(low),
            FirstContact::Near(time) => {
                !time.is_above(high) && (!time.is_below(low) || self.is_wide())
            }
            FirstContact::After(time) => !time.is_above(high),
        };
        let late = self.meets.is_some_and(|time| time < low);
        if sound && agrees && !late { Ok(()) } else { wrong() }
    }

    /// Whether the coordinates of an axis are many orders of magnitude apart, so that features can
    /// come nearer to each other than the oracle sees.
    fn is_wide(&self) -> bool {
        (0..3).any(|k| {
            let all = self.start.iter().chain(&self.end).map(|p| p[k].abs());
            let (least, most) = all
                .filter(|x| *x > 0.0)
                .fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            least < most * 1e-25
        })
    }
}

/// The widest interval of an exact method.
const WIDTH: f64 = 1.0 / (1_u64 << 40) as f64;

/// A family of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Anywhere.
    Random,
    /// Anywhere, every second one aimed so that the features meet but for rounding.
    Aimed,
    /// Parts of two sheets far from the origin that nearly touch and hardly move.
    Sheets,
    /// Features 10⁸ to 10¹⁶ times longer than wide.
    Needles,
    /// As aimed, times powers of ten up to 10^±100, each axis its own.
    Scales,
    /// Exponents from −300 to 300 in one query.
    Exponents,
    /// Nothing but the largest and the least numbers of f64, some with few bits.
    Extremes,
    /// All points have one coordinate in common.
    Flat,
    /// All points are in one plane at all times, which is across no axis.
    Tilted,
    /// All points are in a plane that slants and moves, but for rounding.
    Sliding,
    /// Edges that stay parallel, and triangles that stay parallel to the vertex's path.
    Parallel,
    /// All points are on one line.
    Line,
    /// Points of the two features coincide, at one time or always.
    Coincident,
    /// Nothing moves, or all by the same way.
    Standing,
    /// Contact exactly at time 0.
    Start,
    /// Contact exactly at time 1.
    End,
    /// Contact on an edge or a corner, at a multiple of 1/16.
    Border,
    /// Coordinates −1, 0 and 1.
    Lattice,
    /// The volume has a double root: touch and part again.
    Double,
    /// As double, each coordinate off by some ulps.
    Grazing,
    /// All four points coincide at one time: a triple root.
    Triple,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::Random,
        Self::Aimed,
        Self::Sheets,
        Self::Needles,
        Self::Scales,
        Self::Exponents,
        Self::Extremes,
        Self::Flat,
        Self::Tilted,
        Self::Sliding,
        Self::Parallel,
        Self::Line,
        Self::Coincident,
        Self::Standing,
        Self::Start,
        Self::End,
        Self::Border,
        Self::Lattice,
        Self::Double,
        Self::Grazing,
        Self::Triple,
    ];

    /// The query of this number: the same bits on every machine.
    pub fn query(self, number: u64) -> Query {
        let mut random = Random::stream(0x9_1ce0 + self as u64, number);
        let kind = if number.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        self.draw(kind, &mut random)
    }

    fn draw(self, kind: Kind, random: &mut Random) -> Query {
        match self {
            Self::Random => {
                let mut four = || [0; 4].map(|_| Point::from(random.vector(-1.0, 1.0)));
                Query { kind, start: four(), end: four(), meets: None }
            }
            Self::Aimed => aimed(kind, random, [1.0; 3]),
            Self::Sheets => sheets(kind, random),
            Self::Needles => {
                let thin = 10f64.powi(-8 - random.below(9) as i32);
                aimed(kind, random, [1.0, thin, thin])
            }
            Self::Scales => {
                let size = [0; 3].map(|_| 10f64.powi(random.below(201) as i32 - 100));
                aimed(kind, random, size)
            }
            Self::Exponents => exponents(kind, random),
            Self::Extremes => extremes(kind, random),
            Self::Flat => flat(kind, random),
            Self::Tilted => tilted(kind, random),
            Self::Sliding => sliding(kind, random),
            Self::Parallel => parallel(kind, random),
            Self::Line => line(kind, random),
            Self::Coincident => coincident(kind, random),
            Self::Standing => standing(kind, random),
            Self::Start => touching(kind, random, Place::Inside, Some(0)),
            Self::End => touching(kind, random, Place::Inside, Some(16)),
            Self::Border => touching(kind, random, Place::Border, None),
            Self::Lattice => {
                let place = [0; 4].map(|_| lattice(random, 1));
                let speed = [0; 4].map(|_| lattice(random, 1));
                straight(kind, place, speed, 0, None)
            }
            Self::Double => double(kind, random),
            Self::Grazing => {
                let query = double(kind, random);
                Query { meets: None, ..moved_by_ulps(query, random) }
            }
            Self::Triple => {
                let place = lattice(random, 4);
                let time = random.below(17) as i64;
                let speed = [0; 4].map(|_| lattice(random, 9));
                straight(kind, [place; 4], speed, time, Some(time))
            }
        }
    }
}

/// Steps of time on lattices.
const STEPS: i64 = 16;

type Whole = [i64; 3];

fn lattice(random: &mut Random, reach: i64) -> Whole {
    [0; 3].map(|_| random.below(2 * reach as u64 + 1) as i64 - reach)
}

fn plus(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|k| a[k] + b[k])
}

fn times(a: Whole, x: i64) -> Whole {
    a.map(|a| a * x)
}

fn cross(a: Whole, b: Whole) -> Whole {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

/// Points that are at `place` at the time `time / 16`, and move by `speed` in a sixteenth.
fn straight(
    kind: Kind,
    place: [Whole; 4],
    speed: [Whole; 4],
    time: i64,
    meets: Option<i64>,
) -> Query {
    let at = |t: i64| {
        [0, 1, 2, 3]
            .map(|i| Point::from(plus(place[i], times(speed[i], t - time)).map(|x| x as f64)))
    };
    let meets = meets.map(|time| time as f64 / STEPS as f64);
    Query { kind, start: at(0), end: at(STEPS), meets }
}

/// Where on the features they touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Border,
}

/// Four points of which the features share a point: inside of both, or at a border.
fn meeting(kind: Kind, random: &mut Random, place: Place) -> [Whole; 4] {
    // Weights of sixteenths, so that all is whole.
    let inner = |random: &mut Random| 1 + random.below(15) as i64;
    match kind {
        Kind::VertexFace => {
            let corners = [0; 3].map(|_| times(lattice(random, 3), STEPS));
            let mut weights = [1, 1, 14];
            let first = 1 + random.below(14) as i64;
            weights[0] = first;
            weights[1] = 1 + random.below((15 - first) as u64) as i64;
            weights[2] = STEPS - weights[0] - weights[1];
            if place == Place::Border {
                let second = if random.chance(0.3) { 0 } else { inner(random) };
                weights = [STEPS - second, second, 0];
                random.shuffle(&mut weights);
            }
            let of = |k: usize| (0..3).map(|i| corners[i][k] * weights[i]).sum::<i64>() / STEPS;
            [[of(0), of(1), of(2)], corners[0], corners[1], corners[2]]
        }
        Kind::EdgeEdge => {
            let [p0, p1] = [0; 2].map(|_| times(lattice(random, 3), STEPS));
            let side = lattice(random, 3);
            let mut at = [inner(random), inner(random)];
            if place == Place::Border {
                at[random.below(2) as usize] = STEPS * random.below(2) as i64;
            }
            let [s, t] = at;
            let x = [0, 1, 2].map(|k| p0[k] + (p1[k] - p0[k]) * s / STEPS);
            [p0, p1, plus(x, times(side, -t)), plus(x, times(side, STEPS - t))]
        }
    }
}

fn touching(kind: Kind, random: &mut Random, place: Place, time: Option<i64>) -> Query {
    let places = meeting(kind, random, place);
    let speed = [0; 4].map(|_| lattice(random, 4));
    let time = time.unwrap_or_else(|| random.below(17) as i64);
    straight(kind, places, speed, time, Some(time))
}

/// Random points in a box of this size; every second time aimed at each other.
fn aimed(kind: Kind, random: &mut Random, size: [f64; 3]) -> Query {
    let mut four = || [0; 4].map(|_| random.vector(-1.0, 1.0));
    let (start, mut end) = (four(), four());
    if random.chance(0.5) {
        // At this time a point of the one is at a point of the other, but for rounding.
        let (t, a, b) = (random.unit(), random.unit(), random.unit());
        let at = [0, 1, 2, 3].map(|i| start[i] * (1.0 - t) + end[i] * t);
        let gap = match kind {
            Kind::VertexFace => {
                at[1] + (at[2] - at[1]) * a + (at[3] - at[1]) * b * (1.0 - a) - at[0]
            }
            Kind::EdgeEdge => at[2] + (at[3] - at[2]) * a - at[0] - (at[1] - at[0]) * b,
        };
        end[0] += gap / t.max(0.01);
        if kind == Kind::EdgeEdge {
            end[1] += gap / t.max(0.01);
        }
    }
    let point =
        |v: impinge_geometry::Vector| Point::new(v.x * size[0], v.y * size[1], v.z * size[2]);
    Query { kind, start: start.map(point), end: end.map(point), meets: None }
}

/// Cloth: features of size 1 with heights that differ by little, at an offset, in small steps.
fn sheets(kind: Kind, random: &mut Random) -> Query {
    let offset = random.vector(-1000.0, 1000.0);
    let gap = 10f64.powf(random.range(-9.0, -1.0));
    let mut query = aimed(kind, random, [1.0, 1.0, gap]);
    for i in 0..4 {
        let step = (query.end[i] - query.start[i]) * 0.05;
        query.start[i] += offset;
        query.end[i] = query.start[i] + step;
        query.end[i].z -= if i < kind.first() { gap } else { -gap };
    }
    query
}

fn exponents(kind: Kind, random: &mut Random) -> Query {
    crossing(kind, random, |random| {
        random.range(-1.0, 1.0) * 10f64.powi(random.below(601) as i32 - 300)
    })
}

fn extremes(kind: Kind, random: &mut Random) -> Query {
    crossing(kind, random, |random| {
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        let most = [f64::MAX, 2f64.powi(1023), f64::MAX * random.unit()];
        let least = [f64::from_bits(1), f64::MIN_POSITIVE, f64::MIN_POSITIVE * random.unit()];
        let size = [most, least][random.below(2) as usize][random.below(3) as usize];
        sign * size
    })
}

/// Points with such coordinates; every second time each of them turns to the other side on each
/// axis, so that boxes rarely part them.
fn crossing(kind: Kind, random: &mut Random, draw: impl Fn(&mut Random) -> f64) -> Query {
    let mut point = || Point::from([0; 3].map(|_| draw(random)));
    let start = [0; 4].map(|_| point());
    let mut end = [0; 4].map(|_| point());
    if random.chance(0.5) {
        for (p, q) in start.iter().zip(&mut end) {
            *q = Point::from([0, 1, 2].map(|k| q[k].abs().copysign(-p[k])));
        }
    }
    Query { kind, start, end, meets: None }
}

/// One coordinate in common; small integers or any numbers.
fn flat(kind: Kind, random: &mut Random) -> Query {
    let whole = random.chance(0.5);
    let mut query = aimed(kind, random, [1.0; 3]);
    let (axis, height) = (random.below(3) as usize, random.range(-1.0, 1.0));
    for p in query.start.iter_mut().chain(&mut query.end) {
        if whole {
            *p = Point::from(p.coords.map(|x| (x * 4.0).round()));
        }
        p[axis] = height;
    }
    query
}

/// All in the plane of two whole vectors through a whole point, or in one in which a coordinate is a
/// power of two times another.
fn tilted(kind: Kind, random: &mut Random) -> Query {
    if random.chance(0.5) {
        let mut query = aimed(kind, random, [1.0; 3]);
        let slope = [-2.0, -1.0, -0.5, 0.5, 1.0, 2.0][random.below(6) as usize];
        for p in query.start.iter_mut().chain(&mut query.end) {
            p.z = slope * p.x;
        }
        return query;
    }
    let (o, u, v, drift) =
        (lattice(random, 9), lattice(random, 5), lattice(random, 5), lattice(random, 5));
    let mut within = |reach: i64| {
        let [s, t, _] = lattice(random, reach);
        plus(times(u, s), times(v, t))
    };
    let place = [0; 4].map(|_| plus(o, within(24)));
    let speed = [0; 4].map(|_| plus(drift, within(5)));
    straight(kind, place, speed, 8, None)
}

/// As flat, then sheared into a plane that turns with time, which rounds.
fn sliding(kind: Kind, random: &mut Random) -> Query {
    let mut query = aimed(kind, random, [1.0, 1.0, 0.0]);
    let offset = random.vector(-2.0, 2.0);
    for places in [&mut query.start, &mut query.end] {
        let slope = random.vector(-1.0, 1.0);
        for p in places {
            *p = Point::new(p.x, p.y, slope.x * p.x + slope.y * p.y + slope.z) + offset;
        }
    }
    query
}

fn parallel(kind: Kind, random: &mut Random) -> Query {
    let (u, v) = (lattice(random, 5), lattice(random, 5));
    let [a, b] = [0; 2].map(|_| lattice(random, 6));
    let [down, up] = [0; 2].map(|_| lattice(random, 2));
    let mut along = || times(u, random.below(13) as i64 - 6);
    match kind {
        // Both edges along `u`.
        Kind::EdgeEdge => {
            let place = [plus(a, along()), plus(a, along()), plus(b, along()), plus(b, along())];
            straight(kind, place, [down, down, up, up], 8, None)
        }
        // The vertex moves within the triangle's directions.
        Kind::VertexFace => {
            let plane = || [b, plus(b, times(u, 3)), plus(b, times(v, 3))];
            let [p, q, r] = plane();
            let touches = random.chance(0.5);
            let vertex = if touches { plus(b, plus(u, v)) } else { a };
            let speed = plus(plus(down, times(u, 1)), times(v, random.below(3) as i64 - 1));
            let meets = touches.then_some(8);
            straight(kind, [vertex, p, q, r], [speed, down, down, down], 8, meets)
        }
    }
}

fn line(kind: Kind, random: &mut Random) -> Query {
    let (o, u, drift) = (lattice(random, 9), lattice(random, 3), lattice(random, 3));
    let mut along = |reach: i64| times(u, lattice(random, reach)[0]);
    let place = [0; 4].map(|_| plus(o, along(30)));
    let speed = [0; 4].map(|_| plus(drift, along(3)));
    straight(kind, place, speed, 8, None)
}

/// Points that coincide: with a point of the other feature at some time or always, or with one of
/// the same feature.
fn coincident(kind: Kind, random: &mut Random) -> Query {
    let mut place = [0; 4].map(|_| lattice(random, 9));
    let mut speed = [0; 4].map(|_| lattice(random, 3));
    let time = random.below(17) as i64;
    let n = kind.first();
    let (one, other) = (random.below(n as u64) as usize, n + random.below(4 - n as u64) as usize);
    let own = n + random.below(4 - n as u64) as usize;
    let mut meets = None;
    match random.below(4) {
        0 => {
            place[one] = place[other];
            meets = Some(time);
        }
        1 => {
            (place[one], speed[one]) = (place[other], speed[other]);
            meets = Some(0);
        }
        2 => (place[own], speed[own]) = (place[3], speed[3]),
        // The feature is a point at one time.
        _ => (n..4).for_each(|i| place[i] = place[3]),
    }
    straight(kind, place, speed, time, meets)
}

fn standing(kind: Kind, random: &mut Random) -> Query {
    let together = if random.chance(0.5) { [0; 3] } else { lattice(random, 4) };
    if random.chance(0.3) {
        let query = aimed(kind, random, [1.0; 3]);
        return Query { end: query.start, ..query };
    }
    let touches = random.chance(0.5);
    let place = if touches {
        let place = if random.chance(0.5) { Place::Inside } else { Place::Border };
        meeting(kind, random, place)
    } else {
        [0; 4].map(|_| lattice(random, 2))
    };
    straight(kind, place, [together; 4], 0, touches.then_some(0))
}

/// Four points in the plane z = 0 at one time, with speeds for which the volume has a double root
/// there: the first derivative, `Σ z_j m_j` with the minors `m_j` of the corners, is zero.
fn double(kind: Kind, random: &mut Random) -> Query {
    let touches = random.chance(0.7);
    let mut place = if touches {
        meeting(kind, random, Place::Inside)
    } else {
        [0; 4].map(|_| times(lattice(random, 3), STEPS))
    };
    for p in &mut place {
        p[2] = 0;
    }
    let from = |i: usize, j: usize| plus(place[i], times(place[j], -1));
    // Three differences that the volume is a determinant of, and the speed of the point in each
    // that no other has.
    let (corners, free) = match kind {
        Kind::VertexFace => ([from(1, 0), from(2, 0), from(3, 0)], [1, 2, 3]),
        // p0 − q0, p1 − q0, p1 − q1: as p0 − q0, p1 − p0, q0 − q1.
        Kind::EdgeEdge => ([from(0, 2), from(1, 0), from(2, 3)], [2, 1, 3]),
    };
    let minor = |i: usize, j: usize| cross(corners[i], corners[j])[2];
    let minors = [minor(1, 2), minor(2, 0), minor(0, 1)];
    let divisor = minors.into_iter().fold(0, gcd).max(1);
    let rise = cross(minors.map(|m| m / divisor), lattice(random, 2));
    let mut speed = [0; 4].map(|_| lattice(random, 4));
    let steady = random.below(5) as i64 - 2;
    for v in &mut speed {
        v[2] = steady;
    }
    match kind {
        Kind::VertexFace => (0..3).for_each(|j| speed[free[j]][2] += rise[j]),
        Kind::EdgeEdge => {
            speed[1][2] = speed[0][2] + rise[1];
            speed[2][2] = speed[0][2] - rise[0];
            speed[3][2] = speed[2][2] - rise[2];
        }
    }
    let time = random.below(17) as i64;
    // Across no axis: a shear that keeps whole numbers.
    let shear = lattice(random, 2);
    for v in place.iter_mut().chain(&mut speed) {
        v[0] += shear[0] * v[2];
        v[1] += shear[1] * v[2];
        v[2] += shear[2] * v[0];
    }
    straight(kind, place, speed, time, touches.then_some(time))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Each coordinate off by up to two ulps of numbers about 1000.
fn moved_by_ulps(mut query: Query, random: &mut Random) -> Query {
    let offset = random.vector(-1000.0, 1000.0);
    for p in query.start.iter_mut().chain(&mut query.end) {
        for k in 0..3 {
            p[k] += offset[k];
            for _ in 0..random.below(3) {
                p[k] = if random.chance(0.5) { p[k].next_up() } else { p[k].next_down() };
            }
        }
    }
    query
}
