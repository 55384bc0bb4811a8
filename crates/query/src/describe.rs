//! What an engine states about itself: name, paper, requirements, questions answered.

use crate::{Ask, Meaning, QueryError, QuestionKind};

/// What a method requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Needs {
    /// Closed, consistently wound meshes for every question (containment always needs them).
    pub closed: bool,
    /// A graphics adapter.
    pub gpu: bool,
}

/// A constant description of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Description {
    /// The method's name on the command line, in reports and in `docs/methods/`.
    pub word: &'static str,
    /// One line for tables.
    pub title: &'static str,
    /// Its publication, with the section.
    pub paper: &'static str,
    /// What it requires.
    pub needs: Needs,
    /// The questions it answers.
    pub questions: &'static [QuestionKind],
    /// The values of [`Ask::meaning`] it accepts.
    pub meanings: &'static [Meaning],
    /// Whether it finds the contacts of a mesh with itself:
    /// [`Engine::query_self`](crate::Engine::query_self).
    pub self_contacts: bool,
    /// Whether its answers are proved; false for sampled methods, methods that lose contacts, and outside
    /// libraries.
    pub exact: bool,
}

impl Description {
    /// An exact method for any two meshes, as surfaces or as solids, and for a mesh with itself.
    pub const fn exact(
        word: &'static str,
        title: &'static str,
        paper: &'static str,
        questions: &'static [QuestionKind],
    ) -> Self {
        Self {
            word,
            title,
            paper,
            needs: Needs { closed: false, gpu: false },
            questions,
            meanings: &[Meaning::Surfaces, Meaning::Solids],
            self_contacts: true,
            exact: true,
        }
    }

    /// Checks whether this engine can answer `ask`.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`], also of [details](Ask::details) of a method that is not exact, or
    /// [`QueryError::BadDistance`].
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
        self.check_details(ask)?;
        match ask.question {
            crate::Question::NearerThan(d) if !d.is_finite() || d < 0.0 => {
                Err(QueryError::BadDistance { value: d })
            }
            _ => Ok(()),
        }
    }

    /// A contact of a method that is not exact need not meet, and has then no detail.
    const fn check_details(&self, ask: &Ask) -> Result<(), QueryError> {
        match ask.question.kind() {
            QuestionKind::FirstContact | QuestionKind::AllContacts if ask.details => {
                self.check_exact("where contacts meet")
            }
            _ => Ok(()),
        }
    }

    /// Checks whether this engine can answer `what`, which needs all contacts and no others.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`] of a method that is not exact.
    pub const fn check_exact(&self, what: &'static str) -> Result<(), QueryError> {
        if self.exact { Ok(()) } else { Err(QueryError::Unanswered { word: self.word, what }) }
    }

    /// Checks whether this engine can answer `ask` about a mesh with itself. Only questions about
    /// contacts can be.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`].
    pub fn check_self(&self, ask: &Ask) -> Result<(), QueryError> {
        let (word, kind) = (self.word, ask.question.kind());
        if !self.self_contacts {
            return Err(QueryError::Unanswered { word, what: "contacts of a mesh with itself" });
        }
        if !self.questions.contains(&kind) {
            return Err(QueryError::Unanswered { word, what: kind_words(kind) });
        }
        match kind {
            QuestionKind::FirstContact | QuestionKind::AllContacts => self.check_details(ask),
            QuestionKind::Distance | QuestionKind::NearerThan => {
                Err(QueryError::Unanswered { word, what: "distance of a mesh from itself" })
            }
            QuestionKind::ContainedIn => {
                Err(QueryError::Unanswered { word, what: "whether a mesh is inside itself" })
            }
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
