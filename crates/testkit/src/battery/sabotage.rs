//! Can the battery fail? A detector that lies in one way must be caught by every check that is
//! there for that lie.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, BatchError, Control, Description, Detector, PairMemory, PrepareError, Prepared,
    QueryError, RefitError, Verdict,
};

use super::Outcome;

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Forgets the last contact.
    LosesAContact,
    /// Calls hits separated.
    MissesHits,
    /// Calls what is contained separated.
    MissesContainment,
    /// Reports a distance one part in 10⁹ too long.
    StretchesDistance,
    /// Ignores the cancel flag.
    NeverStops,
}

/// A detector that answers like another, but lies.
pub struct Liar {
    honest: Box<dyn Detector>,
    lie: Lie,
}

impl std::fmt::Debug for Liar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Liar").field("lie", &self.lie).finish_non_exhaustive()
    }
}

impl Liar {
    /// `honest`, lying.
    pub fn new(honest: Box<dyn Detector>, lie: Lie) -> Self {
        Self { honest, lie }
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
            _ => {}
        }
    }
}

impl Detector for Liar {
    fn describe(&self) -> &Description {
        self.honest.describe()
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Prepared, PrepareError> {
        let control = if self.lie == Lie::NeverStops { &Control::NONE } else { control };
        self.honest.prepare(mesh, control)
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
        let control = if self.lie == Lie::NeverStops { &Control::NONE } else { control };
        self.honest.query(a, b, b_in_a, memory, ask, control, answer)?;
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
    let description = *engine().describe();
    if description.meanings.contains(&impinge_query::Meaning::Solids) {
        caught(Lie::MissesContainment, "containment", super::containment);
    }
    if description.check(&Ask::distance()).is_ok() {
        caught(Lie::StretchesDistance, "distances", super::distances);
    }
}

/// The checks that compare contacts with the oracle.
const JUDGING: [&str; 6] =
    ["triangle_pairs", "traps", "posed_meshes", "scaled_meshes", "soups", "random_walk"];
