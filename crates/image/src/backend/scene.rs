//! The hulls of both models in shared buffers, for one submission.

use crate::body::Parts;
use crate::pair::Pair;
use impinge_shaders::image::strip::{self, RESTART};

/// The hulls of a pair of models, kept between queries.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) entries: Vec<u32>,
    /// Index of B's first entry.
    pub(crate) begin_b: u32,
    /// The adapter to which the hulls were last sent, and the buffers there.
    #[cfg(feature = "wgpu")]
    pub(crate) sent: Option<(impinge_query::ModelId, impinge_gpu::image::HullBuffers)>,
}

impl Scene {
    /// The kept scene of this pair, or a new one; `None` if the hulls are too many to draw.
    pub(crate) fn kept<'s, M: Parts>(
        kept: &'s mut Option<Self>,
        pair: &Pair<'_, M>,
    ) -> Option<&'s mut Self> {
        if kept.is_none() {
            *kept = Self::new(pair);
        }
        kept.as_mut()
    }

    /// The hulls of both models; `None` if they are too many for 32-bit indices.
    pub(crate) fn new<M: Parts>(pair: &Pair<'_, M>) -> Option<Self> {
        let [a, b] = pair.bodies();
        let offset = u32::try_from(a.vertices().len()).ok()?;
        let begin_b = u32::try_from(a.entries().len()).ok()?;
        let all = a.vertices().len() + b.vertices().len();
        u32::try_from(a.entries().len() + b.entries().len()).ok()?;
        if all > strip::LARGEST as usize {
            return None;
        }
        let moved = |&entry: &u32| if entry == RESTART { RESTART } else { entry + offset };
        Some(Self {
            vertices: a.vertices().iter().chain(b.vertices()).copied().collect(),
            entries: a.entries().iter().copied().chain(b.entries().iter().map(moved)).collect(),
            begin_b,
            #[cfg(feature = "wgpu")]
            sent: None,
        })
    }
}
