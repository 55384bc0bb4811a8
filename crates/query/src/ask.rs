//! Queries: the question, what counts as a hit, and how much of the answer is wanted.

/// The five questions. An engine lists those it answers in its [`Description`](crate::Description);
/// any other is an error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Question {
    /// Whether the meshes meet. If so, the answer holds one true contact, unspecified which, unless
    /// [`Ask::verdict_only`].
    FirstContact,
    /// All pairs of triangles that meet, without duplicates, in ascending order of (a, b).
    AllContacts,
    /// The least distance between the surfaces and where it is attained; 0 if they meet.
    Distance,
    /// Whether the distance is at most this value, in the meshes' unit. Zero asks whether they
    /// touch.
    NearerThan(f64),
    /// Whether B is wholly inside the solid A: every point of B's surface and of B's inside is
    /// inside A and off A's surface. Both meshes are taken as solids whatever [`Ask::meaning`] is.
    /// The verdict and the contact are those of [`Question::FirstContact`].
    ///
    /// This holds if and only if the surfaces share no point, every component of B's surface is
    /// inside A, and no component of A's is inside B. A body in a cavity of A is outside A. A body
    /// within A's wall that encloses a cavity of A is not wholly inside A, since it contains the
    /// cavity.
    ContainedIn,
}

/// A [`Question`] without its parameter, to list what an engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum QuestionKind {
    /// [`Question::FirstContact`].
    FirstContact,
    /// [`Question::AllContacts`].
    AllContacts,
    /// [`Question::Distance`].
    Distance,
    /// [`Question::NearerThan`].
    NearerThan,
    /// [`Question::ContainedIn`].
    ContainedIn,
}

impl QuestionKind {
    /// All questions.
    pub const ALL: &[Self] = &[
        Self::FirstContact,
        Self::AllContacts,
        Self::Distance,
        Self::NearerThan,
        Self::ContainedIn,
    ];
    /// The questions that need no distance search.
    pub const OF_CONTACTS: &[Self] = &[Self::FirstContact, Self::AllContacts, Self::ContainedIn];
}

impl Question {
    /// The question without its parameter.
    pub const fn kind(&self) -> QuestionKind {
        match self {
            Self::FirstContact => QuestionKind::FirstContact,
            Self::AllContacts => QuestionKind::AllContacts,
            Self::Distance => QuestionKind::Distance,
            Self::NearerThan(_) => QuestionKind::NearerThan,
            Self::ContainedIn => QuestionKind::ContainedIn,
        }
    }
}

/// What counts as a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Meaning {
    /// The two sets of triangles share at least one point. Touching counts.
    #[default]
    Surfaces,
    /// As `Surfaces`, or a connected component of one mesh lies inside the other. Both meshes must
    /// be closed and consistently wound; inside means a winding number other than zero.
    Solids,
}

/// A question with its options. Plain data: fill it in, or start from one of the constructors.
///
/// ```
/// use impinge_query::{Ask, Question};
/// let ask = Ask::all_contacts().capped(100).detailed().counted();
/// assert_eq!(ask.question, Question::AllContacts);
/// assert_eq!(ask.cap, Some(100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// What counts as a collision. With `Solids`, a contained solid has distance 0.
    pub meaning: Meaning,
    /// `AllContacts`: report at most this many, the first in canonical order, for any engine and
    /// thread count. [`Answer::contacts_found`](crate::Answer::contacts_found) is the full number.
    pub cap: Option<usize>,
    /// Whether to compute where each reported pair meets (point, segment or polygon) and its
    /// normal. Only [exact](crate::Description::exact) methods can.
    pub details: bool,
    /// Whether to count volume and triangle tests and time the stages.
    pub count: bool,
    /// `FirstContact` and `ContainedIn`: whether any proof of the verdict is enough. An answer that
    /// hits may then be without a contact. Methods that prove a verdict by other means than a pair
    /// of triangles save work; the verdict is the same.
    #[cfg_attr(feature = "serde", serde(default))]
    pub verdict_only: bool,
}

impl Ask {
    /// Asks `question` about surfaces, without cap, details or counting.
    pub const fn new(question: Question) -> Self {
        Self {
            question,
            meaning: Meaning::Surfaces,
            cap: None,
            details: false,
            count: false,
            verdict_only: false,
        }
    }

    /// Asks whether the meshes meet, for one contact.
    pub const fn first_contact() -> Self {
        Self::new(Question::FirstContact)
    }

    /// Asks for all pairs of triangles that meet.
    pub const fn all_contacts() -> Self {
        Self::new(Question::AllContacts)
    }

    /// Asks for the least distance.
    pub const fn distance() -> Self {
        Self::new(Question::Distance)
    }

    /// Asks whether the meshes are at most `d` apart.
    pub const fn nearer_than(d: f64) -> Self {
        Self::new(Question::NearerThan(d))
    }

    /// Asks whether B is wholly inside A.
    pub const fn contained_in() -> Self {
        Self::new(Question::ContainedIn).solids()
    }

    /// Whether both meshes must be closed surfaces.
    pub const fn needs_solids(&self) -> bool {
        matches!(self.meaning, Meaning::Solids) || matches!(self.question, Question::ContainedIn)
    }

    /// Counts containment as a collision.
    #[must_use]
    pub const fn solids(mut self) -> Self {
        self.meaning = Meaning::Solids;
        self
    }

    /// Limits the answer to `cap` contacts.
    #[must_use]
    pub const fn capped(mut self, cap: usize) -> Self {
        self.cap = Some(cap);
        self
    }

    /// Requests a [`Detail`](crate::Detail) for each contact.
    #[must_use]
    pub const fn detailed(mut self) -> Self {
        self.details = true;
        self
    }

    /// Wants no contact: any proof of the verdict is enough.
    #[must_use]
    pub const fn verdict_only(mut self) -> Self {
        self.verdict_only = true;
        self
    }

    /// Requests statistics.
    #[must_use]
    pub const fn counted(mut self) -> Self {
        self.count = true;
        self
    }
}
