//! Trees of boxes over both ends of the motion.

use impinge_geometry::Mesh;
use impinge_hierarchy::build::{AxisBoxFit, Builder, Mean, TopDown};
use impinge_hierarchy::{Child, Node};
use impinge_query::continuous::{Approach, Continuous, Impact, Moving};
use impinge_query::{Cancelled, Control};

use crate::goal::{Bodies, Features, Goal};
use crate::moving_box::MovingBox;
use crate::pair::Of;
use crate::search::{Search, continuous};
use crate::triangle::MovingTriangle;

/// Contacts by trees of boxes that are known at both ends of the motion, and so in between. Exact.
///
/// Builds both trees for each question, O(n log n). [`MovingTree`] keeps them.
#[derive(Clone, Copy, Debug, Default)]
pub struct BothEnds;

/// A mesh in motion with a tree: what is asked for contacts. Its structure is
/// that of the mesh it was made for; its boxes follow later motions.
#[derive(Clone, Debug)]
pub struct MovingTree {
    triangles: Vec<MovingTriangle>,
    children: Vec<Child>,
    boxes: Vec<MovingBox>,
}

/// The triangles of a motion are not those that the tree was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the motion has other triangles than the tree")]
pub struct OtherTriangles;

impl MovingTree {
    /// A tree for the mesh at time 0. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, Cancelled> {
        let mesh: &Mesh = moving.mesh();
        let tree = TopDown::new(AxisBoxFit, Mean).build(mesh, control)?;
        let children: Vec<Child> = tree.nodes().iter().map(Node::child).collect();
        let mut made = Self {
            triangles: MovingTriangle::all(moving).collect(),
            boxes: vec![MovingBox::EMPTY; children.len()],
            children,
        };
        made.fit();
        Ok(made)
    }

    /// Takes in another motion of the same triangles. O(n).
    ///
    /// # Errors
    /// [`OtherTriangles`]; the tree then keeps its motion.
    pub fn refit(&mut self, moving: &Moving<'_>) -> Result<(), OtherTriangles> {
        let same = |(t, vertices): (&MovingTriangle, &[u32; 3])| t.vertices == *vertices;
        let triangles = moving.mesh().triangles();
        if triangles.len() != self.triangles.len()
            || !self.triangles.iter().zip(triangles).all(same)
        {
            return Err(OtherTriangles);
        }
        self.triangles.clear();
        self.triangles.extend(MovingTriangle::all(moving));
        self.fit();
        Ok(())
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.triangles.capacity() * size_of::<MovingTriangle>()
            + self.children.capacity() * size_of::<Child>()
            + self.boxes.capacity() * size_of::<MovingBox>()
    }

    /// Fits the boxes to the triangles, children first: they come after their parents.
    fn fit(&mut self) {
        for node in (0..self.children.len()).rev() {
            self.boxes[node] = match self.children[node] {
                Child::Pair(first) => {
                    let first = first as usize;
                    self.boxes[first].merged(&self.boxes[first + 1])
                }
                Child::Leaf(t) => MovingBox::of(&self.triangles[t as usize]),
            };
        }
    }

    /// The first contact with another mesh in motion, as [`Continuous::first_contact`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn first_contact(
        &self,
        other: &Self,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        self.first(other, Of::TwoMeshes, control)
    }

    /// All pairs that meet, as [`Continuous::contacts`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn contacts(
        &self,
        other: &Self,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        self.all(other, Of::TwoMeshes, cap, control)
    }

    /// The first time at which both are at most a distance apart, as [`Continuous::first_within`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn first_within(
        &self,
        other: &Self,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled> {
        self.near(other, distance, control)
    }

    /// The first contact of the mesh with itself, as [`Continuous::first_self_contact`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn first_self_contact(&self, control: &Control<'_>) -> Result<Option<Impact>, Cancelled> {
        self.first(self, Of::OneMesh, control)
    }

    /// All pairs of triangles of the mesh that meet, as [`Continuous::self_contacts`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn self_contacts(
        &self,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        self.all(self, Of::OneMesh, cap, control)
    }

    /// The pairs below a pair of nodes, one of which is opened: the larger one, or a node that is
    /// paired with itself. `None` for two leaves.
    fn below(&self, other: &Self, of: Of, [a, b]: [u32; 2]) -> Option<([[u32; 2]; 3], usize)> {
        let twice = |one: [u32; 2], two: [u32; 2]| Some(([one, two, two], 2));
        match (self.children[a as usize], other.children[b as usize]) {
            (Child::Leaf(_), Child::Leaf(_)) => None,
            (Child::Pair(c), _) if of == Of::OneMesh && a == b => {
                Some(([[c, c], [c + 1, c + 1], [c, c + 1]], 3))
            }
            (Child::Pair(c), Child::Leaf(_)) => twice([c, b], [c + 1, b]),
            (Child::Leaf(_), Child::Pair(c)) => twice([a, c], [a, c + 1]),
            (Child::Pair(of_a), Child::Pair(of_b)) => {
                if self.boxes[a as usize].reach() >= other.boxes[b as usize].reach() {
                    twice([of_a, b], [of_a + 1, b])
                } else {
                    twice([a, of_b], [a, of_b + 1])
                }
            }
        }
    }
}

impl Search for MovingTree {
    const FEATURES: Features = Features::Near;

    fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, Cancelled> {
        Self::new(moving, control)
    }

    fn triangles(&self) -> &[MovingTriangle] {
        &self.triangles
    }

    /// Depth first: of the pairs below a pair of nodes, the one whose boxes meet first. Pairs whose
    /// boxes meet after a contact that is known are left out.
    fn descend(
        &self,
        other: &Self,
        of: Of,
        goal: &mut impl Goal,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let bodies = Bodies { of, triangles: [&self.triangles, &other.triangles] };
        let reach = goal.reach();
        let earliest = |[a, b]: [u32; 2]| {
            self.boxes[a as usize].grown(reach).earliest(&other.boxes[b as usize])
        };
        let mut open = Vec::new();
        open.extend(earliest([0, 0]).map(|time| (time, [0, 0])));
        while let Some((time, nodes @ [a, b])) = open.pop() {
            control.check()?;
            if goal.until() <= time {
                continue;
            }
            if let (Child::Leaf(i), Child::Leaf(j)) =
                (self.children[a as usize], other.children[b as usize])
            {
                if let Some(pair) = bodies.pair([i, j]) {
                    goal.take(&pair, time);
                }
                continue;
            }
            let Some((pairs, number)) = self.below(other, of, nodes) else { continue };
            let before = open.len();
            let timed = |&pair: &[u32; 2]| earliest(pair).map(|time| (time, pair));
            open.extend(pairs[..number].iter().filter_map(timed));
            // The earliest one last, which is taken next.
            open[before..].sort_by(|x, y| y.0.total_cmp(&x.0));
        }
        Ok(())
    }
}

continuous!(BothEnds, "both-ends", MovingTree);
