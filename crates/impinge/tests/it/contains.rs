//! Containment of B in the solid A: cavities, several components, touching, and random bodies
//! against a judge that checks all pairs of triangles and all components.

use impinge::geometry::Topology;
use impinge::geometry::exact::{Location, locate, triangles_meet};
use impinge::query::{Inner, QueryError, QuestionKind, Side};
use impinge::{Error, Mesh, Method, Pair, Point, Pose, Vector, Verdict, contains};
use impinge_models::{Random, Shape};

/// A cube of edge `|edge|` centred at `x` on the first axis; a negative edge reverses the winding,
/// for a cavity.
fn cube(x: f64, edge: f64) -> Mesh {
    let mesh = Shape::Cube.mesh(12, 0);
    let place = |p: &Point| p * edge.abs() + Vector::new(x, 0.0, 0.0);
    let vertices = mesh.vertices().iter().map(place).collect();
    let turn = |&[i, j, k]: &[u32; 3]| if edge < 0.0 { [i, k, j] } else { [i, j, k] };
    Mesh::new(vertices, mesh.triangles().iter().map(turn).collect()).expect("a cube")
}

/// The union of meshes, without merging vertices.
fn join(parts: &[Mesh]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for part in parts {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    Mesh::new(vertices, triangles).expect("meshes")
}

fn at(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite")
}

/// Checks at unit scale and at scales near both ends of the f64 range.
fn check(a: &[Mesh], b: &[Mesh], x: f64, wanted: bool) {
    for unit in [1.0, 2_f64.powi(498), 2_f64.powi(-498)] {
        let [a, b] = [a, b].map(|parts| join(parts).scaled(unit).expect("in range"));
        assert_eq!(contains(&a, &b, &at(x * unit)), Ok(wanted), "{unit:e}");
        assert_eq!(brute(&a, &b, &at(x * unit)), wanted, "{unit:e}");
    }
}

fn first_corners(mesh: &Mesh) -> Vec<Point> {
    let topology = Topology::new(mesh);
    topology.closed().expect("closed");
    topology.components().iter().map(|&t| mesh.triangle(t)[0]).collect()
}

fn is_inside(mesh: &Mesh, p: &Point) -> bool {
    matches!(locate(mesh, p), Location::Inside(_))
}

fn brute(a: &Mesh, b: &Mesh, pose: &Pose) -> bool {
    let b = b.posed(pose).expect("in range");
    let apart = a.corners().all(|p| b.corners().all(|q| !triangles_meet(&p, &q)));
    apart
        && first_corners(&b).iter().all(|p| is_inside(a, p))
        && !first_corners(a).iter().any(|p| is_inside(&b, p))
}

#[test]
fn one_in_the_other() {
    check(&[cube(0.0, 4.0)], &[cube(0.0, 1.0)], 0.0, true);
    check(&[cube(0.0, 1.0)], &[cube(0.0, 4.0)], 0.0, false);
    check(&[cube(0.0, 4.0)], &[cube(0.0, 1.0)], 9.0, false);
    check(&[cube(0.0, 4.0)], &[cube(0.0, 1.0)], 2.0, false);
    // Reversing a surface does not change its inside.
    check(&[cube(0.0, -4.0)], &[cube(0.0, 1.0)], 1.0, true);
    check(&[cube(0.0, 4.0)], &[cube(0.0, -1.0)], 1.0, true);
}

#[test]
fn touching_from_inside_is_not_inside() {
    check(&[cube(0.0, 1.0)], &[cube(0.0, 0.5)], 0.25, false);
    check(&[cube(0.0, 1.0)], &[cube(0.0, 0.5)], 0.25 - 2_f64.powi(-54), true);
    check(&[cube(0.0, 1.0)], &[cube(0.0, 1.0)], 0.0, false);
}

#[test]
fn a_cavity_is_outside() {
    let hollow = [cube(0.0, 10.0), cube(0.0, -4.0)];
    check(&hollow, &[cube(0.0, 1.0)], 0.0, false);
    check(&hollow, &[cube(0.0, 1.0)], 3.5, true);
    // Around the cavity: B's surface is in the wall, but the cavity is inside B.
    check(&hollow, &[cube(0.0, 6.0)], 0.0, false);
    check(&hollow, &[cube(0.0, 6.0), cube(0.0, -5.0)], 0.0, true);
    // A cavity of B is not inside B, so what A has there does not matter.
    check(&[cube(0.0, 10.0)], &[cube(0.0, 6.0), cube(0.0, -5.0)], 0.0, true);
    // B in a component of A inside the cavity.
    let floating = [cube(0.0, 10.0), cube(0.0, -4.0), cube(0.0, 3.0)];
    check(&floating, &[cube(0.0, 1.0)], 0.0, true);
    // A component of A inside B, though all of B's surface is inside A.
    check(&[cube(0.0, 10.0), cube(0.0, 0.5)], &[cube(0.0, 1.0)], 0.0, false);
}

#[test]
fn all_components_must_be_inside() {
    let (a, one_out) = ([cube(0.0, 10.0)], [cube(0.0, 1.0), cube(20.0, 1.0)]);
    check(&a, &one_out, 0.0, false);
    check(&a, &[cube(20.0, 1.0), cube(0.0, 1.0)], 0.0, false);
    check(&a, &[cube(-3.0, 1.0), cube(3.0, 1.0)], 0.5, true);
    check(&[cube(-3.0, 4.0), cube(3.0, 4.0)], &[cube(-3.0, 1.0), cube(3.0, 1.0)], 0.5, true);
    check(&[cube(0.0, 4.0), cube(20.0, 0.1)], &one_out, 0.0, false);
    // `collide_solids` reports containment all the same.
    let verdict = impinge::collide_solids(&join(&a), &join(&one_out), &at(0.0));
    assert_eq!(verdict, Ok(Verdict::Contained(Inner::B)));
}

/// A ring inside a body, and a few small spheres at all kinds of places.
fn random_bodies(random: &mut Random) -> [Mesh; 2] {
    let mut tiny_mesh = |reach: f64| {
        let (at, size) = (random.in_ball() * reach, random.range(0.02, 0.2));
        let mesh = Shape::Sphere.mesh(20, 0);
        let vertices = mesh.vertices().iter().map(|p| p * size + at).collect();
        mesh.with_vertices(vertices).expect("in range")
    };
    let ring = Shape::Torus.mesh(200, 0).scaled(3.0).expect("in range");
    let b = join(&[tiny_mesh(0.7), tiny_mesh(0.7)]);
    (0..3).fold([ring, b], |[a, b], _| [join(&[a, tiny_mesh(2.5)]), b])
}

#[test]
fn random_bodies_are_judged_as_by_all_pairs() {
    let (mut inside, mut in_part, mut random) = (0, 0, Random::new(3));
    for round in 0..40 {
        let [a, b] = random_bodies(&mut random);
        let mut pair = Pair::new(&a, &b).expect("closed");
        let poses: Vec<Pose> = (0..12)
            .map(|_| {
                let angle = random.range(0.0, std::f64::consts::TAU);
                let along = Vector::new(angle.cos(), angle.sin(), 0.0);
                let reach = random.range(0.8, 1.2);
                random.turned_to(along * reach)
            })
            .collect();
        let all = pair.contains_at(&poses).expect("closed");
        for (pose, &held) in poses.iter().zip(&all) {
            assert_eq!(held, brute(&a, &b, pose), "round {round}");
            assert_eq!(Ok(held), pair.contains(pose));
            // The weaker question: whether some component is inside.
            let some = pair.collide_solids(pose).expect("closed") == Verdict::Contained(Inner::B);
            assert!(some || !held);
            inside += u32::from(held);
            in_part += u32::from(some && !held);
            if held {
                let posed = b.posed(pose).expect("in range");
                let points = (0..20).map(|_| posed.vertices()[0] + random.in_ball() * 0.3);
                let of_b: Vec<Point> = points.filter(|p| is_inside(&posed, p)).collect();
                assert!(of_b.iter().all(|p| is_inside(&a, p)), "round {round}");
            }
        }
    }
    assert!(inside >= 20 && in_part >= 20, "{inside} of 480 inside, {in_part} in part");
}

#[test]
fn an_open_mesh_is_named_with_its_edge() {
    let cube = cube(0.0, 1.0);
    let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).expect("a mesh");
    for (a, b, wanted) in [(&open, &cube, Side::A), (&cube, &open, Side::B)] {
        let found = contains(a, b, &at(9.0));
        let Err(Error::Query(QueryError::NotClosed { side, open })) = &found else {
            panic!("{found:?}")
        };
        assert_eq!(*side, wanted);
        assert_ne!((open.from, open.forward), (open.to, open.backward));
        let sentence = found.expect_err("open").to_string();
        assert!(sentence.contains("the edge between vertices"), "{sentence}");
    }
}

/// Every method that lists the question answers as the default method, also in a batch; the others
/// return an error.
#[test]
fn every_method_answers_or_says_that_it_does_not() {
    let (wall, cavity) = (cube(0.0, 3.0), cube(0.0, -1.0));
    let (hollow, whole, body) = (join(&[wall.clone(), cavity]), wall, cube(0.0, 0.5));
    let poses: Vec<Pose> = [0.0, 0.3, 0.5, 1.0, 1.2, 1.25, 4.0].map(at).to_vec();
    let answers = |method, a: &Mesh, b: &Mesh| -> Result<Vec<bool>, Error> {
        let mut pair = Pair::with(method, a, b)?;
        let all = pair.contains_at(&poses);
        for (k, pose) in poses.iter().enumerate() {
            assert_eq!(pair.contains(pose).ok(), all.as_ref().ok().map(|all| all[k]), "{method}");
        }
        all
    };
    let mut answered = 0;
    for &method in Method::all() {
        let lists = method.description().questions.contains(&QuestionKind::ContainedIn);
        for (a, b) in [(&whole, &body), (&hollow, &body), (&body, &whole)] {
            match answers(method, a, b) {
                Ok(found) => {
                    assert!(lists, "{method}");
                    assert_eq!(Ok(found), answers(Method::Wide, a, b), "{method}");
                    answered += 1;
                }
                // A body with a cavity is not convex.
                Err(Error::Prepare { .. }) => assert_eq!(method, Method::Gjk),
                Err(Error::Batch(error)) => {
                    let unanswered = matches!(error.source, QueryError::Unanswered { .. });
                    assert!(unanswered && !lists, "{method}: {error}");
                }
                Err(other) => panic!("{method}: {other}"),
            }
        }
    }
    assert!(answered > 40, "{answered}");
    let wide = answers(Method::Wide, &whole, &body).expect("closed");
    assert_eq!(wide, [true, true, true, true, true, false, false]);
    let hollow = answers(Method::Wide, &hollow, &body).expect("closed");
    assert_eq!(hollow, [false, false, false, true, true, false, false]);
}
