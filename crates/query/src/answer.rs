//! Answers: the verdict, contacts in canonical order, distance, statistics, and their certainty.

use impinge_geometry::exact::Meeting;
use impinge_geometry::{Point, Vector};

use crate::Statistics;

/// Which mesh has a component inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Inner {
    /// A component of A lies inside B.
    A,
    /// A component of B lies inside A.
    B,
}

/// The answer to whether two meshes collide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Verdict {
    /// The surfaces share no point (and, for `Solids`, no component lies inside the other mesh).
    #[default]
    Separated,
    /// The surfaces share a point.
    Intersecting,
    /// The surfaces are apart and a component of one lies inside the other (`Solids` only).
    Contained(Inner),
}

impl Verdict {
    /// Whether the meshes collide: any verdict but `Separated`.
    pub const fn is_hit(self) -> bool {
        !matches!(self, Self::Separated)
    }

    /// The verdict as a lower-case word: `"separated"`, `"intersecting"` or `"contained"`.
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
    /// Unit normal of A's triangle, outward by its winding. If that triangle has no area: the
    /// reversed normal of B's triangle; zero if neither has area. Whether a triangle has area is
    /// decided exactly; the direction is off by less than 2⁻³⁸.
    pub normal: Vector,
}

/// The least distance and where it is attained, in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nearest {
    /// The distance in the meshes' unit; exactly 0 if and only if the surfaces meet (or, in
    /// `Solids`, one holds a component of the other).
    pub distance: f64,
    /// A point of A at that distance from `on_b`.
    pub on_a: Point,
    /// A point of posed B at that distance from `on_a`.
    pub on_b: Point,
    /// The pair of triangles that attains the distance. Another pair may be nearer within the error
    /// of the distance, which is proportional to the size of the truly nearest pair or of this one.
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
    /// Exact in result: `settled` pairs were decided by a fast proof, `resolved` pairs by the exact
    /// test.
    Certified {
        /// Pairs that the fast path decided.
        settled: u64,
        /// Pairs left to the exact test.
        resolved: u64,
    },
    /// Decided on samples; features between samples may be missed.
    Sampled {
        /// The most pixels along a side of an image.
        resolution: u32,
    },
    /// Decided at this floating-point precision. What it cannot distinguish may be answered either
    /// way.
    Rounded {
        /// Bits of the significand.
        bits: u32,
    },
    /// What is reported is decided exactly, but contacts may be missing, and with them the verdict: the
    /// method leaves out what its paper leaves out.
    Incomplete,
    /// Decided by an outside library with its own tolerances; it may be wrong.
    Unproven,
}

/// The hardware that computed an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Backend {
    /// One CPU thread.
    #[default]
    Cpu,
    /// Up to this many CPU threads; fewer if there was too little work.
    Threads(u32),
    /// A GPU, by the adapter's name.
    Gpu(String),
    /// A software implementation of GPU work, and why it was used.
    Software(String),
}

/// The answer to one query. Reuse it between queries to keep its allocations.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// Whether the meshes collide. Every question sets it, also `Distance` and `NearerThan`.
    pub verdict: Verdict,
    /// `FirstContact`: at most one, and none of a hit if only the verdict was wanted. `AllContacts`: ascending, without duplicates, cut at the cap.
    pub contacts: Vec<Contact>,
    /// One per element of `contacts`, in the same order, if details were asked for; else empty.
    pub details: Vec<Detail>,
    /// `AllContacts`: the number of contacts before the cap. `FirstContact` and `ContainedIn`: 1 for
    /// a hit by a contact or by another proof of one, else 0. 0 for the other questions.
    pub contacts_found: u64,
    /// The least distance (`Distance` only).
    pub nearest: Option<Nearest>,
    /// Whether the distance is at most the given one (`NearerThan` only).
    pub nearer: Option<bool>,
    /// Whether B is wholly inside A (`ContainedIn` only).
    #[cfg_attr(feature = "serde", serde(default))]
    pub contained: Option<bool>,
    /// Counters and stage times, if asked for.
    pub statistics: Option<Statistics>,
    /// How far this answer can be trusted.
    pub certainty: Certainty,
    /// The hardware that computed this answer.
    pub backend: Backend,
}

impl Answer {
    /// Resets to the default and keeps allocated memory. Engines call it first.
    pub fn clear(&mut self) {
        // Field by field: assigning a new answer takes 20 ns.
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
