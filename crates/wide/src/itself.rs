//! Does a mesh meet itself, and where?

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_geometry::Pose;
use impinge_query::{
    Answer, Ask, Contact, Control, Counter, Engine, QueryError, Question, Statistics,
};
use rayon::prelude::*;

use crate::engine::Wide;
use crate::gather::Gather;
use crate::memory::Memory;
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::contacts::{PULSE, Walk};
use crate::search::itself::{Itself, meet_otherwise};
use crate::search::{Pair, contacts};

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
            Question::Distance | Question::NearerThan(_) => {
                let (word, what) = (self.describe().word, "distance of a mesh from itself");
                return Err(QueryError::Unanswered { word, what });
            }
        };
        let still = Pose::identity();
        let units = [&model.tree.units; 2];
        let Some(placement) = Placement::new(&still, units, [model.max_abs(); 2]) else {
            return Ok(());
        };
        let pair = Pair { models: [model; 2], pose: &still, placement: &placement };
        let cap = if first { 1 } else { ask.cap.unwrap_or(usize::MAX) };
        let search =
            Search { engine: self, pair, control, first, cap, found: AtomicBool::new(false) };
        answer.statistics = if ask.count {
            search.answer(Statistics::default(), memory, answer)?
        } else {
            search.answer((), memory, answer)?
        };
        if ask.details {
            crate::engine::describe([model; 2], &still, answer, control)?;
        }
        Ok(())
    }
}

/// One query.
struct Search<'q> {
    engine: &'q Wide,
    pair: Pair<'q>,
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
        counter
            .stage("descent", |counter| self.all(counter, memory))?
            .finish(answer, self.control)?;
        if self.first {
            answer.contacts_found = answer.contacts_found.min(1);
        }
        Ok(counter.finish())
    }

    fn all<C: Counter>(&self, counter: &mut C, memory: &mut Memory) -> Result<Gather, QueryError> {
        let nodes = self.pair.models[0].nodes();
        if nodes <= NODES || rayon::current_num_threads() == 1 {
            let mut part = Gather::new(self.cap);
            self.nodes(0..nodes, &mut memory.stack, counter, &mut part)?;
            return Ok(part);
        }
        let sum = Mutex::new((Gather::new(self.cap), counter.fork()));
        let ranges = (0..nodes.div_ceil(NODES)).into_par_iter();
        ranges.try_for_each_init(contacts::Stack::default, |stack, at| {
            let fresh = || sum.lock().unwrap_or_else(PoisonError::into_inner).1.fork();
            let (mut part, mut counter) = (Gather::new(self.cap), fresh());
            let range = at * NODES..((at + 1) * NODES).min(nodes);
            self.nodes(range, stack, &mut counter, &mut part)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.0.merge(part);
            sum.1.merge(counter);
            Ok::<_, QueryError>(())
        })?;
        let (part, counted) = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
        counter.merge(counted);
        Ok(part)
    }

    /// The pairs that meet in some nodes.
    fn nodes<C: Counter>(
        &self,
        nodes: Range<usize>,
        stack: &mut contacts::Stack,
        counter: &mut C,
        part: &mut Gather,
    ) -> Result<(), QueryError> {
        if self.found.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.control.check()?;
        let hit = |Contact { a, b }: Contact| {
            part.push(Contact { a: a.min(b), b: a.max(b) });
            if self.first {
                self.found.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let (pair, control, decide) = (self.pair, self.control, meet_otherwise);
        let (pulses, pulse) = (u32::MAX, PULSE);
        let walk = Walk { pair, pulses, pulse, stack, counter, control, hit, decide };
        Ok(self.engine.width().run(Itself { walk, nodes })?)
    }
}
