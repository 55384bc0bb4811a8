//! Deserialisation with checks, so that a damaged file is an error. Whether a decomposition belongs
//! to a mesh is checked by [`Decomposition::validate`].

use std::collections::BTreeSet;

use crate::{Content, Decomposition, Hull, Node, Patch, PatchTree, Strips};

/// Why data is not a valid decomposition.
#[derive(Debug, thiserror::Error)]
#[error("damaged decomposition: {0}")]
pub(crate) struct Damaged(pub(crate) &'static str);

#[derive(serde::Deserialize)]
pub(crate) struct StoredHull {
    vertices: Vec<u32>,
    faces: Vec<[u32; 3]>,
}

impl TryFrom<StoredHull> for Hull {
    type Error = Damaged;

    fn try_from(stored: StoredHull) -> Result<Self, Damaged> {
        if stored.faces.iter().any(|[a, b, c]| a == b || b == c || c == a) {
            return Err(Damaged("a hull's triangle has a corner twice"));
        }
        let hull = Self::of_faces(stored.faces);
        if hull.faces.is_empty() {
            return Err(Damaged("a hull has no triangle"));
        }
        if hull.vertices != stored.vertices {
            return Err(Damaged("a hull's vertices are not those of its triangles"));
        }
        Ok(hull)
    }
}

impl Hull {
    /// Whether every directed side occurs once, and also reversed if the hull has a volume.
    pub(crate) fn is_surface(&self, flat: bool) -> bool {
        let mut sides = BTreeSet::new();
        let new = |f: &[u32; 3]| (0..3).all(|k| sides.insert((f[k], f[(k + 1) % 3])));
        self.faces.iter().all(new) && (flat || sides.iter().all(|&(a, b)| sides.contains(&(b, a))))
    }
}

#[derive(serde::Deserialize)]
pub(crate) struct StoredPatch {
    faces: Vec<u32>,
    hull: Hull,
    flat: bool,
}

impl TryFrom<StoredPatch> for Patch {
    type Error = Damaged;

    fn try_from(StoredPatch { faces, hull, flat }: StoredPatch) -> Result<Self, Damaged> {
        if faces.is_empty() {
            return Err(Damaged("a patch has no triangle"));
        }
        if !hull.is_surface(flat) {
            return Err(Damaged("a hull is not closed"));
        }
        Ok(Self { faces, hull, flat })
    }
}

#[derive(serde::Deserialize)]
pub(crate) struct StoredDecomposition {
    patches: Vec<Patch>,
    merges: usize,
}

impl TryFrom<StoredDecomposition> for Decomposition {
    type Error = Damaged;

    fn try_from(stored: StoredDecomposition) -> Result<Self, Damaged> {
        let triangles = stored.patches.iter().map(|p| p.faces.len()).sum();
        let mut seen = vec![false; triangles];
        for &f in stored.patches.iter().flat_map(|p| &p.faces) {
            match seen.get_mut(f as usize) {
                Some(slot) if !*slot => *slot = true,
                Some(_) => return Err(Damaged("a triangle is in two patches")),
                None => return Err(Damaged("a triangle is in no patch")),
            }
        }
        if stored.patches.is_empty() {
            return Err(Damaged("there are no patches"));
        }
        Ok(Self::of_patches(stored.patches, triangles, stored.merges))
    }
}

#[derive(serde::Deserialize)]
pub(crate) struct StoredTree {
    nodes: Vec<Node>,
}

impl TryFrom<StoredTree> for PatchTree {
    type Error = Damaged;

    fn try_from(StoredTree { nodes }: StoredTree) -> Result<Self, Damaged> {
        let mut parents = vec![0; nodes.len()];
        let mut patches = BTreeSet::new();
        for (k, node) in nodes.iter().enumerate() {
            if !node.obb.validate() {
                return Err(Damaged("a box is invalid"));
            }
            if !node.hull.is_surface(node.flat) {
                return Err(Damaged("a hull is not closed"));
            }
            match node.content {
                Content::Patch(p) if !patches.insert(p) => {
                    return Err(Damaged("a patch is in two leaves"));
                }
                Content::Patch(_) => {}
                Content::Children(pair) => {
                    for c in pair.map(|c| c as usize) {
                        if c <= k || c >= nodes.len() {
                            return Err(Damaged("a child is not after its parent"));
                        }
                        parents[c] += 1;
                    }
                }
            }
        }
        // The leaves are all patches, numbered from 0.
        let numbered = patches.iter().copied().eq(0..patches.len() as u32);
        let once = parents
            .split_first()
            .is_some_and(|(root, rest)| *root == 0 && rest.iter().all(|&n| n == 1));
        if numbered && once {
            Ok(Self { nodes })
        } else {
            Err(Damaged("the nodes do not form a tree"))
        }
    }
}

#[derive(serde::Deserialize)]
pub(crate) struct StoredStrips {
    vertices: Vec<u32>,
    starts: Vec<u32>,
}

impl TryFrom<StoredStrips> for Strips {
    type Error = Damaged;

    fn try_from(StoredStrips { vertices, starts }: StoredStrips) -> Result<Self, Damaged> {
        let ends = starts.iter().skip(1).copied().chain([vertices.len() as u32]);
        let long = starts.iter().zip(ends).all(|(&a, b)| b >= a.saturating_add(3));
        let whole = starts.first().map_or(vertices.is_empty(), |&a| a == 0);
        if !(long && whole) {
            return Err(Damaged("the strips are not consecutive"));
        }
        let mut strips = Self { vertices, starts, triangles: 0 };
        strips.triangles = strips.decode().len();
        Ok(strips)
    }
}
