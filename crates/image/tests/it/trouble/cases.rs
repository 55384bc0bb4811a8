//! Pairs of meshes in poses of which the truth is known, by rational arithmetic.

use impinge_geometry::{Mesh, Pose};
use impinge_image::{Ibcd, ImageModel, Memory};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Contact, Control, Engine, QueryError};
use impinge_testkit::oracle;

use crate::bodies::model;

/// A pose of two meshes, and what is true of it.
pub(crate) struct Case {
    pub(crate) pose: Pose,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) solids: &'static str,
}

/// Two models and their cases.
pub(crate) struct Set {
    pub(crate) a: ImageModel,
    pub(crate) b: ImageModel,
    pub(crate) cases: Vec<Case>,
}

/// A query as an engine makes it, or as one that is broken on purpose does.
pub(crate) type Query<'q> =
    dyn Fn(&Set, &Case, Asked<'_>, &Control<'_>, &mut Answer) -> Result<(), QueryError> + 'q;

/// A question, and the memory of the pair.
pub(crate) type Asked<'m> = (&'m Ask, &'m mut Memory);

/// As `engine` makes it.
pub(crate) fn honest(engine: &Ibcd) -> Box<Query<'_>> {
    Box::new(|set, case, (ask, memory), control, answer| {
        engine.query(&set.a, &set.b, &case.pose, memory, ask, control, answer)
    })
}

/// Says of an error that it is an answer. Whatever `answer` holds then, the caller believes it.
pub(crate) fn believer(engine: &Ibcd) -> Box<Query<'_>> {
    Box::new(|set, case, (ask, memory), control, answer| {
        let _ = engine.query(&set.a, &set.b, &case.pose, memory, ask, control, answer);
        Ok(())
    })
}

/// Prepared by `engine`; `count` poses of a gear and a torus, and of a ball and a small hull, which is
/// inside the ball in some.
pub(crate) fn sets(engine: &Ibcd, count: u64) -> Vec<Set> {
    let set = |a: &Mesh, b: &Mesh, reach: f64, seed| {
        let case = |index| {
            let pose = Random::stream(seed, index).pose(reach);
            let posed = b.posed(&pose).expect("in range");
            let contacts = oracle::contacts(a, &posed).into_iter();
            let contacts = contacts.map(|(a, b)| Contact { a, b }).collect();
            Case { contacts, solids: oracle::solids(a, &posed).word(), pose }
        };
        let cases: Vec<Case> = (0..count).map(case).collect();
        let hits = cases.iter().filter(|case| case.solids != "separated").count();
        assert!(0 < hits && hits < cases.len(), "{hits} of {} hit", cases.len());
        Set { a: model(engine, a), b: model(engine, b), cases }
    };
    let (gear, torus) = (Shape::Gear.mesh(300, 0), Shape::Torus.mesh(400, 0));
    let (ball, seed) = (Shape::Sphere.mesh(200, 0), Shape::Hull.mesh(24, 0));
    let seed = seed.scaled(0.3).expect("in range");
    vec![set(&gear, &torus, 0.9, 141), set(&ball, &seed, 0.9, 142)]
}

impl Case {
    /// Compares an answer of the certified form with what is true.
    pub(crate) fn check(&self, ask: &Ask, answer: &Answer) -> Result<(), String> {
        let surfaces = if self.contacts.is_empty() { "separated" } else { "intersecting" };
        let solids = ask.meaning == impinge_query::Meaning::Solids;
        let verdict = if solids { self.solids } else { surfaces };
        let contacts = if ask.question == impinge_query::Question::AllContacts {
            answer.contacts == self.contacts
        } else {
            answer.contacts.iter().all(|contact| self.contacts.contains(contact))
        };
        if answer.verdict.word() == verdict && contacts {
            return Ok(());
        }
        let (found, all) = (answer.contacts.len(), self.contacts.len());
        Err(format!("{:?} with {found} contacts, not {verdict} with {all}", answer.verdict))
    }
}
