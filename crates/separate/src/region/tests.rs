//! Clips and rounds, against exact points.

use dashu_ratio::RBig;
use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Random;

use super::*;

fn slab(low: f64, high: f64) -> Slab {
    Slab { low, high }
}

const UNIT_BOX: Volume = Volume([Slab { low: 0.0, high: 1.0 }; 3]);

fn clipped(heights: Heights, clip: &Volume) -> Option<Volume> {
    let mut around = Volume::EMPTY;
    cut(&heights, clip, &mut around).then_some(around)
}

#[test]
fn a_triangle_through_the_region_with_all_corners_outside_is_kept_and_clipped() {
    let large = [[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [0.0, 9.0, 0.5]];
    let around = clipped(large, &UNIT_BOX).expect("it crosses the box");
    assert_eq!(around, Volume([slab(0.0, 1.0), slab(0.0, 1.0), slab(0.5, 0.5)]));
    // Its bounds reach into the box, the triangle does not.
    let beside = [[1.5, -1.0, 0.5], [3.0, 2.0, 0.5], [0.9, 4.0, 0.5]];
    assert_eq!(clipped(beside, &UNIT_BOX), None);
    let inside = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]];
    let around = clipped(inside, &UNIT_BOX).expect("inside");
    assert_eq!(around, Volume([slab(0.1, 0.7), slab(0.2, 0.8), slab(0.3, 0.9)]));
    // A shared face, edge or corner of the box is not lost.
    assert!(clipped([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]], &UNIT_BOX).is_some());
    assert!(clipped([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [2.0, 2.0, 1.0]], &UNIT_BOX).is_some());
}

/// Every point of a triangle within the box is within the volume around its clip, up to `6 δ`, and
/// the volume is tight: each of its planes is met.
#[test]
fn what_is_left_is_what_lies_in_the_box() {
    let mut random = Random::new(3);
    let (mut some, mut none) = (0, 0);
    for _ in 0..3000 {
        let heights = [0; 3].map(|_| [0; 3].map(|_| random.range(-1.5, 2.5)));
        let sample = (0..400).map(|_| {
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            [0, 1, 2].map(|k| {
                heights[0][k]
                    + u * (heights[1][k] - heights[0][k])
                    + v * (heights[2][k] - heights[0][k])
            })
        });
        let inside: Vec<_> = sample.filter(|p| UNIT_BOX.has(p)).collect();
        let Some(around) = clipped(heights, &UNIT_BOX) else {
            none += 1;
            assert!(inside.is_empty(), "{heights:?}");
            continue;
        };
        some += 1;
        let around = around.widened(6.0 * CLIP * UNIT * 2.5);
        assert!(inside.iter().all(|p| around.has(p)), "{heights:?}");
        let within = UNIT_BOX.widened(1e-13);
        let tight = |(s, w): (&Slab, Slab)| s.low >= w.low && s.high <= w.high;
        assert!(around.0.iter().zip(within.0).all(tight), "{around:?}");
    }
    assert!(some > 500 && none > 500, "{some} {none}");
}

/// Two crossing strips of triangles: the region shrinks to where they cross.
#[test]
fn rounds_leave_the_triangles_where_two_strips_cross() {
    let strip = |along: usize, z: f64| -> Vec<Part> {
        (0..64)
            .map(|index| {
                let at = |x: f64, y: f64| {
                    let mut p = [0.0, 0.0, z];
                    (p[along], p[1 - along]) = (x, y);
                    p
                };
                let x = f64::from(index) - 32.0;
                Part { index, heights: [at(x, -0.5), at(x + 1.0, -0.5), at(x + 0.5, 0.5)] }
            })
            .collect()
    };
    let shrink = |z: f64| {
        let mut parts = Parts { lists: [strip(0, 0.0), strip(1, z)], ..Parts::default() };
        let both = Volume([slab(-0.5, 0.5), slab(-0.5, 0.5), slab(0.0, 0.0)]);
        let shrunk = parts
            .shrink((both, margin(0.0, 32.0)), (8, 0.0), (&mut (), &Control::NONE))
            .expect("nobody cancels");
        (shrunk, parts.count(), parts.left()[0].to_vec())
    };
    let (shrunk, count, left) = shrink(0.0);
    assert_eq!((count, left), ([2, 2], vec![31, 32]));
    assert!(shrunk.region.is_some() && shrunk.rounds <= 5, "{shrunk:?}");
    assert_eq!(shrink(1e-9).0.region, None);
}

/// A number as a fraction.
fn exact(x: f64) -> RBig {
    RBig::try_from(x).expect("finite")
}

/// New corners against fractions. The search reaches more than a quarter of the `12 u H` needed, and
/// never what is granted.
#[test]
fn a_new_corner_is_off_by_less_than_what_is_granted() {
    let mut random = Random::new(23);
    let mut worst = 0.0f64;
    for _ in 0..40_000 {
        let near = |random: &mut Random| {
            let ends = [1.0, -1.0, random.range(-1.0, 1.0)][random.below(3) as usize];
            ends * (1.0 - UNIT * (random.below(1 << 12) as f64))
        };
        let (p, q) = ([0; 3].map(|_| near(&mut random)), [0; 3].map(|_| near(&mut random)));
        let c = p[0] + random.unit() * (q[0] - p[0]);
        if !(p[0] < c && c < q[0]) {
            continue;
        }
        let plane = Plane { k: 0, c, side: 1.0 };
        let v = plane.between(&p, &q);
        assert_eq!(v[0], c);
        let t = (exact(c) - exact(p[0])) / (exact(q[0]) - exact(p[0]));
        for j in 1..3 {
            let truth = exact(p[j]) + t.clone() * (exact(q[j]) - exact(p[j]));
            let off = (exact(v[j]) - truth).to_f64().value().abs();
            worst = worst.max(off / UNIT);
        }
    }
    assert!(worst > 3.0 && worst <= 12.0 && CLIP >= 12.0, "{worst}");
}

/// Triangles on two sides of a plane that touch in the middle of an edge, far from the origin: no
/// common point is lost. Without a margin, many are.
#[test]
fn points_that_touch_are_not_lost_to_rounding() {
    let mut random = Random::new(5);
    let (mut lost, mut lost_without) = (0, 0);
    for _ in 0..4_000 {
        // A plane with a normal of whole numbers, and a vector in it.
        let whole = |random: &mut Random| Vector::from_fn(|_, _| 1.0 + random.below(9) as f64);
        let n = whole(&mut random);
        let along = n.cross(&whole(&mut random));
        let middle = Point::from([0; 3].map(|_| random.below(1 << 10) as f64));
        let a = [middle - along, middle + along, middle + n];
        let b = [middle, middle - n + along, middle - n - along];
        let axes = Axes::about(&n);
        lost += u32::from(is_lost([a, b], &axes, 1.0));
        lost_without += u32::from(is_lost([a, b], &axes, 0.0));
    }
    assert_eq!(lost, 0);
    assert!(lost_without > 400, "{lost_without}");
}

/// Whether the rounds find no common point, with a share of the margin.
fn is_lost(triangles: [[Point; 3]; 2], axes: &Axes, share: f64) -> bool {
    let meshes = triangles.map(|t| Mesh::new(t.to_vec(), vec![[0, 1, 2]]).expect("finite"));
    let clouds = meshes.each_ref().map(|mesh| {
        let mut points = Points::default();
        points
            .place(mesh.vertices(), (None, 0), &Pose::identity(), &Control::NONE)
            .expect("nobody cancels");
        points
    });
    let (mut parts, mut nothing) = (Parts::default(), ());
    let volumes = [0, 1].map(|side| {
        parts.measure(side, &clouds[side], axes, &Control::NONE).expect("nobody cancels")
    });
    let doubts = clouds.iter().flat_map(|points| axes.0.map(|d| points.doubt(&d)));
    let most = volumes[0].largest().max(volumes[1].largest());
    let g = share * margin(doubts.fold(0.0, f64::max), most);
    let region = volumes[0].widened(g).and(&volumes[1].widened(g));
    let all = Volume([slab(f64::NEG_INFINITY, f64::INFINITY); 3]);
    for side in 0..2 {
        let reach = (&all, &region.widened(g));
        parts
            .collect(side, (&meshes[side], &clouds[side]), reach, (&mut nothing, &Control::NONE))
            .expect("nobody cancels");
    }
    let shrunk = parts.shrink((region, g), (8, 0.0), (&mut nothing, &Control::NONE));
    shrunk.expect("nobody cancels").region.is_none()
}
