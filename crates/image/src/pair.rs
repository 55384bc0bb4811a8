//! Two models and B's pose, during one query.

use impinge_decompose::{Content, Node};
use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Pose, Triangle};
use impinge_shaders::image::{PairDraw, Placed, View};

use crate::backend::Picture;
use crate::body::{Body, Parts};
use crate::ibcd::ImageModel;
use crate::params::Sizes;

/// Indices of a node of A's hierarchy and one of B's.
pub(crate) type Nodes = [u32; 2];

/// A, B, and the pose of B in A's frame.
#[derive(Debug)]
pub struct Pair<'q, M = ImageModel> {
    pub(crate) a: &'q M,
    pub(crate) b: &'q M,
    pub(crate) pose: &'q Pose,
}

impl Pair<'_> {
    pub(crate) fn nodes(&self, [m, n]: Nodes) -> [&Node; 2] {
        [&self.a.tree().nodes()[m as usize], &self.b.tree().nodes()[n as usize]]
    }

    /// Both boxes in A's frame.
    pub(crate) fn boxes(&self, nodes: Nodes) -> [Obb; 2] {
        let [m, n] = self.nodes(nodes);
        [m.obb, n.obb.posed(self.pose)]
    }

    /// The two patches, if both nodes are leaves.
    pub(crate) fn patches(&self, nodes: Nodes) -> Option<[u32; 2]> {
        let [m, n] = self.nodes(nodes).map(|node| match node.content {
            Content::Patch(patch) => Some(patch),
            Content::Children(_) => None,
        });
        m.zip(n).map(|(p, q)| [p, q])
    }

    /// Appends the pairs of every child of one with every child of the other; a leaf counts as its
    /// own child (fan §2.4.1, step 4).
    pub(crate) fn children(&self, nodes: Nodes, into: &mut Vec<Nodes>) {
        let [m, n] = self.nodes(nodes);
        let of = |node: &Node, itself: u32| match node.content {
            Content::Patch(_) => ([itself; 2], 1),
            Content::Children(pair) => (pair, 2),
        };
        let ((left, i), (right, j)) = (of(m, nodes[0]), of(n, nodes[1]));
        for &p in &left[..i] {
            into.extend(right[..j].iter().map(|&q| [p, q]));
        }
    }
}

impl<M: Parts> Pair<'_, M> {
    pub(crate) fn bodies(&self) -> [&Body; 2] {
        [self.a.body(), self.b.body()]
    }

    /// Whether both hulls have volume and are encoded.
    pub(crate) fn can_be_drawn(&self, [m, n]: [u32; 2]) -> bool {
        self.a.body().hull(m).length > 0 && self.b.body().hull(n).length > 0
    }

    /// The picture of two hulls, with B's entries starting at `begin_b`; `None` if the map exceeds
    /// the range of 32 bits.
    pub(crate) fn picture(
        &self,
        [m, n]: [u32; 2],
        view: &View,
        (begin_b, sizes): (u32, Sizes),
    ) -> Option<Picture> {
        let still = Pose::identity();
        let place = |body: &Body, hull: u32, pose: &Pose, offset: u32| {
            let rows = view.rows(&body.to_world(pose)).ok()?;
            Some(Placed::new(rows, body.hull(hull).after(offset)))
        };
        let first = place(self.a.body(), m, &still, 0)?;
        let second = place(self.b.body(), n, self.pose, begin_b)?;
        Some(Picture { draw: PairDraw { first, second }, size: sizes.of(view) })
    }

    pub(crate) fn triangle_a(&self, t: u32) -> Triangle {
        self.a.body().mesh().triangle(t)
    }

    /// A triangle of B in A's frame.
    pub(crate) fn triangle_b(&self, t: u32) -> Triangle {
        self.b.body().mesh().triangle(t).map(|p| self.pose.apply(&p))
    }

    /// The triangles of two patches' hulls, in A's frame.
    pub(crate) fn hulls(&self, [p, q]: [u32; 2]) -> [Vec<[Point; 3]>; 2] {
        let still = Pose::identity();
        let [a, b] = self.bodies();
        [a.corners(p, &still).collect(), b.corners(q, self.pose).collect()]
    }
}
