//! Boxes along the world's axes above, oriented boxes below: li's hybrid with its upper layer
//! updated (li §3.2).
//!
//! | pair | tested |
//! | --- | --- |
//! | X and X | on the world's three axes, exactly |
//! | Y and Y | on 15 axes in A's frame, as [`ObbRows`] |
//! | X and Y | as two oriented boxes: the updated box has the world's axes (li §3.2) |

use impinge_geometry::Pose;

use super::aligned::{Aligned, Below, Place, Renewal};
use super::ball::length_below;
use super::ball_box::{between, enlarged, overlap};
use super::obb::{ObbRows, PlacedObb};
use super::{AxisBox, Hybrid, Kind, Merge, Volume};
use crate::placement::{Placement, SLACK};

/// A box of layer X in the world, or one of layer Y in its mesh's frame. 120 bytes.
///
/// Layer X has its corners in the columns 0 and 1 of `rows`, and is marked by a negative half-length
/// 1, which otherwise is never negative.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BoxObb(ObbRows);

/// Data of one query.
#[derive(Clone, Copy, Debug)]
pub struct BoxObbFrame {
    /// B in A's frame; the pad covers the rounding of boxes that are moved out of the world.
    placement: Placement,
    /// The world in A's frame.
    world: Pose,
}

/// A volume of B: a box of layer X as it is stored, or an oriented one of layer Y in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBoxObb {
    upper: bool,
    rows: PlacedObb,
}

impl From<&AxisBox> for BoxObb {
    fn from(b: &AxisBox) -> Self {
        let mut own = ObbRows::POINT;
        own.rows = [0, 1, 2].map(|k| [b.low()[k], b.high()[k], 0.0, 0.0]);
        own.half[1] = -1.0;
        Self(own)
    }
}

/// The box that layer X has in the first two columns.
#[inline(always)]
fn stored(rows: [[f64; 4]; 3]) -> AxisBox {
    AxisBox::new(rows.map(|row| row[0]), rows.map(|row| row[1]))
}

impl BoxObb {
    /// Whether it is of layer X.
    #[inline(always)]
    fn is_upper(&self) -> bool {
        self.0.half[1].is_sign_negative()
    }

    /// The box of layer X; `None` in layer Y.
    #[inline(always)]
    fn upper(&self) -> Option<AxisBox> {
        self.is_upper().then(|| stored(self.0.rows))
    }

    /// The box along the world's axes that contains it at a place.
    fn bounds_at(&self, place: &Place) -> AxisBox {
        self.upper().unwrap_or_else(|| {
            let bounds = ObbRows::bounds(&self.0.place(&place.placement));
            enlarged(&AxisBox::from(bounds), place.pad)
        })
    }
}

impl PlacedBoxObb {
    /// The box of layer X; `None` in layer Y.
    #[inline(always)]
    fn upper(&self) -> Option<AxisBox> {
        self.upper.then(|| stored(self.rows.rows.map(|row| row.0)))
    }
}

impl BoxObbFrame {
    /// A box of the world as an oriented one in A's frame.
    fn oriented(&self, b: &AxisBox) -> ObbRows {
        let r = self.world.rotation();
        let c = self.world.apply(&b.center().into());
        ObbRows {
            rows: [0, 1, 2].map(|k| [r[(k, 0)], r[(k, 1)], r[(k, 2)], c[k]]),
            half: [0, 1, 2].map(|k| 0.5 * b.high()[k] - 0.5 * b.low()[k]),
        }
    }

    /// Both volumes as oriented boxes in A's frame.
    fn both(&self, a: &BoxObb, b: &PlacedBoxObb) -> (ObbRows, PlacedObb) {
        let own = a.upper().map_or(a.0, |upper| self.oriented(&upper));
        let other = b.upper().map_or(b.rows, |upper| PlacedObb::from(&self.oriented(&upper)));
        (own, other)
    }

    /// The test of a pair with at least one box of layer X.
    #[inline(never)]
    fn upper_meets(&self, a: &BoxObb, b: &PlacedBoxObb) -> bool {
        if let Some((a, b)) = a.upper().zip(b.upper()) {
            return overlap(&a, &b);
        }
        let (a, b) = self.both(a, b);
        a.meets(&b, &self.placement)
    }
}

impl Volume for BoxObb {
    type Frame = BoxObbFrame;
    type Placed = PlacedBoxObb;

    /// With A's frame as the world.
    fn frame(placement: &Placement) -> BoxObbFrame {
        BoxObbFrame { placement: *placement, world: Pose::identity() }
    }

    #[inline(always)]
    fn place(&self, frame: &BoxObbFrame) -> PlacedBoxObb {
        let upper = self.is_upper();
        let rows = if upper { PlacedObb::from(&self.0) } else { self.0.place(&frame.placement) };
        PlacedBoxObb { upper, rows }
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedBoxObb, frame: &BoxObbFrame) -> bool {
        if self.is_upper() || other.upper {
            return frame.upper_meets(self, other);
        }
        self.0.meets(&other.rows, &frame.placement)
    }

    #[inline]
    fn gap(&self, other: &PlacedBoxObb, frame: &BoxObbFrame, enough: f64) -> f64 {
        if let Some((a, b)) = self.upper().zip(other.upper()) {
            return length_below(between(&a, &b)) * (1.0 - SLACK);
        }
        let (a, b) = frame.both(self, other);
        a.gap(&b, &frame.placement, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        if self.is_upper() { 0.5 * stored(self.0.rows).size() } else { self.0.size() }
    }

    fn center(&self) -> [f64; 3] {
        self.upper().map_or_else(|| self.0.center(), |b| b.center())
    }

    /// Along the axes that the volume is placed in: the world's, or A's.
    fn bounds(placed: &PlacedBoxObb) -> [[f64; 2]; 3] {
        match placed.upper() {
            Some(b) => [0, 1, 2].map(|k| [b.low()[k], b.high()[k]]),
            None => ObbRows::bounds(&placed.rows),
        }
    }
}

impl Aligned for BoxObb {
    type Own = Hybrid;

    fn moved(own: &Hybrid, _: &Place) -> Option<Self> {
        (own.kind() == Kind::Obb).then(|| Self(own.plain()))
    }

    /// The box of what the children have in the world: an updated box, or the bounds of an oriented
    /// box, `|R| h` about its centre. A leaf has the box of its posed corners.
    fn around(below: Below<'_, Self>, place: &Place) -> Self {
        Self::from(&match below {
            Below::Corners(exact) => enlarged(&exact, place.pad),
            Below::Children(a, b) => a.bounds_at(place).merged(&b.bounds_at(place)),
        })
    }

    fn renewal(&self) -> Renewal {
        if self.is_upper() { Renewal::Around } else { Renewal::Kept }
    }

    fn frame_at(placement: &Placement, a: &Pose, pad: f64) -> BoxObbFrame {
        let placement = Placement { pad: placement.pad + pad, ..*placement };
        BoxObbFrame { placement, world: a.inverse() }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;
    use impinge_geometry::volume::{Aabb, Obb};

    use super::*;

    /// Cubes of edge 2, updated or not, whose centres are 4 or 1 apart along each axis.
    #[test]
    fn boxes_of_either_layer_meet_where_they_overlap() {
        let cube = |center: [f64; 3]| {
            let corner = |s: f64| Point::from(center.map(|x| x + s));
            Aabb::fit_points([corner(-1.0), corner(1.0)].into_iter()).expect("two points")
        };
        let lower = |b: &Aabb| {
            let side = |i: usize, k: usize| if i >> k & 1 == 0 { b.min[k] } else { b.max[k] };
            let corners = (0..8).map(|i| Point::new(side(i, 0), side(i, 1), side(i, 2)));
            BoxObb(ObbRows::from(&Obb::fit_points(corners).expect("points")))
        };
        let layers = |b: &Aabb| [BoxObb::from(&AxisBox::from(b)), lower(b)];
        let frame = BoxObbFrame {
            placement: Placement::new(&Pose::identity(), 5.0, 5.0),
            world: Pose::identity(),
        };
        for k in 0..3 {
            for (way, met) in [(4.0, false), (-4.0, false), (1.0, true)] {
                let mut center = [0.0; 3];
                center[k] = way;
                for a in layers(&cube([0.0; 3])) {
                    for b in layers(&cube(center)) {
                        let found = a.meets(&b.place(&frame), &frame);
                        assert_eq!(found, met, "{k} {way} {} {}", a.is_upper(), b.is_upper());
                    }
                }
            }
        }
    }
}
