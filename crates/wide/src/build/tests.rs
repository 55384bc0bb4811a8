//! What the layout of a tree promises, checked in exact arithmetic: every sum below is kept as an
//! expansion, numbers that do not overlap (Shewchuk 1997).

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::Control;

use super::{Quality, build, refit};
use crate::simd::Width;
use crate::tree::{LEAF, Leaf, NONE, Node, OFF, Tree};

/// A sum without rounding.
#[derive(Default)]
struct Sum(Vec<f64>);

impl Sum {
    fn add(&mut self, x: f64) {
        let mut carry = x;
        for part in &mut self.0 {
            let sum = carry + *part;
            let of_part = sum - carry;
            (*part, carry) = ((carry - (sum - of_part)) + (*part - of_part), sum);
        }
        self.0.push(carry);
    }

    fn add_product(&mut self, x: f64, y: f64) {
        let product = x * y;
        self.add(x.mul_add(y, -product));
        self.add(product);
    }

    /// The largest part that is not zero has the sign of all. What is not a number counts as positive.
    fn is_positive(&self) -> bool {
        let finite = self.0.iter().all(|x| x.is_finite());
        !finite || self.0.iter().rev().find(|x| **x != 0.0).is_some_and(|x| *x > 0.0)
    }
}

fn built(mesh: &Mesh, quality: Quality) -> Tree {
    build(mesh, quality, Width::fastest(), &Control::NONE).expect("not cancelled")
}

/// All that [`Node`] promises, and that every triangle is in one leaf.
fn check(tree: &Tree, mesh: &Mesh) -> Result<(), String> {
    let mut seen = vec![0; mesh.triangles().len()];
    for leaf in &tree.leaves {
        for (i, &t) in leaf.triangles.iter().enumerate().filter(|(_, t)| **t != NONE) {
            seen[t as usize] += 1;
            assert_eq!([0, 1, 2].map(|k| leaf.corners[k][i]), mesh.triangles()[t as usize]);
        }
    }
    assert!(seen.iter().all(|&times| times == 1), "each triangle in one leaf");
    assert_eq!(below(tree, 0, mesh)?, 0..tree.leaves.len() as u32);
    Ok(())
}

/// The leaves below a node, whose lanes are checked.
fn below(tree: &Tree, index: usize, mesh: &Mesh) -> Result<std::ops::Range<u32>, String> {
    let node = &tree.nodes[index];
    let mut leaves: Option<std::ops::Range<u32>> = None;
    for l in 0..node.lanes as usize {
        let child = node.child[l];
        let here = if child & LEAF == 0 {
            below(tree, child as usize, mesh)?
        } else {
            (child & !LEAF)..(child & !LEAF) + 1
        };
        lane(tree, node, l, &tree.leaves[here.start as usize..here.end as usize], mesh)
            .map_err(|what| format!("node {index}, lane {l}: {what}"))?;
        let start = leaves.map_or(here.start, |before| {
            assert_eq!(before.end, here.start, "leaves below a lane are consecutive");
            before.start
        });
        leaves = Some(start..here.end);
    }
    leaves.ok_or_else(|| "no lanes".to_owned())
}

fn lane(tree: &Tree, node: &Node, l: usize, leaves: &[Leaf], mesh: &Mesh) -> Result<(), String> {
    let lane = node.get(l);
    let mut reach = Sum::default();
    for c in lane.center.map(f64::from) {
        reach.add_product(c, c);
    }
    reach.add_product(-f64::from(node.reach), f64::from(node.reach));
    if reach.is_positive() {
        return Err("reach".to_owned());
    }
    for i in 0..3 {
        for j in 0..3 {
            for sign in [1.0, -1.0] {
                let mut off = Sum::default();
                for k in 0..3 {
                    off.add_product(sign * f64::from(lane.axes[i][k]), f64::from(lane.axes[j][k]));
                }
                off.add(if i == j { -sign } else { 0.0 });
                off.add(-OFF);
                if off.is_positive() {
                    return Err(format!("axes {i} and {j}"));
                }
            }
        }
    }
    for &v in leaves.iter().flat_map(|leaf| leaf.corners.as_flattened()) {
        let y = tree.units.enter(tree.units.scale(), &mesh.vertices()[v as usize]);
        for (axis, half) in lane.axes.iter().zip(lane.half) {
            for sign in [1.0, -1.0] {
                let mut beyond = Sum::default();
                for k in 0..3 {
                    let a = sign * f64::from(axis[k]);
                    beyond.add_product(a, y[k]);
                    beyond.add_product(-a, f64::from(node.origin[k]));
                    beyond.add_product(-a, f64::from(lane.center[k]));
                }
                beyond.add(-f64::from(half));
                if beyond.is_positive() {
                    return Err(format!("vertex {v} is outside"));
                }
            }
        }
    }
    Ok(())
}

fn shrunk(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    for half in tree.nodes.iter_mut().flat_map(|node| node.half.as_flattened_mut()) {
        *half *= 1.0 - 1e-6;
    }
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
                if let Err(what) = check(&tree, &mesh) {
                    panic!("mesh {which} at {scale:e}, {quality:?}: {what}");
                }
            }
        }
        if which < 4 {
            let tree = built(mesh, Quality::SurfaceArea);
            assert!(check(&shrunk(&tree), mesh).is_err(), "the sabotage: mesh {which}");
        }
    }
}

#[test]
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
        assert!(check(&tree, &moved).is_err(), "the sabotage: no refit, {scale:e}");
        refit(&mut tree, &moved, Width::fastest());
        check(&tree, &moved).expect("every box holds its triangles");
    }
}

#[test]
fn refitting_what_has_not_moved_changes_little() {
    let mesh = Shape::Torus.mesh(5_000, 0);
    let mut tree = built(&mesh, Quality::SurfaceArea);
    let before = tree.cost();
    refit(&mut tree, &mesh, Width::fastest());
    assert!((tree.cost() / before - 1.0).abs() < 1e-4, "{} after {before}", tree.cost());
}
