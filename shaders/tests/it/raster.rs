//! The twin of the drawing kernel against a slower and simpler reference: hulls as half-spaces, and
//! for every pixel the interval in which a line through its centre lies inside.

use impinge_models::Random;
use impinge_shaders::image::strip::{Code, Run};
use impinge_shaders::image::{Atlas, Hulls, PairDraw, PixelClass, Placed, raster, strip, word};

/// A box as vertices and strips: each face a strip of four, counter-clockwise from outside.
fn cuboid() -> (Vec<[f32; 3]>, Vec<u32>) {
    let corner = |v: u32| [0, 1, 2].map(|axis| if v >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let faces: [[u32; 4]; 6] =
        [[0, 2, 1, 3], [4, 5, 6, 7], [0, 1, 4, 5], [2, 6, 3, 7], [0, 4, 2, 6], [1, 3, 5, 7]];
    let entries = strip::encode(faces.iter().map(<[u32; 4]>::as_slice)).expect("strips");
    ((0..8).map(corner).collect(), entries)
}

/// A map of the box into clip space: half-sizes along rotated axes, and a centre. It mirrors depth,
/// as a view does, so that outside faces are front faces.
fn placed(random: &mut Random, run: Run) -> (Placed, [[f64; 4]; 3]) {
    let pose = random.pose(0.25);
    let size = [0, 1, 2].map(|_| random.range(0.1, 0.5));
    let mut rows = [[0.0; 4]; 3];
    for (i, row) in rows.iter_mut().enumerate() {
        let (scale, middle) = if i == 2 { (-0.5, 0.5) } else { (1.0, 0.0) };
        for k in 0..3 {
            row[k] = scale * pose.rotation()[(i, k)] * size[k];
        }
        row[3] = middle + scale * pose.translation()[i];
    }
    let rounded = rows.map(|row| row.map(|value| value as f32));
    (Placed::new(rounded, run), rounded.map(|row| row.map(f64::from)))
}

/// The depth interval in which the line through (x, y) lies inside the mapped box; `None` if it
/// misses.
fn interval(rows: &[[f64; 4]; 3], x: f64, y: f64) -> Option<[f64; 2]> {
    let m = inverse(rows)?;
    let start = [x - rows[0][3], y - rows[1][3], -rows[2][3]];
    let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
    for row in m {
        let at_zero = row[0] * start[0] + row[1] * start[1] + row[2] * start[2];
        let (a, b) = ((-1.0 - at_zero) / row[2], (1.0 - at_zero) / row[2]);
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    (near <= far).then_some([near, far])
}

/// The inverse of the linear part, by cofactors.
fn inverse(m: &[[f64; 4]; 3]) -> Option<[[f64; 3]; 3]> {
    let minor = |i: usize, j: usize| {
        let (a, b) = ((i + 1) % 3, (i + 2) % 3);
        let (c, d) = ((j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let det: f64 = (0..3).map(|j| m[0][j] * minor(0, j)).sum();
    (det != 0.0).then(|| [0, 1, 2].map(|i| [0, 1, 2].map(|j| minor(j, i) / det)))
}

/// The number of unambiguous pixels and of those that differ, over seeded scenes.
fn compare(
    value_of: impl Fn(Option<[f64; 2]>, Option<[f64; 2]>) -> u8,
) -> (usize, usize, [usize; 4]) {
    let (vertices, entries) = cuboid();
    let hulls = Hulls::new(&vertices, &entries).expect("a box");
    let run = Run::new(Code::Strips, 0, &entries);
    let atlas = Atlas::fitting(48, 32, 1, 64).expect("one viewport");
    let place = atlas.viewport(0).expect("one viewport");
    let (mut certain, mut wrong, mut seen) = (0, 0, [0; 4]);
    for seed in 0..60 {
        let mut random = Random::stream(11, seed);
        let (first, rows_a) = placed(&mut random, run);
        let (second, rows_b) = placed(&mut random, run);
        let pixels = raster::viewport(place, &hulls, &PairDraw { first, second });
        for y in 0..place.height {
            for x in 0..place.width {
                // The value, where it is the same in the neighbourhood of the centre.
                let values = [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].map(
                    |(dx, dy): (f64, f64)| {
                        let u = 2.0 * (f64::from(x) + 0.5 + dx / 64.0) / 48.0 - 1.0;
                        let v = 1.0 - 2.0 * (f64::from(y) + 0.5 + dy / 64.0) / 32.0;
                        value_of(interval(&rows_a, u, v), interval(&rows_b, u, v))
                    },
                );
                if values.iter().all(|&v| v == values[0]) {
                    certain += 1;
                    seen[values[0] as usize] += 1;
                    wrong +=
                        usize::from(pixels.values[(y * place.width + x) as usize] != values[0]);
                }
            }
        }
    }
    (certain, wrong, seen)
}

/// Figure 2-12 of the paper: the pixel value from the two depth intervals.
fn by_intervals(a: Option<[f64; 2]>, b: Option<[f64; 2]>) -> u8 {
    match (a, b) {
        (None, _) => 0,
        (Some(_), None) => 1,
        (Some(a), Some(b)) => 1 + u8::from(b[0] > a[0]) + u8::from(b[1] >= a[0]),
    }
}

#[test]
fn values_are_those_of_the_intervals() {
    let (certain, wrong, seen) = compare(by_intervals);
    assert!(certain > 85_000, "{certain} of 92160 pixels are certain");
    assert_eq!(wrong, 0, "of {certain}");
    assert!(seen.iter().all(|&n| n > 500), "every value occurs: {seen:?}");
}

#[test]
fn another_rule_is_noticed() {
    let wrong_rule = |a: Option<[f64; 2]>, b: Option<[f64; 2]>| match by_intervals(a, b) {
        3 => 2,
        value => value,
    };
    assert!(compare(wrong_rule).1 > 500);
}

/// An axis-parallel box [low, high] in depth that fills the viewport.
fn slab(low: f32, high: f32, run: Run) -> Placed {
    let (half, middle) = ((high - low) / 2.0, f32::midpoint(high, low));
    let rows = [[0.75, 0.0, 0.0, 0.0], [0.0, 0.75, 0.0, 0.0], [0.0, 0.0, -half, middle]];
    Placed::new(rows, run)
}

#[test]
fn the_eight_orders_of_two_intervals_and_the_ties() {
    let (vertices, entries) = cuboid();
    let hulls = Hulls::new(&vertices, &entries).expect("a box");
    let n = Run::new(Code::Strips, 0, &entries);
    let a = [0.25, 0.5];
    // B's interval, the expected value, and whether the swapped direction finds an overlap.
    let cases = [
        ([0.0, 0.125], 1, 3),
        ([0.0, 0.25], 2, 3),
        ([0.125, 0.375], 2, 3),
        ([0.125, 0.75], 2, 3),
        ([0.25, 0.5], 2, 2),
        ([0.25, 0.375], 2, 2),
        ([0.3125, 0.375], 3, 2),
        ([0.375, 0.75], 3, 2),
        ([0.5, 0.75], 3, 2),
        ([0.625, 0.75], 3, 1),
    ];
    let atlas = Atlas::fitting(16, 16, 2 * cases.len() as u32, 128).expect("they fit");
    let pairs: Vec<PairDraw> = cases
        .iter()
        .map(|(b, ..)| PairDraw { first: slab(a[0], a[1], n), second: slab(b[0], b[1], n) })
        .flat_map(|pair| [pair, pair.swapped()])
        .collect();
    let image = raster::draw(&atlas, &hulls, &pairs).expect("they are fine");
    let words = word::classify(&atlas, &image);
    for (k, (b, value, other)) in cases.iter().enumerate() {
        for (word, value) in [(words[2 * k], *value), (words[2 * k + 1], *other)] {
            let class = PixelClass::from_word(word).expect("classified");
            assert_eq!(class.overlap.is_some(), value == 2, "{b:?} {class:?}");
            assert_eq!(class.behind, value == 3, "{b:?} {class:?}");
        }
    }
}
