//! Binary trees of boxes over both ends of the motion.

use impinge_geometry::Mesh;
use impinge_hierarchy::build::{AxisBoxFit, Builder, Mean, TopDown};
use impinge_hierarchy::{Child, Node};
use impinge_query::continuous::{Approach, Continuous, Impact, Moving};
use impinge_query::{Cancelled, Control};

use crate::both_ends::{OtherTriangles, questions};
use crate::goal::{Bodies, Features, Goal};
use crate::moving_box::MovingBox;
use crate::pair::Of;
use crate::queue::Queue;
use crate::search::{Search, continuous};
use crate::triangle::{MovingTriangle, MovingTriangles};

/// Contacts by binary trees over both ends of the motion. Exact.
///
/// Builds both trees for each question, O(n log n). [`BinaryTree`] keeps them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Binary;

/// A mesh in motion with a tree: what is asked for contacts. Its structure is
/// that of the mesh it was made for; its boxes follow later motions.
#[derive(Clone, Debug)]
pub struct BinaryTree {
    triangles: MovingTriangles,
    children: Vec<Child>,
    boxes: Vec<MovingBox>,
}

impl BinaryTree {
    /// A tree for the mesh at time 0. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, Cancelled> {
        let mesh: &Mesh = moving.mesh();
        let tree = TopDown::new(AxisBoxFit, Mean).build(mesh, control)?;
        let children: Vec<Child> = tree.nodes().iter().map(Node::child).collect();
        let mut made = Self {
            triangles: MovingTriangles::new(moving),
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
        self.triangles.follow(moving)?;
        self.fit();
        Ok(())
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.triangles.bytes()
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

impl Search for BinaryTree {
    const FEATURES: Features = Features::Near;

    fn triangles(&self) -> &[MovingTriangle] {
        &self.triangles
    }

    /// Opens the pair of nodes whose boxes meet first, or depth first if all contacts are wanted.
    fn descend<G: Goal>(
        &self,
        other: &Self,
        of: Of,
        goal: &mut G,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let bodies = Bodies { of, triangles: [&self.triangles, &other.triangles] };
        let reach = goal.reach();
        let earliest = |[a, b]: [u32; 2]| {
            self.boxes[a as usize].grown(reach).earliest(&other.boxes[b as usize])
        };
        let mut open = Queue::new(G::FIRST);
        if let Some(time) = earliest([0, 0]) {
            open.push(time, [0, 0]);
        }
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
            for &pair in &pairs[..number] {
                if let Some(time) = earliest(pair) {
                    open.push(time, pair);
                }
            }
        }
        Ok(())
    }
}

questions!(BinaryTree);
continuous!(Binary, "both-ends-binary", BinaryTree::new);
