//! The way out along a direction: places verified by the exact test of the meshes there.

use impinge_geometry::{Pose, PoseError, Vector};
use impinge_hierarchy::TreeEngine;
use impinge_hierarchy::build::{Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::leaf::SeventeenAxes;
use impinge_hierarchy::traverse::LargerFirst;
use impinge_query::continuous::Interval;
use impinge_query::{
    Answer, Ask, Contact, Control, Description, Engine, Meaning, QueryError, QuestionKind, Verdict,
};

use super::direction::Direction;
use super::free::Walk;
use super::model::{BUILDER, TranslationError, Translations};

/// Which place along a direction is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Way {
    /// The place beyond which nothing meets ever again.
    LastContact,
    /// The first place that is free, starting from contact: others may meet beyond.
    FirstFree,
}

/// A place along a direction at which meshes are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exit {
    /// The multiple of the direction, not negative: 0 if nothing is in the way.
    pub by: f64,
    /// Holds the multiple at which B as posed, translated without rounding, ceases to meet A; not
    /// above `by`.
    pub end: Interval,
    /// B's pose in A's frame there: its translation is the given one plus `by` times the direction,
    /// each coordinate rounded. The exact test finds the meshes apart at this pose.
    pub pose: Pose,
    /// Two triangles that meet last; none if nothing meets beyond 0.
    pub triangles: Option<Contact>,
}

/// Why there is no way out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExitError {
    /// The search along the direction failed.
    #[error(transparent)]
    Translations(#[from] TranslationError),
    /// The exact test failed, also if a mesh is not closed and solids are asked about.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The free place is out of the range of poses.
    #[error("the free place is out of range: {0}")]
    Pose(#[from] PoseError),
}

const DESCRIPTION: Description = Description::exact(
    "translation",
    "Verification of translations",
    "docs/translation.md",
    &[QuestionKind::FirstContact],
);

/// The exact test at a pose.
const VERIFY: TreeEngine<TopDown<ObbRowsFit, Mean>, LargerFirst, SeventeenAxes> =
    TreeEngine::new(DESCRIPTION, BUILDER, LargerFirst, SeventeenAxes);

/// Rounding of posed coordinates: the first step beyond the end, in units of the reach. It is positive
/// also where this product is below all positive numbers.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Each further step is as many times as long.
const GROWTH: f64 = 8.0;
/// A gap that is not found free within this share of the way to it, or within [`TRIES`] steps, is
/// passed over.
const WITHIN: f64 = 1e-9;
const TRIES: u32 = 4;

/// A place that is tried.
struct Trial {
    by: f64,
    pose: Pose,
    verdict: Verdict,
}

impl Translations<'_> {
    /// The way out along a direction. For solids, a place where one is inside the other is not free;
    /// then both meshes must be closed.
    ///
    /// The place is verified by the exact test at its pose. As that rounds B's vertices again, `by` may
    /// be larger than the true end: by at most 1e-9 of itself where rounding is less than that. Gaps
    /// between contacts that are too narrow for the rounding of poses are passed over.
    ///
    /// # Errors
    /// [`ExitError`].
    pub fn exit(
        &self,
        way: Way,
        direction: &Vector,
        meaning: Meaning,
        control: &Control<'_>,
    ) -> Result<Exit, ExitError> {
        match way {
            Way::LastContact => self.exit_last(direction, meaning, control),
            Way::FirstFree => self.exit_first(direction, meaning, control),
        }
    }

    fn exit_last(
        &self,
        direction: &Vector,
        meaning: Meaning,
        control: &Control<'_>,
    ) -> Result<Exit, ExitError> {
        let found = self.last_contact(direction, [0.0, f64::INFINITY], control)?;
        let end = found.map_or(Interval { low: 0.0, high: 0.0 }, |found| found.at);
        let triangles = found.map(|found| found.triangles);
        let mut trials = Trials::new(self, direction, end)?;
        loop {
            let trial = trials.next(meaning, control)?;
            if !trial.verdict.is_hit() {
                return Ok(trial.exit(end, triangles));
            }
        }
    }

    fn exit_first(
        &self,
        direction: &Vector,
        meaning: Meaning,
        control: &Control<'_>,
    ) -> Result<Exit, ExitError> {
        let mut walk = Walk::new(self, Direction::new(direction).map_err(TranslationError::from)?);
        loop {
            let found = walk.next_end(control)?;
            let mut trials = Trials::new(self, direction, found.at)?;
            // Tried while it may still be in the gap, and near enough.
            let mut until = None;
            loop {
                let trial = trials.next(meaning, control)?;
                if !trial.verdict.is_hit() {
                    return Ok(trial.exit(found.at, found.triangles));
                }
                let begin = match until {
                    Some(begin) => begin,
                    None => walk.next_begin(found.at.high.next_up(), control)?,
                };
                until = Some(begin);
                let inside = matches!(trial.verdict, Verdict::Contained(_));
                let near = trials.tries <= TRIES || trial.by - found.at.high <= WITHIN * trial.by;
                // If nothing meets beyond, some place is free.
                if begin.is_some_and(|begin| inside || !near || trial.by >= begin) {
                    break;
                }
            }
        }
    }

    /// The exact test at a pose.
    fn verdict(
        &self,
        pose: &Pose,
        meaning: Meaning,
        control: &Control<'_>,
    ) -> Result<Verdict, QueryError> {
        let ask = Ask { meaning, ..Ask::first_contact().verdict_only() };
        let (mut memory, mut answer) = (Engine::memory(&VERIFY), Answer::default());
        let (a, b) = (&self.a.0, &self.b.0);
        Engine::query(&VERIFY, a, b, pose, &mut memory, &ask, control, &mut answer)?;
        Ok(answer.verdict)
    }
}

impl Trial {
    const fn exit(self, end: Interval, triangles: Option<Contact>) -> Exit {
        Exit { by: self.by, end, pose: self.pose, triangles }
    }
}

/// Places beyond the end of contact, at growing distances.
struct Trials<'s> {
    translations: &'s Translations<'s>,
    direction: Vector,
    end: f64,
    step: f64,
    tries: u32,
}

impl<'s> Trials<'s> {
    fn new(
        translations: &'s Translations<'s>,
        direction: &Vector,
        end: Interval,
    ) -> Result<Self, TranslationError> {
        let unit = Direction::new(direction)?;
        // At least the least positive number: 0 would not grow.
        let step = unit.up((ROUNDING * translations.room.reach).max(f64::from_bits(1)));
        Ok(Self { translations, direction: *direction, end: end.high, step, tries: 0 })
    }

    /// The first is the end itself; beyond the reach of both meshes nothing meets.
    fn next(&mut self, meaning: Meaning, control: &Control<'_>) -> Result<Trial, ExitError> {
        let beyond = if self.tries == 0 { 0.0 } else { self.step };
        if self.tries > 0 {
            self.step *= GROWTH;
        }
        self.tries += 1;
        let by = self.end + beyond;
        let pose = &self.translations.pose;
        let translation = pose.translation() + self.direction * by;
        let pose = Pose::new(*pose.rotation(), translation)?;
        let verdict = self.translations.verdict(&pose, meaning, control)?;
        Ok(Trial { by, pose, verdict })
    }
}
