//! Leaves are within the paper's ranges and taper to their tip; half of the pairs collide.

use impinge_geometry::{Mesh, Point, Topology};
use impinge_models::maize::{leaf_pairs, maize_plant, varied_leaf};
use impinge_models::procedural::{Leaf, leaf};
use impinge_models::{Random, Shape};

use crate::measures::{crossings, fingerprint, hash, least_area};

/// Length of a row of vertices: the leaf's width there.
fn row_width(mesh: &Mesh, across: usize, row: usize) -> f64 {
    let row = &mesh.vertices()[row * (across + 1)..][..=across];
    row.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

#[test]
fn counts_are_within_the_papers_ranges() {
    let parameters = Leaf::default();
    let mesh = leaf(&parameters).unwrap();
    assert_eq!(mesh.triangles().len(), parameters.triangles());
    assert!((119..=150).contains(&mesh.vertices().len()), "{}", mesh.vertices().len());
    assert!((195..=240).contains(&mesh.triangles().len()), "{}", mesh.triangles().len());
    let knob = Shape::Leaf.mesh(212, 0);
    assert_eq!(knob.triangles(), mesh.triangles(), "the knob gives the default leaf");
}

#[test]
fn a_leaf_is_an_open_sheet_of_one_piece() {
    let mut random = Random::new(2);
    for case in 0..40 {
        let mesh = leaf(&varied_leaf(&mut random)).unwrap();
        let topology = Topology::new(&mesh);
        assert!(topology.closed().is_err());
        assert_eq!((topology.components().len(), topology.nonmanifold_edges()), (1, 0));
        // The border is the two margins and the base; by Euler's formula the leaf is a disc.
        let border = topology.boundary_edges();
        assert_eq!(border, 2 * 27 + 4);
        assert_eq!(mesh.triangles().len(), 2 * mesh.vertices().len() - 2 - border);
        assert!(least_area(&mesh) > 0.0);
        assert_eq!(crossings(&mesh, &mesh), 0, "case {case} meets itself");
    }
}

#[test]
fn a_leaf_tapers_to_its_tip_and_is_arched() {
    let parameters = Leaf { along: 40, ..Leaf::default() };
    let mesh = leaf(&parameters).unwrap();
    let widths: Vec<f64> = (0..40).map(|row| row_width(&mesh, 4, row)).collect();
    let widest = (0..40).max_by(|&a, &b| widths[a].total_cmp(&widths[b])).unwrap();
    assert!((10..24).contains(&widest), "widest at row {widest}");
    assert!((0.09..0.15).contains(&widths[widest]), "{}", widths[widest]);
    assert!(widths[39] < 0.2 * widths[widest]);
    // The midrib is about 1 long, and its middle is above its chord.
    let midrib: Vec<Point> = (0..40)
        .map(|row| mesh.vertices()[5 * row + 2])
        .chain(mesh.vertices().last().copied())
        .collect();
    let length: f64 = midrib.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    assert!((0.98..1.02).contains(&length), "{length}");
    assert_eq!(midrib[0], Point::origin());
    assert!(midrib[20].z > 0.5 * midrib[40].z + 0.1);
    assert!(midrib[40].x > 0.7);
}

#[test]
fn triangles_go_from_the_base_to_the_tip() {
    let mesh = leaf(&Leaf::default()).unwrap();
    let last = mesh.vertices().len() as u32 - 1;
    let at_tip = mesh.triangles().iter().filter(|t| t.contains(&last)).count();
    assert_eq!(at_tip, 4);
    assert!(mesh.triangles()[mesh.triangles().len() - 4..].iter().all(|t| t.contains(&last)));
    let lowest: Vec<u32> = mesh.triangles().iter().map(|t| t[0].min(t[1]).min(t[2]) / 5).collect();
    assert!(lowest.is_sorted(), "row by row");
}

#[test]
fn margins_wave_and_the_midrib_does_not() {
    let wavy = leaf(&Leaf { along: 60, twist: 0.0, fold: 0.0, ..Leaf::default() }).unwrap();
    let calm =
        leaf(&Leaf { along: 60, twist: 0.0, fold: 0.0, wave_height: 0.0, ..Leaf::default() })
            .unwrap();
    let lift = |column: usize| -> Vec<f64> {
        let at = |row: usize| 5 * row + column;
        let up = |row: usize| wavy.vertices()[at(row)] - calm.vertices()[at(row)];
        (0..60).map(|row| up(row).z).collect()
    };
    let turns = |heights: &[f64]| {
        heights.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count()
    };
    assert!(turns(&lift(0)) >= 7, "{} of 8 changes of sign", turns(&lift(0)));
    assert!(turns(&lift(4)) >= 7);
    assert!(lift(2).iter().all(|h| h.abs() < 1e-15), "the midrib is calm");
    let highest = lift(0).into_iter().fold(0.0, f64::max);
    assert!((0.012..0.022).contains(&highest), "{highest}");
}

#[test]
fn about_half_of_the_pairs_collide() {
    let family = leaf_pairs(400, 1).unwrap();
    let mut hits = 0;
    for pair in &family.pairs {
        assert_ne!(pair.a, pair.b);
        let posed = family.leaves[pair.b].posed(&pair.pose).unwrap();
        hits += usize::from(crossings(&family.leaves[pair.a], &posed) > 0);
    }
    println!("{hits} of 400 pairs collide");
    assert!((160..=240).contains(&hits), "{hits} of 400 pairs collide");
}

#[test]
fn a_plant_has_leaves_on_two_sides_that_get_shorter() {
    let plant = maize_plant(10, 3).unwrap();
    assert_eq!((plant.meshes.len(), plant.objects.len(), plant.steps()), (10, 10, 1));
    let tip = |k: usize| {
        let mesh = &plant.meshes[plant.objects[k].mesh];
        plant.objects[k].motion.at(0).apply(&mesh.vertices()[mesh.vertices().len() - 1])
    };
    assert!((0..10).all(|k| (tip(k).x > 0.0) == (k % 2 == 0)));
    let heights: Vec<f64> =
        plant.objects.iter().map(|object| object.motion.at(0).translation().z).collect();
    assert!(heights.is_sorted());
}

#[test]
fn bits_are_the_recorded_ones() {
    let family = leaf_pairs(50, 7).unwrap();
    let plant = maize_plant(8, 7).unwrap();
    let meshes = family.leaves.iter().chain(&plant.meshes).map(fingerprint);
    let still = plant.objects.iter().map(|object| object.motion.at(0));
    let poses = family.pairs.iter().map(|pair| &pair.pose).chain(still);
    let numbers: Vec<u64> = poses
        .flat_map(|p| p.rotation().iter().chain(p.translation().iter()).map(|c| c.to_bits()))
        .collect();
    assert_eq!(hash(meshes.chain(numbers)), 0xfd57_67ea_0170_cbb9);
    assert_eq!(leaf_pairs(50, 7).unwrap(), family);
    assert_ne!(leaf_pairs(50, 8).unwrap(), family);
}

#[test]
fn wrong_leaves_are_refused_by_name() {
    let with = |change: fn(&mut Leaf)| {
        let mut parameters = Leaf::default();
        change(&mut parameters);
        leaf(&parameters).unwrap_err().to_string()
    };
    let refusals = [
        (with(|l| l.length = f64::NAN), "leaf: length"),
        (with(|l| l.width = 0.0), "leaf: width"),
        (with(|l| l.wave_height = -1.0), "leaf: wave_height"),
        (with(|l| l.droop = 7.0), "leaf: droop"),
        (with(|l| l.twist = f64::INFINITY), "leaf: twist"),
        (with(|l| l.fold = 2.0), "leaf: fold"),
        (with(|l| l.waves = usize::MAX), "leaf: waves"),
        (with(|l| l.across = 3), "leaf: across"),
        (with(|l| l.along = 1), "leaf: along"),
        (with(|l| l.along = usize::MAX), "leaf: triangles"),
    ];
    for (error, start) in refusals {
        assert!(error.starts_with(start), "{error}");
    }
    for length in [1e-99, 1e99] {
        let mesh = leaf(&Leaf { length, ..Leaf::default() }).unwrap();
        assert!((0.5..1.5).contains(&(mesh.diagonal() / length)));
    }
    let endless = Leaf { across: usize::MAX, along: usize::MAX, ..Leaf::default() };
    assert_eq!(endless.triangles(), usize::MAX);
    assert!(maize_plant(0, 1).unwrap_err().to_string().contains("leaves is 0"));
    assert!(leaf_pairs(usize::MAX, 1).unwrap_err().to_string().contains("count"));
}
