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
    ("five", [0x2489_49c3_55d1_b606, 0x60f5_0ce0_91f0_79e1, 0x61b0_fb20_5273_20b5]),
    ("twenty", [0xcb45_bc68_0cb5_7f90, 0x50a4_0451_07c8_9a8c, 0x2ee8_241d_97e4_ce23]),
    ("soup", [0xfa18_6b6c_94a6_4268, 0x8e2c_589b_1f4b_371f, 0x383a_1fbc_2332_bced]),
    ("far soup", [0x1b6e_7a54_cea4_53e0, 0x768e_9156_3e02_870f, 0xdf22_ec3f_c5c6_4af2]),
    ("tiny soup", [0x452a_60f7_7d55_1cad, 0x9973_d2e1_17cb_a5c6, 0x32f5_7e95_2b54_211c]),
    ("large torus", [0x6038_288b_d32e_8c8a, 0xba88_711f_f0fe_6fb6, 0xa357_b9f8_b68e_3de1]),
    ("gear", [0x5b3e_a9f3_309b_90f0, 0xcc5c_a20e_9867_49c0, 0x2640_d7b8_c206_4ee7]),
    ("hand", [0xcc66_b5dc_26f3_4c54, 0x4065_f9c1_769d_d264, 0x8130_d08a_3fed_5ccc]),
    ("cube", [0x5bd2_c811_de1d_087e, 0x877c_e710_bae4_88f2, 0x3dce_3e6b_ae4f_7646]),
    ("grid", [0x41a2_8aab_0f6b_8125, 0x7905_6c80_bde8_3135, 0xaffc_433b_34db_60ec]),
    ("layers", [0x4c38_3a25_aa48_1e8b, 0x4d01_5b53_2420_aafa, 0x9ff0_b064_a9a4_d701]),
    ("isosceles", [0x4781_1440_80aa_3d74, 0xe263_ce45_7890_4fbb, 0xf005_3457_4d37_88c1]),
    ("shrinking", [0x492d_2f47_11f5_ad39, 0xa0b4_af17_0b60_4542, 0x88fe_12a0_1ec2_ab04]),
    ("line", [0x6907_f941_4a0d_9e79, 0x052b_ad0b_2375_1d97, 0x1507_05b0_9462_805a]),
    ("equal", [0xcfea_523e_2ab0_6c8e, 0xf03a_9ef2_c158_c71f, 0x88e5_72b4_19bb_f260]),
];
