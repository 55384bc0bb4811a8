//! The tree of the engine `wide`, with boxes over both ends of the motion.

use impinge_query::continuous::Moving;
use impinge_query::{Cancelled, Control, Engine, PrepareError};
use impinge_wide::{Child, Visitor, WideModel, wide};

use crate::both_ends::OtherTriangles;
use crate::goal::{Bodies, Features, Goal};
use crate::lanes::{LANES, Lanes};
use crate::moving_box::MovingBox;
use crate::pair::Of;
use crate::queue::Queue;
use crate::search::Search;
use crate::triangle::{MovingTriangle, MovingTriangles};

/// Marks a part that is a leaf.
const LEAF: u32 = 1 << 31;

/// A mesh in motion with a tree: what is asked for contacts. Its structure is that of the mesh it was
/// made for; its boxes follow later motions.
#[derive(Clone, Debug)]
pub struct MovingTree {
    triangles: MovingTriangles,
    /// The box of each triangle.
    boxes: Vec<MovingBox>,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// Up to sixteen parts of a mesh. Nodes come before their children; node 0 is the root.
#[derive(Clone, Debug)]
struct Node {
    lanes: Lanes,
    around: MovingBox,
    /// Indices of nodes, or of leaves and [`LEAF`]; the first `number` are used.
    children: [u32; LANES],
    number: usize,
}

impl Node {
    fn children(&self) -> &[u32] {
        &self.children[..self.number]
    }
}

/// Up to four triangles.
#[derive(Clone, Debug)]
struct Leaf {
    around: MovingBox,
    /// Indices of triangles; the first `number` are used.
    triangles: [u32; 4],
    number: usize,
}

impl Leaf {
    fn triangles(&self) -> &[u32] {
        &self.triangles[..self.number]
    }
}

/// The structure of a model's tree; boxes are fitted later.
impl Visitor for MovingTree {
    fn node(&mut self, of: &[Child]) {
        let mut children = [0; LANES];
        for (to, child) in children.iter_mut().zip(of) {
            *to = match *child {
                Child::Node(index) => index,
                Child::Leaf(index) => index | LEAF,
            };
        }
        let (lanes, around) = (Lanes::EMPTY, MovingBox::EMPTY);
        self.nodes.push(Node { lanes, around, children, number: of.len() });
    }

    fn leaf(&mut self, of: &[u32]) {
        let mut triangles = [0; 4];
        triangles[..of.len()].copy_from_slice(of);
        self.leaves.push(Leaf { around: MovingBox::EMPTY, triangles, number: of.len() });
    }
}

impl MovingTree {
    /// A tree for the mesh at time 0. O(n log n).
    ///
    /// # Errors
    /// [`PrepareError`], as the engine `wide`: cancelled, or more than 2²⁸ triangles.
    pub fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, PrepareError> {
        Ok(Self::laid(moving, &wide().prepare(moving.mesh(), control)?))
    }

    /// With the structure of a model, which another mesh of the same triangles may have.
    ///
    /// # Errors
    /// [`OtherTriangles`] if its triangles are not those of the motion.
    pub fn over(model: &WideModel, moving: &Moving<'_>) -> Result<Self, OtherTriangles> {
        if model.mesh().triangles() != moving.mesh().triangles() {
            return Err(OtherTriangles);
        }
        Ok(Self::laid(moving, model))
    }

    fn laid(moving: &Moving<'_>, model: &WideModel) -> Self {
        let mut made = Self {
            triangles: MovingTriangles::new(moving),
            boxes: Vec::new(),
            nodes: Vec::with_capacity(model.nodes()),
            leaves: Vec::with_capacity(model.leaves()),
        };
        model.visit(&mut made);
        made.fit();
        made
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
            + self.boxes.capacity() * size_of::<MovingBox>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.leaves.capacity() * size_of::<Leaf>()
    }

    /// Fits all boxes to the triangles.
    fn fit(&mut self) {
        self.boxes.clear();
        self.boxes.extend(self.triangles.iter().map(MovingBox::of));
        for leaf in &mut self.leaves {
            let boxes = leaf.triangles().iter().map(|t| &self.boxes[*t as usize]);
            leaf.around = boxes.fold(MovingBox::EMPTY, |all, one| all.merged(one));
        }
        for k in (0..self.nodes.len()).rev() {
            let (mut lanes, mut around) = (Lanes::EMPTY, MovingBox::EMPTY);
            for (l, &child) in self.nodes[k].children().iter().enumerate() {
                let one = self.around(child);
                lanes.set(l, one);
                around = around.merged(one);
            }
            (self.nodes[k].lanes, self.nodes[k].around) = (lanes, around);
        }
    }

    /// The box of a node or leaf.
    fn around(&self, part: u32) -> &MovingBox {
        if part & LEAF == 0 {
            &self.nodes[part as usize].around
        } else {
            &self.leaves[(part & !LEAF) as usize].around
        }
    }

    /// The children of a node, whose boxes meet another one, and when.
    fn children_near<'t>(
        &'t self,
        part: u32,
        other: &'t MovingBox,
        lanes: u32,
    ) -> impl Iterator<Item = (f64, u32)> + 't {
        let node = &self.nodes[part as usize];
        // Of lanes that are not used nothing is known.
        let mut left = node.lanes.near(other) & lanes & ((1 << node.number) - 1);
        std::iter::from_fn(move || {
            while left != 0 {
                let l = left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(time) = node.lanes.get(l).earliest(other) {
                    return Some((time, node.children[l]));
                }
            }
            None
        })
    }
}

/// A descent through two trees, or through one and itself.
struct Descent<'a, 'c, G> {
    trees: [&'a MovingTree; 2],
    bodies: Bodies<'a>,
    goal: &'a mut G,
    control: &'a Control<'c>,
    open: Queue,
}

impl<G: Goal> Descent<'_, '_, G> {
    fn run(&mut self) -> Result<(), Cancelled> {
        let [a, b] = self.trees;
        if let Some(time) = self.grown(a, 0).earliest(b.around(0)) {
            self.open.push(time, [0, 0]);
        }
        while let Some((time, [i, j])) = self.open.pop() {
            self.control.check()?;
            if self.goal.until() <= time {
                if G::FIRST {
                    // All others are later.
                    return Ok(());
                }
                continue;
            }
            match (i & LEAF != 0, j & LEAF != 0) {
                (true, true) => self.leaves([i & !LEAF, j & !LEAF])?,
                _ if self.bodies.of == Of::OneMesh && i == j => self.itself(i),
                (true, false) => self.open([i, j], 1),
                (false, true) => self.open([i, j], 0),
                (false, false) => {
                    let larger = a.around(i).reach() >= b.around(j).reach();
                    self.open([i, j], usize::from(!larger));
                }
            }
        }
        Ok(())
    }

    fn grown(&self, tree: &MovingTree, part: u32) -> MovingBox {
        tree.around(part).grown(self.goal.reach())
    }

    /// Opens one node of a pair.
    fn open(&mut self, parts: [u32; 2], opened: usize) {
        let kept = 1 - opened;
        let around = self.grown(self.trees[kept], parts[kept]);
        for (time, child) in self.trees[opened].children_near(parts[opened], &around, u32::MAX) {
            let mut pair = parts;
            pair[opened] = child;
            self.open.push(time, pair);
        }
    }

    /// Opens a node that is paired with itself.
    fn itself(&mut self, part: u32) {
        let [tree, _] = self.trees;
        for (l, &child) in tree.nodes[part as usize].children().iter().enumerate() {
            let later = u32::MAX << l << 1;
            for (time, other) in tree.children_near(part, &self.grown(tree, child), later) {
                self.open.push(time, [child, other]);
            }
            self.open.push(0.0, [child, child]);
        }
    }

    /// Gives the goal the pairs of triangles of two leaves.
    fn leaves(&mut self, [a, b]: [u32; 2]) -> Result<(), Cancelled> {
        let [of_a, of_b] = self.trees;
        let (p, q) = (&of_a.leaves[a as usize], &of_b.leaves[b as usize]);
        let itself = self.bodies.of == Of::OneMesh && a == b;
        for (k, &i) in p.triangles().iter().enumerate() {
            let around = of_a.boxes[i as usize].grown(self.goal.reach());
            let first = if itself { k + 1 } else { 0 };
            for &j in &q.triangles()[first..] {
                self.control.check()?;
                let Some(time) = around.earliest(&of_b.boxes[j as usize]) else { continue };
                if time < self.goal.until()
                    && let Some(pair) = self.bodies.pair([i, j])
                {
                    self.goal.take(&pair, time);
                }
            }
        }
        Ok(())
    }
}

impl Search for MovingTree {
    const FEATURES: Features = Features::Near;

    fn triangles(&self) -> &[MovingTriangle] {
        &self.triangles
    }

    fn descend<G: Goal>(
        &self,
        other: &Self,
        of: Of,
        goal: &mut G,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let bodies = Bodies { of, triangles: [&self.triangles, &other.triangles] };
        let open = Queue::new(G::FIRST);
        Descent { trees: [self, other], bodies, goal, control, open }.run()
    }
}
