//! Step 2: the node tree. Every node of every scene is visited once, parents first, with the
//! product of its ancestors' transforms.

use impinge_geometry::Vector;
use nalgebra::Matrix3;

use super::schema::{Node, Root, Transform};
use super::{fault, item};
use crate::files::error::{Fault, Place};

/// The upper three rows of an affine matrix; the last column is the translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine([[f64; 4]; 3]);

impl Affine {
    pub(super) const IDENTITY: Self =
        Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// The map `p ↦ linear · p + translation`.
    pub(super) fn new(linear: &Matrix3<f64>, translation: &Vector) -> Self {
        let row = |i| [linear[(i, 0)], linear[(i, 1)], linear[(i, 2)], translation[i]];
        Self([0, 1, 2].map(row))
    }

    pub(super) fn linear(&self) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| self.0[i][j])
    }

    pub(super) fn translation(&self) -> Vector {
        Vector::from(self.0.map(|[.., d]| d))
    }

    /// Maps a point into the scene, in a fixed order of operations.
    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Bounds the magnitudes of the images of all points within `±reach`. NaN if an entry is not
    /// finite.
    pub(super) fn reach(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a.abs() * x + b.abs() * y + c.abs() * z + d.abs())
    }

    fn times(&self, inner: &Self) -> Self {
        let column = |j: usize| [inner.0[0][j], inner.0[1][j], inner.0[2][j]];
        let columns = [0, 1, 2, 3].map(column);
        Self(self.0.map(|[a, b, c, d]| {
            let mut row = columns.map(|[x, y, z]| a * x + b * y + c * z);
            row[3] += d;
            row
        }))
    }

    /// Whether it reverses orientation.
    pub(super) fn is_reflection(&self) -> bool {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.0;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
    }

    fn of(node: &Node, index: usize) -> Result<Self, Fault> {
        let transform = node.more.as_ref().and_then(|more| more.transform.as_deref());
        match transform {
            None => Ok(Self::IDENTITY),
            Some(Transform::Matrix(m)) => {
                if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
                    return Err(fault("nodes", index, "the last row of matrix is not 0 0 0 1"));
                }
                Ok(Self([0, 1, 2].map(|i| [m[i], m[i + 4], m[i + 8], m[i + 12]])))
            }
            Some(Transform::Parts { translation, rotation, scale }) => {
                Self::of_parts(*translation, *rotation, *scale)
                    .ok_or_else(|| fault("nodes", index, "rotation is not a unit quaternion"))
            }
        }
    }

    fn of_parts(
        [tx, ty, tz]: [f64; 3],
        [x, y, z, w]: [f64; 4],
        [sx, sy, sz]: [f64; 3],
    ) -> Option<Self> {
        let norm = x * x + y * y + z * z + w * w;
        // As of `Pose::from_quaternion`. Not a number is refused too.
        if !((norm - 1.0).abs() <= 1e-3) {
            return None;
        }
        // Dividing by the norm makes it a rotation even if the quaternion was rounded to f32.
        let two = 2.0 / norm;
        Some(Self([
            [
                (1.0 - two * (y * y + z * z)) * sx,
                two * (x * y - z * w) * sy,
                two * (x * z + y * w) * sz,
                tx,
            ],
            [
                two * (x * y + z * w) * sx,
                (1.0 - two * (x * x + z * z)) * sy,
                two * (y * z - x * w) * sz,
                ty,
            ],
            [
                two * (x * z - y * w) * sx,
                two * (y * z + x * w) * sy,
                (1.0 - two * (x * x + y * y)) * sz,
                tz,
            ],
        ]))
    }
}

/// A mesh in the scene.
pub(super) struct Placed<'a> {
    /// The node that places it; `None` in a file without nodes.
    pub(super) node: Option<u32>,
    pub(super) mesh: u32,
    pub(super) transform: &'a Affine,
}

/// All node trees, verified to be trees.
pub(super) struct Forest<'a> {
    root: &'a Root<'a>,
    /// The root nodes.
    starts: Vec<u32>,
}

impl<'a> Forest<'a> {
    /// Finds the roots: those of all scenes; without scenes, all nodes without parents; without
    /// nodes, every mesh is placed once.
    ///
    /// # Errors
    /// A scene, node or child that does not exist; a node with two parents or with itself as an
    /// ancestor; a scene whose root has a parent.
    pub(super) fn new(root: &'a Root<'a>, notes: &mut Vec<String>) -> Result<Self, Fault> {
        if let Some(scene) = root.scene.filter(|&scene| scene >= root.scenes.len() as u64) {
            let count = root.scenes.len();
            let message = format!("there is no scene {scene}, the file has {count}");
            return Err(Fault::At(Place::Item("scene".to_owned()), message));
        }
        let parents = parents(&root.nodes)?;
        let is_root = |node: u32| parents[node as usize] == NOBODY;
        let mut starts: Vec<u32> = Vec::new();
        if root.scenes.is_empty() {
            starts.extend((0..root.nodes.len() as u32).filter(|&node| is_root(node)));
        }
        // Per node, the number of the last scene that it is a root of, from 1.
        let mut begun = vec![0; root.nodes.len()];
        // Per scene, the number of its roots, each counted once.
        let mut counts = Vec::with_capacity(root.scenes.len());
        for (s, scene) in root.scenes.iter().enumerate() {
            let mut count = 0;
            for &node in &scene.nodes {
                item(&root.nodes, node, "nodes")?;
                if !is_root(node) {
                    let parent = parents[node as usize];
                    let message =
                        format!("nodes[{node}] is not a root: it is a child of nodes[{parent}]");
                    return Err(fault("scenes", s, message));
                }
                // A node may be a root of several scenes, and stand twice in one.
                let last = std::mem::replace(&mut begun[node as usize], s + 1);
                count += usize::from(last != s + 1);
                if last == 0 {
                    starts.push(node);
                }
            }
            counts.push(count);
        }
        if counts.iter().any(|&count| count < starts.len()) {
            let count = counts.len();
            notes.push(format!("{count} scenes with different nodes: those of all are taken"));
        }
        if root.nodes.is_empty() && !root.meshes.is_empty() {
            notes.push("no nodes: all meshes taken as they are".to_owned());
        } else if root.scenes.is_empty() {
            notes.push("no scenes: all root nodes taken".to_owned());
        }
        Ok(Self { root, starts })
    }

    /// Calls `take` with every placed mesh, in a fixed order.
    ///
    /// # Errors
    /// Those of `take`, and invalid transforms.
    pub(super) fn each(
        &self,
        mut take: impl FnMut(Placed<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.root.nodes.is_empty() {
            let transform = &Affine::IDENTITY;
            let mut meshes = 0..self.root.meshes.len() as u32;
            return meshes.try_for_each(|mesh| take(Placed { node: None, mesh, transform }));
        }
        self.starts.iter().try_for_each(|&start| self.tree(start, &mut take))
    }

    /// Visits one tree, parents first, children in order. Without recursion, as a file may nest
    /// deeply; only the path to the current node is stored, as a tree may be wide.
    fn tree(
        &self,
        start: u32,
        take: &mut impl FnMut(Placed<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        // Per level, the remaining siblings and the transform of their parent.
        let mut path = vec![(std::slice::from_ref(&start), Affine::IDENTITY)];
        while let Some((siblings, above)) = path.last_mut() {
            let Some((&index, after)) = siblings.split_first() else {
                path.pop();
                continue;
            };
            *siblings = after;
            let node = item(&self.root.nodes, index, "nodes")?;
            let here = above.times(&Affine::of(node, index as usize)?);
            if let Some(mesh) = node.mesh {
                // glTF 2.0, 3.7.3.1: the transform of a skinned mesh's node is ignored.
                let transform = if node.skin { &Affine::IDENTITY } else { &here };
                take(Placed { node: Some(index), mesh, transform })?;
            }
            if !node.children().is_empty() {
                path.push((node.children(), here));
            }
        }
        Ok(())
    }
}

/// The parent index of a root.
const NOBODY: u32 = u32::MAX;

/// The parent of each node.
fn parents(nodes: &[Node]) -> Result<Vec<u32>, Fault> {
    const MESSAGE: &str = "the node has two parents, or is its own ancestor";
    let mut parents = vec![NOBODY; nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        for &child in node.children() {
            item(nodes, child, "nodes")?;
            if std::mem::replace(&mut parents[child as usize], n as u32) != NOBODY {
                return Err(fault("nodes", child as usize, MESSAGE));
            }
        }
    }
    // Mark all nodes reachable from roots. Each node has one parent, so the rest is on or below
    // cycles.
    let mut found = vec![false; nodes.len()];
    let mut stack: Vec<u32> =
        (0..nodes.len() as u32).filter(|&n| parents[n as usize] == NOBODY).collect();
    while let Some(n) = stack.pop() {
        found[n as usize] = true;
        stack.extend_from_slice(nodes[n as usize].children());
    }
    if let Some(lost) = found.iter().position(|&found| !found) {
        // As many steps up as there are nodes end on the cycle.
        let ring = (0..nodes.len()).fold(lost, |node, _| parents[node] as usize);
        return Err(fault("nodes", ring, MESSAGE));
    }
    Ok(parents)
}
