//! Forms of the maize-leaf pipeline that differ in traversal order and in the treatment of
//! triangles at split planes, compared on the same trees and pairs.

use std::ops::{AddAssign, Index};
use std::time::Instant;

use impinge::hierarchy::methods::{Leaf, LeafParams, leaf_with};
use impinge::hierarchy::traverse::{Block, Priority, TipFirst};
use impinge::query::{Answer, Ask, Control, Engine};
use impinge_benches::harness::take_turns;

use super::leaf_walks::{Meeting, Trace};

/// The compared forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Equal weights, no block.
    Plain,
    /// The paper's weights, no block.
    Tip,
    /// The paper's weights and block by its letter: a triangle that passes the box test ends the
    /// search below.
    Letter,
    /// A contact in the block ends the search below.
    OnContact,
    /// The paper's weights; a block is tested first and once.
    Corrected,
}

const FORMS: [Form; 5] = [Form::Plain, Form::Tip, Form::Letter, Form::OnContact, Form::Corrected];
/// The forms with a block.
pub(crate) const BLOCKS: [Form; 3] = [Form::Letter, Form::OnContact, Form::Corrected];
/// Equal weights, regardless of the tip. Nodes of one level come in queue order, which is the
/// base-side child first.
const EQUAL: Priority = Priority { far: 1.0, per_level: 0.1 };

impl Form {
    /// The traversal rule of this form.
    pub(crate) fn rule(self) -> TipFirst {
        let priority = if self == Self::Plain { EQUAL } else { Priority::default() };
        let block = match self {
            Self::Plain | Self::Tip => Block::Ignored,
            Self::Letter => Block::OnBoxTest,
            Self::OnContact => Block::OnContact,
            Self::Corrected => Block::Corrected,
        };
        TipFirst { priority, block }
    }

    /// The word in names of figures.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Plain => "without priority",
            Self::Tip => "without block",
            Self::Letter => "by the letter",
            Self::OnContact => "on a contact",
            Self::Corrected => "corrected",
        }
    }

    fn engine(self) -> Leaf {
        let TipFirst { priority, block } = self.rule();
        leaf_with(LeafParams { block, priority, ..LeafParams::default() })
    }
}

/// Work of one form for one question, over some pairs. Times in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Triangle tests without a preceding comparison of bounds.
    pub(crate) tests: f64,
    /// Triangle tests of the library's method, which compares bounds first.
    pub(crate) culled: f64,
    /// Time of the triangle tests counted by `tests`.
    pub(crate) primitive: f64,
    /// Time of the library's queries.
    pub(crate) query: f64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.tests += other.tests;
        self.culled += other.culled;
        self.primitive += other.primitive;
        self.query += other.query;
    }
}

/// The work of each form.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Works(pub(crate) [Work; 5]);

impl Index<Form> for Works {
    type Output = Work;

    fn index(&self, form: Form) -> &Work {
        &self.0[form as usize]
    }
}

/// The work of every form for one question.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// Over all pairs.
    pub(crate) all: Works,
    /// Over the colliding pairs.
    pub(crate) colliding: Works,
}

/// Counts and times all forms in turn on one pair and question, and adds the results to `asked`.
///
/// # Errors
/// If a query fails, or a method finds other contacts than its traversal.
pub(crate) fn one_pair(
    meeting: &Meeting<'_>,
    first: bool,
    collides: bool,
    passes: usize,
    asked: &mut Asked,
) -> Result<(), String> {
    let traces = FORMS.map(|form| meeting.trace(form.rule(), first));
    let traces: Vec<Trace> = traces.into_iter().collect::<Result<_, _>>()?;
    let engines = FORMS.map(Form::engine);
    let mut memories = engines.each_ref().map(Engine::memory);
    let ask = if first { Ask::first_contact() } else { Ask::all_contacts() };
    let mut answer = Answer::default();
    let mut query = |k: usize, ask: &Ask| {
        let Meeting { a, b, pose } = meeting;
        engines[k]
            .query(a, b, pose, &mut memories[k], ask, &Control::NONE, &mut answer)
            .map_err(|error| error.to_string())?;
        let same = if first {
            answer.contacts.is_empty() == traces[k].contacts.is_empty()
        } else {
            answer.contacts == traces[k].contacts
        };
        let counted = answer.statistics.as_ref().map_or(0, |s| s.primitive_tests);
        if same { Ok(counted) } else { Err(format!("{}: method and walk differ", FORMS[k].word())) }
    };
    let mut least = [[f64::INFINITY; 2]; 5];
    take_turns(FORMS.len(), passes, 1, |turn| {
        let k = turn.who;
        let primitive = nanoseconds(|| {
            meeting.repeat(&traces[k].sets, first);
            Ok(())
        })?;
        let took = [primitive, nanoseconds(|| query(k, &ask).map(drop))?];
        (0..2).for_each(|which| least[k][which] = least[k][which].min(took[which]));
        Ok::<_, String>(())
    })?;
    for (k, trace) in traces.iter().enumerate() {
        let culled = query(k, &ask.counted())? as f64;
        let [primitive, query] = least[k];
        let work = Work { tests: trace.tests as f64, culled, primitive, query };
        asked.all.0[k] += work;
        if collides {
            asked.colliding.0[k] += work;
        }
    }
    Ok(())
}

/// The time of some work in nanoseconds.
pub(crate) fn nanoseconds(work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_nanos() as f64)
}
