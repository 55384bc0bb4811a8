//! Where the objects of a world are, and what was computed of them there. An object that is only
//! shifted keeps its extents, and a direction that parts it from another is still proved.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Vector, prefetch};
use nalgebra::Matrix3;

use super::Object;
use crate::heights::{Heights, PAD};

/// What a pair of objects needs of each at every step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(super) translation: Vector,
    /// How far the mesh's points have been turned and deformed so far, at most: the sum over all
    /// changes of the longest way of a point about the origin of the object's frame.
    ///
    /// The height of the object along a direction no longer than 1, without the translation, has
    /// changed by no more between two steps than this number has.
    pub(super) turned: f64,
    /// Room for rounding: [`Heights::pad`] without a distance, and as much for `turned`.
    pub(super) pad: f64,
}

/// The extents of an object along the world's axes, without its translation.
#[derive(Clone, Copy, Debug)]
struct Turned {
    /// The rotation it has these extents at. Not a number if its mesh is not the one it was.
    rotation: Matrix3<f64>,
    extents: [[f64; 2]; 3],
    /// How far its points are from the origin of its frame, at most.
    radius: f64,
}

impl Turned {
    /// Of an object that was not taken in yet.
    fn unknown() -> Self {
        let rotation = Matrix3::repeat(f64::NAN);
        Self { rotation, extents: Default::default(), radius: 0.0 }
    }
}

/// The places of all objects, by index.
#[derive(Debug, Default)]
pub(super) struct Places {
    places: Vec<Place>,
    turned: Vec<Turned>,
}

impl Places {
    /// Makes room for objects below an index.
    pub(super) fn resize(&mut self, count: usize) {
        self.places.resize(count, Place::default());
        self.turned.resize(count, Turned::unknown());
    }

    /// Another object is there, or one of another shape. What it has turned is counted from now on, so
    /// nothing may be kept of pairs with the one before. The room for rounding grows with that number: that of
    /// a huge object would hide that small ones are apart.
    pub(super) fn begin(&mut self, index: u32) {
        self.places[index as usize] = Place::default();
        self.turned[index as usize] = Turned::unknown();
    }

    /// The mesh of an object is not the one it was; what is kept of pairs with it goes on.
    pub(super) fn forget(&mut self, index: u32) {
        self.turned[index as usize].rotation.fill(f64::NAN);
    }

    /// Where an object was when it was last taken in.
    #[inline]
    pub(super) fn at(&self, index: u32) -> &Place {
        &self.places[index as usize]
    }

    /// Prefetches where an object was when it was last taken in.
    #[inline]
    pub(super) fn prefetch(&self, index: u32) {
        prefetch(&self.places[index as usize]);
    }

    /// Takes in an object where it is now. Returns its box, `room` larger on all sides: that of
    /// [`Heights::posed`].
    pub(super) fn take_in(&mut self, index: u32, object: &Object, room: f64) -> Aabb {
        let (heights, pose) = (object.shape.heights(), &object.pose);
        let (place, last) = (&mut self.places[index as usize], &mut self.turned[index as usize]);
        place.translation = *pose.translation();
        if last.rotation != *pose.rotation() {
            place.turned = (place.turned + way(last, pose.rotation(), heights)).next_up();
            *last = Turned {
                rotation: *pose.rotation(),
                extents: heights.extents(pose.rotation()),
                radius: heights.radius(),
            };
        }
        place.pad = heights.pad(place.translation.amax(), 0.0) + PAD * place.turned;
        heights.boxed(&last.extents, &place.translation, room)
    }
}

/// The longest way of a point from where it was last, about the origin of the object's frame.
///
/// The difference of two rotations takes a vector to one at most `F / √2` times as long, if `F` is
/// its Frobenius norm: its singular values are `2 sin (θ / 2)` twice, and 0. Rounding. Rotations are
/// orthonormal to within `16 u` an entry, so each is `48 u` from one in Frobenius norm: `F` is off by
/// `96 u`, and as much comes to the result. Those `164 u` and the rounding of `F` are below `256 u`
/// and the last digit of the factor.
fn way(last: &Turned, rotation: &Matrix3<f64>, heights: &Heights) -> f64 {
    let norm = (rotation - last.rotation).norm();
    if norm.is_nan() {
        return (last.radius + heights.radius()).next_up();
    }
    (norm * 0.707_106_79 + 128.0 * f64::EPSILON) * last.radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use impinge_geometry::{Point, Pose};
    use impinge_models::{Random, Shape as Model};

    /// No point's way is longer than is told, at any unit, and the longest is nearly as long. Boxes are
    /// those of [`Heights::posed`](crate::heights::Heights::posed), also of objects that are only shifted.
    #[test]
    fn the_way_of_a_turn_bounds_that_of_all_points() {
        let (mut random, world) = (Random::stream(0x91ace, 0), World::new());
        for (model, unit) in [(Model::Sphere, 1.0), (Model::Gear, 1e-200), (Model::Hand, 1e200)] {
            let mesh = model.mesh(300, 0);
            let points = mesh.vertices().iter().map(|p| Point::from(p.coords * unit)).collect();
            let mesh = mesh.with_vertices(points).expect("legal");
            let mut object = Object::new(world.shape(&mesh).expect("prepared"), Pose::identity());
            let (mut places, mut share) = (Places::default(), 0.0_f64);
            places.resize(1);
            for step in 0..400 {
                let (before, last) = (object.pose, places.at(0).turned);
                let angle = if step % 2 == 0 { 1e-3 } else { 2.0 };
                let turn = nalgebra::Rotation3::new(random.unit_vector() * angle).into_inner();
                let turn = if step % 5 == 4 { Matrix3::identity() } else { turn };
                let place = random.vector(-1.0, 1.0) * unit;
                object.pose = Pose::new(turn * before.rotation(), place).expect("near");
                let room = random.range(0.0, 0.1) * unit;
                assert_eq!(
                    places.take_in(0, &object, room),
                    object.shape.posed(&object.pose, room)
                );
                let told = places.at(0).turned - last;
                // Not before it was taken in once: then all may be anywhere.
                for p in mesh.vertices().iter().filter(|_| step > 0) {
                    let way = (object.pose.rotation() - before.rotation()) * (p.coords / unit);
                    assert!(way.norm() <= told / unit * (1.0 + 1e-9), "{step}: {told}");
                    if angle > 1.0 && told > 0.0 {
                        share = share.max(way.norm() / (told / unit));
                    }
                }
            }
            assert!(share > 0.95, "{model:?}: {share}");
        }
    }
}
