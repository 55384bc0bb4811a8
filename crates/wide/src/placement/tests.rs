//! Placements against the same sums in 64 bits with matrices; limits where they hold with equality.

use impinge_geometry::{Pose, Vector};
use impinge_models::Random;
use nalgebra::{Matrix3, Vector3};

use super::{FAR, Placement, Relative, Side, rounding};
use crate::frame::{Frame, power_of_two};
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Lane, Node, Single};

/// Rounding in 32 bits.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

fn frame(center: [f64; 3], exponent: i32) -> Frame {
    Frame { center, exponent }
}

fn along_x(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range")
}

/// Whether a model of size one around `b`, moved by `x`, is near one around `a`.
fn near(a: f64, b: f64, x: f64, max_abs: [f64; 2]) -> bool {
    let of = |x| frame([x, 0.0, 0.0], 0);
    Placement::new(&along_x(x), [&of(a), &of(b)], max_abs).is_some()
}

/// Models are near if no component of the vector between their centres exceeds eight times the
/// larger unit plus the rounding documented at `rounding`: `m_A + 3 m_B + 2 τ` times 2⁻⁴⁶.
#[test]
fn models_are_near_up_to_eight_units_and_rounding() {
    let none = [0.0; 2];
    for (a, b) in [(0, 0), (0, -7), (-7, 0), (3, 5)] {
        let size = power_of_two(a.max(b));
        let at = |x: f64| {
            let of = [frame([0.0; 3], a), frame([0.0; 3], b)];
            Placement::new(&along_x(x * size), [&of[0], &of[1]], none).is_some()
        };
        assert!(at(8.0) && at(-8.0) && !at(8.0001) && !at(-8.0001), "{a} {b}");
    }
    // What a large coordinate or a long translation adds, with nearly the same distance of centres.
    let large = power_of_two(40);
    let step = power_of_two(-46) * large;
    let far = |times: f64, max_abs| near(0.0, 0.0, 8.0 + times * step, max_abs);
    assert!(far(0.999, [large, 0.0]) && !far(1.001, [large, 0.0]));
    assert!(far(2.999, [0.0, large]) && !far(3.001, [0.0, large]));
    let moved = |times: f64| near(large, 0.0, large + 8.0 + times * step, none);
    assert!(moved(1.9) && !moved(2.1));
    assert!(near(large, large, 8.0, none) && !near(large, 0.0, 8.0, none));
    assert!(near(0.0, large, 8.0 - large, none) && !near(0.0, large, 8.0, none));
}

#[test]
fn rounding_is_a_share_of_coordinates_and_never_nothing() {
    let at = |x: f64, max_abs| rounding(&along_x(x), max_abs);
    let part = power_of_two(-46);
    assert_eq!(at(0.0, [1.0, 0.0]), part);
    assert_eq!(at(0.0, [0.0, 1.0]), 3.0 * part);
    assert_eq!(at(-1.0, [0.0, 0.0]), 2.0 * part);
    assert_eq!(at(-4.0, [1.0, 2.0]), 15.0 * part);
    assert_eq!(at(0.0, [0.0, 0.0]).to_bits(), 9);
}

/// In 32 bits, the smaller model counts as at least 2⁻³⁰ of the larger one or of the distance; only
/// for distances of more than 4096 sizes the limit is 2⁻²⁰⁰.
#[test]
fn models_far_smaller_than_their_place_are_taken_as_larger() {
    let placed = |exponents: [i32; 2], x: f64| {
        let of = exponents.map(|e| frame([0.0; 3], e));
        Placement::however_far(&along_x(x), [&of[0], &of[1]], [0.0; 2])
    };
    let taken = |exponents, x| {
        let placement = placed(exponents, x);
        (placement.exponents, placement.far)
    };
    assert_eq!(taken([0, 0], 0.0), ([0, 0], false));
    assert_eq!(taken([0, -30], 0.0), ([0, -30], false));
    assert_eq!(taken([0, -31], 0.0), ([0, -30], false));
    assert_eq!(taken([-50, 3], 0.0), ([-27, 3], false));
    assert_eq!(taken([0, -29], 3.0), ([0, -28], false));
    assert_eq!(taken([0, -29], 2.0), ([0, -29], false));
    assert_eq!(taken([0, -40], FAR), ([0, -18], false));
    assert_eq!(taken([0, -40], FAR.next_up()), ([0, -40], true));
    assert_eq!(taken([3, -250], 8.0 * FAR), ([3, -15], false));
    assert_eq!(taken([-250, -240], 1.0), ([-200, -200], true));
    // Their pads are four times the clamped size.
    let pads = |exponents, x| placed(exponents, x).sides.map(|side| side.pad);
    let least = power_of_two(-100);
    let close = |found: f64, wanted: f64| (found / wanted - 1.0).abs() < 2e-6;
    let [of_a, of_b] = pads([0, -31], 0.0);
    assert!(close(of_a, 4.0 * power_of_two(-30)) && close(of_b, 4.0), "{of_a:e} {of_b:e}");
    let [of_a, of_b] = pads([-31, 0], 0.0);
    assert!(close(of_a, 4.0) && close(of_b, 4.0 * power_of_two(-30)), "{of_a:e} {of_b:e}");
    let [of_a, of_b] = pads([5, 0], 0.0);
    assert!(close(of_a, least) && close(of_b, least), "{of_a:e} {of_b:e}");
    let [of_a, of_b] = pads([5, 0], 32.0);
    let part = power_of_two(-46) * 64.0;
    assert!(close(of_a, part / 32.0) && close(of_b, part), "{of_a:e} {of_b:e}");
}

struct Look<'n>(&'n Side, &'n Single, &'n Node);

impl Task for Look<'_> {
    type Out = Relative;

    #[inline(always)]
    fn run<S: Simd>(self) -> Relative {
        self.0.relative::<S>(self.1, self.2)
    }
}

/// Two models in a pose, and a node of each.
struct Pair {
    pose: Pose,
    frame: [Frame; 2],
    nodes: [Node; 2],
    max_abs: [f64; 2],
}

fn narrow(v: Vector3<f64>) -> [f32; 3] {
    v.map(|x| x as f32).into()
}

fn wide(v: [f32; 3]) -> Vector3<f64> {
    v.map(f64::from).into()
}

fn lane(random: &mut Random, size: f64) -> Lane {
    let turn = *random.pose(0.0).rotation();
    let half = [0; 3].map(|_| (size * random.range(0.1, 1.0)) as f32);
    let axes = [0, 1, 2].map(|j| [0, 1, 2].map(|k| turn[(j, k)] as f32));
    Lane { center: narrow(random.in_ball() * 0.2), half, axes }
}

impl Pair {
    fn random(random: &mut Random, away: f64, size: f64) -> Self {
        let pose = random.pose(away);
        let frame = [0; 2].map(|_| {
            let exponent = random.below(9) as i32 - 4;
            frame(random.vector(-9.0, 9.0).into(), exponent)
        });
        let nodes = [0; 2].map(|_| {
            let mut node = Node::empty(narrow(random.in_ball() * 0.6));
            node.lanes = 1 + random.below(LANES as u64) as u32;
            for l in 0..node.lanes as usize {
                node.set(l, &lane(random, size));
            }
            node.settle();
            node
        });
        let max_abs = [random.unit() * 10.0, random.unit() * 10.0];
        Self { pose, frame, nodes, max_abs }
    }

    fn placed(&self) -> Placement {
        let [a, b] = &self.frame;
        Placement::however_far(&self.pose, [a, b], self.max_abs)
    }

    /// The rotation and translation from the frame of one side, whose origin is 0, to the other's,
    /// in the unit of the lanes on that side.
    fn way(&self, side: usize) -> (Matrix3<f64>, Vector3<f64>) {
        let [a, b] = &self.frame;
        let [of_a, of_b] = [a, b].map(|frame| Vector3::from(frame.center));
        let rotation = *self.pose.rotation();
        let there = rotation * of_b - of_a + self.pose.translation();
        // Lanes of B: from B's frame into A's. Lanes of A: from A's into B's.
        if side == 1 {
            (rotation, there / power_of_two(b.exponent))
        } else {
            (rotation.transpose(), -(rotation.transpose() * there) / power_of_two(a.exponent))
        }
    }

    fn ratio(&self, side: usize) -> f64 {
        let of = |k: usize| self.frame[k].exponent;
        power_of_two(of(1 - side) - of(side))
    }

    /// From the centre of a single's lane to that of a node's lane, on the axes of the single's
    /// model.
    fn between(&self, side: usize, one: &Lane, lane: &Lane) -> Vector3<f64> {
        let (turn, way) = self.way(side);
        let at = |side: usize, lane: &Lane| wide(self.nodes[side].origin) + wide(lane.center);
        turn * at(side, lane) + way - at(1 - side, one) * self.ratio(side)
    }
}

/// The kernel's input gives the coordinates of the node's points on the single's axes, and
/// half-lengths with the pad documented at `relative`.
#[test]
fn a_box_in_front_of_a_node_is_where_the_pose_puts_it() {
    let mut random = Random::new(61);
    for case in 0..600 {
        let pair = Pair::random(&mut random, 6.0, 0.05);
        let placement = pair.placed();
        assert!(!placement.far);
        let fitting = Placement::new(&pair.pose, pair.frame.each_ref(), pair.max_abs);
        for side in [0, 1] {
            let (one, node) = (&pair.nodes[1 - side], &pair.nodes[side]);
            let l = random.below(u64::from(one.lanes)) as usize;
            let (of_one, of_node) = (one.get(l), node.get(0));
            let s = Matrix3::from_fn(|j, k| f64::from(of_one.axes[j][k]));
            let (turn, _) = pair.way(side);
            let d = s * pair.between(side, &of_one, &of_node);
            let w = pair.between(side, &of_one, &Lane::default());
            let [ratio, reach] = [placement.sides[side].ratio(), f64::from(node.reach)];
            assert_eq!(ratio, pair.ratio(side));
            let pad = placement.sides[side].pad * (1.0 + 1.0 / f64::from(1 << 22))
                + UNIT * (10.0 * reach + 8.0 * w.abs().sum());
            for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
                let found = width.run(Look(&placement.sides[side], &one.single(l), node));
                let at = || format!("{width}, case {case}, side {side}: {found:?}");
                for i in 0..3 {
                    let row = found.rows[i].map(f64::from);
                    let m = s.row(i) * turn;
                    let off = (0..3).map(|j| (row[j] - m[j]).abs()).fold(0.0, f64::max);
                    assert!(off < 4.0 * UNIT, "{off:e}, {}", at());
                    let c = of_node.center.map(f64::from);
                    let x = row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + row[3];
                    assert!((x - d[i]).abs() < pad, "{x} {}, {}", d[i], at());
                    let half = f64::from(found.half[i]) - f64::from(of_one.half[i]) * ratio;
                    let rounding = 4.0 * UNIT * f64::from(found.half[i]);
                    assert!((half - pad).abs() <= rounding, "{half:e} {pad:e}, {}", at());
                }
                let sum = found.half[0] + found.half[1] + found.half[2];
                assert_eq!(sum, found.sum, "{}", at());
                if let Some(same) = &fitting {
                    let again = width.run(Look(&same.sides[side], &one.single(l), node));
                    assert_eq!((again.rows, again.half), (found.rows, found.half), "{}", at());
                }
            }
        }
    }
}

/// Without half-lengths only the pad is left, to the last bits.
#[test]
fn pads_are_as_large_as_is_said_and_no_larger() {
    let mut random = Random::new(62);
    for case in 0..400 {
        let pair = Pair::random(&mut random, 6.0, 0.0);
        let placement = pair.placed();
        for side in [0, 1] {
            let (one, node) = (&pair.nodes[1 - side], &pair.nodes[side]);
            let w = pair.between(side, &one.get(0), &Lane::default());
            let pad = placement.sides[side].pad * (1.0 + 1.0 / f64::from(1 << 22))
                + UNIT * (10.0 * f64::from(node.reach) + 8.0 * w.abs().sum());
            let found = Width::Portable.run(Look(&placement.sides[side], &one.single(0), node));
            let off = f64::from(found.half[0]) / pad - 1.0;
            assert!(off.abs() < 8.0 * UNIT, "case {case}, side {side}: {off:e}");
        }
    }
}

/// Bounds for models that are far apart are gaps along the line between the centres of boxes, in 64 bits.
#[test]
fn far_bounds_are_gaps_between_centres() {
    let mut random = Random::new(63);
    for case in 0..500 {
        let way = random.unit_vector() * 10f64.powf(random.range(5.5, 12.0));
        let mut pair = Pair::random(&mut random, 0.0, 0.3);
        pair.pose = Pose::new(*pair.pose.rotation(), way).expect("in range");
        let placement = pair.placed();
        assert!(placement.far && placement.exponents == pair.frame.map(|frame| frame.exponent));
        for side in [0, 1] {
            let (one, node) = (&pair.nodes[1 - side], &pair.nodes[side]);
            let l = random.below(u64::from(one.lanes)) as usize;
            let mut squares = [-1.0; LANES];
            placement.sides[side].far(&one.single(l), node, &mut squares);
            for (i, square) in squares.into_iter().enumerate() {
                if i >= node.lanes as usize {
                    assert_eq!(square, -1.0, "a lane that is not there");
                    continue;
                }
                let (one, lane) = (one.get(l), node.get(i));
                let between = pair.between(side, &one, &lane);
                let (turn, _) = pair.way(side);
                let [of_one, of_lane] = [between.normalize(), turn.tr_mul(&between).normalize()];
                let size = wide(one.half).sum() * pair.ratio(side) + wide(lane.half).sum();
                let reach = reach(&one, of_one) * pair.ratio(side) + reach(&lane, of_lane);
                let (truth, found) = (between.norm() - reach, square.sqrt());
                let pad = placement.sides[side].pad;
                let given = 9.0 * UNIT * size + 3e-14 * between.norm() + 2.01 * pad;
                let right = found <= truth && found >= truth - given;
                assert!(right, "case {case}, side {side}: {found} for {truth}, {given:e}");
            }
        }
    }
}

/// How far a box reaches from its centre along a unit vector.
fn reach(lane: &Lane, way: Vector3<f64>) -> f64 {
    (0..3).map(|j| wide(lane.axes[j]).dot(&way).abs() * f64::from(lane.half[j])).sum()
}

/// Boxes around one point have distance zero, never less, and a number, though no line is between their centres.
#[test]
fn boxes_around_one_point_are_at_no_distance() {
    let mut random = Random::new(64);
    let pair = Pair::random(&mut random, 1e-3, 0.9);
    let side = &pair.placed().sides[0];
    let mut node = pair.nodes[0];
    // The node's box is at the single's centre.
    let (turn, way) = pair.way(0);
    let one = pair.nodes[1].get(0);
    let at = (wide(pair.nodes[1].origin) + wide(one.center)) * pair.ratio(0) - way;
    node.origin = narrow(turn.transpose() * at);
    let mut squares = [1.0; LANES];
    side.far(&pair.nodes[1].single(0), &node, &mut squares);
    assert_eq!(squares[0], 0.0);
}
