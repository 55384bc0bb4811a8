//! Where contacts that begin at 0 end: the first place along a direction at which meshes are apart.

use impinge_geometry::Vector;
use impinge_hierarchy::NodePair;
use impinge_hierarchy::traverse::Poll;
use impinge_query::continuous::Interval;
use impinge_query::{Contact, Control};

use super::direction::Direction;
use super::filter::Estimate;
use super::fraction::Fraction;
use super::last::enough;
use super::model::{Opened, TranslationError, Translations};

/// Where meshes that meet from 0 on cease to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Free {
    /// Holds the least multiple of the direction just beyond which the surfaces are apart.
    pub at: Interval,
    /// Two triangles that cease to meet there; none if the meshes do not meet beyond 0.
    pub triangles: Option<Contact>,
}

/// The end of what meets without a gap so far, in multiples of the unit.
struct Front {
    at: Interval,
    exact: Option<Fraction>,
    triangles: Option<Contact>,
}

/// Goes through contacts in their order along a direction.
pub(super) struct Walk<'s> {
    translations: &'s Translations<'s>,
    direction: Direction,
    front: Front,
    /// Pairs of nodes to be opened, with bounds.
    open: Vec<(NodePair, [f64; 2])>,
    /// Triangles that the filter does not decide, with bounds.
    hard: Vec<(Contact, [f64; 2])>,
}

/// Triangles that are not certain wait for others, until there are so many.
const BATCH: usize = 32;

/// What two triangles do at the front.
enum AtFront {
    /// They do not meet there, or not beyond.
    Stay,
    /// They meet there, and beyond to a place in this interval.
    Beyond(Interval),
    /// Not certain; within these bounds.
    Hard([f64; 2]),
}

impl Translations<'_> {
    /// The end of the contacts that begin at 0: the least `s ≥ 0` such that the surfaces are apart at
    /// all translations by a little more than `s` times `direction`. 0 if they do not meet at 0.
    /// Whether intervals of contact follow each other without a gap is exact, and `at` is a number of
    /// f64 or between neighbours. Solids within each other are apart here.
    ///
    /// # Errors
    /// [`TranslationError`].
    pub fn first_free(
        &self,
        direction: &Vector,
        control: &Control<'_>,
    ) -> Result<Free, TranslationError> {
        Walk::new(self, Direction::new(direction)?).next_end(control)
    }
}

impl<'s> Walk<'s> {
    pub(super) fn new(translations: &'s Translations<'s>, direction: Direction) -> Self {
        let at = Interval { low: 0.0, high: 0.0 };
        let front = Front { at, exact: Some(Fraction::of(0.0)), triangles: None };
        Self { translations, direction, front, open: Vec::new(), hard: Vec::new() }
    }

    /// The end of the contacts that begin at the front: as long as two triangles meet at the front and
    /// beyond, it moves to where they cease to.
    pub(super) fn next_end(&mut self, control: &Control<'_>) -> Result<Free, TranslationError> {
        while self.advance(control)? {}
        self.front.at = self.exact_front().interval();
        let Interval { low, high } = self.front.at;
        let at = Interval { low: self.direction.down(low), high: self.direction.up(high) };
        Ok(Free { at, triangles: self.front.triangles })
    }

    /// Moves the front to the end of the first triangles that meet beyond a place, and returns where
    /// they begin to; `None` if nothing does.
    pub(super) fn next_begin(
        &mut self,
        beyond: f64,
        control: &Control<'_>,
    ) -> Result<Option<f64>, TranslationError> {
        let range = [beyond, f64::INFINITY];
        let next = self.translations.first_contact(self.direction.given(), range, control)?;
        let Some(next) = next else { return Ok(None) };
        let (at, triangles) = (Interval { low: 0.0, high: 0.0 }, Some(next.triangles));
        self.front = Front { at, exact: None, triangles };
        self.front.at = self.exact_front().interval();
        Ok(Some(next.at.low))
    }

    /// Looks for two triangles that meet at the front and beyond; depth first, what may end last first.
    fn advance(&mut self, control: &Control<'_>) -> Result<bool, TranslationError> {
        control.check()?;
        let mut poll = Poll::new();
        self.open.clear();
        self.hard.clear();
        let root =
            self.translations.bounds(&self.direction).filter(|bounds| self.at_front(*bounds));
        self.open.extend(root.map(|bounds| ([0, 0], bounds)));
        while let Some((pair, _)) = self.open.pop() {
            poll.poll(control)?;
            let mut pairs = match self.translations.open(pair, &self.direction) {
                Opened::Pairs(pairs) => pairs,
                Opened::Leaves(triangles) => {
                    match self.triangles(triangles) {
                        AtFront::Stay => {}
                        AtFront::Hard(bounds) => {
                            self.hard.push((triangles, bounds));
                            if self.hard.len() == BATCH && self.advance_exactly(control)? {
                                return Ok(true);
                            }
                        }
                        AtFront::Beyond(at) => {
                            self.front = Front { at, exact: None, triangles: Some(triangles) };
                            return Ok(true);
                        }
                    }
                    continue;
                }
            };
            if let [(_, Some([_, first])), (_, Some([_, second]))] = pairs
                && first > second
            {
                pairs.swap(0, 1);
            }
            for (pair, bounds) in pairs {
                let bounds = bounds.filter(|bounds| self.at_front(*bounds));
                self.open.extend(bounds.map(|bounds| (pair, bounds)));
            }
        }
        self.advance_exactly(control)
    }

    /// Asks fractions about the triangles that are not certain: what may end last first; where the
    /// front has passed their bounds, others are left out.
    fn advance_exactly(&mut self, control: &Control<'_>) -> Result<bool, TranslationError> {
        self.hard.sort_by(|(_, [_, p]), (_, [_, q])| q.total_cmp(p));
        let mut advanced = false;
        for (triangles, bounds) in std::mem::take(&mut self.hard) {
            if self.at_front(bounds) {
                control.check()?;
                advanced |= self.exactly_beyond(triangles);
            }
        }
        Ok(advanced)
    }

    /// Whether what meets only within bounds may meet at the front and beyond.
    fn at_front(&self, [low, high]: [f64; 2]) -> bool {
        high > self.front.at.low && low <= self.front.at.high
    }

    fn triangles(&self, pair: Contact) -> AtFront {
        let front = self.front.at;
        match self.translations.estimate(pair, &self.direction) {
            Estimate::Within(bounds) if self.at_front(bounds) => AtFront::Hard(bounds),
            Estimate::Never | Estimate::Within(_) => AtFront::Stay,
            Estimate::Meet { first, last } => {
                let narrow = last[1] - last[0] <= enough(last[0], self.translations.room.reach);
                if !self.at_front([first[0], last[1]]) {
                    AtFront::Stay
                } else if narrow && first[1] <= front.low && last[0] >= front.high {
                    AtFront::Beyond(Interval { low: last[0], high: last[1] })
                } else {
                    AtFront::Hard([first[0], last[1]])
                }
            }
        }
    }

    /// Moves the front to the end of two triangles, if they meet at the front and beyond.
    fn exactly_beyond(&mut self, pair: Contact) -> bool {
        let Some([first, last]) = self.translations.ends(pair, &self.direction) else {
            return false;
        };
        let front = self.exact_front();
        let beyond = first <= *front && last > *front;
        if beyond {
            self.front = Front { at: last.interval(), exact: Some(last), triangles: Some(pair) };
        }
        beyond
    }

    fn exact_front(&mut self) -> &Fraction {
        let (translations, direction) = (self.translations, &self.direction);
        let Front { at, exact, triangles } = &mut self.front;
        exact.get_or_insert_with(|| {
            let ends = triangles.and_then(|pair| translations.ends(pair, direction));
            // A front that is not exact is the end of two triangles that meet.
            ends.map_or_else(|| Fraction::of(at.low), |[_, last]| last)
        })
    }
}
