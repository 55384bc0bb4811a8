//! Cylinders, cones and ellipsoids: their farthest points, and what is proved of them beside exact
//! arithmetic.

use dashu_ratio::RBig;
use impinge_geometry::curved::Curved;
use impinge_geometry::gjk::{
    Cloud, Extreme, Overlap, Proved, Proximity, Solid, Support, Until, between, overlap,
};
use impinge_geometry::{Point, Pose, Vector};

use crate::support::{Random, big, dot, exact, exact_vector, minus};

const UNIT: f64 = f64::EPSILON / 2.0;

/// In [0, 1).
fn share(r: &mut Random) -> f64 {
    0.5 * (1.0 + r.unit())
}

/// Solids of all three kinds: fat, flat and long ones.
fn solids(r: &mut Random) -> [Curved; 3] {
    let mut length = || (share(r) + 0.1) * [1.0, 1.0, 1e-3, 30.0][r.below(4) as usize];
    [
        Curved::Cylinder { radius: length(), half: length() },
        Curved::Cone { radius: length(), half: length() },
        Curved::Ellipsoid { radii: [length(), length(), length()] },
    ]
}

/// Whether a point is in the solid, by rational arithmetic.
fn holds(body: &Curved, p: &Point) -> bool {
    let [x, y, z] = [p.x, p.y, p.z].map(big);
    let across = &x * &x + &y * &y;
    let zero = RBig::ZERO;
    match *body {
        Curved::Cylinder { radius, half } => {
            let (r, h) = (big(radius), big(half));
            across <= &r * &r && z <= h && -z <= h
        }
        Curved::Cone { radius, half } => {
            let (r, h) = (big(radius), big(half));
            // ρ · 2h ≤ r (h − z)
            let (down, two) = (&h - &z, RBig::from(2));
            let (left, right) = (&two * &h, &r * &down);
            down >= zero && -z <= h && across * &left * &left <= &right * &right
        }
        Curved::Ellipsoid { radii } => {
            let [a, b, c] = radii.map(big);
            let share = |x: &RBig, r: &RBig| (x * x) / (r * r);
            share(&x, &a) + share(&y, &b) + share(&z, &c) <= RBig::ONE
        }
    }
}

/// The same, rounded.
fn roughly_holds(body: &Curved, p: &Vector) -> bool {
    let across = p.x.hypot(p.y);
    match *body {
        Curved::Cylinder { radius, half } => across <= radius && p.z.abs() <= half,
        Curved::Cone { radius, half } => {
            across * 2.0 * half <= radius * (half - p.z) && p.z >= -half
        }
        Curved::Ellipsoid { radii } => p.component_div(&Vector::from(radii)).norm() <= 1.0,
    }
}

/// A point of the surface, up to rounding, in a random direction from the middle.
fn on_surface(body: &Curved, r: &mut Random) -> Point {
    let d = r.vector().component_mul(&body.reach());
    let mut low = 0.0;
    let mut high = 1e3;
    while high - low > 4.0 * UNIT * high {
        let middle = 0.5 * (low + high);
        if roughly_holds(body, &(d * middle)) { low = middle } else { high = middle }
    }
    Point::from(d * low)
}

fn beside(body: &Curved, p: &Point) -> (Overlap, Proximity) {
    let points = [*p];
    let cloud = || Cloud::new(&points).expect("a point");
    let near = between(&mut body.at_rest(), &mut cloud(), &p.coords, Until::Nearest);
    (overlap(&mut body.at_rest(), &mut cloud()), near)
}

#[test]
fn farthest_points_are_in_the_solid_and_none_is_farther() {
    let mut r = Random(1);
    for _ in 0..300 {
        for body in solids(&mut r) {
            let d = [r.vector(), Vector::z(), -Vector::z(), Vector::x() * 1e-200 - Vector::z()];
            for d in d.map(|d| d / d.amax()) {
                let p = body.farthest(&d);
                let inner = Point::from(p.coords * (1.0 - 16.0 * UNIT));
                assert!(
                    holds(&body, &inner) || matches!(body, Curved::Cone { .. }),
                    "{body:?} {d:?}"
                );
                let excess = body.at_rest().excess();
                for _ in 0..20 {
                    let x = on_surface(&body, &mut r);
                    assert!(d.dot(&x.coords) <= d.dot(&p.coords) + excess * d.abs().sum());
                }
            }
        }
    }
}

/// Points next to the farthest one that are in the solid too, and farther: by no more than the excess.
#[test]
fn what_is_farther_is_so_by_no_more_than_the_excess() {
    let (mut r, mut farther) = (Random(5), 0);
    for round in 0..300 {
        let (body, d) = (solids(&mut r)[round % 3], r.vector());
        let d = d / d.amax();
        let p = body.farthest(&d);
        let most = big(body.at_rest().excess()) * big(d.abs().sum());
        for k in 0..3 {
            let mut x = p;
            x[k] = if d[k] > 0.0 { x[k].next_up() } else { x[k].next_down() };
            if holds(&body, &x) {
                let more = dot(&exact_vector(&d), &minus(&exact(&x), &exact(&p)));
                assert!(more <= most, "{body:?} {d:?}");
                farther += u32::from(more > RBig::ZERO);
            }
        }
    }
    assert!(farther > 50, "{farther}");
}

/// A point a little in or out of the surface.
#[test]
fn nothing_proved_of_a_point_is_wrong() {
    let (mut r, mut proved) = (Random(2), [0; 3]);
    for round in 0..300 {
        for body in solids(&mut r) {
            let at = on_surface(&body, &mut r);
            let off = [0.0, 1e-15, 1e-14, 1e-12, 1e-9, 1e-3][round % 6];
            for sign in [-1.0, 1.0] {
                let p = Point::from(at.coords * (1.0 + sign * off));
                let (deep, near) = beside(&body, &p);
                let inside = holds(&body, &p);
                match deep.proved {
                    Proved::Meet => assert!(inside, "{body:?} {p:?}"),
                    Proved::Apart => assert!(!inside, "{body:?} {p:?}"),
                    Proved::Nothing => {
                        let reach = body.reach();
                        assert!(off * reach.amin() < 1e-11 * reach.amax(), "{body:?} {p:?} {off}");
                    }
                }
                assert!(!(near.apart() && inside), "{body:?} {p:?}");
                proved[deep.proved as usize] += 1;
            }
        }
    }
    assert!(proved.iter().all(|n| *n > 100), "{proved:?}");
}

/// Points that are off by more than they say are believed, and found out.
struct Shifted(Cloud<'static>, f64);

impl Support for Shifted {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        let mut found = self.0.farthest(d);
        found.point.coords *= self.1;
        found
    }

    fn excess(&self) -> f64 {
        self.0.excess()
    }
}

impl Solid for Shifted {
    fn off(&self) -> f64 {
        self.0.off()
    }
}

#[test]
fn points_that_are_off_by_more_than_they_say_are_noticed() {
    let (mut r, mut wrong) = (Random(3), 0);
    for _ in 0..50 {
        for body in solids(&mut r) {
            let points: &'static [Point] = vec![on_surface(&body, &mut r) * (1.0 + 1e-9)].leak();
            let cloud = Cloud::new(points).expect("a point");
            let found = overlap(&mut body.at_rest(), &mut Shifted(cloud, 1.0 - 1e-6));
            wrong += u32::from(found.proved == Proved::Meet && !holds(&body, &points[0]));
        }
    }
    assert!(wrong > 90, "{wrong}");
}

/// Balls beside balls: distances and depths are known.
#[test]
fn balls_are_as_deep_and_as_far_as_their_radii_say() {
    let mut r = Random(4);
    for _ in 0..300 {
        let [p, q] = [share(&mut r) + 0.1, share(&mut r) + 0.1];
        let [a, b] = [p, q].map(|radius| Curved::Ellipsoid { radii: [radius; 3] });
        let to = r.vector().normalize() * (p + q) * (0.05 + 1.5 * share(&mut r));
        let pose = Pose::new(*r.pose(0.0).rotation(), to).expect("a pose");
        let gap = to.norm() - p - q;
        let deep = overlap(&mut a.at_rest(), &mut b.posed(&pose));
        let near = between(&mut a.at_rest(), &mut b.posed(&pose), &to, Until::Nearest);
        if gap < 0.0 {
            assert_eq!(deep.proved, Proved::Meet);
            let off = (deep.on_a - deep.on_b - deep.direction * deep.depth).norm();
            let turned = (deep.direction - to.normalize()).norm();
            assert!((-1e-14..1e-5).contains(&(deep.depth + gap)), "{gap} {deep:?}");
            // All directions are nearly as good where the middles are near each other.
            let shallow = to.norm() > 0.4 * (p + q);
            assert!(
                !shallow || (deep.depth + gap < 1e-9 && off < 1e-3 && turned < 1e-3),
                "{deep:?}"
            );
            assert!(!near.apart());
        } else {
            assert_eq!(deep.proved, Proved::Apart);
            assert!(near.lower <= gap + 1e-14 && near.upper >= gap - 1e-14, "{gap} {near:?}");
            assert!(near.upper - near.lower < 1e-9, "{gap} {near:?}");
            assert!(near.at_most(&a.at_rest(), &b.posed(&pose)) >= gap);
        }
    }
}
/// Either of two solids may come first.
#[test]
fn depths_are_those_of_the_exchanged_solids() {
    let (mut r, mut deep) = (Random(9), [0; 2]);
    for _ in 0..200 {
        let (first, second) = (solids(&mut r), solids(&mut r));
        for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
            let reaches = [a.reach(), b.reach()];
            let small = reaches[0].amax().min(reaches[1].amax());
            let pose = Pose::new(*r.pose(0.0).rotation(), r.vector() * small).expect("a pose");
            let found = overlap(&mut a.at_rest(), &mut b.posed(&pose));
            let back = overlap(&mut b.posed(&pose), &mut a.at_rest());
            assert_eq!(found.proved, back.proved);
            if found.proved != Proved::Meet {
                continue;
            }
            let sum = reaches[0].amax() + reaches[1].amax();
            let off = (found.on_a - found.on_b - found.direction * found.depth).norm();
            let differ = (found.depth - back.depth).abs();
            let fat = reaches.iter().all(|reach| reach.amin() > 0.05 * sum);
            let (most, apart) = if fat { (1e-8, 1e-4) } else { (1e-4, f64::INFINITY) };
            assert!(differ < most * sum && off < apart * sum, "{a:?} {b:?} {found:?} {back:?}");
            deep[usize::from(fat)] += 1;
        }
    }
    assert!(deep[0] > 100 && deep[1] > 100, "{deep:?}");
}
