//! The edge-box traversal with today's means: whole patches dismiss their edges first, only
//! surviving edges are tested, and there are no barriers. Documented in
//! `docs/methods/edge-steal.md`.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Pose};
use impinge_hierarchy::build::{Builder, Leaves, Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::{Tree, TreeModel};
use impinge_query::{Control, PrepareError};

use crate::descent::{Descents, PatchModel};
use crate::engine::{Form, ParallelEngine};
use crate::patches::{MOST, Patches};
use crate::pool::Pool;
use crate::schedule::Schedule;

/// Parameters of [`edge_steal_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `patch` | 8 | most triangles per patch; clamped to 2 … 8 |
/// | `slice` | 24 | pairs of boxes that the first task opens |
/// | `pool` | ambient | its threads |
#[derive(Clone, Debug)]
pub struct EdgeStealParams {
    /// Most triangles per patch; clamped to 2 … 8.
    pub patch: usize,
    /// Pairs of boxes that the first task opens before it leaves the rest to others; a pair of
    /// patches counts as 6. Its children and grandchildren open twice as many, later generations 4,
    /// 8, … times; and all sixteen times as many if one contact is enough.
    pub slice: u32,
    /// Where the threads come from.
    pub pool: Pool,
}

impl Default for EdgeStealParams {
    fn default() -> Self {
        Self { patch: MOST, slice: 24, pool: Pool::default() }
    }
}

/// The [`Form`] of [`edge_steal`]: oriented boxes down to patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchTree {
    /// Most triangles per patch; clamped to 2 … 8.
    pub patch: usize,
    /// Pairs of boxes that the first task opens before it leaves the rest to others.
    pub slice: u32,
}

impl Form for PatchTree {
    type Model = PatchModel;
    type Scratch = ();
    type Tasks<'q> = Descents<'q>;
    const REPEATS: bool = false;

    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<PatchModel, PrepareError> {
        let most = Tree::<impinge_hierarchy::volume::ObbRows>::MAX_TRIANGLES;
        PrepareError::check_count(word, mesh.triangles().len(), most)?;
        let triangles = self.patch.clamp(2, MOST);
        let leaves = Leaves { triangles, depth: u32::MAX, boundaries: false };
        let tree = TopDown { leaves, ..TopDown::new(ObbRowsFit(ObbFit::AreaWeighted), Mean) };
        let tree = tree.build(mesh, control)?;
        let patches = Patches::new(mesh, &tree);
        Ok(PatchModel { tree: TreeModel::new(mesh.clone(), tree), patches })
    }

    fn tasks<'q>(
        &self,
        a: &'q PatchModel,
        b: &'q PatchModel,
        pose: &'q Pose,
        alone: bool,
        (): &mut (),
    ) -> Descents<'q> {
        Descents::new(a, b, pose, (!alone).then_some(self.slice.max(1)))
    }
}

/// Edges against patches by work stealing.
pub type EdgeSteal = ParallelEngine<PatchTree>;

/// Work stealing over patches with its defaults.
pub fn edge_steal() -> EdgeSteal {
    edge_steal_with(EdgeStealParams::default())
}

/// Work stealing over patches with chosen parameters.
pub fn edge_steal_with(params: EdgeStealParams) -> EdgeSteal {
    let title = "oriented boxes, surviving edges of patches, work stealing";
    let description = super::describe("edge-steal", title, "after fan §4.4");
    let form = PatchTree { patch: params.patch, slice: params.slice };
    ParallelEngine { description, form, schedule: Schedule::Stealing, pool: params.pool }
}
