//! Poses of B in A's frame: one or many, as matrices (4, 4) or as `tx ty tz qx qy qz qw`.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use impinge::geometry::PoseError;
use impinge::{Point, Pose, Vector};
use impinge_threads::pool;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::{arrays, errors};

/// Poses that a thread reads at a time, at least: some 50 ns each.
const TOGETHER: usize = 1 << 11;

/// The first three rows of a matrix (4, 4).
type Rows = [f64; 12];

/// Why numbers are no pose.
pub(crate) enum Refused {
    /// The last row of a matrix is not `0 0 0 1`.
    LastRow([f64; 4]),
    /// It is no rigid motion.
    Pose(PoseError),
}

impl Refused {
    /// The exception; `index` is the place in a batch.
    pub(crate) fn raise(&self, py: Python<'_>, index: Option<usize>) -> PyErr {
        match self {
            Self::Pose(error) => errors::of_pose(py, error, index),
            Self::LastRow(row) => {
                let place = index.map_or_else(String::new, |i| format!("pose {i}: "));
                let message = format!("{place}the last row is {row:?}, it must be [0, 0, 0, 1]");
                errors::Fault::new(py, "PoseError", message).with("index", index).raise()
            }
        }
    }
}

/// The place of a pose in a batch, and why it is none.
pub(crate) type At = (usize, Refused);

/// What poses were given.
pub(crate) enum Poses<'py> {
    /// A single one.
    One(Pose),
    /// A batch.
    Many(Batch<'py>),
}

/// A batch of poses, read one by one.
pub(crate) struct Batch<'py> {
    array: PyReadonlyArrayDyn<'py, f64>,
    /// Numbers of a pose: 16 or 7.
    each: usize,
}

impl Batch<'_> {
    /// The number of poses.
    pub(crate) fn len(&self) -> usize {
        self.array.shape()[0]
    }

    /// The interpreter.
    pub(crate) fn py(&self) -> Python<'_> {
        self.array.py()
    }

    /// All numbers, and how many belong to a pose.
    pub(crate) fn numbers(&self) -> PyResult<Numbers<'_>> {
        Ok(Numbers { all: self.array.as_slice()?, each: self.each })
    }
}

/// The numbers of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'a> {
    all: &'a [f64],
    each: usize,
}

impl Numbers<'_> {
    /// Pose `i`.
    pub(crate) fn pose(&self, i: usize) -> Result<Pose, Refused> {
        let n = &self.all[i * self.each..(i + 1) * self.each];
        if self.each == 7 {
            return quaternion([n[0], n[1], n[2], n[3], n[4], n[5], n[6]]);
        }
        let mut rows = [0.0; 12];
        rows.copy_from_slice(&n[..12]);
        matrix(&rows, [n[12], n[13], n[14], n[15]])
    }

    /// Adds the poses of a range, read by all threads if they are many.
    ///
    /// # Errors
    /// The first that is none; what was added is of no use then.
    pub(crate) fn read(&self, range: Range<usize>, poses: &mut Vec<Pose>) -> Result<(), At> {
        if range.len() <= TOGETHER || pool::available() == 1 {
            for i in range {
                poses.push(self.pose(i).map_err(|refused| (i, refused))?);
            }
            return Ok(());
        }
        // Each is written to its place at once, whatever it is.
        let first: Mutex<Option<At>> = Mutex::new(None);
        poses.par_extend(range.into_par_iter().with_min_len(TOGETHER).map(|i| {
            self.pose(i).unwrap_or_else(|refused| {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(before, _)| i < *before) {
                    *first = Some((i, refused));
                }
                Pose::identity()
            })
        }));
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

fn quaternion([x, y, z, i, j, k, w]: [f64; 7]) -> Result<Pose, Refused> {
    Pose::from_quaternion([x, y, z], [i, j, k, w]).map_err(Refused::Pose)
}

fn matrix(rows: &Rows, last: [f64; 4]) -> Result<Pose, Refused> {
    if last != [0.0, 0.0, 0.0, 1.0] {
        return Err(Refused::LastRow(last));
    }
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *rows;
    let rotation = [[a, d, g], [b, e, h], [c, f, i]].into();
    Pose::new(rotation, Vector::new(x, y, z)).map_err(Refused::Pose)
}

/// A single pose in an array of 64-bit numbers: the quick way, without a copy or a call to Python.
fn quick(value: &Bound<'_, PyAny>) -> Option<Result<Pose, Refused>> {
    if let Ok(array) = value.cast::<PyArray2<f64>>() {
        if *array.shape() != [4, 4] || !array.is_aligned() {
            return None;
        }
        // All numbers at once where rows follow each other: one by one they take twice as long.
        if array.is_c_contiguous() {
            let numbers: [f64; 16] = array.to_vec().ok()?.try_into().ok()?;
            let [a, b, c, x, d, e, f, y, g, h, i, z, last @ ..] = numbers;
            return Some(matrix(&[a, b, c, x, d, e, f, y, g, h, i, z], last));
        }
        let at = |i: usize, j: usize| array.get_owned([i, j]).unwrap_or(f64::NAN);
        let row = |i: usize| [at(i, 0), at(i, 1), at(i, 2), at(i, 3)];
        let [[a, b, c, x], [d, e, f, y], [g, h, i, z]] = [row(0), row(1), row(2)];
        return Some(matrix(&[a, b, c, x, d, e, f, y, g, h, i, z], row(3)));
    }
    let array = value.cast::<PyArray1<f64>>().ok()?;
    if *array.shape() != [7] || !array.is_aligned() {
        return None;
    }
    let at = |i: usize| array.get_owned([i]).unwrap_or(f64::NAN);
    Some(quaternion([0, 1, 2, 3, 4, 5, 6].map(at)))
}

/// One pose or many.
pub(crate) fn read<'py>(value: &Bound<'py, PyAny>) -> PyResult<Poses<'py>> {
    if let Some(pose) = quick(value) {
        return Ok(Poses::One(pose.map_err(|refused| refused.raise(value.py(), None))?));
    }
    let array = arrays::floats(value, "a pose")?;
    let each = match *array.shape() {
        [4, 4] | [_, 4, 4] => 16,
        [7] | [_, 7] => 7,
        ref found => {
            return Err(errors::argument(format!(
                "a pose must have the shape (4, 4) or (7,), a batch (n, 4, 4) or (n, 7), not {found:?}"
            )));
        }
    };
    let one = matches!(*array.shape(), [4, 4] | [7]);
    let batch = Batch { array, each };
    if one {
        let pose = batch.numbers()?.pose(0);
        return Ok(Poses::One(pose.map_err(|refused| refused.raise(value.py(), None))?));
    }
    Ok(Poses::Many(batch))
}

/// One pose, and not a batch.
pub(crate) fn one(value: &Bound<'_, PyAny>) -> PyResult<Pose> {
    match read(value)? {
        Poses::One(pose) => Ok(pose),
        Poses::Many(_) => {
            Err(errors::argument("one pose is asked for, of the shape (4, 4) or (7,), not a batch"))
        }
    }
}

/// A batch of so many poses, for as many objects.
pub(crate) fn of_all(py: Python<'_>, value: &Bound<'_, PyAny>, ids: usize) -> PyResult<Vec<Pose>> {
    let Poses::Many(batch) = read(value)? else {
        return Err(errors::argument("poses must be a batch, (n, 4, 4) or (n, 7)"));
    };
    if batch.len() != ids {
        return Err(errors::argument(format!("{ids} ids, but {} poses", batch.len())));
    }
    let numbers = batch.numbers()?;
    let read = |i| numbers.pose(i).map_err(|refused| refused.raise(py, Some(i)));
    (0..ids).map(read).collect()
}

/// One pose, or the identity.
pub(crate) fn or_identity(value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    value.map_or_else(|| Ok(Pose::identity()), one)
}

/// The matrix (4, 4) of a pose.
pub(crate) fn as_matrix<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers = numbers_of(pose);
    let (rows, _) = numbers.as_chunks::<4>();
    arrays::rows(py, rows.to_vec())
}

/// The numbers of the matrix (4, 4) of a pose, row by row. Poses keep what they are made of, so the same
/// pose comes of them.
pub(crate) fn numbers_of(pose: &Pose) -> [f64; 16] {
    let (r, t) = (pose.rotation(), pose.translation());
    let row = |i: usize| [r[(i, 0)], r[(i, 1)], r[(i, 2)], t[i]];
    let [[a, b, c, x], [d, e, f, y], [g, h, i, z]] = [row(0), row(1), row(2)];
    [a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0]
}

/// The rows of a matrix (4, 4).
fn matrix_of(value: &Bound<'_, PyAny>) -> PyResult<[[f64; 4]; 4]> {
    let array = arrays::floats(value, "a pose")?;
    let numbers = array.as_slice()?;
    match numbers.as_chunks::<4>() {
        ([a, b, c, d], []) => Ok([*a, *b, *c, *d]),
        _ => Err(errors::argument("a pose must be a matrix (4, 4)")),
    }
}

/// The pose of b in a's frame; each a matrix (4, 4). Of equal ones the identity.
#[pyfunction]
pub(crate) fn relative<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (py, a, b) = (a.py(), matrix_of(a)?, matrix_of(b)?);
    if a == b {
        return as_matrix(py, &Pose::identity());
    }
    let way = [b[0][3] - a[0][3], b[1][3] - a[1][3], b[2][3] - a[2][3]];
    // A column of a's rotation times one of b's.
    let entry =
        |i: usize, of: &dyn Fn(usize) -> f64| (a[0][i] * of(0) + a[1][i] * of(1)) + a[2][i] * of(2);
    let row = |i: usize| {
        let turn = |j: usize| entry(i, &|k| b[k][j]);
        [turn(0), turn(1), turn(2), entry(i, &|k| way[k])]
    };
    arrays::rows(py, vec![row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
}

/// The rigid motion nearest to a pose (4, 4) that is off by up to 1e-6, as every question takes it: of
/// two that are off, the product would be off by more.
#[pyfunction]
pub(crate) fn straightened<'py>(pose: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let py = pose.py();
    let pose = one(pose)?;
    pose.check_range().map_err(|error| errors::of_pose(py, &error, None))?;
    let (mut rotation, translation) = (*pose.rotation(), *pose.translation());
    for _ in 0..2 {
        let mut off = rotation.tr_mul(&rotation);
        (0..3).for_each(|k| off[(k, k)] -= 1.0);
        if off.amax() <= 4.0 * f64::EPSILON {
            break;
        }
        rotation -= rotation * off * 0.5;
    }
    let row = |i: usize| [rotation[(i, 0)], rotation[(i, 1)], rotation[(i, 2)], translation[i]];
    arrays::rows(py, vec![row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
}

/// (n, 3): points at a pose (4, 4), each coordinate rounded as everywhere.
#[pyfunction]
pub(crate) fn posed<'py>(
    pose: &Bound<'py, PyAny>,
    points: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, points) = (matrix_of(pose)?, arrays::vertices(points)?);
    // The sum of `Pose::apply`.
    let coordinate = |[x, y, z, t]: [f64; 4], p: &Point| ((x * p.x + y * p.y) + z * p.z) + t;
    let there = |p: &Point| [0, 1, 2].map(|i: usize| coordinate(rows[i], p));
    arrays::rows(pose.py(), points.iter().map(there).collect())
}
