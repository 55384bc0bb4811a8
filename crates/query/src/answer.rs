//! What is answered: the verdict, contacts in canonical order, distance, statistics, and how
//! certain all that is.

use impinge_geometry::exact::Meeting;
use impinge_geometry::{Point, Vector};

use crate::Statistics;

/// Which mesh lies inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Inner {
    /// A component of A lies inside B.
    A,
    /// A component of B lies inside A.
    B,
}

/// The answer to "do they collide?".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Verdict {
    /// They share no point (and, in `Solids`, neither holds a component of the other).
    #[default]
    Separated,
    /// The surfaces share a point.
    Intersecting,
    /// The surfaces are apart and a component of one lies inside the other (`Solids` only).
    Contained(Inner),
}

impl Verdict {
    /// Anything but `Separated`.
    pub const fn is_hit(self) -> bool {
        !matches!(self, Self::Separated)
    }

    /// `"separated"`, `"intersecting"` or `"contained"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Separated => "separated",
            Self::Intersecting => "intersecting",
            Self::Contained(_) => "contained",
        }
    }
}

/// A pair of triangles that meet. The derived order, by `a` and then `b`, is the canonical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Index of A's triangle.
    pub a: u32,
    /// Index of B's triangle.
    pub b: u32,
}

/// Where a pair of triangles meets, in A's frame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Detail {
    /// The common point, segment or polygon; the kind is exact, the coordinates are rounded.
    pub meeting: Meeting,
    /// Unit normal of A's triangle, outward by its winding; if that triangle has no area, the
    /// reversed normal of B's; zero if neither has. Whether there is an area is decided exactly, and
    /// the direction is off by less than 2⁻³⁸.
    pub normal: Vector,
}

/// The least distance and where it is attained, in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nearest {
    /// The distance in the meshes' unit; exactly 0 if and only if the surfaces meet (or, in
    /// `Solids`, one holds a component of the other).
    pub distance: f64,
    /// A nearest point of A.
    pub on_a: Point,
    /// A nearest point of posed B.
    pub on_b: Point,
    /// The pair of triangles that attains it. Another may be as near within the error of a distance,
    /// which is in proportion to the size of the pair that truly is nearest.
    pub triangles: Contact,
}

/// How much an answer can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Certainty {
    /// Decided by exact arithmetic or a proven bound.
    #[default]
    Exact,
    /// Never wrong: `settled` pairs were proved by the fast path, `resolved` by the exact test.
    Certified {
        /// Pairs that the fast path proved.
        settled: u64,
        /// Pairs that it left to the exact test.
        resolved: u64,
    },
    /// As good as its samples.
    Sampled {
        /// Pixels along one side of the image.
        resolution: u32,
    },
    /// As good as numbers of this precision: what they cannot tell apart may be answered either way.
    Rounded {
        /// Bits of their significands.
        bits: u32,
    },
    /// An outside library with tolerances of its own; it may be wrong.
    Unproven,
}

/// What did the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Backend {
    /// One thread of the processor.
    #[default]
    Cpu,
    /// This many threads of the processor, or fewer if there was too little to do.
    Threads(u32),
    /// A graphics adapter, by name.
    Gpu(String),
    /// A software stand-in for what would run on a GPU, and why it was taken.
    Software(String),
}

/// The answer to one query; reuse it from query to query to keep its memory.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// Do they collide? Answered by every question, `Distance` and `NearerThan` included.
    pub verdict: Verdict,
    /// `FirstContact`: at most one; `AllContacts`: ascending, each once, cut at the cap.
    pub contacts: Vec<Contact>,
    /// Parallel to `contacts` if details were asked for, else empty.
    pub details: Vec<Detail>,
    /// How many contacts there are before the cap (`AllContacts`), else `contacts.len()`.
    pub contacts_found: u64,
    /// The least distance (`Distance` only).
    pub nearest: Option<Nearest>,
    /// Is the distance at most the one asked (`NearerThan` only)?
    pub nearer: Option<bool>,
    /// Is B wholly inside A (`ContainedIn` only)?
    #[cfg_attr(feature = "serde", serde(default))]
    pub contained: Option<bool>,
    /// Counters and stage times if asked for.
    pub statistics: Option<Statistics>,
    /// How much this answer can be trusted.
    pub certainty: Certainty,
    /// What did the work.
    pub backend: Backend,
}

impl Answer {
    /// Back to the default, keeping allocated memory. Engines call it first.
    pub fn clear(&mut self) {
        // Field by field: putting a new answer in its place takes 20 ns.
        let Self {
            verdict,
            contacts,
            details,
            contacts_found,
            nearest,
            nearer,
            contained,
            certainty,
            backend,
            statistics,
        } = self;
        contacts.clear();
        details.clear();
        (*verdict, *contacts_found, *certainty) = Default::default();
        (*nearest, *nearer, *contained) = (None, None, None);
        (*backend, *statistics) = (Backend::default(), None);
    }
}
