//! Passes over a node's triangles that end once the caller cancels.

use std::cell::Cell;
use std::iter;
use std::ops::Range;

use impinge_query::{Cancelled, Control};

use super::Item;

/// Triangles between two polls of the caller's flag, within a pass and over small nodes.
pub(super) const LOOK: usize = 1 << 12;

/// The caller's flag, polled within every pass over many triangles. Once it was up, this pass and
/// all later ones end early, even if the flag is lowered: [`Passes::finish`] then tells that what
/// was computed from them is of no use.
#[derive(Debug)]
pub struct Passes<'a> {
    control: &'a Control<'a>,
    cancelled: Cell<bool>,
}

impl<'a> Passes<'a> {
    /// Passes under this control.
    pub const fn new(control: &'a Control<'a>) -> Self {
        Self { control, cancelled: Cell::new(false) }
    }

    /// All items, or not all of them once the flag is up. Polls it once every 4,096 items; never
    /// for fewer.
    pub fn over<'i>(&'i self, items: &'i [Item]) -> impl Iterator<Item = &'i Item> + Clone {
        let (full, rest) = items.split_at(items.len() - items.len() % LOOK);
        let heard = full.chunks(LOOK).take_while(|_| self.finish().is_ok());
        heard.flatten().chain(rest)
    }

    /// The sum of a value over all items, as [`Passes::over`] polls.
    pub(super) fn sum(&self, items: &[Item], value: impl Fn(&Item) -> f64) -> f64 {
        // An iterator over parts costs small nodes a tenth of their build.
        if items.len() < LOOK {
            items.iter().map(value).sum()
        } else {
            self.over(items).map(value).sum()
        }
    }

    /// The indices below `len` in consecutive parts, as [`Passes::over`] polls.
    pub(super) fn parts(&self, len: usize) -> impl Iterator<Item = Range<usize>> + Clone {
        let mut from = 0;
        iter::from_fn(move || {
            let part = from..len.min(from + LOOK);
            from = part.end;
            let more = !part.is_empty() && (part.len() < LOOK || self.finish().is_ok());
            more.then_some(part)
        })
    }

    /// Polls the flag.
    ///
    /// # Errors
    /// [`Cancelled`] if it is up, or was when a pass polled it.
    pub fn finish(&self) -> Result<(), Cancelled> {
        if self.cancelled.get() || self.control.check().is_err() {
            self.cancelled.set(true);
            return Err(Cancelled);
        }
        Ok(())
    }
}

impl Default for Passes<'_> {
    /// Passes that nothing cancels.
    fn default() -> Self {
        Self::new(&Control::NONE)
    }
}

#[cfg(test)]
mod tests;
