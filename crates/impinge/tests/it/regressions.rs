//! Small meshes on which a method once gave a wrong answer, for every exact method that accepts
//! them.

use impinge::geometry::exact::Meeting;
use impinge::query::Control;
use impinge::{Answer, Ask, Body, Contact, Kind, Mesh, Method, Pair, Point, Pose, Verdict};

fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    let vertices = vertices.iter().map(|&p| Point::from(p)).collect();
    Mesh::new(vertices, triangles.to_vec()).expect("a mesh")
}

fn one(corners: [[f64; 3]; 3]) -> Mesh {
    mesh(&corners, &[[0, 1, 2]])
}

/// The answers of every exact method that accepts the meshes, in order and with one memory; `None`
/// for a question that the method does not answer.
fn ask_all(a: &Mesh, b: &Mesh, pose: &Pose, asks: &[Ask]) -> Vec<(Method, Vec<Option<Answer>>)> {
    let exact = Method::all().iter().filter(|method| method.kind() == Kind::Exact);
    let mut all = Vec::new();
    for &method in exact {
        let body = |mesh| Body::with(method, mesh, &Control::NONE).ok();
        let Some((a, b)) = body(a).zip(body(b)) else { continue };
        let mut pair = Pair::of(&a, &b).expect("one method");
        let answer = |ask: &Ask| {
            let listed = method.description().check(ask).is_ok();
            listed.then(|| pair.ask(pose, ask).expect("listed").clone())
        };
        all.push((method, asks.iter().map(answer).collect()));
    }
    assert!(all.len() >= 16, "{} methods", all.len());
    all
}

/// Segments that share a corner: the leaf pipeline's box tests ignored the query's pad.
#[test]
fn segments_that_share_a_corner_meet() {
    let p = [1.499_771_495_457_244_3, 1.499_872_374_660_903_3, 1.500_107_792_550_580_8];
    let q = [1.500_156_852_674_356_5, 1.499_968_877_424_696_4, 1.499_984_705_982_408];
    let r = [1.5, 1.5, 1.5];
    let a = mesh(&[p, p, q, q, q, r], &[[0, 1, 2], [3, 4, 5]]);
    let s = [1.499_807_612_535_044, 1.499_831_315_104_616_5, 1.500_187_811_316_876];
    let t = [1.500_072_645_853_949_5, 1.500_121_742_295_246_4, 1.499_840_323_322_883_9];
    let u = [1.500_129_298_707_247_6, 1.500_079_355_872_902_4, 1.500_045_781_316_776];
    let b = mesh(&[s, t, t, t, r, u], &[[0, 1, 2], [3, 4, 5]]);
    let asks = [Ask::first_contact(), Ask::all_contacts()];
    for (method, answers) in ask_all(&a, &b, &Pose::identity(), &asks) {
        for answer in answers.iter().flatten() {
            assert_eq!(answer.verdict, Verdict::Intersecting, "{method}");
            assert_eq!(answer.contacts, [Contact { a: 1, b: 1 }], "{method}");
        }
    }
}

/// "Nearer than zero" after a distance: the remembered pair was used as an upper bound of zero.
#[test]
fn what_is_apart_is_not_nearer_than_zero() {
    let a = one([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let b = one([[0.3, 0.3, 1e-200], [0.3, 0.3, 1.0], [0.4, 0.3, 1.0]]);
    let asks = [0.0, 1e-201, 1e-200, 1.0].map(Ask::nearer_than);
    let asks = [&[Ask::distance()], &asks[..], &[Ask::distance()]].concat();
    for (method, answers) in ask_all(&a, &b, &Pose::identity(), &asks) {
        for (ask, answer) in asks.iter().zip(&answers) {
            let Some(answer) = answer else { continue };
            assert_eq!(answer.verdict, Verdict::Separated, "{method} {ask:?}");
            // Positive, within the error of a distance.
            let told = |d: f64| d > 0.0 && d < 1e-15;
            assert!(answer.nearest.is_none_or(|n| told(n.distance)), "{method} {answer:?}");
        }
        let nearer: Vec<bool> = answers.iter().flatten().filter_map(|a| a.nearer).collect();
        assert!(nearer.is_empty() || nearer == [false, false, true, true], "{method} {nearer:?}");
    }
}

/// Coordinates of a few 5e-324 in a rotated pose: the rounding error of posed vertices is absolute
/// there.
#[test]
fn triangles_of_a_few_steps_meet_in_a_turned_pose() {
    let a = one([
        [2e-323, 1.5e-323, -2.5e-323],
        [1e-323, 1e-323, -2e-323],
        [-2.5e-323, -1e-323, -2.5e-323],
    ]);
    let b =
        one([[-1.5e-323, 1e-323, 0.0], [-2e-323, -2e-323, 2.5e-323], [2.5e-323, 2e-323, -2e-323]]);
    let turn = [
        0.246_284_539_481_725_74,
        0.520_916_936_844_966_5,
        -0.588_301_420_478_888_7,
        -0.567_354_306_569_407_6,
    ];
    let pose = Pose::from_quaternion([-2.5e-323, 5e-324, -1e-323], turn).expect("a rotation");
    let asks = [
        Ask::first_contact(),
        Ask::all_contacts(),
        Ask::distance(),
        Ask::nearer_than(0.0),
        Ask::first_contact(),
    ];
    for (method, answers) in ask_all(&a, &b, &pose, &asks) {
        for answer in answers.iter().flatten() {
            assert_eq!(answer.verdict, Verdict::Intersecting, "{method}");
            assert!(answer.nearest.is_none_or(|n| n.distance == 0.0), "{method}");
            assert_ne!(answer.nearer, Some(false), "{method}");
        }
    }
}

/// Three edge crossings that round to equal points: the kind was derived from the rounded points.
#[test]
fn the_kind_of_a_meeting_is_that_of_the_exact_points() {
    let a = one([
        [4_503_599_627_370_499.0, 4_503_599_627_370_498.0, 4_503_599_627_370_497.0],
        [4_503_599_627_370_498.0, 4_503_599_627_370_495.0, 4_503_599_627_370_499.0],
        [4_503_599_627_370_495.0, 4_503_599_627_370_495.0, 4_503_599_627_370_496.0],
    ]);
    let b = one([
        [4_503_599_627_370_496.0, 4_503_599_627_370_498.0, 4_503_599_627_370_496.0],
        [4_503_599_627_370_498.0, 4_503_599_627_370_497.0, 4_503_599_627_370_493.0],
        [4_503_599_627_370_495.0, 4_503_599_627_370_495.0, 4_503_599_627_370_497.0],
    ]);
    for (method, answers) in ask_all(&a, &b, &Pose::identity(), &[Ask::all_contacts().detailed()]) {
        for answer in answers.iter().flatten() {
            let [detail] = &answer.details[..] else { panic!("{method}: {answer:?}") };
            assert!(matches!(detail.meeting, Meeting::Segment(_)), "{method} {detail:?}");
        }
    }
}

/// Distances below the normal range were all reported as 2.2e-308.
#[test]
fn distances_below_the_normal_range_are_told() {
    let corners = |z: f64| [[0.0, 0.0, z], [1e-323, 0.0, z], [0.0, 1e-323, z]];
    let (a, b) = (one(corners(0.0)), one(corners(1e-323)));
    let asks = [
        Ask::distance(),
        Ask::nearer_than(1e-320),
        Ask::nearer_than(1e-323),
        Ask::nearer_than(5e-324),
        Ask::nearer_than(0.0),
    ];
    for (method, answers) in ask_all(&a, &b, &Pose::identity(), &asks) {
        let told = answers[0].as_ref().and_then(|answer| answer.nearest);
        assert!(told.is_none_or(|n| n.distance == 1e-323), "{method} {told:?}");
        let nearer: Vec<bool> = answers.iter().flatten().filter_map(|a| a.nearer).collect();
        assert!(nearer.is_empty() || nearer == [true, true, false, false], "{method} {nearer:?}");
    }
}
