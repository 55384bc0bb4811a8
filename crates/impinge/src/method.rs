//! [`Method`]: every method by its word and kind. This is all that the bench, the command line and
//! the tests know about methods; a new one is one row of the table below.

use std::fmt;
use std::str::FromStr;

use impinge_hierarchy as hierarchy;
use impinge_image as image;
use impinge_parallel as parallel;
use impinge_query::{Description, Detector};
use impinge_wide as wide;

#[cfg(feature = "parry")]
use crate::outside;

/// What a method promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Decides by exact arithmetic and proven bounds: rounding may cost time, never a verdict.
    Exact,
    /// As its paper prints it, where that loses contacts; beside an exact form to compare with. What
    /// it reports is true.
    Faithful,
    /// Somebody else's library behind our interface, to compare with; it may be wrong.
    Outside,
}

impl Kind {
    /// `"exact"`, `"faithful"` or `"outside"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Faithful => "faithful",
            Self::Outside => "outside",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// One row of the table of methods.
struct Row {
    word: &'static str,
    kind: Kind,
    build: fn() -> Box<dyn Detector>,
}

/// Makes the enum and its table from the same rows, so that they cannot disagree.
macro_rules! methods {
    ($(
        $(#[doc = $doc:literal])+
        $(#[cfg(feature = $feature:literal)])?
        $name:ident = $word:literal, $kind:ident, $engine:expr;
    )+) => {
        /// A collision detection method.
        ///
        /// ```
        /// use impinge::Method;
        /// let method: Method = "obbtree".parse()?;
        /// assert_eq!(method, Method::ObbTree);
        /// assert_eq!(method.to_string(), "obbtree");
        /// assert!(method.description().exact);
        /// assert!("obtree".parse::<Method>().is_err());
        /// # Ok::<(), impinge::UnknownMethod>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Method {
            $( $(#[doc = $doc])+ $(#[cfg(feature = $feature)])? $name, )+
        }

        const ALL: &[Method] = &[$( $(#[cfg(feature = $feature)])? Method::$name, )+];

        const TABLE: &[Row] = &[$(
            $(#[cfg(feature = $feature)])?
            Row { word: $word, kind: Kind::$kind, build: || Box::new($engine) },
        )+];
    };
}

// The exact ones first, then faithful ones, the outside ones last: this is the order of every table and report.
methods! {
    /// Sixteen oriented boxes at a time: the fast engine.
    Wide = "wide", Exact, wide::wide();
    /// The OBB tree of Gottschalk, Lin and Manocha (RAPID), the baseline of the papers.
    ObbTree = "obbtree", Exact, hierarchy::obbtree();
    /// The sphere-AABB hybrid, li's baseline.
    SphereAabb = "sphere-aabb", Exact, hierarchy::sphere_aabb();
    /// The AABB-OBB hybrid with area centroids (li).
    AabbObb = "aabb-obb", Exact, hierarchy::aabb_obb();
    /// Spheres, boxes with spheres, OBBs: the hybrid li argues against.
    ThreeLayer = "three-layer", Exact, hierarchy::three_layer();
    /// The AABB tree that follows deformations (OPCODE).
    AabbRefit = "aabb-refit", Exact, hierarchy::aabb_refit();
    /// The OBB tree on five axes that restarts at the last contact (xie).
    ReducedAxes = "reduced-axes", Exact, hierarchy::reduced_axes();
    /// The maize-leaf pipeline: AABB, octree cells, OBBs, tip first.
    Leaf = "leaf", Exact, hierarchy::methods::leaf();
    /// The AABB tree that tests the boundary edges of patches first.
    EdgeNodes = "edge-nodes", Exact, hierarchy::methods::edge_nodes();
    /// The 18-DOP tree (QuickCD).
    KDop = "kdop", Exact, hierarchy::kdop();
    /// The sphere tree.
    Sphere = "sphere", Exact, hierarchy::sphere();
    /// The tree of rectangle-swept spheres (PQP).
    SweptSphere = "swept-sphere", Exact, hierarchy::swept_sphere();
    /// GJK with proofs, for convex bodies only; others are refused.
    Gjk = "gjk", Exact, hierarchy::gjk();
    /// Balanced box trees, box against box, serial (fan's SSTCD).
    Sstcd = "sstcd", Exact, parallel::sstcd();
    /// The same, each level of the task tree in parallel (fan's SPCD).
    Spcd = "spcd", Exact, parallel::spcd();
    /// Balanced box trees, all edges against each box, serial (fan's ESCD).
    Escd = "escd", Exact, parallel::escd();
    /// The same, 32 tasks at once (fan's EPCD).
    Epcd = "epcd", Exact, parallel::epcd();
    /// Oriented boxes down to patches, their surviving edges, work stealing.
    EdgeSteal = "edge-steal", Exact, parallel::edge_steal();
    /// Convex patches in depth and stencil images, certified (fan's IBCD); closed meshes only.
    Ibcd = "ibcd", Exact, image::ibcd();
    /// All pairs of convex patches in such images, certified (the baseline RECODE); closed meshes only.
    Recode = "recode", Exact, image::recode();
    /// The maize-leaf pipeline as printed, which loses contacts beside a split plane.
    LeafFaithful = "leaf-faithful", Faithful, hierarchy::methods::leaf_faithful();
    /// parry3d in 32 bits by its own mesh queries: first contact and distance only.
    #[cfg(feature = "parry")]
    Parry = "parry", Outside, outside::parry::Parry;
    /// parry3d in 32 bits by its simultaneous descent: all contacts too.
    #[cfg(feature = "parry")]
    ParryPairs = "parry-pairs", Outside, outside::parry::ParryPairs;
}

impl Default for Method {
    /// The method to take when nobody asks for another.
    fn default() -> Self {
        Self::Wide
    }
}

impl Method {
    /// Every method of this build, exact ones first.
    pub const fn all() -> &'static [Self] {
        ALL
    }

    const fn row(self) -> &'static Row {
        // A variant's number is its row: both come from the same macro call.
        &TABLE[self as usize]
    }

    /// Its one word: the name on the command line, in reports and of its page in `docs/methods/`.
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// What it promises.
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// What it says of itself: title, paper, needs, the questions it answers.
    pub fn description(self) -> Description {
        *self.build().describe()
    }

    /// The engine, boxed, with its default parameters. Cheap: nothing is prepared yet.
    pub fn build(self) -> Box<dyn Detector> {
        (self.row().build)()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no [`Method`] of this build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown method \"{word}\"; known are {}", known_words())]
pub struct UnknownMethod {
    /// The unknown word.
    pub word: String,
}

fn known_words() -> String {
    TABLE.iter().map(|row| row.word).collect::<Vec<_>>().join(", ")
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(word: &str) -> Result<Self, UnknownMethod> {
        (ALL.iter().copied())
            .find(|method| method.word() == word)
            .ok_or_else(|| UnknownMethod { word: word.to_owned() })
    }
}
