//! All questions in every order with one memory: each answer is that of a fresh memory, and what is decided
//! exactly is what all pairs say.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector, exact};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Control, Engine, QueryError, Question};
use impinge_wide::{Memory, WideModel, wide};

use crate::brute::Truth;

/// A pair in one of the places of its motion.
struct Case {
    a: Mesh,
    b: Mesh,
    poses: Vec<Pose>,
}

/// All pairs in one pose, and how far apart they are by a fresh memory.
struct Place {
    truth: Truth,
    pairs: Vec<(Triangle, Triangle)>,
    distance: f64,
}

fn mesh(corners: &[[f64; 3]]) -> Mesh {
    let vertices = corners.iter().map(|x| Point::from(*x)).collect();
    let n = corners.len() as u32 / 3;
    Mesh::new(vertices, (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).expect("finite")
}

fn query(
    [a, b]: &[WideModel; 2],
    pose: &Pose,
    memory: &mut Memory,
    ask: &Ask,
) -> Result<Answer, QueryError> {
    let (mut answer, control) = (Answer::default(), Control::NONE);
    wide().query(a, b, pose, memory, ask, &control, &mut answer)?;
    Ok(answer)
}

fn ask(models: &[WideModel; 2], pose: &Pose, memory: &mut Memory, ask: &Ask) -> Answer {
    query(models, pose, memory, ask).expect("in range")
}

impl Place {
    fn of(case: &Case, models: &[WideModel; 2], pose: &Pose) -> Self {
        let posed: Vec<Triangle> = case.b.corners().map(|t| t.map(|x| pose.apply(&x))).collect();
        let pairs = case.a.corners().flat_map(|p| posed.iter().map(move |q| (p, *q))).collect();
        let nearest = ask(models, pose, &mut Memory::default(), &Ask::distance()).nearest;
        let distance = nearest.expect("asked for").distance;
        Self { truth: Truth::of(&case.a, &case.b, pose), pairs, distance }
    }

    /// Values about the distance, about nothing, and such as nobody should ask for.
    fn values(&self) -> [f64; 15] {
        let (d, least) = (self.distance, f64::from_bits(1));
        let some = [d, d.next_up(), d.next_down(), 1.01 * d, 0.99 * d, d + 1e-300, 1e9 * d];
        let [s, t, u, v, w, x, y] = some;
        let (none, all) = (f64::NAN, f64::INFINITY);
        [0.0, -0.0, -1.0, least, 1e-320, f64::MIN_POSITIVE, none, all, s, t, u, v, w, x, y]
    }

    fn check(&self, question: &Ask, answer: &Answer) {
        let contacts = &self.truth.contacts;
        assert_eq!(answer.verdict.is_hit(), !contacts.is_empty(), "{question:?}");
        match question.question {
            Question::FirstContact => assert!(answer.contacts.iter().all(|c| contacts.contains(c))),
            Question::AllContacts => assert_eq!(&answer.contacts, contacts),
            Question::ContainedIn => unreachable!("these are no solids"),
            Question::Distance => {
                let found = answer.nearest.expect("asked for").distance;
                assert_eq!(found, self.distance, "of any memory");
                assert_eq!(found == 0.0, !contacts.is_empty());
                let off = (found - self.truth.distance).abs();
                assert!(off <= 1e-12 * found, "{found:e}, not {:e}", self.truth.distance);
            }
            Question::NearerThan(d) => {
                let within = self.pairs.iter().any(|(p, q)| exact::within(p, q, d));
                assert_eq!(answer.nearer, Some(within), "{d:e}, {:e} apart", self.distance);
            }
        }
    }
}

/// All orders of four.
fn orders() -> Vec<[usize; 4]> {
    let mut orders = Vec::new();
    for code in 0..256 {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if (0..4).all(|k| order.contains(&k)) {
            orders.push(order);
        }
    }
    orders
}

/// Four questions after each other in every order, in places one after the other.
fn check_case(case: &Case) -> usize {
    let models = [&case.a, &case.b].map(|x| wide().prepare(x, &Control::NONE).expect("any"));
    let mut memory = Memory::default();
    let places: Vec<Place> = case.poses.iter().map(|pose| Place::of(case, &models, pose)).collect();
    let orders = orders();
    assert_eq!(orders.len(), 24);
    for (turn, order) in orders.iter().cycle().take(15 * places.len()).enumerate() {
        let at = turn / 2 % places.len();
        let (place, pose) = (&places[at], &case.poses[at]);
        for kind in order {
            let d = place.values()[turn % 15];
            let nearer = Ask::nearer_than(d);
            if *kind == 3 && !(d >= 0.0 && d.is_finite()) {
                let error = query(&models, pose, &mut memory, &nearer).expect_err("no distance");
                assert!(matches!(error, QueryError::BadDistance { .. }), "{d}: {error}");
                continue;
            }
            let asks = [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), nearer];
            let answer = ask(&models, pose, &mut memory, &asks[*kind]);
            place.check(&asks[*kind], &answer);
            let fresh = ask(&models, pose, &mut Memory::default(), &asks[*kind]);
            place.check(&asks[*kind], &fresh);
        }
    }
    places.iter().filter(|place| place.distance > 0.0).count()
}

/// A gap of 10⁻²⁰⁰ above a face, and one of the least numbers.
#[test]
fn gaps_that_are_next_to_nothing() {
    let face = |s: f64| mesh(&[[0.0; 3], [s, 0.0, 0.0], [0.0, s, 0.0]]);
    let above = |s: f64, gap: f64| {
        mesh(&[[0.3 * s, 0.3 * s, gap], [0.3 * s, 0.3 * s, s], [0.4 * s, 0.3 * s, s]])
    };
    for (size, gap) in [(1.0, 1e-200), (1.0, 5e-324), (1e-320, 5e-324), (1e150, 1e-300)] {
        let poses = vec![Pose::identity()];
        let apart = check_case(&Case { a: face(size), b: above(size, gap), poses });
        assert_eq!(apart, 1, "{gap:e} apart");
    }
    let step = |z: f64| mesh(&[[0.0, 0.0, z], [1e-323, 0.0, z], [0.0, 1e-323, z]]);
    check_case(&Case { a: step(0.0), b: step(1e-323), poses: vec![Pose::identity()] });
}

/// Triangles in and about the unit ball, so many times as large.
fn soup(random: &mut Random, scale: f64) -> Mesh {
    let n = 3 + random.below(8);
    let corners = (0..n).flat_map(|_| {
        let (at, size) = (random.in_ball(), 10f64.powf(random.range(-2.0, 0.3)));
        [0; 3].map(|_| ((at + random.in_ball() * size) * scale).into())
    });
    mesh(&corners.collect::<Vec<[f64; 3]>>())
}

#[test]
fn soups_of_any_size_in_motion() {
    let mut random = Random::new(14);
    let (mut apart, mut all) = (0, 0);
    for scale in [1.0, 1e-100, 1e-160, 1e-305, 1e-318, 1e-321, 1e120, 1e290] {
        for _ in 0..6 {
            let other = if random.chance(0.3) { 1e-15 } else { 1.0 };
            let (a, b) = (soup(&mut random, scale), soup(&mut random, scale * other));
            let way = random.unit_vector() * scale;
            let poses = (0..5).map(|k| {
                let at: Vector = way * (0.5 * f64::from(k)) + random.in_ball() * (0.1 * scale);
                let turned = if k == 2 { Pose::identity() } else { random.pose(0.0) };
                Pose::new(*turned.rotation(), at).expect("in range")
            });
            let case = Case { a, b, poses: poses.collect() };
            apart += check_case(&case);
            all += case.poses.len();
        }
    }
    println!("{apart} of {all} places apart");
    assert!(apart * 4 > all && apart * 20 < all * 19, "{apart} of {all}");
}
