//! How deep two convex solids are in each other, by an expanding polytope, with proofs.
//!
//! Sources: G. van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game
//! Objects, Game Developers Conference 2001 (expanding polytope). What is proved, and how, is ours.
//!
//! Moving B by `t` parts the solids once `t` is not in `A − B`; so the least translation is the
//! distance of the origin from the boundary of `A − B`. Steps:
//! 1. Take the farthest points of `A − B` along the six axes, and make a tetrahedron of four points.
//! 2. Take the face whose plane is lowest over the origin, `n` its normal. The farthest point `w`
//!    along `n` bounds the depth from above: B moved by `n · w` along `n` touches A at most.
//! 3. If `n · w < 0` by more than rounding, the solids are apart. Stop.
//! 4. Stop if `w` is not beyond the face by more than the tolerance, or after [`MAX_POINTS`].
//!    Otherwise take in `w` and go to 2.
//!
//! **What is certain.** Points `w` are off by at most ε in each coordinate: what the solids'
//! points are off ([`Solid::off`]) and one rounding. If the ball of radius `√3 ε` about the origin is
//! in a tetrahedron of four such points, the exact points have the origin in their tetrahedron: a
//! plane through the origin with all of these on one side would have the others at most `√3 ε` beyond
//! it. So the solids share a point. Neither proof depends on the faces of the polytope.

use super::polytope::Polytope;
use super::{Corner, Solid, lower_bound};
use crate::volume::{UNIT, power_below_inverse};
use crate::{Point, Vector};

/// The most points of a polytope. A body of few faces takes some 10, curved ones 20 to 100.
pub const MAX_POINTS: usize = 256;

/// Heights that differ by less, in shares of the largest coordinate, are taken for equal; by a thousandth
/// of it while nothing is proved.
const TOLERANCE: f64 = 1e-10;

/// What is proved of two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// They share a point.
    Meet,
    /// They share none.
    Apart,
    /// Nothing: rounding hides it.
    Nothing,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// What is proved.
    pub proved: Proved,
    /// At least the length of the least translation of B that parts them, but for rounding, and hardly
    /// more: that far along [`Overlap::direction`] they touch at most. Of curved solids whose middles are
    /// so near that most directions are equally good, up to 1e-5 more. Negative if they are apart.
    pub depth: f64,
    /// The unit vector along which B leaves A.
    pub direction: Vector,
    /// A point of A that is deepest in B, or nearly.
    pub on_a: Point,
    /// The point of B that is as deep in A there: it goes to the other one.
    pub on_b: Point,
}

/// How deep A and B are in each other. Takes at most [`MAX_POINTS`] pairs of support points, O(n²)
/// operations. Coordinates may have any magnitude up to
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE).
///
/// ```
/// use impinge_geometry::curved::Curved;
/// use impinge_geometry::gjk::{Proved, overlap};
/// use impinge_geometry::{Pose, Vector};
/// let ball = Curved::Ellipsoid { radii: [1.0; 3] };
/// let pose = Pose::translation_by(Vector::new(0.0, 0.0, 1.5)).expect("a pose");
/// let found = overlap(&mut ball.at_rest(), &mut ball.posed(&pose));
/// assert_eq!(found.proved, Proved::Meet);
/// assert!((found.depth - 0.5).abs() < 1e-9 && (found.direction - Vector::z()).norm() < 1e-4);
/// ```
pub fn overlap(a: &mut impl Solid, b: &mut impl Solid) -> Overlap {
    let mut run = Run::new(a, b);
    if let Some(mut polytope) = run.start() {
        run.expand(&mut polytope, false);
        run.touch(&polytope);
    }
    run.best
}

/// Whether A and B share a point: [`Overlap::proved`] of [`overlap`], without the steps after a proof.
pub fn meet(a: &mut impl Solid, b: &mut impl Solid) -> Proved {
    let mut run = Run::new(a, b);
    if let Some(mut polytope) = run.start() {
        run.expand(&mut polytope, true);
    }
    run.best.proved
}

struct Run<'r, A, B> {
    a: &'r mut A,
    b: &'r mut B,
    excess: f64,
    /// Coordinates times this are at most about 2; a power of two.
    scale: f64,
    /// What scaled points are off, in each coordinate.
    off: f64,
    best: Overlap,
}

impl<'r, A: Solid, B: Solid> Run<'r, A, B> {
    fn new(a: &'r mut A, b: &'r mut B) -> Self {
        let excess = a.excess() + b.excess();
        let zero = Point::origin();
        let best = Overlap {
            proved: Proved::Nothing,
            depth: f64::INFINITY,
            direction: Vector::z(),
            on_a: zero,
            on_b: zero,
        };
        Self { a, b, excess, scale: 1.0, off: 0.0, best }
    }

    /// The farthest point along a unit vector, not scaled, and its height. Keeps what it proves.
    fn farthest(&mut self, d: &Vector) -> (Corner, f64) {
        let along = d * power_below_inverse(d.amax());
        let (p, q) = (self.a.farthest(&along), self.b.farthest(&-along));
        let w = p.point - q.point;
        let height = d.dot(&w);
        if lower_bound(&along, &w, self.excess) > 0.0 {
            self.best.proved = Proved::Apart;
        }
        if height < self.best.depth {
            (self.best.depth, self.best.direction) = (height, *d);
            (self.best.on_a, self.best.on_b) = (p.point, q.point);
        }
        let (on_a, on_b) = (p.point.coords, q.point.coords);
        (Corner { a: p.index, b: q.index, weight: 1.0, on_a, on_b, w }, height)
    }

    /// The same point, scaled.
    fn scaled(&mut self, d: &Vector) -> Corner {
        let mut corner = self.farthest(d).0;
        corner.w *= self.scale;
        corner
    }

    /// A tetrahedron of farthest points; `None` if they are flat up to rounding, or known to be apart.
    fn start(&mut self) -> Option<Polytope> {
        let axes = [Vector::x(), Vector::y(), Vector::z()];
        let mut six = axes.map(|d| [d, -d]).map(|both| both.map(|d| self.farthest(&d).0));
        let six = six.as_flattened_mut();
        let largest = six.iter().fold(0.0f64, |m, corner| m.max(corner.w.amax()));
        self.scale = power_below_inverse(largest);
        for corner in six.iter_mut() {
            corner.w *= self.scale;
        }
        self.off = (self.a.off() + self.b.off()) * self.scale + 4.0 * UNIT;
        if self.best.proved == Proved::Apart {
            return None;
        }
        let far = |from: &dyn Fn(&Corner) -> f64| {
            six.iter().copied().max_by(|p, q| from(p).total_cmp(&from(q)))
        };
        let p = six[0];
        let q = far(&|corner| (corner.w - p.w).norm())?;
        let r = far(&|corner| (corner.w - p.w).cross(&(q.w - p.w)).norm())?;
        let normal = (q.w - p.w).cross(&(r.w - p.w)).try_normalize(0.0)?;
        let ends = [normal, -normal].map(|d| self.scaled(&d));
        let height = |corner: &Corner| normal.dot(&(corner.w - p.w)).abs();
        let s = if height(&ends[0]) > height(&ends[1]) { ends[0] } else { ends[1] };
        Polytope::new(&[p, q, r, s])
    }

    /// Steps 2 to 4; not beyond a proof, if that suffices.
    fn expand(&mut self, polytope: &mut Polytope, proof_suffices: bool) {
        while polytope.points.len() < MAX_POINTS && self.best.proved != Proved::Apart {
            let lowest = polytope.lowest();
            let face = polytope.faces[lowest];
            let unproved = self.best.proved == Proved::Nothing;
            if unproved && face.height > 0.0 && self.surrounds(polytope) {
                self.best.proved = Proved::Meet;
            }
            if proof_suffices && self.best.proved == Proved::Meet {
                break;
            }
            let (mut corner, height) = self.farthest(&face.normal);
            corner.w *= self.scale;
            let tolerance = if unproved { 1e-3 * TOLERANCE } else { TOLERANCE };
            let beyond = height * self.scale - face.height;
            if !(beyond > tolerance) {
                // Of equally good directions the one that `touch` looks along.
                (self.best.depth, self.best.direction) = (height, face.normal);
                break;
            }
            if !polytope.grow(corner, lowest) {
                break;
            }
        }
    }

    /// The points of both solids over the foot of the origin: on that of the lowest faces, which may be
    /// parts of one, that has it.
    fn touch(&mut self, polytope: &Polytope) {
        let Some(lowest) = polytope.faces.get(polytope.lowest()) else { return };
        let level = lowest.height + TOLERANCE;
        let near = polytope.faces.iter().filter(|face| face.height <= level);
        let shares = near.map(|face| (face, polytope.shares(face)));
        let least = |shares: &[f64; 3]| shares.iter().fold(f64::INFINITY, |m, x| m.min(*x));
        let best = shares.max_by(|p, q| least(&p.1).total_cmp(&least(&q.1)));
        let Some((face, shares)) = best else { return };
        if least(&shares) > -1e-6 {
            let mean = |of: fn(&Corner) -> Vector| {
                let corners = face.corners.map(|k| of(&polytope.points[usize::from(k)]));
                let parts = corners.iter().zip(shares);
                Point::from(parts.fold(Vector::zeros(), |mean, (p, share)| mean + p * share))
            };
            (self.best.on_a, self.best.on_b) = (mean(|c| c.on_a), mean(|c| c.on_b));
        } else {
            // Not found, for rounding: the farthest point, and where it goes.
            self.best.on_b = self.best.on_a - self.best.direction * self.best.depth;
        }
    }

    /// Whether a tetrahedron of a corner and a face proves that the exact points surround the origin.
    /// The newest corners are tried first.
    fn surrounds(&self, polytope: &Polytope) -> bool {
        let points = &polytope.points;
        points.iter().rev().take(4).chain(points.iter().take(4)).any(|apex| {
            polytope.faces.iter().any(|face| {
                let [p, q, r] = face.corners.map(|k| points[usize::from(k)].w);
                has_ball([apex.w, p, q, r], self.off)
            })
        })
    }
}

/// Whether the ball of radius `√3 off` about the origin is certainly in a tetrahedron whose
/// coordinates are at most 2.
///
/// Differences of corners are off by u of themselves, so a component of the product of two sides is
/// off by at most 4 u of the product of their lengths; the height times the product's length by 24 u
/// of it for that, and 14 u for the products and sums of its own: 38 u, enlarged to 64 u.
fn has_ball(y: [Vector; 4], off: f64) -> bool {
    let faces = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let mut sides = [0.0; 4];
    for (side, [i, j, k]) in sides.iter_mut().zip(faces) {
        let (e, f) = (y[j] - y[i], y[k] - y[i]);
        let normal = e.cross(&f);
        let over = normal.dot(&y[i]);
        let room =
            1.8 * off * normal.norm() + 64.0 * UNIT * e.norm() * f.norm() + f64::MIN_POSITIVE;
        *side = if over > room {
            1.0
        } else if over < -room {
            -1.0
        } else {
            return false;
        };
    }
    sides.iter().all(|side| *side == sides[0])
}
