//! The questions of a `Pair`, for one pose or a batch.

use std::ops::Range;

use impinge::query::{Answer, Ask, Inner, Meaning, QueryError};
use impinge::{
    Error, Nearest, PenetrationOptions, Pose, RigidMotion, SweepOptions, Swept, Verdict, Way,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyList, PyString};

use crate::model::{Model, contacts};
use crate::pair::{Pair, Run};
use crate::poses::{self, Poses, Refused};
use crate::results::OnTheWay;
use crate::{arrays, errors, many, results};

fn meaning(solids: bool) -> Meaning {
    if solids { Meaning::Solids } else { Meaning::Surfaces }
}

/// What `__reduce__` returns: a callable and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Py<Model>, Py<Model>, &'static str));

/// The distance of an answer to a question for it.
fn nearest(answer: &Answer) -> Result<Nearest, Error> {
    let reason = "it answered without a distance".to_owned();
    let missing = || QueryError::Backend { word: "distance", reason };
    Ok(answer.nearest.ok_or_else(missing)?)
}

/// The words of verdicts, by the codes of a batch.
pub(crate) const VERDICTS: [&str; 4] = ["separated", "intersecting", "a-in-b", "b-in-a"];

/// The code of a verdict.
fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Intersecting => 1,
        Verdict::Contained(Inner::A) => 2,
        Verdict::Contained(Inner::B) => 3,
    }
}

impl Pair {
    /// A question whose answer is yes or no.
    fn yes_or_no<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        ask: &Ask,
        progress: Option<&Bound<'py, PyAny>>,
        of: impl Fn(&Answer) -> bool + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = poses.py();
        match poses::read(poses)? {
            Poses::One(pose) => {
                let yes = self.single(py, &pose, (ask, true), progress, |answer| Ok(of(answer)))?;
                Ok(PyBool::new(py, yes).to_owned().into_any())
            }
            Poses::Many(batch) => {
                let mut all = vec![false; batch.len()];
                self.batch(&batch, ask, progress, &mut |i, answer| all[i] = of(answer))?;
                Ok(PyArray1::from_vec(py, all).into_any())
            }
        }
    }
}

#[pymethods]
impl Pair {
    #[new]
    #[pyo3(signature = (a, b, *, method="wide"))]
    fn new(a: Bound<'_, Model>, b: Bound<'_, Model>, method: &str) -> PyResult<Self> {
        Self::of(a, b, method)
    }

    /// The word of the method that answers.
    #[getter]
    fn method(&self) -> &'static str {
        self.word()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [a, b] = self.models().map(|model| Ok::<_, PyErr>(model.bind(py).repr()?.to_string()));
        Ok(format!("impinge.Pair({}, {}, method='{}')", a?, b?, self.word()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (py, pair) = (slf.py(), slf.get());
        let [a, b] = pair.models().map(|model| model.clone_ref(py));
        let make = py.import("impinge._results")?.getattr("pair_of")?;
        Ok((make, (a, b, pair.word())))
    }

    /// Whether the surfaces share a point: bool, or (n,) bool.
    #[pyo3(signature = (poses, *, solids=false, progress=None))]
    fn collides<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::first_contact().verdict_only() };
        self.yes_or_no(poses, &ask, progress, |answer| answer.verdict.is_hit())
    }

    /// "separated", "intersecting", or, of closed meshes whose surfaces are apart, "a-in-b" or
    /// "b-in-a" if a component of the first is inside the second. A str, or a list of n; with `codes` the
    /// place of the word in `VERDICTS`: int, or (n,) uint8, 0 if and only if they are apart.
    #[pyo3(signature = (poses, *, codes=false, progress=None))]
    fn verdict<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        codes: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, ask) = (poses.py(), Ask::first_contact().solids().verdict_only());
        let word = |code: u8| PyString::intern(py, VERDICTS[usize::from(code)]).into_any();
        match poses::read(poses)? {
            Poses::One(pose) => {
                let of = |answer: &Answer| Ok(code(answer.verdict));
                let found = self.single(py, &pose, (&ask, true), progress, of)?;
                if codes { Ok(found.into_pyobject(py)?.into_any()) } else { Ok(word(found)) }
            }
            Poses::Many(batch) => {
                let mut all = vec![0_u8; batch.len()];
                self.batch(&batch, &ask, progress, &mut |i, answer| all[i] = code(answer.verdict))?;
                if codes {
                    return Ok(PyArray1::from_vec(py, all).into_any());
                }
                Ok(PyList::new(py, all.into_iter().map(word))?.into_any())
            }
        }
    }

    /// Whether the distance is at most `d`, decided exactly: bool, or (n,) bool.
    #[pyo3(signature = (poses, d, *, solids=false, progress=None))]
    fn nearer_than<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        d: f64,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::nearer_than(d) };
        self.yes_or_no(poses, &ask, progress, |answer| {
            answer.nearer.unwrap_or(answer.verdict.is_hit())
        })
    }

    /// Whether B lies wholly inside A, off its surface: bool, or (n,) bool.
    #[pyo3(signature = (poses, *, progress=None))]
    fn contains<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask = Ask::contained_in().verdict_only();
        self.yes_or_no(poses, &ask, progress, |answer| answer.contained == Some(true))
    }

    /// All pairs of triangles that meet, ascending; at most the first `cap` of each pose.
    ///
    /// One pose: (k, 2), the triangle of A and that of B. A batch: (m, 3), the index of the pose
    /// first. With `details`: `Contacts`.
    #[pyo3(signature = (poses, *, cap=None, details=false, progress=None))]
    fn contacts<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        cap: Option<usize>,
        details: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, ask) = (poses.py(), Ask { cap, details, ..Ask::all_contacts() });
        match poses::read(poses)? {
            poses if details => self.details(py, &poses, &ask, progress),
            Poses::One(pose) => {
                let of = |answer: &Answer| Ok(answer.contacts.clone());
                let list = self.single(py, &pose, (&ask, false), progress, of)?;
                Ok(contacts(py, &list)?.into_any())
            }
            Poses::Many(batch) => {
                let mut all = Vec::new();
                self.batch(&batch, &ask, progress, &mut |i, answer| {
                    all.extend(many::rows(i, answer));
                })?;
                Ok(arrays::rows(py, all)?.into_any())
            }
        }
    }

    /// The least distance, 0 if and only if the surfaces meet: float, or (n,).
    #[pyo3(signature = (poses, *, solids=false, progress=None))]
    fn distance<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, ask) = (poses.py(), Ask { meaning: meaning(solids), ..Ask::distance() });
        let distance = |answer: &Answer| nearest(answer).map(|found| found.distance);
        match poses::read(poses)? {
            Poses::One(pose) => {
                let found = self.single(py, &pose, (&ask, true), progress, distance)?;
                Ok(PyFloat::new(py, found).into_any())
            }
            Poses::Many(batch) => {
                let mut all = vec![f64::NAN; batch.len()];
                self.batch(&batch, &ask, progress, &mut |i, answer| {
                    all[i] = distance(answer).unwrap_or(f64::NAN);
                })?;
                Ok(PyArray1::from_vec(py, all).into_any())
            }
        }
    }

    /// The least distance and where it is attained.
    #[pyo3(signature = (poses, *, solids=false, progress=None))]
    fn nearest<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, ask) = (poses.py(), Ask { meaning: meaning(solids), ..Ask::distance() });
        match poses::read(poses)? {
            Poses::One(pose) => {
                let found = self.single(py, &pose, (&ask, true), progress, nearest)?;
                results::nearest(py, &found)
            }
            Poses::Many(batch) => {
                let mut all = Vec::with_capacity(batch.len());
                self.batch(&batch, &ask, progress, &mut |_, answer| {
                    all.extend(answer.nearest);
                })?;
                results::all_nearest(py, &all)
            }
        }
    }

    /// `None` if the surfaces are apart, "touches" if they only touch, else "pierces". Exact.
    ///
    /// Of a batch the places of these in `TOUCHES`: (n,) uint8, 0 if
    /// and only if they are apart. Raises `UndecidedError` where what is inside is not certain.
    #[pyo3(signature = (poses, *, progress=None))]
    fn touch<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.touches(poses.py(), &poses::read(poses)?, progress)
    }

    /// Bounds of the length of the least translation of B that parts them, in the meshes' unit; of a
    /// batch, arrays.
    ///
    /// width: the bounds differ by at most this share of the upper one, unless the budget ends.
    /// budget: cubes of translations that are examined for a pose.
    #[pyo3(signature = (poses, *, solids=false, width=0.05, budget=20_000, progress=None))]
    fn penetration<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        solids: bool,
        width: f64,
        budget: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = poses.py();
        let options = PenetrationOptions { meaning: meaning(solids), width, budget };
        match poses::read(poses)? {
            Poses::One(pose) => {
                let found = self.with(py, Run::Tried, progress, |pair, control| {
                    pair.penetration_with(&pose, &options, control)
                })?;
                results::penetration(py, &found)
            }
            Poses::Many(batch) => {
                let (numbers, size) = (batch.numbers()?, (batch.len(), Run::Watched));
                let mut all = Vec::with_capacity(batch.len());
                let make = |range, poses: &mut _| numbers.read(range, poses);
                self.each(py, size, progress, make, |pair, poses, _, control| {
                    pair.penetrations(poses, &options, control, &mut |_, found| all.push(*found))
                })?;
                results::all_penetrations(py, &all)
            }
        }
    }

    /// When B first touches A, or comes as near as `near`, on its way from one pose to another.
    ///
    /// start, end: one pose each; or batches of the same number n, from each of the first to the one of
    /// the same index of the second, for which the answer has arrays.
    ///
    /// B turns the shorter way about the origin of its frame, or about the point `about` (3,) of it,
    /// which runs straight; or with `screw` about an axis, along which it slides. `near` is in the
    /// meshes' unit, times are from 0 to 1.
    #[pyo3(signature = (start, end, *, near=0.0, solids=false, about=None, screw=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn sweep<'py>(
        &self,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
        near: f64,
        solids: bool,
        about: Option<[f64; 3]>,
        screw: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = start.py();
        let motion = |start: &Pose, end: &Pose| match (about, screw) {
            (Some(point), _) => RigidMotion::about(start, end, &point.into()),
            (None, true) => RigidMotion::screw(start, end),
            (None, false) => RigidMotion::new(start, end),
        };
        if about.is_some() && screw {
            return Err(errors::argument("a screw has no point to turn about"));
        }
        let options = SweepOptions { near, meaning: meaning(solids), ..SweepOptions::default() };
        match (poses::read(start)?, poses::read(end)?) {
            (Poses::One(start), Poses::One(end)) => {
                let motion =
                    motion(&start, &end).map_err(|error| errors::of_pose(py, &error, None))?;
                let swept = self.with(py, Run::Tried, progress, |pair, control| {
                    pair.sweep_with(&motion, &options, control)
                })?;
                results::swept(py, &OnTheWay::of(&swept.outcome, |t| motion.pose_at(t)))
            }
            (Poses::Many(starts), Poses::Many(ends)) if starts.len() == ends.len() => {
                let (from, to) = (starts.numbers()?, ends.numbers()?);
                let item = |i| motion(&from.pose(i)?, &to.pose(i)?).map_err(Refused::Pose);
                let make = |range: Range<usize>, motions: &mut Vec<RigidMotion>| {
                    for i in range {
                        motions.push(item(i).map_err(|refused| (i, refused))?);
                    }
                    Ok(())
                };
                let (size, mut all) =
                    ((starts.len(), Run::Watched), Vec::with_capacity(starts.len()));
                self.each(py, size, progress, make, |pair, motions, _, control| {
                    let mut keep = |i: usize, swept: &Swept| {
                        all.push(OnTheWay::of(&swept.outcome, |t| motions[i].pose_at(t)));
                    };
                    pair.sweeps(motions, &options, control, &mut keep)
                })?;
                results::all_swept(py, &all)
            }
            (Poses::Many(starts), Poses::Many(ends)) => {
                let (n, m) = (starts.len(), ends.len());
                Err(errors::argument(format!("{n} poses to start from, but {m} to end at")))
            }
            _ => Err(errors::argument("start and end must both be one pose, or both a batch")),
        }
    }

    /// How far B has to go along `direction` (3,) to be free of A: beyond the last contact, or to the
    /// `first` free place. Of a batch, arrays; then a direction may
    /// be (n, 3) too, one a pose.
    #[pyo3(signature = (poses, direction, *, solids=false, first=false, progress=None))]
    fn exit<'py>(
        &self,
        poses: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        solids: bool,
        first: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let way = if first { Way::FirstFree } else { Way::LastContact };
        self.exits(direction, &poses::read(poses)?, (way, meaning(solids)), progress)
    }
}
