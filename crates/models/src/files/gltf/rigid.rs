//! The rigid part of a transform. What is left, the *rest* (scale, mirror, shear), is baked into a
//! mesh, which parts with the same rest share: `transform(p) = pose(rest(p))`.
//!
//! The rotation is that of the polar decomposition, `L = R S` with `S` symmetric, by Newton's
//! iteration (Higham 2008, ch. 8); `S` is negative definite if `L` mirrors. Only `+ − × ÷` are used,
//! so the bits are the same everywhere.

use std::collections::BTreeSet;

use impinge_geometry::pose::ORTHONORMAL_TOLERANCE;
use impinge_geometry::{Pose, Vector};
use nalgebra::Matrix3;

use super::nodes::Affine;

/// Most rests of one mesh that are compared with a new one, so that many different ones take linear
/// time. Unit: rests.
const MOST_TRIED: usize = 64;

/// Most steps of Newton's iteration. Each halves the largest stretch until it is near 1, so this
/// suffices for every matrix whose inverse is finite. Unit: steps.
const MOST_STEPS: usize = 128;

/// Rounding of an entry of a rotation. Unit: 1.
const NOISE: f64 = 4.0 * f64::EPSILON;

/// A mesh to be made.
pub(super) struct Baked {
    /// The mesh of the file.
    pub(super) mesh: u32,
    /// What moves its vertices.
    pub(super) rest: Affine,
}

/// All meshes to be made, each once.
pub(super) struct Rests {
    baked: Vec<Baked>,
    /// Per mesh of the file, its index in `baked` where it is taken as it is.
    as_is: Vec<Option<u32>>,
    /// The mesh of the file, the trace of the rest as bits, the index in `baked`.
    known: BTreeSet<(u32, u64, u32)>,
}

impl Rests {
    /// No meshes yet, of a file with `meshes`.
    pub(super) fn new(meshes: usize) -> Self {
        Self { baked: Vec::new(), as_is: vec![None; meshes], known: BTreeSet::new() }
    }

    /// The index in `baked` and the pose for a mesh under a transform.
    ///
    /// A transform that is rigid to within the tolerance of [`Pose::new`] takes the mesh as it is.
    /// Another takes the first mesh with which what is left is rigid to within this tolerance. Where
    /// there is no rotation to find, the pose is the identity.
    pub(super) fn split(&mut self, mesh: u32, transform: &Affine) -> (usize, Pose) {
        let linear = transform.linear();
        let pose = |rotation| Pose::new(snapped(rotation), transform.translation()).ok();
        if let Some(pose) = pose(linear) {
            let index = self.as_is[mesh as usize].unwrap_or_else(|| {
                let index = self.add(mesh, Affine::IDENTITY);
                self.as_is[mesh as usize] = Some(index);
                index
            });
            return (index as usize, pose);
        }
        let found = polar_rotation(&linear).and_then(&pose);
        let Some(found) = found else {
            return (self.add(mesh, *transform) as usize, Pose::identity());
        };
        let rest = without_noise(found.rotation().transpose() * linear);
        // Equal rests have equal traces. Near ones have near traces: their entries differ by less
        // than the tolerance times the largest, which the trace exceeds.
        let trace = rest.trace().abs();
        let window = [-1.0, 1.0].map(|way| {
            let end = trace * (1.0 + 4.0 * way * ORTHONORMAL_TOLERANCE);
            (mesh, end.to_bits(), if way < 0.0 { 0 } else { u32::MAX })
        });
        let [low, high] = window;
        for &(.., index) in self.known.range(low..=high).take(MOST_TRIED) {
            let other = self.baked[index as usize].rest.linear();
            if other == rest {
                return (index as usize, found);
            }
            let rotation = other.try_inverse().map(|inverse| linear * inverse);
            if let Some(pose) = rotation.and_then(&pose) {
                return (index as usize, pose);
            }
        }
        let index = self.add(mesh, Affine::new(&rest, &Vector::zeros()));
        self.known.insert((mesh, trace.to_bits(), index));
        (index as usize, found)
    }

    /// The meshes to be made.
    pub(super) fn into_baked(self) -> Vec<Baked> {
        self.baked
    }

    fn add(&mut self, mesh: u32, rest: Affine) -> u32 {
        self.baked.push(Baked { mesh, rest });
        self.baked.len() as u32 - 1
    }
}

/// The rotation `R` of `L = R S`; `None` if the iteration breaks off at a singular matrix. The
/// caller checks that it is a rotation.
fn polar_rotation(linear: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    let mut x = linear / linear.amax();
    for _ in 0..MOST_STEPS {
        let next = (x + x.try_inverse()?.transpose()) * 0.5;
        let change = (next - x).amax();
        x = next;
        if !(change > NOISE) {
            break;
        }
    }
    Some(if x.determinant() < 0.0 { -x } else { x })
}

/// The rotation with entries within a few roundings of 0 and ±1 set to these, so that quarter turns
/// are exact.
fn snapped(rotation: Matrix3<f64>) -> Matrix3<f64> {
    rotation.map(|x| if (x - x.round()).abs() <= NOISE { x.round() } else { x })
}

/// The rest with entries within the rounding of their column set to 0, so that scales along the axes
/// are exact.
fn without_noise(mut rest: Matrix3<f64>) -> Matrix3<f64> {
    for mut column in rest.column_iter_mut() {
        let near = NOISE * column.amax();
        column.apply(|x| *x = if x.abs() <= near { 0.0 } else { *x });
    }
    rest
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;

    use super::*;
    use crate::Random;

    /// The largest difference of the split transform from the whole one, of the unit's cube.
    fn error(rests: &mut Rests, transform: &Affine) -> f64 {
        let (index, pose) = rests.split(0, transform);
        let rest = rests.baked[index].rest;
        let points = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from));
        points.fold(0.0, |most: f64, point| {
            let posed = pose.apply(&Point::from(rest.apply(point)));
            most.max((posed - Point::from(transform.apply(point))).amax())
        })
    }

    #[test]
    fn splits_give_the_transform_again() {
        let mut random = Random::new(20);
        for case in 0..2000 {
            let (turn, t) = (random.pose(3.0), random.vector(-5.0, 5.0));
            let shear = Matrix3::from_fn(|_, _| random.range(-1.0, 1.0));
            let linear = match case % 4 {
                0 => shear,
                1 => turn.rotation() * Matrix3::from_diagonal(&random.vector(0.1, 4.0)),
                2 => -turn.rotation() * random.range(1e-3, 1e3),
                // One direction is almost lost.
                _ => shear * Matrix3::from_diagonal(&Vector::new(1.0, 1.0, 1e-9)),
            };
            let transform = Affine::new(&linear, &t);
            let mut rests = Rests::new(1);
            let scale = linear.amax().max(t.amax());
            assert!(error(&mut rests, &transform) <= 1e-14 * scale, "case {case}: {linear}");
            assert_eq!(rests.baked.len(), 1);
            let kept = rests.baked[0].rest.translation() == Vector::zeros();
            assert!(kept, "case {case} was baked whole: {linear}");
        }
    }

    #[test]
    fn equal_rests_in_any_rotation_are_shared() {
        let mut random = Random::new(21);
        let scales = [[0.001; 3], [2.0, 2.0, 2.0], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [-1.0; 3]];
        let mut rests = Rests::new(1);
        for round in 0..200 {
            for scale in scales {
                let linear = random.pose(1.0).rotation() * Matrix3::from_diagonal(&scale.into());
                let noise = if round % 2 == 0 { 0.0 } else { 1e-7 };
                let linear = linear.map(|x| x * (1.0 + noise * random.range(-1.0, 1.0)));
                let transform = Affine::new(&linear, &random.vector(-9.0, 9.0));
                let error = error(&mut rests, &transform);
                assert!(error <= 1e-6 * linear.amax() + 1e-14, "{scale:?}: {error:e}");
            }
        }
        assert_eq!(rests.baked.len(), scales.len(), "one mesh a scale");
    }

    #[test]
    fn quarter_turns_and_scales_are_exact() {
        let turn = Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        for (scale, found) in [([3.0; 3], turn), ([0.1, 0.2, 0.3], turn), ([-5.0; 3], turn)] {
            let linear = turn * Matrix3::from_diagonal(&Vector::from(scale));
            let mut rests = Rests::new(1);
            let (index, pose) = rests.split(0, &Affine::new(&linear, &Vector::x()));
            assert_eq!(*pose.rotation(), found, "{scale:?}");
            assert_eq!(rests.baked[index].rest.linear(), Matrix3::from_diagonal(&scale.into()));
        }
        // The least of different scales is not taken for noise.
        let thin = Matrix3::from_diagonal(&Vector::new(1.0, 1.0, 1e-17));
        let mut rests = Rests::new(1);
        rests.split(0, &Affine::new(&(turn * thin), &Vector::zeros()));
        assert_eq!(rests.baked[0].rest.linear(), thin);
        // A mirror in any plane is one in the origin, and a rotation.
        let mut rests = Rests::new(1);
        for k in 0..3 {
            let mut mirror = Matrix3::identity();
            mirror[(k, k)] = -1.0;
            let (index, pose) = rests.split(0, &Affine::new(&mirror, &Vector::zeros()));
            assert_eq!((index, *pose.rotation()), (0, -mirror));
        }
        assert_eq!(rests.baked[0].rest.linear(), -Matrix3::identity());
        assert!(rests.baked[0].rest.is_reflection());
    }

    #[test]
    fn transforms_that_flatten_are_baked_whole() {
        let flat = Matrix3::from_diagonal(&Vector::new(1.0, 0.0, 2.0));
        let tiny = Matrix3::identity() * 1e-200;
        let huge = Matrix3::from_diagonal(&Vector::new(1e200, 1.0, 1.0));
        for (linear, whole) in [(flat, true), (Matrix3::zeros(), true), (tiny, false), (huge, true)]
        {
            let transform = Affine::new(&linear, &Vector::new(1.0, 2.0, 3.0));
            let mut rests = Rests::new(1);
            let (index, pose) = rests.split(0, &transform);
            assert_eq!(pose == Pose::identity(), whole, "{linear}");
            assert_eq!(rests.baked[index].rest == transform, whole);
        }
    }

    #[test]
    fn different_rests_take_linear_time() {
        let mut rests = Rests::new(1);
        for i in 0..20_000 {
            let scale = Vector::new(1.0, 2.0 + f64::from(i) * 1e-5, 3.0 - f64::from(i) * 1e-5);
            rests.split(0, &Affine::new(&Matrix3::from_diagonal(&scale), &Vector::zeros()));
        }
        assert!(rests.baked.len() > 1000);
    }
}
