//! What builders and models promise beside their trees: how far they have come, how often they look
//! at the flag, how large leaves are, and how many bytes there are.

use std::sync::Mutex;

use impinge_geometry::convex::ConvexBody;
use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::build::{
    AxisBoxFit, BallFit, Builder, DopFit, LeafPipeline, LeastVolume, Leaves, Mean, Median,
    ObbRowsFit, Penalty, SweptFit, TopDown, Update,
};
use impinge_hierarchy::methods::{
    AabbRefitParams, aabb_refit_with, kdop_of, leaf, leaf_block, leaf_faithful,
};
use impinge_hierarchy::volume::{AxisBox, Kind, ObbRows};
use impinge_hierarchy::{Child, Tree, TreeModel, aabb_refit, gjk, kdop, obbtree};
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Cancel, Control, Engine, Model, Progress};

/// So many triangles in a row.
fn row(count: u32) -> Mesh {
    let corner = |k: u32| {
        let x = f64::from(k);
        [Point::new(x, 0.0, 0.0), Point::new(x + 0.5, 0.0, 1.0), Point::new(x, 1.0, 0.0)]
    };
    let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new((0..count).flat_map(corner).collect(), triangles).expect("legal")
}

/// What a build reports, and how often it looks at the flag.
fn heard<B: Builder>(builder: &B, mesh: &Mesh) -> (Vec<Progress>, u64) {
    let (told, cancel) = (Mutex::new(Vec::new()), Cancel::at_look(u64::MAX));
    let tell = |progress| told.lock().expect("one thread").push(progress);
    let control = Control::NONE.cancelled_by(&cancel).reporting(&tell);
    builder.build(mesh, &control).expect("nothing cancels");
    (told.into_inner().expect("one thread"), cancel.looks().expect("counted").number)
}

/// A hundred reports at most: each time a hundredth and one more are in leaves. Looks follow the work.
#[test]
fn a_build_reports_each_hundredth_and_looks_at_the_flag_often() {
    for (count, part) in [(1, 1), (99, 1), (100, 2), (250, 3), (1000, 11)] {
        let builder = TopDown::new(AxisBoxFit, Mean);
        let (told, looks) = heard(&builder, &row(count));
        let expected = (1..=u64::from(count) / part).map(|k| Progress {
            stage: "build",
            done: k * part,
            total: count.into(),
        });
        assert_eq!(told, expected.collect::<Vec<_>>(), "{count} triangles");
        assert!((2..=5).contains(&looks), "{looks} looks for {count} triangles");
    }
    // Halved in the middle, each triangle is wrapped some fifteen times: one look for 4,096 of these.
    let (_, looks) = heard(&TopDown::new(AxisBoxFit, Median), &row(20_000));
    assert!((64..=90).contains(&looks), "{looks}");
    // Leaves of four pass a mark now and then.
    let leaves = Leaves { triangles: 4, ..Leaves::SINGLE };
    let (told, _) = heard(&TopDown { leaves, ..TopDown::new(AxisBoxFit, Median) }, &row(1024));
    let expected = (1..=256).map(|k| 4 * k).filter(|done| (done - 4) / 11 != done / 11);
    let done: Vec<u64> = told.iter().map(|progress| progress.done).collect();
    assert_eq!(done, expected.collect::<Vec<_>>());
    let (told, looks) = heard(&LeafPipeline { depth: 3 }, &row(70));
    assert_eq!(told, [Progress { stage: "build", done: 70, total: 70 }]);
    // At the start, at each division into eight, at each node below.
    assert!(looks > 8, "{looks}");
}

/// Looks before the first division of 40,960 triangles, and after it: ten for each pass over all.
#[test]
fn a_build_looks_at_the_flag_within_a_large_node() {
    fn check<B: Builder>(builder: B, passes: u64) {
        let (mesh, cancel) = (row(40_960), Cancel::at_look(u64::MAX));
        let control = Control::NONE.cancelled_by(&cancel);
        builder.build(&mesh, &control).expect("nothing cancels");
        let looks = cancel.looks().expect("counted").number;
        assert!(looks >= 10 * passes, "{builder:?}: {looks} looks");
        // Wherever the flag is raised, the build ends with an error and no panic.
        let step = looks as usize / 60 + 1;
        for look in (1..=looks).step_by(step) {
            let cancel = Cancel::at_look(look);
            let ended = builder.build(&mesh, &Control::NONE.cancelled_by(&cancel));
            assert!(ended.is_err(), "{builder:?}: look {look} of {looks}");
            let looks = cancel.looks().expect("counted").number;
            assert!(looks <= look + 1, "{builder:?}: {look}, then {looks}");
        }
    }
    // One leaf: no division. One pass reads the mesh.
    let whole = Leaves { triangles: usize::MAX, ..Leaves::SINGLE };
    check(TopDown { leaves: whole, ..TopDown::new(AxisBoxFit, Mean) }, 2);
    check(TopDown { leaves: whole, ..TopDown::new(BallFit, Mean) }, 12);
    check(TopDown { leaves: whole, ..TopDown::new(DopFit::<9>, Mean) }, 3);
    check(TopDown { leaves: whole, ..TopDown::new(ObbRowsFit(ObbFit::AreaWeighted), Mean) }, 4);
    check(TopDown { leaves: whole, ..TopDown::new(SweptFit(ObbFit::AreaWeighted), Mean) }, 6);
    let once = Leaves { depth: 1, ..Leaves::SINGLE };
    check(TopDown { leaves: once, ..TopDown::new(AxisBoxFit, Mean) }, 4);
    check(TopDown { leaves: once, ..TopDown::new(AxisBoxFit, LeastVolume) }, 10);
    check(TopDown { leaves: once, ..TopDown::new(AxisBoxFit, Penalty::default()) }, 48);
    check(LeafPipeline { depth: 1 }, 6);
}

/// How deep each leaf is and how many triangles it has, with how many its parent has.
fn leaves_of<V: impinge_hierarchy::volume::Volume>(tree: &Tree<V>) -> Vec<(u32, usize, usize)> {
    fn count<V: impinge_hierarchy::volume::Volume>(tree: &Tree<V>, node: u32) -> usize {
        match tree.nodes()[node as usize].child() {
            Child::Leaf(leaf) => tree.leaf(leaf).as_slice().len(),
            Child::Pair(first) => count(tree, first) + count(tree, first + 1),
        }
    }
    let (mut found, mut stack) = (Vec::new(), vec![(0, 0, usize::MAX)]);
    while let Some((node, depth, above)) = stack.pop() {
        match tree.nodes()[node as usize].child() {
            Child::Leaf(_) => found.push((depth, count(tree, node), above)),
            Child::Pair(first) => {
                let all = count(tree, node);
                stack.extend([(first, depth + 1, all), (first + 1, depth + 1, all)]);
            }
        }
    }
    found
}

#[test]
fn leaves_are_as_large_and_as_deep_as_was_asked() {
    let mesh = row(100);
    for (triangles, depth) in [(0, u32::MAX), (1, 3), (4, u32::MAX), (25, 2), (7, 3), (100, 0)] {
        let leaves = Leaves { triangles, depth, boundaries: false };
        let builder = TopDown { leaves, ..TopDown::new(AxisBoxFit, Median) };
        let tree = builder.build(&mesh, &Control::NONE).expect("nothing cancels");
        tree.validate(&mesh).expect("whole");
        let most = triangles.max(1);
        for (at, own, above) in leaves_of(&tree) {
            assert!(at == depth || own <= most, "a leaf of {own} at depth {at}");
            assert!(at <= depth && above > most, "below a node of {above} at depth {at}");
        }
    }
    // The nodes of a tree with one triangle to a leaf take no more room than they need.
    let tree = TopDown::new(AxisBoxFit, Mean).build(&mesh, &Control::NONE).expect("as above");
    assert_eq!(tree.bytes(), 199 * 64);
}

/// The bytes of a model, once its parts are checked.
fn bytes_of<V: impinge_hierarchy::volume::Volume>(model: &TreeModel<V>, of_mesh: usize) -> usize {
    assert_eq!(model.mesh_bytes(), of_mesh);
    assert_eq!(model.max_abs(), model.mesh().max_abs_coordinate());
    let own = size_of::<TreeModel<V>>();
    assert_eq!(model.bytes(), of_mesh + model.tree().bytes() + own);
    model.bytes()
}

/// A model holds its mesh, its tree and itself.
#[test]
fn bytes_are_those_of_mesh_tree_and_model() {
    let mesh = Shape::Hull.mesh(120, 1);
    let of_mesh = 24 * mesh.vertices().len() + 12 * mesh.triangles().len();
    let obb = obbtree().prepare(&mesh, &Control::NONE).expect("a mesh");
    let inner = bytes_of::<ObbRows>(&obb, of_mesh);
    let aabb = aabb_refit().prepare(&mesh, &Control::NONE).expect("a mesh");
    bytes_of::<AxisBox>(&aabb, of_mesh);
    bytes_of(&kdop().prepare(&mesh, &Control::NONE).expect("a mesh"), of_mesh);
    let body = Engine::prepare(&gjk(), &mesh, &Control::NONE).expect("convex");
    assert_eq!((body.mesh_bytes(), body.triangles()), (of_mesh, mesh.triangles().len()));
    let own = body.body().bytes() + size_of::<ConvexBody>();
    assert!(own > size_of::<ConvexBody>());
    assert_eq!(body.bytes(), inner + own);
}

/// The last refit that stays as cheap as the tree was when it was built keeps it, and one that is
/// just costlier has the next build it anew.
#[test]
fn a_tree_is_kept_at_the_cost_where_it_is_allowed_to_stay() {
    let mesh = Shape::Torus.mesh(200, 0);
    let bent = mesh.vertices().iter().map(|p| Point::new(p.x, p.y + 4.0 * p.x * p.x, p.z));
    let bent: Vec<Point> = bent.collect();
    let tree = TopDown::new(AxisBoxFit, Mean).build(&mesh, &Control::NONE);
    let mut tree = tree.expect("nothing cancels");
    let built = tree.cost();
    let costs = tree.refit(&mesh.with_vertices(bent.clone()).expect("legal"));
    let after = |rebuild_above: f64| {
        let engine = aabb_refit_with(AabbRefitParams { rebuild_above, ..Default::default() });
        let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
        engine.refit(&mut model, &bent, &Control::NONE).expect("as many vertices");
        let refitted = model.tree().cost();
        engine.refit(&mut model, &bent, &Control::NONE).expect("as many vertices");
        (refitted, model.tree().cost())
    };
    let (refitted, kept) = after(f64::INFINITY);
    assert_eq!(refitted, kept);
    // A quotient that gives the cost itself as the product.
    let around = (costs / built).to_bits();
    let ratios = (around - 2..=around + 2).map(f64::from_bits);
    let (mut stays, mut goes) = (0, 0);
    for ratio in ratios {
        let (_, again) = after(ratio);
        assert_eq!(again == refitted, costs <= ratio * built, "{ratio}");
        stays += u32::from(again == refitted);
        goes += u32::from(again != refitted);
    }
    assert!(stays > 0 && goes > 0, "{stays} {goes}");
}

/// The pipeline's tree: cells are halved at the middle of the whole, coordinate by coordinate; below
/// them boxes are halved by number, at most so many levels. A node knows all triangles below it.
#[test]
fn the_pipeline_halves_cells_by_place_and_boxes_by_number() {
    for depth in [0, 1, 3, 9] {
        let mesh = Shape::Leaf.mesh(300, 2);
        let builder = LeafPipeline { depth };
        let tree = builder.build(&mesh, &Control::NONE).expect("nothing cancels");
        tree.validate(&mesh).expect("whole");
        let below = |node: u32| tree.leaf(tree.all_below(node).expect("kept")).as_slice().to_vec();
        let mut stack = vec![(0, 0)];
        while let Some((node, level)) = stack.pop() {
            let own = &tree.nodes()[node as usize];
            let all = below(node);
            let is_cell = own.volume.kind() == Kind::Aabb;
            let Child::Pair(first) = own.child() else {
                assert!(level == depth.min(8) || all.len() == 1, "{} at {level}", all.len());
                assert_eq!(own.volume.kind(), Kind::Obb);
                continue;
            };
            let (x, y) = (below(first), below(first + 1));
            assert_eq!([x.clone(), y.clone()].concat(), all, "in the order of the leaves");
            if is_cell {
                assert_eq!(level, 0, "cells are above all boxes");
                let of = |t: &u32| mesh.triangle(*t).map(|p| p.coords).iter().sum::<Vector>();
                let apart = (0..3).any(|k| {
                    let range = |part: &[u32]| {
                        let each = part.iter().map(|t| of(t)[k]);
                        each.fold([f64::INFINITY, -f64::INFINITY], |[l, h], v| [l.min(v), h.max(v)])
                    };
                    let ([a, b], [c, d]) = (range(&x), range(&y));
                    b < c || d < a
                });
                assert!(apart, "a plane of equal coordinate divides them");
                assert!(tree.block(node).is_none());
                stack.extend([(first, 0), (first + 1, 0)]);
            } else {
                let half = all.len() / 2;
                assert!(x.len() == half || y.len() == half, "{} of {}", x.len(), all.len());
                if let Some((block, bit)) = tree.block(node) {
                    assert_eq!(bit, 1 << level);
                    for t in tree.leaf(block).as_slice() {
                        assert!(all.contains(t) && tree.levels(*t) & bit != 0);
                    }
                    let marked = all.iter().filter(|&&t| tree.levels(t) & bit != 0).count();
                    assert_eq!(marked, tree.leaf(block).as_slice().len());
                }
                stack.extend([(first, level + 1), (first + 1, level + 1)]);
            }
        }
    }
}

/// A fit of several triangles is one of them all; of one triangle it is that triangle's own.
#[test]
fn one_triangle_has_its_own_box() {
    let mesh = row(1);
    let own = impinge_geometry::volume::Obb::of_triangle(&mesh.triangle(0));
    for fit in ObbFit::ALL {
        let tree = TopDown::new(ObbRowsFit(fit), Mean).build(&mesh, &Control::NONE).expect("fine");
        assert_eq!(tree.nodes()[0].volume, ObbRows::from(&own));
    }
}

#[test]
fn a_dop_tree_is_called_by_its_number_of_planes() {
    let titles = [
        kdop_of::<3>().description.title,
        kdop_of::<7>().description.title,
        kdop_of::<9>().description.title,
        kdop_of::<13>().description.title,
        kdop_of::<4>().description.title,
    ];
    let names = ["6", "14", "18", "26", "k"].map(|k| format!("{k}-DOP tree (QuickCD)"));
    assert_eq!(titles.map(str::to_owned), names);
    assert_eq!(kdop().description, kdop_of::<9>().description);
}

#[test]
fn the_printed_pipeline_says_that_it_is_not_exact() {
    let (ours, printed) = (leaf().description, leaf_faithful().description);
    let stops = leaf_block().description;
    assert_eq!((stops.word, stops.exact), ("leaf-block", false));
    assert_eq!((ours.word, ours.exact), ("leaf", true));
    assert_eq!((printed.word, printed.exact), ("leaf-faithful", false));
}

/// A mesh is moved where it is, by either update: its vertices are not copied.
#[test]
fn vertices_are_moved_in_place() {
    for update in [Update::BottomUp, Update::Hybrid] {
        let engine = aabb_refit_with(AabbRefitParams { update, rebuild_above: f64::INFINITY });
        let mesh = Shape::Torus.mesh(400, 0);
        let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
        let mut moved = mesh.vertices().to_vec();
        // Until then the model shares its vertices.
        drop(mesh);
        for _ in 0..3 {
            let before = model.mesh().vertices().as_ptr();
            for p in &mut moved {
                p.x *= 1.01;
            }
            engine.refit(&mut model, &moved, &Control::NONE).expect("as many vertices");
            assert_eq!(
                (model.mesh().vertices().as_ptr(), model.mesh().vertices()),
                (before, &moved[..])
            );
        }
    }
}

/// A tree that was updated lazily has its volumes asked for whichever side it is on.
#[test]
fn a_lazy_tree_answers_like_a_new_one_on_either_side() {
    let params = AabbRefitParams { update: Update::Hybrid, ..Default::default() };
    let engine = aabb_refit_with(params);
    let mesh = Shape::Torus.mesh(800, 0);
    let moved = mesh.scaled(1.5).expect("in range");
    let prepare = |mesh: &Mesh| engine.prepare(mesh, &Control::NONE).expect("a mesh");
    let (mut late, fresh, fixed) = (prepare(&mesh), prepare(&moved), prepare(&mesh));
    engine.refit(&mut late, moved.vertices(), &Control::NONE).expect("as many vertices");
    let pose = Pose::translation_by(Vector::new(0.3, 0.2, 0.1)).expect("finite");
    let contacts = |a: &TreeModel<AxisBox>, b: &TreeModel<AxisBox>| {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let ask = Ask::all_contacts();
        engine.query(a, b, &pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("fine");
        answer.contacts
    };
    assert!(contacts(&fixed, &fresh).len() > 20);
    assert_eq!(contacts(&fixed, &late), contacts(&fixed, &fresh));
    assert_eq!(contacts(&late, &fixed), contacts(&fresh, &fixed));
    assert_eq!(contacts(&late, &late), contacts(&fresh, &fresh));
}
