//! What can be chosen.

/// What a pixel is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Never wrong: only proofs drop a pair, and only exact tests make a contact. The image says
    /// which pairs of patches to test first.
    #[default]
    Certified,
    /// As in the paper: a pixel of value 2 at two leaves is a collision, and a pair of hulls without
    /// one is apart. Wrong as often as the resolution is too low. The reported contact is the
    /// first triangle of either patch, which stands for the patch; they need not meet.
    Sampled,
}

/// Who draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Drawing {
    /// The rasteriser in plain Rust: the same answer on every machine.
    #[default]
    Software,
    /// The best graphics adapter, hardware before a software driver; where there is none, or this
    /// crate was built without its feature `wgpu`, [`Drawing::Software`], and
    /// [`Answer::backend`](impinge_query::Answer::backend) says why.
    Adapter,
    /// As `Adapter`, but only a software driver such as Mesa's: for tests.
    SoftwareAdapter,
}

/// Parameters of `ibcd` and `recode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// What a pixel is worth.
    pub mode: Mode,
    /// Who draws.
    pub drawing: Drawing,
    /// Pixels along one side of a pair's viewport, 1 … 4096; others are brought into that range.
    /// More: thinner overlaps are seen, and time grows with the square.
    pub resolution: u32,
    /// [`Mode::Certified`]: at most so many pairs of patches are drawn in a query, those whose boxes
    /// overlap deepest; the others go to the exact test without a picture. More: more pairs settled
    /// by the image, more time in software.
    pub drawn: usize,
    /// Meshes of more triangles are refused, since cutting them into convex patches takes long: 0.3 to
    /// 1 s for 10,000 triangles, 3 to 8 s and for spheres more for 100,000. Raise it to wait.
    pub largest: usize,
    /// `ibcd` only: are hulls sent as triangle strips? Without, as one triangle after another, to
    /// measure what strips are worth. `recode` has none.
    pub strips: bool,
}

impl Default for Params {
    /// Certified, in software, 32 pixels a side, at most [`Params::DRAWN`] pairs: of the overlapping
    /// pairs 95 % are settled, at 256 pixels 96 %, at some thirty times the time.
    fn default() -> Self {
        Self {
            mode: Mode::Certified,
            drawing: Drawing::Software,
            resolution: 32,
            drawn: Self::DRAWN,
            largest: Self::LARGEST,
            strips: true,
        }
    }
}

impl Params {
    /// The default of [`Params::drawn`].
    pub const DRAWN: usize = 8;
    /// The default of [`Params::largest`].
    pub const LARGEST: usize = 1 << 13;

    /// The paper's form at a resolution.
    pub fn sampled(resolution: u32) -> Self {
        Self { mode: Mode::Sampled, resolution, ..Self::default() }
    }

    /// The resolution in its range.
    pub(crate) fn side(&self) -> u32 {
        self.resolution.clamp(1, 4096)
    }
}
