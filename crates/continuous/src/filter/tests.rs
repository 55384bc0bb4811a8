//! The filter beside integers: with its bounds it is never wrong, and with a hundredth of them it is.

use impinge_geometry::Point;
use impinge_models::Random;
use impinge_query::continuous::Interval;
use impinge_testkit::cases::moving::{Family, Kind};

use super::corners::snap;
use super::newton::root;
use super::{Proven, SPLIT, Share, Verdict};
use crate::features::Question;

/// No bounds at all.
struct None;

impl Share for None {
    const OF_BOUNDS: f64 = 0.0;
}

/// A hundredth of the bounds.
struct Hundredth;

impl Share for Hundredth {
    const OF_BOUNDS: f64 = 0.01;
}

/// A hundredth of the bounds of corners, and all of the others.
struct HundredthOfCorners;

impl Share for HundredthOfCorners {
    const OF_BOUNDS: f64 = 1.0;
    const OF_CORNERS: f64 = 0.01;
}

/// All but the bounds of cross products.
struct NoNormals;

impl Share for NoNormals {
    const OF_BOUNDS: f64 = 1.0;
    const OF_NORMALS: f64 = 0.0;
}

/// All but the room for underflow.
struct NoUnderflow;

impl Share for NoUnderflow {
    const OF_BOUNDS: f64 = 1.0;
    const OF_UNDERFLOW: f64 = 0.0;
}

/// Verdicts that the filter gives on queries of a family, and how many of them are wrong.
fn tally<S: Share>(family: Family, queries: u64) -> [usize; 2] {
    let (mut given, mut wrong) = (0, 0);
    for number in 0..queries {
        let query = family.query(number);
        let question = match query.kind {
            Kind::VertexFace => Question::VertexFace,
            Kind::EdgeEdge => Question::EdgeEdge,
        };
        let verdict = question.filtered::<S>(&query.start, &query.end);
        let truth = question.by_integers(&query.start, &query.end).expect("finite");
        let overlap = |x: Interval| truth.is_some_and(|y| x.low <= y.high && y.low <= x.high);
        let right = match verdict {
            Verdict::Unknown => continue,
            Verdict::Apart => truth.is_none(),
            Verdict::Meet(interval) | Verdict::MeetWithin(interval) => overlap(interval),
        };
        given += 1;
        wrong += usize::from(!right);
    }
    [given, wrong]
}

/// Families in which rounding decides signs.
const ROUNDED: [Family; 3] = [Family::Tilted, Family::Grazing, Family::Sliding];

#[test]
fn the_filter_is_never_wrong() {
    for family in Family::ALL {
        let [given, wrong] = tally::<Proven>(family, 400);
        assert_eq!(wrong, 0, "{family:?}: {given} verdicts");
    }
}

#[test]
fn smaller_bounds_are_noticed() {
    let sum = |tally: fn(Family, u64) -> [usize; 2]| -> usize {
        ROUNDED.iter().map(|family| tally(*family, 4_000)[1]).sum()
    };
    let (none, hundredth) = (sum(tally::<None>), sum(tally::<Hundredth>));
    assert!(none > 500, "{none} wrong without bounds");
    assert!(hundredth > 10, "{hundredth} wrong with a hundredth of the bounds");
    assert_eq!(sum(tally::<Proven>), 0);
}

/// A corner of a triangle runs through the vertex at the time of the first split. Before it, all corners are
/// above the vertex, after it, beside it: what is at that time is rounded.
fn through_a_corner(random: &mut Random) -> [[Point; 4]; 2] {
    const STEPS: i128 = 1 << 50;
    let steps = (snap(SPLIT) * STEPS as f64) as i128;
    let far = 2f64.powi(92);
    let mut ends = [[[0.0; 3], [0.0; 3], [far; 3], [far, -far, 0.5 * far]]; 2];
    for (k, sign) in [-1, 1, 1].into_iter().enumerate() {
        let speed = (1_i128 << 40) + i128::from(random.below(1 << 40));
        for (points, way) in ends.iter_mut().zip([steps, steps - STEPS]) {
            // The corner less the vertex, in two parts.
            let exact = sign * speed * way;
            points[1][k] = exact as f64;
            points[0][k] = -((exact - points[1][k] as i128) as f64);
        }
    }
    ends.map(|points| points.map(Point::from))
}

#[test]
fn a_hundredth_of_the_bounds_of_corners_is_noticed() {
    let (mut random, mut wrong) = (Random::new(0xc04), [0; 2]);
    for _ in 0..1_000 {
        let [start, end] = through_a_corner(&mut random);
        let question = Question::VertexFace;
        assert!(question.by_integers(&start, &end).expect("finite").is_some());
        let apart = |verdict: Verdict| usize::from(verdict == Verdict::Apart);
        wrong[0] += apart(question.filtered::<Proven>(&start, &end));
        wrong[1] += apart(question.filtered::<HundredthOfCorners>(&start, &end));
    }
    assert!(wrong[0] == 0 && wrong[1] > 20, "{wrong:?}");
}

/// A point on the border of a flat triangle at rest: the sign of a cross product is rounded.
#[test]
fn bounds_of_cross_products_are_needed() {
    let e = f64::from_bits(0x3cab_1e2e_0000_0000);
    let points = [[e, 3.0 * e], [-1.0, -3.0], [1.0, 3.0], [-1.0, 1.0]];
    let points = points.map(|[x, y]| Point::new(x, y, 0.0));
    let question = Question::VertexFace;
    assert!(question.by_integers(&points, &points).expect("finite").is_some());
    assert_eq!(question.filtered::<NoNormals>(&points, &points), Verdict::Apart);
    assert_eq!(question.filtered::<Proven>(&points, &points), Verdict::Unknown);
}

/// Features of 1e-161 beside one of 1.
#[test]
fn room_for_underflow_is_needed() {
    let start = [
        [-0.402_915_257_823_238_2, -0.484_196_753_247_716_7, -0.227_952_703_727_829_5],
        [1.602_505_355_205_255_5e-161, -9.458_391_735_987_46e-162, 3.066_799_413_444_931_5e-162],
        [-1.700_639_154_452_438e-161, -1.186_241_818_245_314_8e-161, 4.713_985_560_906_3e-163],
        [-4.899_791_680_233_688e-162, -1.471_842_001_217_447_4e-162, 1.336_917_189_072_558_3e-161],
    ];
    let end = [
        [-0.870_719_262_565_306_9, 0.938_834_239_119_441_7, -0.065_961_711_587_487_09],
        [-1.495_746_457_892_635e-161, -1.173_855_323_425_110_8e-161, -8.443_799_290_190_703e-163],
        [1.329_841_441_267_835_4e-162, -2.124_818_885_214_253_7e-163, -4.113_621_816_048_026e-164],
        [-7.128_248_954_629_326e-162, -1.461_606_741_967_968_6e-161, -1.197_418_917_330_822_1e-161],
    ];
    let [start, end] = [start, end].map(|all| all.map(Point::from));
    let question = Question::EdgeEdge;
    let truth = question.by_integers(&start, &end).expect("finite").expect("they touch");
    assert!(truth.low > 0.53 && truth.high < 0.54, "{truth:?}");
    assert_eq!(question.filtered::<NoUnderflow>(&start, &end), Verdict::Apart);
    assert_ne!(question.filtered::<Proven>(&start, &end), Verdict::Apart);
}

/// At least this many of 300 queries of each family end as `Apart`, `Meet` and `MeetWithin`.
#[rustfmt::skip]
const DECIDED: [[u32; 3]; 21] = [
    [267, 33, 0], // Random
    [124, 163, 12], // Aimed
    [276, 24, 0], // Sheets
    [129, 154, 17], // Needles
    [130, 158, 11], // Scales
    [64, 0, 0], // Exponents
    [48, 6, 0], // Extremes
    [69, 205, 0], // Flat
    [85, 2, 0], // Tilted
    [190, 22, 2], // Sliding
    [229, 0, 0], // Parallel
    [30, 0, 0], // Line
    [125, 27, 2], // Coincident
    [195, 2, 0], // Standing
    [0, 0, 0], // Start
    [0, 39, 0], // End
    [0, 13, 1], // Border
    [219, 14, 6], // Lattice
    [65, 4, 10], // Double
    [64, 10, 10], // Grazing
    [0, 0, 0], // Triple
];

/// What the filter leaves open is decided all the same, but slowly. Contacts may move from the third
/// number to the second.
#[test]
fn the_filter_decides_no_less_than_it_did() {
    for (family, least) in Family::ALL.into_iter().zip(DECIDED) {
        let mut decided = [0_u32; 3];
        for number in 0..300 {
            let query = family.query(number);
            let question = match query.kind {
                Kind::VertexFace => Question::VertexFace,
                Kind::EdgeEdge => Question::EdgeEdge,
            };
            match question.filtered::<Proven>(&query.start, &query.end) {
                Verdict::Apart => decided[0] += 1,
                Verdict::Meet(_) => decided[1] += 1,
                Verdict::MeetWithin(_) => decided[2] += 1,
                Verdict::Unknown => {}
            }
        }
        let all = |n: [u32; 3]| n.iter().sum::<u32>();
        let enough = decided[0] >= least[0] && decided[1] >= least[1] && all(decided) >= all(least);
        assert!(enough, "{family:?}: {decided:?}");
    }
}

/// Guesses of roots of cubics that have one root between 0 and 1, at known places.
#[test]
fn guesses_of_roots_are_near() {
    for index in 0..2_000 {
        let mut random = Random::stream(31, index);
        let r = [random.unit(), random.unit().powi(12), 1.0 - random.unit().powi(12)]
            [index as usize % 3];
        // (x − r) times a square that is not zero in between, or nearly zero somewhere.
        let (p, q) = (random.range(-1.0, 2.0), random.unit().powi(6));
        let k = [p * p + q, -2.0 * p, 1.0];
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        let f = [-r * k[0], k[0] - r * k[1], k[1] - r * k[2], k[2]].map(|x| sign * x);
        // Σ c_i (1 − x)^(3−i) x^i from the powers of x.
        let c =
            [f[0], 3.0 * f[0] + f[1], 3.0 * f[0] + 2.0 * f[1] + f[2], f[0] + f[1] + f[2] + f[3]];
        // The least slope near the root tells how well it is determined.
        let slope = (k[0] + k[1] * r + k[2] * r * r).abs();
        let error = (root(c) - r).abs();
        assert!(error * slope < 1e-13, "{index}: {error:e} beside {r}, slope {slope}");
    }
}
