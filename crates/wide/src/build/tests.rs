//! Trees are valid after building and refitting, on meshes of every size and kind.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::Control;

use super::{Quality, build, refit};
use crate::frame::Frame;
use crate::simd::Width;
use crate::tree::{Lane, Tree};

fn built(mesh: &Mesh, quality: Quality) -> Tree {
    build(mesh, quality, Width::fastest(), &Control::NONE).expect("not cancelled")
}

fn shrunk(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.break_by(|tree| {
        for half in tree.nodes.iter_mut().flat_map(|node| node.half.as_flattened_mut()) {
            *half *= 1.0 - 1e-6;
        }
    });
    tree.surfaces = tree.summed_surfaces();
    tree
}

/// Triangles of random points in a cube.
fn soup(n: usize) -> Mesh {
    let mut random = Random::new(7);
    let vertices = (0..3 * n).map(|_| Point::from(random.vector(-1.0, 1.0))).collect();
    Mesh::new(vertices, (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
        .expect("legal")
}

fn degenerate() -> Vec<Mesh> {
    let line = |x: f64| Point::new(x, 2.0 * x, -x / 3.0);
    let tetrahedron =
        vec![line(0.0), Point::new(0.3, 1.0, 0.0), Point::new(0.1, -0.2, 0.7), line(1.0)];
    let strip: Vec<[u32; 3]> = (0..500).map(|i| [i, i + 1, i + 2]).collect();
    [
        (tetrahedron.clone(), vec![[0, 1, 2]]),
        (tetrahedron.clone(), vec![[0, 1, 2]; 700]),
        (tetrahedron.clone(), vec![[0, 0, 0]; 300]),
        (tetrahedron, vec![[0, 3, 3]; 5]),
        ((0..502).map(|i| line(f64::from(i).powi(3))).collect(), strip.clone()),
        ((0..502).map(|i| line(0.5f64.powi(i))).collect(), strip),
    ]
    .map(|(vertices, triangles)| Mesh::new(vertices, triangles).expect("legal"))
    .into()
}

#[test]
fn boxes_hold_what_is_below_them() {
    let aside = Pose::translation_by(Vector::new(1e3, -2e5, 7.0)).expect("finite");
    let torus = Shape::Torus.mesh(1_500, 0);
    let far = torus.posed(&aside).expect("in range");
    let mut meshes = vec![torus, far, Shape::Hand.mesh(1_200, 0), soup(400)];
    meshes.extend(degenerate());
    for (which, mesh) in meshes.iter().enumerate() {
        for scale in [1e-150, 1e-6, 1.0, 1e6, 1e150] {
            let mesh = mesh.scaled(scale).expect("in range");
            for quality in [Quality::SurfaceArea, Quality::Morton] {
                let tree = built(&mesh, quality);
                if let Err(what) = tree.validate(&mesh, None) {
                    panic!("mesh {which} at {scale:e}, {quality:?}: {what}");
                }
            }
        }
        if which < 4 {
            let tree = built(mesh, Quality::SurfaceArea);
            assert!(shrunk(&tree).validate(mesh, None).is_err(), "the fault: mesh {which}");
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn trees_do_not_depend_on_threads_or_instructions() {
    let mesh = Shape::Trefoil.mesh(50_000, 0);
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let mut said: Option<String> = None;
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            let width = if threads == 3 { Width::Portable } else { Width::fastest() };
            let tree = pool.install(|| build(&mesh, quality, width, &Control::NONE));
            let tree = format!("{:?}", tree.expect("not cancelled"));
            assert!(*said.get_or_insert_with(|| tree.clone()) == tree, "{threads} threads");
        }
    }
}

#[test]
fn a_refitted_tree_holds_its_mesh_and_one_left_alone_does_not() {
    let mesh = Shape::Hand.mesh(2_000, 0);
    let mut random = Random::new(3);
    let mut tree = built(&mesh, Quality::SurfaceArea);
    for scale in [1.0, 1e-3, 1.0, 1e150, 1e-150, 3.0] {
        let bend = random.vector(-1.0, 1.0);
        let vertices = (mesh.vertices().iter())
            .map(|p| (p + bend * p.z * p.x + random.vector(-0.01, 0.01)) * scale);
        let moved = mesh.with_vertices(vertices.collect()).expect("legal");
        tree.frame = Frame::of(&moved);
        assert!(tree.validate(&moved, None).is_err(), "the fault: no refit, {scale:e}");
        refit(&mut tree, &moved, Frame::of(&moved), Width::fastest());
        tree.validate(&moved, None).expect("every box holds its triangles");
    }
}

#[test]
fn refitting_what_has_not_moved_changes_little() {
    let mesh = Shape::Torus.mesh(5_000, 0);
    let mut tree = built(&mesh, Quality::SurfaceArea);
    let before = tree.cost();
    refit(&mut tree, &mesh, Frame::of(&mesh), Width::fastest());
    assert!((tree.cost() / before - 1.0).abs() < 1e-4, "{} after {before}", tree.cost());
}

/// A block of two triangles a side is its own box, however it is turned and its sides are cut: at the root, and
/// no box below is larger.
#[test]
fn the_box_of_a_block_is_the_block() {
    let mut random = Random::new(8);
    for case in 0..300 {
        let half = [0; 3].map(|_| 10f64.powf(random.range(-2.0, 0.0)));
        let at = random.vector(-1.0, 1.0);
        let turned = random.turned_to(at);
        let corner = |n: u32| {
            let sign = |k: usize| if n >> k & 1 == 0 { -1.0 } else { 1.0 };
            turned.apply(&Point::new(sign(0) * half[0], sign(1) * half[1], sign(2) * half[2]))
        };
        let mut triangles = Vec::new();
        for (u, v, w) in [(1, 2, 4), (2, 4, 1), (4, 1, 2)] {
            for at in [0, w] {
                let [a, b, c, d] = [at, at + u, at + u + v, at + v];
                let cut = [[[a, b, c], [a, c, d]], [[a, b, d], [b, c, d]]];
                triangles.extend(cut[usize::from(random.chance(0.5))]);
            }
        }
        let mesh = Mesh::new((0..8).map(corner).collect(), triangles).expect("legal");
        let tree = built(&mesh, Quality::SurfaceArea);
        let size = |lane: &Lane| {
            let mut found = lane.half.map(|h| f64::from(h) / tree.frame.scale());
            found.sort_by(f64::total_cmp);
            found
        };
        let mut wanted = half;
        wanted.sort_by(f64::total_cmp);
        let root = size(&tree.nodes[0].get(0));
        for (found, wanted) in root.iter().zip(wanted) {
            assert!((found - wanted).abs() < 2e-5, "{case}: {root:?} {half:?}");
        }
        for l in 0..tree.nodes[1].lanes as usize {
            let part = size(&tree.nodes[1].get(l));
            let within = part.iter().zip(root).all(|(part, whole)| *part < whole + 2e-5);
            assert!(within, "{case}, lane {l}: {part:?} {root:?}");
        }
    }
}
