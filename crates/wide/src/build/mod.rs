//! Building: triangles are cut in two until a leaf holds the parts, up to sixteen parts are grouped
//! into a node, then every lane gets its box.

mod binary;
mod collapse;
mod extents;
mod fit;
mod frames;
mod lanes;
mod meter;
mod moments;
pub(crate) mod morton;
mod parts;
mod record;
#[cfg(test)]
mod same_bits;
mod split;
#[cfg(test)]
mod tests;
mod turn;

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};
use impinge_threads::pool;

use crate::frame::Frame;
use crate::simd::Width;
use crate::tree::Tree;
use binary::{ByCode, BySurface, Grower};
use meter::Meter;
pub(crate) use parts::part;
use record::Record;

/// How the tree is cut: trades build time against pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quality {
    /// Surface-area heuristic over bins: the best trees.
    #[default]
    SurfaceArea,
    /// Morton codes of centroids: built in a fraction of the time; queries take more steps.
    Morton,
}

/// Builds the tree of a mesh, on all threads of the pool it is called in. The tree does not depend
/// on their number, nor on `width`.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn build(
    mesh: &Mesh,
    quality: Quality,
    width: Width,
    control: &Control<'_>,
) -> Result<Tree, Cancelled> {
    pool::enter(|| build_here(mesh, quality, width, control))
}

fn build_here(
    mesh: &Mesh,
    quality: Quality,
    width: Width,
    control: &Control<'_>,
) -> Result<Tree, Cancelled> {
    let frame = Frame::of(mesh);
    let n = mesh.triangles().len();
    let mut records = record::records(mesh, &frame);
    control.check()?;
    let meter = Meter::new(control, 2 * n as u64);
    let grower = Grower { meter: &meter, node: 1.0 / n as f32 };
    let (part, ids): (_, Vec<u32>) = match quality {
        Quality::SurfaceArea => {
            let part = grower.part(BySurface(&mut records, width), 0, 0)?.0;
            (part, records.iter().map(Record::id).collect())
        }
        Quality::Morton => {
            let keys = morton::keys(&records, control)?;
            let order = ByCode { keys: &keys, records: &records };
            (grower.part(order, 0, 0)?.0, keys.into_iter().map(morton::index).collect())
        }
    };
    drop(records);
    control.check()?;
    let (nodes, leaves) = collapse::nodes(&part, &ids);
    drop((part, ids));
    control.check()?;
    let mut tree = Tree { frame, nodes: nodes.into(), leaves: leaves.into(), surfaces: 0.0 };
    fit::fit(&mut tree, mesh, width, &meter);
    meter.finish()?;
    Ok(tree)
}

/// Fits the boxes and corners of a tree to moved vertices; keeps the frames of boxes. `frame` is that of
/// the mesh.
pub(crate) fn refit(tree: &mut Tree, mesh: &Mesh, frame: Frame, width: Width) {
    // Boxes are recomputed in any case, so the model's frame may change too.
    tree.frame = frame;
    if tree.nodes.len() > fit::GRAIN {
        pool::enter(|| fit::refit(tree, mesh, width));
    } else {
        fit::refit(tree, mesh, width);
    }
}
