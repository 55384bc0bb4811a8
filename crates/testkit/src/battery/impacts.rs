//! The check of continuous detection, by an oracle that knows only whether two triangles share a
//! point at one time, and how far they are apart.
//!
//! Motions are on lattices, so that the places at times `k / 16` are exact in f64. If the oracle
//! finds a contact at such a time, the method's first contact must not be later; at the time that
//! the method names, the triangles must be as near as its interval allows.

use impinge_geometry::{Mesh, Point, Vector};
use impinge_models::Random;
use impinge_query::continuous::{Continuous, Features, Impact, Moving};
use impinge_query::{Cancel, Contact, Control};

use super::{Outcome, Tally};
use crate::oracle;

/// Times of the oracle: `k / STEPS`.
const STEPS: u32 = 16;
/// The widest interval of an exact method.
const WIDTH: f64 = 1.0 / (1_u64 << 40) as f64;
/// Motions of each kind.
const MOTIONS: u64 = 250;

/// Two bodies of a few triangles, at both ends of their motion.
struct Case {
    meshes: [Mesh; 2],
    ends: [Vec<Point>; 2],
    /// Largest speed of a point, per unit of time.
    speed: f64,
}

/// Kinds of motions, some of them flat, straight, at rest, or touching at a chosen time.
const KINDS: [&str; 6] = ["anywhere", "in a plane", "along a line", "at rest", "rigid", "touching"];

/// Checks first contacts of small bodies. A case is a motion, a hit one with a contact.
pub fn impacts(method: &dyn Continuous) -> Outcome {
    let mut tally = Tally::default();
    for (kind, name) in (0..).zip(KINDS) {
        for index in 0..MOTIONS {
            let mut random = Random::stream(0x1_3a9 + kind, index);
            let case = Case::new(kind, &mut random);
            let named = |why: String| format!("{}, {name} {index}: {why}", method.word());
            tally.count(case.check(method).map_err(named)?);
        }
    }
    let case = Case::new(0, &mut Random::new(1));
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let [a, b] = case.moving();
    if method.first_contact(&a, &b, &control).is_ok() {
        return Err(format!("{}: a cancelled motion", method.word()));
    }
    tally.balanced()
}

impl Case {
    fn new(kind: u64, random: &mut Random) -> Self {
        // Multiples of STEPS, so that all places at the oracle's times are integers.
        let lattice = |random: &mut Random, reach: i64| {
            let mut at = || (random.below(2 * reach as u64 + 1) as i64 - reach) as f64;
            let v = Vector::new(at(), at(), at());
            let flat = match kind {
                1 => Vector::new(1.0, 1.0, 0.0),
                2 => Vector::new(1.0, 0.0, 0.0),
                _ => Vector::new(1.0, 1.0, 1.0),
            };
            v.component_mul(&flat)
        };
        let time = random.below(u64::from(STEPS) + 1) as f64;
        let drift = [0, 1].map(|_| lattice(random, 2));
        let mut body = |away: f64, drift: Vector| {
            let triangles = 1 + random.below(2) as usize;
            let mut places = |n: usize| -> Vec<[Point; 2]> {
                (0..n)
                    .map(|_| {
                        let own = if kind == 4 { drift } else { drift + lattice(random, 2) };
                        let speed = if kind == 3 { Vector::zeros() } else { own };
                        let near = if kind == 5 { 1 } else { 3 };
                        let mut place = lattice(random, near) * f64::from(STEPS);
                        place.x += away;
                        // At `time` the point is at `place`, and else on a straight line through it.
                        let at = |t: f64| Point::from(place + speed * (t - time));
                        [at(0.0), at(f64::from(STEPS))]
                    })
                    .collect()
            };
            let (start, end): (Vec<Point>, Vec<Point>) =
                places(triangles + 2).into_iter().map(|[s, e]| (s, e)).unzip();
            let corners = (0..triangles as u32).map(|t| [t, t + 1, t + 2]).collect();
            (Mesh::new(start, corners).expect("small integers"), end)
        };
        let unit = f64::from(STEPS);
        let (a, end_a) = body(0.0, drift[0]);
        let (b, end_b) = body(if kind == 5 { 0.0 } else { 3.0 * unit }, drift[1]);
        let speed = 2.0 * 7.0 * unit;
        Self { meshes: [a, b], ends: [end_a, end_b], speed }
    }

    fn moving(&self) -> [Moving<'_>; 2] {
        [0, 1].map(|k| Moving::new(&self.meshes[k], &self.ends[k]).expect("as many, finite"))
    }

    /// The corners of the triangles of a body at a time.
    fn at(&self, body: usize, time: f64) -> Vec<[Point; 3]> {
        let place = |v: u32| self.place(body, v, time);
        self.meshes[body].triangles().iter().map(|t| t.map(place)).collect()
    }

    /// The place of a vertex at a time.
    fn place(&self, body: usize, vertex: u32, time: f64) -> Point {
        let start = self.meshes[body].vertices()[vertex as usize];
        start + (self.ends[body][vertex as usize] - start) * time
    }

    /// Whether some triangles share a point at a time at which places are exact.
    fn meet(&self, time: f64) -> bool {
        let (a, b) = (self.at(0, time), self.at(1, time));
        a.iter().any(|p| b.iter().any(|q| oracle::triangles_meet(p, q)))
    }

    fn check(&self, method: &dyn Continuous) -> Result<bool, String> {
        let [a, b] = self.moving();
        let ask = |a: &Moving<'_>, b: &Moving<'_>| {
            method.first_contact(a, b, &Control::NONE).map_err(|error| error.to_string())
        };
        let (found, swapped) = (ask(&a, &b)?, ask(&b, &a)?);
        self.agrees(found)?;
        match (found.map(|x| x.time), swapped.map(|x| x.time)) {
            (None, None) => {}
            (Some(x), Some(y)) if x.low <= y.high && y.low <= x.high => {}
            (x, y) => return Err(format!("{x:?}, and {y:?} of (B, A)")),
        }
        Ok(found.is_some())
    }

    /// What is said to touch, at a time: corners of A and of B, the last one repeated.
    fn parts(
        &self,
        triangles: Contact,
        features: Features,
        time: f64,
    ) -> Result<[[Point; 3]; 2], String> {
        let part = |body: usize, triangle: u32, named: &[u32]| {
            let corners = self.meshes[body].triangles()[triangle as usize];
            let named = if named.is_empty() { &corners } else { named };
            if let Some(vertex) = named.iter().find(|vertex| !corners.contains(vertex)) {
                return Err(format!("{features:?}: vertex {vertex} is not of {triangle}"));
            }
            Ok([0, 1, 2].map(|k| self.place(body, named[k.min(named.len() - 1)], time)))
        };
        let (of_a, of_b) = match &features {
            Features::Start => (&[][..], &[][..]),
            Features::VertexOfA(vertex) => (std::slice::from_ref(vertex), &[][..]),
            Features::VertexOfB(vertex) => (&[][..], std::slice::from_ref(vertex)),
            Features::Edges(e, f) => (&e[..], &f[..]),
        };
        Ok([part(0, triangles.a, of_a)?, part(1, triangles.b, of_b)?])
    }

    /// Compares one answer with the oracle.
    fn agrees(&self, found: Option<Impact>) -> Result<(), String> {
        let times = (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
        let known = times.into_iter().find(|&time| self.meet(time));
        let Some(Impact { time, triangles, features }) = found else {
            return known.map_or(Ok(()), |time| Err(format!("missed what meets at {time}")));
        };
        if !(0.0 <= time.low && time.low <= time.high && time.high <= 1.0) {
            return Err(format!("{time:?}"));
        }
        if time.high - time.low > WIDTH {
            return Err(format!("{time:?} is too wide"));
        }
        if let Some(known) = known.filter(|&known| known < time.low) {
            return Err(format!("{time:?}, and something meets at {known}"));
        }
        if (features == Features::Start) != self.meet(0.0) {
            return Err(format!("{features:?} at {time:?}"));
        }
        let [p, q] = self.parts(triangles, features, time.low)?;
        let apart = oracle::distance(&p, &q);
        // Places at other times are rounded: 2⁻⁴⁸ of coordinates up to some hundred.
        let allowed = self.speed * WIDTH + 1e-11;
        if apart > allowed {
            return Err(format!("{apart:e} apart at {time:?}"));
        }
        Ok(())
    }
}
