//! Top-down: fit a box, split at the mean along its longest axis, one triangle to a leaf
//! (fan §1.3.3.3; anthology 4 §2.1). If all centroids fall on one side, the other axes are tried,
//! and if none divides them, the list is halved.

use impinge_geometry::volume::{Obb, ObbFit};
use impinge_geometry::{Mesh, Point, Triangle, Vector};
use impinge_query::{Cancelled, Control};

use super::Builder;
use crate::tree::{Node, Tree};
use crate::volume::ObbRows;

/// Oriented boxes split at the mean of the triangle centroids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeanSplit {
    /// How a box's axes are found.
    pub fit: ObbFit,
}

/// A triangle on its way to its leaf; corners are copied, so that every pass reads in order.
#[derive(Clone, Copy)]
struct Item {
    corners: Triangle,
    index: u32,
}

/// A node whose volume and children are still to be made.
struct Task {
    node: usize,
    from: usize,
    to: usize,
}

impl Builder for MeanSplit {
    type Volume = ObbRows;

    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<ObbRows>, Cancelled> {
        let mut items: Vec<Item> =
            mesh.corners().zip(0..).map(|(corners, index)| Item { corners, index }).collect();
        let total = items.len();
        let mut nodes = Vec::with_capacity(2 * total - 1);
        nodes.push(Node::leaf(ObbRows::POINT, 0));
        let mut tasks = vec![Task { node: 0, from: 0, to: total }];
        let mut done = 0;
        while let Some(Task { node, from, to }) = tasks.pop() {
            let range = &mut items[from..to];
            let obb = self.wrap(range);
            let volume = ObbRows::from(&obb);
            if let [item] = range {
                nodes[node] = Node::leaf(volume, item.index);
                done += 1;
                if done % (1 + total / 100) == 0 {
                    control.check()?;
                    control.report("build", done as u64, total as u64);
                }
                continue;
            }
            let middle = from + split(range, &obb);
            let pair = nodes.len();
            nodes[node] = Node::inner(volume, pair as u32);
            nodes.extend([Node::leaf(volume, 0); 2]);
            tasks.push(Task { node: pair + 1, from: middle, to });
            tasks.push(Task { node: pair, from, to: middle });
        }
        control.check()?;
        Ok(Tree::from_nodes(nodes))
    }
}

impl MeanSplit {
    /// The box of these triangles, of which there is at least one.
    fn wrap(self, items: &[Item]) -> Obb {
        match Obb::fit(self.fit, items.iter().map(|item| item.corners)) {
            Some(obb) if items.len() > 1 => obb,
            _ => Obb::of_triangle(&items[0].corners),
        }
    }
}

/// Orders the items so that those below the mean come first, and returns how many these are: at
/// least one and not all.
fn split(items: &mut [Item], obb: &Obb) -> usize {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| obb.half[j].total_cmp(&obb.half[i]));
    for axis in axes {
        let direction: Vector = obb.axes.column(axis).into_owned();
        let along = |item: &Item| height(&item.corners, &obb.center, &direction);
        let mean = items.iter().map(along).sum::<f64>() / items.len() as f64;
        let below = partition(items, |item| along(item) < mean);
        if below > 0 && below < items.len() {
            return below;
        }
    }
    items.len() / 2
}

/// A third of the sum of the corners' heights above `origin`; overflow is out of reach, since
/// coordinates are at most 1e300.
fn height(corners: &Triangle, origin: &Point, direction: &Vector) -> f64 {
    let over = |p: &Point| (p - origin).dot(direction) / 3.0;
    over(&corners[0]) + over(&corners[1]) + over(&corners[2])
}

/// Moves the items for which `first` holds to the front; returns their number.
fn partition(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut next = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(next, i);
            next += 1;
        }
    }
    next
}
