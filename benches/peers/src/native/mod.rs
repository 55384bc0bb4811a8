//! Contenders in C++ behind a shim of ours, loaded when they are there.

mod library;

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use impinge::query::{Answer, Certainty, Nearest, Question, QuestionKind, Verdict};
use impinge::{Contact, Point, Pose};
use impinge_benches::scene::NamedMesh;

use crate::peer::{Peer, Prepared, Task};
use library::{Library, Model, Purpose};

/// The libraries that there are shims for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The Flexible Collision Library.
    Fcl,
    /// Coal, once called HPP-FCL.
    Coal,
}

impl Kind {
    /// Every library.
    pub const ALL: [Self; 2] = [Self::Fcl, Self::Coal];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fcl => "fcl",
            Self::Coal => "coal",
        }
    }
}

/// More pairs than any scene has; a library stops there.
const ALL_PAIRS: u64 = 1 << 32;

/// A library, with some of its options.
pub struct Native {
    word: &'static str,
    title: String,
    library: Rc<Library>,
    /// Its options are left as they are by default.
    plain: bool,
    questions: &'static [QuestionKind],
    for_contacts: Vec<Model>,
    for_distance: Vec<Model>,
    pairs: Vec<u32>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("title", &self.title).finish_non_exhaustive()
    }
}

const EVERY: &[QuestionKind] =
    &[QuestionKind::FirstContact, QuestionKind::AllContacts, QuestionKind::Distance];

/// The contenders of the library whose shim is in `path`.
///
/// # Errors
/// A sentence that names the file, if it cannot be loaded.
pub fn open(kind: Kind, path: &Path) -> Result<Vec<Box<dyn Peer>>, String> {
    let library = Library::open(path)?;
    let version = library.version().to_owned();
    let native = |word, title, plain, questions| -> Box<dyn Peer> {
        Box::new(Native {
            word,
            title,
            library: Rc::clone(&library),
            plain,
            questions,
            for_contacts: Vec::new(),
            for_distance: Vec::new(),
            pairs: Vec::new(),
        })
    };
    Ok(match kind {
        Kind::Fcl => {
            let title =
                format!("FCL {version}, OBB trees for contacts, OBBRSS trees for distances");
            vec![native("fcl", title, false, EVERY)]
        }
        Kind::Coal => {
            let title = format!("Coal {version}, OBBRSS trees, break_distance 0");
            let plain = format!("Coal {version}, OBBRSS trees, default options");
            let first = &[QuestionKind::FirstContact];
            vec![native("coal", title, false, EVERY), native("coal-default", plain, true, first)]
        }
    })
}

impl Native {
    /// Counts pairs; lists them in `answer` too if that is wanted.
    fn contacts(&mut self, task: &Task, most: u64, answer: &mut Answer) -> Result<(), String> {
        let (a, b) = models(&self.for_contacts, task.b)?;
        let pose = numbers(&task.pose);
        let mut room = if task.listed { self.pairs.len() } else { 0 };
        let mut found = a.collide(b, &pose, most, self.plain, &mut self.pairs[..room])?;
        if task.listed {
            if found as usize * 2 > room {
                room = found as usize * 2;
                self.pairs.resize(room, 0);
                found = a.collide(b, &pose, most, self.plain, &mut self.pairs)?;
            }
            let pairs = self.pairs.chunks_exact(2).take(found as usize);
            answer.contacts.extend(pairs.map(|pair| Contact { a: pair[0], b: pair[1] }));
            answer.contacts.sort_unstable();
        }
        answer.contacts_found = found;
        if found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }

    fn distance(&mut self, task: &Task, answer: &mut Answer) -> Result<(), String> {
        let shared = !self.library.needs_distance_model();
        let list = if shared { &self.for_contacts } else { &self.for_distance };
        let (a, b) = models(list, task.b)?;
        let distance = a.distance(b, &numbers(&task.pose))?;
        // Neither library is asked for points or triangles, so that it need not look for them.
        let (on_a, on_b) = (Point::origin(), Point::origin());
        let triangles = Contact { a: 0, b: 0 };
        answer.nearest = Some(Nearest { distance, on_a, on_b, triangles });
        if distance <= 0.0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }
}

/// Models of mesh 0 and of mesh `b`.
fn models(list: &[Model], b: usize) -> Result<(&Model, &Model), String> {
    let both = (list.first(), list.get(b));
    let (Some(a), Some(b)) = both else {
        return Err("asked about a mesh that was not prepared".to_owned());
    };
    Ok((a, b))
}

/// A rotation row by row, then a translation.
fn numbers(pose: &Pose) -> [f64; 12] {
    let (r, t) = (pose.rotation(), pose.translation());
    std::array::from_fn(|k| if k < 9 { r[(k / 3, k % 3)] } else { t[k - 9] })
}

impl Peer for Native {
    fn word(&self) -> &'static str {
        self.word
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn answers(&self, question: QuestionKind) -> bool {
        self.questions.contains(&question)
    }

    fn prepare(&mut self, meshes: &[NamedMesh]) -> Result<Prepared, String> {
        self.release();
        let mut prepared = Prepared::default();
        let mut bytes = 0;
        let build = |mesh: &NamedMesh, purpose| {
            let start = Instant::now();
            let model = Model::build(&self.library, &mesh.mesh, purpose);
            let took = start.elapsed().as_secs_f64();
            model.map(|model| (model, took)).map_err(|why| format!("{}: {why}", mesh.name))
        };
        for mesh in meshes {
            let (model, took) = build(mesh, Purpose::Contacts)?;
            prepared.seconds += took;
            prepared.triangles += mesh.mesh.triangles().len();
            bytes += model.bytes();
            self.for_contacts.push(model);
            if self.library.needs_distance_model() {
                let (model, took) = build(mesh, Purpose::Distance)?;
                *prepared.distance_seconds.get_or_insert(0.0) += took;
                self.for_distance.push(model);
            }
        }
        prepared.bytes = Some(bytes);
        Ok(prepared)
    }

    fn release(&mut self) {
        self.for_contacts.clear();
        self.for_distance.clear();
    }

    fn ask(&mut self, task: &Task, answer: &mut Answer) -> Result<(), String> {
        answer.clear();
        answer.certainty = Certainty::Unproven;
        match task.ask.question {
            Question::FirstContact => self.contacts(task, 1, answer),
            Question::AllContacts => self.contacts(task, ALL_PAIRS, answer),
            Question::Distance => self.distance(task, answer),
            Question::NearerThan(_) | Question::ContainedIn => Err("not asked here".to_owned()),
        }
    }
}
