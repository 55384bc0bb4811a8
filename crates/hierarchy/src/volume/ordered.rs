//! Boxes whose fifteen axes are tested one by one, those that the paper expects to separate first
//! (anthology 5 §2): the longest axis of A, the longest of B, the other face axes, the products of
//! A's longest axis with B's axes, the rest. The verdict is that of any other order.
//!
//! One axis at a time is a scalar test: the usual order computes three axes side by side.

use impinge_geometry::Triangle;

use super::{Hybrid, HybridFrame, PlacedHybrid, Volume};
use crate::Placement;

/// A hybrid volume with its axes tested longest first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct OrderedBox(pub Hybrid);

impl Volume for OrderedBox {
    type Frame = HybridFrame;
    type Placed = PlacedHybrid;

    fn frame(placement: &Placement) -> HybridFrame {
        Hybrid::frame(placement)
    }

    #[inline(always)]
    fn place(&self, frame: &HybridFrame) -> PlacedHybrid {
        self.0.place(frame)
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedHybrid, frame: &HybridFrame) -> bool {
        match self.0.boxes(other, frame) {
            Some((relative, own)) => relative.meets_ordered(&own.half, &other.half()).is_none(),
            None => self.0.meets(other, frame),
        }
    }

    #[inline]
    fn gap(&self, other: &PlacedHybrid, frame: &HybridFrame, enough: f64) -> f64 {
        self.0.gap(other, frame, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.0.size()
    }

    fn center(&self) -> [f64; 3] {
        self.0.center()
    }

    fn bounds(placed: &PlacedHybrid) -> [[f64; 2]; 3] {
        Hybrid::bounds(placed)
    }

    fn may_meet(&self, triangle: &Triangle, frame: &HybridFrame) -> bool {
        self.0.may_meet(triangle, frame)
    }

    #[inline(always)]
    fn updates(&self) -> bool {
        self.0.updates()
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::volume::Obb;
    use impinge_geometry::{Point, Pose, Vector};
    use impinge_models::Random;

    use super::*;
    use crate::volume::ObbRows;

    fn random_box(random: &mut Random) -> Obb {
        let axes = *random.turned_to(Vector::zeros()).rotation();
        let half = Vector::from_fn(|_, _| 10f64.powf(random.range(-1.0, 0.0)));
        Obb { center: Point::from(random.vector(-1.0, 1.0)), axes, half }
    }

    /// The number of axes is that of `geometry`, where claim A4 counts them, and the verdict that of
    /// the usual order.
    #[test]
    fn axes_are_those_of_the_paper_in_its_order() {
        let frame = Hybrid::frame(&Placement::new(&Pose::identity(), 2.0, 2.0));
        let (mut random, mut seen) = (Random::new(51), [0; 16]);
        for _ in 0..20_000 {
            let (a, b) = (random_box(&mut random), random_box(&mut random));
            let placed = Hybrid::from(&b).place(&frame);
            let (own, counted) = (Hybrid::from(&a), a.overlaps_ordered(&b));
            let (relative, rows) = own.boxes(&placed, &frame).expect("two boxes");
            let apart = relative.meets_ordered(&rows.half, &placed.half());
            assert_eq!(apart.unwrap_or(15), counted.tested);
            assert_eq!(apart.is_none(), own.meets(&placed, &frame));
            assert_eq!(OrderedBox(own).meets(&placed, &frame), counted.overlap);
            seen[apart.unwrap_or(0) as usize] += 1;
        }
        assert!(seen.iter().filter(|&&n| n > 0).count() >= 13, "{seen:?}");
        assert_eq!(ObbRows::from(&random_box(&mut random)).half().len(), 3);
    }
}
