//! A detector with a pair of meshes, judged by rational arithmetic.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Contact, Control, Detector, PairMemory, Prepared, QuestionKind, Verdict,
};
use impinge_testkit::oracle;

/// A detector with a pair prepared.
pub(crate) struct Bench<'d> {
    pub(crate) detector: &'d dyn Detector,
    pub(crate) models: [Prepared; 2],
    pub(crate) memory: PairMemory,
}

impl<'d> Bench<'d> {
    pub(crate) fn new(detector: &'d dyn Detector, a: &Mesh, b: &Mesh) -> Result<Self, String> {
        let prepare = |m| detector.prepare(m, &Control::NONE).map_err(|e| e.to_string());
        Ok(Self { detector, models: [prepare(a)?, prepare(b)?], memory: detector.memory() })
    }

    pub(crate) fn ask(&mut self, pose: &Pose, ask: &Ask) -> Result<Answer, String> {
        let mut answer = Answer::default();
        let ([a, b], memory) = (&self.models, &mut self.memory);
        self.detector
            .query(a, b, pose, memory, ask, &Control::NONE, &mut answer)
            .map_err(|e| format!("{ask:?}: {e}"))?;
        Ok(answer)
    }

    /// Verdicts, contacts, caps and containment as the oracle has them; returns whether the solids
    /// share a point.
    pub(crate) fn check(&mut self, a: &Mesh, b: &Mesh, pose: &Pose) -> Result<bool, String> {
        let posed = b.posed(pose).map_err(|e| e.to_string())?;
        let contacts = oracle::contacts(a, &posed);
        let truth: Vec<Contact> = contacts.into_iter().map(|(a, b)| Contact { a, b }).collect();
        let expected = if truth.is_empty() { Verdict::Separated } else { Verdict::Intersecting };
        let first = self.ask(pose, &Ask::first_contact())?;
        let one = first.contacts.len() == usize::from(!truth.is_empty());
        if first.verdict != expected || !one || !first.contacts.iter().all(|c| truth.contains(c)) {
            return Err(format!("first contact {first:?}, the oracle has {}", truth.len()));
        }
        if self.detector.describe().questions.contains(&QuestionKind::AllContacts) {
            self.check_all(pose, &truth, expected)?;
        }
        let solid = self.ask(pose, &Ask::first_contact().solids())?.verdict;
        if solid.word() != oracle::solids(a, &posed).word() {
            return Err(format!("as solids {solid:?}, not {:?}", oracle::solids(a, &posed)));
        }
        Ok(solid.is_hit())
    }

    fn check_all(
        &mut self,
        pose: &Pose,
        truth: &[Contact],
        expected: Verdict,
    ) -> Result<(), String> {
        let all = self.ask(pose, &Ask::all_contacts())?;
        let complete = all.contacts_found == truth.len() as u64;
        if all.verdict != expected || all.contacts != truth || !complete {
            return Err(format!("{} contacts, the oracle has {}", all.contacts.len(), truth.len()));
        }
        for cap in [0, 3] {
            let capped = self.ask(pose, &Ask::all_contacts().capped(cap).detailed())?;
            let prefix = &truth[..cap.min(truth.len())];
            let told = capped.contacts_found == truth.len() as u64;
            if capped.contacts != prefix || !told || capped.details.len() != prefix.len() {
                return Err(format!("cap {cap}: {:?} of {}", capped.contacts, truth.len()));
            }
        }
        Ok(())
    }
}
