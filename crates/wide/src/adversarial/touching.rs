//! Generates two boxes that, as stored, share exactly one point or are exactly `gap` apart.

use impinge_geometry::Pose;
use impinge_models::Random;
use nalgebra::{Matrix3, Vector3};

use crate::frame::{Frame, power_of_two};
use crate::placement::{Placement, Relative};
use crate::simd::Simd;
use crate::tree::{Lane, Node, OFF};

const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// Where they touch: in a face of the single or of the lane, in two edges, or at any common point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touch {
    Single(usize),
    Lane(usize),
    Edges(usize, usize),
    Inside,
}

/// Two boxes and their relative position.
#[derive(Clone, Debug)]
pub(super) struct Touching {
    pub(super) one: Lane,
    pub(super) one_origin: [f32; 3],
    pub(super) lane: Lane,
    pub(super) origin: [f32; 3],
    /// From the lanes' frame to the single's.
    pub(super) rotation: Matrix3<f64>,
    /// Exponents of the single's model and of the lanes'.
    pub(super) exponents: [i32; 2],
    pub(super) touch: Touch,
    /// Position in the face or edge, of the single and of the lane, in half-lengths.
    pub(super) at: [[f64; 3]; 2],
    /// Distance of the lane, outward, in the lanes' units.
    pub(super) gap: f64,
}

/// The boxes in nodes, with their placement.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) one: Node,
    pub(super) node: Node,
    pub(super) placement: Placement,
    /// Factor from the single's units to the lanes'.
    pub(super) ratio: f64,
    /// The lane of the box.
    pub(super) l: usize,
}

impl Placed {
    /// The single relative to the node, as computed with these instructions.
    #[inline(always)]
    pub(super) fn relative<S: Simd>(&self) -> Relative {
        self.placement.sides[1].relative::<S>(&self.one.single(0), &self.node)
    }
}

pub(super) fn rows(axes: &[[f32; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|j, k| f64::from(axes[j][k]))
}

fn wide(v: &[f32; 3]) -> Vector3<f64> {
    Vector3::from(v.map(f64::from))
}

/// The deviation of the frame from orthonormal.
pub(super) fn off(axes: &[[f32; 3]; 3]) -> f64 {
    let a = rows(axes);
    (a * a.transpose() - Matrix3::identity()).amax()
}

pub(super) fn narrow(frame: &Matrix3<f64>) -> [[f32; 3]; 3] {
    [0, 1, 2].map(|j| [0, 1, 2].map(|k| frame[(j, k)] as f32))
}

pub(super) fn turn(random: &mut Random) -> Matrix3<f64> {
    *random.pose(1.0).rotation()
}

/// A rotation by about `angle`.
pub(super) fn nearly(random: &mut Random, angle: f64) -> Matrix3<f64> {
    let axis = random.unit_vector() * (0.5 * angle);
    let w = (1.0 - axis.norm_squared()).sqrt();
    *Pose::from_quaternion([0.0; 3], [axis.x, axis.y, axis.z, w]).expect("unit").rotation()
}

/// A frame that may be stored, often at the largest allowed deviation.
pub(super) fn frame(random: &mut Random, like: &Matrix3<f64>) -> [[f32; 3]; 3] {
    let mut best = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let mut most = -1.0;
    let tries = if random.chance(0.5) { 1 } else { 30 };
    for k in 0..tries + 20 {
        let amount = if tries == 1 { 0.0 } else { 1.3 * UNIT };
        let skew = Matrix3::from_fn(|_, _| random.range(-amount, amount));
        let axes = narrow(&(like + skew * like));
        if off(&axes) <= OFF && off(&axes) > most {
            (best, most) = (axes, off(&axes));
        }
        if most >= 0.0 && k >= tries {
            break;
        }
    }
    best
}

fn log(random: &mut Random, low: f64, high: f64) -> f64 {
    random.range(low.ln(), high.ln()).exp()
}

fn extents(random: &mut Random) -> [f32; 3] {
    let size = log(random, 1e-6, 1.0);
    let kind = random.below(4);
    [0, 1, 2].map(|k| {
        let h = match kind {
            0 => size * random.range(0.3, 1.0),
            1 if k == 2 => size * 1e-6,
            2 if k > 0 => size * 1e-6,
            3 => log(random, 1e-6, 1.0),
            _ => size,
        };
        h as f32
    })
}

fn place(random: &mut Random, reach: f64) -> [f32; 3] {
    let v = random.in_ball() * reach;
    [v.x as f32, v.y as f32, v.z as f32]
}

impl Touching {
    pub(super) fn random(random: &mut Random) -> Self {
        let rotation = match random.below(3) {
            0 => Matrix3::identity(),
            _ => turn(random),
        };
        let of_lane = if random.chance(0.2) { Matrix3::identity() } else { turn(random) };
        // As rows: the lane's frame relative to the single.
        let seen = of_lane * rotation.transpose();
        let of_one = match random.below(4) {
            0 => seen,
            1 => {
                let angle = log(random, 1e-8, 1e-2);
                nearly(random, angle) * seen
            }
            _ => turn(random),
        };
        let (e, h) = (extents(random), extents(random));
        let size = f64::from(e[0].max(e[1]).max(e[2]));
        let center = if random.chance(0.3) {
            [0.0; 3]
        } else {
            let reach = (size * log(random, 1e-2, 1e2)).min(1.0);
            place(random, reach)
        };
        let at_origin = random.chance(0.3);
        let origin = if at_origin { [0.0; 3] } else { place(random, 1.0) };
        let one_origin = if at_origin { [0.0; 3] } else { place(random, 1.0) };
        let one_center = place(random, 0.1);
        let orders = if random.chance(0.5) { 0 } else { random.below(41) as i32 - 20 };
        let base = random.below(5) as i32 * 100 - 200;
        Self {
            one: Lane { center: one_center, half: h, axes: frame(random, &of_one) },
            one_origin,
            lane: Lane { center, half: e, axes: frame(random, &of_lane) },
            origin,
            rotation,
            exponents: [base + orders, base],
            touch: touch(random),
            at: [0, 1].map(|_| [0, 1, 2].map(|_| coordinate(random))),
            gap: 0.0,
        }
    }

    /// A copy with one number changed.
    pub(super) fn mutated(&self, random: &mut Random) -> Self {
        let mut new = self.clone();
        let (i, k) = (random.below(3) as usize, random.below(3) as usize);
        let by = 1.0 + (random.range(-1.0, 1.0) * log(random, 1e-7, 1.0)) as f32;
        match random.below(10) {
            0 => new.one.half[i] = (new.one.half[i] * by).clamp(1e-12, 1.0),
            1 => new.lane.half[i] = (new.lane.half[i] * by).clamp(1e-12, 1.0),
            2 => new.lane.center[i] *= by,
            3 => new.one.center[i] *= by,
            4 => new.origin[i] *= by,
            5 => new.one_origin[i] *= by,
            6 | 7 => {
                let lane = if random.chance(0.5) { &mut new.one } else { &mut new.lane };
                let x = &mut lane.axes[i][k];
                *x = if random.chance(0.5) { x.next_up() } else { x.next_down() };
                if off(&lane.axes) > OFF {
                    return self.clone();
                }
            }
            8 => new.at[i % 2][k] = coordinate(random),
            _ => {
                let angle = log(random, 1e-9, 1e-1);
                new.rotation = nearly(random, angle) * new.rotation;
            }
        }
        new
    }

    /// The nodes and the placement in which the chosen points coincide, or are `gap` apart. `None`
    /// if the boxes cannot be placed so.
    pub(super) fn place(&self, l: usize) -> Option<Placed> {
        let ratio = power_of_two(self.exponents[0] - self.exponents[1]);
        let (a, b) = (rows(&self.lane.axes), rows(&self.one.axes));
        let (to_a, to_b) = (a.try_inverse()?, b.try_inverse()?);
        let seen = self.rotation * to_a;
        let way = match self.touch {
            Touch::Single(i) => b.row(i).transpose(),
            Touch::Lane(j) => -(self.rotation * a.row(j).transpose()),
            Touch::Edges(i, j) => to_b.column(i).cross(&seen.column(j)),
            Touch::Inside => Vector3::x(),
        };
        let way = way.try_normalize(1e-300)?;
        let mut s = [self.at[0], self.at[1]].map(Vector3::from);
        if !matches!(self.touch, Touch::Inside) {
            outward(&mut s[0], &(to_b.transpose() * way));
            outward(&mut s[1], &-(seen.transpose() * way));
        }
        let one = s[0].component_mul(&wide(&self.one.half));
        let lane = s[1].component_mul(&wide(&self.lane.half));
        let z = (wide(&self.one_origin) + wide(&self.one.center) + to_b * one) * ratio;
        let y = wide(&self.origin) + wide(&self.lane.center) + to_a * lane;
        let unit = power_of_two(self.exponents[1]);
        let shift = (z - self.rotation * y + way * self.gap) * unit;
        let pose = Pose::new(self.rotation, shift).ok()?;
        let frames = self.exponents.map(|exponent| Frame { center: [0.0; 3], exponent });
        let max_abs = [z.amax() * unit, y.amax() * unit];
        let placement = Placement::however_far(&pose, [&frames[0], &frames[1]], max_abs);
        let node = |origin, l: usize, lane: &Lane| {
            let mut node = Node::empty(origin);
            node.lanes = l as u32 + 1;
            node.set(l, lane);
            node.settle();
            node
        };
        let (one, node) = (node(self.one_origin, 0, &self.one), node(self.origin, l, &self.lane));
        Some(Placed { one, node, placement, ratio, l })
    }
}

/// The farthest point in that direction; where all are equally far, the chosen one.
fn outward(s: &mut Vector3<f64>, way: &Vector3<f64>) {
    for k in 0..3 {
        if way[k].abs() > 1e-9 {
            s[k] = way[k].signum();
        }
    }
}

fn coordinate(random: &mut Random) -> f64 {
    let x = random.range(-1.5, 1.5);
    x.clamp(-1.0, 1.0)
}

fn touch(random: &mut Random) -> Touch {
    let (i, j) = (random.below(3) as usize, random.below(3) as usize);
    match random.below(9) {
        0..3 => Touch::Single(i),
        3..6 => Touch::Lane(j),
        6..8 => Touch::Edges(i, j),
        _ => Touch::Inside,
    }
}
