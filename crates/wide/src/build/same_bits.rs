//! Trees are bit for bit the same on every machine, as `WideModel::to_bytes` promises: each mesh
//! here has one tree, whose numbers are all fixed by a checksum. A change of the builder changes
//! the checksums; `tests` and `least` check that trees are valid and good, independent of their
//! bits.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::Control;
use twox_hash::XxHash3_128;

use super::{Quality, build, refit};
use crate::frame::Frame;
use crate::simd::Width;
use crate::tree::Tree;

/// A checksum of every number of a tree.
fn checksum(tree: &Tree) -> u64 {
    let mut bytes = Vec::new();
    let mut word = |x: u32| bytes.extend_from_slice(&x.to_le_bytes());
    for node in &tree.nodes {
        for x in [node.lanes, node.repeats, node.reach.to_bits()].into_iter().chain(node.child) {
            word(x);
        }
        for x in node.origin {
            word(x.to_bits());
        }
        for lanes in node.center.iter().chain(&node.half).chain(node.axes.as_flattened()) {
            for x in lanes {
                word(x.to_bits());
            }
        }
    }
    for leaf in &tree.leaves {
        for x in leaf.words.into_iter().chain(leaf.origin.map(f32::to_bits)) {
            word(x);
        }
        word(leaf.unit.to_bits());
    }
    word(tree.frame.exponent as u32);
    for x in tree.frame.center.iter().chain([&tree.surfaces]) {
        bytes.extend_from_slice(&x.to_le_bytes());
    }
    XxHash3_128::oneshot(&bytes) as u64
}

fn mesh(corners: impl IntoIterator<Item = Point>) -> Mesh {
    let corners: Vec<Point> = corners.into_iter().collect();
    let n = corners.len() as u32 / 3;
    Mesh::new(corners, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("legal")
}

/// Triangles of many sizes and orientations, some of them needles, in a slab.
fn soup(n: usize, seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    mesh((0..n).flat_map(|_| {
        let at = random.vector(-1.0, 1.0).component_mul(&Vector::new(1.0, 0.6, 0.2));
        let size = 0.5f64.powi(random.below(8) as i32);
        let thin = if random.chance(0.3) { 0.05 } else { 1.0 };
        let (u, w) = (random.in_ball() * size, random.in_ball() * (size * thin));
        [at, at + u, at + u * random.unit() + w].map(Point::from)
    }))
}

/// Points of a coarse grid, which give equal centroids, codes and costs.
fn grid(n: usize) -> Mesh {
    let mut random = Random::new(9);
    let mut at = || f64::from(random.below(5) as u32);
    mesh((0..3 * n).map(|_| Point::new(at(), at(), at() * 0.5)))
}

/// Triangles, each slightly smaller than the one before: the deepest trees.
fn shrinking(n: i32, factor: f64) -> Mesh {
    mesh((0..n).flat_map(|k| {
        let s = factor.powi(k);
        [Point::new(s, 0.0, 0.0), Point::new(s, s, 0.3 * s), Point::new(s, 0.0, s)]
    }))
}

/// Three layers, with the middle one at zeros of both signs.
fn layers(n: usize) -> Mesh {
    let mut random = Random::new(10);
    mesh((0..9 * n).map(|k| {
        let [x, y, _] = <[f64; 3]>::from(random.vector(-0.5, 0.5) + Vector::repeat((k / 3) as f64));
        Point::new(x, y, [-50.0, 50.0, if random.chance(0.5) { 0.0 } else { -0.0 }][k / 3 % 3])
    }))
}

/// Triangles on a grid with two longest sides, the first and the third.
fn isosceles(n: usize) -> Mesh {
    let mut random = Random::new(11);
    mesh((0..n).flat_map(|_| {
        let mut number = |below| f64::from(random.below(below) as u32);
        let at = Vector::new(number(64), number(64), number(64));
        let (s, t, high) = (number(8), number(8), 10.0 + number(8));
        [[0.0, 0.0, high], [s, t, 0.0], [-t, s, 0.0]].map(|x| Point::from(Vector::from(x) + at))
    }))
}

/// Triangles without area: needles on one line, and points on it.
fn line(n: i32) -> Mesh {
    let at = |k: i32| Point::new(f64::from(k), 2.0 * f64::from(k), -0.25 * f64::from(k));
    mesh((0..n).flat_map(|k| [at(k), at(k + k % 3), at(k + 2 * (k % 2))]))
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    let aside = Pose::translation_by(Vector::new(30.0, -2e3, 7.0)).expect("finite");
    let one = soup(1, 3);
    let equal = Mesh::new(one.vertices().to_vec(), vec![[0, 1, 2]; 70]).expect("legal");
    vec![
        ("one", one),
        ("five", soup(5, 4)),
        ("twenty", soup(20, 5)),
        ("soup", soup(900, 6)),
        ("far soup", soup(300, 7).posed(&aside).expect("in range")),
        ("tiny soup", soup(40, 8).scaled(1e-160).expect("in range")),
        ("large torus", Shape::Torus.mesh(40_000, 0)),
        ("gear", Shape::Gear.mesh(1_200, 0)),
        ("hand", Shape::Hand.mesh(3_000, 0)),
        ("cube", Shape::Cube.mesh(12, 0)),
        ("grid", grid(300)),
        ("layers", layers(100)),
        ("isosceles", isosceles(40)),
        ("shrinking", shrinking(700, 0.7)),
        ("line", line(200)),
        ("equal", equal),
    ]
}

fn hold(expected: &[(&str, [u64; 3])], found: &[(&str, [u64; 3])]) {
    let lines: Vec<String> =
        found.iter().map(|(name, sums)| format!("(\"{name}\", {sums:#018x?}),")).collect();
    assert!(expected == found, "other trees:\n{}", lines.join("\n"));
}

/// By surface, by code, and by surface after vertices have moved.
#[test]
fn a_mesh_has_one_tree() {
    let found: Vec<(&str, [u64; 3])> = meshes()
        .into_iter()
        .map(|(name, mesh)| {
            let built = |quality| {
                build(&mesh, quality, Width::fastest(), &Control::NONE).expect("not cancelled")
            };
            let (mut tree, by_code) = (built(Quality::SurfaceArea), built(Quality::Morton));
            let new = checksum(&tree);
            let bent = |p: &Point| Point::new(p.x + 0.3 * p.z, p.y, p.z - 0.2 * p.x);
            let moved = mesh.with_vertices(mesh.vertices().iter().map(bent).collect());
            let moved = moved.expect("in range");
            refit(&mut tree, &moved, Frame::of(&moved), Width::fastest());
            (name, [new, checksum(&by_code), checksum(&tree)])
        })
        .collect();
    hold(&EXPECTED, &found);
}

#[rustfmt::skip]
const EXPECTED: [(&str, [u64; 3]); 16] = [
    ("one", [0x9719_e35a_30bd_edfd, 0x9719_e35a_30bd_edfd, 0xc62a_de87_831a_030b]),
    ("five", [0x61c2_f6b6_a55a_ab6e, 0x43ee_12f7_1351_c35d, 0xb7d4_0d83_26ee_4bbe]),
    ("twenty", [0x0259_08e0_0b70_474a, 0xed73_6ccd_b7d2_37fe, 0x0c22_589d_8304_4998]),
    ("soup", [0x241e_5f6b_d557_16bd, 0x073f_403c_2dc4_7dfc, 0x5373_9495_8fd3_2e7b]),
    ("far soup", [0x25ec_66ba_7235_5f90, 0xcede_af1a_a2c3_5c60, 0x5279_4d0e_cbb9_86d4]),
    ("tiny soup", [0xce3d_9398_0e42_6a62, 0xd1f6_f24f_ba4e_3450, 0x1e09_ef18_aec5_80dd]),
    ("large torus", [0xe683_d4a5_284a_b35a, 0x10ad_61c7_85b4_735a, 0x33fd_e0bd_916d_f0b2]),
    ("gear", [0xfa33_d41d_12e5_adf3, 0x6313_0e67_c4b0_8a4f, 0x1286_18ac_7df9_d677]),
    ("hand", [0x40fc_d7fc_c90a_b679, 0x74c5_ac93_342d_5380, 0x8908_29ab_7209_a906]),
    ("cube", [0x5bd2_c811_de1d_087e, 0x877c_e710_bae4_88f2, 0x3dce_3e6b_ae4f_7646]),
    ("grid", [0xc77d_a32c_d99c_a657, 0xbde7_48db_0b48_3497, 0x6cd9_ae9b_8ff2_5443]),
    ("layers", [0xb77f_df51_42c4_e61c, 0xc2c0_edb7_b22d_e143, 0xf0ca_6f3e_ffc1_4786]),
    ("isosceles", [0x961b_0f2e_8b1d_a5c6, 0x7138_430d_1b3b_1c2e, 0xa21d_fc01_b8ad_3b46]),
    ("shrinking", [0xc993_5d28_3c88_1e0f, 0x1ce7_fb07_26fd_4d59, 0x69d6_d298_8392_d517]),
    ("line", [0x2219_db91_4e03_7119, 0x052b_ad0b_2375_1d97, 0xcefb_796a_5922_aed4]),
    ("equal", [0xe8f4_797a_db52_e210, 0x912f_1628_084d_cb58, 0x8ef6_4ee7_2168_00a0]),
];
