//! Decompositions against rational arithmetic by brute force, on bodies with and without coplanar
//! faces. Switching off any criterion makes both the reference checker and `validate` fail.

use impinge_decompose::{Criteria, DecomposeError, Decomposition, Options, Order};
use impinge_geometry::Mesh;
use impinge_models::{Random, Shape};
use impinge_threads::Control;

use crate::bodies::{block, cells, lattice_ball, random_cells, rough_ball};
use crate::reference::Reference;

fn decompose(mesh: &Mesh, order: Order) -> Result<Decomposition, DecomposeError> {
    Decomposition::new(mesh, &Options { order, ..Options::default() }, &Control::NONE)
}

/// Decomposes in both orders. False if the surface is refused.
fn check(name: &str, mesh: &Mesh) -> bool {
    let reference = Reference::new(mesh);
    for order in [Order::Breadth, Order::Depth] {
        let Ok(d) = decompose(mesh, order) else { return false };
        let verdict = reference.accepts(&d);
        assert_eq!(verdict, Ok(()), "{name} {order:?}");
        let report = d.validate(mesh).map_err(|e| format!("{name} {order:?}: {e}"));
        assert_eq!(report.expect("validates").patches, d.patches().len());
    }
    true
}

#[test]
fn rough_balls() {
    let mut random = Random::new(31);
    for k in 0..30 {
        let mesh = rough_ball(&mut random, 24 + k, [0.0, 0.05, 0.3, 1.0][k % 4]);
        assert!(check(&format!("rough ball {k}"), &mesh));
    }
}

#[test]
fn bodies_of_cells() {
    let mut random = Random::new(32);
    let (mut accepted, mut refused) = (0, 0);
    for k in 0..60 {
        let mesh = random_cells(&mut random, 2 + k % 2, [0.3, 0.6, 0.85][k as usize % 3]);
        if check(&format!("cells {k}"), &mesh) { accepted += 1 } else { refused += 1 }
    }
    // Bodies that touch themselves are refused; both outcomes must be frequent.
    assert!(accepted > 15 && refused > 5, "{accepted} accepted, {refused} refused");
}

#[test]
fn balls_on_a_lattice() {
    let mut random = Random::new(33);
    let mut accepted = 0;
    for k in 0..60 {
        let mesh = lattice_ball(&mut random, 20 + k, 9.0);
        accepted += usize::from(check(&format!("lattice ball {k}"), &mesh));
    }
    assert!(accepted > 20, "{accepted}");
}

#[test]
fn small_shapes() {
    for shape in [Shape::Torus, Shape::Gear, Shape::Comb, Shape::Trefoil, Shape::Chain] {
        assert!(check(shape.word(), &shape.mesh(shape.least_triangles(), 1)), "{shape}");
    }
}

/// The number of decompositions that the reference checker and `validate` reject.
fn found(criteria: Criteria, meshes: &[Mesh]) -> (usize, usize) {
    let options = Options { criteria, ..Options::default() };
    let mut red = (0, 0);
    for mesh in meshes {
        let Ok(d) = Decomposition::new(mesh, &options, &Control::NONE) else { continue };
        red.0 += usize::from(Reference::new(mesh).accepts(&d).is_err());
        red.1 += usize::from(d.validate(mesh).is_err());
    }
    red
}

fn trial() -> Vec<Mesh> {
    let mut random = Random::new(34);
    let mut meshes: Vec<Mesh> = (0..12).map(|_| rough_ball(&mut random, 40, 0.5)).collect();
    meshes.extend((0..6).map(|_| lattice_ball(&mut random, 40, 8.0)));
    meshes.push(Shape::Torus.mesh(72, 0));
    meshes.push(cells(
        &block([3, 1, 1]).into_iter().chain([[0, 1, 0], [2, 1, 0]]).collect::<Vec<_>>(),
    ));
    meshes
}

#[test]
fn with_all_criteria_nothing_is_red() {
    assert_eq!(found(Criteria::ALL, &trial()), (0, 0));
}

/// The number of decompositions with a non-convex patch, by the reference checker.
fn not_convex(criteria: Criteria) -> usize {
    let options = Options { criteria, ..Options::default() };
    let is_red = |mesh: &&Mesh| {
        let d = Decomposition::new(mesh, &options, &Control::NONE).expect("embedded");
        d.patches().iter().any(|p| {
            let faces: Vec<usize> = p.faces().iter().map(|&f| f as usize).collect();
            Reference::new(mesh).convex(&faces).is_err()
        })
    };
    let embedded = |mesh: &&Mesh| decompose(mesh, Order::Breadth).is_ok();
    trial().iter().filter(embedded).filter(is_red).count()
}

/// Criteria 2 and 3 overlap: with 3 but without 2, patches were convex in every trial. Without 3,
/// criterion 2 is what keeps patches convex.
#[test]
fn criterion_2_keeps_patches_convex() {
    let without_3 = Criteria { hull: false, ..Criteria::ALL };
    assert_eq!(not_convex(without_3), 0);
    assert!(not_convex(Criteria { visibility: false, edges: false, ..without_3 }) > 0);
}

#[test]
fn without_criterion_3_both_go_red() {
    let (reference, validate) = found(Criteria { hull: false, ..Criteria::ALL }, &trial());
    assert!(reference > 0 && validate > 0, "{reference} {validate}");
    assert_eq!(reference, validate);
}

#[test]
fn the_papers_criteria_alone_are_not_enough() {
    let (reference, validate) = found(Criteria::PAPER, &trial());
    assert!(reference > 0 && validate > 0, "{reference} {validate}");
    assert_eq!(reference, validate);
}

#[test]
fn criterion_1_follows_from_2() {
    for mesh in trial() {
        let options =
            Options { criteria: Criteria { edges: false, ..Criteria::ALL }, ..Options::default() };
        let without = Decomposition::new(&mesh, &options, &Control::NONE);
        assert_eq!(without, decompose(&mesh, Order::Breadth));
    }
}
