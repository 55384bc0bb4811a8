//! [`Method`]: the table of all methods. The benchmarks, the command line and the tests know
//! methods only through it; a new method is one new row below.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "methods")]
use impinge_hierarchy as hierarchy;
#[cfg(feature = "methods")]
use impinge_image as image;
#[cfg(feature = "methods")]
use impinge_parallel as parallel;
use impinge_query::{Description, Detector};
#[cfg(feature = "methods")]
use impinge_scene as scene;
#[cfg(feature = "methods")]
use impinge_separate as separate;
#[cfg(feature = "methods")]
use impinge_stream as stream;
use impinge_wide as wide;

#[cfg(feature = "parry")]
use crate::outside;

/// What a method guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Decides by exact arithmetic and proven bounds: rounding may cost time but never changes a
    /// verdict.
    Exact,
    /// As published, or one change away from it, where that form misses contacts; there is an exact
    /// form to compare with. Every contact it reports is true.
    Faithful,
    /// Another library behind this interface, for comparison; it may be wrong.
    Outside,
}

impl Kind {
    /// The name in reports: `"exact"`, `"faithful"` or `"outside"`.
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

/// Makes the enum and its table from the same rows, so that they agree.
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
        /// let method: Method = "wide".parse()?;
        /// assert_eq!(method, Method::Wide);
        /// assert_eq!(method.to_string(), "wide");
        /// assert!(method.description().exact);
        /// assert!("wade".parse::<Method>().is_err());
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

        /// The methods that this build leaves out, each with its feature.
        const LEFT_OUT: &[(&str, &str)] = &[$(
            $( #[cfg(not(feature = $feature))] ($word, $feature), )?
        )+];
    };
}

// Exact methods first, then faithful, then outside: the order of every table and report.
methods! {
    /// Trees of sixteen oriented boxes per node, tested with SIMD: the fast engine.
    Wide = "wide", Exact, wide::wide();
    /// The OBB tree of Gottschalk, Lin and Manocha (RAPID), the baseline of the other papers.
    #[cfg(feature = "methods")]
    ObbTree = "obbtree", Exact, hierarchy::obbtree();
    /// The sphere-AABB hybrid, the baseline of li.
    #[cfg(feature = "methods")]
    SphereAabb = "sphere-aabb", Exact, hierarchy::sphere_aabb();
    /// The AABB-OBB hybrid with area centroids (li).
    #[cfg(feature = "methods")]
    AabbObb = "aabb-obb", Exact, hierarchy::aabb_obb();
    /// Spheres, then OBBs with spheres, then OBBs: the hybrid li argues against.
    #[cfg(feature = "methods")]
    ThreeLayer = "three-layer", Exact, hierarchy::three_layer();
    /// The AABB tree with refitting for deforming meshes (OPCODE).
    #[cfg(feature = "methods")]
    AabbRefit = "aabb-refit", Exact, hierarchy::aabb_refit();
    /// The OBB tree with five separating axes that restarts at the last contact (xie).
    #[cfg(feature = "methods")]
    ReducedAxes = "reduced-axes", Exact, hierarchy::reduced_axes();
    /// The maize-leaf pipeline: AABB, octree cells, OBBs, tip first.
    #[cfg(feature = "methods")]
    Leaf = "leaf", Exact, hierarchy::methods::leaf();
    /// The AABB tree that tests the boundary edges of patches first.
    #[cfg(feature = "methods")]
    EdgeNodes = "edge-nodes", Exact, hierarchy::methods::edge_nodes();
    /// The 18-DOP tree (QuickCD).
    #[cfg(feature = "methods")]
    KDop = "kdop", Exact, hierarchy::kdop();
    /// The sphere tree.
    #[cfg(feature = "methods")]
    Sphere = "sphere", Exact, hierarchy::sphere();
    /// The tree of rectangle-swept spheres (PQP).
    #[cfg(feature = "methods")]
    SweptSphere = "swept-sphere", Exact, hierarchy::swept_sphere();
    /// GJK with proofs, for convex bodies only; others are refused.
    #[cfg(feature = "methods")]
    Gjk = "gjk", Exact, hierarchy::gjk();
    /// Balanced box trees, box against box, serial (SSTCD of fan).
    #[cfg(feature = "methods")]
    Sstcd = "sstcd", Exact, parallel::sstcd();
    /// As `sstcd`, with each level of the task tree in parallel (SPCD of fan).
    #[cfg(feature = "methods")]
    Spcd = "spcd", Exact, parallel::spcd();
    /// Balanced box trees, all edges against each box, serial (ESCD of fan).
    #[cfg(feature = "methods")]
    Escd = "escd", Exact, parallel::escd();
    /// As `escd`, 32 tasks at once (EPCD of fan).
    #[cfg(feature = "methods")]
    Epcd = "epcd", Exact, parallel::epcd();
    /// Oriented boxes down to patches, their surviving edges, work stealing.
    #[cfg(feature = "methods")]
    EdgeSteal = "edge-steal", Exact, parallel::edge_steal();
    /// Convex patches in depth and stencil images, certified (IBCD of fan); closed meshes only.
    #[cfg(feature = "methods")]
    Ibcd = "ibcd", Exact, image::ibcd();
    /// As `ibcd`, but all pairs of convex patches (the baseline RECODE); closed meshes only.
    #[cfg(feature = "methods")]
    Recode = "recode", Exact, image::recode();
    /// Layered depth images that guide exact tests (LDI of sbv).
    #[cfg(feature = "methods")]
    Ldi = "ldi", Exact, image::ldi::ldi();
    /// All edges against each triangle in 32 bits, certified (SCD0 of fan).
    #[cfg(feature = "methods")]
    StreamBasic = "stream-basic", Exact, stream::stream_basic();
    /// As `stream-basic`, for triangles in boxes that an edge meets (SCD1 of fan).
    #[cfg(feature = "methods")]
    StreamTree = "stream-tree", Exact, stream::stream_tree();
    /// As `stream-tree`, with only the edges that meet the box above (SCD2 of fan).
    #[cfg(feature = "methods")]
    StreamShrink = "stream-shrink", Exact, stream::stream_shrink();
    /// Two box trees level by level, triangles in 32 bits, certified; on an adapter thousands of poses
    /// at once (today's form of fan ch. 3).
    #[cfg(feature = "methods")]
    StreamPairs = "stream-pairs", Exact, stream::stream_pairs();
    /// Separating bounding volumes: a plane of largest margin, or the region without one; nothing is
    /// built, so that a refit is a copy.
    #[cfg(feature = "methods")]
    Sbv = "sbv", Exact, separate::sbv();
    /// As `sbv`, with layered depth images of the region for the detailed test.
    #[cfg(feature = "methods")]
    SbvLdi = "sbv-ldi", Exact, crate::sbv_ldi::sbv_ldi();
    /// An octree, AABB trees in the cells that both objects share, and a descent from where the last
    /// one stopped.
    #[cfg(feature = "methods")]
    OctreeFront = "octree-front", Exact, scene::front::octree_front();
    /// The maize-leaf pipeline that stops at a contact beside a split plane, and misses others.
    #[cfg(feature = "methods")]
    LeafBlock = "leaf-block", Faithful, hierarchy::methods::leaf_block();
    /// The maize-leaf pipeline as published, which misses contacts and verdicts beside split planes.
    #[cfg(feature = "methods")]
    LeafFaithful = "leaf-faithful", Faithful, hierarchy::methods::leaf_faithful();
    /// parry3d in f32 by its own mesh queries: first contact and distance only.
    #[cfg(feature = "parry")]
    Parry = "parry", Outside, outside::parry::Parry;
    /// parry3d in f32 by its simultaneous descent: first contact and all contacts.
    #[cfg(feature = "parry")]
    ParryPairs = "parry-pairs", Outside, outside::parry::ParryPairs;
}

impl Default for Method {
    /// The fast exact engine.
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
        // A variant's discriminant is its row: both come from the same macro call.
        &TABLE[self as usize]
    }

    /// Its name on the command line, in reports and of its page in `docs/methods/`.
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// What the method guarantees.
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// Title, paper, requirements, and the questions it answers.
    pub fn description(self) -> Description {
        *self.build().describe()
    }

    /// The engine, boxed, with default parameters. Cheap: nothing is prepared.
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
#[error("{}; known are {}", self.what_is_wrong(), known_words())]
pub struct UnknownMethod {
    /// The word that was looked up.
    pub word: String,
    /// The feature that the method of this word needs, if this build leaves it out.
    pub feature: Option<&'static str>,
}

impl UnknownMethod {
    fn what_is_wrong(&self) -> String {
        let Self { word, feature } = self;
        match feature {
            Some(feature) => format!(
                "this build leaves out the method \"{word}\": its feature \"{feature}\" is off"
            ),
            None => format!("unknown method \"{word}\""),
        }
    }
}

fn known_words() -> String {
    TABLE.iter().map(|row| row.word).collect::<Vec<_>>().join(", ")
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(word: &str) -> Result<Self, UnknownMethod> {
        ALL.iter().copied().find(|method| method.word() == word).ok_or_else(|| {
            let left_out = LEFT_OUT.iter().find(|(method, _)| *method == word);
            UnknownMethod { word: word.to_owned(), feature: left_out.map(|(_, feature)| *feature) }
        })
    }
}
