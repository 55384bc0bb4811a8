//! A mesh against itself: every pair of triangles, judged in integers by a definition that shares no
//! code with the engine's.

mod fans;

use impinge_geometry::{Mesh, Point, exact};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Engine, QueryError, Verdict};
use impinge_testkit::oracle::{self, Triple};
use impinge_wide::{Wide, WideParams, Width, wide, wide_with};

fn ask(engine: Wide, mesh: &Mesh, ask: &Ask) -> Answer {
    let model = engine.prepare(mesh, &Control::NONE).expect("any mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    engine.query_self(&model, &mut memory, ask, &Control::NONE, &mut answer).expect("any mesh");
    answer
}

fn contacts(mesh: &Mesh) -> Vec<(u32, u32)> {
    ask(wide(), mesh, &Ask::all_contacts()).contacts.iter().map(|c| (c.a, c.b)).collect()
}

/// Integer points, and triangles over them.
#[derive(Clone, Debug)]
struct Soup(Vec<Triple>, Vec<[u32; 3]>);

impl Soup {
    /// On a small grid, so that triangles share corners, fold, overlap, or have no area.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let grid = 2 + random.below(5);
        let points: Vec<Triple> =
            (0..12).map(|_| [(); 3].map(|()| i128::from(random.below(grid)))).collect();
        let triangles = (0..16).map(|_| [(); 3].map(|()| random.below(12) as u32)).collect();
        Self(points, triangles)
    }

    fn mesh(&self, scale: f64) -> Mesh {
        let at = |p: &Triple| Point::from(p.map(|x| x as f64 * scale - 2.0 * scale));
        Mesh::new(self.0.iter().map(at).collect(), self.1.clone()).expect("indices are in range")
    }

    fn triangle(&self, t: usize) -> [Triple; 3] {
        self.1[t].map(|v| self.0[v as usize])
    }

    fn judged(&self, meet: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
        let n = self.1.len();
        let pairs = (0..n).flat_map(|f| (f + 1..n).map(move |g| (f, g)));
        pairs.filter(|(f, g)| meet(*f, *g)).map(|(f, g)| (f as u32, g as u32)).collect()
    }

    fn truth(&self) -> Vec<(u32, u32)> {
        self.judged(|f, g| oracle::meet_elsewhere(&self.triangle(f), &self.triangle(g)))
    }
}

#[test]
fn soups_are_as_the_judge_says_at_every_scale() {
    let mut found = 0;
    for seed in 0..1500 {
        let soup = Soup::random(seed);
        let truth = soup.truth();
        found += truth.len();
        for exponent in [0, -400, 400] {
            let scale = 2f64.powi(exponent);
            assert_eq!(contacts(&soup.mesh(scale)), truth, "{seed} {exponent}: {soup:?}");
        }
    }
    let all = 1500 * 16 * 15 / 2;
    assert!(found > all / 10 && found < all * 9 / 10, "{found} of {all}");
}

fn common(soup: &Soup, f: usize, g: usize) -> usize {
    let (p, mut q) = (soup.triangle(f), soup.triangle(g).to_vec());
    q.retain(|x| p.contains(x));
    q.sort_unstable();
    q.dedup();
    q.len()
}

type Definition = dyn Fn(&Soup, &Mesh, usize, usize) -> bool;

/// The judge would notice an engine that took touching neighbours for contacts, one that let no
/// neighbours be, and one that left out a kind of pair.
#[test]
fn the_judge_notices_other_definitions() {
    let wrong: [&Definition; 4] = [
        &|_, mesh, f, g| exact::triangles_meet(&mesh.triangle(f as u32), &mesh.triangle(g as u32)),
        &|soup, _, f, g| {
            common(soup, f, g) == 0 && oracle::meet_elsewhere(&soup.triangle(f), &soup.triangle(g))
        },
        &|soup, _, f, g| {
            common(soup, f, g) != 2 && oracle::meet_elsewhere(&soup.triangle(f), &soup.triangle(g))
        },
        &|soup, _, f, g| {
            common(soup, f, g) != 3 && oracle::meet_elsewhere(&soup.triangle(f), &soup.triangle(g))
        },
    ];
    for (which, meet) in wrong.iter().enumerate() {
        let noticed = (0..60).any(|seed| {
            let soup = Soup::random(seed);
            let mesh = soup.mesh(1.0);
            soup.judged(|f, g| meet(&soup, &mesh, f, g)) != soup.truth()
        });
        assert!(noticed, "definition {which}");
    }
}

#[test]
fn neighbours_are_no_contact_unless_they_fold() {
    let corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    let fourths = [([4, 4, 0], false), ([1, 1, 5], false), ([1, 1, 0], true), ([-4, -4, 0], true)];
    for (fourth, folds) in fourths {
        let soup = Soup([corners.to_vec(), vec![fourth]].concat(), vec![[0, 1, 2], [2, 1, 3]]);
        assert_eq!(contacts(&soup.mesh(1.0)).len(), usize::from(folds), "{fourth:?}");
    }
}

/// Shapes that do not meet themselves, and the same with one vertex drawn through the other side.
#[test]
fn a_vertex_drawn_through_the_mesh_is_found() {
    for shape in [Shape::Sphere, Shape::Torus, Shape::Trefoil, Shape::Gear, Shape::Cube] {
        let mesh = shape.mesh(6_000, 0);
        assert_eq!(contacts(&mesh), [], "{shape:?}");
        let mut vertices = mesh.vertices().to_vec();
        let through = mesh.triangle(mesh.triangles().len() as u32 / 2);
        let middle = (through[0].coords + through[1].coords + through[2].coords) / 3.0;
        vertices[0] = Point::from(middle * 1.5 - vertices[0].coords * 0.5);
        let torn = mesh.with_vertices(vertices).expect("finite");
        let found = contacts(&torn);
        let own = |t: u32| torn.triangles()[t as usize].contains(&0);
        assert!(!found.is_empty() && found.iter().all(|(f, g)| own(*f) || own(*g)), "{shape:?}");
    }
}

/// A mesh of two copies of a shape, one moved: its contacts with itself are those of the pair.
fn doubled(n: usize) -> (Mesh, Vec<(u32, u32)>) {
    let mesh = Shape::Torus.mesh(n, 3);
    let count = mesh.triangles().len() as u32;
    let shift = mesh.vertices().len() as u32;
    let moved: Vec<Point> =
        mesh.vertices().iter().map(|p| Point::new(p.x + 0.31, p.y + 0.17, p.z + 0.05)).collect();
    let both = Mesh::new(
        [mesh.vertices(), &moved].concat(),
        [
            mesh.triangles().to_vec(),
            mesh.triangles().iter().map(|t| t.map(|v| v + shift)).collect(),
        ]
        .concat(),
    )
    .expect("indices are in range");
    let (engine, still) = (wide(), impinge_geometry::Pose::identity());
    let other = mesh.with_vertices(moved).expect("finite");
    let [a, b] =
        [&mesh, &other].map(|mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh"));
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let all = Ask::all_contacts();
    Engine::query(&engine, &a, &b, &still, &mut memory, &all, &Control::NONE, &mut answer)
        .expect("any mesh");
    let pairs = answer.contacts.iter().map(|c| (c.a, c.b + count)).collect();
    (both, pairs)
}

#[test]
fn two_bodies_in_one_mesh_meet_as_two_meshes_do_on_every_width_and_any_threads() {
    let (both, pairs) = doubled(20_000);
    assert!(pairs.len() > 100);
    assert_eq!(contacts(&both), pairs);
    for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
        let engine = wide_with(WideParams { width: Some(width), ..WideParams::default() });
        for threads in [1, 2, 3, 8] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let answer = pool.install(|| ask(engine, &both, &Ask::all_contacts()));
            let found: Vec<(u32, u32)> = answer.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(found, pairs, "{width:?} {threads}");
            assert_eq!(
                (answer.contacts_found, answer.verdict),
                (pairs.len() as u64, Verdict::Intersecting)
            );
        }
    }
}

#[test]
fn a_cap_a_first_contact_details_and_counts_are_as_for_pairs() {
    let (both, pairs) = doubled(4_000);
    let all = ask(
        wide(),
        &both,
        &Ask { cap: Some(7), details: true, count: true, ..Ask::all_contacts() },
    );
    let first = |n: usize| pairs[..n].iter().map(|&(a, b)| Contact { a, b }).collect::<Vec<_>>();
    assert_eq!((all.contacts, all.contacts_found), (first(7), pairs.len() as u64));
    assert_eq!(all.details.len(), 7);
    assert!(all.statistics.is_some_and(|s| s.volume_tests > 0 && s.primitive_tests > 0));
    let one = ask(wide(), &both, &Ask::first_contact());
    assert_eq!((one.contacts.len(), one.contacts_found), (1, 1));
    assert!(pairs.contains(&(one.contacts[0].a, one.contacts[0].b)));
}

#[test]
fn distances_are_refused_and_cancelling_is_heard() {
    let engine = wide();
    let model = engine.prepare(&Shape::Torus.mesh(50_000, 0), &Control::NONE).expect("any mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let cancel = Cancel::new();
    let control = Control::NONE.cancelled_by(&cancel);
    let mut query = |ask: &Ask, control: &Control<'_>| {
        engine.query_self(&model, &mut memory, ask, control, &mut answer)
    };
    let refused = query(&Ask::distance(), &Control::NONE);
    assert!(matches!(refused, Err(QueryError::Unanswered { .. })));
    assert_eq!(query(&Ask::all_contacts(), &control), Ok(()));
    cancel.cancel();
    let cancelled = query(&Ask::all_contacts(), &control);
    assert!(matches!(cancelled, Err(QueryError::Cancelled(_))));
}
