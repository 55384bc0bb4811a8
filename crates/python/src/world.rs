//! The methods of `World`: its objects, and the questions about them.

use std::collections::HashMap;
use std::sync::Mutex;

use impinge::query::{Ask, Meaning};
use impinge::scene::{ClashOptions, Found};
use impinge::{Nearest, Object, ObjectId, Point, Pose, SweepOptions};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::meets::{Meets, Place, pair_of};
use crate::model::{Model, method};
use crate::objects::{Inner, World};
use crate::watch::Pace;
use crate::{arrays, errors, nearest, poses, results, sweeps};

fn meaning(solids: bool) -> Meaning {
    if solids { Meaning::Solids } else { Meaning::Surfaces }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (*, method="wide"))]
    fn new(method: &str) -> PyResult<Self> {
        let method = self::method(method)?;
        let inner = Inner {
            world: impinge::World::of(method.build().into()),
            objects: HashMap::new(),
            names: HashMap::new(),
            next: 0,
        };
        Ok(Self { method, inner: Mutex::new(inner), pace: Pace::default() })
    }

    /// Adds an object at a pose in the world, by default the identity; returns its id.
    #[pyo3(signature = (model, pose=None, *, fixed=false, groups=4_294_967_295, mask=4_294_967_295))]
    fn add(
        &self,
        model: Bound<'_, Model>,
        pose: Option<&Bound<'_, PyAny>>,
        fixed: bool,
        groups: u32,
        mask: u32,
    ) -> PyResult<u64> {
        let (py, pose) = (model.py(), poses::or_identity(pose)?);
        let shape = model.get().shape(py, self.method)?;
        let mut object = Object::new(shape, pose).grouped(groups, mask);
        object.fixed = fixed;
        let mut inner = self.lock(py)?;
        let added = inner.world.add(object);
        let id = added.map_err(|error| inner.raise(py, &error))?;
        let name = inner.next;
        inner.next += 1;
        inner.objects.insert(name, (id, model.unbind()));
        inner.names.insert(id, name);
        Ok(name)
    }

    /// Takes an object out of the world.
    fn remove(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let object = inner.object(id)?;
        inner.world.remove(object).map_err(|error| inner.raise(py, &error))?;
        inner.objects.remove(&id);
        inner.names.remove(&object);
        Ok(())
    }

    /// Moves an object to a pose in the world.
    fn set_pose(&self, py: Python<'_>, id: u64, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = poses::one(pose)?;
        let mut inner = self.lock(py)?;
        let object = inner.object(id)?;
        inner.world.set_pose(object, pose).map_err(|error| inner.raise(py, &error))
    }

    /// Moves the objects of n ids, each to its pose of n; none if one is refused.
    fn set_poses(&self, py: Python<'_>, ids: Vec<u64>, poses: &Bound<'_, PyAny>) -> PyResult<()> {
        let poses = poses::of_all(py, poses, ids.len())?;
        let mut inner = self.lock(py)?;
        let objects = inner.all(&ids)?;
        for (object, pose) in objects.into_iter().zip(poses) {
            inner.world.set_pose(object, pose).map_err(|error| inner.raise(py, &error))?;
        }
        Ok(())
    }

    /// (4, 4): where an object is in the world.
    fn pose<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        let object = inner.world.object(inner.object(id)?);
        poses::as_matrix(py, &object.map_err(|error| inner.raise(py, &error))?.pose)
    }

    /// The model of an object: the one that was given to `add`.
    fn model(&self, py: Python<'_>, id: u64) -> PyResult<Py<Model>> {
        let inner = self.lock(py)?;
        inner.object(id)?;
        Ok(inner.objects[&id].1.clone_ref(py))
    }

    /// (2, 3): a box around the object in the world, a little larger than the least one.
    fn bounds<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        let boxed = inner.world.bounds(inner.object(id)?);
        let boxed = boxed.map_err(|error| inner.raise(py, &error))?;
        arrays::rows(py, [boxed.min, boxed.max].map(|p| [p.x, p.y, p.z]).to_vec())
    }

    /// Whether an object is fixed: pairs of fixed objects are not asked about.
    fn set_fixed(&self, py: Python<'_>, id: u64, fixed: bool) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let object = inner.object(id)?;
        inner.world.set_fixed(object, fixed).map_err(|error| inner.raise(py, &error))
    }

    /// The groups that an object is in, and those that it may meet: 32 bits each.
    fn set_groups(&self, py: Python<'_>, id: u64, groups: u32, mask: u32) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let object = inner.object(id)?;
        inner.world.set_groups(object, groups, mask).map_err(|error| inner.raise(py, &error))
    }

    /// Whether two objects may meet, and are not asked about; returns what was before.
    #[pyo3(signature = (a, b, allowed=true))]
    fn allow(&self, py: Python<'_>, a: u64, b: u64, allowed: bool) -> PyResult<bool> {
        let mut inner = self.lock(py)?;
        let (a, b) = (inner.object(a)?, inner.object(b)?);
        inner.world.allow(a, b, allowed).map_err(|error| inner.raise(py, &error))
    }

    /// The ids of all objects, ascending.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let inner = self.lock(py)?;
        let mut all: Vec<i64> = inner.objects.keys().map(|id| *id as i64).collect();
        all.sort_unstable();
        Ok(PyArray1::from_vec(py, all))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.world.len())
    }

    fn __contains__(&self, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let objects = &self.lock(id.py())?.objects;
        Ok(id.extract::<u64>().is_ok_and(|id| objects.contains_key(&id)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.lock(py)?.world.len();
        Ok(format!("impinge.World({count} objects, method='{}')", self.method.word()))
    }

    /// (k, 2): ids of all pairs that collide, ascending.
    #[pyo3(signature = (*, solids=false, progress=None))]
    fn colliding<'py>(
        &self,
        py: Python<'py>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::first_contact().verdict_only() };
        self.pairs(py, &ask, progress)
    }

    /// (k, 2): ids of all pairs at most `d` apart, ascending.
    #[pyo3(signature = (d, *, solids=false, progress=None))]
    fn nearer_than<'py>(
        &self,
        py: Python<'py>,
        d: f64,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::nearer_than(d) };
        self.pairs(py, &ask, progress)
    }

    /// The pairs at most `d` apart, with their distances.
    #[pyo3(signature = (d, *, solids=false, progress=None))]
    fn near<'py>(
        &self,
        py: Python<'py>,
        d: f64,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found: Vec<([ObjectId; 2], Nearest)> = Vec::new();
            let mut each = |Found { a, b, answer, .. }: Found<'_>| {
                found.extend(answer.nearest.map(|nearest| ([a, b], nearest)));
            };
            world.near_with(d, meaning(solids), control, &mut each).map(|_| found)
        })?;
        let mut rows = Vec::with_capacity(found.len());
        for ([a, b], nearest) in found {
            let pose = inner.world.object(a).map_err(|error| inner.raise(py, &error))?.pose;
            let nearest = moved(&pose, nearest);
            let ids = [a, b].map(|object| inner.number(object));
            rows.push(if ids[0] < ids[1] {
                (ids, nearest)
            } else {
                ([ids[1], ids[0]], exchanged(nearest))
            });
        }
        rows.sort_by_key(|(ids, _)| *ids);
        let (ids, found): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        results::make(py, "Near", (arrays::rows(py, ids)?, results::all_nearest(py, &found)?))
    }

    /// (k, 4): ids of both objects and their triangles that meet, ascending; of each pair at most the
    /// first `cap`.
    #[pyo3(signature = (*, cap=None, details=false, progress=None))]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        cap: Option<usize>,
        details: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask = Ask { cap, details, ..Ask::all_contacts() };
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found = Vec::new();
            let mut each =
                |Found { a, b, answer, .. }: Found<'_>| found.push((a, b, answer.clone()));
            world.ask(&ask, control, &mut each).map(|_| found)
        })?;
        let mut meets = Meets::default();
        for (a, b, answer) in &found {
            let object = inner.world.object(*a).map_err(|error| inner.raise(py, &error))?;
            meets.add([*a, *b].map(|object| inner.number(object)), answer, &object.pose);
        }
        meets.finish(py, details)
    }

    /// Every pair that clashes, with its class; with `clearance`, pairs at most so far apart too.
    ///
    /// With `only_class`, contacts are neither counted nor measured: `contacts` is `None`, and `extent` too
    /// of objects that meet. That takes less time, and the classes are the same.
    #[pyo3(signature = (clearance=None, *, solids=false, only_class=false, progress=None))]
    fn clashes<'py>(
        &self,
        py: Python<'py>,
        clearance: Option<f64>,
        solids: bool,
        only_class: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let options = ClashOptions { clearance, solids, contacts: 0, only_class };
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found = Vec::new();
            world.clashes(&options, control, &mut |clash| found.push(clash)).map(|_| found)
        })?;
        let mut all = Vec::with_capacity(found.len());
        for clash in &found {
            let ids = [clash.a, clash.b].map(|object| inner.number(object));
            let ([a, b], exchange) = pair_of(ids);
            let inside = clash.inner.map(|side| match side {
                impinge::query::Inner::A => ids[0],
                impinge::query::Inner::B => ids[1],
            });
            let ends = |points: Option<[Point; 2]>| {
                let rows = |points: [Point; 2]| points.map(|p| [p.x, p.y, p.z]).to_vec();
                points.map(|points| arrays::rows(py, rows(points))).transpose()
            };
            let extent = ends(clash.extent.map(|one| [one.min, one.max]))?;
            let nearest = ends(clash.nearest.map(|[p, q]| if exchange { [q, p] } else { [p, q] }))?;
            let (class, contacts) = (clash.class.word(), clash.contacts_found);
            let fields = (a, b, class, inside, clash.distance, contacts, extent, nearest);
            all.push(((a, b), results::make(py, "Clash", fields)?));
        }
        all.sort_by_key(|(ids, _)| *ids);
        Ok(all.into_iter().map(|(_, clash)| clash).collect())
    }

    /// The pairs that touch, or come as near as `near`, while objects go from their poses to n others.
    ///
    /// Each turns the shorter way about its origin, which runs straight; objects that are not named rest.
    /// Each pair is swept by itself: contact stops no object, and the world is not changed. Times are from
    /// 0 to 1.
    #[pyo3(signature = (ids, ends, *, near=0.0, solids=false, progress=None))]
    fn sweep<'py>(
        &self,
        ids: Vec<u64>,
        ends: &Bound<'py, PyAny>,
        near: f64,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, ends) = (ends.py(), poses::of_all(ends.py(), ends, ids.len())?);
        let ends: Vec<_> = self.lock(py)?.all(&ids)?.into_iter().zip(ends).collect();
        let options = SweepOptions { near, meaning: meaning(solids), ..SweepOptions::default() };
        let (found, inner) = self.question(py, progress, |world, control| {
            let found = impinge::sweep_world(world, &ends, &options, control)?;
            sweeps::with_poses(world, &ends, &found)
        })?;
        sweeps::table(py, found, |object| inner.number(object))
    }

    /// (k,): ids of the objects that collide with a model at a pose, or with an object of the world.
    #[pyo3(signature = (what, pose=None, *, solids=false, progress=None))]
    fn colliding_with<'py>(
        &self,
        what: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::first_contact().verdict_only() };
        self.others(what, pose, &ask, progress)
    }

    /// (k,): ids of the objects at most `d` from it.
    #[pyo3(signature = (what, d, pose=None, *, solids=false, progress=None))]
    fn nearer_to<'py>(
        &self,
        what: &Bound<'py, PyAny>,
        d: f64,
        pose: Option<&Bound<'py, PyAny>>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ask = Ask { meaning: meaning(solids), ..Ask::nearer_than(d) };
        self.others(what, pose, &ask, progress)
    }

    /// The id of the nearest object, and the distance with points in the world's frame: that of
    /// `what` first. `None` if there is no other object. Groups and exceptions do not matter.
    #[pyo3(signature = (what, pose=None, *, solids=false, progress=None))]
    fn nearest_to<'py>(
        &self,
        what: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(i64, Bound<'py, PyAny>)>> {
        let (py, place) = (what.py(), self.place(what, pose)?);
        let (found, inner) = self.question(py, progress, |world, control| {
            let (object, own) = place.object(world)?;
            let found = nearest::to(world, &object, own, meaning(solids), control)?;
            Ok(found.map(|(id, found)| (id, moved(&object.pose, found))))
        })?;
        let Some((id, found)) = found else { return Ok(None) };
        Ok(Some((inner.number(id), results::nearest(py, &found)?)))
    }

    /// The ids of the two nearest objects, and their distance; `None` if there are no two. O(n²)
    /// comparisons of boxes.
    #[pyo3(signature = (*, solids=false, progress=None))]
    fn nearest_pair<'py>(
        &self,
        py: Python<'py>,
        solids: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(i64, i64, Bound<'py, PyAny>)>> {
        let (found, inner) = self.question(py, progress, |world, control| {
            let Some(([a, b], found)) = nearest::of_all(world, meaning(solids), control)? else {
                return Ok(None);
            };
            Ok(Some(([a, b], moved(&world.object(a)?.pose, found))))
        })?;
        let Some((ids, found)) = found else { return Ok(None) };
        let ([a, b], exchange) = pair_of(ids.map(|object| inner.number(object)));
        let found = if exchange { exchanged(found) } else { found };
        Ok(Some((a, b, results::nearest(py, &found)?)))
    }

    /// (k, 4): -1 or the id asked about, the other's id, and both triangles that meet.
    #[pyo3(signature = (what, pose=None, *, cap=None, details=false, progress=None))]
    fn contacts_with<'py>(
        &self,
        what: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        cap: Option<usize>,
        details: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = what.py();
        let ask = Ask { cap, details, ..Ask::all_contacts() };
        let place = self.place(what, pose)?;
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found = Vec::new();
            place.ask(world, &ask, control, &mut |b, answer| found.push((b, answer.clone())))?;
            Ok(found)
        })?;
        let own = place.pose(&inner.world).map_err(|error| inner.raise(py, &error))?;
        let mut meets = Meets::of_one();
        for (b, answer) in &found {
            meets.add([place.name(), inner.number(*b)], answer, &own);
        }
        meets.finish(py, details)
    }
}

/// The points in the world's frame, of A at a pose.
fn moved(pose: &Pose, mut found: Nearest) -> Nearest {
    (found.on_a, found.on_b) = (pose.apply(&found.on_a), pose.apply(&found.on_b));
    found
}

/// The same with A and B exchanged.
fn exchanged(found: Nearest) -> Nearest {
    let mut other = found;
    (other.on_a, other.on_b) = (found.on_b, found.on_a);
    (other.triangles.a, other.triangles.b) = (found.triangles.b, found.triangles.a);
    other
}

impl World {
    /// The pairs that a question is true of, ascending.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        ask: &Ask,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found = Vec::new();
            let mut each = |Found { a, b, .. }: Found<'_>| found.push([a, b]);
            world.ask(ask, control, &mut each).map(|_| found)
        })?;
        let ids = |pair: [ObjectId; 2]| pair_of(pair.map(|object| inner.number(object))).0;
        let mut rows: Vec<[i64; 2]> = found.into_iter().map(ids).collect();
        rows.sort_unstable();
        arrays::rows(py, rows)
    }

    /// An object of the world by its id, or a model at a pose.
    fn place(&self, what: &Bound<'_, PyAny>, pose: Option<&Bound<'_, PyAny>>) -> PyResult<Place> {
        let py = what.py();
        if let Ok(model) = what.cast::<Model>() {
            let shape = model.get().shape(py, self.method)?;
            return Ok(Place::Outside(Object::new(shape, poses::or_identity(pose)?)));
        }
        if pose.is_some() {
            return Err(errors::argument("an object of the world has a pose of its own"));
        }
        let id = what.extract::<u64>()?;
        Ok(Place::Inside(id, self.lock(py)?.object(id)?))
    }

    /// The objects that a question about one is true of, ascending.
    fn others<'py>(
        &self,
        what: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        ask: &Ask,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (py, place) = (what.py(), self.place(what, pose)?);
        let (found, inner) = self.question(py, progress, |world, control| {
            let mut found = Vec::new();
            place.ask(world, ask, control, &mut |b, _| found.push(b))?;
            Ok(found)
        })?;
        let mut ids: Vec<i64> = found.into_iter().map(|object| inner.number(object)).collect();
        ids.sort_unstable();
        Ok(PyArray1::from_vec(py, ids))
    }
}
