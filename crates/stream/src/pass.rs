//! One direction of a query: the edges of one mesh against the triangles of the other.

use std::ops::ControlFlow;

use impinge_geometry::Point;
use impinge_geometry::exact::segment_meets_triangle;
use impinge_hierarchy::Child;
use impinge_query::{Cancelled, Contact, Contacts, Control, Counter, MeshModel, Pictures, Side};

use crate::kernel::{Class, Depth, Face, classify, printed_box, through};
use crate::methods::{Culling, Mode};
use crate::model::Culled;
use crate::stream::{Block, EdgeStream, LOOK, Stage};

/// How a direction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All that may meet was tested.
    Done,
    /// One contact was found and is enough.
    Enough,
    /// No edge meets the root box; as printed, the paper then says "apart".
    Apart,
}

/// Pairs that 32 bits decided, and pairs left to the exact test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) settled: u64,
    pub(crate) resolved: u64,
}

/// The edges of one mesh against the triangles of the other.
pub(crate) struct Pass<'p, 'q, C> {
    pub(crate) stage: Stage<'q>,
    pub(crate) mode: Mode,
    pub(crate) culling: Culling,
    pub(crate) counter: &'p mut C,
    pub(crate) control: &'p Control<'p>,
    pub(crate) found: &'p mut Contacts,
    pub(crate) decided: &'p mut Decided,
}

/// Why a pass ends before its end.
enum Stop {
    Cancelled(Cancelled),
    Enough,
}

impl From<Cancelled> for Stop {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl<C: Counter> Pass<'_, '_, C> {
    /// Runs the pass over the edges in `levels[0]`. The other levels are space: the edges that
    /// survive a node at depth d are in level d + 1.
    pub(crate) fn run(&mut self, levels: &mut Vec<EdgeStream>) -> Result<End, Cancelled> {
        let still = self.stage.still;
        let ended = match (self.culling, still.culled()) {
            (Culling::Triangles, Some(culled)) => self.tree(culled, &levels[0]),
            (Culling::Edges, Some(culled)) => self.shrink(culled, levels),
            (Culling::Nothing, _) | (_, None) => self.all(&levels[0]),
        };
        match ended {
            Ok(end) => Ok(end),
            Err(Stop::Enough) => Ok(End::Enough),
            Err(Stop::Cancelled(cancelled)) => Err(cancelled),
        }
    }

    /// S0: all edges against each triangle (fan §3.3).
    fn all(&mut self, edges: &EdgeStream) -> Result<End, Stop> {
        for t in 0..self.stage.still.faces().len() as u32 {
            self.triangle(t, edges)?;
        }
        Ok(End::Done)
    }

    /// S1: all edges against each box, and its children only if one meets it (fan §3.5.1).
    fn tree(&mut self, culled: &Culled, edges: &EdgeStream) -> Result<End, Stop> {
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let mut any = false;
            self.box_(culled, node, edges, |_, marks| any |= marks.contains(&true))?;
            if !any {
                if node == 0 && self.mode == Mode::AsPrinted {
                    return Ok(End::Apart);
                }
                continue;
            }
            match culled.tree.nodes()[node as usize].child() {
                Child::Pair(first) => stack.extend([first + 1, first]),
                Child::Leaf(leaf) => {
                    for &t in culled.tree.leaf(leaf).as_slice() {
                        self.triangle(t, edges)?;
                    }
                }
            }
        }
        Ok(End::Done)
    }

    /// S2: as S1, and the children get the edges that meet the box (fan §3.5.2, §3.5.3).
    fn shrink(&mut self, culled: &Culled, levels: &mut Vec<EdgeStream>) -> Result<End, Stop> {
        let mut stack = vec![(0, 0)];
        while let Some((node, depth)) = stack.pop() {
            if levels.len() == depth + 1 {
                levels.push(EdgeStream::default());
            }
            let (above, below) = levels.split_at_mut(depth + 1);
            let (edges, rest) = (&above[depth], &mut below[0]);
            rest.clear();
            self.box_(culled, node, edges, |block, marks| rest.extend_marked(block, marks))?;
            if rest.is_empty() {
                match (self.mode, node) {
                    (Mode::AsPrinted, 0) => return Ok(End::Apart),
                    (Mode::AsPrinted, _) => return Ok(End::Done),
                    (Mode::Certified | Mode::Sampled, _) => continue,
                }
            }
            match culled.tree.nodes()[node as usize].child() {
                Child::Pair(first) => stack.extend([(first + 1, depth + 1), (first, depth + 1)]),
                Child::Leaf(leaf) => {
                    for &t in culled.tree.leaf(leaf).as_slice() {
                        self.triangle(t, rest)?;
                    }
                }
            }
        }
        Ok(End::Done)
    }

    /// Tests all edges of a stream against a node's box, and gives each block with a mark for every
    /// edge that may meet it.
    fn box_(
        &mut self,
        culled: &Culled,
        node: u32,
        edges: &EdgeStream,
        mut each: impl FnMut(&Block<'_>, &[bool]),
    ) -> Result<(), Stop> {
        let target = &culled.boxes[node as usize];
        let mut marks = [false; LOOK];
        for block in edges.blocks() {
            self.control.check()?;
            let n = block.edges.len();
            self.counter.volumes(n as u64);
            let marks = &mut marks[..n];
            match self.mode {
                Mode::Certified => mark(marks, |i| {
                    let edge = block.record(i);
                    target.meets(edge.from, edge.to, edge.last)
                }),
                Mode::Sampled => mark(marks, |i| {
                    let edge = block.record(i);
                    let end = [0, 1, 2].map(|k| edge.from[k] + edge.last * edge.to[k]);
                    target.meets(edge.from, end, 0.0)
                }),
                Mode::AsPrinted => mark(marks, |i| {
                    let edge = block.record(i);
                    printed_box(edge.from, edge.to, edge.last, target)
                }),
            }
            each(&block, marks);
        }
        self.drawn(edges);
        Ok(())
    }

    /// Tests all edges of a stream against one triangle.
    fn triangle(&mut self, t: u32, edges: &EdgeStream) -> Result<(), Stop> {
        let face = &self.stage.still.faces()[t as usize];
        let mut ended = ControlFlow::Continue(());
        for block in edges.blocks() {
            self.control.check()?;
            self.counter.primitives(block.edges.len() as u64);
            // All edges of a draw count, as an adapter draws them.
            if ended.is_continue() {
                ended = match self.mode {
                    Mode::Certified => self.certified(t, face, &block)?,
                    Mode::Sampled | Mode::AsPrinted => self.sampled(t, face, &block)?,
                };
            }
        }
        self.drawn(edges);
        if ended.is_break() { Err(Stop::Enough) } else { Ok(()) }
    }

    /// Counts a draw over a viewport with a pixel for each edge, and the reading of its result.
    fn drawn(&mut self, edges: &EdgeStream) {
        self.counter.drawn(Pictures { count: 1, vertices: 4, pixels: edges.len() as u64 });
        self.counter.submitted(1);
    }

    fn certified(
        &mut self,
        t: u32,
        face: &Face,
        block: &Block<'_>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let n = block.edges.len();
        let mut classes = [Class::Miss as u32; LOOK];
        let classes = &mut classes[..n];
        for (i, class) in classes.iter_mut().enumerate() {
            let edge = block.record(i);
            *class = classify(edge.from, edge.to, edge.last, face);
        }
        let mut resolved = 0;
        let mut ended = ControlFlow::Continue(());
        for (&class, &edge) in classes.iter().zip(block.edges) {
            if class == Class::Miss as u32 {
                continue;
            }
            let unknown = class == Class::Unknown as u32;
            if unknown {
                resolved += 1;
                self.counter.exact(1);
                if resolved % 64 == 0 {
                    self.control.check()?;
                }
            }
            if !unknown || self.exactly(t, edge) {
                ended = self.hit(t, edge)?;
                if ended.is_break() {
                    break;
                }
            }
        }
        let decided = classes.iter().filter(|class| **class != Class::Unknown as u32);
        self.decided.settled += decided.count() as u64;
        self.decided.resolved += resolved;
        Ok(ended)
    }

    fn sampled(
        &mut self,
        t: u32,
        face: &Face,
        block: &Block<'_>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let depth = if self.mode == Mode::AsPrinted {
            let unit = self.stage.frame().unit;
            Depth::Printed { least: (1e-6 / unit / unit) as f32 }
        } else {
            Depth::Closed
        };
        let mut marks = [false; LOOK];
        let marks = &mut marks[..block.edges.len()];
        mark(marks, |i| {
            let edge = block.record(i);
            through(edge.from, edge.to, edge.last, face, depth)
        });
        for (i, _) in marks.iter().enumerate().filter(|(_, marked)| **marked) {
            if self.hit(t, block.edges[i])?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The exact test, in A's frame.
    pub(crate) fn exactly(&self, t: u32, edge: u32) -> bool {
        let Stage { whose, moving, still, pose } = self.stage;
        let vertices = moving.subject().mesh().vertices();
        let ends = moving.edges().ends(edge).map(|v| vertices[v as usize]);
        let corners = still.subject().mesh().triangle(t);
        let pose = |p: Point| pose.apply(&p);
        let ([u, v], corners) = match whose {
            Side::A => (ends, corners.map(pose)),
            Side::B => (ends.map(pose), corners),
        };
        segment_meets_triangle(&u, &v, &corners)
    }

    /// Reports a contact of every triangle that has the edge.
    pub(crate) fn hit(&mut self, t: u32, edge: u32) -> Result<ControlFlow<()>, Cancelled> {
        for (index, &owner) in self.stage.moving.edges().triangles(edge).iter().enumerate() {
            if index % LOOK == LOOK - 1 {
                self.control.check()?;
            }
            let taken = self.found.take(match self.stage.whose {
                Side::A => Contact { a: owner, b: t },
                Side::B => Contact { a: t, b: owner },
            });
            if taken.is_break() {
                return Ok(taken);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Sets a mark for every edge of a block.
#[inline(always)]
fn mark(marks: &mut [bool], meets: impl Fn(usize) -> bool) {
    for (i, mark) in marks.iter_mut().enumerate() {
        *mark = meets(i);
    }
}
