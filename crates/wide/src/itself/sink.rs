//! What a search of a mesh against itself finds: each contact stands for all between triangles that equal
//! the two.

use std::ops::ControlFlow;

use impinge_geometry::Coincident;
use impinge_query::{Cancelled, Contact, Control};

use crate::gather::Gather;

/// Contacts on their way into an answer.
#[derive(Debug)]
pub(super) struct Sink<'q> {
    gather: Gather,
    coincident: Option<&'q Coincident>,
    first: bool,
    control: &'q Control<'q>,
    cancelled: bool,
}

impl<'q> Sink<'q> {
    /// Keeps `cap` contacts; one is enough if `first`.
    pub(super) fn new(
        coincident: Option<&'q Coincident>,
        (first, cap): (bool, usize),
        control: &'q Control<'q>,
    ) -> Self {
        let cap = if first { 1 } else { cap };
        Self { gather: Gather::new(cap), coincident, first, control, cancelled: false }
    }

    /// An empty one of the same kind, for another thread.
    pub(super) fn fork(&self) -> Self {
        let gather = self.gather.fork();
        Self { gather, cancelled: false, ..*self }
    }

    /// Adds what another thread has found.
    pub(super) fn merge(&mut self, other: Self) {
        self.cancelled |= other.cancelled;
        self.gather.merge(other.gather);
    }

    /// Is that all that was asked?
    pub(super) fn satisfied(&self) -> bool {
        self.first && self.gather.found() > 0
    }

    /// What was found.
    ///
    /// # Errors
    /// [`Cancelled`] if it broke off therefore.
    pub(super) fn end(self) -> Result<Gather, Cancelled> {
        if self.cancelled { Err(Cancelled) } else { Ok(self.gather) }
    }

    /// Two triangles meet, and with them all that equal them. Repeats are passed over.
    #[inline]
    pub(super) fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let Some(equal) = self.coincident else {
            self.gather.push(Contact { a: a.min(b), b: a.max(b) });
            return self.flow();
        };
        if equal.repeats(a) || equal.repeats(b) {
            return ControlFlow::Continue(());
        }
        self.across(&[a, b])
    }

    /// Each two of these triangles, none a repeat, meet.
    pub(super) fn across(&mut self, firsts: &[u32]) -> ControlFlow<()> {
        let class = |t: &'_ u32| match self.coincident.map_or(&[][..], |equal| equal.class(*t)) {
            [] => vec![*t],
            class => class.to_vec(),
        };
        let classes: Vec<Vec<u32>> = firsts.iter().map(class).collect();
        let members = (0..).zip(&classes).flat_map(|(k, class)| class.iter().map(move |&t| (t, k)));
        self.all(members.collect())
    }

    /// Each two of these triangles meet.
    pub(super) fn among(&mut self, triangles: &[u32]) -> ControlFlow<()> {
        self.all(triangles.iter().copied().zip(0..).collect())
    }

    /// Every two of these that differ in their second number meet.
    fn all(&mut self, parts: Vec<(u32, u32)>) -> ControlFlow<()> {
        self.cancelled |= self.gather.parts(parts, self.control).is_err();
        if self.cancelled { ControlFlow::Break(()) } else { self.flow() }
    }

    /// The caller must know that it was cancelled elsewhere.
    pub(super) fn cancel(&mut self) -> ControlFlow<()> {
        self.cancelled = true;
        ControlFlow::Break(())
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
