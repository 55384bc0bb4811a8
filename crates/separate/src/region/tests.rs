//! Clips and rounds, against exact points.

use dashu_ratio::RBig;
use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::{Cancel, Statistics};

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
    for k in 0..3 {
        for (plane, beyond) in [(0.0, -1.0), (1.0, 2.0)] {
            let mut corners = [[0.5; 3]; 3];
            (corners[0][k], corners[1][k], corners[2][k]) = (plane, beyond, beyond);
            let mut left = UNIT_BOX.0.map(|_| slab(0.5, 0.5));
            left[k] = slab(plane, plane);
            assert_eq!(clipped(corners, &UNIT_BOX), Some(Volume(left)), "{k} {plane}");
            let volume = Volume([slab(0.5, 0.5); 3]);
            assert!(reaches(&corners, &UNIT_BOX) && !reaches(&corners, &volume));
        }
    }
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

#[test]
fn the_margin_is_that_of_the_proof() {
    let u = 2f64.powi(-53);
    // Eight times sixteen u of the largest height, beside what heights are off by.
    assert_eq!(margin(0.0, 3.0), 8.0 * 16.0 * 3.0 * u);
    assert_eq!(margin(2.0, 0.0), 2.0);
    assert_eq!(margin(0.0, 0.0), 64.0 * 2f64.powi(-1074));
    assert_eq!(Volume([slab(-3.0, 1.0), slab(0.0, 2.0), slab(-1.0, 0.5)]).largest(), 3.0);
}

/// Triangles are kept by their corners' coordinates, without all beyond one plane of one of two boxes;
/// a corner on a plane is not beyond it.
#[test]
fn triangles_are_kept_that_no_plane_dismisses() {
    let mut random = Random::new(8);
    let vertices: Vec<Point> = (0..15_000)
        .map(|_| Point::from([0; 3].map(|_| 0.25 * random.below(17) as f64 - 2.0)))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..5_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = Mesh::new(vertices, triangles).expect("finite");
    let mut points = Points::default();
    points
        .place(mesh.vertices(), (None, 0), &Pose::identity(), &Control::NONE)
        .expect("nobody cancels");
    let boxes = [
        Volume([slab(-0.5, 0.25), slab(-1.0, 1.0), slab(-0.25, 1.5)]),
        Volume([slab(-1.0, 0.0), slab(-0.25, 1.25), slab(-1.5, 0.5)]),
    ];
    let (mut parts, axes) = (Parts::default(), Axes::of_frame());
    let cancel = Cancel::at_look(u64::MAX);
    let control = Control::NONE.cancelled_by(&cancel);
    let mut counter = Statistics::default();
    parts.measure(1, &points, &axes, &control).expect("nobody cancels");
    let reach = (&boxes[0], &boxes[1]);
    parts.collect(1, (&mesh, &points), reach, (&mut counter, &control)).expect("nobody cancels");
    let looks = cancel.looks().expect("counted").number;
    assert_eq!((counter.volume_tests, looks), (5_000, 3 + 3 + 2));
    let dismissed = |t: [Point; 3]| {
        boxes.iter().any(|b| {
            let beyond = |k: usize, side: f64, c: f64| t.iter().all(|p| side * p[k] > side * c);
            (0..3).any(|k| beyond(k, 1.0, b.0[k].high) || beyond(k, -1.0, b.0[k].low))
        })
    };
    let kept: Vec<u32> = (0..5_000).filter(|&t| !dismissed(mesh.triangle(t))).collect();
    assert!((500..4_500).contains(&kept.len()), "{}", kept.len());
    assert_eq!(parts.left(), [&[][..], &kept[..]]);
    for part in &parts.lists[1] {
        assert_eq!(part.heights, mesh.triangle(part.index).map(|p| <[f64; 3]>::from(p.coords)));
    }
    // Another mesh replaces it.
    parts
        .collect(1, (&mesh, &points), (&boxes[0], &UNIT_BOX), (&mut (), &Control::NONE))
        .expect("nobody cancels");
    assert!(parts.count()[1] != kept.len() && parts.count()[0] == 0);
}

/// Triangles that are points on one axis.
fn dots<const N: usize>(at: [f64; N]) -> Vec<Part> {
    (0..).zip(at).map(|(index, x)| Part { index, heights: [[x, 0.0, 0.0]; 3] }).collect()
}

fn along(low: f64, high: f64) -> Volume {
    Volume([slab(low, high), slab(0.0, 0.0), slab(0.0, 0.0)])
}

/// Points of both meshes by turns, each farther than the last: one is dropped in each round, first of
/// eight, in the end of three.
#[test]
fn rounds_end_where_they_are_told_to() {
    let shrink = |rounds: u32, least_drop: f64| {
        let lists = [dots([0.0, 10.0, 7.0, 4.0]), dots([0.0, 8.0, 6.0, 3.0])];
        let mut parts = Parts { lists, ..Parts::default() };
        let cancel = Cancel::at_look(u64::MAX);
        let mut counter = Statistics::default();
        let on = (&mut counter, &Control::NONE.cancelled_by(&cancel));
        let shrunk = parts.shrink((along(0.0, 9.0), 0.0), (rounds, least_drop), on);
        let shrunk = shrunk.expect("nobody cancels");
        let left = parts.count().iter().sum::<usize>();
        assert_eq!(counter.volumes_updated, 2 * u64::from(shrunk.rounds));
        assert_eq!(cancel.looks().expect("counted").number, 2 * u64::from(shrunk.rounds));
        (shrunk, left, counter.volume_tests)
    };
    for (rounds, most) in [(0, 7.0), (1, 7.0), (2, 6.0), (3, 4.0), (4, 3.0), (5, 0.0), (6, 0.0)] {
        let (shrunk, left, tests) = shrink(rounds, 0.0);
        let done = rounds.max(1);
        assert_eq!((shrunk.rounds, left as u32), (done, 8 - done));
        assert_eq!(tests, (0..done).map(|k| 8 - u64::from(k)).sum::<u64>());
        assert_eq!(shrunk.region, Some(along(0.0, most)), "{rounds}");
    }
    // Seven are enough: nothing is dropped by the last.
    assert_eq!((shrink(7, 0.0).0.rounds, shrink(64, 0.0).0.rounds), (7, 7));
    assert_eq!(shrink(64, 0.0).1, 2);
    // One of eight is less than a quarter, but not than an eighth.
    assert_eq!((shrink(64, 0.25).0.rounds, shrink(64, 0.2).0.rounds), (1, 1));
    assert_eq!((shrink(64, 0.125).0.rounds, shrink(64, 0.1).0.rounds), (7, 7));
}

#[test]
fn rounds_end_without_a_common_point() {
    let shrink = |a: Vec<Part>, b: Vec<Part>, region: Volume| {
        let mut parts = Parts { lists: [a, b], ..Parts::default() };
        let on = (&mut (), &Control::NONE);
        parts.shrink((region, 0.0), (1, 0.25), on).expect("nobody cancels")
    };
    let none = |rounds: u32| Shrunk { region: None, rounds };
    let all = along(-9.0, 9.0);
    // A mesh without triangles there, or a region without points.
    assert_eq!(shrink(dots([]), dots([1.0]), all), none(0));
    assert_eq!(shrink(dots([1.0]), dots([]), all), none(0));
    assert_eq!(shrink(dots([1.0]), dots([1.0]), along(2.0, 1.0)), none(0));
    // After a round: nothing is left of one mesh, or the slabs are apart though nothing was dropped.
    assert_eq!(shrink(dots([1.0]), dots([20.0]), all), none(1));
    assert_eq!(shrink(dots([20.0]), dots([1.0]), all), none(1));
    assert_eq!(shrink(dots([1.0]), dots([2.0]), all), none(1));
    assert_eq!(shrink(dots([1.0]), dots([1.0]), all).region, Some(along(1.0, 1.0)));
}

/// Many triangles: one look for 4,096, and all are counted.
#[test]
fn a_round_looks_at_the_flag() {
    let list = |n: u32| (0..n).map(|index| Part { index, heights: [[0.0; 3]; 3] }).collect();
    let mut parts = Parts { lists: [list(5_000), list(9_000)], ..Parts::default() };
    let cancel = Cancel::at_look(u64::MAX);
    let mut counter = Statistics::default();
    let on = (&mut counter, &Control::NONE.cancelled_by(&cancel));
    let shrunk = parts.shrink((along(0.0, 0.0), 0.0), (8, 0.25), on).expect("nobody cancels");
    assert_eq!((shrunk.rounds, counter.volume_tests), (1, 14_000));
    assert_eq!(cancel.looks().expect("counted").number, 2 + 3);
}
