//! Step 2: the node tree. Every node of every scene is visited once, parents first, with the
//! product of the transforms above it.

use gltf::json::scene::Node;
use gltf::json::{Index, Mesh, Root};

use super::{fault, item};
use crate::files::error::Fault;

/// The upper three rows of an affine matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine([[f64; 4]; 3]);

impl Affine {
    pub(super) const IDENTITY: Self =
        Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// A point in the scene; a fixed order of operations.
    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
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

    /// Whether it turns surfaces inside out.
    pub(super) fn is_reflection(&self) -> bool {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.0;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
    }

    fn of(node: &Node, index: usize) -> Result<Self, Fault> {
        if let Some(m) = node.matrix {
            let m = m.map(f64::from);
            if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
                return Err(fault("nodes", index, "the last row of matrix is not 0 0 0 1"));
            }
            return Ok(Self([0, 1, 2].map(|i| [m[i], m[i + 4], m[i + 8], m[i + 12]])));
        }
        let [tx, ty, tz] = node.translation.unwrap_or_default().map(f64::from);
        let [sx, sy, sz] = node.scale.unwrap_or([1.0; 3]).map(f64::from);
        let [x, y, z, w] = node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |q| q.0.map(f64::from));
        let norm = x * x + y * y + z * z + w * w;
        if !(norm > 0.0) {
            return Err(fault("nodes", index, "rotation is no unit quaternion"));
        }
        // Division by the norm makes a rotation of a quaternion that 32 bits have rounded.
        let two = 2.0 / norm;
        Ok(Self([
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

/// A mesh and where it stands.
pub(super) struct Placement {
    pub(super) mesh: Index<Mesh>,
    pub(super) transform: Affine,
}

/// The meshes of all scenes; of all root nodes, or all meshes, where there are none.
pub(super) fn placements(root: &Root, notes: &mut Vec<String>) -> Result<Vec<Placement>, Fault> {
    if root.nodes.is_empty() && !root.meshes.is_empty() {
        notes.push("no nodes: all meshes taken as they are".to_owned());
        let place = |m| Placement { mesh: Index::new(m as u32), transform: Affine::IDENTITY };
        return Ok((0..root.meshes.len()).map(place).collect());
    }
    let roots: Vec<Index<Node>> = if root.scenes.is_empty() {
        notes.push("no scenes: all root nodes taken".to_owned());
        root_nodes(root)
    } else {
        root.scenes.iter().flat_map(|scene| scene.nodes.iter().copied()).collect()
    };
    let mut visited = vec![false; root.nodes.len()];
    let mut found = Vec::new();
    for start in roots {
        // A node may be a root of several scenes.
        if !visited.get(start.value()).copied().unwrap_or(false) {
            walk(root, start, &mut visited, &mut found)?;
        }
    }
    let skinned = |node: &Node| node.skin.is_some() && node.mesh.is_some();
    if root.nodes.iter().zip(&visited).any(|(node, &visited)| visited && skinned(node)) {
        notes.push("skins not evaluated: skinned meshes are in their bind pose".to_owned());
    }
    Ok(found)
}

/// Nodes that are nobody's child.
fn root_nodes(root: &Root) -> Vec<Index<Node>> {
    let mut is_child = vec![false; root.nodes.len()];
    for child in root.nodes.iter().flat_map(|node| node.children.iter().flatten()) {
        if let Some(mark) = is_child.get_mut(child.value()) {
            *mark = true;
        }
    }
    (0..root.nodes.len()).filter(|&n| !is_child[n]).map(|n| Index::new(n as u32)).collect()
}

/// One tree, parents first, children in their order. No recursion: a file may nest deeply.
fn walk(
    root: &Root,
    start: Index<Node>,
    visited: &mut [bool],
    found: &mut Vec<Placement>,
) -> Result<(), Fault> {
    let mut stack = vec![(start, Affine::IDENTITY)];
    while let Some((index, above)) = stack.pop() {
        let node = item(&root.nodes, index, "nodes")?;
        if std::mem::replace(&mut visited[index.value()], true) {
            let message = "the node has two parents, or is its own ancestor";
            return Err(fault("nodes", index.value(), message));
        }
        let here = above.times(&Affine::of(node, index.value())?);
        if let Some(mesh) = node.mesh {
            // glTF 2.0, 3.7.3.1: the transform of a skinned mesh's node is ignored.
            let transform = if node.skin.is_some() { Affine::IDENTITY } else { here };
            found.push(Placement { mesh, transform });
        }
        let children = node.children.as_deref().unwrap_or_default();
        stack.extend(children.iter().rev().map(|&child| (child, here)));
    }
    Ok(())
}
