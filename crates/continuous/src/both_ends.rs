//! Trees of boxes over both ends of the motion.

use impinge_geometry::{Mesh, exact};
use impinge_hierarchy::build::{AxisBoxFit, Builder, Mean, TopDown};
use impinge_hierarchy::traverse::Poll;
use impinge_hierarchy::{Child, Node};
use impinge_query::continuous::{Continuous, Impact, Moving};
use impinge_query::{Cancelled, Contact, Control};

use crate::moving_box::MovingBox;
use crate::triangle::{MovingTriangle, sooner};

/// First contacts by trees of boxes that are known at both ends of the motion, and so in between.
/// Exact.
///
/// Builds both trees for each question, O(n log n). [`MovingTree`] keeps them.
#[derive(Clone, Copy, Debug, Default)]
pub struct BothEnds;

/// A mesh in motion with a tree: what is asked for [first contacts](Self::first_contact). Its structure
/// is that of the mesh it was made for; its boxes follow later motions.
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
    /// Depth first: of the pairs below a pair of nodes, the one whose boxes meet first. Pairs whose
    /// boxes meet after a contact that is known are left out.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn first_contact(
        &self,
        other: &Self,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        control.check()?;
        let mut first: Option<Impact> = None;
        let mut open = Vec::new();
        open.extend(self.boxes[0].earliest(&other.boxes[0]).map(|time| (time, [0, 0])));
        let mut poll = Poll::new();
        while let Some((time, [a, b])) = open.pop() {
            poll.poll(control)?;
            let until = first.map_or(f64::INFINITY, |first| first.time.high);
            if until <= time {
                continue;
            }
            let (p, q) = (self.children[a as usize], other.children[b as usize]);
            let pairs = match (p, q) {
                (Child::Leaf(i), Child::Leaf(j)) => {
                    let triangles = Contact { a: i, b: j };
                    let (p, q) = (&self.triangles[i as usize], &other.triangles[j as usize]);
                    if time == 0.0 && exact::triangles_meet(&p.start, &q.start) {
                        return Ok(Some(MovingTriangle::contact_at_start(triangles)));
                    }
                    if let Some(impact) = p.first_contact(q, Some(until), triangles) {
                        sooner(&mut first, impact);
                    }
                    continue;
                }
                (Child::Pair(first), Child::Leaf(_)) => [[first, b], [first + 1, b]],
                (Child::Leaf(_), Child::Pair(first)) => [[a, first], [a, first + 1]],
                (Child::Pair(of_a), Child::Pair(of_b)) => {
                    if self.boxes[a as usize].reach() >= other.boxes[b as usize].reach() {
                        [[of_a, b], [of_a + 1, b]]
                    } else {
                        [[a, of_b], [a, of_b + 1]]
                    }
                }
            };
            let [mut next, mut last] = pairs.map(|pair @ [a, b]| {
                let time = self.boxes[a as usize].earliest(&other.boxes[b as usize]);
                time.map(|time| (time, pair))
            });
            if let (Some((t, _)), Some((u, _))) = (next, last)
                && u < t
            {
                std::mem::swap(&mut next, &mut last);
            }
            open.extend(last);
            open.extend(next);
        }
        Ok(first)
    }
}

impl Continuous for BothEnds {
    fn word(&self) -> &'static str {
        "both-ends"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let (a, b) = (MovingTree::new(a, control)?, MovingTree::new(b, control)?);
        a.first_contact(&b, control)
    }
}
