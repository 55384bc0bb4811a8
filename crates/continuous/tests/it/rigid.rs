//! Sweeps whose outcome is known, at the ends of the range, and with each option.

use impinge_continuous::geometry::{Mesh, Point, Pose, Vector};
use impinge_continuous::query::{Cancel, Control, Detector, Meaning, QueryError};
use impinge_continuous::rigid::{RigidMotion, Sweep, SweepError, SweepOptions, Swept, sweep};
use impinge_hierarchy::methods::aabb_refit;
use impinge_models::{Random, Shape};

pub(crate) fn asked(
    meshes: [&Mesh; 2],
    motion: &RigidMotion,
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Swept, SweepError> {
    let detector: &dyn Detector = &aabb_refit();
    let prepare = |mesh| detector.prepare(mesh, &Control::NONE).expect("prepared");
    let [a, b] = meshes.map(prepare);
    sweep(detector, [&a, &b], motion, options, control)
}

fn swept(a: &Mesh, b: &Mesh, motion: &RigidMotion, options: &SweepOptions) -> Swept {
    asked([a, b], motion, options, &Control::NONE).expect("an answer")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("in range")
}

/// A turn about z by parts of half a turn, and a place.
fn turned(halves: f64, place: [f64; 3]) -> Pose {
    let angle = 0.5 * halves * std::f64::consts::PI;
    Pose::from_quaternion(place, [0.0, 0.0, angle.sin(), angle.cos()]).expect("a rotation")
}

fn of_boxes(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let cube = Shape::Cube.mesh(12, 0);
    let place =
        |p: &Point| Point::from(Vector::from_fn(|k, _| if p[k] < 0.0 { low[k] } else { high[k] }));
    cube.with_vertices(cube.vertices().iter().map(place).collect()).expect("as many")
}

/// The interval of a contact, which is as narrow as asked.
fn interval(swept: &Swept, width: f64) -> [f64; 2] {
    let Sweep::Touching { low, high, .. } = swept.outcome else { panic!("{swept:?}") };
    assert!(low <= high && high - low <= width, "{swept:?}");
    [low, high]
}

#[test]
fn a_cube_falls_on_a_plate() {
    let plate = of_boxes([-2.0, -2.0, -0.25], [2.0, 2.0, 0.0]);
    let cube = Shape::Cube.mesh(12, 0);
    let motion = RigidMotion::new(&at(0.25, 0.0, 3.0), &at(0.25, 0.0, -1.0)).expect("in range");
    for power in [10, 20, 40] {
        let options = SweepOptions { width: 0.5f64.powi(power), ..SweepOptions::default() };
        let found = swept(&plate, &cube, &motion, &options);
        let [low, high] = interval(&found, options.width);
        assert!(low <= 0.625 && 0.625 <= high, "{found:?}");
        // Its speed is known in the direction in which the distance is, so that nothing is wasted.
        assert!(found.distances <= 6, "{found:?}");
        let Sweep::Touching { distance, triangles, .. } = found.outcome else { unreachable!() };
        assert!(distance == 0.0 && triangles.is_some(), "{found:?}");
    }
}

#[test]
fn a_bar_that_turns_hits_a_post_at_its_angle() {
    // It reaches from x = 0 to x = 4, 1 thick; its upper edge y = 1/2 reaches the post's corner (0, 2) as the
    // bar points along y but for the angle whose sine is 1/4.
    let bar = of_boxes([0.0, -0.5, -0.5], [4.0, 0.5, 0.5]);
    let post = of_boxes([-1.0, 2.0, -1.0], [0.0, 2.5, 1.0]);
    let angle = std::f64::consts::FRAC_PI_2 - 0.25_f64.asin();
    for (halves, course) in [(0.75, 0), (0.75, 1), (1.0, 0), (1.0, 1), (0.5, 0), (0.4, 1)] {
        let [start, end] = [turned(0.0, [0.0; 3]), turned(halves, [0.0; 3])];
        let motion = if course == 0 { RigidMotion::new } else { RigidMotion::screw };
        let motion = motion(&start, &end).expect("in range");
        let options = SweepOptions::default();
        let found = swept(&post, &bar, &motion, &options);
        let time = angle / (halves * std::f64::consts::PI);
        if time > 1.0 {
            assert!(matches!(found.outcome, Sweep::Free { .. }), "{found:?}");
            continue;
        }
        let [low, high] = interval(&found, options.width);
        assert!(low <= time + 1e-15 && time - 1e-15 <= high, "{time}: {found:?}");
    }
}

#[test]
fn a_ball_that_spins_in_a_shell_never_touches() {
    let ball = Shape::Sphere.mesh(500, 0);
    let shell = Shape::Sphere.mesh(500, 0).scaled(1.25).expect("in range");
    let mut random = Random::new(0x5917);
    for _ in 0..5 {
        let [start, end] = [0, 1].map(|_| random.turned_to(Vector::zeros()));
        let motion = RigidMotion::new(&start, &end).expect("in range");
        let found = swept(&shell, &ball, &motion, &SweepOptions::default());
        let Sweep::Free { gap, nearest } = found.outcome else { panic!("{found:?}") };
        assert!(0.0 < gap && gap <= nearest && nearest < 0.125, "{found:?}");
        let solids = SweepOptions { meaning: Meaning::Solids, ..SweepOptions::default() };
        let found = swept(&shell, &ball, &motion, &solids);
        assert_eq!(interval(&found, 0.0), [0.0, 0.0]);
    }
}

#[test]
fn bodies_that_touch_at_an_end_are_found_there() {
    let cube = Shape::Cube.mesh(12, 0);
    let [near, far] = [at(1.0, 0.0, 0.0), at(3.0, 0.0, 0.0)];
    let options = SweepOptions::default();
    let leaves = RigidMotion::new(&near, &far).expect("in range");
    let found = swept(&cube, &cube, &leaves, &options);
    assert_eq!((interval(&found, 0.0), found.distances), ([0.0, 0.0], 1));
    let comes = RigidMotion::new(&far, &near).expect("in range");
    let found = swept(&cube, &cube, &comes, &options);
    let [_, high] = interval(&found, options.width);
    assert_eq!(high, 1.0, "{found:?}");
    let short = RigidMotion::new(&far, &at(1.0 + f64::EPSILON, 0.0, 0.0)).expect("in range");
    let found = swept(&cube, &cube, &short, &options);
    assert!(!found.outcome.is_touching(), "{found:?}");
}

#[test]
fn a_body_at_rest_takes_one_question() {
    let cube = Shape::Cube.mesh(12, 0);
    let pose = Random::new(4).turned_to(Vector::new(3.0, 0.0, 0.0));
    for motion in [RigidMotion::new, RigidMotion::screw] {
        let motion = motion(&pose, &pose).expect("in range");
        let found = swept(&cube, &cube, &motion, &SweepOptions::default());
        let Sweep::Free { gap, nearest } = found.outcome else { panic!("{found:?}") };
        assert!(found.distances == 1 && gap > 0.4 * nearest, "{found:?}");
    }
}

#[test]
fn nearness_is_found_to_the_asked_distance() {
    let plate = of_boxes([-2.0, -2.0, -0.25], [2.0, 2.0, 0.0]);
    let cube = Shape::Cube.mesh(12, 0);
    let motion = RigidMotion::new(&at(0.0, 0.0, 4.5), &at(0.0, 0.0, 0.5625)).expect("in range");
    let with = |near: f64| SweepOptions { near, ..SweepOptions::default() };
    // It ends 1/16 above the plate; equal counts as near.
    for (near, time) in [(0.0625, 1.0), (0.25, 3.75 / 3.9375), (2.0, 2.0 / 3.9375), (4.0, 0.0)] {
        let found = swept(&plate, &cube, &motion, &with(near));
        let [low, high] = interval(&found, with(near).width);
        assert!(low <= time && time <= high && found.comparisons > 0, "{near}: {found:?}");
        let Sweep::Touching { distance, .. } = found.outcome else { unreachable!() };
        assert!(0.0 < distance && distance <= near, "{found:?}");
    }
    // What is as near, but for rounding, is soon left.
    let found = swept(&plate, &cube, &motion, &with(0.0625_f64.next_down()));
    let Sweep::Undecided { low, high, .. } = found.outcome else { panic!("{found:?}") };
    assert!(high == 1.0 && high - low < 1e-9 && found.distances < 40, "{found:?}");
    for near in [0.0, 0.05, 0.0624] {
        let found = swept(&plate, &cube, &motion, &with(near));
        let Sweep::Free { gap, nearest } = found.outcome else { panic!("{found:?}") };
        assert!(near <= gap && gap <= 0.0625 && nearest >= 0.0625, "{found:?}");
    }
}

#[test]
fn a_budget_that_ends_leaves_what_is_known() {
    // A cube slides over a bumpy mesh, close to it.
    let ground = Shape::Sphere.mesh(2_000, 0).scaled(8.0).expect("in range");
    let cube = Shape::Cube.mesh(12, 0).scaled(0.1).expect("in range");
    let [start, end] = [turned(0.0, [0.0, 0.0, 0.0]), turned(1.0, [0.0, 0.0, 0.0])];
    let away = Point::new(4.0525, 0.0, 0.0);
    let cube = cube.with_vertices(cube.vertices().iter().map(|p| p + away.coords).collect());
    let cube = cube.expect("as many");
    let motion = RigidMotion::new(&start, &end).expect("in range");
    let with = |budget| SweepOptions { budget, ..SweepOptions::default() };
    let few = swept(&ground, &cube, &motion, &with(8));
    let Sweep::Undecided { low, high, nearest } = few.outcome else { panic!("{few:?}") };
    assert!(few.distances == 8 && 0.0 < low && low < high && high < 1.0, "{few:?}");
    let many = swept(&ground, &cube, &motion, &with(2_000));
    let Sweep::Free { gap, nearest: less } = many.outcome else { panic!("{many:?}") };
    assert!(0.0 < gap && gap <= less && less <= nearest && many.distances > 8, "{many:?}");
    // At least one question, and a contact that is known is told.
    let none = swept(&ground, &cube, &motion, &with(0));
    assert!(none.distances == 1 && matches!(none.outcome, Sweep::Undecided { .. }), "{none:?}");
    let plate = of_boxes([-2.0, -2.0, -0.25], [2.0, 2.0, 0.0]);
    let falls = RigidMotion::new(&at(0.0, 0.0, 9.0), &at(0.0, 0.0, 0.0)).expect("in range");
    let early = swept(&plate, &Shape::Cube.mesh(12, 0), &falls, &with(2));
    assert_eq!(interval(&early, 1.0)[1], 1.0);
}

/// Only times before the motion's own numbers reach the ends of the range differ.
#[test]
fn a_power_of_two_as_unit_changes_no_time() {
    let mut random = Random::new(0x5ca1e);
    for case in 0..12 {
        let shapes = [Shape::Torus, Shape::Gear, Shape::Hand];
        let meshes = [0, 1].map(|k| shapes[(case + k) % 3].mesh(200, 0));
        let from = random.unit_vector() * 1.2;
        let to = random.in_ball() * 1.5 - from;
        let poses = [from, to].map(|place| random.turned_to(place));
        let one = |power: i32| {
            let unit = 2f64.powi(power);
            let meshes = meshes.each_ref().map(|mesh| mesh.scaled(unit).expect("in range"));
            let [start, end] = poses
                .map(|pose| Pose::new(*pose.rotation(), pose.translation() * unit).expect("fine"));
            let motion = RigidMotion::screw(&start, &end).expect("in range");
            let found = swept(&meshes[0], &meshes[1], &motion, &SweepOptions::default());
            match found.outcome {
                Sweep::Touching { low, high, .. } => (Some([low, high]), found.distances),
                Sweep::Free { gap, .. } => (Some([gap / unit; 2]), found.distances),
                Sweep::Undecided { .. } => (None, found.distances),
            }
        };
        let plain = one(0);
        assert!(plain.0.is_some(), "{case}");
        for power in [-332, -20, 332] {
            assert_eq!(one(power), plain, "{case}: 2^{power}");
        }
    }
}

#[test]
fn the_ends_of_the_range_are_no_panic_and_no_wrong_verdict() {
    let cube = Shape::Cube.mesh(12, 0);
    for unit in [5e-324, 1e-300, 1e150, 1e200, 1e299] {
        let body = cube.scaled(unit).expect("in range");
        let start = Pose::translation_by(Vector::new(2.0 * unit, 0.0, 0.0)).expect("in range");
        let end = turned(0.75, [-2.0 * unit, 0.0, 0.0]);
        let motion = RigidMotion::new(&start, &end).expect("in range");
        let options = SweepOptions { budget: 60, ..SweepOptions::default() };
        let found = swept(&body, &body, &motion, &options);
        assert!(!matches!(found.outcome, Sweep::Free { .. }), "{unit}: {found:?}");
        let apart = turned(0.75, [2.0 * unit, 0.0, 0.0]);
        let beside = RigidMotion::new(&start, &apart).expect("in range");
        let found = swept(&body, &body, &beside, &options);
        assert!(!found.outcome.is_touching(), "{unit}: {found:?}");
    }
    let far = at(-9e299, 0.0, 0.0);
    assert!(RigidMotion::new(&far, &at(9e299, 0.0, 0.0)).is_err());
}

#[test]
fn single_triangles_cross() {
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Point::from).to_vec();
    let flat = Mesh::new(flat, vec![[0, 1, 2]]).expect("a triangle");
    let point = Mesh::new(vec![Point::new(1.0, 1.0, 0.0)], vec![[0, 0, 0]]).expect("a point");
    let motion = RigidMotion::new(&at(0.0, 0.0, 1.0), &at(0.0, 0.0, -3.0)).expect("in range");
    let found = swept(&flat, &point, &motion, &SweepOptions::default());
    // It is in the triangle for a moment only, which no pose need hit, and never comes closer than it is.
    assert!(!matches!(found.outcome, Sweep::Free { .. }), "{found:?}");
    if let Sweep::Undecided { low, high, nearest } = found.outcome {
        assert!(low <= 0.25 && 0.25 <= high && nearest < 1e-8, "{found:?}");
        assert!(high - low < 1e-8 && found.distances < 60, "{found:?}");
    }
    let needle = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [1.0, 1.0, 2.0]].map(Point::from).to_vec();
    let needle = Mesh::new(needle, vec![[0, 1, 2]]).expect("a segment");
    let found = swept(&flat, &needle, &motion, &SweepOptions::default());
    let [low, high] = interval(&found, SweepOptions::default().width);
    assert!(low <= 0.25 && 0.25 <= high, "{found:?}");
}

/// A triangle falls through one that is parallel to it, which no pose need hit, and then onto a box. The
/// answer begins before the first, since nothing tells that they do not touch there, and ends after the second,
/// as narrowly as was asked.
#[test]
fn a_contact_after_a_graze_is_as_narrow_as_asked_and_no_narrower() {
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Point::from).to_vec();
    let flat = Mesh::new(flat, vec![[0, 1, 2]]).expect("a triangle");
    let below = of_boxes([1.0, 1.0, -2.5], [1.5, 1.5, -1.75]);
    let both = Mesh::union([&flat, &below]).expect("in range");
    let motion = RigidMotion::new(&at(0.1, 0.0, 1.0), &at(0.1, 0.0, -2.0)).expect("in range");
    for power in [10, 20, 30] {
        let options = SweepOptions { width: 0.5f64.powi(power), ..SweepOptions::default() };
        let alone = [&flat, &below].map(|mesh| swept(mesh, &flat, &motion, &options));
        let found = swept(&both, &flat, &motion, &options);
        assert!(matches!(alone[0].outcome, Sweep::Undecided { .. }), "{alone:?}");
        let [first, second] = [1.0 / 3.0, 2.75 / 3.0];
        let Sweep::Touching { low, high, .. } = found.outcome else { panic!("{found:?}") };
        assert!(first - options.width <= low && low <= first, "{found:?}");
        assert!(second <= high && high <= second + options.width, "{found:?}");
        // Both are left and reached by a question a bit; more would be asked for digits that nobody wants.
        assert!(found.distances < 20 + power as u32, "{found:?}");
    }
}

#[test]
fn a_caller_who_has_gone_gets_no_answer() {
    let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(300, 0));
    let mut random = Random::new(9);
    let [start, end] = [1.5, -0.5].map(|x| random.turned_to(Vector::new(x, 0.0, 0.0)));
    let motion = RigidMotion::new(&start, &end).expect("in range");
    let options = SweepOptions::default();
    let with =
        |cancel: &Cancel| asked([&a, &b], &motion, &options, &Control::NONE.cancelled_by(cancel));
    let watch = Cancel::at_look(u64::MAX);
    let found = with(&watch).expect("not cancelled");
    let looks = watch.looks().expect("counted").number;
    assert!(looks > u64::from(found.distances), "{looks}");
    for look in 1..=looks {
        let error = with(&Cancel::at_look(look)).expect_err("cancelled");
        assert!(matches!(error, SweepError::Query(QueryError::Cancelled(_))), "{look}: {error}");
    }
}

/// Then any contact will do, but there must be one.
#[test]
fn widths_of_more_than_the_motion_are_answered() {
    let cube = Shape::Cube.mesh(12, 0);
    let through = RigidMotion::new(&at(3.0, 0.3, 0.0), &at(-3.0, 0.3, 0.0)).expect("in range");
    let past = RigidMotion::new(&at(3.0, 1.1, 0.0), &at(-3.0, 1.1, 0.0)).expect("in range");
    for motion in [through, past] {
        let with = |width| {
            let options = SweepOptions { width, ..SweepOptions::default() };
            swept(&cube, &cube, &motion, &options)
        };
        let one = with(1.0);
        assert!(!matches!(one.outcome, Sweep::Undecided { .. }), "{one:?}");
        for width in [1.5, 700.0, 1024.0, 1e6, f64::MAX] {
            assert_eq!(with(width), one, "{width}");
        }
    }
    assert!(swept(&cube, &cube, &through, &SweepOptions::default()).outcome.is_touching());
}

#[test]
fn options_that_are_no_numbers_are_refused() {
    let cube = Shape::Cube.mesh(12, 0);
    let motion = RigidMotion::new(&at(3.0, 0.0, 0.0), &at(2.0, 0.0, 0.0)).expect("in range");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        for options in [
            SweepOptions { near: bad, ..SweepOptions::default() },
            SweepOptions { width: bad, ..SweepOptions::default() },
        ] {
            let error = asked([&cube, &cube], &motion, &options, &Control::NONE);
            assert!(matches!(error, Err(SweepError::Option { .. })), "{options:?}");
        }
    }
    let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).expect("fine");
    let solids = SweepOptions { meaning: Meaning::Solids, ..SweepOptions::default() };
    let error = asked([&cube, &open], &motion, &solids, &Control::NONE);
    assert!(matches!(error, Err(SweepError::Query(QueryError::NotClosed { .. }))));
}
