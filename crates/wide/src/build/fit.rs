//! Fits boxes bottom-up: of leaves from their corners, of nodes from their children's results.

use impinge_geometry::{Mesh, prefetch};
use rayon::prelude::*;

use super::extents::{Seeker, Widen};
use super::frames::{choose, orthonormal};
use super::lanes::{Corners, EMPTY, Range, Source, least_box, less, more};
use super::meter::Meter;
use super::moments::Moments;
use super::turn::{AXES, Axes, turned};
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, LEAF, Leaf, Node, Tree};

/// Subtrees of at most this many nodes are fitted by one thread.
pub(super) const GRAIN: usize = 128;

/// Fits the box of every lane.
///
/// If the build is cancelled, some lanes are left without a box, and [`Meter::finish`] is an error.
pub(super) fn fit(tree: &mut Tree, mesh: &Mesh, width: Width, meter: &Meter<'_>) {
    let share = mesh.triangles().len() as f64 / tree.nodes.len() as f64;
    run(tree, mesh, width, None, Some((meter, share)));
}

/// Fits the boxes again, with the axes that lanes have.
pub(super) fn refit(tree: &mut Tree, mesh: &Mesh, width: Width) {
    run(tree, mesh, width, Some(AXES), None);
}

fn run(
    tree: &mut Tree,
    mesh: &Mesh,
    width: Width,
    axes: Option<Axes>,
    told: Option<(&Meter<'_>, f64)>,
) {
    let source = Source::of(tree.frame, mesh);
    let fitter = Fitter { source, width, told };
    let Tree { nodes, leaves, .. } = tree;
    let all = nodes.change(|nodes| {
        leaves.change(|leaves| {
            let below = Below { nodes, base: 0, leaves, first: 0 };
            fitter.subtree(below, axes)
        })
    });
    tree.surfaces = all.surfaces;
}

/// The nodes and leaves of a subtree, and the indices of the first ones.
struct Below<'n> {
    nodes: &'n mut [Node],
    base: u32,
    leaves: &'n mut [Leaf],
    first: u32,
}

struct Fitter<'m> {
    source: Source<'m>,
    width: Width,
    /// Where progress is reported, and the number of triangles per node.
    told: Option<(&'m Meter<'m>, f64)>,
}

/// Result of fitting a subtree: one box around all of it, and its moments.
struct Patch {
    /// Origin of the range.
    origin: [f32; 3],
    axes: Axes,
    range: Range,
    /// Bounds in the model's frame.
    bounds: Range,
    moments: Moments,
    /// Sum over all boxes of their surfaces over eight.
    surfaces: f64,
}

/// A child that is an inner node: its lane, and its subtree.
struct Piece<'n> {
    lane: usize,
    below: Below<'n>,
    axes: Option<Axes>,
}

impl Fitter<'_> {
    /// Fits a subtree. If `axes` are given, its box gets these, and all boxes below keep theirs.
    fn subtree(&self, below: Below<'_>, axes: Option<Axes>) -> Patch {
        let Below { nodes, base, leaves, first } = below;
        let parallel = nodes.len() > GRAIN;
        if parallel && self.told.is_some_and(|(meter, _)| meter.check().is_err()) {
            return Patch::nothing();
        }
        let [node, rest @ ..] = nodes else { return Patch::nothing() };
        let inner = Below { nodes: rest, base: base + 1, leaves, first };
        let pieces = pieces(node, inner, axes.is_some());
        let fit = |piece: Piece<'_>| (piece.lane, self.subtree(piece.below, piece.axes));
        let told = |piece: Piece<'_>| {
            let count = piece.below.nodes.len();
            let nodes = if count > GRAIN { 0 } else { count };
            let fitted = fit(piece);
            self.tell(nodes);
            fitted
        };
        let patches: Vec<(usize, Patch)> = if parallel {
            pieces.into_par_iter().map(told).collect()
        } else {
            let mut patches = Vec::with_capacity(pieces.len());
            let mut pieces = pieces.into_iter();
            while let Some(piece) = pieces.next() {
                self.prefetch(pieces.as_slice());
                patches.push(fit(piece));
            }
            patches
        };
        let source = &self.source;
        let mut patch =
            self.width.run(Own { source, node, leaves, first, patches: &patches, axes });
        if !patches.is_empty() {
            let seeker = Seeker {
                nodes: rest,
                base: base + 1,
                leaves,
                first,
                source,
                axes: patch.axes.map(|a| a.map(f64::from)),
                origin: patch.origin.map(f64::from),
            };
            self.width.run(Widen { seeker, node, range: &mut patch.range });
        }
        if axes.is_none() {
            patch.or_bounds();
        }
        patch
    }
}

impl Piece<'_> {
    /// The leaves of its node.
    fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        let Below { nodes, leaves, first, .. } = &self.below;
        let (node, first) = (nodes.first(), *first);
        let children = node.map_or(&[][..], |node| &node.child[..node.lanes as usize]);
        let of_leaves = children.iter().filter(|&child| child & LEAF != 0);
        of_leaves.map(move |child| &leaves[((child & !LEAF) - first) as usize])
    }
}

impl Fitter<'_> {
    /// Prefetches what the next pieces read, one step of it a piece: leaves name triangles, and these
    /// name vertices.
    fn prefetch(&self, pieces: &[Piece<'_>]) {
        if let Some(third) = pieces.get(2) {
            third.leaves().for_each(prefetch);
        }
        if let Some(second) = pieces.get(1) {
            self.source.prefetch_triangles(second.leaves());
        }
        if let Some(next) = pieces.first() {
            self.source.prefetch_corners(next.leaves());
        }
    }

    /// Reports that this many nodes are fitted.
    fn tell(&self, nodes: usize) {
        if let Some((meter, share)) = self.told {
            meter.advance((nodes as f64 * share) as u64);
        }
    }
}

/// The subtrees of those children of a node that are inner nodes, of what is below it.
fn pieces<'n>(node: &Node, below: Below<'n>, keep: bool) -> Vec<Piece<'n>> {
    let Below { nodes: mut rest, mut base, mut leaves, mut first } = below;
    let lanes = node.lanes as usize;
    let inner: Vec<usize> = (0..lanes).filter(|&l| node.child[l] & LEAF == 0).collect();
    // The first leaf of a lane.
    let leaf_of = |l: usize, nodes: &[Node], base: u32| {
        let mut child = node.child[l];
        while child & LEAF == 0 {
            child = nodes[(child - base) as usize].child[0];
        }
        child & !LEAF
    };
    let mut pieces = Vec::with_capacity(inner.len());
    for (i, &lane) in inner.iter().enumerate() {
        let from = leaf_of(lane, rest, base) - first;
        let to = if lane + 1 < lanes {
            leaf_of(lane + 1, rest, base) - first
        } else {
            leaves.len() as u32
        };
        let end = inner.get(i + 1).map_or(base + rest.len() as u32, |&next| node.child[next]);
        let (nodes, after) = rest.split_at_mut((end - base) as usize);
        let (_, of_lane) = leaves.split_at_mut(from as usize);
        let (of_lane, of_others) = of_lane.split_at_mut((to - from) as usize);
        let axes = keep.then(|| node.get(lane).axes);
        let below = Below { nodes, base, leaves: of_lane, first: first + from };
        pieces.push(Piece { lane, below, axes });
        (rest, base) = (after, end);
        (leaves, first) = (of_others, first + to);
    }
    pieces
}

impl Patch {
    fn nothing() -> Self {
        let (origin, moments) = ([0.0; 3], Moments::default());
        Self { origin, axes: AXES, range: EMPTY, bounds: EMPTY, moments, surfaces: 0.0 }
    }

    /// Takes the model's axes unless the box on its own axes has less surface.
    fn or_bounds(&mut self) {
        let surface = |[low, high]: &Range| {
            let s = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
            s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
        };
        if !(surface(&self.range) < surface(&self.bounds)) {
            self.axes = AXES;
            let from = |p: &[f64; 3]| [0, 1, 2].map(|k: usize| p[k] - f64::from(self.origin[k]));
            self.range = self.bounds.each_ref().map(from);
        }
    }
}

/// Fits one node's lanes, places the corners of its leaves, and returns its patch, with the range of its leaves only.
struct Own<'a> {
    source: &'a Source<'a>,
    node: &'a mut Node,
    /// The leaves below the node; the first has index `first`.
    leaves: &'a mut [Leaf],
    first: u32,
    patches: &'a [(usize, Patch)],
    axes: Option<Axes>,
}

impl Task for Own<'_> {
    type Out = Patch;

    #[inline(always)]
    fn run<S: Simd>(self) -> Patch {
        let Self { source, node, leaves, first, patches, axes } = self;
        let mut patch = Patch::nothing();
        let mut corners = Corners::of(node, source, leaves, first);
        corners.place(node, leaves, first, &mut patch.bounds);
        for (_, inner) in patches {
            for k in 0..3 {
                patch.bounds[0][k] = less(inner.bounds[0][k], patch.bounds[0][k]);
                patch.bounds[1][k] = more(inner.bounds[1][k], patch.bounds[1][k]);
            }
        }
        for k in 0..3 {
            patch.origin[k] = (0.5 * (patch.bounds[0][k] + patch.bounds[1][k])) as f32;
        }
        node.origin = patch.origin;
        corners.shift(&patch.origin);
        if corners.lanes != 0 {
            let frames = match axes {
                Some(_) => node.axes,
                None => choose(&corners, &mut patch.moments),
            };
            corners.wrap(&frames, node);
        }
        for (lane, inner) in patches {
            patch.place(node, *lane, inner);
        }
        node.settle();
        patch.surfaces += surfaces(node);
        patch.axes = match axes {
            Some(axes) => axes,
            None => turned(&principal(&patch.moments), node),
        };
        corners.range(&patch.axes, &mut patch.range);
        for k in 0..3 {
            patch.moments.mean[k] += f64::from(patch.origin[k]);
        }
        patch
    }
}

impl Patch {
    /// Puts a child's box into its lane and adds its moments, shifted to this node's origin.
    #[inline(always)]
    fn place(&mut self, node: &mut Node, lane: usize, inner: &Self) {
        let mut way = [0.0; 3];
        let mut moments = inner.moments;
        for k in 0..3 {
            way[k] = f64::from(inner.origin[k]) - f64::from(self.origin[k]);
            moments.mean[k] -= f64::from(self.origin[k]);
        }
        let mut range = inner.range;
        for j in 0..3 {
            let a = &inner.axes[j];
            let shift =
                f64::from(a[0]) * way[0] + f64::from(a[1]) * way[1] + f64::from(a[2]) * way[2];
            range[0][j] += shift;
            range[1][j] += shift;
        }
        node.set(lane, &least_box(&inner.axes, &range));
        self.moments.join(&moments);
        self.surfaces += inner.surfaces;
    }
}

/// Principal axes in 32 bits; the model's axes if there are none.
#[inline(always)]
fn principal(moments: &Moments) -> Axes {
    match moments.axes() {
        Some(axes) => match orthonormal(&axes) {
            (axes, true) => axes,
            _ => AXES,
        },
        None => AXES,
    }
}

/// Sum over a node's boxes of their surfaces over eight.
#[inline(always)]
fn surfaces(node: &Node) -> f64 {
    let mut sum = 0.0;
    for l in 0..node.lanes as usize % (LANES + 1) {
        let h = [node.half[0][l], node.half[1][l], node.half[2][l]];
        sum += f64::from(h[0] * h[1] + h[1] * h[2] + h[2] * h[0]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model's axes are replaced only by a box of less surface, not by one of the same.
    #[test]
    fn axes_are_the_models_unless_others_have_a_smaller_box() {
        let turned = [AXES[1], AXES[2], AXES[0]];
        let bounds = [[1.0, 2.0, 3.0], [3.0, 6.0, 9.0]];
        let origin = [2.0, 4.0, 6.0];
        // Half-lengths on the turned axes; the first gives the same surface as the bounds.
        for (half, own) in
            [([2.0, 3.0, 1.0], false), ([2.0, 3.0, 1.01], false), ([2.0, 3.0, 0.99], true)]
        {
            let range = [half.map(|x: f64| -x), half];
            let mut patch = Patch { origin, axes: turned, range, bounds, ..Patch::nothing() };
            patch.or_bounds();
            let models = [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]];
            let expected = if own { (turned, range) } else { (AXES, models) };
            assert_eq!((patch.axes, patch.range), expected, "{half:?}");
        }
    }
}
