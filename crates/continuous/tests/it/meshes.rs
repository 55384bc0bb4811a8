//! Contacts of meshes: trees and the brute force pass the examination, and agree on larger meshes.

use impinge_continuous::{Binary, BinaryTree, BothEnds, EveryFeature, MovingTree, OtherTriangles};
use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::continuous::{Continuous, Features, Impact, Interval, Moving};
use impinge_query::{Control, Engine};
use impinge_testkit::battery::{approaches, impacts, self_approaches, self_impacts};
use impinge_wide::wide;

#[test]
fn every_feature_against_every_other_passes() {
    for examine in [impacts, self_impacts] {
        let tally = examine(&EveryFeature).expect("right");
        assert!(tally.cases == 1_500, "{tally:?}");
    }
}

#[test]
fn trees_over_both_ends_pass() {
    for examine in [impacts, self_impacts] {
        let tally = examine(&BothEnds).expect("right");
        assert!(tally.cases == 1_500, "{tally:?}");
    }
}

#[test]
fn binary_trees_pass() {
    for examine in [impacts, self_impacts, approaches, self_approaches] {
        examine(&Binary).expect("right");
    }
}

#[test]
fn approaches_of_both_pass() {
    for method in [&EveryFeature as &dyn Continuous, &BothEnds] {
        for examine in [approaches, self_approaches] {
            let tally = examine(method).expect("right");
            assert!(tally.cases == 576, "{tally:?}");
        }
    }
}

/// Two cubes in one mesh, at rest and 0.1 apart: they are that near at once.
#[test]
fn parts_of_one_mesh_are_near_that_do_not_move() {
    let corner =
        |k: u32, x: f64| Point::new(x + f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
    let vertices = [0.0, 1.1].iter().flat_map(|x| (0..8).map(|k| corner(k, *x))).collect();
    let sides =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let halves = |[p, q, r, s]: [u32; 4]| [[p, q, r], [p, r, s]];
    let cube = |first: u32| sides.map(|side| halves(side.map(|k| k + first)));
    let triangles = [cube(0), cube(8)].as_flattened().as_flattened().to_vec();
    let mesh = Mesh::new(vertices, triangles).expect("finite");
    let moving = Moving::new(&mesh, mesh.vertices()).expect("finite");
    for method in [&EveryFeature as &dyn Continuous, &BothEnds, &Binary] {
        let within = |distance: f64| {
            method.first_self_within(&moving, distance, &Control::NONE).expect("not cancelled")
        };
        let found = within(0.2).unwrap_or_else(|| panic!("{}", method.word()));
        assert_eq!((found.time, found.excess), (Interval { low: 0.0, high: 0.0 }, 0.0));
        assert_eq!(within(0.05), None, "{}", method.word());
    }
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

/// Overlaps of the times of two lists over the same pairs.
fn assert_same(found: &[Impact], truth: &[Impact], case: usize) {
    let pairs = |all: &[Impact]| all.iter().map(|x| x.triangles).collect::<Vec<_>>();
    assert_eq!(pairs(found), pairs(truth), "{case}");
    for (x, y) in found.iter().zip(truth) {
        assert!(x.time.low <= y.time.high && y.time.low <= x.time.high, "{case}: {x:?} {y:?}");
        assert!(x.time.high - x.time.low <= 2f64.powi(-40), "{case}: {x:?}");
        assert_eq!(x.features == Features::Start, y.features == Features::Start, "{case}");
    }
}

#[test]
fn trees_list_the_pairs_that_all_features_list() {
    let shapes = [Shape::Torus, Shape::Hand, Shape::Gear, Shape::Teapot, Shape::Leaf];
    let (mut random, mut seen) = (Random::new(0xa11), [0; 2]);
    for case in 0..12 {
        let bodies = [0, 1].map(|k| body(&mut random, shapes[(case + 2 * k) % shapes.len()]));
        let [a, b] = bodies.each_ref().map(|(mesh, end)| Moving::new(mesh, end).expect("finite"));
        let truth = EveryFeature.contacts(&a, &b, None, &Control::NONE).expect("not cancelled");
        let found = BothEnds.contacts(&a, &b, None, &Control::NONE).expect("not cancelled");
        assert_same(&found, &truth, case);
        let half = truth.len() / 2;
        let some = BothEnds.contacts(&a, &b, Some(half), &Control::NONE).expect("not cancelled");
        assert_eq!(some, found[..half], "{case}");
        let truth = EveryFeature.self_contacts(&a, None, &Control::NONE).expect("not cancelled");
        let own = BothEnds.self_contacts(&a, None, &Control::NONE).expect("not cancelled");
        assert_same(&own, &truth, case);
        let near = BothEnds.first_within(&a, &b, 0.1, &Control::NONE).expect("not cancelled");
        let truth = EveryFeature.first_within(&a, &b, 0.1, &Control::NONE).expect("not cancelled");
        assert_eq!(near.is_some(), truth.is_some(), "{case}");
        if let (Some(near), Some(truth)) = (near, truth) {
            let [x, y] = [near.time, truth.time];
            assert!(x.low <= y.high && y.low <= x.high, "{case}: {near:?} {truth:?}");
            assert!(near.excess == 0.0 && x.high - x.low < 1e-9, "{case}: {near:?}");
        }
        let first = BothEnds.first_self_contact(&a, &Control::NONE).expect("not cancelled");
        let earliest = own.iter().map(|x| x.time.high).reduce(f64::min);
        assert_eq!(first.is_some(), earliest.is_some(), "{case}");
        if let (Some(first), Some(high)) = (first, earliest) {
            assert!(first.time.low <= high && high <= first.time.high + 2f64.powi(-40), "{case}");
        }
        seen[0] += found.len();
        seen[1] += own.len();
    }
    assert!(seen.iter().all(|n| *n > 300), "{seen:?}");
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
    let model = wide().prepare(&one, &Control::NONE).expect("not cancelled");
    assert_eq!(MovingTree::over(&model, &foreign).err(), Some(OtherTriangles));
    let over = MovingTree::over(&model, &moving).expect("its own");
    let asked =
        |tree: &MovingTree| tree.self_contacts(None, &Control::NONE).expect("not cancelled");
    assert_eq!(asked(&over), asked(&tree));
    let itself = tree.first_contact(&tree, &Control::NONE).expect("not cancelled");
    assert_eq!(itself.map(|impact| impact.features), Some(Features::Start));
}

/// A triangle has six points and three indices; each of its two nodes has two boxes and a link.
#[test]
fn words_and_bytes_are_those_of_what_is_kept() {
    assert_eq!([Continuous::word(&BothEnds), EveryFeature.word()], ["both-ends", "every-feature"]);
    let mesh = Shape::Torus.mesh(500, 0);
    let moving = Moving::new(&mesh, mesh.vertices()).expect("finite");
    let bytes = BinaryTree::new(&moving, &Control::NONE).expect("not cancelled").bytes();
    let each = 6 * size_of::<Point>() + 2 * 4 * size_of::<Point>();
    let least = mesh.triangles().len() * each;
    assert!((least..least * 5 / 4).contains(&bytes), "{bytes} of {least}");
}
