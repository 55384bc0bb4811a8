//! Trees are bit for bit the same on every machine, as `WideModel::to_bytes` promises: each mesh
//! here has one tree, whose numbers are all fixed by a checksum. A change of the builder changes
//! the checksums; `tests` and `least` check that trees are valid and good, independent of their
//! bits.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::Control;
use twox_hash::XxHash3_128;

use super::{Quality, build, refit};
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
        for x in leaf.corners.as_flattened().iter().chain(&leaf.triangles) {
            word(*x);
        }
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
            refit(&mut tree, &moved.expect("in range"), Width::fastest());
            (name, [new, checksum(&by_code), checksum(&tree)])
        })
        .collect();
    hold(&EXPECTED, &found);
}

#[rustfmt::skip]
const EXPECTED: [(&str, [u64; 3]); 16] = [
    ("one", [0xec07_ea5b_62bc_2b2c, 0xec07_ea5b_62bc_2b2c, 0x97fc_9f0d_70c2_ea3b]),
    ("five", [0x6a36_8952_615d_423e, 0xb3bd_b752_c133_c7e1, 0xded9_6139_e840_4392]),
    ("twenty", [0x7096_f6e4_3c0d_7fcf, 0x4d34_e21d_7b15_3fcf, 0xa682_22b5_2425_e8ad]),
    ("soup", [0x44b7_96ec_1e06_de8a, 0xa4b4_9b56_e673_ddfd, 0x3f4f_2f31_8f41_f49a]),
    ("far soup", [0x503f_2ba5_0f8f_8fd1, 0x8df9_5cb9_2f53_bbba, 0x0e5c_cf69_9be6_5b2a]),
    ("tiny soup", [0xed2a_5391_14af_c77e, 0x9787_eff5_503e_188f, 0x7095_7147_5fe1_85df]),
    ("large torus", [0x8cb6_de99_d03c_a4bf, 0xdc51_7da4_9d0b_75a1, 0x6423_a69c_4594_9f85]),
    ("gear", [0x5fb1_be56_dbf7_e4a8, 0x11d3_b46c_ab09_fb01, 0x7437_5385_8cd0_d036]),
    ("hand", [0x1912_9248_91a2_93a8, 0x9054_baa8_59ca_c365, 0x26e4_2822_4251_2a2a]),
    ("cube", [0x7b56_7ac5_d2c1_042f, 0x2191_a62c_a6a8_2bfa, 0xaf4d_bbd0_e2ba_0b82]),
    ("grid", [0x621d_7796_3572_4221, 0x1896_c645_ab75_85e5, 0xd8f2_2a0c_a440_ff5b]),
    ("layers", [0x273b_4db3_0a13_f312, 0xc933_f82b_dbd8_3d4c, 0x1b27_cc6d_7ee2_63b7]),
    ("isosceles", [0x33ed_13dc_6611_e668, 0xed67_84dd_981b_28a6, 0x8e65_3c7a_2163_133c]),
    ("shrinking", [0x7a6e_a831_6de0_daf5, 0xa169_1552_9098_7b7e, 0xbb29_7989_ddad_82f6]),
    ("line", [0x03d9_9886_ad79_5021, 0x4de4_8805_b91e_2a84, 0x2f00_7b84_29a3_c22c]),
    ("equal", [0xd923_2eeb_8c73_78f4, 0x5cca_d19c_d278_1f3c, 0xf06f_72ab_8a90_2fae]),
];
