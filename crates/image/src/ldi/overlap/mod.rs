//! The overlap of two solids in layered depth images: contact pixels, volume and depth along three
//! directions, each with a proved bound on its error.
//!
//! 1. The region is the intersection of the boxes around A and around posed B; it holds the overlap.
//! 2. For each axis, draw all triangles that are over the region, in front of it and behind it too:
//!    cut sideways only, or layers would not pair.
//! 3. In each pixel, pair the crossings at its middle into intervals, by the winding number.
//! 4. Add up the lengths of the common intervals, and from the ranges of depth the least and the
//!    greatest that they can be anywhere in the pixel.

mod image;
mod pixel;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Pose};
use impinge_query::{
    Answer, Ask, Backend, Contact, Control, Engine, MeshModel, Query, QueryError, Side,
};

use self::image::{Image, Seen, Sums};
use super::drawer::{Drawer, failed};
use super::engine::Ldi;
use super::frame::Frame;
use super::guide::{gather, reach};
use super::model::LdiModel;
use super::watch::Watch;
use crate::backend::DrawError;
use impinge_query::lists::{Bounded, bounds};

/// Relative bound on the rounding of sums over up to 2²⁴ pixels of 2¹⁶ layers in 64 bits.
const ROUNDING: f64 = 1.0 / (1u64 << 28) as f64;

/// Added to what is scaled: a number below the normal ones is rounded by up to the least number.
const LEAST: f64 = f64::MIN_POSITIVE * f64::EPSILON * 4.0;

/// What to report of an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapOptions {
    /// The most pixels along the longer side of each image, clamped to 1 … 4096. Errors are proportional to
    /// the side of a pixel, and time to their number.
    pub resolution: u32,
    /// Most contacts to report; they are counted all the same.
    pub contacts: usize,
    /// Most intervals of contact pixels to report for each direction.
    pub intervals: usize,
}

impl Default for OverlapOptions {
    /// 512 pixels a side, 2²⁰ contacts, no intervals.
    fn default() -> Self {
        Self { resolution: 512, contacts: 1 << 20, intervals: 0 }
    }
}

/// A number and a bound on its error: the truth is from `value - error` to `value + error`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// How far the truth may be from it.
    pub error: f64,
}

impl Estimate {
    fn scaled(self, by: impl Fn(f64) -> f64) -> Self {
        let rounded = if self.error > 0.0 { LEAST } else { 0.0 };
        Self { value: by(self.value), error: by(self.error) + rounded }
    }

    /// An estimate with a truth between two numbers, each rounded.
    fn between(value: f64, [least, most]: [f64; 2]) -> Self {
        let error = (most - value).max(value - least).max(0.0);
        Self { value, error: error + ROUNDING * most }
    }
}

/// A common interval of both solids on the line through the middle of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactInterval {
    /// Its end with the lesser coordinate, in A's frame.
    pub from: Point,
    /// Its other end, along the direction.
    pub to: Point,
}

/// What the image along one axis of A's frame shows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Direction {
    /// The axis: 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Columns and rows of the image.
    pub size: [u32; 2],
    /// Side of a pixel, in the unit of the meshes.
    pub pixel: f64,
    /// Volume of the overlap, in that unit cubed. Infinite or 0 if that leaves the range of numbers.
    pub volume: Estimate,
    /// The same as a share of [`Overlap::region`].
    pub share: Estimate,
    /// Length of the longest segment along the axis inside both solids. It is not the length of the
    /// translation that separates them, and of bodies that are not convex no bound on it either.
    pub depth: Estimate,
    /// Pixels where an interval of A meets one of B, at their middle.
    pub contact_pixels: u64,
    /// Pixels where the line through the middle does not leave A, or B, as often as it enters it: a
    /// fault of the mesh. Nothing else but `layers` counts them.
    pub unpaired: [u64; 2],
    /// Most layers of A, and of B, in a pixel.
    pub layers: [u32; 2],
    /// Windows drawn one after the other, because all layers at once would take too much memory.
    pub passes: u32,
    /// Intervals of contact pixels, as far as wanted.
    pub intervals: Vec<ContactInterval>,
}

/// The overlap of two solids: inside both, by winding number. See [`Ldi::overlap`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// Pairs of triangles that meet, exactly, in ascending order, as far as wanted.
    pub contacts: Vec<Contact>,
    /// How many pairs meet.
    pub contacts_found: u64,
    /// Whether A's surface, and B's, is closed. If one is not, it has no inside: then volumes and
    /// depths are those of the pixels that pair, and their errors bound nothing.
    pub closed: [bool; 2],
    /// The intersection of the boxes around both meshes, in A's frame; it holds the overlap. Without
    /// one, the solids are apart.
    pub region: Option<Aabb>,
    /// What is seen along x, y and z; nothing without a region, or if that has no volume.
    pub directions: Vec<Direction>,
    /// What sampled the middles of pixels. Bounds and contacts are always those of the processor.
    pub backend: Backend,
    /// Submissions to an adapter.
    pub submissions: u64,
}

impl Overlap {
    /// The volume, from all directions: the middle of what they have in common. 0 if there are none.
    pub fn volume(&self) -> Estimate {
        common(self.directions.iter().map(|direction| direction.volume))
    }

    /// The volume as a share of the region, in the same way.
    pub fn share(&self) -> Estimate {
        common(self.directions.iter().map(|direction| direction.share))
    }

    /// Whether the directions agree: all truths that they allow have one in common. True of closed
    /// meshes.
    pub fn agrees(&self) -> bool {
        let bounds = self.directions.iter().map(|d| (d.share.value, d.share.error));
        let least =
            bounds.clone().fold(f64::NEG_INFINITY, |m, (value, error)| m.max(value - error));
        let most = bounds.fold(f64::INFINITY, |m, (value, error)| m.min(value + error));
        least <= most
    }
}

/// The product of all, from 0 up. It leaves the range of numbers only if the true product does, and
/// below the normal numbers it is rounded once.
fn product(all: [f64; 4]) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let (mut product, mut exponent) = (1.0, 0);
    for x in all {
        if x == 0.0 || !x.is_finite() {
            return x;
        }
        // A number below the normal ones has no exponent of its own.
        let (x, by) = if x.is_normal() { (x, 0) } else { (x * (1u64 << 60) as f64, 60) };
        let bits = x.to_bits();
        exponent += (bits >> BITS) as i32 - (f64::MAX_EXP - 1) - by;
        product *= f64::from_bits((bits & ((1 << BITS) - 1)) | 1.0_f64.to_bits());
    }
    let half = exponent / 2;
    product * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half)
}

/// The intersection of all; if there is none, what lies between them.
fn common(mut all: impl Iterator<Item = Estimate>) -> Estimate {
    let bounds = |e: Estimate| [e.value - e.error, e.value + e.error];
    let Some(first) = all.next() else { return Estimate::default() };
    let [least, most] = all
        .map(bounds)
        .fold(bounds(first), |[least, most], [low, high]| [least.max(low), most.min(high)]);
    if !most.is_finite() {
        return Estimate { value: f64::INFINITY, error: f64::INFINITY };
    }
    let least = least.max(0.0);
    Estimate { value: f64::midpoint(least, most), error: (most - least).abs() / 2.0 }
}

impl Ldi {
    /// Measures the overlap of two solids, B placed by `pose` in A's frame. The contacts are exact;
    /// volume and depth have proved bounds, if both meshes are closed.
    ///
    /// Time is linear in the triangles over the region and in the pixels that they cover.
    ///
    /// # Errors
    /// [`QueryError`]: a pose that leaves the range of coordinates, or cancellation.
    pub fn overlap(
        &self,
        a: &LdiModel,
        b: &LdiModel,
        pose: &Pose,
        options: &OverlapOptions,
        control: &Control<'_>,
    ) -> Result<Overlap, QueryError> {
        let ask = Ask::all_contacts().capped(options.contacts);
        let (mut memory, mut answer) = (Engine::memory(self), Answer::default());
        self.query(a, b, pose, &mut memory, &ask, control, &mut answer)?;
        let query = Query { a, b, pose, ask: &ask, control };
        let (contacts, contacts_found) = (answer.contacts, answer.contacts_found);
        let closed = |side, model: &LdiModel| match model.subject().check_closed(side, control) {
            Err(QueryError::NotClosed { .. }) => Ok(false),
            looked => looked.map(|()| true),
        };
        let closed = [closed(Side::A, a)?, closed(Side::B, b)?];
        let overlap = Overlap { contacts, contacts_found, closed, ..Overlap::default() };
        let mut watch = Watch::new(control);
        let [all_a, all_b] = [a.around(), &b.around().posed(pose)].map(|around| *around);
        let [mut of_a, mut of_b] = [Vec::new(), Vec::new()];
        let count = |side| 0..query.subject(side).mesh().triangles().len() as u32;
        gather(&mut of_a, count(Side::A).map(|t| (t, a.mesh().triangle(t))), &all_a, &mut watch)?;
        gather(&mut of_b, count(Side::B).map(|t| (t, query.posed(t))), &all_b, &mut watch)?;
        measured((overlap, &self.drawer), [&of_a, &of_b], options, &mut watch).map_err(failed)
    }
}

/// Adds the directions.
fn measured(
    (mut overlap, drawer): (Overlap, &Drawer),
    all: [&[Bounded]; 2],
    options: &OverlapOptions,
    watch: &mut Watch<'_>,
) -> Result<Overlap, DrawError> {
    let around = |all: &[Bounded]| bounds(all).map(|(min, max)| Aabb { min, max });
    watch.look()?;
    let around_a = around(all[0]);
    watch.look()?;
    let region = around_a.zip(around(all[1]));
    watch.look()?;
    let Some(region) = region.and_then(|(a, b)| a.intersection(&b)) else { return Ok(overlap) };
    overlap.region = Some(region);
    if (0..3).any(|k| region.min[k] >= region.max[k]) {
        return Ok(overlap);
    }
    let most = options.resolution.clamp(1, 4096);
    let reach = reach(&region, all, watch)?;
    for axis in 0..3 {
        let frame = Frame::new(&region, axis, most, reach);
        let image = Image::new((frame, drawer), &region, all, options.intervals);
        let sums = image.sums(watch)?;
        // The first reason to work in software stays.
        if !matches!(overlap.backend, Backend::Software(_)) {
            overlap.backend.clone_from(&sums.backend);
        }
        overlap.submissions += sums.submissions;
        overlap.directions.push(direction(axis, &frame, &region, sums));
    }
    Ok(overlap)
}

/// What an image shows, in the unit of the meshes.
fn direction(axis: usize, frame: &Frame, region: &Aabb, sums: Sums) -> Direction {
    let Sums { lengths, contact_pixels, unpaired, layers, passes, seen, .. } = sums;
    let extent = region.max - region.min;
    let [u, v, w] = [0, 1, 2].map(|k| extent[k]);
    let sides = [u, v, w].map(|side| side * frame.scale);
    // Step by step, since the product of the sides may leave the range of numbers. An image is a
    // little larger than the region, so a sum may exceed it.
    let part = |sum: f64| sides.iter().fold(sum, |part, side| part / side).min(1.0);
    // A side below the normal numbers of pixels is known too roughly to divide by.
    let share = if sides.iter().all(|side| side.is_normal()) {
        let [least, most] = [lengths.least, lengths.most].map(|of| part(of[0]));
        Estimate::between(part(lengths.sampled), [least, most])
    } else {
        Estimate::between(0.0, [0.0, 1.0])
    };
    let depth = Estimate::between(lengths.longest, [lengths.least[1], lengths.most[1]]);
    let end = |seen: &Seen, depth: f64| frame.point(seen.pixel, depth);
    let interval = |seen: &Seen| {
        let [from, to] = seen.common.map(|depth| end(seen, depth));
        ContactInterval { from, to }
    };
    Direction {
        axis,
        size: frame.size,
        pixel: 1.0 / frame.scale,
        volume: share.scaled(|share| product([share, u, v, w])),
        share,
        depth: depth.scaled(|depth| depth / frame.scale),
        contact_pixels,
        unpaired,
        layers,
        passes,
        intervals: seen.iter().map(interval).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_leaves_the_range_of_numbers_only_if_it_must() {
        for (all, expected) in [
            ([0.5, 3.0, 5.0, 7.0], 52.5),
            ([1.0, 1e300, 1e-300, 1e300], 1e300),
            ([1e-200, 1e250, 1e250, 1e-100], 1e200),
            ([1.0, 1e-320, 1e10, 1e10], 1e-300),
            ([1.0, 5e-324, 1.0, 1.0], 5e-324),
            ([0.25, 1e-200, 1e-200, 1e100], 2.5e-301),
            ([0.0, 1e300, 1e300, 1e300], 0.0),
            ([1.0, 1e-200, 1e-200, 1.0], 0.0),
            ([1.0, 1e200, 1e200, 1.0], f64::INFINITY),
        ] {
            let product = product(all);
            // The last digits of 1e-320 are rounded.
            let near = (product - expected).abs() <= 1e-3 * expected;
            assert!(product == expected || near, "{all:?}: {product:e}");
        }
    }
}
