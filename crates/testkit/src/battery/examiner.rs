//! Asks a detector one question and compares the answer with the oracle.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Contact, Control, Detector, PairMemory, PrepareError, Prepared, QuestionKind,
    Verdict,
};

use crate::cases;
use crate::oracle;

/// A detector with one prepared pair of meshes.
pub(super) struct Examiner<'d> {
    pub(super) detector: &'d dyn Detector,
    pub(super) a: Mesh,
    pub(super) b: Mesh,
    pub(super) model_a: Prepared,
    pub(super) model_b: Prepared,
    pub(super) memory: PairMemory,
}

impl<'d> Examiner<'d> {
    pub(super) fn new(detector: &'d dyn Detector, a: Mesh, b: Mesh) -> Result<Self, String> {
        let prepare = |mesh| detector.prepare(mesh, &Control::NONE).map_err(|e| e.to_string());
        let (model_a, model_b) = (prepare(&a)?, prepare(&b)?);
        Ok(Self { memory: detector.memory(), detector, a, b, model_a, model_b })
    }

    /// As [`Examiner::new`]; `None` if the detector refuses such a mesh.
    pub(super) fn if_taken(
        detector: &'d dyn Detector,
        a: Mesh,
        b: Mesh,
    ) -> Result<Option<Self>, String> {
        for mesh in [&a, &b] {
            let prepared = detector.prepare(mesh, &Control::NONE);
            if let Err(PrepareError::Open(_) | PrepareError::Refused { .. }) = prepared {
                return Ok(None);
            }
        }
        Self::new(detector, a, b).map(Some)
    }

    pub(super) fn ask(&mut self, pose: &Pose, ask: &Ask) -> Result<Answer, String> {
        let mut answer = Answer::default();
        let (a, b, memory) = (&self.model_a, &self.model_b, &mut self.memory);
        self.detector
            .query(a, b, pose, memory, ask, &Control::NONE, &mut answer)
            .map_err(|e| format!("{ask:?}: {e}"))?;
        Ok(answer)
    }

    pub(super) fn answers(&self, kind: QuestionKind) -> bool {
        self.detector.describe().questions.contains(&kind)
    }

    pub(super) fn truth(&self, pose: &Pose) -> Result<Vec<Contact>, String> {
        let posed = self.b.posed(pose).map_err(|e| e.to_string())?;
        Ok(oracle::contacts(&self.a, &posed).into_iter().map(|(a, b)| Contact { a, b }).collect())
    }

    /// Asks about surfaces with every question the detector answers, and compares with the oracle;
    /// returns whether they meet.
    pub(super) fn judge(&mut self, pose: &Pose) -> Result<bool, String> {
        let truth = self.truth(pose)?;
        self.judge_against(pose, &truth)?;
        Ok(!truth.is_empty())
    }

    pub(super) fn judge_against(&mut self, pose: &Pose, truth: &[Contact]) -> Result<(), String> {
        let expected = if truth.is_empty() { Verdict::Separated } else { Verdict::Intersecting };
        if self.answers(QuestionKind::FirstContact) {
            let answer = self.ask(pose, &Ask::first_contact())?;
            let contact_is_true = answer.contacts.iter().all(|c| truth.contains(c));
            let has_one = answer.contacts.len() == usize::from(!truth.is_empty());
            if answer.verdict != expected || !contact_is_true || !has_one {
                return Err(self.report(pose, truth, &answer));
            }
        }
        if self.answers(QuestionKind::AllContacts) {
            let answer = self.ask(pose, &Ask::all_contacts())?;
            let complete = answer.contacts_found == truth.len() as u64;
            if answer.verdict != expected || answer.contacts != truth || !complete {
                return Err(self.report(pose, truth, &answer));
            }
        }
        Ok(())
    }

    /// Describes a wrong answer, with the first differing triangle pair as source code.
    fn report(&self, pose: &Pose, truth: &[Contact], answer: &Answer) -> String {
        let missed = truth.iter().find(|c| !answer.contacts.contains(c));
        let invented = answer.contacts.iter().find(|c| !truth.contains(c));
        let source = missed.or(invented).map_or(String::new(), |c| {
            let q = self.b.triangle(c.b).map(|p| pose.apply(&p));
            cases::as_source(&self.a.triangle(c.a), &q)
        });
        format!(
            "{}: verdict {:?} with {} contacts, the oracle has {}; missed {missed:?}, invented {invented:?}\npose {pose:?}\n{source}",
            self.detector.describe().word,
            answer.verdict,
            answer.contacts.len(),
            truth.len(),
        )
    }
}
