//! The balanced box tree (fan §4.3.2): an axis-aligned box is cut by the plane that leaves about as
//! many triangles on either side and crosses few.
//!
//! A triangle that crosses the plane belongs to both sides, and each side's box is clipped at the
//! plane. So a box contains the parts of its triangles that lie in its cell, not the whole
//! triangles. It is either the cell itself, or shrunk to the bounds of these parts.

use impinge_geometry::{Mesh, Triangle};
use impinge_hierarchy::build::Builder;
use impinge_hierarchy::volume::AxisBox;
use impinge_hierarchy::{Groups, Node, Tree};
use impinge_query::{Cancelled, Control, order};

/// Cuts boxes by the penalty function `f(p) = |n_l − n_r| + λ n_c` (fan eq. 4-2).
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `lambda` | 1 | weight of a triangle that crosses the plane; the paper names no value |
/// | `leaf` | 10 | a node with fewer triangles is a leaf (§4.3.2: "10, by experience") |
/// | `nearly` | 0.9 | largest share of a child; "nearly as many" in the paper |
/// | `copies` | 8 | bound on the triangles in all leaves |
/// | `shrink` | yes | whether boxes are shrunk; the paper only divides them |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balanced {
    /// `λ`, the weight of a triangle that crosses the plane.
    pub lambda: f64,
    /// A node with fewer triangles is a leaf.
    pub leaf: usize,
    /// A node becomes a leaf if a child would have more than this share of its triangles.
    pub nearly: f64,
    /// Bound on the triangles in all leaves, in units of the mesh's. Each side of a plane gets a
    /// part of it in proportion to its triangles.
    pub copies: usize,
    /// Whether a node's box is shrunk to its triangles. If not, it is the node's cell: one of the
    /// two parts of its parent's box, and the root's is the mesh's bounds.
    pub shrink: bool,
}

impl Default for Balanced {
    fn default() -> Self {
        Self { lambda: 1.0, leaf: 10, nearly: 0.9, copies: 8, shrink: true }
    }
}

impl Balanced {
    /// Largest depth of a tree over `n` triangles: four more than halving takes.
    pub fn depth(&self, n: usize) -> u32 {
        (n / self.leaf.max(1)).max(1).ilog2() + 4
    }
}

/// Lower and upper corner.
type Corners = [[f64; 3]; 2];

/// The triangles of a node, sorted by lowest and by highest coordinate along each axis.
struct Sorted {
    by_low: [Vec<u32>; 3],
    by_high: [Vec<u32>; 3],
}

impl Sorted {
    fn len(&self) -> usize {
        self.by_low[0].len()
    }
}

/// A plane perpendicular to an axis, and the numbers of triangles on its sides.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    at: f64,
    left: usize,
    right: usize,
    cost: f64,
}

/// A node to be built.
struct Task {
    node: usize,
    /// Its part of space.
    cell: Corners,
    triangles: Sorted,
    depth: u32,
    /// Most triangles in all leaves below.
    most: usize,
}

impl Builder for Balanced {
    type Volume = AxisBox;

    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<AxisBox>, Cancelled> {
        let bounds: Vec<Corners> = mesh.corners().map(|t| corners_of(&t)).collect();
        let total = bounds.len();
        let deepest = self.depth(total);
        let mut groups = Groups::repeating();
        let mut nodes = vec![Node::leaf(AxisBox::new([0.0; 3], [0.0; 3]), 0)];
        let everywhere = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        let cell = if self.shrink { everywhere } else { wrap(&everywhere, bounds.iter()) };
        let triangles = sorted(&bounds, control)?;
        let root_most = total.saturating_mul(self.copies.max(1));
        let mut tasks = vec![Task { node: 0, cell, triangles, depth: 0, most: root_most }];
        let mut done = 0;
        while let Some(Task { node, cell, triangles, depth, most }) = tasks.pop() {
            control.check()?;
            let volume = if self.shrink {
                wrap(&cell, triangles.by_low[0].iter().map(|&t| &bounds[t as usize]))
            } else {
                cell
            };
            let n = triangles.len();
            let cut = (n >= self.leaf.max(2) && depth < deepest)
                .then(|| self.cut(&volume, &triangles, &bounds))
                .flatten()
                .filter(|cut| cut.left + cut.right <= most);
            let [low, high] = volume;
            let volume = AxisBox::new(low, high);
            let Some(cut) = cut else {
                let leaf = groups.push(triangles.by_low[0].iter().copied());
                nodes[node] = Node::leaf(volume, leaf);
                done += n;
                control.report("build", done.min(total) as u64, total as u64);
                continue;
            };
            let (mut left, mut right) = (cell, cell);
            left[1][cut.axis] = cut.at;
            right[0][cut.axis] = cut.at;
            let [in_left, in_right] = divide(&triangles, &cut, &bounds);
            let pair = nodes.len();
            nodes[node] = Node::inner(volume, pair as u32);
            nodes.extend([Node::leaf(volume, 0); 2]);
            let depth = depth + 1;
            // The bound is divided in proportion to the sides' triangles.
            let of_left = (most as f64 * cut.left as f64 / (cut.left + cut.right) as f64) as usize;
            let of_left = of_left.clamp(cut.left, most - cut.right);
            let of_right = most - of_left;
            let child = |node, cell, triangles, most| Task { node, cell, triangles, depth, most };
            tasks.push(child(pair + 1, right, in_right, of_right));
            tasks.push(child(pair, left, in_left, of_left));
        }
        Ok(Tree::with_groups(nodes, groups))
    }
}

impl Balanced {
    /// The plane of least penalty through a corner's coordinate; `None` if it would leave nearly
    /// everything on one side. O(n), because both lists are sorted.
    fn cut(&self, volume: &Corners, triangles: &Sorted, bounds: &[Corners]) -> Option<Cut> {
        let n = triangles.len();
        let mut best: Option<Cut> = None;
        for axis in 0..3 {
            let lows = triangles.by_low[axis].iter().map(|&t| bounds[t as usize][0][axis]);
            let highs = triangles.by_high[axis].iter().map(|&t| bounds[t as usize][1][axis]);
            let (low, high) = (volume[0][axis], volume[1][axis]);
            for (at, below, above) in planes(lows, highs, n) {
                if at <= low || at >= high {
                    continue;
                }
                let crossing = n - below - above;
                let cost = below.abs_diff(above) as f64 + self.lambda * crossing as f64;
                if best.is_none_or(|best| cost < best.cost) {
                    let (left, right) = (below + crossing, above + crossing);
                    best = Some(Cut { axis, at, left, right, cost });
                }
            }
        }
        best.filter(|cut| cut.left.max(cut.right) as f64 <= self.nearly * n as f64)
    }
}

/// All planes through the ends of intervals of positive length: the coordinate, the number of
/// intervals that end at or before it, and the number that begin at or after it.
fn planes(
    lows: impl Iterator<Item = f64>,
    highs: impl Iterator<Item = f64>,
    n: usize,
) -> impl Iterator<Item = (f64, usize, usize)> {
    let (mut lows, mut highs) = (lows.peekable(), highs.peekable());
    let (mut begun, mut ended) = (0, 0);
    std::iter::from_fn(move || {
        let at = match (lows.peek(), highs.peek()) {
            (Some(&low), Some(&high)) => low.min(high),
            (Some(&at), None) | (None, Some(&at)) => at,
            (None, None) => return None,
        };
        let before = begun;
        while lows.next_if(|&low| low == at).is_some() {
            begun += 1;
        }
        while highs.next_if(|&high| high == at).is_some() {
            ended += 1;
        }
        Some((at, ended, n - before))
    })
}

/// Bounds of a triangle, extended by one unit in the last place along an axis to which it is
/// perpendicular, so that it lies on one side of every plane that only touches it.
fn corners_of(t: &Triangle) -> Corners {
    let low = [0, 1, 2].map(|k| t[0][k].min(t[1][k]).min(t[2][k]));
    let high = [0, 1, 2].map(|k| t[0][k].max(t[1][k]).max(t[2][k]));
    [low, [0, 1, 2].map(|k| if high[k] > low[k] { high[k] } else { low[k].next_up() })]
}

/// All triangles in their six orders; ties are broken by index.
fn sorted(bounds: &[Corners], control: &Control<'_>) -> Result<Sorted, Cancelled> {
    let by = |end: usize, axis: usize| {
        let key = |corners: &Corners| ascending(corners[end][axis]);
        let mut all: Vec<(u64, u32)> = bounds.iter().map(key).zip(0..).collect();
        order::sort_by(&mut all, |x| x.0, <[_]>::sort_unstable, control)?;
        Ok(all.into_iter().map(|x| x.1).collect())
    };
    let by = |end: usize| Ok::<_, Cancelled>([by(end, 0)?, by(end, 1)?, by(end, 2)?]);
    Ok(Sorted { by_low: by(0)?, by_high: by(1)? })
}

/// An integer with the order of [`f64::total_cmp`].
const fn ascending(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The bounds of some triangles, clipped to their cell.
fn wrap<'b>(cell: &Corners, all: impl Iterator<Item = &'b Corners>) -> Corners {
    let mut box_ = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for [low, high] in all {
        for k in 0..3 {
            box_[0][k] = box_[0][k].min(low[k]);
            box_[1][k] = box_[1][k].max(high[k]);
        }
    }
    for k in 0..3 {
        box_[0][k] = box_[0][k].max(cell[0][k]);
        box_[1][k] = box_[1][k].min(cell[1][k]);
    }
    box_
}

/// The triangles of both sides of a plane, in the same orders.
fn divide(triangles: &Sorted, cut: &Cut, bounds: &[Corners]) -> [Sorted; 2] {
    let side = |list: &Vec<u32>, inside: &dyn Fn(&Corners) -> bool| -> Vec<u32> {
        list.iter().copied().filter(|&t| inside(&bounds[t as usize])).collect()
    };
    let on = |inside: &dyn Fn(&Corners) -> bool| Sorted {
        by_low: [0, 1, 2].map(|k| side(&triangles.by_low[k], inside)),
        by_high: [0, 1, 2].map(|k| side(&triangles.by_high[k], inside)),
    };
    [on(&|b| b[0][cut.axis] < cut.at), on(&|b| b[1][cut.axis] > cut.at)]
}
