//! Witnesses that two solids overlap, and for which translations.
//!
//! **Lemma.** Let a point `x` be in the solid A, no nearer to its surface than `r`, and in the solid B
//! moved by `v`, no nearer to its surface than `s`. Then A and B moved by `w` overlap for all `w` with
//! `|w − v| ≤ r + s`.
//!
//! *Proof.* Let `d = w − v` and `λ = r / (r + s)`. The point `x + λ d` is within `r` of `x`, so in A. It
//! is within `s` of `x + d`, which is as deep in B moved by `w` as `x` is in B moved by `v`, so it is in
//! B moved by `w`. ∎ A radius of 0 is allowed: a vertex of A is a point of A.

use impinge_geometry::{Point, Triangle, Vector, exact, triangle};
use impinge_query::Cancelled;

use super::balls::BallPair;
use super::scene::Scene;

/// All translations within `radius` of `center` leave the solids overlapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proved {
    pub(crate) center: Vector,
    pub(crate) radius: f64,
}

/// A point in both solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness {
    point: Point,
    /// Its clearance in A.
    in_a: f64,
    pub(crate) proved: Proved,
    /// The direction in which B leaves A there, of any length.
    pub(crate) outward: Vector,
}

impl Witness {
    /// A point in both solids after another translation, if this witness has one.
    pub(crate) fn moved(&self, v: &Vector) -> Option<Point> {
        let way = v - self.proved.center;
        let held = way.norm() < self.proved.radius;
        held.then(|| self.point + way * (self.in_a / self.proved.radius).min(1.0))
    }
}

/// Steps of an ascent at most.
const STEPS: usize = 24;
/// Meetings of triangles that a search for a witness begins from.
const MEETINGS: usize = 6;
/// Feet that an ascent remembers of each surface.
const FEET: usize = 8;

/// What is known about a point with respect to one surface.
#[derive(Clone, Copy)]
struct Depth {
    radius: f64,
    foot: Point,
}

/// One surface in an ascent: at which translation, and the nearest points that were met.
struct SideOf<'f> {
    field: &'f super::field::Field,
    shift: Vector,
    feet: Vec<Point>,
}

impl SideOf<'_> {
    fn depth(&mut self, x: &Point) -> Option<Depth> {
        let near = self.field.nearest(&(x - self.shift), f64::INFINITY)?;
        let foot = near.foot + self.shift;
        if self.feet.len() == FEET {
            self.feet.remove(0);
        }
        self.feet.push(foot);
        Some(Depth { radius: near.clearance, foot })
    }

    fn holds(&self, x: &Point) -> bool {
        self.field.holds(&(x - self.shift))
    }

    /// Directions away from the feet that are about as near as the nearest.
    fn gradients(&self, x: &Point, until: f64) -> Vec<Vector> {
        let away = self.feet.iter().map(|foot| x - foot);
        away.filter_map(|d| {
            let length = d.norm();
            (length > 0.0 && length <= until).then(|| d / length)
        })
        .collect()
    }
}

impl Scene<'_> {
    /// What two balls prove.
    pub(crate) fn of_balls(&self, pair: &BallPair) -> Proved {
        let radius = (pair.a.radius + pair.b.radius) * self.trust.radius - self.slack;
        Proved { center: pair.a.center - pair.b.center, radius }
    }

    /// A point between two balls that overlap, in both of them.
    pub(crate) fn between(pair: &BallPair, v: &Vector) -> Point {
        let way = (pair.b.center + v) - pair.a.center;
        let (r, s) = (pair.a.radius, pair.b.radius);
        let share = if r + s > 0.0 { r / (r + s) } else { 0.5 };
        pair.a.center + way * share
    }

    /// Climbs from a point to a witness with the largest sum of both clearances nearby. `enough` ends
    /// the ascent. The point must be in both solids; that it is, is proved here again unless `on` says
    /// so of a surface that it is a vertex of.
    pub(crate) fn ascend(
        &self,
        v: &Vector,
        from: Point,
        on: [bool; 2],
        enough: f64,
    ) -> Option<Witness> {
        let mut a = SideOf { field: &self.a, shift: Vector::zeros(), feet: Vec::new() };
        let mut b = SideOf { field: &self.b, shift: *v, feet: Vec::new() };
        let (p, q) = (a.depth(&from)?, b.depth(&from)?);
        let inside = (on[0] || a.holds(&from)) && (on[1] || b.holds(&from));
        if !inside {
            return None;
        }
        let (mut x, mut p, mut q) = (from, p, q);
        let mut step = 0.5 * p.radius.max(q.radius);
        for _ in 0..STEPS {
            let sum = p.radius + q.radius;
            if sum - self.slack >= enough || step <= 1e-3 * sum {
                break;
            }
            let rise =
                steepest(&a.gradients(&x, p.radius + step), &b.gradients(&x, q.radius + step));
            let slope = rise.norm();
            if slope < 0.02 {
                step *= 0.25;
                continue;
            }
            let next = x + rise * (step / slope);
            let (Some(r), Some(s)) = (a.depth(&next), b.depth(&next)) else { break };
            let better = r.radius + s.radius > sum + 0.05 * slope * step;
            if better && a.holds(&next) && b.holds(&next) {
                (x, p, q) = (next, r, s);
                step *= 1.5;
            } else {
                step *= 0.5;
            }
        }
        let outward = p.foot - q.foot;
        let radius = (p.radius + q.radius) * self.trust.radius - self.slack;
        let proved = Proved { center: *v, radius };
        (radius > 0.0).then_some(Witness { point: x, in_a: p.radius, proved, outward })
    }

    /// A witness near a place where the surfaces meet after a translation: a little below both.
    pub(crate) fn where_they_meet(
        &self,
        v: &Vector,
        enough: f64,
    ) -> Result<Option<Witness>, Cancelled> {
        let mut best: Option<Witness> = None;
        let met = self.contacts(v, 32 * MEETINGS)?.unwrap_or_default();
        // Pairs that are found one after the other are near each other.
        for pair in met.iter().step_by(met.len().div_ceil(MEETINGS).max(1)) {
            let p = self.a.triangles[pair.a as usize];
            let q = self.b.triangles[pair.b as usize].map(|x| x + v);
            let Some(met) = exact::meeting(&p, &q) else { continue };
            let inward = |t: &Triangle, body: usize| {
                triangle::unit_normal(t).unwrap_or_default() * -self.bodies[body].facing()
            };
            let down = inward(&p, 0) + inward(&q, 1);
            let points = met.points();
            let middle = points.iter().map(|x| x.coords).sum::<Vector>() / points.len() as f64;
            let mut step = 0.5 * (points[points.len() - 1] - points[0]).norm();
            for _ in 0..4 {
                let found = self.ascend(v, Point::from(middle) + down * step, [false; 2], enough);
                let more = best.map_or(0.0, |b| b.proved.radius);
                if let Some(found) = found.filter(|w| w.proved.radius > more) {
                    best = Some(found);
                    if found.proved.radius >= enough {
                        return Ok(best);
                    }
                    break;
                }
                step *= 0.25;
            }
        }
        Ok(best)
    }
}

/// The shortest sum of a point in the hull of `p` and one in the hull of `q`: the direction in which
/// the sum of two minima rises fastest. By steps towards the least corner; only the speed of an ascent
/// depends on how near it comes.
fn steepest(p: &[Vector], q: &[Vector]) -> Vector {
    let least = |all: &[Vector], d: &Vector| {
        all.iter().copied().min_by(|x, y| x.dot(d).total_cmp(&y.dot(d))).unwrap_or_default()
    };
    let mut at = p.last().copied().unwrap_or_default() + q.last().copied().unwrap_or_default();
    for _ in 0..24 {
        let corner = least(p, &at) + least(q, &at);
        let way = corner - at;
        let squared = way.norm_squared();
        let share = -at.dot(&way);
        if !(share > 1e-4 * squared) {
            break;
        }
        at += way * (share / squared).min(1.0);
    }
    at
}
