//! Poses: rigid or refused; exact ones keep every bit; one fixed way to round.

use impinge_geometry::{Point, Pose, PoseError, Vector};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion};

fn rotation(x: f64, y: f64, z: f64) -> Matrix3<f64> {
    UnitQuaternion::from_euler_angles(x, y, z).to_rotation_matrix().into_inner()
}

fn off(pose: &Pose) -> f64 {
    (pose.rotation().transpose() * pose.rotation() - Matrix3::identity()).amax()
}

#[test]
fn exact_rotations_keep_their_bits() {
    let quarter = Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let pose = Pose::new(quarter, Vector::new(0.1, 0.2, 0.3)).expect("a rotation");
    assert_eq!(*pose.rotation(), quarter);
    assert_eq!(pose.apply(&Point::new(1.0, 2.0, 3.0)), Point::new(-2.0 + 0.1, 1.2, 3.3));
    assert_eq!(Pose::identity().apply(&Point::new(0.1, 0.2, 0.3)), Point::new(0.1, 0.2, 0.3));
}

#[test]
fn what_is_orthonormal_to_four_ulps_is_kept_and_no_more() {
    let longer = |ulps: f64| {
        let mut r = Matrix3::identity();
        r[(0, 0)] += ulps * f64::EPSILON;
        (Pose::new(r, Vector::zeros()).expect("close enough"), r)
    };
    let (kept, r) = longer(2.0);
    assert_eq!(*kept.rotation(), r, "its square is off by four");
    let (turned, r) = longer(3.0);
    assert!(*turned.rotation() != r && off(&turned) < 2.0 * f64::EPSILON);
}

#[test]
fn slightly_skew_rotations_are_renormalised_and_worse_ones_refused() {
    let good = rotation(0.3, -1.2, 2.5);
    for error in [1e-15, 1e-12, 1e-9, 4e-7] {
        let pose = Pose::new(good * (1.0 + error), Vector::zeros()).expect("close enough");
        assert!(off(&pose) <= 8.0 * f64::EPSILON / 2.0, "{error:e}: {:e}", off(&pose));
        assert!((pose.rotation() - good).amax() < 1e-6);
    }
    let scaled = Pose::new(good * 1.001, Vector::zeros());
    assert!(matches!(scaled, Err(PoseError::NotOrthonormal { .. })));
    let sheared = good * Matrix3::new(1.0, 1e-3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    assert!(matches!(Pose::new(sheared, Vector::zeros()), Err(PoseError::NotOrthonormal { .. })));
    assert_eq!(Pose::new(-good, Vector::zeros()), Err(PoseError::Mirrored));
    let zero = Pose::new(Matrix3::zeros(), Vector::zeros());
    assert!(matches!(zero, Err(PoseError::NotOrthonormal { .. })));
}

#[test]
fn the_tolerances_are_what_they_are_said_to_be() {
    // A rotation scaled by 1 + e is off by 2 e, and so is the squared norm of a quaternion.
    let good = rotation(0.3, -1.2, 2.5);
    let scaled = |off: f64| Pose::new(good * (1.0 + off / 2.0), Vector::zeros());
    assert!(scaled(0.98e-6).is_ok() && scaled(1.02e-6).is_err());
    assert!(scaled(-0.98e-6).is_ok() && scaled(-1.02e-6).is_err());
    let q = UnitQuaternion::from_euler_angles(0.3, -1.2, 2.5).into_inner();
    let quaternion = |off: f64| {
        let q = (q * (1.0 + off / 2.0)).coords;
        Pose::from_quaternion([0.0; 3], [q.x, q.y, q.z, q.w])
    };
    assert!(quaternion(0.98e-3).is_ok() && quaternion(1.02e-3).is_err());
    assert!(quaternion(-0.98e-3).is_ok() && quaternion(-1.02e-3).is_err());
}

#[test]
fn numbers_that_are_none_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, 1e301] {
        let part = |r: Result<Pose, PoseError>| match r {
            Err(PoseError::NotFinite { part, .. }) => part,
            other => panic!("{other:?}"),
        };
        let mut r = Matrix3::identity();
        assert_eq!(part(Pose::translation_by(Vector::new(0.0, bad, 0.0))), "translation");
        r[(1, 2)] = bad;
        assert_eq!(part(Pose::new(r, Vector::zeros())), "rotation");
        assert_eq!(
            part(Pose::from_quaternion([bad, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])),
            "translation"
        );
        assert_eq!(part(Pose::from_quaternion([0.0; 3], [0.0, bad, 0.0, 1.0])), "rotation");
    }
    let zero = Pose::from_quaternion([0.0; 3], [0.0; 4]);
    assert!(matches!(zero, Err(PoseError::NotOrthonormal { .. })));
    let nan = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
    let iso = Isometry3::from_parts(nalgebra::Translation3::identity(), nan);
    assert!(Pose::try_from(iso).is_err());
}

#[test]
fn inverse_and_chain_undo_each_other() {
    let pose = Pose::new(rotation(0.3, -1.2, 2.5), Vector::new(3.0, -4.0, 5.0)).expect("a pose");
    let other = Pose::new(rotation(1.0, 0.4, -0.7), Vector::new(-1.0, 0.5, 9.0)).expect("a pose");
    let p = Point::new(0.7, -0.2, 1.9);
    assert!((pose.inverse().apply(&pose.apply(&p)) - p).amax() < 1e-14);
    let chained = pose.then_inner(&other).apply(&p);
    assert!((chained - pose.apply(&other.apply(&p))).amax() < 1e-14);
    let relative = Pose::relative(&pose, &other);
    assert!((pose.apply(&relative.apply(&p)) - other.apply(&p)).amax() < 1e-14);
    let iso = Pose::try_from(pose.to_isometry()).expect("rigid");
    assert!((iso.apply(&p) - pose.apply(&p)).amax() < 1e-14);
}

#[test]
fn relative_poses_do_not_feel_how_far_away_both_are() {
    let far = Vector::new(3e8, -5e8, 1e9);
    let at = |angle: f64, t: [f64; 3], by: Vector| {
        Pose::new(rotation(angle, -1.2, 2.5), Vector::from(t) + by).expect("a pose")
    };
    // Differences of a few bits, which the sums do not round.
    let [a, b] = [[0.25, -4.0, 5.5], [1.0, 0.5, -0.75]];
    let [near, away] =
        [Vector::zeros(), far].map(|by| Pose::relative(&at(0.3, a, by), &at(1.9, b, by)));
    assert_eq!(near, away);
}

#[test]
fn long_chains_stay_rigid() {
    let step = Pose::new(rotation(0.01, 0.02, -0.03), Vector::zeros()).expect("a pose");
    let mut pose = Pose::identity();
    for _ in 0..100_000 {
        pose = pose.then_inner(&step);
    }
    assert!(off(&pose) <= 8.0 * f64::EPSILON / 2.0, "{:e}", off(&pose));
}

#[test]
fn products_of_quarter_turns_are_exact() {
    let zero_one = |i: usize| [1.0, -1.0].map(|sign| Vector::ith(i, sign));
    let mut turns = Vec::new();
    for (x, y) in (0..3).flat_map(|i| (0..3).filter(move |j| *j != i).map(move |j| (i, j))) {
        for (x, y) in zero_one(x).into_iter().flat_map(|x| zero_one(y).map(|y| (x, y))) {
            let columns = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            turns.push(Pose::new(columns, Vector::new(1.0, 2.0, 4.0)).expect("a rotation"));
        }
    }
    assert_eq!(turns.len(), 24);
    let whole = |pose: &Pose| pose.rotation().iter().all(|x| [0.0, 1.0, -1.0].contains(x));
    for (a, b) in turns.iter().flat_map(|a| turns.iter().map(move |b| (a, b))) {
        for made in [a.then_inner(b), Pose::relative(a, b)] {
            assert!(whole(&made), "{made:?}");
            assert!(turns.iter().any(|turn| turn.rotation() == made.rotation()), "{made:?}");
        }
        assert_eq!(a.then_inner(&Pose::relative(a, b)), *b);
    }
}

#[test]
fn every_pose_is_orthonormal_to_the_bound_that_volume_tests_rely_on() {
    let mut state = 1u64;
    let mut angle = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 6.3
    };
    let (mut worst, mut before) = (0.0f64, Pose::identity());
    for i in 0..50_000 {
        let r = rotation(angle(), angle(), angle());
        let skew = Matrix3::from_fn(|_, _| angle() - 3.15) * [0.0, 1e-15, 1e-10, 1e-7][i % 4];
        let pose = Pose::new(r + skew, Vector::zeros()).expect("close to a rotation");
        worst = worst.max(off(&pose));
        worst = worst.max(off(&before.then_inner(&pose))).max(off(&Pose::relative(&before, &pose)));
        before = pose;
    }
    assert!(worst <= 8.0 * f64::EPSILON / 2.0, "{worst:e}");
}
