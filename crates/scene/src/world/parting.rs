//! A direction along which two objects are apart. It stays so for many steps of a motion, and to see
//! that costs less than to ask a method.
//!
//! Two sets are apart if along some direction `n` the least of one exceeds the largest of the other.
//! Both are bounded in constant time by [`Heights`](crate::heights::Heights), also after the objects
//! have turned. The search for `n` is that of Chung and Wang 1996: where the points that bound both
//! sets along `n` are in the wrong order, `n` is reflected about the line through them.

use impinge_geometry::{Pose, Vector};

use super::Object;
use super::places::Place;
use crate::heights::{Around, PAD};

/// Directions that are tried at a time. More find few more.
const TRIES: usize = 6;
/// After a failed search, none is begun for this many answers, at most.
const LONGEST_REST: u8 = 31;
/// Length of a direction: a little below 1, so that it stays below when it is rounded to 32 bits.
const LENGTH: f64 = 1.0 - 1e-6;

/// What is kept of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parting {
    /// The direction from A to B, in the world's frame, no longer than 1; zero if none is known.
    normal: [f32; 3],
    /// Answers to go before a search, and how many there were the last time.
    rest: u8,
    last_rest: u8,
    /// Whether a direction has been looked for, or the objects have met.
    tried: bool,
    /// How far they were apart along the direction when it was last looked at, without their
    /// translations, and with what both had [turned](Place::turned) by then.
    reach: f64,
}

impl Parting {
    /// Whether the objects are proved to be more than `2 room` apart. Only if they were at the last
    /// [`Parting::learn`], or there was none: most boxes that begin to overlap are of objects apart.
    #[inline]
    pub(crate) fn parts<'a>(
        &mut self,
        places: [&Place; 2],
        objects: impl FnOnce() -> Option<[&'a Object; 2]>,
        room: f64,
    ) -> bool {
        let known = self.normal != [0.0; 3];
        if known && self.still_parts(places, room) {
            return true;
        }
        if !known && self.tried {
            return false;
        }
        let Some(objects) = objects() else { return false };
        let sides = Sides::new(places, objects, room);
        if !known {
            return self.first(&sides);
        }
        let look = sides.look(self.normal);
        if look.are_apart() {
            self.reach = look.reach;
            return true;
        }
        self.search(&sides, look.reflected())
    }

    /// Whether the direction parts the objects, as far as is known without a look: by their
    /// translations, and by how far they have turned since.
    #[inline]
    fn still_parts(&self, [a, b]: [&Place; 2], room: f64) -> bool {
        let between = b.translation - a.translation;
        let gap = (self.reach - (a.turned + b.turned)) + dot(self.normal, &between);
        gap > least([a, b], room)
    }

    /// Takes in the method's answer about the pair, `apart`: that they are more than `2 room` apart.
    pub(crate) fn learn(
        &mut self,
        places: [&Place; 2],
        objects: [&Object; 2],
        room: f64,
        apart: bool,
    ) {
        if !apart {
            *self = Self { tried: true, ..Self::default() };
        } else if self.rest > 0 {
            self.rest -= 1;
        } else {
            self.first(&Sides::new(places, objects, room));
        }
    }

    /// Looks for a direction, at first along the line between the middles of the objects.
    fn first(&mut self, sides: &Sides<'_>) -> bool {
        self.tried = true;
        let found = self.search(sides, unit(&sides.between_middles()));
        self.last_rest = if found { 0 } else { (2 * self.last_rest + 1).min(LONGEST_REST) };
        self.rest = self.last_rest;
        found
    }

    /// Looks for a direction that parts them, from `normal`.
    fn search(&mut self, sides: &Sides<'_>, mut normal: [f32; 3]) -> bool {
        for _ in 0..TRIES {
            let look = sides.look(normal);
            if look.are_apart() {
                (self.normal, self.reach) = (normal, look.reach);
                return true;
            }
            normal = look.reflected();
        }
        self.normal = [0.0; 3];
        false
    }
}

/// How far two objects must be apart along a direction, as far as bounds tell, to be more than
/// `2 room` apart.
///
/// Rounding. The room for it, [`Heights::pad`](crate::heights::Heights::pad) of both, is that of
/// boxes, whose sides are directions too, and twice what boxes need. What is more here: the direction
/// in a mesh's frame, `3.1 u` an entry and so `9.3 u M`, and the translations along it,
/// `7 u (T_A + T_B)`. What both have turned is added to a height and taken away again, `8 u` of it,
/// for which there is `512 u`.
#[inline]
fn least([a, b]: [&Place; 2], room: f64) -> f64 {
    2.0 * room + (a.pad + b.pad + 2.0 * PAD * room)
}

/// Two objects.
struct Sides<'o> {
    a: &'o Object,
    b: &'o Object,
    /// From the origin of A's frame to that of B's.
    between: Vector,
    /// What both have turned.
    turned: f64,
    /// See [`least`].
    least: f64,
}

impl<'o> Sides<'o> {
    #[inline]
    fn new(places: [&Place; 2], [a, b]: [&'o Object; 2], room: f64) -> Self {
        let [p, q] = places;
        let between = q.translation - p.translation;
        Self { a, b, between, turned: p.turned + q.turned, least: least(places, room) }
    }

    /// From the middle of A to that of B; their origins may be anywhere.
    fn between_middles(&self) -> Vector {
        let [p, q] = [self.a, self.b].map(|o| o.pose.rotation() * o.shape.heights().center());
        self.between + q - p
    }

    /// How they are along a direction no longer than 1.
    #[inline]
    fn look(&self, normal: [f32; 3]) -> Look<'_> {
        let rows = [self.a, self.b].map(|object| in_frame(&object.pose, normal));
        let [a, b] = [self.a.shape.heights(), self.b.shape.heights()];
        let around = [a.around(rows[0]), b.around(rows[1])];
        let reach = (around[1].height(false) - around[0].height(true)) + self.turned;
        Look { sides: self, normal, rows, around, reach }
    }
}

/// Two objects along a direction.
struct Look<'s> {
    sides: &'s Sides<'s>,
    normal: [f32; 3],
    /// The direction in the frames of both.
    rows: [[f64; 3]; 2],
    around: [Around<'s>; 2],
    /// [`Parting::reach`].
    reach: f64,
}

impl Look<'_> {
    /// How far they are apart along the direction.
    #[inline]
    fn gap(&self) -> f64 {
        (self.reach - self.sides.turned) + dot(self.normal, &self.sides.between)
    }

    /// Whether the direction parts them. Not if a number is not finite.
    #[inline]
    fn are_apart(&self) -> bool {
        self.gap() > self.sides.least
    }

    /// The next direction to try: reflected about the line from the point of A that is farthest along
    /// this one to that of B that is least far.
    #[inline]
    fn reflected(&self) -> [f32; 3] {
        let [p, q] = [0, 1].map(|i| Vector::from(self.around[i].point(self.rows[i], i == 0)));
        let Sides { a, b, between, .. } = self.sides;
        let across = b.pose.rotation() * q - a.pose.rotation() * p + between;
        let across = across / across.norm();
        let normal = Vector::from(self.normal.map(f64::from));
        unit(&(normal - across * (2.0 * normal.dot(&across))))
    }
}

/// A direction of the world in the frame of a pose.
#[inline]
fn in_frame(pose: &Pose, normal: [f32; 3]) -> [f64; 3] {
    let (r, n) = (pose.rotation(), normal.map(f64::from));
    [0, 1, 2].map(|k| r[(0, k)] * n[0] + r[(1, k)] * n[1] + r[(2, k)] * n[2])
}

#[inline]
fn dot(normal: [f32; 3], v: &Vector) -> f64 {
    f64::from(normal[0]) * v.x + f64::from(normal[1]) * v.y + f64::from(normal[2]) * v.z
}

/// Lengths whose squares are ordinary numbers.
const ORDINARY: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// The vector with length [`LENGTH`]; not finite for the zero vector.
#[inline]
fn unit(v: &Vector) -> [f32; 3] {
    let most = v.amax();
    let v = if ORDINARY.contains(&most) { *v } else { v / most };
    let scale = LENGTH / v.norm();
    [0, 1, 2].map(|k| (v[k] * scale) as f32)
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::{Random, Shape as Model};
    use impinge_query::{Answer, Ask, Control};

    use super::*;
    use crate::World;
    use crate::world::places::Places;

    /// What a walk of two objects saw.
    #[derive(Default)]
    struct Seen {
        apart: usize,
        parted: usize,
        /// Without a look.
        still: usize,
        wrong: usize,
    }

    /// Two objects move slowly past each other, turn and change, many times; `parts` is asked at each
    /// step.
    fn walk(
        room: f64,
        mut parts: impl FnMut(&mut Parting, [&Place; 2], [&Object; 2], f64) -> bool,
    ) -> Seen {
        let mut random = Random::stream(0x9a47, room.to_bits());
        let (world, mut seen) = (World::new(), Seen::default());
        let meshes = [Model::Sphere, Model::Gear, Model::Cube, Model::Torus];
        let shapes = meshes.map(|model| {
            let mesh = model.mesh(120, 0);
            let long = mesh.vertices().iter().map(|p| Point::new(p.x, p.y * 1.2, p.z * 0.9));
            let long = mesh.with_vertices(long.collect()).expect("legal");
            [mesh, long].map(|mesh| world.shape(&mesh).expect("prepared"))
        });
        for number in 0..40 {
            // Some shift more than they turn.
            let (shift, turn) = if number % 2 == 0 { (0.05, 0.01) } else { (0.01, 0.2) };
            let kinds = [0, 1].map(|_| random.below(4) as usize);
            let mut objects =
                kinds.map(|kind| Object::new(shapes[kind][0].clone(), random.pose(0.9)));
            let way = random.in_ball() * shift;
            let turns = [0, 1].map(|_| random.in_ball() * turn);
            let (mut parting, mut places) = (Parting::default(), Places::default());
            places.resize(2);
            for step in 0..60 {
                for (k, object) in objects.iter_mut().enumerate() {
                    let by = if k == 0 { way } else { -way };
                    let turn = nalgebra::Rotation3::new(turns[k]).into_inner();
                    let pose = &object.pose;
                    object.pose =
                        Pose::new(turn * pose.rotation(), pose.translation() + by).expect("near");
                    if step % 7 == 3 + k {
                        object.shape = shapes[kinds[k]][step % 2].clone();
                        places.forget(k as u32);
                    }
                    places.take_in(k as u32, object, room);
                }
                let (both, places) = (objects.each_ref(), [places.at(0), places.at(1)]);
                let ask =
                    if room > 0.0 { Ask::nearer_than(2.0 * room) } else { Ask::first_contact() };
                let answer = asked(&world, both, &ask);
                let apart = !answer.nearer.unwrap_or_else(|| answer.verdict.is_hit());
                seen.still += usize::from(parting.normal != [0.0; 3])
                    * usize::from(parting.still_parts(places, room));
                let parted = parts(&mut parting, places, both, room);
                seen.apart += usize::from(apart);
                seen.parted += usize::from(parted && apart);
                seen.wrong += usize::from(parted && !apart);
                if !parted {
                    parting.learn(places, both, room, apart);
                }
            }
        }
        seen
    }

    /// The method's answer about two objects of a world.
    fn asked(world: &World, [a, b]: [&Object; 2], ask: &Ask) -> Answer {
        let (detector, mut answer) = (world.detector(), Answer::default());
        let [m, n] = [a, b].map(|object| &**object.shape.prepared());
        let (pose, memory) = (Pose::relative(&a.pose, &b.pose), &mut detector.memory());
        detector.query(m, n, &pose, memory, ask, &Control::NONE, &mut answer).expect("answered");
        answer
    }

    /// What parts is right, and found of most pairs, of many without a look. It is wrong if a direction
    /// is never looked at again, and if what objects turn or change is not counted.
    #[test]
    fn objects_that_are_parted_are_apart() {
        for room in [0.0, 0.05] {
            let seen = walk(room, |parting, places, objects, room| {
                parting.parts(places, || Some(objects), room)
            });
            assert_eq!(seen.wrong, 0);
            assert!(seen.parted * 10 > seen.apart * 8, "{} of {}", seen.parted, seen.apart);
            assert!(seen.still * 2 > seen.parted, "{} of {}", seen.still, seen.parted);
            assert!(seen.apart > 500 && seen.apart < 2_200, "{}", seen.apart);
            let blind = walk(room, |parting, _, _, _| parting.normal != [0.0; 3]);
            assert!(blind.wrong > 0);
            let still = walk(room, |parting, places, objects, room| {
                let places = places.map(|place| Place { turned: 0.0, ..*place });
                parting.parts(places.each_ref(), || Some(objects), room)
            });
            assert!(still.wrong > 0);
        }
    }

    /// At every length but zero, where it is not finite.
    #[test]
    fn directions_are_no_longer_than_one() {
        let mut random = Random::stream(0x1e27, 0);
        for exponent in -324..=300 {
            for _ in 0..8 {
                let v = random.vector(-1.0, 1.0) * 10f64.powi(exponent.max(-300));
                let v = v * 10f64.powi(exponent - exponent.max(-300));
                let n = Vector::from(unit(&v).map(f64::from));
                if v == Vector::zeros() {
                    assert!(!n.norm().is_finite());
                } else {
                    assert!((0.99..=1.0).contains(&n.norm()), "{v:?} {}", n.norm());
                }
            }
        }
    }

    /// Two tetrahedra meet apex to apex, by less than the rounding of their places. Without room for
    /// that some would count as apart.
    #[test]
    fn rounding_parts_no_objects_that_meet() {
        let mut random = Random::stream(0xfa5, 0);
        let world = World::new();
        let (mut meet, mut without_room) = (0, 0);
        for size in [1.0, 1e3, 1e6, 1e9] {
            for _ in 0..300 {
                let at = random.vector(-1.0, 1.0) * size;
                let pose = random.turned_to(at);
                let edges = [[1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]];
                let edges = edges.map(|e| pose.rotation().transpose() * Vector::from(e));
                let object = |apex: Point, sign: f64, pose: Pose| {
                    let mut corners = vec![apex];
                    corners.extend(edges.iter().map(|e| apex + e * sign));
                    let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
                    let mesh = Mesh::new(corners, faces).expect("legal");
                    Object::new(world.shape(&mesh).expect("prepared"), pose)
                };
                let apex = Point::from(random.vector(-1.0, 1.0));
                let deep = size * random.range(-1.0, 1.0) * f64::EPSILON;
                let there = pose.apply(&apex).coords - Vector::repeat(deep);
                let a = object(apex, -1.0, pose);
                let b =
                    object(Point::origin(), 1.0, Pose::new(*pose.rotation(), there).expect("near"));
                let mut places = Places::default();
                places.resize(2);
                places.take_in(0, &a, 0.0);
                places.take_in(1, &b, 0.0);
                let sides = Sides::new([places.at(0), places.at(1)], [&a, &b], 0.0);
                if asked(&world, [&a, &b], &Ask::first_contact()).verdict.is_hit() {
                    meet += 1;
                    let look = sides.look(unit(&Vector::repeat(1.0)));
                    assert!(!look.are_apart());
                    without_room += usize::from(look.gap() > 0.0);
                }
            }
        }
        assert!(meet > 300 && without_room > 0, "{meet}, {without_room}");
    }
}
