//! The tree of the maize-leaf pipeline (anthology 5 §2).
//!
//! 1. The mesh's AABB is divided once into eight equal cells. A triangle belongs to the cell of its
//!    centroid, and a cell's volume is the AABB of its triangles. In the binary tree these are up
//!    to three levels of halving, one per coordinate; halves without triangles are left out.
//! 2. Each cell has a binary tree of OBBs by vertex covariance, split at the median along the
//!    longest axis, with at most `depth` levels; leaves hold the remaining triangles. Triangles
//!    that cross the plane are assigned by their centroid.
//! 3. Of two siblings the one closer to the tip comes first.
//! 4. Every OBB node keeps the triangles that cross the plane between its children.
//!
//! *Tip.* The end of the mesh's longest axis whose outer sixth has less area.

use impinge_geometry::volume::{Obb, ObbFit};
use impinge_geometry::{Mesh, Point, Vector};
use impinge_query::{Cancelled, Control};

use super::fit::Extent;
use super::set::heard;
use super::split::{height, partition};
use super::{Builder, Item, Passes};
use crate::groups::Groups;
use crate::tree::{Node, Tree};
use crate::volume::Hybrid;

/// Builds an AABB, its eight cells, and OBB trees in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafPipeline {
    /// Levels of OBBs below that of the cell; clamped to 8. The paper's is 3.
    pub depth: u32,
}

impl Builder for LeafPipeline {
    type Volume = Hybrid;

    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<Hybrid>, Cancelled> {
        let passes = Passes::new(control);
        let items = Item::all(mesh, &passes)?;
        let whole = heard(&items, &passes).aabb();
        let (origin, tip) = towards_tip(&items, &passes);
        passes.finish()?;
        let root = Node::leaf(Hybrid::from(&whole), 0);
        let mut work = Work {
            depth: self.depth.min(8),
            center: whole.center(),
            origin,
            tip,
            nodes: vec![root],
            groups: Groups::default(),
            beside: Vec::new(),
            items,
        };
        let total = work.items.len();
        work.cells(0, [0, total], 0, &passes)?;
        passes.finish()?;
        control.report("build", total as u64, total as u64);
        for Beside { node, positions, crossing, level } in work.beside {
            work.groups.set_beside(node, positions, &crossing, level, total);
        }
        Ok(Tree::with_groups(work.nodes, work.groups))
    }
}

/// Data kept for a node; added to the groups at the end, so that the leaves' groups are contiguous.
struct Beside {
    node: usize,
    positions: [u32; 2],
    crossing: Vec<u32>,
    level: u32,
}

struct Work {
    depth: u32,
    center: Point,
    origin: Point,
    tip: Vector,
    nodes: Vec<Node<Hybrid>>,
    groups: Groups,
    beside: Vec<Beside>,
    items: Vec<Item>,
}

impl Work {
    /// Halves the node's triangles along `axis` and the later coordinates, then builds OBBs.
    fn cells(
        &mut self,
        node: usize,
        [from, to]: [usize; 2],
        axis: usize,
        passes: &Passes<'_>,
    ) -> Result<(), Cancelled> {
        if axis == 3 {
            return self.oriented(node, [from, to], 0, passes);
        }
        passes.finish()?;
        let range = &mut self.items[from..to];
        let (zero, along, at) = (Point::origin(), Vector::ith(axis, 1.0), self.center[axis]);
        let low = partition(range, passes, |item| height(&item.corners, &zero, &along) < at);
        if low == 0 || low == range.len() {
            return self.cells(node, [from, to], axis + 1, passes);
        }
        let volume = Hybrid::from(&heard(range, passes).aabb());
        let middle = from + self.tip_first(from, low, to);
        let position = self.groups.position();
        let pair = self.open(node, volume);
        self.cells(pair, [from, middle], axis + 1, passes)?;
        self.cells(pair + 1, [middle, to], axis + 1, passes)?;
        self.keep(node, position, Vec::new(), 0);
        Ok(())
    }

    /// Splits the node's triangles at the median of the longest axis of their OBB.
    fn oriented(
        &mut self,
        node: usize,
        [from, to]: [usize; 2],
        level: u32,
        passes: &Passes<'_>,
    ) -> Result<(), Cancelled> {
        passes.finish()?;
        let range = &mut self.items[from..to];
        let obb = heard(range, passes).obb(ObbFit::VertexCovariance);
        let position = self.groups.position();
        if level == self.depth || range.len() == 1 {
            let group = self.groups.push(range.iter().map(|item| item.index));
            self.nodes[node] = Node::leaf(Hybrid::from(&obb), group);
            self.keep(node, position, Vec::new(), level);
            return Ok(());
        }
        let extent = Extent::from(&obb);
        let axis = extent.axes[extent.longest_first()[0]];
        let along = |item: &Item| height(&item.corners, &extent.center, &axis);
        let half = range.len() / 2;
        range.select_nth_unstable_by(half, |s, t| {
            along(s).total_cmp(&along(t)).then(s.index.cmp(&t.index))
        });
        let plane = along(&range[half]);
        let over = |p: &Point| (p - extent.center).dot(&axis) > plane;
        let crosses = |item: &&Item| {
            let sides = item.corners.map(|p| over(&p));
            sides.contains(&true) && sides.contains(&false)
        };
        let crossing = passes.over(range).filter(crosses).map(|item| item.index).collect();
        let middle = from + self.tip_first(from, half, to);
        let pair = self.open(node, Hybrid::from(&obb));
        self.oriented(pair, [from, middle], level + 1, passes)?;
        self.oriented(pair + 1, [middle, to], level + 1, passes)?;
        self.keep(node, position, crossing, level);
        Ok(())
    }

    /// Moves the part closer to the tip to the front; `low` triangles are in the first part.
    /// Returns the size of the part that is now in front.
    fn tip_first(&mut self, from: usize, low: usize, to: usize) -> usize {
        let range = &mut self.items[from..to];
        let towards = |part: &[Item]| {
            let sum: f64 = part.iter().map(|t| height(&t.corners, &self.origin, &self.tip)).sum();
            sum / part.len() as f64
        };
        if towards(&range[low..]) > towards(&range[..low]) {
            range.rotate_left(low);
            range.len() - low
        } else {
            low
        }
    }

    fn open(&mut self, node: usize, volume: Hybrid) -> usize {
        let pair = self.nodes.len();
        self.nodes[node] = Node::inner(volume, pair as u32);
        self.nodes.extend([Node::leaf(volume, 0); 2]);
        pair
    }

    fn keep(&mut self, node: usize, from: u32, crossing: Vec<u32>, level: u32) {
        let positions = [from, self.groups.position()];
        self.beside.push(Beside { node, positions, crossing, level });
    }
}

/// The centre of the mesh and the direction to its tip.
pub(crate) fn towards_tip(items: &[Item], passes: &Passes<'_>) -> (Point, Vector) {
    let fitted = Obb::fit(ObbFit::VertexCovariance, heard(items, passes).triangles());
    let obb = fitted.unwrap_or_else(|| Obb::of_triangle(&items[0].corners));
    let extent = Extent::from(&obb);
    let longest = extent.longest_first()[0];
    let (axis, reach) = (extent.axes[longest], extent.half[longest]);
    // Relative to the box, so that no product overflows.
    let unit = 1.0 / reach.max(f64::MIN_POSITIVE);
    let (mut low, mut high) = (0.0, 0.0);
    for item in passes.over(items) {
        let at = height(&item.corners, &extent.center, &axis) * unit;
        let [p, q, r] = item.corners;
        let area = ((q - p) * unit).cross(&((r - p) * unit)).norm();
        if at < -2.0 / 3.0 {
            low += area;
        } else if at > 2.0 / 3.0 {
            high += area;
        }
    }
    (obb.center, if low < high { -axis } else { axis })
}

#[cfg(test)]
mod tests;
