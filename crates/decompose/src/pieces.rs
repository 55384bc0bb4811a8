//! The binary hierarchy of convex pieces (fan 2003, §2.3.2 and §2.3.3).
//!
//! 1. Every patch is a piece, with the centre of mass of its hull; of a flat one, of its area.
//! 2. The covariance of the centres of a node's pieces (eq. 2-4) gives three axes. The pieces are
//!    sorted along the axis with the largest extent of the centres, and divided at the median.
//! 3. Repeat until a node has one piece.
//! 4. From the leaves up, a node's hull is the convex hull of the vertices of its children's hulls,
//!    by exact signs; its box is fitted to the hull's triangles (eq. 2-5, 2-6) and contains them.

use std::collections::HashMap;

use impinge_geometry::volume::{ConvexHull, HullShape, LocalFrame, Moments, Obb, ObbFit};
use impinge_geometry::{Mesh, Point, Vector};
use impinge_threads::Control;

use crate::{DecomposeError, Decomposition, Hull};

/// The content of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Content {
    /// One patch, by its index: a leaf.
    Patch(u32),
    /// Two children, whose indices are larger than the node's.
    Children([u32; 2]),
}

/// A node: the hull of its pieces, and a box around it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Node {
    /// The convex hull of all its pieces.
    pub hull: Hull,
    /// Whether the hull has no volume; it then has one side only.
    pub flat: bool,
    /// A box that contains the hull, rounded outward.
    pub obb: Obb,
    /// A patch or two children.
    pub content: Content,
}

/// The hierarchy of the pieces of a decomposition. Node 0 is the root.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredTree"))]
pub struct PatchTree {
    pub(crate) nodes: Vec<Node>,
}

impl PatchTree {
    /// Builds the hierarchy. Depth: log₂ of the number of patches, rounded up. Progress stage:
    /// `"hierarchy"` (nodes).
    ///
    /// # Errors
    /// [`DecomposeError::Cancelled`], or [`DecomposeError::AnotherMesh`] if the decomposition does
    /// not fit this mesh.
    pub fn new(
        mesh: &Mesh,
        decomposition: &Decomposition,
        control: &Control<'_>,
    ) -> Result<Self, DecomposeError> {
        let patches = decomposition.patches();
        let known = |v: &u32| (*v as usize) < mesh.vertices().len();
        let fits = patches.iter().all(|p| p.hull().vertices().iter().all(known));
        if !fits || decomposition.patch_of().len() != mesh.triangles().len() {
            return Err(DecomposeError::AnotherMesh);
        }
        let centres: Vec<Point> =
            patches.iter().map(|p| centre_of_mass(mesh, p.hull(), p.is_flat())).collect();
        let contents = divide(&centres);
        let mut nodes: Vec<Option<Node>> = vec![None; contents.len()];
        let step = (contents.len() / 50).max(16);
        for (k, &content) in contents.iter().enumerate().rev() {
            if k.is_multiple_of(step) {
                control.check()?;
                control.report("hierarchy", (contents.len() - k) as u64, contents.len() as u64);
            }
            let (hull, flat) = match content {
                Content::Patch(p) => {
                    let patch = &patches[p as usize];
                    (patch.hull().clone(), patch.is_flat())
                }
                Content::Children(pair) => {
                    let below = pair.map(|c| nodes[c as usize].as_ref().map(|n| &n.hull));
                    hull_of(mesh, below.into_iter().flatten())
                }
            };
            let obb = Obb::fit(ObbFit::VertexCovariance, hull.corners(mesh));
            let obb = obb.ok_or(DecomposeError::AnotherMesh)?;
            nodes[k] = Some(Node { hull, flat, obb, content });
        }
        let mut nodes: Vec<Node> = nodes.into_iter().flatten().collect();
        nodes.shrink_to_fit();
        Ok(Self { nodes })
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The root: the hull of all pieces.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The number of levels from the root to the deepest leaf, both included.
    pub fn depth(&self) -> usize {
        let mut level = vec![1; self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            if let Content::Children(pair) = node.content {
                for c in pair {
                    level[c as usize] = level[k] + 1;
                }
            }
        }
        level.into_iter().max().unwrap_or(0)
    }
}

/// The contents of the nodes over pieces with these centres, parents before children.
fn divide(centres: &[Point]) -> Vec<Content> {
    let mut contents = vec![Content::Patch(0)];
    let mut open = vec![(0usize, (0..centres.len() as u32).collect::<Vec<u32>>())];
    while let Some((node, mut pieces)) = open.pop() {
        if let [one] = pieces[..] {
            contents[node] = Content::Patch(one);
            continue;
        }
        let axis = longest_axis(centres, &pieces);
        let along = |p: u32| axis.dot(&(centres[p as usize] - centres[0]));
        pieces.sort_by(|&p, &q| along(p).total_cmp(&along(q)).then(p.cmp(&q)));
        let second = pieces.split_off(pieces.len() / 2);
        let first = contents.len() as u32;
        contents[node] = Content::Children([first, first + 1]);
        contents.extend([Content::Patch(0); 2]);
        open.push((first as usize + 1, second));
        open.push((first as usize, pieces));
    }
    contents
}

/// The eigenvector of the centres' covariance along which their extent is largest, times a power of
/// two that brings them near 1.
fn longest_axis(centres: &[Point], pieces: &[u32]) -> Vector {
    let points = pieces.iter().map(|&p| centres[p as usize]);
    let Some(frame) = LocalFrame::of_points(points.clone()) else { return Vector::x() };
    let moments: Moments = points.clone().map(|p| Moments::of_point(&frame, &p)).sum();
    let axes = moments.axes();
    let spread = |k: usize| {
        let along = points.clone().map(|p| axes.column(k).dot(&frame.local(&p)));
        let ends = along.fold((f64::INFINITY, f64::NEG_INFINITY), |e, x| (e.0.min(x), e.1.max(x)));
        ends.1 - ends.0
    };
    let best = (1..3).fold(0, |best, k| if spread(k) > spread(best) { k } else { best });
    axes.column(best).into_owned() * frame.scale
}

/// The centre of mass of a hull, or of the area of a flat one; rounded.
fn centre_of_mass(mesh: &Mesh, hull: &Hull, flat: bool) -> Point {
    let Some(frame) = LocalFrame::of_points(hull.corners(mesh).flatten()) else {
        return Point::origin();
    };
    let (mut weight, mut sum) = (0.0, Vector::zeros());
    for [a, b, c] in hull.corners(mesh).map(|t| t.map(|p| frame.local(&p))) {
        let part = if flat { (b - a).cross(&(c - a)).norm() } else { a.cross(&b).dot(&c) };
        let corners = if flat { 3.0 } else { 4.0 };
        weight += part;
        sum += (a + b + c) * (part / corners);
    }
    let mean = sum / weight;
    // If the hull is too thin for f64, use the middle of its box.
    let inside = mean.iter().all(|x| x.abs() <= 1.0);
    frame.world(&if inside { mean } else { Vector::zeros() })
}

/// The hull of several hulls, and whether it is flat.
fn hull_of<'h>(mesh: &Mesh, hulls: impl Iterator<Item = &'h Hull>) -> (Hull, bool) {
    let mut vertices: Vec<u32> = hulls.flat_map(|h| h.vertices().iter().copied()).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let points: Vec<Point> = vertices.iter().map(|&v| mesh.vertices()[v as usize]).collect();
    let bits = |p: &Point| [0, 1, 2].map(|k| (p[k] + 0.0).to_bits());
    let name: HashMap<[u64; 3], u32> = points.iter().map(bits).zip(vertices).collect();
    let named = |p: &Point| name.get(&bits(p)).copied().unwrap_or(0);
    match ConvexHull::fit_points(&points).as_ref().map(ConvexHull::shape) {
        Ok(HullShape::Solid { vertices, faces }) => {
            let faces = faces.iter().map(|f| f.map(|i| named(&vertices[i as usize])));
            (Hull::of_faces(faces.collect()), false)
        }
        Ok(HullShape::Polygon(corners)) => {
            let fan = corners[1..].windows(2);
            let faces = fan.map(|w| [corners[0], w[0], w[1]].map(|p| named(&p)));
            (Hull::of_faces(faces.collect()), true)
        }
        // Unreachable: patches have area, so their vertices are not collinear.
        _ => (Hull::of_faces(Vec::new()), true),
    }
}
