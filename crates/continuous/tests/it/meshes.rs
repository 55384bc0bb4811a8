//! First contacts of meshes: trees and the brute force pass the examination, and each way to be wrong
//! is noticed.

use impinge_continuous::{BothEnds, EveryFeature, MovingTree, OtherTriangles};
use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::continuous::{Continuous, Features, Impact, Interval, Moving};
use impinge_query::{Cancelled, Contact, Control};
use impinge_testkit::battery::impacts;

#[test]
fn every_feature_against_every_other_passes() {
    let tally = impacts(&EveryFeature).expect("right");
    assert!(tally.cases == 1_500, "{tally:?}");
}

#[test]
fn trees_over_both_ends_pass() {
    let tally = impacts(&BothEnds).expect("right");
    assert!(tally.cases == 1_500, "{tally:?}");
}

/// A mesh of about size 1 somewhere on a ball, which moves across, turns and bends.
fn body(random: &mut Random, shape: Shape) -> (Mesh, Vec<Point>) {
    let mesh = shape.mesh(50, random.bits());
    let away = random.unit_vector() * random.range(0.0, 1.4);
    let [start, end] = [away, random.in_ball() - away].map(|at| random.turned_to(at));
    let vertices = mesh.vertices().iter().map(|p| start.apply(p)).collect();
    let mut bent = |p: &Point| end.apply(p) + random.in_ball() * 0.05;
    let ends = mesh.vertices().iter().map(&mut bent).collect();
    (Mesh::new(vertices, mesh.triangles().to_vec()).expect("finite"), ends)
}

/// Two motions of each of some pairs of bodies; a tree is refitted to the second.
#[test]
fn trees_find_what_all_features_find() {
    let shapes = [Shape::Torus, Shape::Hand, Shape::Gear, Shape::Teapot, Shape::Leaf];
    let (mut random, mut seen) = (Random::new(0x7ee5), [0; 3]);
    for case in 0..50 {
        let bodies = [0, 1].map(|k| body(&mut random, shapes[(case + 2 * k) % shapes.len()]));
        let [a, b] = bodies.each_ref().map(|(mesh, end)| Moving::new(mesh, end).expect("finite"));
        let mut trees =
            [&a, &b].map(|moving| MovingTree::new(moving, &Control::NONE).expect("not cancelled"));
        let drift = random.in_ball() * 2.0;
        let later: Vec<Point> = bodies[1].1.iter().map(|p| p + drift).collect();
        let second = Moving::new(&bodies[1].0, &later).expect("finite");
        for b in [b, second] {
            trees[1].refit(&b).expect("the same triangles");
            let found = trees[0].first_contact(&trees[1], &Control::NONE).expect("not cancelled");
            let truth = EveryFeature.first_contact(&a, &b, &Control::NONE).expect("not cancelled");
            let (Some(found), Some(truth)) = (found, truth) else {
                assert_eq!(found.is_some(), truth.is_some(), "{case}");
                seen[0] += 1;
                continue;
            };
            seen[if truth.features == Features::Start { 1 } else { 2 }] += 1;
            let Interval { low, high } = found.time;
            assert!(
                low <= truth.time.high && truth.time.low <= high,
                "{case}: {found:?} {truth:?}"
            );
            assert!(high - low <= 2f64.powi(-40), "{case}: {found:?}");
            let alone = |moving: &Moving<'_>, t: u32| {
                let corners = moving.mesh().triangles()[t as usize];
                let place = |all: &[Point]| corners.map(|v| all[v as usize]).to_vec();
                let mesh = Mesh::new(place(moving.mesh().vertices()), vec![[0, 1, 2]]);
                (mesh.expect("finite"), place(moving.end()))
            };
            let [p, q] = [alone(&a, found.triangles.a), alone(&b, found.triangles.b)];
            let [p, q] = [&p, &q].map(|(mesh, end)| Moving::new(mesh, end).expect("finite"));
            let own = EveryFeature.first_contact(&p, &q, &Control::NONE).expect("not cancelled");
            let then = own.is_some_and(|own| own.time.low <= high && low <= own.time.high);
            assert!(then, "{case}: {:?} do not meet then", found.triangles);
        }
    }
    assert!(seen.iter().all(|n| *n >= 15), "{seen:?}");
}

/// Vertex 0 arrives at 1/2, known exactly; vertex 1 does 2⁻⁴² later, in an interval around that.
#[test]
fn what_is_named_has_touched_by_then() {
    let late = 2f64.powi(-41);
    let start = [[0.0, -8.0, 1.0], [0.25, 0.125, 1.0 + late], [1.0, 1.0, 5.0]].map(Point::from);
    let end = [[0.0, -8.0, -1.0], [0.25, 0.125, -1.0 + late], [1.0, 1.0, 5.0]].map(Point::from);
    let rest = [[-8.0, -8.0, 0.0], [8.0, -8.0, 0.0], [0.0, 8.0, 0.0]].map(Point::from);
    let mesh = |corners: [Point; 3]| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("finite");
    let (a, b) = (mesh(start), mesh(rest));
    let (a, b) = (Moving::new(&a, &end).expect("finite"), Moving::new(&b, &rest).expect("finite"));
    for method in [&EveryFeature as &dyn Continuous, &BothEnds] {
        let found = method.first_contact(&a, &b, &Control::NONE).expect("not cancelled");
        let Impact { time, features, .. } = found.expect("they touch");
        assert!(time.low <= 0.5 && time.high == 0.5, "{time:?}");
        assert_eq!(features, Features::VertexOfA(0), "{}", method.word());
    }
}

#[test]
fn a_tree_follows_its_own_triangles_only() {
    let mut random = Random::new(1);
    let [(one, end), (other, _)] = [Shape::Torus, Shape::Gear].map(|s| body(&mut random, s));
    let moving = Moving::new(&one, &end).expect("finite");
    let mut tree = MovingTree::new(&moving, &Control::NONE).expect("not cancelled");
    let foreign = Moving::new(&other, other.vertices()).expect("finite");
    assert_eq!(tree.refit(&foreign), Err(OtherTriangles));
    let mut turned = one.triangles().to_vec();
    turned[0].rotate_left(1);
    let turned = Mesh::new(one.vertices().to_vec(), turned).expect("finite");
    assert_eq!(tree.refit(&Moving::new(&turned, &end).expect("finite")), Err(OtherTriangles));
    let itself = tree.first_contact(&tree, &Control::NONE).expect("not cancelled");
    assert_eq!(itself.map(|impact| impact.features), Some(Features::Start));
}

/// A way to be wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Reports contacts 2⁻³⁰ too late.
    Late,
    /// Reports them 2⁻²⁰ too early.
    Early,
    /// Reports an interval 2⁻³⁰ wide.
    Wide,
    /// Loses contacts of edges.
    NoEdges,
    /// Loses contacts at the start.
    OpenStart,
    /// Loses contacts at the end.
    OpenEnd,
    /// Takes triangles that have met at the start for those that meet later.
    StartsLater,
    /// Takes meshes for touching in the middle that never do.
    Invents,
    /// Names another vertex or edge of the triangles.
    OtherFeature,
    /// Names the first triangles, whichever meet.
    FirstTriangles,
    /// Goes on when the caller has cancelled.
    GoesOn,
}

const FAULTS: [Fault; 11] = [
    Fault::Late,
    Fault::Early,
    Fault::Wide,
    Fault::NoEdges,
    Fault::OpenStart,
    Fault::OpenEnd,
    Fault::StartsLater,
    Fault::Invents,
    Fault::OtherFeature,
    Fault::FirstTriangles,
    Fault::GoesOn,
];

struct Faulty(Fault);

impl Faulty {
    fn spoil(&self, mut found: Impact) -> Option<Impact> {
        let time = &mut found.time;
        match self.0 {
            Fault::Late => *time = at((time.high + 2f64.powi(-30)).min(1.0)),
            Fault::Early => *time = at((time.low - 2f64.powi(-20)).max(0.0)),
            Fault::Wide => time.high = (time.low + 2f64.powi(-30)).min(1.0),
            Fault::NoEdges if matches!(found.features, Features::Edges(..)) => return None,
            Fault::OpenStart if time.high == 0.0 => return None,
            Fault::OpenEnd if time.low == 1.0 => return None,
            Fault::StartsLater if found.features == Features::Start => {
                found.features = Features::VertexOfA(0);
            }
            Fault::OtherFeature => {
                // Triangle `t` has the vertices from `t` on.
                let next = |vertex: u32, t: u32| t + (vertex - t + 1) % 3;
                let Contact { a, b } = found.triangles;
                found.features = match found.features {
                    Features::VertexOfA(v) => Features::VertexOfA(next(v, a)),
                    Features::VertexOfB(v) => Features::VertexOfB(next(v, b)),
                    Features::Edges(e, f) => Features::Edges(e.map(|v| next(v, a)), f),
                    Features::Start => Features::Start,
                };
            }
            Fault::FirstTriangles => found.triangles = Contact { a: 0, b: 0 },
            _ => {}
        }
        Some(found)
    }
}

const fn at(time: f64) -> Interval {
    Interval { low: time, high: time }
}

impl Continuous for Faulty {
    fn word(&self) -> &'static str {
        "faulty"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let control = if matches!(self.0, Fault::GoesOn) { &Control::NONE } else { control };
        let found = EveryFeature.first_contact(a, b, control)?;
        let invented = Impact {
            time: at(0.5),
            triangles: Contact { a: 0, b: 0 },
            features: Features::VertexOfA(0),
        };
        Ok(match found {
            None if matches!(self.0, Fault::Invents) => Some(invented),
            None => None,
            Some(found) => self.spoil(found),
        })
    }
}

#[test]
fn every_fault_is_noticed() {
    for fault in FAULTS {
        let why = impacts(&Faulty(fault)).expect_err("noticed");
        assert!(why.starts_with("faulty"), "{fault:?}: {why}");
    }
}

/// A triangle has six points and three indices; each of its two nodes has two boxes and a link.
#[test]
fn words_and_bytes_are_those_of_what_is_kept() {
    assert_eq!([Continuous::word(&BothEnds), EveryFeature.word()], ["both-ends", "every-feature"]);
    let mesh = Shape::Torus.mesh(500, 0);
    let moving = Moving::new(&mesh, mesh.vertices()).expect("finite");
    let bytes = MovingTree::new(&moving, &Control::NONE).expect("not cancelled").bytes();
    let each = 6 * size_of::<Point>() + 2 * 4 * size_of::<Point>();
    let least = mesh.triangles().len() * each;
    assert!((least..least * 5 / 4).contains(&bytes), "{bytes} of {least}");
}
