//! Fits boxes bottom-up: of leaves from their corners, of nodes from their children's results.

use impinge_geometry::Mesh;
use rayon::prelude::*;

use super::extents::{Seeker, Widen};
use super::frames::{choose, orthonormal};
use super::lanes::{Corners, EMPTY, Range, Source, less, more, put};
use super::meter::Meter;
use super::moments::Moments;
use crate::simd::{Simd, Task, Width};
use crate::tree::{CORNERS, LANES, LEAF, Leaf, Node, Tree};

/// Subtrees of at most this many nodes are fitted by one thread.
pub(super) const GRAIN: usize = 128;

const AXES: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Axes of a box: `axes[j]` is axis `j`.
type Axes = [[f32; 3]; 3];

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
    let source = Source::of(tree.frame, &tree.leaves, mesh);
    let fitter = Fitter { source, width, told };
    let all = tree.nodes.change(|nodes| fitter.subtree(nodes, 0, axes));
    tree.surfaces = all.surfaces;
    place_corners(tree, mesh, width);
}

/// Stores the corners of all leaves.
pub(super) fn place_corners(tree: &mut Tree, mesh: &Mesh, width: Width) {
    let source = Source::of(tree.frame, &[], mesh);
    tree.leaves.change(|leaves| place(leaves, &source, width));
}

/// Leaves whose corners are stored by one thread.
const LEAVES: usize = 1 << 12;

/// Stores the corners of leaves.
fn place(leaves: &mut [Leaf], source: &Source<'_>, width: Width) {
    let some = |leaves| width.run(PlaceCorners { leaves, source });
    if leaves.len() > LEAVES {
        leaves.par_chunks_mut(LEAVES).for_each(some);
    } else {
        some(leaves);
    }
}

struct PlaceCorners<'a> {
    leaves: &'a mut [Leaf],
    source: &'a Source<'a>,
}

impl Task for PlaceCorners<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for leaf in self.leaves {
            let mut at = [[0.0; CORNERS]; 3];
            for corner in 0..CORNERS {
                let p = self.source.corner(leaf, corner);
                for c in 0..3 {
                    at[c][4 * (corner % 3) + corner / 3] = p[c];
                }
            }
            leaf.place(&at);
        }
    }
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
    nodes: &'n mut [Node],
    base: u32,
    axes: Option<Axes>,
}

impl Fitter<'_> {
    /// Fits the subtree of the first of `nodes`, whose index is `base`. If `axes` are given, its
    /// box gets these, and all boxes below keep theirs.
    fn subtree(&self, nodes: &mut [Node], base: u32, axes: Option<Axes>) -> Patch {
        let parallel = nodes.len() > GRAIN;
        if parallel && self.told.is_some_and(|(meter, _)| meter.check().is_err()) {
            return Patch::nothing();
        }
        let [node, rest @ ..] = nodes else { return Patch::nothing() };
        let pieces = pieces(node, rest, base + 1, axes.is_some());
        let fit =
            |piece: Piece<'_>| (piece.lane, self.subtree(piece.nodes, piece.base, piece.axes));
        let told = |piece: Piece<'_>| {
            let nodes = if piece.nodes.len() > GRAIN { 0 } else { piece.nodes.len() };
            let fitted = fit(piece);
            self.tell(nodes);
            fitted
        };
        let patches: Vec<(usize, Patch)> = if parallel {
            pieces.into_par_iter().map(told).collect()
        } else {
            pieces.into_iter().map(fit).collect()
        };
        let mut patch = self.width.run(Own { source: &self.source, node, patches: &patches, axes });
        if !patches.is_empty() {
            let seeker = Seeker {
                nodes: rest,
                base: base + 1,
                source: &self.source,
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

impl Fitter<'_> {
    /// Reports that this many nodes are fitted.
    fn tell(&self, nodes: usize) {
        if let Some((meter, share)) = self.told {
            meter.advance((nodes as f64 * share) as u64);
        }
    }
}

/// The subtrees of those children of a node that are inner nodes.
fn pieces<'n>(node: &Node, mut rest: &'n mut [Node], mut base: u32, keep: bool) -> Vec<Piece<'n>> {
    let lanes: Vec<usize> =
        (0..node.lanes as usize).filter(|&l| node.child[l] & LEAF == 0).collect();
    let mut pieces = Vec::with_capacity(lanes.len());
    for (i, &lane) in lanes.iter().enumerate() {
        let end = lanes.get(i + 1).map_or(base + rest.len() as u32, |&next| node.child[next]);
        let (nodes, after) = rest.split_at_mut((end - base) as usize);
        let axes = keep.then(|| node.get(lane).axes);
        pieces.push(Piece { lane, nodes, base, axes });
        (rest, base) = (after, end);
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

/// Fits one node's lanes and returns its patch, with the range of its leaves only.
struct Own<'a> {
    source: &'a Source<'a>,
    node: &'a mut Node,
    patches: &'a [(usize, Patch)],
    axes: Option<Axes>,
}

impl Task for Own<'_> {
    type Out = Patch;

    #[inline(always)]
    fn run<S: Simd>(self) -> Patch {
        let Self { source, node, patches, axes } = self;
        let mut patch = Patch::nothing();
        let mut corners = Corners::of(node, source);
        corners.bounds(&mut patch.bounds);
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
            None => principal(&patch.moments),
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
        put(node, lane, &inner.axes, &range);
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
