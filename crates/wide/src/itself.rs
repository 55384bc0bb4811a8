//! Does a mesh meet itself, and where?

mod book;
mod cones;
mod fans;
mod groups;
mod sink;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_geometry::Pose;
use impinge_query::{
    Answer, Ask, Cancelled, Contact, Contacts, Control, Counter, Engine, QueryError, Question,
    Statistics, details,
};
use rayon::prelude::*;

use crate::engine::{Memory, Wide};
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::contacts::{PULSE, Walk};
use crate::search::itself::{Itself, has_area, meet_otherwise};
use crate::search::{Pair, contacts};
use fans::Fans;
use groups::Groups;
use sink::Sink;

/// Nodes that one task goes through; fewer are not worth waking a thread for.
const NODES: usize = 64;

impl Wide {
    /// Answers a question about contacts of a model with itself: all pairs of its triangles, `a < b`, that
    /// share a point which is on no corner and no edge that they have in common. So neighbours are
    /// no contact, unless they fold onto or through each other; two triangles over the same three
    /// corners are one, if they have area. Corners are common if their coordinates are equal,
    /// whatever their indices. Exact; details are given, [`Ask::meaning`] is not looked at.
    ///
    /// The pool it is called in shares the work; contacts do not depend on its threads. A mesh that
    /// nowhere meets itself takes about a microsecond a triangle on one thread.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`] for questions about distance, [`QueryError::Cancelled`].
    pub fn query_itself(
        &self,
        model: &WideModel,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        let first = match ask.question {
            Question::FirstContact => true,
            Question::AllContacts => false,
            Question::Distance | Question::NearerThan(_) | Question::ContainedIn => {
                let (word, what) = (self.describe().word, "distance of a mesh from itself");
                return Err(QueryError::Unanswered { word, what });
            }
        };
        let cap = ask.cap.unwrap_or(usize::MAX);
        let search =
            Search { engine: self, model, control, first, cap, found: AtomicBool::new(false) };
        answer.statistics = if ask.count {
            search.answer(Statistics::default(), memory, answer)?
        } else {
            search.answer((), memory, answer)?
        };
        if ask.details {
            details::describe(answer, control, |contact| {
                (model.mesh().triangle(contact.a), model.mesh().triangle(contact.b))
            })?;
        }
        Ok(())
    }
}

/// One query.
struct Search<'q> {
    engine: &'q Wide,
    model: &'q WideModel,
    control: &'q Control<'q>,
    first: bool,
    cap: usize,
    /// The first contact was asked, and a thread has one.
    found: AtomicBool,
}

impl Search<'_> {
    fn answer<C: Counter>(
        &self,
        mut counter: C,
        memory: &mut Memory,
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        let stack = &mut memory.own().contacts;
        counter
            .stage("descent", |counter| self.all(counter, stack))?
            .finish(answer, self.control)?;
        if self.first {
            answer.contacts_found = answer.contacts_found.min(1);
        }
        Ok(counter.finish())
    }

    fn all<C: Counter>(
        &self,
        counter: &mut C,
        stack: &mut contacts::Stack,
    ) -> Result<Contacts, QueryError> {
        let mut sink = Sink::new(self.model.coincident(), (self.first, self.cap), self.control);
        self.equal(&mut sink)?;
        if !sink.satisfied() {
            match Groups::of(self.model, self.engine.width(), self.control)? {
                None => self.descend(self.model, None, counter, stack, &mut sink)?,
                Some(groups) => {
                    Fans { search: self, groups: &groups }.run(stack, counter, &mut sink)?;
                }
            }
        }
        Ok(sink.end()?)
    }

    /// Triangles that are there several times meet each other, if they have area.
    fn equal(&self, sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let Some(coincident) = self.model.coincident() else { return Ok(()) };
        for class in coincident.classes() {
            self.control.check()?;
            let [p, ..] = *class else { continue };
            if has_area(&self.model.mesh().triangle(p)) && sink.among(class).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The pairs of a model's triangles, repeats left out, by its tree. `own` says what their indices
    /// are in the mesh that was asked about, if it is another.
    fn descend<C: Counter>(
        &self,
        model: &WideModel,
        own: Option<&[u32]>,
        counter: &mut C,
        stack: &mut contacts::Stack,
        sink: &mut Sink<'_>,
    ) -> Result<(), QueryError> {
        let (still, units) = (Pose::identity(), [&model.tree.units; 2]);
        let Some(placement) = Placement::new(&still, units, [model.max_abs(); 2]) else {
            return Ok(());
        };
        let pair = Pair { models: [model; 2], pose: &still, placement: &placement };
        let nodes = model.nodes();
        if nodes <= NODES || rayon::current_num_threads() == 1 {
            return self.nodes((pair, own), 0..nodes, stack, counter, sink);
        }
        let sum = Mutex::new((sink.fork(), counter.fork()));
        let ranges = (0..nodes.div_ceil(NODES)).into_par_iter();
        ranges.try_for_each_init(contacts::Stack::default, |stack, at| {
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

    /// The pairs that meet in some nodes.
    fn nodes<C: Counter>(
        &self,
        (pair, own): (Pair<'_>, Option<&[u32]>),
        nodes: Range<usize>,
        stack: &mut contacts::Stack,
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
        let (pulses, pulse) = (u32::MAX, PULSE);
        let walk = Walk { pair, pulses, pulse, stack, counter, control, hit, decide };
        Ok(self.engine.width().run(Itself { walk, nodes })?)
    }
}
