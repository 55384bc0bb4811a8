//! A binary tree of oriented boxes built from `geometry` alone, for claims about the box test
//! itself: one tree is descended with different tests.

use impinge::geometry::Triangle;
use impinge::geometry::volume::{Obb, ObbFit};
use impinge::{Mesh, Pose};

/// How a tree is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Levels below the root.
    depth: usize,
    fit: ObbFit,
    /// Split along the axis whose children have the smallest sum of volumes, of all three.
    least_volume: bool,
}

impl Rule {
    /// Vertex covariance, split at the median along the longest axis (anthology 5 §2).
    pub(crate) const fn median(depth: usize) -> Self {
        Self { depth, fit: ObbFit::VertexCovariance, least_volume: false }
    }

    /// Area-weighted fit, split along the axis with the smallest sum of child volumes, down to
    /// single triangles (xie §3.1, §3.4). The paper gives no split position; the median is used.
    pub(crate) const fn least_volume() -> Self {
        Self { depth: usize::MAX, fit: ObbFit::AreaWeighted, least_volume: true }
    }
}

/// The tree; node 0 is the root. Boxes may be converted after fitting to another type `B`.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree<B = Obb> {
    nodes: Vec<Node<B>>,
}

#[derive(Clone, Debug)]
struct Node<B> {
    bounds: B,
    volume: f64,
    below: Below,
}

#[derive(Clone, Debug)]
enum Below {
    Children([usize; 2]),
    Triangles(Vec<Triangle>),
}

impl BoxTree<Obb> {
    /// Builds the tree over all triangles of `mesh`; `None` for a mesh without triangles.
    pub(crate) fn new(mesh: &Mesh, rule: Rule) -> Option<Self> {
        let mut triangles: Vec<Triangle> = mesh.corners().collect();
        let root = Obb::fit(rule.fit, triangles.iter().copied())?;
        let mut nodes = Vec::new();
        grow(&mut nodes, &mut triangles, root, rule, 0)?;
        Some(Self { nodes })
    }

    /// The same tree with its boxes posed.
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        let mut posed = self.with_bounds(|obb| obb.posed(pose));
        for node in &mut posed.nodes {
            if let Below::Triangles(list) = &mut node.below {
                for t in list {
                    *t = t.map(|p| pose.apply(&p));
                }
            }
        }
        posed
    }
}

impl<B> BoxTree<B> {
    /// The same tree with its boxes converted to another type.
    pub(crate) fn with_bounds<C>(&self, form: impl Fn(&B) -> C) -> BoxTree<C> {
        let changed = |node: &Node<B>| Node {
            bounds: form(&node.bounds),
            volume: node.volume,
            below: node.below.clone(),
        };
        BoxTree { nodes: self.nodes.iter().map(changed).collect() }
    }

    /// Simultaneous descent through two trees in one frame. `overlap` tests every visited pair of
    /// boxes; `leaves` gets the triangles of overlapping leaves. Of two inner boxes, the one of
    /// larger volume is opened first.
    pub(crate) fn descend(
        &self,
        other: &Self,
        mut overlap: impl FnMut(&B, &B) -> bool,
        mut leaves: impl FnMut(&[Triangle], &[Triangle]),
    ) {
        let mut open = vec![(0, 0)];
        while let Some((i, j)) = open.pop() {
            let (own, theirs) = (&self.nodes[i], &other.nodes[j]);
            if !overlap(&own.bounds, &theirs.bounds) {
                continue;
            }
            match (&own.below, &theirs.below) {
                (Below::Triangles(a), Below::Triangles(b)) => leaves(a, b),
                (Below::Children(list), Below::Triangles(_)) => {
                    open.extend(list.map(|i| (i, j)));
                }
                (Below::Children(list), Below::Children(_)) if own.volume >= theirs.volume => {
                    open.extend(list.map(|i| (i, j)));
                }
                (_, Below::Children(list)) => open.extend(list.map(|j| (i, j))),
            }
        }
    }
}

/// Adds the tree of `triangles`, which `obb` encloses, root first; returns the root's index.
fn grow(
    nodes: &mut Vec<Node<Obb>>,
    triangles: &mut [Triangle],
    obb: Obb,
    rule: Rule,
    level: usize,
) -> Option<usize> {
    let place = nodes.len();
    let volume = obb.volume();
    if level == rule.depth || triangles.len() == 1 {
        nodes.push(Node { bounds: obb, volume, below: Below::Triangles(triangles.to_vec()) });
        return Some(place);
    }
    nodes.push(Node { bounds: obb, volume, below: Below::Children([0; 2]) });
    let axes = if rule.least_volume { vec![0, 1, 2] } else { vec![obb.longest()] };
    let mut best: Option<(f64, usize, [Obb; 2])> = None;
    for &axis in &axes {
        let children = cut(triangles, &obb, axis, rule.fit)?;
        let volume = children[0].volume() + children[1].volume();
        if best.as_ref().is_none_or(|(least, ..)| volume < *least) {
            best = Some((volume, axis, children));
        }
    }
    let (_, axis, [first, second]) = best?;
    if axis != axes[axes.len() - 1] {
        cut(triangles, &obb, axis, rule.fit)?;
    }
    let (below, above) = triangles.split_at_mut(triangles.len() / 2);
    let first = grow(nodes, below, first, rule, level + 1)?;
    let second = grow(nodes, above, second, rule, level + 1)?;
    nodes[place].below = Below::Children([first, second]);
    Some(place)
}

/// Sorts the triangles by their centroids along an axis of the box, and fits both halves.
fn cut(triangles: &mut [Triangle], obb: &Obb, axis: usize, fit: ObbFit) -> Option<[Obb; 2]> {
    let axis = obb.axis(axis);
    let height = |t: &Triangle| (t[0].coords + t[1].coords + t[2].coords).dot(&axis);
    triangles.sort_by(|s, t| height(s).total_cmp(&height(t)));
    let (below, above) = triangles.split_at(triangles.len() / 2);
    let wrap = |list: &[Triangle]| match list {
        [t] => Some(Obb::of_triangle(t)),
        _ => Obb::fit(fit, list.iter().copied()),
    };
    Some([wrap(below)?, wrap(above)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::box_pairs::blade;
    use impinge::Vector;

    fn met(a: &BoxTree, b: &BoxTree) -> (usize, usize) {
        let (mut boxes, mut leaves) = (0, 0);
        let overlap = |own: &Obb, theirs: &Obb| {
            boxes += 1;
            own.overlaps(theirs)
        };
        a.descend(b, overlap, |_, _| leaves += 1);
        (boxes, leaves)
    }

    #[test]
    fn a_tree_has_the_depth_and_the_triangles_it_should() {
        let mesh = blade(1);
        let triangles = |tree: &BoxTree| -> usize {
            let held = tree.nodes.iter().map(|node| match &node.below {
                Below::Children(_) => 0,
                Below::Triangles(list) => list.len(),
            });
            held.sum()
        };
        let shallow = BoxTree::new(&mesh, Rule::median(3)).expect("there are triangles");
        assert_eq!((shallow.nodes.len(), triangles(&shallow)), (15, 212));
        let whole = BoxTree::new(&mesh, Rule::least_volume()).expect("there are triangles");
        assert_eq!((whole.nodes.len(), triangles(&whole)), (2 * 212 - 1, 212));
    }

    #[test]
    fn a_descent_opens_what_overlaps_and_nothing_else() {
        let tree = BoxTree::new(&blade(1), Rule::median(3)).expect("there are triangles");
        let far = Pose::translation_by(Vector::new(5.0, 0.0, 0.0)).expect("a pose");
        assert_eq!(met(&tree, &tree.posed(&far)), (1, 0));
        let (boxes, leaves) = met(&tree, &tree);
        assert!(boxes > 15 && leaves >= 8, "{boxes} boxes, {leaves} leaves");
    }

    #[test]
    fn every_meeting_pair_of_triangles_is_found() {
        let (a, b) = (blade(1), blade(2));
        let pose = Pose::translation_by(Vector::new(0.1, 0.02, 0.0)).expect("a pose");
        let b = b.posed(&pose).expect("it can be posed");
        let meet = impinge::geometry::exact::triangles_meet;
        let wanted = a.corners().flat_map(|s| b.corners().map(move |t| (s, t)));
        let wanted = wanted.filter(|(s, t)| meet(s, t)).count();
        let tree = |mesh| BoxTree::new(mesh, Rule::least_volume()).expect("there are triangles");
        let mut found = 0;
        let overlap = |own: &Obb, theirs: &Obb| own.overlaps_reduced(theirs);
        tree(&a).descend(&tree(&b), overlap, |s, t| found += usize::from(meet(&s[0], &t[0])));
        assert!(wanted > 0);
        assert_eq!(found, wanted);
    }
}
