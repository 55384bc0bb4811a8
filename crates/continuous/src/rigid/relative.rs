//! Two bodies that both move, seen from one of them.

use impinge_geometry::{Point, Pose};

use super::motion::{PLACED, RigidMotion, TURNED};
use super::moves::{Moves, Velocity, length};

/// The motion of B in the frame of A, where both move in the world.
///
/// If A does not turn, this is a motion of B between two poses. If it does, B runs along curves in A's
/// frame that no slerp describes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeMotion {
    a: RigidMotion,
    b: RigidMotion,
}

impl RelativeMotion {
    /// The motions of A and of B in the world.
    pub const fn new(a: RigidMotion, b: RigidMotion) -> Self {
        Self { a, b }
    }

    /// The pose of B in A's frame at time `t`: [`Pose::relative`] of the poses of both. O(1).
    pub fn pose_at(&self, t: f64) -> Pose {
        Pose::relative(&self.a.pose_at(t), &self.b.pose_at(t))
    }

    /// The largest distance of a point of B from the centre of A, and more.
    fn lever(&self, reach: f64) -> f64 {
        let Self { a, b } = self;
        let apart = |t: f64| length(&(b.centre_at(t) - a.centre_at(t)));
        let arcs = [a, b].map(RigidMotion::detour);
        (apart(0.0).max(apart(1.0)) + (arcs[0] + arcs[1]) + reach) * (1.0 + TURNED)
    }
}

/// With `y` a point of B and `x` the centre of A, both in the world, `ω` the spin of A and `u = y' − x' − ω ×
/// (y − x)`, what is seen from A has the velocity `u` and the acceleration `y'' − x'' − ω × (y' − x') − ω × u`,
/// turned into A's frame.
impl Moves for RelativeMotion {
    fn velocity(&self, t: f64) -> Velocity {
        let [a, b] = [self.a.velocity(t), self.b.velocity(t)];
        let back = |v| a.pose.rotation().tr_mul(&v);
        let pose = Pose::relative(&a.pose, &b.pose);
        let at = pose.apply(self.b.centre());
        let centre = back(b.centre - a.centre - a.spin.cross(&(b.at - a.at)));
        Velocity { pose, spin: back(b.spin - a.spin), at, centre, arc: None }
    }

    fn centre(&self) -> &Point {
        self.b.centre()
    }

    fn spin(&self) -> f64 {
        self.a.spin() + self.b.spin()
    }

    fn speed(&self, reach: f64) -> f64 {
        let both = self.a.speed(0.0) + self.b.speed(reach);
        both + self.a.spin() * self.lever(reach)
    }

    fn bend(&self, reach: f64) -> f64 {
        let Self { a, b } = self;
        let both = a.speed(0.0) + b.speed(reach);
        b.bend(reach) + a.bend(0.0) + a.spin() * (both + self.speed(reach))
    }

    fn rounding(&self, reach: f64) -> f64 {
        let own = self.a.rounding(self.lever(reach)) + self.b.rounding(reach);
        own + 2.0 * PLACED * (self.a.lengths(reach) + self.b.lengths(reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;

    fn some(random: &mut Random, case: usize) -> RigidMotion {
        let [start, end] = [0, 1].map(|_| random.pose(2.0));
        match case % 3 {
            0 => RigidMotion::new(&start, &end),
            1 => RigidMotion::screw(&start, &end),
            _ => RigidMotion::about(&start, &end, &Point::from(random.in_ball())),
        }
        .expect("in range")
    }

    /// What is seen from A follows its velocity as far as the bound of accelerations allows.
    #[test]
    fn places_seen_from_a_body_follow_their_velocities() {
        let (mut random, mut tight) = (Random::new(0x4e1a), 0);
        for case in 0..3_000 {
            let [a, b] = [case, case / 3].map(|kind| some(&mut random, kind));
            let motion = RelativeMotion::new(a, b);
            let p = Point::from(random.in_ball());
            let reach = (p - b.centre()).norm();
            let t = random.range(0.0, 1.0);
            let velocity = motion.velocity(t);
            assert_eq!(velocity.pose, motion.pose_at(t));
            let x = velocity.pose.apply(&p);
            let v = velocity.of(&x);
            assert!(v.norm() <= motion.speed(reach), "{case}");
            for step in [1e-4, 0.01, 0.3] {
                for later in [t - step, t + step] {
                    if !(0.0..=1.0).contains(&later) {
                        continue;
                    }
                    let left = (motion.pose_at(later).apply(&p) - x - v * (later - t)).norm();
                    let most = 0.5 * motion.bend(reach) * step * step;
                    assert!(left <= most + 4.0 * motion.rounding(reach), "{case}: {left} {most}");
                    tight += usize::from(left >= 0.2 * most);
                }
            }
        }
        assert!(tight >= 100, "{tight}");
    }
}
