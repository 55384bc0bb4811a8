//! Contacts of a mesh with itself.

mod cones;
mod fans;
mod groups;
mod restless;
mod sink;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_geometry::Pose;
use impinge_geometry::predicates::collinear;
use impinge_query::{Cancelled, Contact, Contacts, Control, Counter, Query, QueryError};
use impinge_threads::pool;
use rayon::prelude::*;

use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::Pair;
use crate::search::contacts::{Stack, Walk};
use crate::search::self_collision::{SelfCollision, meet_otherwise};
use crate::simd::Width;
use fans::Fans;
use groups::Groups;
use sink::Sink;

/// Triangles between two looks at the caller's flag, where each takes up to a microsecond.
const LOOK: usize = 1 << 12;

/// Nodes per task; with fewer, waking a thread is not worth it.
const NODES: usize = 64;

/// The contacts of one model with itself, on the pool's threads. About a microsecond per triangle
/// on one thread if nothing meets.
///
/// # Errors
/// [`QueryError`].
pub(crate) fn contacts<C: Counter>(
    width: Width,
    query: &Query<'_, WideModel>,
    stack: &mut Stack,
    counter: &mut C,
    found: &mut Contacts,
) -> Result<(), QueryError> {
    let (model, control) = (query.a, query.control);
    let search = Search { width, model, control, found: AtomicBool::new(false) };
    counter.stage("descent", |counter| search.all(counter, stack, found))
}

struct Search<'q> {
    width: Width,
    model: &'q WideModel,
    control: &'q Control<'q>,
    /// Set when only the first contact is wanted and a thread has found one.
    found: AtomicBool,
}

impl Search<'_> {
    fn all<C: Counter>(
        &self,
        counter: &mut C,
        stack: &mut Stack,
        found: &mut Contacts,
    ) -> Result<(), QueryError> {
        let none = found.fork();
        let taken = std::mem::replace(found, none);
        let mut sink = Sink::new(self.model.coincident(), taken, self.control);
        self.equal(&mut sink)?;
        if !sink.satisfied() {
            match Groups::of(self.model, self.width, self.control)? {
                None => self.descend(self.model, None, counter, stack, &mut sink)?,
                Some(groups) => {
                    Fans { search: self, groups: &groups }.run(stack, counter, &mut sink)?;
                }
            }
        }
        *found = sink.end()?;
        Ok(())
    }

    /// Repeated triangles meet each other if they have area.
    fn equal(&self, sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let Some(coincident) = self.model.coincident() else { return Ok(()) };
        for class in coincident.classes() {
            self.control.check()?;
            let [p, ..] = *class else { continue };
            let [x, y, z] = &self.model.mesh().triangle(p);
            if !collinear(x, y, z) && sink.among(class).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Finds pairs of a model's triangles, without repeats, by its tree. `own` maps the model's
    /// triangle indices to those of the queried mesh, if they differ.
    fn descend<C: Counter>(
        &self,
        model: &WideModel,
        own: Option<&[u32]>,
        counter: &mut C,
        stack: &mut Stack,
        sink: &mut Sink<'_>,
    ) -> Result<(), QueryError> {
        let (still, frame) = (Pose::identity(), [&model.tree.frame; 2]);
        let Some(placement) = Placement::new(&still, frame, [model.max_abs(); 2]) else {
            return Ok(());
        };
        let pair = Pair { models: [model; 2], pose: &still, placement: &placement };
        let nodes = model.nodes();
        if nodes <= NODES || pool::available() == 1 {
            return self.nodes((pair, own), 0..nodes, stack, counter, sink);
        }
        let sum = Mutex::new((sink.fork(), counter.fork()));
        let ranges = (0..nodes.div_ceil(NODES)).into_par_iter();
        ranges.try_for_each_init(Stack::default, |stack, at| {
            let (mut part, mut counter) = {
                let sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                (sum.0.fork(), sum.1.fork())
            };
            let range = at * NODES..((at + 1) * NODES).min(nodes);
            self.nodes((pair, own), range, stack, &mut counter, &mut part)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.0.merge(part);
            sum.1.merge(counter);
            Ok::<_, QueryError>(())
        })?;
        let (part, counted) = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
        counter.merge(counted);
        sink.merge(part);
        Ok(())
    }

    /// Finds the pairs whose lowest common ancestor is one of these nodes.
    fn nodes<C: Counter>(
        &self,
        (pair, own): (Pair<'_>, Option<&[u32]>),
        nodes: Range<usize>,
        stack: &mut Stack,
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> Result<(), QueryError> {
        if self.found.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.control.check()?;
        let index = |t: u32| own.map_or(t, |own| own[t as usize]);
        let hit = |Contact { a, b }: Contact| {
            let flow = sink.pair(index(a), index(b));
            if sink.satisfied() {
                self.found.store(true, Ordering::Relaxed);
            }
            flow
        };
        let (control, decide) = (self.control, meet_otherwise);
        let walk = Walk::new(pair, stack, counter, control, hit, decide, ());
        Ok(self.width.run(SelfCollision { walk, nodes, room: 0.0 })?)
    }
}
