//! Can the battery fail? A detector that lies in one way must be caught by every check that is
//! there for that lie.

use std::sync::atomic::{AtomicBool, Ordering};

use impinge_geometry::exact::Meeting;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, BatchError, Cancelled, Control, Description, Detail, Detector, PairMemory,
    PrepareError, Prepared, QueryError, Question, RefitError, Verdict,
};

use super::Outcome;

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Takes neighbours of a mesh for contacts with itself.
    MeetsNeighbours,
    /// Forgets the last contact.
    LosesAContact,
    /// Calls hits separated.
    MissesHits,
    /// Calls what is contained separated.
    MissesContainment,
    /// Reports a distance one part in 10⁹ too long.
    StretchesDistance,
    /// Compares a distance as if it were one part in 10¹⁵ less.
    RoundsNearer,
    /// Once a distance was asked, calls everything nearer than zero.
    RemembersNear,
    /// Puts contact points one part in 10⁸ off.
    MovesDetails,
    /// Makes normals one part in 10¹¹ too long.
    StretchesNormals,
    /// Turns normals round.
    TurnsNormals,
    /// Ignores the cancel flag.
    NeverStops,
    /// Looks at the cancel flag at the start and at the end.
    LooksTwice,
    /// Says of no test that it was exact.
    CountsNoExact,
}

/// A detector that answers like another, but lies.
pub struct Liar {
    honest: Box<dyn Detector>,
    lie: Lie,
    /// Was a distance asked?
    measured: AtomicBool,
}

impl std::fmt::Debug for Liar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Liar").field("lie", &self.lie).finish_non_exhaustive()
    }
}

impl Liar {
    /// `honest`, lying.
    pub fn new(honest: Box<dyn Detector>, lie: Lie) -> Self {
        Self { honest, lie, measured: AtomicBool::new(false) }
    }

    /// What is asked instead.
    fn falsified(&self, ask: &Ask) -> Ask {
        match (self.lie, ask.question) {
            (Lie::RoundsNearer, Question::NearerThan(d)) => {
                Ask { question: Question::NearerThan(d * (1.0 + 1e-15)), ..*ask }
            }
            _ => *ask,
        }
    }

    fn falsify(&self, answer: &mut Answer) {
        match self.lie {
            Lie::LosesAContact => {
                answer.contacts.pop();
                answer.details.pop();
            }
            Lie::MissesHits if answer.verdict == Verdict::Intersecting => {
                answer.verdict = Verdict::Separated;
            }
            Lie::MissesContainment if matches!(answer.verdict, Verdict::Contained(_)) => {
                answer.verdict = Verdict::Separated;
            }
            Lie::StretchesDistance => {
                if let Some(nearest) = &mut answer.nearest {
                    nearest.distance *= 1.0 + 1e-9;
                }
            }
            Lie::RemembersNear if answer.nearest.is_some() => {
                self.measured.store(true, Ordering::Relaxed);
            }
            Lie::RemembersNear if self.measured.load(Ordering::Relaxed) => {
                answer.nearer = answer.nearer.map(|_| true);
            }
            Lie::MovesDetails => answer.details.iter_mut().for_each(|d| d.meeting = moved(d)),
            Lie::TurnsNormals => answer.details.iter_mut().for_each(|d| d.normal = -d.normal),
            Lie::StretchesNormals => {
                answer.details.iter_mut().for_each(|d| d.normal *= 1.0 + 1e-11);
            }
            Lie::CountsNoExact => {
                if let Some(statistics) = &mut answer.statistics {
                    statistics.exact_tests = 0;
                }
            }
            _ => {}
        }
    }

    /// What the honest detector may look at.
    fn control<'c>(&self, control: &'c Control<'c>) -> &'c Control<'c> {
        match self.lie {
            Lie::NeverStops | Lie::LooksTwice => &Control::NONE,
            _ => control,
        }
    }

    /// One look.
    fn look(&self, control: &Control<'_>) -> Result<(), Cancelled> {
        if self.lie == Lie::LooksTwice { control.check() } else { Ok(()) }
    }
}

/// The meeting of a contact, all of it a little off.
fn moved(detail: &Detail) -> Meeting {
    let off = |p: &Point| p + detail.normal * (1e-8 * (1.0 + p.coords.amax()));
    match &detail.meeting {
        Meeting::Point(p) => Meeting::Point(off(p)),
        Meeting::Segment(ends) => Meeting::Segment([off(&ends[0]), off(&ends[1])]),
        Meeting::Polygon(corners) => Meeting::Polygon(corners.iter().map(off).collect()),
    }
}

impl Detector for Liar {
    fn describe(&self) -> &Description {
        self.honest.describe()
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Prepared, PrepareError> {
        self.look(control)?;
        let prepared = self.honest.prepare(mesh, self.control(control))?;
        self.look(control)?;
        Ok(prepared)
    }

    fn refit(
        &self,
        model: &mut Prepared,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        self.honest.refit(model, vertices, control)
    }

    fn memory(&self) -> PairMemory {
        self.honest.memory()
    }

    fn query(
        &self,
        a: &Prepared,
        b: &Prepared,
        b_in_a: &Pose,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let ask = self.falsified(ask);
        self.look(control)?;
        self.honest.query(a, b, b_in_a, memory, &ask, self.control(control), answer)?;
        self.look(control)?;
        self.falsify(answer);
        Ok(())
    }

    fn query_itself(
        &self,
        model: &Prepared,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        if self.lie == Lie::MeetsNeighbours {
            let still = Pose::identity();
            return self.honest.query(model, model, &still, memory, ask, control, answer);
        }
        self.honest.query_itself(model, memory, ask, control, answer)?;
        self.falsify(answer);
        Ok(())
    }

    fn batch(
        &self,
        a: &Prepared,
        b: &Prepared,
        poses: &[Pose],
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), BatchError> {
        // Honest here, so that a lie in single queries shows as a difference.
        self.honest.batch(a, b, poses, memory, ask, control, each)
    }
}

/// Every lie is caught by the checks that are there for it.
///
/// # Panics
/// If a check lets a lie pass.
pub fn is_noticed(engine: &dyn Fn() -> Box<dyn Detector>) {
    let caught = |lie: Lie, name: &str, check: fn(&dyn Detector) -> Outcome| {
        let outcome = check(&Liar::new(engine(), lie));
        assert!(outcome.is_err(), "{name} let {lie:?} pass");
    };
    for (name, check) in super::CHECKS.iter().copied().filter(|(n, _)| JUDGING.contains(n)) {
        caught(Lie::MissesHits, name, check);
        caught(Lie::LosesAContact, name, check);
    }
    caught(Lie::NeverStops, "cancelled_is_an_error", super::cancelled_is_an_error);
    caught(Lie::NeverStops, "looks_are_frequent", super::looks_are_frequent);
    caught(Lie::LooksTwice, "looks_are_frequent", super::looks_are_frequent);
    caught(Lie::CountsNoExact, "exact_tests_are_counted", super::exact_tests_are_counted);
    for lie in [Lie::MovesDetails, Lie::StretchesNormals, Lie::TurnsNormals] {
        caught(lie, "details_lie_on_both", super::details_lie_on_both);
    }
    let description = *engine().describe();
    if description.itself {
        for lie in [Lie::MeetsNeighbours, Lie::MissesHits, Lie::LosesAContact] {
            caught(lie, "contacts_of_itself", super::contacts_of_itself);
        }
    }
    if description.meanings.contains(&impinge_query::Meaning::Solids) {
        caught(Lie::MissesContainment, "containment", super::containment);
        caught(Lie::MissesContainment, "inverted_solids", super::inverted_solids);
        caught(Lie::MissesContainment, "turned_by_rounding", super::turned_by_rounding);
        caught(Lie::MissesContainment, "questions_of_bodies", super::questions_of_bodies);
    }
    if description.check(&Ask::distance()).is_ok() {
        caught(Lie::StretchesDistance, "distances", super::distances);
        caught(Lie::StretchesDistance, "questions_of_bodies", super::questions_of_bodies);
    }
    if description.check(&Ask::nearer_than(0.0)).is_ok() {
        for lie in [Lie::RoundsNearer, Lie::RemembersNear] {
            caught(lie, "questions_of_soups", super::questions_of_soups);
            caught(lie, "questions_of_bodies", super::questions_of_bodies);
        }
    }
}

/// The checks that compare contacts with the oracle.
const JUDGING: [&str; 10] = [
    "triangle_pairs",
    "traps",
    "posed_meshes",
    "scaled_meshes",
    "soups",
    "shared_corners",
    "smallest_scales",
    "random_walk",
    "questions_of_soups",
    "questions_of_bodies",
];
