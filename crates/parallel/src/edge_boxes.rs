//! Tasks of the edge-box traversal: the edges of one mesh against a box of the other, then swapped
//! (fan §4.4).

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use impinge_geometry::{Point, Pose};
use impinge_hierarchy::edges::{EdgeSegment, PaddedBox};
use impinge_hierarchy::{Child, Placement};
use impinge_query::Counter;

use crate::edge_face::{EdgesOf, Face, Whose};
use crate::model::{BalancedModel, OnTree};
use crate::task::Tasks;
use crate::workers::Work;

/// Which edges a task passes to its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passed {
    /// All edges of the mesh, as in the paper: testing a box ends at the first edge that meets it.
    /// A leaf tests only the edges that meet its box.
    #[default]
    All,
    /// Only those that meet the box.
    Surviving,
    /// All edges of the mesh, and a leaf whose box one of them meets tests all of them against its
    /// triangles: §4.4 by the letter.
    AllAtLeaves,
}

/// The edges of one mesh against a box of the other.
#[derive(Clone, Debug)]
pub struct EdgeTask {
    whose: Whose,
    node: u32,
    /// `None`: all edges of the mesh.
    edges: Option<Arc<[EdgeSegment]>>,
}

/// All edges of a mesh in the other's frame, computed on first use.
#[derive(Debug, Default)]
struct Posed {
    made: OnceLock<Vec<EdgeSegment>>,
    /// An allocation to reuse.
    spare: Mutex<Vec<EdgeSegment>>,
}

impl Posed {
    fn get(&self, edges: impl Iterator<Item = EdgeSegment>) -> &[EdgeSegment] {
        self.made.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut all = std::mem::take(&mut *spare);
            all.clear();
            all.extend(edges);
            all
        })
    }
}

/// Allocations kept between queries.
#[derive(Debug, Default)]
pub struct EdgeScratch([Vec<EdgeSegment>; 2]);

/// The edges of each mesh against the boxes of the other.
#[derive(Debug)]
pub struct EdgesAgainstBoxes<'q> {
    a: &'q BalancedModel,
    b: &'q BalancedModel,
    pose: &'q Pose,
    pad: f64,
    passed: Passed,
    bounds_first: bool,
    posed: [Posed; 2],
}

impl<'q> EdgesAgainstBoxes<'q> {
    /// The tasks of one query. `bounds_first`: whether an edge is tested against a triangle only if
    /// their bounds overlap.
    pub fn new(
        a: &'q BalancedModel,
        b: &'q BalancedModel,
        pose: &'q Pose,
        (passed, bounds_first): (Passed, bool),
        scratch: &mut EdgeScratch,
    ) -> Self {
        let pad = Placement::new(pose, a.tree().max_abs(), b.tree().max_abs()).pad;
        let lend = |spare: &mut Vec<EdgeSegment>| Posed {
            made: OnceLock::new(),
            spare: Mutex::new(std::mem::take(spare)),
        };
        let [of_a, of_b] = &mut scratch.0;
        Self { a, b, pose, pad, passed, bounds_first, posed: [lend(of_a), lend(of_b)] }
    }

    /// Returns the allocations.
    pub fn give_back(self, scratch: &mut EdgeScratch) {
        for (posed, spare) in self.posed.into_iter().zip(&mut scratch.0) {
            let unused = posed.spare.into_inner().unwrap_or_else(PoisonError::into_inner);
            *spare = posed.made.into_inner().unwrap_or(unused);
        }
    }

    /// The mesh whose edges are tested, and the mesh whose boxes are tested.
    const fn sides(&self, whose: Whose) -> [&'q BalancedModel; 2] {
        match whose {
            Whose::A => [self.a, self.b],
            Whose::B => [self.b, self.a],
        }
    }

    /// All edges of a mesh, in the frame of the other.
    fn all(&self, whose: Whose) -> &[EdgeSegment] {
        let mesh = self.sides(whose)[0].tree().mesh();
        let edges = self.sides(whose)[0].edges();
        let segments = |point: &dyn Fn(u32) -> Point| -> &[EdgeSegment] {
            let segment = |e: u32| {
                let [u, v] = edges.ends(e).map(point);
                EdgeSegment::new(&u, &v, e)
            };
            self.posed[usize::from(whose == Whose::B)].get((0..edges.len() as u32).map(segment))
        };
        let (r, t) = (self.pose.rotation(), self.pose.translation());
        match whose {
            Whose::A => segments(&|v| {
                let p = mesh.vertices()[v as usize].coords - t;
                Point::from(r.tr_mul(&p))
            }),
            Whose::B => segments(&|v| self.pose.apply(&mesh.vertices()[v as usize])),
        }
    }
}

impl Tasks for EdgesAgainstBoxes<'_> {
    type Task = EdgeTask;
    /// A task tests thousands of edges.
    const GRAIN: usize = 1;

    fn phases(&self) -> u32 {
        2
    }

    fn root(&self, phase: u32) -> Option<EdgeTask> {
        let whose = if phase == 0 { Whose::A } else { Whose::B };
        Some(EdgeTask { whose, node: 0, edges: None })
    }

    fn run<C: Counter>(
        &self,
        task: EdgeTask,
        work: &mut Work<'_, C>,
        next: &mut Vec<EdgeTask>,
    ) -> ControlFlow<()> {
        let EdgeTask { whose, node, edges } = task;
        let edges_or_all = edges.as_deref().unwrap_or_else(|| self.all(whose));
        let tree = self.sides(whose)[1].tree().tree();
        if work.first() && tree.only_repeats(node) {
            return ControlFlow::Continue(());
        }
        let box_ = tree.volume(node);
        let target = PaddedBox::new(box_.low(), box_.high(), self.pad);
        let child = tree.nodes()[node as usize].child();
        let passed = match (child, self.passed) {
            (Child::Leaf(leaf), Passed::AllAtLeaves) => {
                if Self::any_meets(&target, edges_or_all, work)? {
                    self.leaf(whose, leaf, edges_or_all, None, work)?;
                }
                return ControlFlow::Continue(());
            }
            (Child::Leaf(leaf), Passed::All | Passed::Surviving) => {
                return self.leaf(whose, leaf, edges_or_all, Some(&target), work);
            }
            (Child::Pair(_), Passed::All | Passed::AllAtLeaves) => {
                if !Self::any_meets(&target, edges_or_all, work)? {
                    return ControlFlow::Continue(());
                }
                None
            }
            (Child::Pair(_), Passed::Surviving) => {
                let mut surviving = Vec::new();
                for segment in edges_or_all {
                    work.poll()?;
                    work.counter.volumes(1);
                    if target.meets(segment) {
                        surviving.push(*segment);
                    }
                }
                if surviving.is_empty() {
                    return ControlFlow::Continue(());
                }
                Some(Arc::from(surviving))
            }
        };
        if let Child::Pair(first) = child {
            next.push(EdgeTask { whose, node: first, edges: passed.clone() });
            next.push(EdgeTask { whose, node: first + 1, edges: passed });
        }
        ControlFlow::Continue(())
    }
}

impl EdgesAgainstBoxes<'_> {
    /// Whether an edge meets the box; the edges after the first that does are not tested.
    fn any_meets<C: Counter>(
        target: &PaddedBox,
        edges: &[EdgeSegment],
        work: &mut Work<'_, C>,
    ) -> ControlFlow<(), bool> {
        for segment in edges {
            work.poll()?;
            work.counter.volumes(1);
            if target.meets(segment) {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    /// Tests the edges that meet the leaf's box against its triangles; without a box, all edges.
    fn leaf<C: Counter>(
        &self,
        whose: Whose,
        leaf: u32,
        edges: &[EdgeSegment],
        target: Option<&PaddedBox>,
        work: &mut Work<'_, C>,
    ) -> ControlFlow<()> {
        let [with_edges, with_boxes] = self.sides(whose);
        let (mesh, other) = (with_edges.tree().mesh(), with_boxes.tree().mesh());
        // If only one contact is wanted, one of several equal triangles answers for all.
        let first = work.first();
        let counts = |mesh: &BalancedModel, t: &u32| !(first && mesh.tree().tree().is_repeat(*t));
        let edges_of =
            EdgesOf { whose, edges: with_edges.edges(), bounds_first: self.bounds_first };
        let mut faces: Vec<Face> = Vec::new();
        for segment in edges {
            work.poll()?;
            if let Some(target) = target {
                work.counter.volumes(1);
                if !target.meets(segment) {
                    continue;
                }
            }
            let mut owners = with_edges.edges().triangles(segment.edge).iter();
            if first && !owners.any(|t| counts(with_edges, t)) {
                continue;
            }
            if faces.is_empty() {
                let of = with_boxes.tree().tree().leaf(leaf);
                let of = of.as_slice().iter().filter(|t| counts(with_boxes, t));
                faces.extend(of.map(|&t| {
                    let corners = other.triangle(t);
                    let b_moves = |p| self.pose.apply(&p);
                    edges_of.face(t, if whose == Whose::A { corners.map(b_moves) } else { corners })
                }));
            }
            let ends = with_edges.edges().ends(segment.edge).map(|v| {
                let p = mesh.vertices()[v as usize];
                if whose == Whose::B { self.pose.apply(&p) } else { p }
            });
            let edge = edges_of.edge(segment.edge, ends);
            for face in &faces {
                edges_of.test(&edge, face, work)?;
            }
        }
        ControlFlow::Continue(())
    }
}
