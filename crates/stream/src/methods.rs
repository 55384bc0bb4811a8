//! The methods by name, and their parameters. Documented in `docs/methods/stream-basic.md`,
//! `stream-tree.md` and `stream-shrink.md`.

use impinge_query::{Description, QuestionKind};

use crate::engine::StreamEngine;

/// How much 32-bit arithmetic decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Never wrong: what the proven error bound of the 32-bit test leaves open is decided exactly.
    #[default]
    Certified,
    /// As in the text of the paper, without its misprints: the 32-bit test decides, and may be wrong
    /// near the border of a triangle and where an edge ends.
    Sampled,
    /// As in the paper's figures and flow chart:
    /// - fig. 3-8 misses the borders `u = 1` and `u + v = 1` and every determinant below 1e-6 in the
    ///   meshes' unit; a parameter `t < 0` becomes depth 0 and so a hit; `t` equal to the length of
    ///   the edge is a miss.
    /// - fig. 3-9 divides by the components of a direction, which may be 0.
    /// - §3.5.1 and §3.5.3 say "apart" if no edge of A meets B's root box, without swapping the
    ///   roles; §3.5.3 leaves the other nodes unvisited when no edge meets one.
    AsPrinted,
}

/// What is left out before edges are tested against a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Culling {
    /// Nothing (S0, fan §3.3).
    Nothing,
    /// Triangles below a box that no edge meets (S1, fan §3.5.1).
    Triangles,
    /// Also the edges that do not meet the box above (S2, fan §3.5.2, §3.5.3).
    Edges,
}

/// Where streams run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// On the processor, with the counts of the paper's draws.
    #[default]
    Cpu,
    /// By compute kernels of a graphics adapter, with the certified answers of [`Form::Cpu`]. If
    /// there is none, or this crate was built without its feature `wgpu`, or for
    /// [`Mode::AsPrinted`], [`Form::Cpu`] answers, and
    /// [`Answer::backend`](impinge_query::Answer::backend) tells why.
    Compute,
    /// On a graphics adapter as in the paper: the edges in textures, a quad for each triangle, a
    /// depth test. It has the answers of [`Form::Compute`] and the same replacement. Boxes are not
    /// drawn: the kernels of [`Form::Compute`] find what they leave.
    Raster,
}

impl Form {
    /// The form of an engine that is given an adapter.
    #[cfg(feature = "wgpu")]
    pub(crate) const fn on_adapter(self) -> Self {
        match self {
            Self::Cpu | Self::Compute => Self::Compute,
            Self::Raster => Self::Raster,
        }
    }
}

/// The adapter of [`Form::Compute`] and [`Form::Raster`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The best one, hardware before a software driver.
    #[default]
    Adapter,
    /// Only a software driver such as Mesa's: for tests.
    SoftwareAdapter,
}

/// Parameters of the streaming methods.
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `mode` | certified | whether 32 bits decide what they cannot prove |
/// | `form` | on the processor | where the tests run |
/// | `device` | the best adapter | which adapter runs them |
/// | `largest` | 32,768 | `stream-basic` refuses meshes with more triangles |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// How much 32-bit arithmetic decides.
    pub mode: Mode,
    /// Where the tests run.
    pub form: Form,
    /// The adapter of [`Form::Compute`] and [`Form::Raster`].
    pub device: Device,
    /// `stream-basic` only: meshes with more triangles are refused, because the time of a query is
    /// proportional to the product of edges and triangles.
    pub largest: usize,
}

impl Default for Params {
    fn default() -> Self {
        let (form, device) = (Form::Cpu, Device::Adapter);
        Self { mode: Mode::Certified, form, device, largest: Self::LARGEST }
    }
}

impl Params {
    /// The default of [`Params::largest`].
    pub const LARGEST: usize = 1 << 15;

    /// The paper's form, decided by 32-bit arithmetic, without its misprints.
    pub const fn sampled() -> Self {
        let (form, device) = (Form::Cpu, Device::Adapter);
        Self { mode: Mode::Sampled, form, device, largest: Self::LARGEST }
    }

    /// The paper's form with the errors of its figures: [`Mode::AsPrinted`].
    pub const fn as_printed() -> Self {
        Self { mode: Mode::AsPrinted, ..Self::sampled() }
    }
}

/// All edges against all triangles, certified.
pub fn stream_basic() -> StreamEngine {
    stream_basic_with(Params::default())
}

/// All edges against all triangles, with chosen parameters.
pub fn stream_basic_with(params: Params) -> StreamEngine {
    const TITLE: &str = "all edges against each triangle in 32 bits";
    StreamEngine::new(describe("stream-basic", TITLE, "fan §3.3"), Culling::Nothing, params)
}

/// Triangles culled by a box tree, certified.
pub fn stream_tree() -> StreamEngine {
    stream_tree_with(Params::default())
}

/// Triangles culled by a box tree, with chosen parameters.
pub fn stream_tree_with(params: Params) -> StreamEngine {
    const TITLE: &str = "all edges against boxes, then triangles, in 32 bits";
    StreamEngine::new(describe("stream-tree", TITLE, "fan §3.5.1"), Culling::Triangles, params)
}

/// Triangles and edges culled by a box tree, certified.
pub fn stream_shrink() -> StreamEngine {
    stream_shrink_with(Params::default())
}

/// Triangles and edges culled by a box tree, with chosen parameters.
pub fn stream_shrink_with(params: Params) -> StreamEngine {
    const TITLE: &str = "surviving edges against boxes, then triangles, in 32 bits";
    let description = describe("stream-shrink", TITLE, "fan §3.5.2, §3.5.3");
    StreamEngine::new(description, Culling::Edges, params)
}

/// The description of a certified method of this family.
const fn describe(word: &'static str, title: &'static str, paper: &'static str) -> Description {
    Description::exact(word, title, paper, QuestionKind::OF_CONTACTS)
}
