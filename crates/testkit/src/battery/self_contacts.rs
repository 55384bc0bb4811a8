//! Self-contact: soups whose triangles share corners and edges, fold, overlap, coincide or have no
//! area.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_models::Random;
use impinge_query::{
    Answer, Ask, Contact, Control, Detector, PairMemory, Prepared, QueryError, Verdict,
};

use super::{Outcome, Tally};
use crate::oracle::{self, Triple};

/// Scale (as an exponent) and offset of the integer coordinates, such that all sums and products
/// are exact.
const PLACES: [(i32, f64); 4] = [(0, 0.0), (-400, 0.0), (400, 0.0), (-10, 1_048_576.0)];

/// All pairs of triangles that meet elsewhere than neighbours do, computed in integers, at several
/// scales; with a memory that has answered about the same model as two meshes. A detector without
/// self-contacts must refuse.
pub fn self_contacts(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    if !detector.describe().self_contacts {
        let ask = Ask::all_contacts();
        return match detector.describe().check_self(&ask) {
            Err(QueryError::Unanswered { .. }) => Ok(tally),
            other => Err(format!("answers nothing about a mesh and itself, and says {other:?}")),
        };
    }
    for seed in 0..160 {
        let soup = Soup::random(seed);
        let truth = soup.truth();
        let (exponent, offset) = PLACES[seed as usize % PLACES.len()];
        let mesh = soup.mesh(2f64.powi(exponent), offset);
        let model = detector.prepare(&mesh, &Control::NONE).map_err(|e| e.to_string())?;
        let asked = Asked { detector, model: &model, truth: &truth };
        asked.judge(&mut detector.memory()).map_err(|e| format!("soup {seed}: {e}\n{soup:?}"))?;
        tally.count(!truth.is_empty());
    }
    tally.balanced()
}

struct Asked<'a> {
    detector: &'a dyn Detector,
    model: &'a Prepared,
    truth: &'a [Contact],
}

impl Asked<'_> {
    fn judge(&self, memory: &mut PairMemory) -> Result<(), String> {
        let Self { detector, model, truth } = *self;
        let found = truth.len() as u64;
        let verdict = if found > 0 { Verdict::Intersecting } else { Verdict::Separated };
        let whole = self.ask(memory, &Ask::all_contacts())?;
        if whole.contacts != truth || (whole.verdict, whole.contacts_found) != (verdict, found) {
            return Err(format!(
                "{:?} are {:?}, expected {truth:?}",
                whole.verdict, whole.contacts
            ));
        }
        // As two meshes every triangle meets itself, and a memory may remember that.
        let (ask, still) = (Ask::first_contact(), Pose::identity());
        (detector.query(
            model,
            model,
            &still,
            memory,
            &ask,
            &Control::NONE,
            &mut Answer::default(),
        ))
        .map_err(|e| e.to_string())?;
        let first = self.ask(memory, &ask)?;
        let one = first.contacts.iter().all(|contact| truth.contains(contact));
        if first.verdict != verdict || !one || first.contacts.len() as u64 != found.min(1) {
            return Err(format!("{:?} at {:?}, expected {truth:?}", first.verdict, first.contacts));
        }
        let capped = self.ask(memory, &Ask::all_contacts().capped(2))?;
        if capped.contacts != truth[..truth.len().min(2)] || capped.contacts_found != found {
            return Err(format!("capped to {:?} of {truth:?}", capped.contacts));
        }
        Ok(())
    }

    fn ask(&self, memory: &mut PairMemory, ask: &Ask) -> Result<Answer, String> {
        let mut answer = Answer::default();
        (self.detector.query_self(self.model, memory, ask, &Control::NONE, &mut answer))
            .map_err(|e| e.to_string())?;
        Ok(answer)
    }
}

/// Integer points, and triangles over them.
#[derive(Debug)]
struct Soup(Vec<Triple>, Vec<[u32; 3]>);

impl Soup {
    /// A soup on a coarse grid, or one in which nearly all contacts are at shared corners.
    fn random(seed: u64) -> Self {
        let mut random = Random::stream(0x17e1f, seed);
        let coarse = random.chance(0.5);
        let grid = if coarse { 2 + random.below(4) } else { 8_000 };
        let points = (0..12).map(|_| [(); 3].map(|()| i128::from(random.below(grid)))).collect();
        let triangles = if coarse { 8 } else { 2 + random.below(3) };
        let corner = |random: &mut Random| random.below(12) as u32;
        let corners = (0..triangles).map(|_| [(); 3].map(|()| corner(&mut random))).collect();
        Self(points, corners)
    }

    fn mesh(&self, scale: f64, offset: f64) -> Mesh {
        let at = |p: &Triple| Point::from(p.map(|x| offset + x as f64 * scale));
        Mesh::new(self.0.iter().map(at).collect(), self.1.clone()).expect("indices are in range")
    }

    fn truth(&self) -> Vec<Contact> {
        let triangle = |t: usize| self.1[t].map(|v| self.0[v as usize]);
        let pairs = (0..self.1.len()).flat_map(|a| (a + 1..self.1.len()).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| oracle::meet_elsewhere(&triangle(a), &triangle(b)))
            .map(|(a, b)| Contact { a: a as u32, b: b as u32 })
            .collect()
    }
}
