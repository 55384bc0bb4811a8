//! Looks at the caller's flag at regular numbers of steps.

use impinge_query::{Cancelled, Control};

/// Steps between two looks.
const STRIDE: usize = 1 << 11;

/// Counts steps of work.
#[derive(Debug)]
pub(crate) struct Watch<'c> {
    control: &'c Control<'c>,
    steps: usize,
}

impl<'c> Watch<'c> {
    pub(crate) fn new(control: &'c Control<'c>) -> Self {
        Self { control, steps: 0 }
    }

    /// What the caller may cancel by.
    pub(crate) const fn control(&self) -> &'c Control<'c> {
        self.control
    }

    /// One step.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Cancelled> {
        self.steps(1)
    }

    /// So many steps at once.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub(crate) fn steps(&mut self, number: usize) -> Result<(), Cancelled> {
        self.steps += number;
        if self.steps >= STRIDE { self.look() } else { Ok(()) }
    }

    /// Looks now.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn look(&mut self) -> Result<(), Cancelled> {
        self.steps = 0;
        self.control.check()
    }
}
