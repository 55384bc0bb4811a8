//! Triangles in one plane: those that are called apart share no point, also when corners are off by
//! all that their room allows.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

use super::widths;
use crate::kernel::sides;
use crate::kernel::triangles::{Four, reach};
use crate::simd::{Simd, Task};

/// Two fours, how far a corner of each may be off, together, and the pairs that are asked about.
struct Parted<'f>(&'f [Four; 2], f32, u32);

impl Task for Parted<'_> {
    type Out = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let [a, b] = self.0;
        sides::parted::<S>(a, b, &reach(a, b, self.1), self.2)
    }
}

/// The same with another bound on gaps.
struct Beyond<'f>(&'f [Four; 2], f32);

impl Task for Beyond<'_> {
    type Out = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        sides::apart_by::<S>(&self.0[0], &self.0[1], self.1, 0xffff)
    }
}

/// A plane of points with whole coordinates of at most 2²³, which 32 bits hold.
struct Plane([Vector; 3]);

impl Plane {
    fn new(random: &mut Random) -> Self {
        let whole = |random: &mut Random, most: f64| {
            Vector::from([0; 3].map(|_| random.range(-most, most).round()))
        };
        Self([whole(random, 1e6), whole(random, 1000.0), whole(random, 1000.0)])
    }

    fn at(&self, [s, t]: [f64; 2]) -> Point {
        let [origin, u, v] = self.0;
        Point::from(origin + u * s + v * t)
    }

    fn triangle(&self, at: [[f64; 2]; 3]) -> Triangle {
        at.map(|x| self.at(x))
    }

    /// Across the first side of a triangle, in the plane, away from its third corner.
    fn outward(&self, t: &Triangle) -> Vector {
        let normal = self.0[1].cross(&self.0[2]);
        let way = (t[1] - t[0]).cross(&normal);
        if way.dot(&(t[2] - t[0])) > 0.0 { -way } else { way }
    }
}

fn corner(random: &mut Random) -> [f64; 2] {
    [0; 2].map(|_| 2.0 * random.range(-400.0, 400.0).round())
}

/// Four triangles of a plane, and four more: half of these have a corner in the middle of the first
/// side of one of the others, and lie on the other side of it, so that they share that point alone.
fn case(random: &mut Random) -> (Plane, [[Triangle; 4]; 2]) {
    let plane = Plane::new(random);
    let p = [0; 4].map(|_| [0; 3].map(|_| corner(random)));
    let q = [0, 1, 2, 3].map(|i: usize| {
        let mut q = [0; 3].map(|_| corner(random));
        if i < 2 {
            let [a, b, c] = p[i];
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            let side = |x: [f64; 2]| (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
            q[0] = middle;
            for x in &mut q[1..] {
                if side(*x) * side(c) > 0.0 {
                    *x = [2.0 * middle[0] - x[0], 2.0 * middle[1] - x[1]];
                }
            }
        }
        plane.triangle(q)
    });
    let p = p.map(|t| plane.triangle(t));
    (plane, [p, q])
}

fn stored(four: &[Triangle; 4]) -> Four {
    let x = |k: usize, c: usize| [0, 1, 2, 3].map(|i: usize| four[i][k][c] as f32);
    Four([0, 1, 2].map(|c| [0, 1, 2, 2].map(|k| x(k, c))))
}

/// The pairs that share a point.
fn meeting([p, q]: &[[Triangle; 4]; 2]) -> u32 {
    (0..16).filter(|bit| triangles_meet(&p[bit / 4], &q[bit % 4])).map(|bit| 1 << bit).sum()
}

#[test]
fn what_sides_part_shares_no_point() {
    let mut random = Random::new(31);
    let (mut parted, mut apart, mut wrong) = (0, 0, 0);
    for index in 0..8_000 {
        let (_, triangles) = case(&mut random);
        let (fours, meet) = (triangles.each_ref().map(stored), meeting(&triangles));
        assert!(meet & 1 != 0 && meet & 1 << 5 != 0, "{index}: {triangles:?}");
        for width in widths() {
            let said = width.run(Parted(&fours, 0.0, 0xffff));
            assert_eq!(said & meet, 0, "{width}, {index}: {triangles:?}");
            // Whatever else is asked about, a pair has the same answer.
            let open = random.below(0x1_0000) as u32;
            let some = width.run(Parted(&fours, 0.0, open));
            assert_eq!((some & open, some & meet), (said & open, 0), "{width}, {index}: {open:x}");
            assert!(open != 0 || some == 0);
            parted += said.count_ones();
            apart += (!meet & 0xffff).count_ones();
            wrong += (width.run(Beyond(&fours, 0.0)) & meet).count_ones();
        }
    }
    println!("{parted} of {apart} that share no point; without a bound {wrong} are wrong");
    assert!(parted >= apart - apart / 1_000, "{parted} of {apart}");
    assert!(wrong > 1_000, "{wrong}");
}

/// Corners of both triangles are off by half the room each, along the worst direction or any. With less
/// room, some that share a point are called apart.
#[test]
fn sides_part_no_more_where_corners_are_off() {
    let mut random = Random::new(32);
    let (mut parted, mut wrong) = (0, [0u32; 2]);
    for index in 0..8_000 {
        let (plane, mut triangles) = case(&mut random);
        let meet = meeting(&triangles);
        let room = random.range(0.1, 4.0).exp2();
        for i in 0..2 {
            let away = plane.outward(&triangles[0][i]).map(f64::signum);
            let any = |random: &mut Random| {
                Vector::from([0; 3].map(|_| random.range(-1.0, 1.0).signum()))
            };
            let worst = random.chance(0.5);
            for (side, part) in [-0.5, 0.5].into_iter().enumerate() {
                for x in &mut triangles[side][i] {
                    *x += if worst { away } else { any(&mut random) } * (part * room);
                }
            }
        }
        let fours = triangles.each_ref().map(stored);
        for width in widths() {
            let said = width.run(Parted(&fours, room as f32 * 1.000_001, 0xffff));
            assert_eq!(said & meet, 0, "{width}, {index}, {room}: {triangles:?}");
            parted += said.count_ones();
            for (wrong, share) in wrong.iter_mut().zip([0.0, 0.5]) {
                let said = width.run(Parted(&fours, room as f32 * share, 0xffff));
                *wrong += (said & meet).count_ones();
            }
        }
    }
    println!("{parted} parted; without and with half the room {wrong:?} are wrong");
    assert!(parted > 50_000, "{parted}");
    assert!(wrong.iter().all(|n| *n > 1_000), "{wrong:?}");
}
