//! Corners and edges that many triangles have in common.

use super::*;

/// A mesh over integer points.
fn soup(points: &[Triple], triangles: &[[usize; 3]]) -> Soup {
    let of = |t: &[usize; 3]| t.map(|v| v as u32);
    Soup(points.to_vec(), triangles.iter().map(of).collect())
}

/// Two fans and the book between their hubs, or two books and a fan in a row; triangles beside them,
/// repeats, and triangles without area; all over a small grid.
fn tangled(seed: u64) -> Soup {
    let mut random = Random::new(seed);
    let side = 7;
    let points: Vec<Triple> = (0..side * side * side)
        .map(|k| [k % side, k / side % side, k / side / side].map(i128::from))
        .collect();
    let mut any = || random.below(points.len() as u64) as usize;
    let [u, v, w] = [any(), any(), any()];
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for k in 0..512 {
        triangles.push(match (k % 16, seed % 2) {
            (0..5, 0) => [u, any(), any()],
            (0..5, _) => [any(), v, w],
            (5..10, _) => [v, u, any()],
            (10..15, 0) => [any(), v, any()],
            (10..15, _) => [any(), any(), w],
            _ if k % 32 == 15 => [any(), any(), any()],
            _ => {
                let [p, q, r] = triangles[any() % triangles.len()];
                [q, r, p]
            }
        });
    }
    soup(&points, &triangles)
}

#[test]
fn tangled_fans_and_books_are_as_the_judge_says() {
    for seed in 0..2 {
        let soup = tangled(seed);
        let truth = soup.truth();
        let all = 512 * 511 / 2;
        assert!(truth.len() > all / 50 && truth.len() < all / 2, "{} of {all}", truth.len());
        let mesh = soup.mesh(0.5);
        assert!(contacts(&mesh) == truth, "{seed}");
        for cap in [0, 1, 100] {
            let some = ask(wide(), &mesh, &Ask::all_contacts().capped(cap));
            assert_eq!(some.contacts_found, truth.len() as u64);
            let found: Vec<(u32, u32)> = some.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(found, truth[..cap]);
        }
        let one = ask(wide(), &mesh, &Ask::first_contact());
        assert!(truth.contains(&(one.contacts[0].a, one.contacts[0].b)));
    }
}

/// Pages to every point of a grid, with those on the edge's line, and beyond either end of it.
#[test]
fn every_page_of_a_book_is_as_the_judge_says() {
    let points: Vec<Triple> =
        (0..343).map(|k| [k % 7, k / 7 % 7, k / 49].map(i128::from)).collect();
    let at = |x: usize, y: usize, z: usize| x + 7 * y + 49 * z;
    let edge = [at(3, 3, 2), at(3, 3, 4)];
    let pages: Vec<[usize; 3]> = (0..343).map(|x| [edge[0], x, edge[1]]).collect();
    let book = soup(&points, &pages);
    let truth = book.truth();
    assert!(truth.len() > 400, "{}", truth.len());
    assert!(contacts(&book.mesh(1.0)) == truth);
}

/// A body of so many triangles, and how many of its pairs meet.
type Shape = fn(usize) -> (Mesh, u64);

fn mesh(vertices: Vec<[f64; 3]>, triangles: Vec<[usize; 3]>) -> Mesh {
    let triangles = triangles.into_iter().map(|t| t.map(|v| v as u32)).collect();
    Mesh::new(vertices.into_iter().map(Point::from).collect(), triangles).expect("a legal mesh")
}

fn rim(n: usize, z: f64) -> Vec<[f64; 3]> {
    let at = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
    (0..n).map(|k| [at(k).cos(), at(k).sin(), z]).collect()
}

/// A flat polygon, cut from its first corner.
fn polygon(n: usize) -> (Mesh, u64) {
    (mesh(rim(n + 2, 0.3), (1..=n).map(|k| [0, k, k + 1]).collect()), 0)
}

/// Two cones over one rim.
fn bicone(n: usize) -> (Mesh, u64) {
    let half = n / 2;
    let vertices = [rim(half, 0.0), vec![[0.0, 0.0, 0.1], [0.0, 0.0, -0.1]]].concat();
    let cone = |tip: usize| (0..half).map(move |k| [tip, k, (k + 1) % half]);
    (mesh(vertices, cone(half).chain(cone(half + 1)).collect()), 0)
}

/// Pages around one edge, in different directions.
fn book(n: usize) -> (Mesh, u64) {
    let vertices = [rim(n, 0.5), vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]].concat();
    (mesh(vertices, (0..n).map(|k| [n, k, n + 1]).collect()), 0)
}

/// The same in one half-plane: all meet.
fn flat_book(n: usize) -> (Mesh, u64) {
    let pages = (0..n).map(|k| [1.0 + k as f64, 0.0, 0.5]);
    let vertices = pages.chain([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).collect();
    (mesh(vertices, (0..n).map(|k| [n, k, n + 1]).collect()), pairs(n))
}

/// One triangle so many times: all meet.
fn pile(n: usize) -> (Mesh, u64) {
    let corners = [[0.1, 0.0, 0.0], [1.0, 0.2, 0.0], [0.3, 1.0, 0.7]];
    (mesh(corners.repeat(n), (0..n).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()), pairs(n))
}

/// Two piles that cross: all meet.
fn crossing_piles(n: usize) -> (Mesh, u64) {
    let first = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let second = [[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0]];
    let corners = [first.repeat(n / 2), second.repeat(n / 2)].concat();
    (mesh(corners, (0..n).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()), pairs(n))
}

/// A fan of which every triangle is there twice, beside a fan whose apex is a corner of its rim.
fn double_fan(n: usize) -> (Mesh, u64) {
    let third = n / 3;
    let (mut vertices, first) = (rim(third + 2, 0.0), third + 2);
    vertices.extend(rim(third + 1, 0.0).iter().map(|p| [3.0 + p[0], p[1], p[2] + 1.0]));
    let fan = (1..=third).map(|k| [0, k, k + 1]);
    let other = (0..third).map(|k| [third / 2, first + k, first + k + 1]);
    (mesh(vertices, fan.clone().chain(fan).chain(other).collect()), third as u64)
}

fn pairs(n: usize) -> u64 {
    (n as u64) * (n as u64 - 1) / 2
}

/// What is counted must grow as the mesh does, not as its square, and so must what is found first.
#[test]
fn counting_contacts_at_hubs_and_in_piles_is_near_linear() {
    let shapes: [(&str, Shape); 7] = [
        ("polygon", polygon),
        ("bicone", bicone),
        ("book", book),
        ("flat book", flat_book),
        ("pile", pile),
        ("crossing piles", crossing_piles),
        ("double fan", double_fan),
    ];
    for (name, shape) in shapes {
        for n in [1_200, 2_400, 4_800, 9_600] {
            let (mesh, meeting) = shape(n);
            let all = ask(wide(), &mesh, &Ask::all_contacts().capped(1).counted());
            assert_eq!(all.contacts_found, meeting, "{name}, {n}");
            assert_eq!(all.contacts.len() as u64, meeting.min(1));
            let first = ask(wide(), &mesh, &Ask::first_contact().counted());
            assert_eq!(first.verdict.is_hit(), meeting > 0, "{name}, {n}");
            for answer in [all, first] {
                let done = answer.statistics.expect("counted");
                let tests = done.volume_tests + done.primitive_tests;
                assert!(tests < 60 * n as u64, "{name}, {n}: {tests} tests");
            }
        }
    }
}

#[test]
fn a_search_at_a_hub_is_given_up_when_the_caller_cancels() {
    let engine = wide();
    for shape in [polygon, bicone, book, crossing_piles] {
        let model = engine.prepare(&shape(3_000).0, &Control::NONE).expect("any mesh");
        let (mut memory, mut answer, cancel) = (engine.memory(), Answer::default(), Cancel::new());
        cancel.cancel();
        let control = Control::NONE.cancelled_by(&cancel);
        let ended =
            engine.query_self(&model, &mut memory, &Ask::all_contacts(), &control, &mut answer);
        assert!(matches!(ended, Err(QueryError::Cancelled(_))));
    }
}

/// One mesh of two.
fn beside(a: &Mesh, b: &Mesh) -> Mesh {
    Mesh::union(&[a.clone(), b.clone()]).expect("legal")
}

/// The tests until the first contact.
fn tests(mesh: &Mesh) -> u64 {
    let first = ask(wide(), mesh, &Ask::first_contact().counted());
    assert_eq!((first.verdict, first.contacts_found), (Verdict::Intersecting, 1));
    let done = first.statistics.expect("counted");
    done.volume_tests + done.primitive_tests
}

/// A contact among triangles at no hub, or between two hubs, ends the search: the hubs that would
/// have come next are not searched.
#[test]
fn a_first_contact_ends_the_search_at_hubs() {
    let crossing = mesh(
        vec![[9.0, 0.0, 0.0], [9.5, 0.0, 0.0], [9.0, 0.5, 0.0], [9.1, 0.1, -1.0], [9.2, 0.1, 1.0]],
        vec![[0, 1, 2], [3, 4, 3]],
    );
    let fan = polygon(2_000).0;
    assert!(tests(&beside(&fan, &crossing)) < 200);
    // Two flat fans that cross, and far along x two that overlap in their bounds.
    let lifted = |by: [f64; 3], scale: f64| {
        let vertices = fan.vertices().iter();
        let at = |p: &Point| Point::new(scale * p.x + by[0], scale * p.y + by[1], p.z + by[2]);
        fan.with_vertices(vertices.map(at).collect()).expect("finite")
    };
    let turned = |mesh: &Mesh| {
        let vertices = mesh.vertices().iter().map(|p| Point::new(p.x, p.z, p.y)).collect();
        mesh.with_vertices(vertices).expect("finite")
    };
    let two = beside(&fan, &turned(&lifted([0.0, 0.0, -0.3], 0.8)));
    let far = beside(&lifted([9.0, 0.0, 0.0], 1.0), &turned(&lifted([9.0, 0.0, -0.3], 0.8)));
    let (one, both) = (tests(&two), tests(&beside(&two, &far)));
    let alone = tests(&far);
    assert!(both < one + alone, "{both}, {one} and {alone}");
}

/// A flat fan, and one that meets it in just one point, of the plane that bounds both: a tip on an
/// edge.
#[test]
fn hubs_whose_bounds_only_touch_are_searched() {
    let n = 200;
    // From a corner at the left to an edge at x = 1, and from a tip there to the right.
    let rim = |k: usize| -1.0 + 2.0 * k as f64 / n as f64;
    let left = (0..=n).map(|k| [1.0, rim(k) + 0.003, 0.3]).chain([[-1.0, 0.0, 0.3]]);
    let right = (0..=n).map(|k| [2.0, rim(k), 0.1 * rim(k) + 0.3]).chain([[1.0, 0.0, 0.3]]);
    let fan = |vertices: Vec<[f64; 3]>| mesh(vertices, (0..n).map(|k| [n + 1, k, k + 1]).collect());
    let (left, right) = (fan(left.collect()), fan(right.collect()));
    for turn in 0..3 {
        for flip in [1.0, -1.0] {
            let turned = |mesh: &Mesh| {
                let at = |p: &Point| {
                    let p = [flip * p.x, p.y, p.z];
                    Point::from([0, 1, 2].map(|k| p[(k + turn) % 3]))
                };
                mesh.with_vertices(mesh.vertices().iter().map(at).collect()).expect("finite")
            };
            for (a, b) in [(&left, &right), (&right, &left)] {
                let found = contacts(&beside(&turned(a), &turned(b)));
                // The tip is a corner of all triangles there, and is on one edge.
                assert_eq!(found.len(), n, "{turn} {flip}");
            }
        }
    }
}
