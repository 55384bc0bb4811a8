//! Both meshes of a question in one frame, and the exact test at a translation of B.

use std::borrow::Cow;

use impinge_geometry::{Point, Pose, Vector, exact};
use impinge_hierarchy::Child;
use impinge_hierarchy::traverse::Poll;
use impinge_query::{Cancelled, Contact, Control, Meaning};

use super::balls::Balls;
use super::body::PenetrationBody;
use super::field::Field;

/// A length that covers the rounding of every bound, relative to the largest coordinate of a question:
/// 2⁻⁴⁴. See `docs/penetration.md`, "Error bound".
pub(crate) const SLACK: f64 = 1.0 / (1u64 << 44) as f64;
/// Sizes at which no scaling is needed: fourth powers stay in the range of f64.
const DIRECT: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// Two meshes, B at its pose. Lengths and translations here are the user's times [`scale`](Self::scale).
pub(crate) struct Scene<'q> {
    pub(crate) bodies: [&'q PenetrationBody; 2],
    pub(crate) pose: &'q Pose,
    pub(crate) a: Cow<'q, Field>,
    pub(crate) b: Field,
    /// Balls inside both solids; without any if a surface is not closed.
    pub(crate) balls_a: Cow<'q, Balls>,
    pub(crate) balls_b: Balls,
    pub(crate) meaning: Meaning,
    pub(crate) scale: f64,
    /// The rounding of every bound; translations are at most as long as the boxes of both bodies.
    pub(crate) slack: f64,
    /// Faults, in tests alone, which must notice.
    pub(crate) trust: Trust,
    pub(crate) control: &'q Control<'q>,
}

/// A factor on the radius of what a witness proves, and how many of the eight parts of a cube are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trust {
    pub(crate) radius: f64,
    pub(crate) parts: usize,
}

impl<'q> Scene<'q> {
    pub(crate) fn new(
        bodies: [&'q PenetrationBody; 2],
        pose: &'q Pose,
        meaning: Meaning,
        control: &'q Control<'q>,
    ) -> Result<Self, Cancelled> {
        let [a, b] = bodies;
        let b_field = b.field.posed(b.mesh(), pose, 1.0);
        let size = a.field.reach().max(b_field.reach());
        let scale =
            if size == 0.0 || DIRECT.contains(&size) { 1.0 } else { power_below_inverse(size) };
        let (a_field, b_field) = if scale == 1.0 {
            (Cow::Borrowed(&a.field), b_field)
        } else {
            let a_field = a.field.moved(a.mesh(), |p| p * scale);
            (Cow::Owned(a_field), b.field.posed(b.mesh(), pose, scale))
        };
        control.check()?;
        let coordinates = a_field.reach() + b_field.reach() + b.field.reach() * scale;
        let slack = SLACK * coordinates + f64::MIN_POSITIVE;
        let (own_a, own_b) = (a.balls(control)?, b.balls(control)?);
        let balls_a = if scale == 1.0 {
            Cow::Borrowed(own_a)
        } else {
            Cow::Owned(own_a.moved(|p| p * scale, scale, slack))
        };
        let balls_b = own_b.moved(|p| pose.apply(p) * scale, scale, slack);
        Ok(Self {
            bodies,
            pose,
            a: a_field,
            b: b_field,
            balls_a,
            balls_b,
            meaning,
            scale,
            slack,
            trust: Trust { radius: 1.0, parts: 8 },
            control,
        })
    }

    /// By how much a point of the hull of either body moves at most if the hull is shrunk towards the
    /// centre of the largest ball in the body until all of it is deeper below the hull's surface than
    /// `depth`; the sum for both bodies. `None` if a body has no such ball.
    pub(crate) fn shrunk(&self, depth: f64) -> Option<f64> {
        let of = |field: &Field, balls: &Balls| {
            let radius = balls.largest()?.radius;
            (depth < radius).then(|| field.bounds().extent().norm() * (depth / radius))
        };
        Some(of(&self.a, &self.balls_a)? + of(&self.b, &self.balls_b)?)
    }

    /// A vertex of a body where the question has it.
    pub(crate) fn vertex(&self, body: usize, v: u32) -> Point {
        let p = self.bodies[body].mesh().vertices()[v as usize];
        if body == 0 { p * self.scale } else { self.pose.apply(&p) * self.scale }
    }

    /// The pose of B moved by a translation, rounded as a caller would; `None` out of range.
    pub(crate) fn pose_at(&self, v: &Vector) -> Option<Pose> {
        Pose::new(*self.pose.rotation(), self.pose.translation() + v / self.scale).ok()
    }

    /// Up to `most` pairs of triangles that share a point after a translation. Exact.
    pub(crate) fn contacts(
        &self,
        v: &Vector,
        most: usize,
    ) -> Result<Option<Vec<Contact>>, Cancelled> {
        let Some(pose) = self.pose_at(v) else { return Ok(None) };
        let (mesh_a, mesh_b) = (self.bodies[0].mesh(), self.bodies[1].mesh());
        let mut found = Vec::new();
        let mut open = vec![[0u32, 0]];
        let mut poll = Poll::new();
        while let Some([p, q]) = open.pop() {
            poll.poll(self.control)?;
            let (around_a, around_b) = (&self.a.boxes[p as usize], &self.b.boxes[q as usize]);
            if around_a.gap(around_b, v).amax() > self.slack {
                continue;
            }
            match (self.a.children[p as usize], self.b.children[q as usize]) {
                (Child::Leaf(i), Child::Leaf(j)) => {
                    let moved = mesh_b.triangle(j).map(|x| pose.apply(&x));
                    if exact::triangles_meet(&mesh_a.triangle(i), &moved) {
                        found.push(Contact { a: i, b: j });
                        if found.len() == most {
                            break;
                        }
                    }
                }
                (Child::Pair(first), Child::Leaf(_)) => open.extend([[first, q], [first + 1, q]]),
                (Child::Leaf(_), Child::Pair(first)) => open.extend([[p, first], [p, first + 1]]),
                (Child::Pair(of_a), Child::Pair(of_b)) => {
                    if around_a.extent().amax() >= around_b.extent().amax() {
                        open.extend([[of_a, q], [of_a + 1, q]]);
                    } else {
                        open.extend([[p, of_b], [p, of_b + 1]]);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Whether B is apart from A after a translation, by the exact test.
    pub(crate) fn apart(&self, v: &Vector) -> Result<bool, Cancelled> {
        let apart = self.contacts(v, 1)?.is_some_and(|found| found.is_empty());
        Ok(apart && (self.meaning == Meaning::Surfaces || !self.nested(v)))
    }

    /// Whether a component of one surface is inside the other, after a translation for which the
    /// surfaces are apart. Exact.
    fn nested(&self, v: &Vector) -> bool {
        let Some(pose) = self.pose_at(v) else { return true };
        let [a, b] = self.bodies;
        a.representatives().any(|p| self.in_b(&pose, v, &p))
            || b.representatives().any(|p| a.field.holds(&pose.apply(&p)))
    }

    /// Whether the winding number of B at a pose, which moves it by `v`, about a point of A is not zero;
    /// a point on its surface counts as inside. Exact: boxes are left out with a margin.
    fn in_b(&self, pose: &Pose, v: &Vector, x: &Point) -> bool {
        let at = x * self.scale - v;
        let mut winding = 0;
        let mut open = vec![0u32];
        while let Some(node) = open.pop() {
            let around = &self.b.boxes[node as usize];
            let beside = |k: usize| {
                at[k] < around.low[k] - self.slack || at[k] > around.high[k] + self.slack
            };
            if beside(0) || beside(1) || at.z > around.high.z + self.slack {
                continue;
            }
            match self.b.children[node as usize] {
                Child::Pair(first) => open.extend([first, first + 1]),
                Child::Leaf(t) => {
                    let t = self.bodies[1].mesh().triangle(t).map(|x| pose.apply(&x));
                    match exact::crossing(&t, x) {
                        exact::Crossing::On => return true,
                        exact::Crossing::Adds(n) => winding += n,
                    }
                }
            }
        }
        winding != 0
    }
}

/// A power of two that brings a positive length to at least a quarter and at most 1.
fn power_below_inverse(size: f64) -> f64 {
    let exponent = size.log2().ceil() as i32;
    // In two steps: the power may be beyond the range of f64.
    2f64.powi(-exponent.clamp(-1000, 1000))
}
