//! Splines agree with the NURBS Book: basis, conics, end points; invalid ones are refused by name.

use impinge_geometry::{Point, Vector};
use impinge_models::procedural::{
    ControlPoint, Knots, NURBS_MAX_DEGREE, NurbsCurve, NurbsSurface, ParameterError,
};
use impinge_models::{Motion, Random};

fn control(x: f64, y: f64, z: f64, weight: f64) -> ControlPoint {
    ControlPoint { point: Point::new(x, y, z), weight }
}

/// The quarter circle about the origin as a rational quadratic.
fn quarter() -> NurbsCurve {
    let knots = Knots::uniform(2, 3).unwrap();
    let middle = 0.5_f64.sqrt();
    let controls = vec![
        control(1.0, 0.0, 0.0, 1.0),
        control(1.0, 1.0, 0.0, middle),
        control(0.0, 1.0, 0.0, 1.0),
    ];
    NurbsCurve::new(knots, controls).unwrap()
}

#[test]
fn a_quarter_circle_is_round_to_two_ulps() {
    let arc = quarter();
    let mut worst = 0.0_f64;
    for k in 0..=1000 {
        let p = arc.at(f64::from(k) / 1000.0);
        worst = worst.max((p.coords.norm() - 1.0).abs());
        assert!(p.x >= 0.0 && p.y >= 0.0 && p.z == 0.0);
    }
    println!("off the circle by at most {:.1} ulps", worst / f64::EPSILON);
    assert!(worst <= 2.0 * f64::EPSILON, "{worst:e}");
    assert_eq!((arc.at(0.0), arc.at(1.0)), (Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)));
    // With other weights it is not a circle, so the test above can fail.
    let knots = Knots::uniform(2, 3).unwrap();
    let plain =
        vec![control(1.0, 0.0, 0.0, 1.0), control(1.0, 1.0, 0.0, 1.0), control(0.0, 1.0, 0.0, 1.0)];
    let parabola = NurbsCurve::new(knots, plain).unwrap();
    assert!((parabola.at(0.5).coords.norm() - 1.0).abs() > 0.05);
}

#[test]
fn a_full_circle_of_four_arcs_is_round_across_its_knots() {
    let [w, o] = [0.5_f64.sqrt(), 1.0];
    let knots = vec![0.0, 0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0, 1.0];
    let corners = [
        (1.0, 0.0, o),
        (1.0, 1.0, w),
        (0.0, 1.0, o),
        (-1.0, 1.0, w),
        (-1.0, 0.0, o),
        (-1.0, -1.0, w),
        (0.0, -1.0, o),
        (1.0, -1.0, w),
        (1.0, 0.0, o),
    ];
    let controls = corners.map(|(x, y, weight)| control(3.0 * x, 3.0 * y, 2.0, weight));
    let circle = NurbsCurve::new(Knots::new(2, knots).unwrap(), controls.to_vec()).unwrap();
    for k in 0..=1000 {
        let p = circle.at(f64::from(k) / 1000.0);
        assert!((p.x.hypot(p.y) - 3.0).abs() <= 8.0 * f64::EPSILON && p.z == 2.0, "{p}");
    }
}

#[test]
fn basis_functions_have_the_values_of_the_book() {
    // The NURBS Book, example 2.3: degree 2, at 5/2.
    let knots = vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 5.0];
    let basis = Knots::new(2, knots).unwrap().basis(2.5);
    assert_eq!(basis, [0.0, 0.0, 0.125, 0.75, 0.125, 0.0, 0.0, 0.0]);
    // Without inner knots they are the Bernstein polynomials.
    let basis = Knots::uniform(3, 4).unwrap().basis(0.25);
    assert_eq!(basis, [27.0 / 64.0, 27.0 / 64.0, 9.0 / 64.0, 1.0 / 64.0]);
}

#[test]
fn basis_functions_are_a_partition_of_unity() {
    let mut random = Random::new(8);
    for case in 0..300 {
        let degree = 1 + random.below(NURBS_MAX_DEGREE as u64) as usize;
        let mut knots = vec![0.0; degree + 1];
        for _ in 0..random.below(8) {
            let last = knots[knots.len() - 1];
            let next: f64 = last + random.range(0.01, 1.0);
            let times = 1 + random.below(degree as u64) as usize;
            knots.extend(std::iter::repeat_n(next, times));
        }
        let end = knots[knots.len() - 1] + 1.0;
        knots.extend(std::iter::repeat_n(end, degree + 1));
        let knots = Knots::new(degree, knots).unwrap();
        for _ in 0..50 {
            let basis = knots.basis(random.range(-0.1 * end, 1.1 * end));
            let sum: f64 = basis.iter().sum();
            assert!((sum - 1.0).abs() < 1e-14, "case {case}: {sum}");
            assert!(basis.iter().all(|&b| b >= 0.0), "case {case}");
            assert!(basis.iter().filter(|&&b| b > 0.0).count() <= degree + 1);
        }
        let ends = [knots.basis(0.0)[0], *knots.basis(end).last().unwrap()];
        assert!(ends.iter().all(|value| (value - 1.0).abs() < 1e-15), "{ends:?}");
    }
}

#[test]
fn splines_over_grevilles_abscissae_are_straight_and_follow_rigid_motions() {
    let (u, v) = (Knots::uniform(2, 5).unwrap(), Knots::uniform(3, 9).unwrap());
    let mut random = Random::new(4);
    let mut controls = Vec::new();
    for row in 0..9 {
        for column in 0..5 {
            let (x, y) = (u.greville(column), v.greville(row));
            controls.push(control(x, y, 2.0 * x - y, 1.0));
        }
    }
    let plane = NurbsSurface::new(u.clone(), v.clone(), controls.clone()).unwrap();
    let motion = Motion::still(random.turned_to(Vector::new(1.0, -2.0, 0.5)));
    let pose = motion.at(0);
    for control in &mut controls {
        control.point.z += random.range(-0.3, 0.3);
        control.weight = random.range(0.5, 4.0);
    }
    let surface = NurbsSurface::new(u.clone(), v.clone(), controls.clone()).unwrap();
    let moved = controls.iter().map(|c| ControlPoint { point: pose.apply(&c.point), ..*c });
    let moved = NurbsSurface::new(u, v, moved.collect()).unwrap();
    for _ in 0..200 {
        let (s, t) = (random.unit(), random.unit());
        assert!((plane.at(s, t) - Point::new(s, t, 2.0 * s - t)).amax() < 1e-15);
        assert!((pose.apply(&surface.at(s, t)) - moved.at(s, t)).amax() < 1e-14);
    }
}

#[test]
fn parameters_outside_the_domain_count_as_its_ends() {
    let arc = quarter();
    for (outside, end) in [(-1.0, 0.0), (f64::NEG_INFINITY, 0.0), (f64::NAN, 0.0), (7.0, 1.0)] {
        assert_eq!(arc.at(outside), arc.at(end));
    }
}

#[test]
fn huge_and_tiny_splines_stay_finite() {
    for size in [1e100, 1e-99] {
        let knots = Knots::new(2, vec![0.0, 0.0, 0.0, size, size, size]).unwrap();
        let controls = vec![
            control(1e100, 0.0, 0.0, 1e100),
            control(1e100, -1e100, 0.0, 1e-100),
            control(0.0, 1e-100, 0.0, 1e100),
        ];
        let curve = NurbsCurve::new(knots, controls).unwrap();
        for k in 0..=10 {
            let p = curve.at(size * f64::from(k) / 10.0);
            assert!(p.iter().all(|c| c.is_finite()), "{p}");
        }
    }
}

#[test]
fn wrong_splines_are_refused_by_name() {
    let line = || Knots::uniform(1, 2).unwrap();
    let ends = vec![control(0.0, 0.0, 0.0, 1.0); 2];
    let with = |change: fn(&mut ControlPoint)| {
        let mut controls = ends.clone();
        change(&mut controls[1]);
        NurbsCurve::new(line(), controls).unwrap_err()
    };
    let refusals: [(ParameterError, &str); 13] = [
        (Knots::new(0, vec![0.0, 1.0]).unwrap_err(), "nurbs: degree"),
        (Knots::new(NURBS_MAX_DEGREE + 1, vec![0.0; 40]).unwrap_err(), "nurbs: degree"),
        (Knots::new(2, vec![0.0; 5]).unwrap_err(), "nurbs: knots"),
        (Knots::new(1, vec![0.0, 0.0, f64::NAN, 1.0]).unwrap_err(), "nurbs: knot is NaN"),
        (Knots::new(1, vec![0.0, 0.0, 2.0, 1.0, 3.0, 3.0]).unwrap_err(), "nurbs: knot is 1"),
        (Knots::new(1, vec![0.0, 0.5, 1.0, 1.0]).unwrap_err(), "nurbs: knot is 0"),
        (Knots::new(1, vec![0.0; 4]).unwrap_err(), "nurbs: knot is 0"),
        (Knots::new(1, vec![0.0, 0.0, 0.5, 0.5, 1.0, 1.0]).unwrap_err(), "nurbs: knot is 0.5"),
        (Knots::uniform(3, 3).unwrap_err(), "nurbs: points"),
        (Knots::uniform(3, usize::MAX).unwrap_err(), "nurbs: triangles"),
        (NurbsCurve::new(line(), ends[1..].to_vec()).unwrap_err(), "nurbs: points"),
        (with(|c| c.weight = 0.0), "nurbs: weight"),
        (with(|c| c.point.x = f64::INFINITY), "nurbs: coordinate"),
    ];
    for (error, start) in refusals {
        assert!(error.to_string().starts_with(start), "{error}: {start}");
    }
}
