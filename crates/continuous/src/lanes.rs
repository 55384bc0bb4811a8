//! Sixteen boxes in motion, in columns.

use crate::moving_box::MovingBox;

/// Boxes per node.
pub(crate) const LANES: usize = 16;

/// One number of each of sixteen boxes.
type Column = [f64; LANES];

/// Sixteen boxes. The columns are least and largest coordinates, by end of the motion and axis: what
/// compares them with one box is a loop over lanes that compilers turn into vector instructions.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    least: [[Column; 3]; 2],
    largest: [[Column; 3]; 2],
}

impl Lanes {
    /// All contain nothing.
    pub(crate) const EMPTY: Self = Self {
        least: [[[f64::INFINITY; LANES]; 3]; 2],
        largest: [[[f64::NEG_INFINITY; LANES]; 3]; 2],
    };

    pub(crate) fn set(&mut self, lane: usize, one: &MovingBox) {
        for (end, at) in one.ends().into_iter().enumerate() {
            for k in 0..3 {
                self.least[end][k][lane] = at.min[k];
                self.largest[end][k][lane] = at.max[k];
            }
        }
    }

    pub(crate) fn get(&self, lane: usize) -> MovingBox {
        let point = |of: &[Column; 3]| of.map(|column| column[lane]).into();
        MovingBox::new([0, 1].map(|end| (point(&self.least[end]), point(&self.largest[end]))))
    }

    /// Bits of the lanes whose boxes are not on one side of another one on an axis at both ends. The
    /// others never meet it: the signs of differences are exact. A lane that is not set may be near
    /// what is infinite.
    pub(crate) fn near(&self, other: &MovingBox) -> u32 {
        let larger = |x: f64, y: f64| if x > y { x } else { y };
        let [start, end] = other.ends();
        let mut apart = [false; LANES];
        for k in 0..3 {
            let (above, below) =
                (&self.least.each_ref().map(|e| &e[k]), [start.max[k], end.max[k]]);
            for l in 0..LANES {
                apart[l] |= larger(below[0] - above[0][l], below[1] - above[1][l]) < 0.0;
            }
            let (below, above) =
                (&self.largest.each_ref().map(|e| &e[k]), [start.min[k], end.min[k]]);
            for l in 0..LANES {
                apart[l] |= larger(below[0][l] - above[0], below[1][l] - above[1]) < 0.0;
            }
        }
        apart.iter().enumerate().fold(0, |bits, (l, apart)| bits | u32::from(!apart) << l)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Point;
    use impinge_models::Random;

    /// What lanes leave out never meets, and they leave out much of it.
    #[test]
    fn lanes_leave_out_what_never_meets() {
        let (mut random, mut seen) = (Random::new(0x1a9e5), [0; 3]);
        let mut one = || {
            let mut end = || {
                let p = Point::from(random.in_ball() * 3.0);
                (p, p + random.in_ball().abs())
            };
            MovingBox::new([end(), end()])
        };
        for round in 0..1_000 {
            let (mut lanes, used) = (Lanes::EMPTY, 1 + round % LANES);
            let boxes: Vec<MovingBox> = (0..used).map(|_| one()).collect();
            boxes.iter().enumerate().for_each(|(l, one)| lanes.set(l, one));
            let other = one();
            let near = lanes.near(&other);
            assert_eq!(near >> used, 0, "lanes that are not used");
            for (l, one) in boxes.iter().enumerate() {
                let meets = one.earliest(&other).is_some();
                assert_eq!(lanes.get(l).earliest(&other), one.earliest(&other));
                let is_near = near >> l & 1 == 1;
                assert!(is_near || !meets);
                seen[usize::from(is_near) + usize::from(meets)] += 1;
            }
        }
        assert!(seen.iter().all(|n| *n > 300), "{seen:?}");
    }
}
