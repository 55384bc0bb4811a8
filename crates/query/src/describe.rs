//! What an engine says of itself: its word, its paper, what it needs, what it answers.

use crate::{Ask, Meaning, QueryError, QuestionKind};

/// What a method needs beyond triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Needs {
    /// Closed, consistently wound meshes for every question (containment always needs them).
    pub closed: bool,
    /// A graphics adapter.
    pub gpu: bool,
}

/// An engine's description of itself, a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Description {
    /// The method's one word, as on the command line, in reports and in `docs/methods/`.
    pub word: &'static str,
    /// One line for tables.
    pub title: &'static str,
    /// Where it was published, with the section.
    pub paper: &'static str,
    /// What it needs.
    pub needs: Needs,
    /// The questions it answers.
    pub questions: &'static [QuestionKind],
    /// What may count as a collision.
    pub meanings: &'static [Meaning],
    /// Its verdicts are proved; false for sampled methods and outside libraries.
    pub exact: bool,
}

impl Description {
    /// Is this engine able to answer `ask` at all?
    ///
    /// # Errors
    /// [`QueryError::Unanswered`] or [`QueryError::BadDistance`].
    pub fn check(&self, ask: &Ask) -> Result<(), QueryError> {
        let kind = ask.question.kind();
        if !self.questions.contains(&kind) {
            return Err(QueryError::Unanswered { word: self.word, what: kind_words(kind) });
        }
        if !self.meanings.contains(&ask.meaning) {
            let what = match ask.meaning {
                Meaning::Surfaces => "surfaces",
                Meaning::Solids => "solids",
            };
            return Err(QueryError::Unanswered { word: self.word, what });
        }
        match ask.question {
            crate::Question::NearerThan(d) if !d.is_finite() || d < 0.0 => {
                Err(QueryError::BadDistance { value: d })
            }
            _ => Ok(()),
        }
    }
}

const fn kind_words(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::FirstContact => "first contact",
        QuestionKind::AllContacts => "all contacts",
        QuestionKind::Distance => "distance",
        QuestionKind::NearerThan => "nearer than",
        QuestionKind::ContainedIn => "contained in",
    }
}
