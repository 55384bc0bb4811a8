//! What is asked: the question, what counts as a hit, and how much of the answer is wanted.

/// The five questions. An engine lists those it answers in its
/// [`Description`](crate::Description); asking another is an error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Question {
    /// Do they meet? The answer holds one true contact if they do; which one is not promised.
    FirstContact,
    /// Every pair of triangles that meet, each once, in ascending order of (a, b).
    AllContacts,
    /// The least distance between the surfaces and where it is attained; 0 if they meet.
    Distance,
    /// Is the distance at most this value (unit: the meshes')? Zero asks whether they touch.
    NearerThan(f64),
    /// Is B wholly inside the solid A: every point of B's surface, and every point inside B, inside A
    /// and off A's surface? Of solids, whatever [`Ask::meaning`] says; the verdict and the contact are
    /// those of [`Question::FirstContact`].
    ///
    /// So it is if the surfaces share no point, every component of B's surface is inside A, and none
    /// of A's is inside B. A body in a cavity of A is outside A, and one around such a cavity, within
    /// A's wall, is not wholly inside: the cavity is in it.
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
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::FirstContact,
        Self::AllContacts,
        Self::Distance,
        Self::NearerThan,
        Self::ContainedIn,
    ];
    /// Those that take no search for a distance.
    pub const OF_CONTACTS: &[Self] = &[Self::FirstContact, Self::AllContacts, Self::ContainedIn];
}

impl Question {
    /// Which of the five this is.
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
    /// As `Surfaces`, or a connected component of one lies inside the other. Both meshes must be
    /// closed and consistently wound; inside means a winding number other than zero.
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
    /// What is wanted.
    pub question: Question,
    /// What counts as a collision. Distance and nearness of a contained solid are 0.
    pub meaning: Meaning,
    /// `AllContacts`: report at most this many, the first ones in canonical order, whatever engine or thread
    /// count. [`Answer::contacts_found`](crate::Answer::contacts_found) tells the full number.
    pub cap: Option<usize>,
    /// Also compute where each reported pair meets (segment, polygon or point) and its normal.
    pub details: bool,
    /// Also count volume and triangle tests and time the stages.
    pub count: bool,
}

impl Ask {
    /// `question` about surfaces, without cap, details or counting.
    pub const fn new(question: Question) -> Self {
        Self { question, meaning: Meaning::Surfaces, cap: None, details: false, count: false }
    }

    /// Do they meet?
    pub const fn first_contact() -> Self {
        Self::new(Question::FirstContact)
    }

    /// Which pairs of triangles meet?
    pub const fn all_contacts() -> Self {
        Self::new(Question::AllContacts)
    }

    /// How far apart are they?
    pub const fn distance() -> Self {
        Self::new(Question::Distance)
    }

    /// Are they at most `d` apart?
    pub const fn nearer_than(d: f64) -> Self {
        Self::new(Question::NearerThan(d))
    }

    /// Is B wholly inside A?
    pub const fn contained_in() -> Self {
        Self::new(Question::ContainedIn).solids()
    }

    /// Must both meshes have an inside?
    pub const fn needs_solids(&self) -> bool {
        matches!(self.meaning, Meaning::Solids) || matches!(self.question, Question::ContainedIn)
    }

    /// Containment counts too.
    #[must_use]
    pub const fn solids(mut self) -> Self {
        self.meaning = Meaning::Solids;
        self
    }

    /// At most `cap` contacts.
    #[must_use]
    pub const fn capped(mut self, cap: usize) -> Self {
        self.cap = Some(cap);
        self
    }

    /// With segments and normals.
    #[must_use]
    pub const fn detailed(mut self) -> Self {
        self.details = true;
        self
    }

    /// With statistics.
    #[must_use]
    pub const fn counted(mut self) -> Self {
        self.count = true;
        self
    }
}
