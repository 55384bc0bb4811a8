//! Checks of batches, cancellation, and models that belong to another engine.

use impinge_geometry::Pose;
use impinge_query::{
    Answer, Ask, Cancel, Control, Description, Detector, Engine, Model, ModelId, PrepareError,
    QueryError,
};

use super::examiner::Examiner;
use super::pairs::{pairs, pose};
use super::{Outcome, Tally};

/// A batch gives the answers of single queries, pose by pose and in order.
pub fn batch_is_the_loop(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let pair = &pairs()[2];
    let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
    let poses: Vec<Pose> = (0..100).map(|i| pose(pair, 9, i)).collect();
    let ask = full_ask(detector);
    let mut answers = Vec::new();
    detector
        .batch(
            &examiner.model_a,
            &examiner.model_b,
            &poses,
            &mut detector.memory(),
            &ask,
            &Control::NONE,
            &mut |index, answer| answers.push((index, answer.verdict, answer.contacts.clone())),
        )
        .map_err(|e| e.to_string())?;
    if answers.len() != poses.len() {
        return Err(format!("{} answers to {} poses", answers.len(), poses.len()));
    }
    for (i, (pose, (index, verdict, contacts))) in poses.iter().zip(&answers).enumerate() {
        let one = examiner.ask(pose, &ask)?;
        if *index != i || *verdict != one.verdict || *contacts != one.contacts {
            return Err(format!("pose {i}: batch {verdict:?}, single {:?}", one.verdict));
        }
        tally.count(one.verdict.is_hit());
    }
    Ok(tally)
}

fn full_ask(detector: &dyn Detector) -> Ask {
    let all = Ask::all_contacts();
    if detector.describe().check(&all).is_ok() { all } else { Ask::first_contact() }
}

/// A raised flag stops preparation or the query with an error, and the cancelled objects remain
/// usable.
pub fn cancelled_is_an_error(detector: &dyn Detector) -> Outcome {
    let pair = &pairs()[0];
    let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    if !matches!(detector.prepare(&pair.a, &control), Err(PrepareError::Cancelled(_))) {
        return Err("a cancelled preparation went on".to_owned());
    }
    let place = pose(pair, 10, 0);
    let ask = full_ask(detector);
    let (a, b, memory) = (&examiner.model_a, &examiner.model_b, &mut examiner.memory);
    let outcome = detector.query(a, b, &place, memory, &ask, &control, &mut Answer::default());
    if !matches!(outcome, Err(QueryError::Cancelled(_))) {
        return Err(format!("a cancelled query gave {outcome:?}"));
    }
    let mut tally = Tally::default();
    for index in 0..20 {
        let hit = examiner.judge(&pose(pair, 10, index))?;
        tally.count(hit);
    }
    Ok(tally)
}

/// A model or memory of another engine is refused with an error.
pub fn foreign_is_an_error(detector: &dyn Detector) -> Outcome {
    let pair = &pairs()[1];
    let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
    let stranger: &dyn Detector = &Stranger;
    let foreign = stranger.prepare(&pair.b, &Control::NONE).map_err(|e| e.to_string())?;
    let ask = full_ask(detector);
    let (place, mut answer) = (Pose::identity(), Answer::default());
    let (a, memory) = (&examiner.model_a, &mut examiner.memory);
    let outcome = detector.query(a, &foreign, &place, memory, &ask, &Control::NONE, &mut answer);
    if !matches!(outcome, Err(QueryError::ForeignModel { .. })) {
        return Err(format!("a foreign model gave {outcome:?}"));
    }
    let (b, mut memory) = (&examiner.model_b, stranger.memory());
    let outcome = detector.query(a, b, &place, &mut memory, &ask, &Control::NONE, &mut answer);
    if !matches!(outcome, Err(QueryError::ForeignMemory { .. })) {
        return Err(format!("a foreign memory gave {outcome:?}"));
    }
    Ok(Tally::default())
}

/// An engine whose models are foreign to all others.
struct Stranger;

struct Nothing(ModelId);

impl Model for Nothing {
    fn id(&self) -> ModelId {
        self.0
    }
    fn triangles(&self) -> usize {
        0
    }
    fn bytes(&self) -> usize {
        0
    }
    fn mesh_bytes(&self) -> usize {
        0
    }
}

impl Engine for Stranger {
    type Model = Nothing;
    type Memory = ();

    fn describe(&self) -> &Description {
        const STRANGER: Description = Description {
            word: "stranger",
            title: "belongs to nobody",
            paper: "none",
            needs: impinge_query::Needs { closed: false, gpu: false },
            questions: &[],
            meanings: &[],
            self_contacts: false,
            exact: false,
        };
        &STRANGER
    }

    fn prepare(
        &self,
        _: &impinge_geometry::Mesh,
        _: &Control<'_>,
    ) -> Result<Nothing, PrepareError> {
        Ok(Nothing(ModelId::fresh()))
    }

    fn memory(&self) {}

    fn query(
        &self,
        _: &Nothing,
        _: &Nothing,
        _: &Pose,
        (): &mut (),
        _: &Ask,
        _: &Control<'_>,
        _: &mut Answer,
    ) -> Result<(), QueryError> {
        Err(QueryError::Unanswered { word: "stranger", what: "anything" })
    }
}
