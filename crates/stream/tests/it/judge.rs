//! The counts of `stream-shrink`, compared with a recursion in 64 bits over the same tree, with the
//! edge-box test of `escd`.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_hierarchy::build::{Builder, Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::edges::{EdgeSegment, Edges, PaddedBox};
use impinge_hierarchy::volume::{ObbRows, Volume};
use impinge_hierarchy::{Child, Tree};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Control, Engine};
use impinge_stream::stream_shrink;

/// Enlargement of boxes by the method, in units of half the mesh: 192 times 5.97e-8.
const ENLARGED: f64 = 192.0 * 5.97e-8;

/// Tests of edges against boxes, and against triangles.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    boxes: u64,
    triangles: u64,
}

/// The ends of an edge along the axes of a box, from its centre.
fn along(volume: &ObbRows, [p, q]: &[Point; 2], edge: u32) -> EdgeSegment {
    let rows = volume.rows();
    let place = |p: &Point| {
        let d = [0, 1, 2].map(|k: usize| p[k] - volume.center()[k]);
        Point::from([0, 1, 2].map(|i: usize| (0..3).map(|k| rows[k][i] * d[k]).sum::<f64>()))
    };
    EdgeSegment::new(&place(p), &place(q), edge)
}

fn descend(tree: &Tree<ObbRows>, node: u32, edges: &[[Point; 2]], unit: f64, counts: &mut Counts) {
    counts.boxes += edges.len() as u64;
    let volume = &tree.nodes()[node as usize].volume;
    let half = volume.half();
    // The method enlarges by the largest coordinate, which is at most 1 in all scenes here.
    let target = PaddedBox::new(half.map(|h| -h), half, ENLARGED * unit);
    let meets = |ends: &&[Point; 2]| target.meets(&along(volume, ends, 0));
    let rest: Vec<[Point; 2]> = edges.iter().filter(meets).copied().collect();
    if rest.is_empty() {
        return;
    }
    match tree.nodes()[node as usize].child() {
        Child::Pair(first) => {
            descend(tree, first, &rest, unit, counts);
            descend(tree, first + 1, &rest, unit, counts);
        }
        Child::Leaf(_) => counts.triangles += rest.len() as u64,
    }
}

/// The edges of one mesh, placed by `place`, against the tree of the other.
fn count(moving: &Mesh, still: &Mesh, place: impl Fn(&Point) -> Point, counts: &mut Counts) {
    let builder = TopDown::new(ObbRowsFit(ObbFit::AreaWeighted), Mean);
    let tree = builder.build(still, &Control::NONE).expect("a tree");
    let edges = Edges::new(moving, &Control::NONE).expect("edges");
    let ends = |e: u32| edges.ends(e).map(|v| place(&moving.vertices()[v as usize]));
    let all: Vec<[Point; 2]> = (0..edges.len() as u32).map(ends).collect();
    let (min, max) = still.bounds();
    // The power of two above half the largest extent.
    let unit = 2f64.powf((0.5 * (max - min).amax()).log2().floor() + 1.0);
    descend(&tree, 0, &all, unit, counts);
}

#[test]
fn counts_are_those_of_a_recursion_in_64_bits() {
    let (a, b) = (Shape::Trefoil.mesh(800, 1), Shape::Gear.mesh(600, 2));
    let engine = stream_shrink();
    let [p, q] = [&a, &b].map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
    let (mut found, mut wanted, mut hits) = (Counts::default(), Counts::default(), 0);
    for index in 0..20 {
        let pose: Pose = Random::stream(641, index).pose(0.85);
        let answer = engine.ask(&p, &q, &pose, &Ask::all_contacts().counted()).expect("an answer");
        hits += usize::from(answer.verdict.is_hit());
        let counted = answer.statistics.expect("counted");
        found.boxes += counted.volume_tests;
        found.triangles += counted.primitive_tests;
        let back = pose.inverse();
        count(&a, &b, |p| back.apply(p), &mut wanted);
        count(&b, &a, |p| pose.apply(p), &mut wanted);
    }
    println!("{found:?}, in 64 bits {wanted:?}, {hits} of 20 hit");
    assert!((6..=14).contains(&hits), "{hits}");
    // Boxes that edges touch to within rounding may be classified either way.
    let near = |a: u64, b: u64| a.abs_diff(b) * 1000 <= b;
    assert!(near(found.boxes, wanted.boxes) && near(found.triangles, wanted.triangles));
}
