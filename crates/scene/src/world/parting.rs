//! A direction along which two objects are apart. It stays so for many steps of a motion, and to see
//! that costs less than to ask a method.
//!
//! Two sets are apart if along some direction `n` the least of one exceeds the largest of the other.
//! Both are bounded in constant time by [`Heights`](crate::heights::Heights), also after the objects
//! have turned. The search for `n` is that of Chung and Wang 1996: where the points that bound both
//! sets along `n` are in the wrong order, `n` is reflected about the line through them.

use impinge_geometry::{Pose, Vector};

use super::Object;
use crate::heights::Around;

/// Directions that are tried at a time. More find few more.
const TRIES: usize = 6;
/// After a failed search, none is begun for this many answers, at most.
const LONGEST_REST: u8 = 31;
/// Length of a direction: a little below 1, so that it stays below when it is rounded to 32 bits.
const LENGTH: f64 = 1.0 - 1e-6;

/// What is kept of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parting {
    /// The direction from A to B, in the world's frame; zero if none is known.
    normal: [f32; 3],
    /// Answers to go before a search, and how many there were the last time.
    rest: u8,
    last_rest: u8,
    /// Whether a direction has been looked for, or the objects have met.
    tried: bool,
}

impl Parting {
    /// Whether the objects are proved to be more than `2 room` apart. Only if they were at the last
    /// [`Parting::learn`], or there was none: most boxes that begin to overlap are of objects apart.
    #[inline]
    pub(super) fn parts(&mut self, [a, b]: [&Object; 2], room: f64) -> bool {
        if self.normal != [0.0; 3] {
            let sides = Sides::new(a, b, room);
            let normal = Vector::from(self.normal.map(f64::from));
            let look = sides.look(&normal);
            return look.are_apart() || self.search(&sides, look.reflected(&normal));
        }
        !self.tried && self.first(&Sides::new(a, b, room))
    }

    /// Takes in the method's answer about the pair, `apart`: that they are more than `2 room` apart.
    pub(super) fn learn(&mut self, [a, b]: [&Object; 2], room: f64, apart: bool) {
        if !apart {
            *self = Self { tried: true, ..Self::default() };
        } else if self.rest > 0 {
            self.rest -= 1;
        } else {
            self.first(&Sides::new(a, b, room));
        }
    }

    /// Looks for a direction, at first along the line between the objects.
    fn first(&mut self, sides: &Sides<'_>) -> bool {
        self.tried = true;
        let found = self.search(sides, unit(&sides.between));
        self.last_rest = if found { 0 } else { (2 * self.last_rest + 1).min(LONGEST_REST) };
        self.rest = self.last_rest;
        found
    }

    /// Looks for a direction that parts them, from `normal`.
    fn search(&mut self, sides: &Sides<'_>, mut normal: Vector) -> bool {
        for _ in 0..TRIES {
            let look = sides.look(&normal);
            if look.are_apart() {
                self.normal = [0, 1, 2].map(|k| normal[k] as f32);
                return true;
            }
            normal = look.reflected(&normal);
        }
        self.normal = [0.0; 3];
        false
    }
}

/// Two objects.
struct Sides<'o> {
    a: &'o Object,
    b: &'o Object,
    /// From the origin of A's frame to that of B's.
    between: Vector,
    /// How far they must be apart along a direction, as far as bounds tell, to be more than `2 room`
    /// apart.
    ///
    /// Rounding. The room for it, [`Heights::pad`](crate::heights::Heights::pad) of both, is that of
    /// boxes, whose sides are directions too, and twice what boxes need. What is more here: the
    /// direction in a mesh's frame, `3.1 u` an entry and so `9.3 u M`, and the translations along it,
    /// `7 u (T_A + T_B)`.
    least: f64,
}

impl<'o> Sides<'o> {
    #[inline]
    fn new(a: &'o Object, b: &'o Object, room: f64) -> Self {
        let (s, t) = (a.pose.translation(), b.pose.translation());
        let (m, n) = (a.shape.heights(), b.shape.heights());
        let pad = m.pad(s.amax(), room) + n.pad(t.amax(), room);
        Self { a, b, between: t - s, least: 2.0 * room + pad }
    }

    /// How they are along a direction no longer than 1.
    #[inline]
    fn look(&self, normal: &Vector) -> Look<'_> {
        let rows = [self.a, self.b].map(|object| in_frame(&object.pose, normal));
        let [a, b] = [self.a.shape.heights(), self.b.shape.heights()];
        let around = [a.around(rows[0]), b.around(rows[1])];
        let gap = around[1].height(false) - around[0].height(true) + normal.dot(&self.between);
        Look { sides: self, rows, around, gap }
    }
}

/// Two objects along a direction.
struct Look<'s> {
    sides: &'s Sides<'s>,
    /// The direction in the frames of both.
    rows: [[f64; 3]; 2],
    around: [Around<'s>; 2],
    /// How far they are apart along it.
    gap: f64,
}

impl Look<'_> {
    /// Whether the direction parts them. Not if a number is not finite.
    #[inline]
    fn are_apart(&self) -> bool {
        self.gap > self.sides.least
    }

    /// The next direction to try: reflected about the line from the point of A that is farthest along
    /// this one to that of B that is least far.
    #[inline]
    fn reflected(&self, normal: &Vector) -> Vector {
        let [p, q] = [0, 1].map(|i| Vector::from(self.around[i].point(self.rows[i], i == 0)));
        let Sides { a, b, between, .. } = self.sides;
        let across = unit(&(b.pose.rotation() * q - a.pose.rotation() * p + between));
        unit(&(normal - across * (2.0 * normal.dot(&across))))
    }
}

/// A direction of the world in the frame of a pose.
#[inline]
fn in_frame(pose: &Pose, normal: &Vector) -> [f64; 3] {
    let r = pose.rotation();
    [0, 1, 2].map(|k| r[(0, k)] * normal.x + r[(1, k)] * normal.y + r[(2, k)] * normal.z)
}

/// The vector with length [`LENGTH`]; not finite for the zero vector.
fn unit(v: &Vector) -> Vector {
    v * (LENGTH / v.norm())
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::{Random, Shape as Model};
    use impinge_query::{Answer, Ask, Control, Engine};
    use impinge_wide::wide;

    use super::*;
    use crate::World;

    /// What a walk of two objects saw.
    #[derive(Default)]
    struct Seen {
        apart: usize,
        parted: usize,
        wrong: usize,
    }

    /// Two objects move slowly past each other, many times; `parts` is asked at each step.
    fn walk(room: f64, mut parts: impl FnMut(&mut Parting, [&Object; 2], f64) -> bool) -> Seen {
        let mut random = Random::stream(0x9a47, room.to_bits());
        let (world, mut seen) = (World::new(), Seen::default());
        let meshes = [Model::Sphere, Model::Gear, Model::Cube, Model::Torus];
        let meshes = meshes.map(|model| model.mesh(120, 0));
        let models = meshes
            .each_ref()
            .map(|mesh| wide().prepare(mesh, &Control::NONE).expect("not cancelled"));
        for _ in 0..40 {
            let mut some = || random.below(4) as usize;
            let (m, n) = (some(), some());
            let [mut a, mut b] = [m, n]
                .map(|k| Object::new(world.shape(&meshes[k]).expect("prepared"), random.pose(0.9)));
            let way = random.in_ball() * 0.04;
            let mut parting = Parting::default();
            for _ in 0..60 {
                let moved = |o: &Object, by: Vector| {
                    Pose::new(*o.pose.rotation(), o.pose.translation() + by)
                };
                a.pose = moved(&a, way).expect("near");
                b.pose = moved(&b, -way).expect("near");
                let ask =
                    if room > 0.0 { Ask::nearer_than(2.0 * room) } else { Ask::first_contact() };
                let answer = wide()
                    .ask(&models[m], &models[n], &Pose::relative(&a.pose, &b.pose), &ask)
                    .expect("answered");
                let apart = !answer.nearer.unwrap_or_else(|| answer.verdict.is_hit());
                let parted = parts(&mut parting, [&a, &b], room);
                seen.apart += usize::from(apart);
                seen.parted += usize::from(parted && apart);
                seen.wrong += usize::from(parted && !apart);
                if !parted {
                    parting.learn([&a, &b], room, apart);
                }
            }
        }
        seen
    }

    /// What parts is right, and found of most pairs. Without a new look at each step it is wrong.
    #[test]
    fn objects_that_are_parted_are_apart() {
        for room in [0.0, 0.05] {
            let seen = walk(room, Parting::parts);
            assert_eq!(seen.wrong, 0);
            assert!(seen.parted * 10 > seen.apart * 8, "{} of {}", seen.parted, seen.apart);
            assert!(seen.apart > 500 && seen.apart < 2_200, "{}", seen.apart);
            let blind = walk(room, |parting, _, _| parting.normal != [0.0; 3]);
            assert!(blind.wrong > 0);
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
                let sides = Sides::new(&a, &b, 0.0);
                let relative = Pose::relative(&a.pose, &b.pose);
                let models = [&a, &b].map(|object| &**object.shape.prepared());
                let (detector, mut answer) = (world.detector(), Answer::default());
                let memory = &mut detector.memory();
                let ask = Ask::first_contact();
                detector
                    .query(
                        models[0],
                        models[1],
                        &relative,
                        memory,
                        &ask,
                        &Control::NONE,
                        &mut answer,
                    )
                    .expect("answered");
                if answer.verdict.is_hit() {
                    let normal = unit(&Vector::repeat(1.0));
                    meet += 1;
                    let look = sides.look(&normal);
                    assert!(!look.are_apart());
                    without_room += usize::from(look.gap > 0.0);
                }
            }
        }
        assert!(meet > 300 && without_room > 0, "{meet}, {without_room}");
    }
}
