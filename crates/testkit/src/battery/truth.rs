//! The oracle's answers about a posed pair, and their comparison with a detector's, for every
//! question.

use std::cell::OnceCell;

use dashu_ratio::RBig;
use impinge_geometry::{Mesh, Pose, Topology, Triangle};
use impinge_query::{Answer, Ask, Contact, Meaning, Nearest, Question};

use crate::cases;
use crate::oracle;

/// The bound of `docs/conventions.md`: 16 units of rounding of the largest coordinate difference in
/// the nearest triangles, or in those that are reported. Plus some steps below the normal range.
const UNITS: f64 = 16.0 * f64::EPSILON / 2.0;
const STEPS: f64 = 16.0 * 5e-324;

/// A posed pair and the oracle's answers, computed on demand.
#[derive(Debug)]
pub(super) struct Truth {
    pub(super) a: Mesh,
    /// B, posed.
    pub(super) b: Mesh,
    closed: bool,
    contacts: OnceCell<Vec<Contact>>,
    nearest: OnceCell<(RBig, [Triangle; 2])>,
    solids: OnceCell<oracle::Verdict>,
}

impl Truth {
    /// # Errors
    /// If the pose moves a vertex out of range.
    pub(super) fn new(a: &Mesh, b: &Mesh, pose: &Pose) -> Result<Self, String> {
        let posed = b.posed(pose).map_err(|e| e.to_string())?;
        let closed = [a, b].iter().all(|m| Topology::new(m).closed().is_ok());
        let (contacts, nearest, solids) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Ok(Self { a: a.clone(), b: posed, closed, contacts, nearest, solids })
    }

    /// Whether both meshes are closed, so that the pair may be asked about as solids.
    pub(super) fn closed(&self) -> bool {
        self.closed
    }

    pub(super) fn contacts(&self) -> &[Contact] {
        self.contacts.get_or_init(|| {
            let pairs = oracle::contacts(&self.a, &self.b).into_iter();
            pairs.map(|(a, b)| Contact { a, b }).collect()
        })
    }

    pub(super) fn meets(&self) -> bool {
        !self.contacts().is_empty()
    }

    fn nearest(&self) -> &(RBig, [Triangle; 2]) {
        self.nearest.get_or_init(|| oracle::nearest(&self.a, &self.b))
    }

    fn square(&self) -> &RBig {
        &self.nearest().0
    }

    /// The distance of the surfaces, rounded.
    pub(super) fn distance(&self) -> f64 {
        oracle::root(self.square())
    }

    pub(super) fn solids(&self) -> oracle::Verdict {
        *self.solids.get_or_init(|| oracle::solids(&self.a, &self.b))
    }

    /// The verdict's word for this meaning.
    fn word(&self, meaning: Meaning) -> &'static str {
        match (meaning, self.meets()) {
            (Meaning::Solids, _) => self.solids().word(),
            (Meaning::Surfaces, true) => oracle::Verdict::Intersecting.word(),
            (Meaning::Surfaces, false) => oracle::Verdict::Separated.word(),
        }
    }

    /// Compares `answer` with the oracle's answer to `ask`.
    pub(super) fn judge(&self, ask: &Ask, answer: &Answer) -> Result<(), String> {
        self.judge_parts(ask, answer)
            .map_err(|why| format!("{ask:?}: {why}\n{}", self.source(answer)))
    }

    fn judge_parts(&self, ask: &Ask, answer: &Answer) -> Result<(), String> {
        let word = self.word(ask.meaning);
        if answer.verdict.word() != word {
            return Err(format!("verdict {:?}, the oracle says {word}", answer.verdict));
        }
        if ask.count != answer.statistics.is_some() {
            return Err("statistics are there if and only if they were asked for".to_owned());
        }
        let contained = word == oracle::Verdict::Contained.word();
        match ask.question {
            Question::FirstContact => self.judge_first(ask, answer),
            Question::AllContacts => self.judge_all(ask.cap, answer),
            Question::Distance => self.judge_distance(contained, answer.nearest),
            Question::NearerThan(d) => {
                let want = contained || oracle::at_most(self.square(), d);
                if answer.nearer == Some(want) {
                    return Ok(());
                }
                Err(format!("{:?} at distance {:e}", answer.nearer, self.distance()))
            }
            Question::ContainedIn => {
                self.judge_first(ask, answer)?;
                let held = contained && oracle::holds(&self.a, &self.b);
                if answer.contained == Some(held) {
                    return Ok(());
                }
                Err(format!("contained in: {:?}, the oracle says {held}", answer.contained))
            }
        }?;
        let details = if ask.details { answer.contacts.len() } else { 0 };
        if answer.details.len() == details {
            return Ok(());
        }
        Err(format!("{} details, not {details}", answer.details.len()))
    }

    fn judge_first(&self, ask: &Ask, answer: &Answer) -> Result<(), String> {
        let truth = self.contacts();
        let listed = answer.contacts.len();
        let one = listed == usize::from(!truth.is_empty()) || ask.verdict_only && listed == 0;
        let counted = answer.contacts_found == u64::from(!truth.is_empty());
        if one && counted && answer.contacts.iter().all(|c| truth.contains(c)) {
            return Ok(());
        }
        Err(format!("{:?}, the oracle has {} contacts", answer.contacts, truth.len()))
    }

    fn judge_all(&self, cap: Option<usize>, answer: &Answer) -> Result<(), String> {
        let truth = self.contacts();
        let prefix = &truth[..cap.unwrap_or(usize::MAX).min(truth.len())];
        if answer.contacts == prefix && answer.contacts_found == truth.len() as u64 {
            return Ok(());
        }
        let (found, listed) = (answer.contacts_found, answer.contacts.len());
        Err(format!("{listed} of {found} contacts, the oracle has {}", truth.len()))
    }

    fn judge_distance(&self, contained: bool, nearest: Option<Nearest>) -> Result<(), String> {
        let nearest = nearest.ok_or("no distance in the answer")?;
        let truth = if contained { 0.0 } else { self.distance() };
        let [p, q] = [(&self.a, nearest.triangles.a), (&self.b, nearest.triangles.b)]
            .map(|(mesh, t)| mesh.triangle(t));
        let size = spread(&self.nearest().1).max(spread(&[p, q]));
        let allowed = UNITS * size + STEPS;
        let far = oracle::root(&oracle::squared_distance(&p, &q)) - self.distance();
        if !contained && !(far <= 2.0 * allowed) {
            return Err(format!("the triangles are {far:e} farther than {truth:e}"));
        }
        let (off, zero) = ((nearest.distance - truth).abs(), nearest.distance == 0.0);
        if !(off <= allowed) || zero != (contained || self.meets()) {
            return Err(format!("distance {:e}, not {truth:e}", nearest.distance));
        }
        let way = nearest.on_a - nearest.on_b;
        let apart = way.x.hypot(way.y).hypot(way.z);
        if !contained && !((apart - nearest.distance).abs() <= 4.0 * allowed) {
            return Err(format!("nearest points {apart:e} apart at distance {truth:e}"));
        }
        Ok(())
    }

    /// The pair as Rust source: both meshes if they are small, and the triangles in which they
    /// differ.
    fn source(&self, answer: &Answer) -> String {
        let truth = self.contacts();
        let missed = truth.iter().find(|c| !answer.contacts.contains(c));
        let invented = answer.contacts.iter().find(|c| !truth.contains(c));
        let pair = missed.or(invented).map_or(String::new(), |c| {
            cases::as_source(&self.a.triangle(c.a), &self.b.triangle(c.b))
        });
        [("a", &self.a), ("b (posed)", &self.b)]
            .iter()
            .filter(|(_, mesh)| mesh.triangles().len() <= 12)
            .map(|(name, mesh)| format!("{name}: {:?} {:?}\n", mesh.vertices(), mesh.triangles()))
            .chain([pair])
            .collect()
    }
}

/// The largest difference of coordinates in two triangles.
fn spread(pair: &[Triangle; 2]) -> f64 {
    let corners = || pair.iter().flatten();
    let side = |k: usize| {
        let most = corners().fold(f64::NEG_INFINITY, |most, p| p[k].max(most));
        most - corners().fold(f64::INFINITY, |least, p| p[k].min(least))
    };
    side(0).max(side(1)).max(side(2))
}
