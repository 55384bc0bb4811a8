//! For how long before and after a time nothing touches, by the distance at that time.

use impinge_geometry::Vector;
use impinge_geometry::volume::Aabb;

use super::extent::Extent;
use super::moves::{Moves, Velocity, length};

/// What bounds the motion of B's parts towards A's.
pub(crate) struct Clear<'s> {
    a: &'s Extent,
    b: &'s Extent,
    /// By how much vertices are beside their exact places.
    rounding: f64,
    /// The sum of both sizes.
    sizes: f64,
    /// The largest angular speed, and the largest acceleration.
    spin: f64,
    most: f64,
    /// What is added to speeds, and to accelerations, for rounding.
    speed: f64,
    bend: f64,
}

/// A time at which the surfaces are farther apart than asked, and the times around it at which they are,
/// too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Apart {
    pub(crate) time: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// By how much, at least, at the time itself.
    pub(crate) least: f64,
    /// How long before and after the time they would stay so, were there other times than from 0 to 1.
    steps: [f64; 2],
}

/// How a part of B moves from a time on, and back from it.
struct Part {
    speed: f64,
    bend: f64,
    placed: Aabb,
    /// The least and the largest velocity on each axis.
    low: [f64; 3],
    high: [f64; 3],
}

/// More than the relative error of a distance: four times what the conventions state.
const DISTANCE: f64 = 64.0 * f64::EPSILON / 2.0;

/// More than the relative error of a speed, and of a time computed from it.
const SPEED: f64 = 8192.0 * f64::EPSILON / 2.0;

/// A gap along an axis is used if it is at least this share of the distance.
const SHARE: f64 = 0.875;

impl<'s> Clear<'s> {
    pub(crate) fn new(motion: &dyn Moves, a: &'s Extent, b: &'s Extent) -> Self {
        let reach = b.reach(motion.centre());
        let (rounding, sizes) = (motion.rounding(reach), a.size() + b.size());
        // A point that is beside its place moves at another speed.
        let speed = SPEED * motion.speed(reach) + motion.spin() * rounding;
        let (spin, most) = (motion.spin(), motion.bend(reach) * (1.0 + SPEED));
        Self { a, b, rounding, sizes, spin, most, speed, bend: speed * spin }
    }

    /// By how much the distance is certainly larger than `near` after all vertices are rounded: what is
    /// left to go before they are that near.
    pub(crate) fn least(&self, distance: f64, near: f64) -> f64 {
        self.least_by(DISTANCE, distance, near)
    }

    /// The same, with this error of a distance over itself and both sizes.
    fn least_by(&self, relative: f64, distance: f64, near: f64) -> f64 {
        let error = relative * (distance + self.sizes) + f64::MIN_POSITIVE;
        ((distance - near) - error) - 2.0 * self.rounding
    }

    /// The times around `time`, from 0 to 1, at which the method reports this distance, that is known to be larger
    /// than `near`.
    pub(crate) fn around(&self, time: f64, velocity: &Velocity, distance: f64, near: f64) -> Apart {
        let least = self.least(distance, near);
        // Also if something has left the range of numbers.
        if !(least > 0.0 && least < f64::INFINITY) {
            return Apart { time, from: time, to: time, least: 0.0, steps: [0.0; 2] };
        }
        // Backwards and forwards.
        let mut steps = [2.0 * time, 2.0 * (1.0 - time)];
        let turning = velocity.turning();
        for b in self.b.parts() {
            self.limit(b, velocity, &turning, [least, near], &mut steps);
        }
        let [before, after] = steps;
        let from = if before >= time { 0.0 } else { (time - before).next_up() };
        let to = if after >= 1.0 - time { 1.0 } else { (time + after).next_down() };
        Apart { time, from: from.min(time), to: to.max(time), least, steps }
    }

    /// Shortens the steps, backwards and forwards, to those in which a part of B comes near to none of A's.
    fn limit(
        &self,
        b: &Aabb,
        velocity: &Velocity,
        turning: &[Vector; 3],
        [least, near]: [f64; 2],
        steps: &mut [f64; 2],
    ) {
        // Velocities are affine: those of the middle, and what half of each edge adds.
        let middle = b.center();
        let half = Vector::from_fn(|k, _| (b.max[k] - middle[k]).max(middle[k] - b.min[k]));
        let (x, spin) = (velocity.pose.apply(&middle), self.spin * length(&half));
        let v = velocity.of(&x);
        let speed = length(&v) + spin + self.speed;
        let bend = (velocity.bend(&x) + self.spin * spin + self.bend).min(self.most);
        if enough([step(least, speed, bend); 2], *steps) {
            return;
        }
        let spread = |k: usize| {
            let sum: f64 = (0..3).map(|j| half[j] * turning[j][k].abs()).sum();
            sum * (1.0 + SPEED) + self.speed
        };
        let low = std::array::from_fn(|k| v[k] - spread(k));
        let high = std::array::from_fn(|k| v[k] + spread(k));
        let part = Part { speed, bend, placed: b.posed(&velocity.pose), low, high };
        let left = Left { least, near, rounding: 2.0 * self.rounding };
        if enough(part.safe(self.a.whole(), &left, *steps), *steps) {
            return;
        }
        for a in self.a.parts() {
            let safe = part.safe(a, &left, *steps);
            for (step, safe) in steps.iter_mut().zip(safe) {
                *step = step.min(safe);
            }
        }
    }
}

/// Whether both steps are at least as long as wanted.
fn enough(safe: [f64; 2], steps: [f64; 2]) -> bool {
    safe[0] >= steps[0] && safe[1] >= steps[1]
}

/// What is left to go until parts are near.
struct Left {
    /// At least this.
    least: f64,
    near: f64,
    rounding: f64,
}

impl Left {
    /// Of a gap between boxes.
    fn of(&self, gap: f64) -> f64 {
        (gap - gap.abs() * SPEED - self.near) - self.rounding
    }
}

impl Part {
    /// Steps in which this part does not come near to what of A is in a box; the longest that are proved,
    /// or some that are at least as long as wanted.
    fn safe(&self, a: &Aabb, left: &Left, wanted: [f64; 2]) -> [f64; 2] {
        let [above, below]: [[f64; 3]; 2] = [
            std::array::from_fn(|k| self.placed.min[k] - a.max[k]),
            std::array::from_fn(|k| a.min[k] - self.placed.max[k]),
        ];
        let away: [f64; 3] = std::array::from_fn(|k| above[k].max(below[k]).max(0.0));
        let gap = left.of(length(&away.into())).max(left.least);
        let mut safe = [step(gap, self.speed, self.bend); 2];
        if enough(safe, wanted) {
            return safe;
        }
        for k in 0..3 {
            // Closing speeds backwards and forwards, of a part above and of one below.
            let closing = [[self.high[k], -self.low[k]], [-self.low[k], self.high[k]]];
            for (gap, closing) in [above[k], below[k]].into_iter().zip(closing) {
                let gap = left.of(gap);
                if gap >= SHARE * left.least {
                    for (safe, closing) in safe.iter_mut().zip(closing) {
                        *safe = safe.max(step(gap, closing, self.bend));
                    }
                }
            }
        }
        safe
    }
}

impl Apart {
    /// What is left to go, at least, at a time from `from` to `to`: the way that parts have gone is convex
    /// in time.
    pub(crate) fn left(&self, time: f64) -> f64 {
        let step = self.steps[usize::from(time > self.time)];
        let share = if time == self.time { 0.0 } else { (time - self.time).abs() / step };
        (self.least * SHARE * (1.0 - SPEED) * (1.0 - share)).max(0.0)
    }

    /// What is left to go, at least, at all times from that of `self` to that of `later`, if both reach
    /// each other.
    pub(crate) fn left_until(&self, later: &Self) -> f64 {
        let (after, before) = (self.steps[1], later.steps[0]);
        let length = later.time - self.time;
        // Where both bounds are equal.
        let [fall, rise] = [self.least / after, later.least / before];
        let crossing = ((self.least - later.least) + rise * length) / (fall + rise);
        let ends = [self.time.min(later.time), self.time.max(later.time)];
        let at = (self.time + crossing).clamp(ends[0], ends[1]);
        // Not a number where one of them is known at its time alone.
        if at.is_nan() { 0.0 } else { self.left(at).min(later.left(at)) }
    }
}

/// The time in which a way of `gap`, positive, is not gone at this speed, negative if away, and at most
/// this acceleration.
fn step(gap: f64, speed: f64, bend: f64) -> f64 {
    step_by(SPEED, gap, speed, bend)
}

/// The same, shortened by this share. 7 u of it are needed: quotients by the gap round by 1 u, the square by
/// 3 u with them, its sum with the other term by 4 u, its root by half of that and 1 u, the next sum by 4 u,
/// the last quotient by 6 u, the product by 7 u.
fn step_by(share: f64, gap: f64, speed: f64, bend: f64) -> f64 {
    let (speed, bend) = (speed / gap, bend / gap);
    let root = (speed * speed + 2.0 * bend).sqrt();
    let time = if speed < 0.0 { (root - speed) / bend } else { 2.0 / (speed + root) };
    // Not a number where both speed and acceleration are 0 or out of range.
    let time = time * (1.0 - share);
    if time.is_nan() { 0.0 } else { time }
}

#[cfg(test)]
mod tests;
