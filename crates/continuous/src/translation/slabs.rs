//! The translations at which two oriented boxes may meet.

use impinge_geometry::Pose;
use impinge_hierarchy::placement::SLACK;
use impinge_hierarchy::volume::ObbRows;

use super::direction::Direction;

/// A box of B in A's frame: its axes as rows, centre and half-lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) axes: [[f64; 3]; 3],
    pub(crate) center: [f64; 3],
    pub(crate) half: [f64; 3],
}

impl Placed {
    /// A box that is in A's frame already.
    #[inline(always)]
    pub(crate) const fn of_a(of: &ObbRows) -> Self {
        let [x, y, z] = of.rows();
        Self {
            axes: [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]],
            center: [x[3], y[3], z[3]],
            half: of.half(),
        }
    }

    /// A box of B.
    #[inline(always)]
    pub(crate) fn of_b(of: &ObbRows, pose: &Pose) -> Self {
        let own = Self::of_a(of);
        let (r, t) = (pose.rotation(), pose.translation());
        let rows = [
            [r[(0, 0)], r[(0, 1)], r[(0, 2)]],
            [r[(1, 0)], r[(1, 1)], r[(1, 2)]],
            [r[(2, 0)], r[(2, 1)], r[(2, 2)]],
        ];
        let [a, b, c] = &own.axes;
        let [x, y, z] = turned(&rows, &own.center);
        Self {
            axes: [turned(&rows, a), turned(&rows, b), turned(&rows, c)],
            center: [x + t[0], y + t[1], z + t[2]],
            half: own.half,
        }
    }
}

/// The largest half-length of a box.
#[inline(always)]
pub(crate) fn size(of: &ObbRows) -> f64 {
    let [x, y, z] = of.half();
    x.max(y).max(z)
}

#[inline(always)]
fn turned(rows: &[[f64; 3]; 3], v: &[f64; 3]) -> [f64; 3] {
    [dot(&rows[0], v), dot(&rows[1], v), dot(&rows[2], v)]
}

/// What bounds a pair of posed meshes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// More than any coordinate of one and of the other together.
    pub(crate) reach: f64,
    /// A share of that, for rounding.
    pub(crate) pad: f64,
}

impl Room {
    /// For meshes with these largest coordinates.
    pub(crate) fn new(pose: &Pose, a: f64, b: f64) -> Self {
        let reach = a + 2.0 * b + pose.translation().amax();
        Self { reach, pad: SLACK * reach + f64::MIN_POSITIVE }
    }
}

/// Bounds of all multiples of [`Direction::unit`] by which B is translated when a point of its box is
/// in A's; `None` if there are none. `reach` is at least the magnitude of all of them, and `pad`
/// bounds the rounding of places, and of these translations times the direction.
///
/// On each of the six axes of both boxes, the distance of the centres is a linear function of the
/// translation, and at most the sum of both reaches.
#[inline]
pub(crate) fn bounds(
    a: &Placed,
    b: &Placed,
    direction: &Direction,
    Room { reach, pad }: Room,
) -> Option<[f64; 2]> {
    let sum = (a.half[0] + a.half[1] + a.half[2]) + (b.half[0] + b.half[1] + b.half[2]);
    let slack = pad + SLACK * sum;
    let (p, q) = (&a.center, &b.center);
    let apart = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    let d = [direction.unit[0], direction.unit[1], direction.unit[2]];
    let mut slab = Slab { low: -reach, high: reach };
    // Reaches of A's box along the axes of B's.
    let mut across = [slack + b.half[0], slack + b.half[1], slack + b.half[2]];
    for i in 0..3 {
        let axis = &a.axes[i];
        let mut reach = slack + a.half[i];
        for j in 0..3 {
            let turn = dot(axis, &b.axes[j]).abs();
            reach += turn * b.half[j];
            across[j] += turn * a.half[i];
        }
        slab.clip(dot(axis, &apart), dot(axis, &d), reach);
    }
    if slab.low > slab.high {
        return None;
    }
    for j in 0..3 {
        slab.clip(dot(&b.axes[j], &apart), dot(&b.axes[j], &d), across[j]);
    }
    (slab.low <= slab.high).then_some([slab.low, slab.high])
}

/// The translations that are left.
struct Slab {
    low: f64,
    high: f64,
}

impl Slab {
    /// Keeps the `s` with `|at + s speed| ≤ reach`.
    #[inline(always)]
    fn clip(&mut self, at: f64, speed: f64, reach: f64) {
        if speed == 0.0 {
            if at.abs() > reach {
                self.high = f64::NEG_INFINITY;
            }
            return;
        }
        let (p, q) = ((-reach - at) / speed, (reach - at) / speed);
        let (p, q) = if speed > 0.0 { (p, q) } else { (q, p) };
        self.low = if p > self.low { p } else { self.low };
        self.high = if q < self.high { q } else { self.high };
    }
}

#[inline(always)]
fn dot(p: &[f64; 3], q: &[f64; 3]) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[cfg(test)]
mod tests {
    use impinge_geometry::volume::Obb;
    use impinge_geometry::{Point, Vector};
    use impinge_models::Random;

    use super::*;
    use crate::translation::exact::ends;
    use crate::translation::fraction::Fraction;

    /// Boxes around single triangles, one posed, and how often the bounds lose an end of theirs.
    fn lost(room: impl Fn(Room) -> Room) -> usize {
        let (mut lost, mut met) = (0, 0);
        for number in 0..3000 {
            let mut random = Random::stream(0x51ab, number);
            let pose = random.turned_to(random.clone().in_ball() * 1e4);
            let d = random.unit_vector();
            let direction = Direction::new(&d).expect("not zero");
            let p = [0; 3].map(|_| Point::from(random.vector(-1.0, 1.0)));
            // Corners of B over those of A, so that boxes touch in corners.
            let q = p.map(|x| {
                let there = x + d * random.range(-1.0, 1.0) - pose.translation();
                Point::from(pose.rotation().transpose() * there.coords)
            });
            let posed = q.map(|x| pose.apply(&x));
            let Some([first, last]) = ends(&p, &posed, &d) else { continue };
            let [first, last] = [first, last].map(|end| direction.of_given(end));
            let [a, b] = [p, q].map(|t| ObbRows::from(&Obb::of_triangle(&t)));
            let largest = |t: &[Point; 3]| t.iter().fold(0.0_f64, |x, p| x.max(p.coords.amax()));
            let room = room(Room::new(&pose, largest(&p), largest(&q)));
            let found = bounds(&Placed::of_a(&a), &Placed::of_b(&b, &pose), &direction, room);
            met += 1;
            let held = found.is_some_and(|[low, high]| {
                Fraction::of(low) <= first && last <= Fraction::of(high)
            });
            lost += usize::from(!held);
        }
        assert!(met > 1000, "{met} meet");
        lost
    }

    #[test]
    fn bounds_hold_what_meets_and_need_their_room() {
        assert_eq!(lost(|room| room), 0);
        let none = lost(|room| Room { pad: 0.0, ..room });
        assert!(none > 50, "{none} lost without room");
    }

    #[test]
    fn boxes_that_pass_each_other_never_meet() {
        let one = |x: f64| {
            let t = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]].map(Point::from);
            Placed::of_a(&ObbRows::from(&Obb::of_triangle(&t)))
        };
        let room = Room::new(&Pose::identity(), 9.0, 9.0);
        let along = |d: [f64; 3]| Direction::new(&Vector::from(d)).expect("not zero");
        assert_eq!(bounds(&one(0.0), &one(3.0), &along([0.0, 0.0, 1.0]), room), None);
        let met = bounds(&one(0.0), &one(3.0), &along([-1.0, 0.0, 0.0]), room);
        let [low, high] = met.expect("they meet on the way");
        assert!((low - 2.0).abs() < 1e-9 && (high - 4.0).abs() < 1e-9, "{low} {high}");
    }
}
