//! Contacts with what they have in common, and whether and how far two bodies are in each other.

use impinge::query::{Answer, Ask, Control, Detail};
use impinge::{Pose, Touch, Vector, Way};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::model::contacts;
use crate::pair::{Pair, Run};
use crate::poses::{self, Batch, Poses};
use crate::{arrays, errors, results};

/// What two surfaces do, by the codes of a batch: nothing where they are apart.
pub(crate) const TOUCHES: [Option<&str>; 3] = [None, Some("touches"), Some("pierces")];

fn code(touch: Option<Touch>) -> u8 {
    match touch {
        None => 0,
        Some(Touch::Touches) => 1,
        Some(Touch::Pierces) => 2,
    }
}

/// What pairs of triangles have in common.
struct Common {
    normals: Vec<[f64; 3]>,
    points: Vec<[f64; 3]>,
    offsets: Vec<i64>,
}

impl Common {
    fn new() -> Self {
        Self { normals: Vec::new(), points: Vec::new(), offsets: vec![0] }
    }

    fn add(&mut self, details: &[Detail]) {
        for detail in details {
            self.points.extend(detail.meeting.points().iter().map(|p| [p.x, p.y, p.z]));
            self.normals.push(detail.normal.into());
            self.offsets.push(self.points.len() as i64);
        }
    }

    fn named<'py>(self, py: Python<'py>, rows: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (normals, points) = (arrays::rows(py, self.normals)?, arrays::rows(py, self.points)?);
        let offsets = PyArray1::from_vec(py, self.offsets);
        results::make(py, "Contacts", (rows, normals, points, offsets))
    }
}

type Listener<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl Pair {
    /// `Contacts`, at one pose or many.
    pub(crate) fn details<'py>(
        &self,
        py: Python<'py>,
        poses: &Poses<'py>,
        ask: &Ask,
        progress: Listener<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut common = Common::new();
        match poses {
            Poses::One(pose) => {
                let list = self.single(py, pose, (ask, false), progress, |answer| {
                    common.add(&answer.details);
                    Ok(answer.contacts.clone())
                })?;
                common.named(py, contacts(py, &list)?.into_any())
            }
            Poses::Many(batch) => {
                let mut all = Vec::new();
                self.batch(batch, ask, progress, &mut |i, answer| {
                    all.extend(rows(i, answer));
                    common.add(&answer.details);
                })?;
                common.named(py, arrays::rows(py, all)?.into_any())
            }
        }
    }

    /// Whether surfaces only touch: a word or `None`, or of a batch codes.
    pub(crate) fn touches<'py>(
        &self,
        py: Python<'py>,
        poses: &Poses<'py>,
        progress: Listener<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match poses {
            Poses::One(pose) => {
                let touch = self.with(py, Run::Tried, progress, |pair, control| {
                    pair.touch_with(pose, control)
                })?;
                let word = TOUCHES[usize::from(code(touch))];
                Ok(word.map_or_else(
                    || py.None().into_bound(py),
                    |word| PyString::new(py, word).into_any(),
                ))
            }
            Poses::Many(batch) => {
                let found = self.all(batch, progress, |pair, poses, _, control, keep| {
                    pair.touches(poses, control, &mut |_, touch| keep(code(*touch)))
                })?;
                Ok(PyArray1::from_vec(py, found).into_any())
            }
        }
    }

    /// The ways out along a direction, or along one a pose.
    pub(crate) fn exits<'py>(
        &self,
        direction: &Bound<'py, PyAny>,
        poses: &Poses<'py>,
        (way, meaning): (Way, impinge::query::Meaning),
        progress: Listener<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = direction.py();
        let directions = arrays::floats(direction, "a direction")?;
        let numbers = directions.as_slice()?;
        let of = |i: usize| Vector::new(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
        match (poses, directions.shape()) {
            (Poses::One(pose), [3]) => {
                let direction = of(0);
                let exit = self.with(py, Run::Tried, progress, |pair, control| {
                    pair.exit_with(pose, &direction, way, meaning, control)
                })?;
                let triangles = exit.triangles.map(|found| (found.a, found.b));
                let there = poses::as_matrix(py, &exit.pose)?;
                results::make(py, "Exit", (exit.by, exit.end.low, exit.end.high, there, triangles))
            }
            (Poses::Many(batch), shape) if *shape == [3] || *shape == [batch.len(), 3] => {
                let single = shape.len() == 1;
                let found = self.all(batch, progress, |pair, poses, start, control, keep| {
                    let along = |k: usize| of(if single { 0 } else { start + k });
                    let ways: Vec<(Pose, Vector)> =
                        poses.iter().enumerate().map(|(k, pose)| (*pose, along(k))).collect();
                    pair.exits(&ways, way, meaning, control, &mut |_, exit| keep(*exit))
                })?;
                results::all_exits(py, &found)
            }
            (_, found) => Err(errors::argument(format!(
                "a direction must have the shape (3,), or of n poses (n, 3), not {found:?}"
            ))),
        }
    }

    /// Answers of any type to a batch, on all threads. An error gets the place of its pose.
    fn all<R: Send>(
        &self,
        batch: &Batch<'_>,
        progress: Listener<'_, '_>,
        mut of: impl FnMut(
            &mut impinge::Pair,
            &[Pose],
            usize,
            &Control<'_>,
            &mut dyn FnMut(R),
        ) -> Result<(), impinge::Error>
        + Send,
    ) -> PyResult<Vec<R>> {
        let (numbers, size) = (batch.numbers()?, (batch.len(), Run::Watched));
        let mut all = Vec::with_capacity(batch.len());
        let make = |range, poses: &mut _| numbers.read(range, poses);
        let done = self.each(batch.py(), size, progress, make, |pair, poses, start, control| {
            of(pair, poses, start, control, &mut |answer| all.push(answer))
        });
        done.map_err(|error| errors::at_pose(batch.py(), error, all.len()))?;
        Ok(all)
    }
}

/// The pairs of triangles at a pose of a batch.
pub(crate) fn rows(pose: usize, answer: &Answer) -> impl Iterator<Item = [u32; 3]> + '_ {
    answer.contacts.iter().map(move |found| [pose as u32, found.a, found.b])
}
