//! Contacts of objects of a world, in the world's frame, and the object that a question is about.

use impinge::query::{Answer, Ask, Control};
use impinge::{Object, ObjectId, Pose, WorldError};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::{arrays, results};

/// The object that a question is about.
pub(crate) enum Place {
    /// One of the world, with the user's id.
    Inside(u64, ObjectId),
    /// One that is not in the world.
    Outside(Object),
}

impl Place {
    /// The user's id; -1 of an object that is not in the world.
    pub(crate) fn name(&self) -> i64 {
        match self {
            Self::Inside(id, _) => *id as i64,
            Self::Outside(_) => -1,
        }
    }

    /// The object, and its id if it is in the world.
    pub(crate) fn object(
        &self,
        world: &impinge::World,
    ) -> Result<(Object, Option<ObjectId>), WorldError> {
        match self {
            Self::Inside(_, id) => Ok((world.object(*id)?.clone(), Some(*id))),
            Self::Outside(object) => Ok((object.clone(), None)),
        }
    }

    /// Where it is.
    pub(crate) fn pose(&self, world: &impinge::World) -> Result<Pose, WorldError> {
        match self {
            Self::Inside(_, id) => Ok(world.object(*id)?.pose),
            Self::Outside(object) => Ok(object.pose),
        }
    }

    /// Asks about it and all others.
    pub(crate) fn ask(
        &self,
        world: &mut impinge::World,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(ObjectId, &Answer),
    ) -> Result<(), WorldError> {
        match self {
            Self::Inside(_, id) => world.ask_one(*id, ask, control, each).map(drop),
            Self::Outside(object) => world.ask_object(object, ask, control, each).map(drop),
        }
    }
}

/// Two ids in ascending order, and whether they were exchanged.
pub(crate) fn pair_of([a, b]: [i64; 2]) -> ([i64; 2], bool) {
    if a <= b { ([a, b], false) } else { ([b, a], true) }
}

/// A pair of triangles that meet.
struct Row {
    /// Ids of both objects, and the triangles.
    key: [i64; 4],
    /// Where it was found among the points.
    at: usize,
}

/// Contacts, in any order.
#[derive(Default)]
pub(crate) struct Meets {
    /// Whether the first object is the one asked about, whatever its id.
    of_one: bool,
    rows: Vec<Row>,
    /// Of each row, if details were asked for: the corners of what is common, and the normal.
    details: Vec<(Vec<[f64; 3]>, [f64; 3])>,
}

impl Meets {
    /// Contacts of one object.
    pub(crate) fn of_one() -> Self {
        Self { of_one: true, ..Self::default() }
    }

    /// Adds the contacts of two objects; `pose` is that of the first.
    pub(crate) fn add(&mut self, ids: [i64; 2], answer: &Answer, pose: &Pose) {
        let (ordered, exchange) = if self.of_one { (ids, false) } else { pair_of(ids) };
        for contact in &answer.contacts {
            let (mut s, mut t) = (i64::from(contact.a), i64::from(contact.b));
            if exchange {
                (s, t) = (t, s);
            }
            self.rows.push(Row { key: [ordered[0], ordered[1], s, t], at: self.rows.len() });
        }
        for detail in &answer.details {
            let corner = |p: &impinge::Point| pose.apply(p).coords.into();
            let normal = pose.rotate(&detail.normal) * if exchange { -1.0 } else { 1.0 };
            let points = detail.meeting.points().iter().map(corner).collect();
            self.details.push((points, normal.into()));
        }
    }

    /// The rows (k, 4) in ascending order; with details, a named tuple.
    pub(crate) fn finish(mut self, py: Python<'_>, details: bool) -> PyResult<Bound<'_, PyAny>> {
        self.rows.sort_unstable_by_key(|row| row.key);
        let rows = arrays::rows(py, self.rows.iter().map(|row| row.key).collect())?;
        if !details {
            return Ok(rows.into_any());
        }
        let (mut points, mut normals, mut offsets) = (Vec::new(), Vec::new(), vec![0_i64]);
        for row in &self.rows {
            let Some((corners, normal)) = self.details.get(row.at) else { continue };
            points.extend_from_slice(corners);
            normals.push(*normal);
            offsets.push(points.len() as i64);
        }
        let (points, normals) = (arrays::rows(py, points)?, arrays::rows(py, normals)?);
        results::make(py, "Contacts", (rows, normals, points, PyArray1::from_vec(py, offsets)))
    }
}
