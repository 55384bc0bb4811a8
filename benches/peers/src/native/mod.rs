//! C++ libraries behind a shim, loaded if present.

mod library;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use impinge::query::{
    Answer, Ask, Certainty, Control, Description, Engine, Meaning, Model, ModelId, Nearest, Needs,
    PrepareError, Prepared, QueryError, Question, QuestionKind, Verdict,
};
use impinge::{Contact, Mesh, Point, Pose};
use impinge_benches::harness::Competitor;

use crate::broad::contender::{Contender, Rival};
use crate::broad::scenes::World;
use crate::entry::Entry;
use library::{BroadPhase, Library, Purpose};

/// The libraries with a shim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The Flexible Collision Library.
    Fcl,
    /// Coal, formerly HPP-FCL.
    Coal,
}

impl Kind {
    /// Every library.
    pub const ALL: [Self; 2] = [Self::Fcl, Self::Coal];

    /// Its word on the command line and in records.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fcl => "fcl",
            Self::Coal => "coal",
        }
    }
}

/// A limit above the number of pairs in any scene.
const ALL_PAIRS: u64 = 1 << 32;

const EVERY: &[QuestionKind] =
    &[QuestionKind::FirstContact, QuestionKind::AllContacts, QuestionKind::Distance];
const CONTACTS: &[QuestionKind] = &[QuestionKind::FirstContact, QuestionKind::AllContacts];
const FIRST: &[QuestionKind] = &[QuestionKind::FirstContact];

/// A library with a choice of options.
struct Native {
    description: Description,
    library: Arc<Library>,
    /// The kind of tree that is asked for contacts.
    tree: Purpose,
    /// Whether its options stay at their defaults.
    plain: bool,
}

/// A mesh in the library's form.
struct NativeModel {
    id: ModelId,
    triangles: usize,
    for_contacts: library::Model,
    /// The separate model for distances, if needed, and its preparation time in seconds.
    for_distance: Option<(library::Model, f64)>,
}

/// What takes part of a library.
#[derive(Debug)]
pub struct Loaded {
    /// For questions about two meshes.
    pub entries: Vec<Entry>,
    /// For moving boxes.
    pub contenders: Vec<Contender>,
}

/// Loads the library whose shim is in `path`.
///
/// # Errors
/// If it cannot be loaded; the error names the file.
pub fn open(kind: Kind, path: &Path) -> Result<Loaded, String> {
    let library = Library::open(path)?;
    let contenders = match kind {
        Kind::Fcl => managers(&library),
        Kind::Coal => Vec::new(),
    };
    Ok(Loaded { entries: entries(kind, &library), contenders })
}

fn entries(kind: Kind, library: &Arc<Library>) -> Vec<Entry> {
    let version = library.version().to_owned();
    let native = |word, title, tree, plain, questions| {
        let description = Description {
            word,
            title: "a library behind a shim",
            paper: "none",
            needs: Needs { closed: false, gpu: false },
            questions,
            meanings: &[Meaning::Surfaces],
            self_contacts: false,
            exact: false,
        };
        let engine = Native { description, library: Arc::clone(library), tree, plain };
        let competitor = Competitor::new(word, engine);
        Entry { competitor, title, foreign: true, distance_cost: 0.0 }
    };
    let (obb, obbrss) = (Purpose::Contacts, Purpose::Distance);
    match kind {
        Kind::Fcl => {
            let title =
                format!("FCL {version}, OBB trees for contacts, OBBRSS trees for distances");
            let other = format!("FCL {version}, OBBRSS trees for contacts");
            vec![
                native("fcl", title, obb, false, EVERY),
                native("fcl-obbrss", other, obbrss, false, CONTACTS),
            ]
        }
        Kind::Coal => {
            let title = format!(
                "Coal {version}, OBB trees for contacts, OBBRSS trees for distances, break_distance 0"
            );
            let other = format!("Coal {version}, OBBRSS trees for contacts, break_distance 0");
            let plain = format!("Coal {version}, OBB trees, default options");
            vec![
                native("coal", title, obb, false, EVERY),
                native("coal-obbrss", other, obbrss, false, CONTACTS),
                native("coal-default", plain, obb, true, FIRST),
            ]
        }
    }
}

/// FCL's broad phases, as fast as they are right: a tree in an array names wrong pairs if it is
/// updated in place, and sweeps take longer to rebuild.
fn managers(library: &Arc<Library>) -> Vec<Contender> {
    let version = library.version().to_owned();
    let contender = |word: &str, broad_phase, manner: &str, anew| {
        let (library, title) = (Arc::clone(library), format!("FCL {version}'s {manner}"));
        Contender::new(word, title, move |world: &World| {
            let boxes = library::Boxes::build(&library, world.corners(), broad_phase)?;
            Ok(Manager { boxes, anew })
        })
    };
    let tree = "DynamicAABBTree, jumpers inserted again, updated in place";
    let sap = "SaP, updated in place, rebuilt in steps where one end of a box stays";
    vec![
        contender("fcl-tree", BroadPhase::Tree, tree, false),
        contender("fcl-tree-rebuilt", BroadPhase::Tree, "DynamicAABBTree, rebuilt", true),
        contender("fcl-array-rebuilt", BroadPhase::Array, "DynamicAABBTree_Array, rebuilt", true),
        contender("fcl-sap", BroadPhase::SaP, sap, false).slow(),
        contender("fcl-ssap", BroadPhase::SSaP, "SSaP, updated in place", false).slow(),
        contender("fcl-intervals", BroadPhase::Intervals, "IntervalTree, rebuilt", true).slow(),
        contender("fcl-hash", BroadPhase::Hash, "SpatialHashing, updated in place", false).slow(),
    ]
}

/// A broad phase of the library, updated in place or rebuilt.
struct Manager {
    boxes: library::Boxes,
    anew: bool,
}

impl Rival for Manager {
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) -> Result<(), String> {
        self.boxes.move_to(world.corners(), world.jumped(), self.anew)?;
        self.boxes.pairs(into)
    }
}

/// The preparation time of the separate distance model in seconds; 0 if there is none.
pub(crate) fn distance_seconds(model: &Prepared) -> f64 {
    let own = model.model::<NativeModel>().and_then(|model| model.for_distance.as_ref());
    own.map_or(0.0, |(_, seconds)| *seconds)
}

impl Model for NativeModel {
    fn id(&self) -> ModelId {
        self.id
    }

    fn triangles(&self) -> usize {
        self.triangles
    }

    fn bytes(&self) -> usize {
        self.for_contacts.bytes() as usize
    }

    fn mesh_bytes(&self) -> usize {
        0
    }
}

impl Native {
    fn refused(&self, reason: String) -> QueryError {
        QueryError::Backend { word: self.description.word, reason }
    }

    /// Counts pairs, and lists them in `answer` unless it is capped.
    fn contacts(
        &self,
        [a, b]: [&NativeModel; 2],
        pose: &Pose,
        pairs: &mut Vec<u32>,
        ask: &Ask,
        answer: &mut Answer,
    ) -> Result<(), String> {
        let most = if ask.question == Question::FirstContact { 1 } else { ALL_PAIRS };
        let (a, b, pose) = (&a.for_contacts, &b.for_contacts, numbers(pose));
        let listed = ask.cap.is_none();
        let mut room = if listed { pairs.len() } else { 0 };
        let mut found = a.collide(b, &pose, most, self.plain, &mut pairs[..room])?;
        if listed {
            if found as usize * 2 > room {
                room = found as usize * 2;
                pairs.resize(room, 0);
                found = a.collide(b, &pose, most, self.plain, pairs)?;
            }
            let pairs = pairs.chunks_exact(2).take(found as usize);
            answer.contacts.extend(pairs.map(|pair| Contact { a: pair[0], b: pair[1] }));
            answer.contacts.sort_unstable();
        }
        answer.contacts_found = found;
        if found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }
}

/// Asks for the distance.
fn distance([a, b]: [&NativeModel; 2], pose: &Pose, answer: &mut Answer) -> Result<(), String> {
    let [a, b] = [a, b].map(|m| m.for_distance.as_ref().map_or(&m.for_contacts, |own| &own.0));
    let distance = a.distance(b, &numbers(pose))?;
    // The libraries are not asked for points or triangles, so that they need not compute them.
    let (on_a, on_b) = (Point::origin(), Point::origin());
    let triangles = Contact { a: 0, b: 0 };
    answer.nearest = Some(Nearest { distance, on_a, on_b, triangles });
    if distance <= 0.0 {
        answer.verdict = Verdict::Intersecting;
    }
    Ok(())
}

/// The rotation row by row, then the translation.
fn numbers(pose: &Pose) -> [f64; 12] {
    let (r, t) = (pose.rotation(), pose.translation());
    std::array::from_fn(|k| if k < 9 { r[(k / 3, k % 3)] } else { t[k - 9] })
}

impl Engine for Native {
    type Model = NativeModel;
    /// Space for listed pairs.
    type Memory = Vec<u32>;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, _: &Control<'_>) -> Result<NativeModel, PrepareError> {
        let build = |purpose| {
            library::Model::build(&self.library, mesh, purpose)
                .map_err(|reason| PrepareError::Refused { word: self.description.word, reason })
        };
        let for_contacts = build(self.tree)?;
        let start = Instant::now();
        let asked = self.description.questions.contains(&QuestionKind::Distance);
        let needed = asked && self.library.needs_distance_model();
        let own = needed.then(|| build(Purpose::Distance));
        let for_distance = own.transpose()?.map(|model| (model, start.elapsed().as_secs_f64()));
        let triangles = mesh.triangles().len();
        Ok(NativeModel { id: ModelId::fresh(), triangles, for_contacts, for_distance })
    }

    fn memory(&self) -> Vec<u32> {
        vec![0; 2]
    }

    fn query(
        &self,
        a: &NativeModel,
        b: &NativeModel,
        pose: &Pose,
        pairs: &mut Vec<u32>,
        ask: &Ask,
        _: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        answer.certainty = Certainty::Unproven;
        let outcome = match ask.question {
            Question::FirstContact | Question::AllContacts => {
                self.contacts([a, b], pose, pairs, ask, answer)
            }
            Question::Distance => distance([a, b], pose, answer),
            Question::NearerThan(_) | Question::ContainedIn => Err("not asked here".to_owned()),
        };
        outcome.map_err(|reason| self.refused(reason))
    }
}
