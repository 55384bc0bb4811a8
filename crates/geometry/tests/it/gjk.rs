//! GJK against exhaustive search over triangles; its separation proofs against exact arithmetic.

use impinge_geometry::convex::{AtRest, ConvexBody, Posed};
use impinge_geometry::gjk::{Cloud, MAX_ITERATIONS, Proximity, Support, Until, between};
use impinge_geometry::volume::{ConvexHull, HullShape};
use impinge_geometry::{Mesh, Point, Pose, Vector, triangle};

use crate::support::{Exact, Random, big, dot, exact, minus};

const UNIT: f64 = f64::EPSILON / 2.0;

/// The convex hull of `points`.
fn hull_mesh(points: &[Point]) -> Mesh {
    let hull = ConvexHull::fit_points(points).expect("points");
    let HullShape::Solid { vertices, faces } = hull.shape() else { panic!("a solid") };
    Mesh::new(vertices.clone(), faces.clone()).expect("a mesh")
}

/// Hulls of five kinds: balls of points, boxes, needles, plates, lattice points.
fn body(r: &mut Random, kind: u64) -> Mesh {
    let squeeze = match kind % 5 {
        2 => Vector::new(1.0, 1e-4, 1e-4),
        3 => Vector::new(1.0, 1.0, 1e-5),
        _ => Vector::repeat(1.0),
    };
    let n = 5 + r.below(40);
    let mut points: Vec<Point> = (0..n)
        .map(|_| match kind % 5 {
            0 => Point::from(r.vector().normalize()),
            4 => r.lattice_point(2) * 0.5,
            _ => r.point(),
        })
        .map(|p| Point::from(p.coords.component_mul(&squeeze)))
        .collect();
    if kind % 5 == 1 {
        points = (0..8)
            .map(|k| Point::from(Vector::from_fn(|i, _| f64::from(k >> i & 1) - 0.5)))
            .collect();
    }
    // Random lattice points may be coplanar; these four are not.
    for corner in [Vector::zeros(), Vector::x(), Vector::y(), Vector::z()] {
        points.push(Point::from(corner.component_mul(&squeeze)));
    }
    hull_mesh(&points)
}

/// The smallest distance over all pairs of triangles.
fn exhaustive(a: &Mesh, b: &Mesh) -> f64 {
    let q: Vec<_> = b.corners().collect();
    a.corners()
        .flat_map(|p| q.iter().map(move |q| triangle::distance(&p, q).0))
        .fold(f64::INFINITY, f64::min)
}

fn run(a: &ConvexBody, b: &ConvexBody, pose: &Pose, start: &Vector, until: Until) -> Proximity {
    between(&mut AtRest::new(a, 0), &mut Posed::new(b, pose, 0), start, until)
}

/// Whether `d · (q − p) > 0` for every pair of vertices, in rational arithmetic.
fn separates(d: &Vector, a: &Mesh, posed: &Mesh) -> bool {
    let d: Exact = exact(&Point::from(*d));
    let highest = a.vertices().iter().map(|p| dot(&d, &exact(p))).max();
    let lowest = posed.vertices().iter().map(|p| dot(&d, &exact(p))).min();
    lowest > highest
}

/// Seeded pairs of bodies with poses; about half of them are apart.
fn cases(seed: u64, n: u64) -> impl Iterator<Item = (Mesh, Mesh, Pose)> {
    let mut r = Random(seed);
    (0..n).map(move |k| {
        let (a, b) = (body(&mut r, k), body(&mut r, k / 5));
        let reach = if k % 5 == 2 || k / 5 % 5 == 2 { 1.0 } else { 1.9 };
        (a, b, r.pose(reach))
    })
}

#[test]
fn distances_are_those_of_an_exhaustive_search() {
    let (mut apart, mut all, mut most) = (0, 0, 0);
    for (a, b, pose) in cases(61, 500) {
        let posed = b.posed(&pose).expect("in range");
        let truth = exhaustive(&a, &posed);
        let bodies = [&a, &b].map(|m| ConvexBody::new(m).expect("a hull is convex"));
        let found = run(&bodies[0], &bodies[1], &pose, &Vector::x(), Until::Nearest);
        let size = a.max_abs_coordinate() + b.max_abs_coordinate() + pose.translation().amax();
        all += 1;
        most = most.max(found.iterations);
        assert!(found.lower <= truth + 32.0 * UNIT * size, "{found:?} {truth:e}");
        if found.apart() {
            apart += 1;
            assert!(separates(&found.direction, &a, &posed));
            assert!((found.upper - truth).abs() <= 32.0 * UNIT * size, "{found:?} {truth:e}");
            assert!(truth - found.lower <= 128.0 * UNIT * size, "{found:?} {truth:e}");
            let gap = (found.on_b - found.on_a).norm();
            assert!((gap - found.upper).abs() <= 32.0 * UNIT * size, "{gap:e} {found:?}");
        }
    }
    assert!((0.3..0.7).contains(&(f64::from(apart) / f64::from(all))), "{apart} of {all} apart");
    assert!(most < MAX_ITERATIONS / 2, "{most} iterations");
}

#[test]
fn a_support_function_that_falls_short_is_noticed() {
    /// A faulty support function: every third call answers for the opposite direction.
    struct Lazy<'b>(AtRest<'b>, u32);
    impl Support for Lazy<'_> {
        fn farthest(&mut self, d: &Vector) -> impinge_geometry::gjk::Extreme {
            self.1 += 1;
            let d = if self.1.is_multiple_of(3) { -d } else { *d };
            self.0.farthest(&d)
        }
        fn excess(&self) -> f64 {
            0.0
        }
    }
    let (mut wrong_proofs, mut wrong_distances) = (0, 0);
    for (a, b, pose) in cases(61, 100) {
        let posed = b.posed(&pose).expect("in range");
        let bodies = [&a, &b].map(|m| ConvexBody::new(m).expect("a hull is convex"));
        let mut lazy = Lazy(AtRest::new(&bodies[0], 0), 0);
        let mut other = Posed::new(&bodies[1], &pose, 0);
        let found = between(&mut lazy, &mut other, &Vector::x(), Until::Nearest);
        wrong_proofs += u32::from(found.apart() && !separates(&found.direction, &a, &posed));
        wrong_distances += u32::from(found.upper - exhaustive(&a, &posed) > 1e-9);
    }
    assert!(wrong_proofs > 5 && wrong_distances > 5, "{wrong_proofs} {wrong_distances}");
}

#[test]
fn proofs_hold_within_rounding_of_contact() {
    let (mut proved, mut undecided, mut all) = (0, 0, 0);
    for (k, (a, b, pose)) in cases(62, 300).enumerate() {
        // Move B to touch A, then a few units of rounding to either side.
        let bodies = [&a, &b].map(|m| ConvexBody::new(m).expect("a hull is convex"));
        let found = run(&bodies[0], &bodies[1], &pose, &Vector::x(), Until::Nearest);
        if !found.apart() {
            continue;
        }
        all += 1;
        let ulps = [-64.0, -4.0, 0.0, 4.0, 64.0, 512.0][k % 6] * UNIT;
        let along = (found.on_b - found.on_a).normalize();
        let t = pose.translation() - along * (found.upper - ulps);
        let near = Pose::new(*pose.rotation(), t).expect("a pose");
        let posed = b.posed(&near).expect("in range");
        for until in [Until::Apart, Until::Nearest] {
            let found = run(&bodies[0], &bodies[1], &near, &along, until);
            if found.apart() {
                proved += 1;
                assert!(separates(&found.direction, &a, &posed), "{found:?}");
            } else {
                undecided += 1;
            }
        }
    }
    assert!(all > 80 && proved > 20 && undecided > 100, "{all} {proved} {undecided}");
}

/// Far from their origins, posed vertices round coarsely, and so does a direction turned into B's
/// frame. Without the allowance for that error, some separation proofs are wrong.
#[test]
fn proofs_need_the_allowance_for_posing() {
    struct Overconfident<'b>(Posed<'b>);
    impl Support for Overconfident<'_> {
        fn farthest(&mut self, d: &Vector) -> impinge_geometry::gjk::Extreme {
            self.0.farthest(d)
        }
        fn excess(&self) -> f64 {
            0.0
        }
    }
    let (mut proofs, mut wrong) = (0, 0);
    let mut r = Random(68);
    for k in 0..400 {
        // Both bodies touch the plane through `home` with normal `n`, from opposite sides.
        let n = r.vector().normalize();
        let (home, pose) = (r.point() * 1000.0, r.pose(0.0));
        let center = pose.apply(&home);
        let there = Pose::new(*pose.rotation(), -center.coords).expect("a pose");
        let back = pose.rotation().transpose() * n;
        // Half of the points lie in the plane up to rounding, the others off it.
        let cloud = |r: &mut Random, from: Point, n: &Vector| -> Mesh {
            let flat = |v: Vector| v - n * v.dot(n);
            let point = |i: u32| match i {
                0 => from,
                1..6 => from + flat(r.vector()),
                _ => from + flat(r.vector()) + n * (0.1 + r.unit().abs()),
            };
            hull_mesh(&(0..12).map(point).collect::<Vec<_>>())
        };
        let a = cloud(&mut r, Point::origin(), &-n);
        let b = cloud(&mut r, home, &back);
        let shift = n * (f64::from(k % 8) * 25_000.0 * UNIT);
        let near = Pose::new(*there.rotation(), there.translation() + shift).expect("a pose");
        let posed = b.posed(&near).expect("in range");
        let bodies = [&a, &b].map(|m| ConvexBody::new(m).expect("a hull is convex"));
        let found = run(&bodies[0], &bodies[1], &near, &n, Until::Apart);
        proofs += u32::from(found.apart());
        assert!(!found.apart() || separates(&found.direction, &a, &posed), "{found:?}");
        let mut bold = Overconfident(Posed::new(&bodies[1], &near, 0));
        let found = between(&mut AtRest::new(&bodies[0], 0), &mut bold, &n, Until::Apart);
        wrong += u32::from(found.apart() && !separates(&found.direction, &a, &posed));
    }
    println!("{proofs} proofs, {wrong} wrong without the allowance");
    assert!(wrong > 0, "the attack does not reach the bound");
}

#[test]
fn scaling_by_powers_of_two_scales_the_answer() {
    let mut compared = 0;
    for (a, b, pose) in cases(63, 60) {
        let answer = |k: i32| {
            let s = 2f64.powi(k);
            let bodies = [&a, &b].map(|m| {
                ConvexBody::new(&m.scaled(s).expect("in range")).expect("a hull is convex")
            });
            let pose = Pose::new(*pose.rotation(), pose.translation() * s).expect("a pose");
            let found = run(&bodies[0], &bodies[1], &pose, &Vector::y(), Until::Nearest);
            (found.upper / s, found.lower / s)
        };
        let (upper, lower) = answer(0);
        for k in [-950, -500, 500, 990] {
            let (u, l) = answer(k);
            let close = |x: f64, y: f64| (x - y).abs() <= 1e-12;
            assert!(close(u, upper) && close(l, lower), "2^{k}: {u:e} {upper:e} {l:e} {lower:e}");
        }
        compared += u32::from(lower > 0.0);
    }
    assert!(compared > 15, "{compared}");
}

#[test]
fn decimal_scales_and_huge_beside_tiny() {
    for s in [1e-300, 1e-150, 1e150, 1e299] {
        let mut r = Random(64);
        let (a, b) = (body(&mut r, 0).scaled(s), body(&mut r, 1).scaled(s));
        let [a, b] = [a, b].map(|m| ConvexBody::new(&m.expect("in range")).expect("convex"));
        let pose = Pose::translation_by(Vector::new(3.0 * s, s, 0.0)).expect("finite");
        let found = run(&a, &b, &pose, &Vector::x(), Until::Apart);
        assert!(found.apart(), "{s:e}");
        assert!(!run(&a, &b, &Pose::identity(), &Vector::x(), Until::Apart).apart());
    }
    let small = body(&mut Random(65), 0).scaled(1e-150).expect("in range");
    let large = body(&mut Random(65), 1).scaled(1e150).expect("in range");
    let [small, large] = [small, large].map(|m| ConvexBody::new(&m).expect("convex"));
    let pose = Pose::translation_by(Vector::new(3e150, 0.0, 0.0)).expect("finite");
    assert!(run(&small, &large, &pose, &Vector::y(), Until::Nearest).apart());
    assert!(!run(&small, &large, &Pose::identity(), &Vector::y(), Until::Nearest).apart());
}

#[test]
fn identical_and_contained_bodies_are_never_proved_apart() {
    for k in 0..50 {
        let mesh = body(&mut Random(k), k);
        let inner = mesh.scaled(0.125).expect("in range");
        let [whole, inner] = [&mesh, &inner].map(|m| ConvexBody::new(m).expect("convex"));
        for other in [&whole, &inner] {
            for start in [Vector::zeros(), Vector::x(), Vector::repeat(f64::NAN)] {
                let found = run(&whole, other, &Pose::identity(), &start, Until::Nearest);
                assert!(!found.apart() && found.iterations < MAX_ITERATIONS, "{found:?}");
            }
        }
    }
}

#[test]
fn runs_end_as_soon_as_the_question_is_answered() {
    let mut sooner = 0;
    for (a, b, pose) in cases(66, 100) {
        let [a, b] = [&a, &b].map(|m| ConvexBody::new(m).expect("convex"));
        let whole = run(&a, &b, &pose, &Vector::x(), Until::Nearest);
        if !whole.apart() {
            continue;
        }
        let (near, far) = (whole.upper * 1.5, whole.lower * 0.5);
        let below = run(&a, &b, &pose, &Vector::x(), Until::Outside { near: 0.0, far });
        assert!(below.lower > far);
        let above = run(&a, &b, &pose, &Vector::x(), Until::Outside { near, far: f64::INFINITY });
        assert!(above.upper <= near);
        let again = run(&a, &b, &pose, &whole.direction, Until::Apart);
        assert_eq!(again.iterations, 1, "the last direction still separates");
        sooner += u32::from(below.iterations < whole.iterations);
    }
    assert!(sooner > 10, "{sooner}");
}

#[test]
fn clouds_are_their_hulls() {
    let mut r = Random(67);
    let mut apart = 0;
    for _ in 0..200 {
        let shift = r.vector() * 1.7;
        let p: Vec<Point> = (0..20).map(|_| r.point()).collect();
        let q: Vec<Point> = (0..20).map(|_| r.point() + shift).collect();
        let truth = exhaustive(&hull_mesh(&p), &hull_mesh(&q));
        let (mut a, mut b) = (Cloud::new(&p).expect("points"), Cloud::new(&q).expect("points"));
        let found = between(&mut a, &mut b, &shift, Until::Nearest);
        if found.apart() {
            apart += 1;
            assert!((found.upper - truth).abs() < 1e-14 && found.lower <= truth);
        }
        let d: Exact = exact(&Point::from(found.direction));
        let gap = minus(&exact(&found.on_b), &exact(&found.on_a));
        assert!(!found.apart() || dot(&d, &gap) > big(0.0));
    }
    assert!((60..140).contains(&apart), "{apart}");
    assert!(Cloud::new(&[]).is_none() && Cloud::new(&[Point::new(0.0, f64::NAN, 0.0)]).is_none());
}

/// The cost of a run is its number of steps. These are measured counts; a change that needs more
/// steps must fail here.
#[test]
fn runs_take_no_more_steps_than_they_did() {
    let (mut nearest, mut apart, mut outside) = (0, 0, 0);
    for (a, b, pose) in cases(69, 300) {
        let [a, b] = [&a, &b].map(|m| ConvexBody::new(m).expect("convex"));
        let steps = |until: Until| run(&a, &b, &pose, &Vector::x(), until).iterations;
        nearest += steps(Until::Nearest);
        apart += steps(Until::Apart);
        outside += steps(Until::Outside { near: 0.2, far: 0.1 });
    }
    println!("{nearest} {apart} {outside} steps");
    assert!(nearest <= NEAREST && apart <= APART && outside <= OUTSIDE);
}

const NEAREST: u32 = 1797;
const APART: u32 = 1134;
const OUTSIDE: u32 = 983;
