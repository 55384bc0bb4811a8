//! Where contacts that begin at 0 end: the first place along a direction at which meshes are apart.

use std::collections::BinaryHeap;

use impinge_geometry::Vector;
use impinge_hierarchy::NodePair;
use impinge_hierarchy::traverse::Poll;
use impinge_query::continuous::Interval;
use impinge_query::{Contact, Control};

use super::direction::Direction;
use super::filter::Estimate;
use super::fraction::Fraction;
use super::last::{Ranked, enough};
use super::model::{Opened, Sweep, SweepError};

/// Where meshes that meet from 0 on cease to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Free {
    /// Holds the least multiple of the direction just beyond which the surfaces are apart.
    pub at: Interval,
    /// Two triangles that cease to meet there; none if the meshes do not meet beyond 0.
    pub triangles: Option<Contact>,
}

/// The end of what meets without a gap so far.
struct Front {
    at: Interval,
    exact: Option<Fraction>,
    triangles: Option<Contact>,
}

/// What is not decided yet: a pair of nodes or of triangles, with bounds of its translations.
#[derive(Clone, Copy)]
struct Part {
    low: f64,
    high: f64,
    of: Of,
}

#[derive(Clone, Copy)]
enum Of {
    Nodes(NodePair),
    Triangles(Contact),
}

/// Goes through contacts in their order along a direction.
pub(super) struct Walk<'s> {
    sweep: &'s Sweep<'s>,
    direction: Direction,
    front: Front,
    /// What may begin before the front, that which may end last first.
    ready: BinaryHeap<Ranked<Part>>,
    /// What begins beyond the front, the earliest first.
    waiting: BinaryHeap<Ranked<Part>>,
}

impl Sweep<'_> {
    /// The end of the contacts that begin at 0: the least `s ≥ 0` such that the surfaces are apart at
    /// all translations by a little more than `s` times `direction`. 0 if they do not meet at 0.
    /// Whether intervals of contact follow each other without a gap is exact. Solids within each
    /// other are apart here.
    ///
    /// # Errors
    /// [`SweepError`].
    pub fn first_free(
        &self,
        direction: &Vector,
        control: &Control<'_>,
    ) -> Result<Free, SweepError> {
        Walk::new(self, Direction::new(direction)?).next_end(control)
    }
}

impl<'s> Walk<'s> {
    pub(super) fn new(sweep: &'s Sweep<'s>, direction: Direction) -> Self {
        let at = Interval { low: 0.0, high: 0.0 };
        let front = Front { at, exact: Some(Fraction::of(0.0)), triangles: None };
        let (ready, waiting) = (BinaryHeap::new(), BinaryHeap::new());
        let mut walk = Self { sweep, direction, front, ready, waiting };
        walk.add(Of::Nodes([0, 0]), sweep.bounds([0, 0], &direction));
        walk
    }

    /// The end of the contacts that begin at the front.
    pub(super) fn next_end(&mut self, control: &Control<'_>) -> Result<Free, SweepError> {
        control.check()?;
        let mut poll = Poll::new();
        while let Some(Ranked { key, of: part }) = self.ready.pop() {
            poll.poll(control)?;
            if key <= self.front.at.low {
                self.ready.clear();
                break;
            }
            match part.of {
                Of::Nodes(pair) => match self.sweep.open(pair, &self.direction) {
                    Opened::Pairs(pairs) => {
                        for (pair, bounds) in pairs {
                            self.add(Of::Nodes(pair), bounds);
                        }
                    }
                    Opened::Leaves(triangles) => self.take(triangles),
                },
                Of::Triangles(triangles) => self.take(triangles),
            }
        }
        let Interval { low, high } = self.front.at;
        let at = Interval { low: self.direction.down(low), high: self.direction.up(high) };
        Ok(Free { at, triangles: self.front.triangles })
    }

    /// Moves the front to where the next contact begins, after [`next_end`](Self::next_end); false if
    /// there is none.
    pub(super) fn next_begin(&mut self, control: &Control<'_>) -> Result<bool, SweepError> {
        let mut poll = Poll::new();
        while let Some(Ranked { of: part, .. }) = self.waiting.pop() {
            poll.poll(control)?;
            let pair = match part.of {
                Of::Nodes(pair) => match self.sweep.open(pair, &self.direction) {
                    Opened::Pairs(pairs) => {
                        for (pair, bounds) in pairs {
                            if let Some([low, high]) = bounds
                                && high > self.front.at.low
                            {
                                self.wait(Part { low, high, of: Of::Nodes(pair) });
                            }
                        }
                        continue;
                    }
                    Opened::Leaves(pair) => pair,
                },
                Of::Triangles(pair) => pair,
            };
            let Some([first, last]) = self.sweep.ends(pair, &self.direction) else { continue };
            if !self.beyond(&first) {
                continue;
            }
            let (from, to) = (first.interval(), last.interval());
            // An earlier one may be behind looser bounds.
            if self.waiting.peek().is_some_and(|next| -next.key < from.low) && part.low < from.low {
                self.wait(Part { low: from.low, high: to.high, of: Of::Triangles(pair) });
                continue;
            }
            self.front = Front { at: to, exact: Some(last), triangles: Some(pair) };
            self.advanced();
            return Ok(true);
        }
        Ok(false)
    }

    /// A multiple of the direction before which no other contact begins, after
    /// [`next_end`](Self::next_end); infinite if there is none at all.
    pub(super) fn free_until(&self) -> f64 {
        self.waiting.peek().map_or(f64::INFINITY, |next| self.direction.down(-next.key))
    }

    /// Whether a translation is beyond the front.
    fn beyond(&mut self, s: &Fraction) -> bool {
        *s > *self.exact_front()
    }

    /// Takes in two triangles that may begin to meet before the front.
    fn take(&mut self, pair: Contact) {
        let estimate = self.sweep.estimate(pair, &self.direction);
        let front = self.front.at;
        match estimate {
            Estimate::Never => return,
            Estimate::Meet { first, last } => {
                if last[1] <= front.low {
                    return;
                }
                if first[0] > front.high {
                    return self.wait(Part {
                        low: first[0],
                        high: last[1],
                        of: Of::Triangles(pair),
                    });
                }
                let narrow = last[1] - last[0] <= enough(last[0], self.sweep.room.reach);
                if narrow && first[1] <= front.low && last[0] >= front.high {
                    let at = Interval { low: last[0], high: last[1] };
                    self.front = Front { at, exact: None, triangles: Some(pair) };
                    return self.advanced();
                }
            }
            Estimate::Within([low, high]) => {
                if high <= front.low {
                    return;
                }
                if low > front.high {
                    return self.wait(Part { low, high, of: Of::Triangles(pair) });
                }
            }
        }
        let Some([first, last]) = self.sweep.ends(pair, &self.direction) else { return };
        let front = self.exact_front();
        if last <= *front {
            return;
        }
        if first > *front {
            let (low, high) = (first.interval().low, last.interval().high);
            return self.wait(Part { low, high, of: Of::Triangles(pair) });
        }
        self.front = Front { at: last.interval(), exact: Some(last), triangles: Some(pair) };
        self.advanced();
    }

    fn exact_front(&mut self) -> &Fraction {
        let (sweep, direction) = (self.sweep, &self.direction);
        let Front { at, exact, triangles } = &mut self.front;
        exact.get_or_insert_with(|| {
            let ends = triangles.and_then(|pair| sweep.ends(pair, direction));
            // A front that is not exact is the end of two triangles that meet.
            ends.map_or_else(|| Fraction::of(at.low), |[_, last]| last)
        })
    }

    fn add(&mut self, of: Of, bounds: Option<[f64; 2]>) {
        let Some([low, high]) = bounds else { return };
        if high <= self.front.at.low {
            return;
        }
        let part = Part { low, high, of };
        if low > self.front.at.high {
            self.wait(part);
        } else {
            self.ready.push(Ranked { key: high, of: part });
        }
    }

    fn wait(&mut self, part: Part) {
        self.waiting.push(Ranked { key: -part.low, of: part });
    }

    /// What begins before the new front is ready.
    fn advanced(&mut self) {
        while let Some(next) = self.waiting.peek() {
            if next.of.low > self.front.at.high {
                return;
            }
            let part = next.of;
            self.waiting.pop();
            self.ready.push(Ranked { key: part.high, of: part });
        }
    }
}
