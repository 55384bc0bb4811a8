//! The relative position of two models in one query, in the form that every step needs. [`around`]: models that
//! are apart as a whole.

mod around;

use impinge_geometry::Pose;

use crate::frame::{Frame, exponent_above, power_of_two};
use crate::simd::{Simd, Transform};
use crate::tree::{LANES, Lane, Node, Single};

pub(crate) use around::RootBox;

/// If sizes and distances differ by more than this many binary orders, the smaller model is taken
/// as this many orders smaller, in 32 bits: a point to the other's tree. The pad covers the
/// difference.
const APART: i32 = 30;
/// The same in 64 bits.
const FAR_APART: i32 = 200;
/// Rounding error of subnormal numbers: 9 · 2⁻¹⁰⁷⁴, see [`rounding`].
const UNDERFLOW: f64 = f64::from_bits(9);
/// What rounding of its axes may add to a box's reach along a unit vector, as a part of its half-lengths.
const AXES: f64 = 8.0 / (1 << 24) as f64;
/// Beyond this many sizes, 32 bits cannot tell one box from another.
const FAR: f64 = 4096.0;

/// Places boxes of the *single* model in the frame and unit of the *lanes* model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) transform: Transform,
    /// Enlargement of every half-length of the single, for rounding of posed vertices and of
    /// numbers in 64 bits.
    pad: f64,
}

/// Both roles: `sides[0]` where the lanes are A's, `sides[1]` where they are B's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub(crate) sides: [Side; 2],
    /// Binary exponents of the units of A and B, clamped as the query uses them.
    pub(crate) exponents: [i32; 2],
    /// Whether the models are too far apart for 32 bits: use [`Side::far`].
    pub(crate) far: bool,
}

/// A single box relative to a node: the kernels' input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    /// `rows[i] = [M_i0, M_i1, M_i2, D_i]`: a point `c` of the node's frame has coordinate
    /// `M_i · c + D_i` on the single's axis `i`, from its centre.
    pub(crate) rows: [[f32; 4]; 3],
    /// Half-lengths of the single, padded.
    pub(crate) half: [f32; 3],
    /// Sum of `half`.
    pub(crate) sum: f32,
}

impl Placement {
    /// For contacts. `None` if balls around the models do not meet.
    pub(crate) fn new(pose: &Pose, frame: [&Frame; 2], max_abs: [f64; 2]) -> Option<Self> {
        let offset = CenterOffset::new(pose, frame);
        let near = offset.is_near(rounding(pose, max_abs));
        near.then(|| offset.placement(pose, max_abs, APART))
    }

    /// The middle of B in A's frame and B's unit, relative to that of A.
    #[inline(always)]
    pub(crate) const fn center(&self) -> [f64; 4] {
        self.sides[1].transform.shift
    }

    /// The same for boxes that reach `room` farther, in the meshes' unit.
    pub(crate) fn with_room(mut self, room: f64) -> Self {
        for (side, exponent) in self.sides.iter_mut().zip(self.exponents) {
            side.pad += room * power_of_two(-exponent) * (1.0 + 1e-6);
        }
        self
    }

    /// For distances, at any distance.
    pub(crate) fn however_far(pose: &Pose, frame: [&Frame; 2], max_abs: [f64; 2]) -> Self {
        let offset = CenterOffset::new(pose, frame);
        let far = offset.length > FAR * offset.size;
        offset.placement(pose, max_abs, if far { FAR_APART } else { APART })
    }
}

/// Bound on rounding in 64 bits, in the meshes' unit: posing rounds each coordinate by at most 4 ·
/// 2⁻⁵³ of `3 max_b + |t|`, and every number here by less.
///
/// Where a product of a rotation's entry and a coordinate is below the normal range, its rounding
/// error is no longer relative but up to 2⁻¹⁰⁷⁵; sums are exact there. Three such products pose a
/// coordinate, three more rotate the centre of B, and three rotate the vector back:
/// `9 √3 · 2⁻¹⁰⁷⁵ < 8 · 2⁻¹⁰⁷⁴` in any direction. Sums and products here take two halves of 2⁻¹⁰⁷⁴
/// more.
pub(crate) fn rounding(pose: &Pose, max_abs: [f64; 2]) -> f64 {
    let relative = max_abs[0] + 3.0 * max_abs[1] + 2.0 * pose.translation().amax();
    relative * power_of_two(-46) + UNDERFLOW
}

/// The vector from A's centre to B's.
struct CenterOffset {
    rows: [[f64; 3]; 3],
    columns: [[f64; 3]; 3],
    /// In A's frame and the meshes' unit.
    vector: [f64; 3],
    /// Its largest component.
    length: f64,
    /// The larger model's unit.
    size: f64,
    exponents: [i32; 2],
}

impl CenterOffset {
    #[inline(always)]
    fn new(pose: &Pose, [a, b]: [&Frame; 2]) -> Self {
        let t = pose.translation();
        let columns: [[f64; 3]; 3] = (*pose.rotation()).into();
        let rows = transposed(&columns);
        let mut vector = [0.0; 3];
        for i in 0..3 {
            vector[i] = (dot(&rows[i], &b.center) - a.center[i]) + t[i];
        }
        let length = vector.iter().fold(0.0, |most: f64, x| x.abs().max(most));
        let exponents = [a.exponent, b.exponent];
        let size = power_of_two(a.exponent.max(b.exponent));
        Self { rows, columns, vector, length, size, exponents }
    }

    /// Whether balls around the models meet.
    #[inline(always)]
    fn is_near(&self, rounding: f64) -> bool {
        self.length <= 8.0 * self.size + rounding
    }

    #[inline(always)]
    fn placement(&self, pose: &Pose, max_abs: [f64; 2], apart: i32) -> Placement {
        let most = exponent_above(self.length.max(self.size));
        let taken = self.exponents.map(|e| e.max(most - apart));
        // Clamping the exponent enlarges a model by at most its clamped size.
        let off = |i: usize| {
            if taken[i] == self.exponents[i] { 0.0 } else { 4.0 * power_of_two(taken[i]) }
        };
        let pad = (rounding(pose, max_abs) + off(0) + off(1)) * (1.0 + 1e-6);
        let side =
            |rows: &[[f64; 3]; 3], columns: &[[f64; 3]; 3], shift: [f64; 3], lanes: usize| {
                let unit = power_of_two(-taken[lanes]);
                let [a, b, c] = columns;
                let rounded = |[x, y, z]: [f64; 3]| [x as f32, y as f32, z as f32, 0.0];
                Side {
                    transform: Transform {
                        columns: [
                            [a[0], a[1], a[2], 0.0],
                            [b[0], b[1], b[2], 0.0],
                            [c[0], c[1], c[2], 0.0],
                        ],
                        rounded: [rounded(rows[0]), rounded(rows[1]), rounded(rows[2])],
                        shift: [shift[0] * unit, shift[1] * unit, shift[2] * unit, 0.0],
                        ratio: power_of_two(taken[1 - lanes] - taken[lanes]),
                    },
                    pad: pad * unit + power_of_two(-100),
                }
            };
        let [x, y, z] = &self.columns;
        let back = [-dot(x, &self.vector), -dot(y, &self.vector), -dot(z, &self.vector)];
        let sides = [
            side(&self.columns, &self.rows, back, 0),
            side(&self.rows, &self.columns, self.vector, 1),
        ];
        Placement { sides, exponents: taken, far: apart == FAR_APART }
    }
}

impl Side {
    /// Enlargement of boxes for rounding in 64 bits, in the lanes' unit.
    pub(crate) const fn pad(&self) -> f64 {
        self.pad
    }

    /// Factor from the single's unit to the lanes' unit.
    pub(crate) const fn ratio(&self) -> f64 {
        self.transform.ratio
    }

    /// The box in lane `l` of `one` relative to `node`.
    ///
    /// Rounding (u = 2⁻²⁴): `D` is computed in 64 bits and rounded once. `docs/wide-bounds.md`
    /// proves that `10 u reach + 8 u |W|₁` bounds the error of a centre's coordinate from
    /// that and from the kernel's arithmetic.
    #[inline(always)]
    pub(crate) fn relative<S: Simd>(&self, one: &Single, node: &Node) -> Relative {
        const UNIT: f32 = 1.0 / (1 << 24) as f32;
        let [from, to, at] = [node.origin, one.origin, one.lane.center];
        let [from, to, at] = [
            [from[0], from[1], from[2], 0.0],
            [to[0], to[1], to[2], 0.0],
            [at[0], at[1], at[2], 0.0],
        ];
        let (rows, w) = S::frame(&self.transform, [from, to, at], &one.lane.axes);
        let ratio = self.transform.ratio as f32;
        let pad = self.pad as f32 * (1.0 + 1.0 / (1 << 22) as f32)
            + UNIT * (10.0 * node.reach + 8.0 * (w[0].abs() + w[1].abs() + w[2].abs()));
        let half = [
            one.lane.half[0] * ratio + pad,
            one.lane.half[1] * ratio + pad,
            one.lane.half[2] * ratio + pad,
        ];
        Relative { rows, half, sum: half[0] + half[1] + half[2] }
    }
}

impl Side {
    /// Squared lower bounds on the distances of a box from those of `node`, in 64 bits and the lanes' units: gaps along the line between their centres. For models that are far apart, where hardly any
    /// other direction tells more. Proof: `docs/wide-bounds.md`, "Boxes of models that are far apart".
    pub(crate) fn far(&self, one: &Single, node: &Node, squares: &mut [f64; LANES]) {
        let at = of_origin(one);
        let columns = self.transform.columns.map(|[x, y, z, _]| [x, y, z]);
        let [x, y, z] = &transposed(&columns);
        for (i, square) in squares[..node.lanes as usize].iter_mut().enumerate() {
            let single = node.single(i);
            let (lane, center) = (single.lane, of_origin(&single));
            let turned = [dot(x, &center), dot(y, &center), dot(z, &center)];
            let offset: [f64; 3] = std::array::from_fn(|k| {
                turned[k] + self.transform.shift[k] - self.transform.ratio * at[k]
            });
            let length = dot(&offset, &offset).sqrt();
            let way = offset.map(|x| x / length);
            let way_of_lane = [0, 1, 2].map(|k| dot(&columns[k], &way));
            let reach = self.transform.ratio * reach(&one.lane, &way) + reach(&lane, &way_of_lane);
            let gap = length * (1.0 - 1e-14) - reach - 2.0 * self.pad;
            *square = gap.max(0.0).powi(2) * (1.0 - 1e-14);
        }
    }
}

/// The centre of a box, from the origin of the model's frame.
fn of_origin(one: &Single) -> [f64; 3] {
    [0, 1, 2].map(|k| f64::from(one.origin[k]) + f64::from(one.lane.center[k]))
}

/// How far the box in a lane reaches along a unit vector from the origin of the model's frame, at most, but for
/// rounding in 64 bits.
pub(crate) fn end(node: &Node, l: usize, way: &[f64; 3]) -> f64 {
    let single = node.single(l);
    dot(&of_origin(&single), way) + reach(&single.lane, way)
}

/// How far a box reaches from its centre along a unit vector, at most. Its axes are orthonormal up to rounding.
fn reach(lane: &Lane, way: &[f64; 3]) -> f64 {
    let along = |j: usize| dot(&lane.axes[j].map(f64::from), way).abs() + AXES;
    (0..3).map(|j| along(j) * f64::from(lane.half[j])).sum()
}

#[inline(always)]
const fn transposed(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [a, b, c] = m;
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
}

#[inline(always)]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests;
