//! Boxes with the line between their middles upright on a face of each, which touch there or are a little apart.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector, exact};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Statistics};
use nalgebra::Matrix3;

use super::*;
use crate::wide;

fn model(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("not cancelled")
}

fn turn(random: &mut Random) -> Matrix3<f64> {
    *random.turned_to(Vector::zeros()).rotation()
}

/// A box with these axes and half-lengths.
fn block(middle: &Vector, axes: &Matrix3<f64>, half: [f64; 3]) -> Mesh {
    let sign = |n: usize, k: usize| if n >> k & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |n| (0..3).map(|k| axes.column(k) * (sign(n, k) * half[k])).sum::<Vector>();
    let corners = (0..8).map(|n| Point::from(middle + corner(n))).collect();
    let sides =
        (0..3u32).flat_map(|k| [0, 1 << k].map(|at| (at, 1 << ((k + 1) % 3), 1 << ((k + 2) % 3))));
    let triangles =
        sides.flat_map(|(at, u, v)| [[at, at + u, at + v], [at + u, at + v, at + u + v]]);
    Mesh::new(corners, triangles.collect()).expect("legal")
}

/// Two boxes with faces against each other.
struct Faces {
    models: [WideModel; 2],
    pose: Pose,
    /// The larger of their sizes.
    size: f64,
    /// The largest coordinate, in that size.
    coordinate: f64,
}

impl Faces {
    /// A gap between the faces of so many sizes, and of so many units of rounding of the largest coordinate. Half
    /// of them have the one's axes along those of space, so that its box is exact, and the other's middle at
    /// the origin.
    fn new(random: &mut Random, scale: f64, gap: f64, roundings: f64) -> Self {
        let [a, b] = [0; 2].map(|_| scale * 10f64.powf(random.range(-2.0, 2.0)));
        let size = a.max(b);
        let far = 10f64.powf(random.range(-2.0, 13.0));
        let upright = random.chance(0.5);
        let [of_a, mut of_b] = [0; 2].map(|_| random.vector(-1.0, 1.0) * (far * size));
        let (mut axes, pose) = (turn(random), turn(random));
        if upright {
            (axes, of_b) = (Matrix3::identity(), Vector::zeros());
        }
        let (sin, cos) = random.range(0.0, 3.0).sin_cos();
        let roll = Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
        let mut half = |size: f64| [size, size, size].map(|x| x * random.range(0.5, 1.0));
        let (half_a, half_b) = (half(a), half(b));
        let axes_b = pose.transpose() * axes * roll;
        let way: Vector = axes.column(0).into();
        let [face_a, face_b] = [of_a + way * half_a[0], of_b - axes_b.column(0) * half_b[0]];
        let coordinate = far.max(1.0);
        let between = gap * size + roundings * coordinate * size * f64::EPSILON;
        let t = face_a - pose * face_b + way * between;
        let meshes = [block(&of_a, &axes, half_a), block(&of_b, &axes_b, half_b)];
        let models = meshes.map(|mesh| model(&mesh));
        let pose = Pose::new(pose, t).expect("a rotation");
        Self { models, pose, size, coordinate }
    }

    fn triangles(&self) -> [Vec<Triangle>; 2] {
        let of = |k: usize| {
            let mesh = self.models[k].mesh();
            (0..12).map(|t| mesh.triangle(t)).collect::<Vec<Triangle>>()
        };
        let posed = of(1).iter().map(|t| t.map(|x| self.pose.apply(&x))).collect();
        [of(0), posed]
    }

    /// The exact answer for the posed corners.
    fn meet(&self) -> bool {
        let [a, b] = self.triangles();
        a.iter().any(|p| b.iter().any(|q| exact::triangles_meet(p, q)))
    }

    fn within(&self, distance: f64) -> bool {
        let [a, b] = self.triangles();
        a.iter().any(|p| b.iter().any(|q| exact::within(p, q, distance)))
    }

    fn models(&self) -> [&WideModel; 2] {
        self.models.each_ref()
    }

    /// Whether they would be apart without the pad.
    fn apart_without_pad(&self) -> bool {
        let offset = CenterOffset::new(&self.pose, self.models().map(|model| &model.tree.frame));
        offset.along(self.models().map(|model| &model.root), 0.0).gap > 0.0
    }
}

/// Models that meet by exact arithmetic are never apart, wherever they are and however large. Without the pad some
/// are.
#[test]
fn models_that_touch_on_the_line_are_not_apart() {
    let mut random = Random::new(81);
    let (mut met, mut wrong, cases) = (0, 0, 6_000);
    for case in 0..cases {
        let scale = [1.0, 1e-140, 1e120][case % 3];
        let roundings = random.range(-1.0, 1.0);
        let faces = Faces::new(&mut random, scale, 0.0, roundings);
        if faces.meet() {
            met += 1;
            let near = Placement::unless_apart(&faces.pose, faces.models(), &mut ());
            assert!(near.is_some(), "case {case}: {:?}", faces.pose);
            wrong += u32::from(faces.apart_without_pad());
        }
    }
    println!("{met} of {cases} meet, {wrong} of these are apart without the pad");
    assert!((cases * 3 / 10..cases * 7 / 10).contains(&met), "{met} of {cases} meet");
    assert!(wrong > 20, "{wrong}");
}

/// No point of a box with rounded axes is higher than its end, which is told by its corners. Without the slack some
/// are.
#[test]
fn ends_hold_for_rounded_axes() {
    let mut random = Random::new(85);
    let (mut wrong, mut most) = (0, 0.0f64);
    for case in 0..20_000 {
        let axes = turn(&mut random).map(|x| f64::from(x as f32));
        let half = [0; 3].map(|_| 10f64.powf(random.range(-3.0, 0.0)));
        let slack = AXES * half.iter().sum::<f64>();
        let arms = [0, 1, 2].map(|j| (axes.row(j) * half[j]).transpose().into());
        let root = RootBox { middle: [0.0; 3], arms, slack };
        let way = match case % 2 {
            0 => random.unit_vector(),
            _ => axes.row(case % 3).transpose().normalize(),
        };
        // All `y` with `|a_j · y| ≤ half_j`: the highest is a corner.
        let inverse = axes.try_inverse().expect("axes");
        let truth: f64 = (0..3).map(|j| half[j] * way.dot(&inverse.column(j)).abs()).sum();
        let told = root.end(&way.into(), 1.0);
        assert!(truth <= told, "case {case}: {truth} {told}");
        wrong += u32::from(truth > told - slack);
        most = most.max((truth - (told - slack)) / slack);
    }
    println!("{wrong} of 20,000 are higher without the slack, by at most {most:.3} of it");
    assert!(wrong > 1_000 && most > 0.1, "{wrong} {most}");
}

/// Models are told apart if their gap is a ten-thousandth of the larger and some units of rounding.
#[test]
fn models_a_little_apart_are_told_apart() {
    let mut random = Random::new(82);
    for case in 0..3_000 {
        let scale = [1.0, 1e-140, 1e120][case % 3];
        let faces = Faces::new(&mut random, scale, 1e-4, 6_000.0);
        assert!(!faces.meet());
        let mut counted = Some(Statistics::default());
        let near = Placement::unless_apart(&faces.pose, faces.models(), &mut counted);
        assert!(near.is_none(), "case {case}, {:e} away: {:?}", faces.coordinate, faces.pose);
        assert!(counted.is_some_and(|counted| counted.volume_tests <= 1));
    }
}

/// No model is beyond a distance that exact arithmetic finds it within, and all are beyond one that is
/// hardly less than the gap.
#[test]
fn models_are_beyond_what_is_less_than_their_distance() {
    let mut random = Random::new(83);
    let (mut within, mut beyond) = (0, 0);
    for case in 0..3_000 {
        let scale = [1.0, 1e-140, 1e120][case % 3];
        let gap = 10f64.powf(random.range(-3.5, 6.0));
        let faces = Faces::new(&mut random, scale, gap, 0.0);
        let is_beyond = |times: f64, less: f64| {
            let distance = (gap * times - less) * faces.size;
            let told = Placement::is_beyond(&faces.pose, faces.models(), distance, &mut ());
            (told, faces.within(distance))
        };
        let given = 1e-4 + 6_000.0 * faces.coordinate.max(gap) * f64::EPSILON;
        for times in [1.0 + 1e-15, 1.0, 1.0 - 1e-15, 1.5] {
            let (told, truth) = is_beyond(times, 0.0);
            within += u32::from(truth);
            assert!(!(told && truth), "case {case}: {times} times {gap:e}");
        }
        let (told, truth) = is_beyond(1.0, given);
        beyond += u32::from(gap > given);
        assert!(!truth && told, "case {case}: {gap:e}, {given:e}, {:?}", faces.pose);
    }
    println!("{within} within, {beyond} beyond more than nothing");
    assert!(within > 5_000 && beyond > 2_000, "{within}, {beyond}");
}

/// Distances and vectors whose squares are too large tell nothing wrong.
#[test]
fn numbers_that_are_too_large_say_nothing() {
    let cube = Shape::Cube.mesh(12, 0);
    let small = model(
        &cube.with_vertices(cube.vertices().iter().map(|p| p * 1e-100).collect()).expect("finite"),
    );
    for x in [1e60, 1e100, 1e140] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range");
        let beyond = |d| Placement::is_beyond(&pose, [&small; 2], d, &mut ());
        assert!(
            !beyond(x * 1.001) && !beyond(f64::MAX) && !beyond(f64::INFINITY) && !beyond(f64::NAN)
        );
    }
}

/// No corner is higher along any vector than the end, and the end is no higher than the box but for the slack.
#[test]
fn ends_are_those_of_the_box() {
    let mut random = Random::new(84);
    let mut beside = 0;
    for (n, shape) in [Shape::Torus, Shape::Hand, Shape::Gear, Shape::Cube].into_iter().enumerate()
    {
        let mesh = shape.mesh(2_000, n as u64);
        let model = model(&mesh);
        let (frame, scale) = (model.tree.frame, model.tree.frame.scale());
        let short =
            RootBox { arms: model.root.arms.map(|arm| arm.map(|x| x * 0.99)), ..model.root };
        for case in 0..200 {
            let way: [f64; 3] = match case {
                0..3 => Vector::from(model.root.arms[case]).normalize().into(),
                _ => random.unit_vector().into(),
            };
            let heights = mesh.vertices().iter().map(|p| dot(&frame.enter(scale, p), &way));
            let most = heights.fold(f64::NEG_INFINITY, f64::max);
            let end = model.root.end(&way, 1.0);
            assert!(most <= end, "{shape:?}: {most} {end}");
            beside += u32::from(most > short.end(&way, 1.0));
            let reach: f64 = (0..3).map(|j| dot(&model.root.arms[j], &way).abs()).sum();
            let exact = dot(&model.root.middle, &way) + reach;
            assert!(end > exact && end < exact + 3e-6, "{shape:?}: {exact} {end}");
        }
    }
    assert!(beside >= 8, "{beside} ends of shorter boxes are too low");
}

/// Copies, refits and rebuilds keep the box of the tree's root.
#[test]
fn the_box_is_that_of_the_tree_after_a_refit() {
    let mesh = Shape::Torus.mesh(3_000, 0);
    let mut model = model(&mesh);
    let (a, mut answer) = (model.clone(), Answer::default());
    let aside = Pose::translation_by(Vector::x() * 40.0).expect("finite");
    let mut meets = |model: &WideModel| {
        let ask = Ask::first_contact();
        let memory = &mut wide().memory();
        wide().query(&a, model, &aside, memory, &ask, &Control::NONE, &mut answer).expect("legal");
        answer.verdict.is_hit()
    };
    let reach = (mesh.bounds().1 - mesh.bounds().0).amax();
    assert!(reach < 20.0 && !meets(&model));
    // The first refit leaves a tree that is too costly, the second builds another.
    for (step, stretch) in [100.0, 110.0, 1.0].into_iter().enumerate() {
        let moved =
            mesh.vertices().iter().map(|p| Point::new(p.x * stretch, p.y, p.z)).collect::<Vec<_>>();
        wide().refit(&mut model, &moved, &Control::NONE).expect("as many");
        let [found, fresh] = [model.root, RootBox::of(&model.tree)];
        assert_eq!(format!("{found:?}"), format!("{fresh:?}"), "step {step}");
        assert_eq!(meets(&model), stretch > 1.0, "step {step}");
    }
}
