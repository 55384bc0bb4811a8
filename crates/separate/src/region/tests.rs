//! Clips and rounds, against exact points.

use impinge_models::random::Random;

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
        match clipped(heights, &UNIT_BOX) {
            Some(around) => {
                some += 1;
                let around = around.widened(6.0 * CLIP * UNIT * 2.5);
                assert!(inside.iter().all(|p| around.has(p)), "{heights:?}");
                let within = UNIT_BOX.widened(1e-15);
                assert!(
                    around
                        .0
                        .iter()
                        .zip(within.0)
                        .all(|(s, w)| { s.low >= w.low - 1e-13 && s.high <= w.high + 1e-13 })
                );
            }
            None => {
                none += 1;
                assert!(inside.is_empty(), "{heights:?}");
            }
        }
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
        let shrunk = parts.shrink((0.0, 8), (&mut (), &Control::NONE)).expect("nobody cancels");
        (shrunk, parts.count(), parts.left()[0].to_vec())
    };
    let (shrunk, count, left) = shrink(0.0);
    assert_eq!((count, left), ([2, 2], vec![31, 32]));
    assert!(shrunk.region.is_some() && shrunk.rounds <= 4, "{shrunk:?}");
    assert_eq!(shrink(1e-9).0.region, None);
}
