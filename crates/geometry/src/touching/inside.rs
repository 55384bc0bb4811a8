//! Whether a component that shares no segment with a solid is inside it.

use crate::exact::{Crossing, crossing, point_on_triangle, within};
use crate::volume::Aabb;
use crate::{Point, Triangle};

use super::Undecided;
use super::solid::{Body, Solid};

/// Points of a component that are tried.
const TRIED: usize = 32;

/// A component of a surface.
pub(super) struct Component {
    number: u32,
    /// Its first triangle, and its first triangle in no contact.
    pub(super) first: u32,
    free: Option<u32>,
    pub(super) bounds: Aabb,
}

impl Component {
    /// The components of `solid` in order. `in_contact` has one entry per triangle, or none.
    pub(super) fn all(solid: &Solid<'_>, in_contact: &[bool]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (t, corners) in (0..).zip(solid.mesh.corners()) {
            let number = solid.component(t);
            let bounds = Aabb::of_triangle(&corners);
            let is_free = !in_contact.get(t as usize).copied().unwrap_or(false);
            if let Some(known) = all.get_mut(number as usize) {
                known.bounds = known.bounds.merged(&bounds);
                known.free = known.free.or(is_free.then_some(t));
            } else {
                // Components are numbered in the order of their first triangles.
                all.push(Self { number, first: t, free: is_free.then_some(t), bounds });
            }
        }
        all
    }

    /// Some corners of its triangles.
    pub(super) fn vertices<'s>(&'s self, solid: &'s Solid<'_>) -> impl Iterator<Item = Point> + 's {
        self.triangles(solid).flat_map(|(_, t)| t).take(TRIED)
    }

    fn triangles<'s>(&'s self, solid: &'s Solid<'_>) -> impl Iterator<Item = (u32, Triangle)> + 's {
        let own = move |&(t, _): &(u32, Triangle)| solid.component(t) == self.number;
        (0..).zip(solid.mesh.corners()).filter(own)
    }

    /// Whether the component, of `own`, is inside `body` of `other`. They share single points at
    /// most.
    ///
    /// # Errors
    /// [`Undecided::Crowded`].
    pub(super) fn is_inside(
        &self,
        own: &Solid<'_>,
        body: &Body,
        other: &Solid<'_>,
    ) -> Result<bool, Undecided> {
        let of_body = || {
            let all = (0..).zip(other.mesh.corners());
            all.filter(|&(t, _)| other.body(t) == body.number).map(|(_, t)| t)
        };
        let corner = self.free.map(|t| own.mesh.triangle(t)[0]);
        for p in corner.into_iter().chain(self.vertices(own)) {
            if let Some(winding) = winding(of_body(), &p) {
                return Ok(winding != 0);
            }
        }
        // All corners touch. The middle of a side is not a floating-point number, but what is
        // nearer to its rounded value than the rounding is on the same side of the other surface,
        // unless that is as near.
        for (p, slack) in self.triangles(own).flat_map(|(_, t)| middles(&t)).take(TRIED) {
            let near = |t: Triangle| within(&[p, p, p], &t, slack);
            if !of_body().any(near) {
                return Ok(winding(of_body(), &p).is_some_and(|winding| winding != 0));
            }
        }
        Err(Undecided::Crowded { mesh: own.number, triangle: self.first })
    }
}

/// The middles of a triangle's sides, rounded, and how far off they may be.
pub(super) fn middles(t: &Triangle) -> [(Point, f64); 3] {
    [0, 1, 2].map(|k| {
        let (u, v) = (t[k], t[(k + 1) % 3]);
        let middle = Point::from((u.coords + v.coords) * 0.5);
        if (0..3).all(|i| is_middle(u[i], v[i], middle[i])) {
            return (middle, 0.0);
        }
        // A sum and its half are off by at most 2⁻⁵³ of the largest sum and by 2⁻¹⁰⁷⁵.
        let largest = u.coords.amax().max(v.coords.amax());
        (middle, largest * 4.0 * f64::EPSILON + f64::from_bits(8))
    })
}

/// Whether `m` is exactly halfway between `a` and `b`.
pub(super) fn is_middle(a: f64, b: f64, m: f64) -> bool {
    let sum = a + b;
    // What the sum has lost, exactly.
    let of_b = sum - a;
    let lost = (a - (sum - of_b)) + (b - of_b);
    lost == 0.0 && m + m == sum
}

/// The winding number of a closed surface about `p`; `None` on the surface. Exact. O(n).
pub(super) fn winding(surface: impl Iterator<Item = Triangle>, p: &Point) -> Option<i32> {
    let mut sum = 0;
    for t in surface {
        if Aabb::of_triangle(&t).contains(p) && point_on_triangle(p, &t) {
            return None;
        }
        match crossing(&t, p) {
            Crossing::On => return None,
            Crossing::Adds(n) => sum += n,
        }
    }
    Some(sum)
}
