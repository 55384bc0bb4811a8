//! Vertices and strips of both models side by side, as one submission needs them.

use crate::body::Parts;
use crate::pair::Pair;
use impinge_shaders::image::strip;

/// The hulls of a pair of models; kept from query to query.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) entries: Vec<u32>,
    /// Where B's entries begin.
    pub(crate) begin_b: u32,
    /// The same on an adapter, once it was sent there, and which one.
    #[cfg(feature = "wgpu")]
    pub(crate) sent: Option<(impinge_query::ModelId, impinge_gpu::image::HullBuffers)>,
}

impl Scene {
    /// What was kept of this pair, or made now; `None` if the hulls are too many to be drawn.
    pub(crate) fn kept<'s, M: Parts>(
        kept: &'s mut Option<Self>,
        pair: &Pair<'_, M>,
    ) -> Option<&'s mut Self> {
        if kept.is_none() {
            *kept = Self::new(pair);
        }
        kept.as_mut()
    }

    /// Both models' hulls; `None` if they are too many for 32-bit indices.
    pub(crate) fn new<M: Parts>(pair: &Pair<'_, M>) -> Option<Self> {
        let [a, b] = pair.bodies();
        let offset = u32::try_from(a.vertices().len()).ok()?;
        let begin_b = u32::try_from(a.entries().len()).ok()?;
        let all = a.vertices().len() + b.vertices().len();
        u32::try_from(a.entries().len() + b.entries().len()).ok()?;
        if all > strip::INDEX as usize {
            return None;
        }
        let moved = |entry: &u32| (entry & !strip::INDEX) | ((entry & strip::INDEX) + offset);
        Some(Self {
            vertices: a.vertices().iter().chain(b.vertices()).copied().collect(),
            entries: a.entries().iter().copied().chain(b.entries().iter().map(moved)).collect(),
            begin_b,
            #[cfg(feature = "wgpu")]
            sent: None,
        })
    }
}
