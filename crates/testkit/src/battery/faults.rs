//! Tests of the battery itself: a detector with a deliberate fault must fail every check meant for
//! that fault.

use std::sync::atomic::{AtomicBool, Ordering};

use impinge_geometry::exact::Meeting;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, BatchError, Cancelled, Control, Description, Detail, Detector, Hint, PairMemory,
    PrepareError, Prepared, QueryError, Question, RefitError, Verdict,
};

use super::Outcome;

/// A deliberate fault of a detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Reports neighbours as contacts of a mesh with itself.
    MeetsNeighbours,
    /// Drops the last contact.
    LosesAContact,
    /// Reports intersecting pairs as separated.
    MissesHits,
    /// Reports contained solids as separated.
    MissesContainment,
    /// Reports distances one part in 10⁹ too long.
    StretchesDistance,
    /// Compares distances as if they were one part in 10¹⁵ shorter.
    RoundsNearer,
    /// After a distance query, answers every later "nearer than" with yes.
    RemembersNear,
    /// Moves contact points by one part in 10⁸.
    MovesDetails,
    /// Makes normals one part in 10¹¹ too long.
    StretchesNormals,
    /// Reverses normals.
    TurnsNormals,
    /// Ignores the cancel flag.
    NeverStops,
    /// Checks the cancel flag only at the start and at the end.
    LooksTwice,
    /// Reports no exact tests.
    CountsNoExact,
    /// Keeps what a memory holds of another query of the pair.
    RecallsAll,
}

/// A detector with a deliberate fault.
pub struct Faulty {
    honest: Box<dyn Detector>,
    fault: Fault,
    /// Whether a distance query was answered.
    measured: AtomicBool,
}

impl std::fmt::Debug for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Faulty").field("fault", &self.fault).finish_non_exhaustive()
    }
}

impl Faulty {
    /// Wraps a correct detector and adds a fault.
    pub fn new(honest: Box<dyn Detector>, fault: Fault) -> Self {
        Self { honest, fault, measured: AtomicBool::new(false) }
    }

    /// The question passed on to the correct detector.
    fn falsified(&self, ask: &Ask) -> Ask {
        match (self.fault, ask.question) {
            (Fault::RoundsNearer, Question::NearerThan(d)) => {
                Ask { question: Question::NearerThan(d * (1.0 + 1e-15)), ..*ask }
            }
            _ => *ask,
        }
    }

    fn falsify(&self, answer: &mut Answer) {
        match self.fault {
            Fault::LosesAContact => {
                answer.contacts.pop();
                answer.details.pop();
            }
            Fault::MissesHits if answer.verdict == Verdict::Intersecting => {
                answer.verdict = Verdict::Separated;
            }
            Fault::MissesContainment if matches!(answer.verdict, Verdict::Contained(_)) => {
                answer.verdict = Verdict::Separated;
            }
            Fault::StretchesDistance => {
                if let Some(nearest) = &mut answer.nearest {
                    nearest.distance *= 1.0 + 1e-9;
                }
            }
            Fault::RemembersNear if answer.nearest.is_some() => {
                self.measured.store(true, Ordering::Relaxed);
            }
            Fault::RemembersNear if self.measured.load(Ordering::Relaxed) => {
                answer.nearer = answer.nearer.map(|_| true);
            }
            Fault::MovesDetails => answer.details.iter_mut().for_each(|d| d.meeting = moved(d)),
            Fault::TurnsNormals => answer.details.iter_mut().for_each(|d| d.normal = -d.normal),
            Fault::StretchesNormals => {
                answer.details.iter_mut().for_each(|d| d.normal *= 1.0 + 1e-11);
            }
            Fault::CountsNoExact => {
                if let Some(statistics) = &mut answer.statistics {
                    statistics.exact_tests = 0;
                }
            }
            _ => {}
        }
    }

    /// The control passed on to the correct detector.
    fn control<'c>(&self, control: &'c Control<'c>) -> &'c Control<'c> {
        match self.fault {
            Fault::NeverStops | Fault::LooksTwice => &Control::NONE,
            _ => control,
        }
    }

    /// One check of the cancel flag, for [`Fault::LooksTwice`].
    fn look(&self, control: &Control<'_>) -> Result<(), Cancelled> {
        if self.fault == Fault::LooksTwice { control.check() } else { Ok(()) }
    }
}

/// The meeting of a contact, moved slightly along its normal.
fn moved(detail: &Detail) -> Meeting {
    let off = |p: &Point| p + detail.normal * (1e-8 * (1.0 + p.coords.amax()));
    match &detail.meeting {
        Meeting::Point(p) => Meeting::Point(off(p)),
        Meeting::Segment(ends) => Meeting::Segment([off(&ends[0]), off(&ends[1])]),
        Meeting::Polygon(corners) => Meeting::Polygon(corners.iter().map(off).collect()),
    }
}

impl Detector for Faulty {
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

    fn hint(&self, memory: &PairMemory) -> Hint {
        self.honest.hint(memory)
    }

    fn recall(
        &self,
        a: &Prepared,
        b: &Prepared,
        memory: &mut PairMemory,
        hint: Hint,
    ) -> Result<(), QueryError> {
        match self.fault {
            Fault::RecallsAll => Ok(()),
            _ => self.honest.recall(a, b, memory, hint),
        }
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

    fn query_self(
        &self,
        model: &Prepared,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        if self.fault == Fault::MeetsNeighbours {
            let still = Pose::identity();
            return self.honest.query(model, model, &still, memory, ask, control, answer);
        }
        self.honest.query_self(model, memory, ask, control, answer)?;
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
        // Correct here, so that a fault in single queries shows as a difference.
        self.honest.batch(a, b, poses, memory, ask, control, each)
    }
}

/// Checks that every fault makes the checks meant for it fail.
///
/// # Panics
/// If a check passes in spite of a fault.
pub fn is_noticed(engine: &(dyn Fn() -> Box<dyn Detector> + Sync)) {
    // Over several threads, the work before a first contact differs from run to run, and so does
    // how much of it a fault hides.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let caught = |fault: Fault, name: &str, check: fn(&dyn Detector) -> Outcome| {
        let noticed = pool.install(|| check(&Faulty::new(engine(), fault)).is_err());
        assert!(noticed, "{name} let {fault:?} pass");
    };
    for (name, check) in super::CHECKS.iter().copied().filter(|(n, _)| JUDGING.contains(n)) {
        caught(Fault::MissesHits, name, check);
        caught(Fault::LosesAContact, name, check);
    }
    caught(Fault::NeverStops, "cancelled_is_an_error", super::cancelled_is_an_error);
    caught(Fault::NeverStops, "looks_are_frequent", super::looks_are_frequent);
    caught(Fault::LooksTwice, "looks_are_frequent", super::looks_are_frequent);
    caught(Fault::CountsNoExact, "exact_tests_are_counted", super::exact_tests_are_counted);
    for fault in [Fault::MovesDetails, Fault::StretchesNormals, Fault::TurnsNormals] {
        caught(fault, "details_lie_on_both", super::details_lie_on_both);
    }
    let description = *engine().describe();
    if REMEMBERING.contains(&description.word) {
        caught(Fault::RecallsAll, "one_memory_serves_many", super::one_memory_serves_many);
    }
    if description.self_contacts {
        for fault in [Fault::MeetsNeighbours, Fault::MissesHits, Fault::LosesAContact] {
            caught(fault, "self_contacts", super::self_contacts);
        }
    }
    if description.meanings.contains(&impinge_query::Meaning::Solids) {
        caught(Fault::MissesContainment, "containment", super::containment);
        caught(Fault::MissesContainment, "inverted_solids", super::inverted_solids);
        caught(Fault::MissesContainment, "turned_by_rounding", super::turned_by_rounding);
        caught(Fault::MissesContainment, "questions_of_bodies", super::questions_of_bodies);
    }
    if description.check(&Ask::distance()).is_ok() {
        caught(Fault::StretchesDistance, "distances", super::distances);
        caught(Fault::StretchesDistance, "questions_of_bodies", super::questions_of_bodies);
    }
    if description.check(&Ask::nearer_than(0.0)).is_ok() {
        for fault in [Fault::RoundsNearer, Fault::RemembersNear] {
            caught(fault, "questions_of_soups", super::questions_of_soups);
            caught(fault, "questions_of_bodies", super::questions_of_bodies);
        }
    }
}

/// The methods that test first what they remember.
const REMEMBERING: [&str; 1] = ["wide"];

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
