//! The error of the kernel's coordinate of a centre, compared with the pad that must cover it.

use impinge_geometry::Pose;
use impinge_models::Random;
use nalgebra::{Matrix3, Vector3};

use super::touching::{nearly, turn};
use super::widths;
use crate::frame::Frame;
use crate::kernel::boxes::{from_centre, three};
use crate::placement::{Placement, Side};
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Lane, Node, OFF};

/// The coordinate of a node's only centre on a single's first axis, and the pad of half-lengths.
struct Centre<'n> {
    side: &'n Side,
    one: &'n Node,
    node: &'n Node,
}

impl Task for Centre<'_> {
    type Out = [f32; 2];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; 2] {
        let relative = self.side.relative::<S>(&self.one.single(0), self.node);
        let mut lanes = [0.0; LANES];
        let c = three::<S>(&self.node.center, 0);
        S::store(from_centre::<S>(&relative.rows[0], c), &mut lanes, 0);
        [lanes[0], relative.half[0]]
    }
}

/// A centre, an axis, and the rotation and translation between the frames.
#[derive(Clone, Copy, Debug)]
struct Place {
    rotation: Matrix3<f64>,
    way: Vector3<f64>,
    axis: [f32; 3],
    center: [f32; 3],
}

fn wide(v: [f32; 3]) -> Vector3<f64> {
    Vector3::from(v.map(f64::from))
}

fn log(random: &mut Random, bits: u64) -> f64 {
    0.5f64.powi(random.below(bits) as i32) * random.range(-1.0, 1.0)
}

impl Place {
    fn random(random: &mut Random, kind: Kind) -> Self {
        let mut any = || Vector3::from(random.in_ball());
        let (center, way) = match kind {
            Kind::Center => (any(), Vector3::zeros()),
            Kind::Way => (any() * 1e-6, any()),
        };
        let axis = Vector3::from(random.unit_vector()).map(|x| x as f32).into();
        Self { rotation: turn(random), way, axis, center: center.map(|x| x as f32).into() }
    }

    /// Some numbers changed; `None` if the axis is no longer of unit length.
    fn mutated(&self, random: &mut Random) -> Option<Self> {
        let mut new = *self;
        for _ in 0..=random.below(3) {
            let k = random.below(3) as usize;
            let angle = log(random, 28).abs();
            match random.below(4) {
                0 => new.rotation = nearly(random, 0.3 * angle) * new.rotation,
                1 => {
                    let axis = nearly(random, 0.3 * angle) * wide(new.axis);
                    new.axis = axis.normalize().map(|x| x as f32).into();
                }
                2 => new.center[k] *= 1.0 + log(random, 25) as f32,
                _ => new.way[k] *= 1.0 + log(random, 28),
            }
        }
        let off = (wide(new.axis).norm_squared() - 1.0).abs();
        (off <= OFF).then_some(new)
    }

    /// Share of the pad that is needed.
    fn used(&self, width: Width) -> f64 {
        let Ok(pose) = Pose::new(self.rotation, self.way) else { return 0.0 };
        let unit_frame = Frame { center: [0.0; 3], exponent: 0 };
        let placement = Placement::however_far(&pose, [&unit_frame; 2], [0.0; 2]);
        let node = |lane: Lane| {
            let mut node = Node::empty([0.0; 3]);
            node.lanes = 1;
            node.set(0, &lane);
            node.settle();
            node
        };
        let one = node(Lane { axes: [self.axis; 3], ..Lane::default() });
        let node = node(Lane { center: self.center, ..Lane::default() });
        let side = &placement.sides[1];
        let [found, pad] = width.run(Centre { side, one: &one, node: &node });
        let way = pose.rotation() * wide(self.center) + pose.translation();
        (f64::from(found) - wide(self.axis).dot(&way)).abs() / f64::from(pad)
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The node's origin is the single's centre: nearly all of the distance is the lane's centre.
    Center,
    /// Nearly all of the distance is between the origins.
    Way,
}

/// Climbs from many places towards the largest share of the pad.
fn climb(kind: Kind, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let mut most = 0.0f64;
    for _ in 0..40 {
        let mut at = Place::random(&mut random, kind);
        let mut used = at.used(Width::Portable);
        for _ in 0..4000 {
            let Some(next) = at.mutated(&mut random) else { continue };
            let then = next.used(Width::Portable);
            if then >= used {
                (at, used) = (next, then);
            }
        }
        for width in widths() {
            assert!(at.used(width) < 1.0, "{width}: {} of the pad, {at:?}", at.used(width));
        }
        most = most.max(used);
    }
    println!("{kind:?}: {most:.3} of the pad");
    most
}

#[test]
fn a_quarter_of_the_pad_for_centres_is_too_little() {
    assert!(climb(Kind::Center, 21) > 0.27);
}

#[test]
fn a_quarter_of_the_pad_for_ways_is_too_little() {
    assert!(climb(Kind::Way, 22) > 0.27);
}
