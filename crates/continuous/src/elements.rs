//! All features of two moving meshes that meet within a step, over many steps: the assignment of elements
//! (anthology 2 §2.5.2) in continuous detection.
//!
//! 1. Trees over both ends of the step give pairs of triangles that may meet.
//! 2. At a pair, vertices are tested against the face, and edges against edges: all of them, or those that
//!    are assigned to the two triangles. A feature that meets something meets it within each of its
//!    triangles, so the pair at which it is tested is among those that the trees give.
//! 3. Features that were tested in vain are re-assigned for the next step.

use impinge_geometry::Mesh;
use impinge_hierarchy::assignment::Assignment;
use impinge_hierarchy::edges::Edges;
use impinge_query::{Cancelled, Contact, Control};

use crate::both_ends::OtherTriangles;
use crate::goal::Goal;
use crate::moving_tree::MovingTree;
use crate::pair::{Of, Pair, Query};
use crate::search::Search;
use crate::triangle::MovingTriangle;

/// At which pairs of triangles features are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementTest {
    /// At all: six vertices against faces and nine pairs of edges each.
    Every,
    /// Each vertex and each edge at one of its triangles only.
    Assigned,
    /// The same, and what met nothing in the last step changes its triangle.
    Reassigned,
}

/// Two features that meet within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Meeting {
    /// A vertex of A, and a triangle of B.
    VertexOfA(u32, u32),
    /// A vertex of B, and a triangle of A.
    VertexOfB(u32, u32),
    /// The ends of an edge of A and those of an edge of B, ascending.
    Edges([u32; 2], [u32; 2]),
}

/// What was found in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ElementStep {
    /// All pairs of features that meet, ascending, each once. Exact.
    pub met: Vec<Meeting>,
    /// Tests of a vertex and a face, or of two edges.
    pub tests: u64,
}

/// Two meshes that move step by step.
#[derive(Clone, Debug)]
pub struct ElementWalk {
    bodies: [Elements; 2],
    test: ElementTest,
}

/// Why the features of a step cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A mesh is not that of the walk.
    #[error(transparent)]
    OtherTriangles(#[from] OtherTriangles),
    /// The control cancelled it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl ElementWalk {
    /// A walk of two meshes. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(
        [a, b]: [&Mesh; 2],
        test: ElementTest,
        control: &Control<'_>,
    ) -> Result<Self, Cancelled> {
        Ok(Self { bodies: [Elements::new(a, control)?, Elements::new(b, control)?], test })
    }

    /// All features that meet in the next step, whose motions the trees have.
    ///
    /// # Errors
    /// [`StepError`].
    ///
    /// ```
    /// use impinge_continuous::{ElementTest, ElementWalk, Meeting, MovingTree};
    /// use impinge_continuous::query::{Control, continuous::Moving};
    /// use impinge_continuous::geometry::{Mesh, Point};
    /// let corners = |z| [[0., 0., z], [4., 0., z], [0., 4., z]].map(Point::from).to_vec();
    /// let mesh = |z| Mesh::new(corners(z), vec![[0, 1, 2]]);
    /// let (low, high) = (mesh(0.0)?, Mesh::new(
    ///     [[1., 1., 1.], [2., 1., 2.], [1., 2., 2.]].map(Point::from).to_vec(), vec![[0, 1, 2]])?);
    /// let (still, down) = (corners(0.0), high.vertices().iter().map(|p| Point::new(p.x, p.y, p.z - 1.5)));
    /// let down: Vec<Point> = down.collect();
    /// let [a, b] = [Moving::new(&low, &still)?, Moving::new(&high, &down)?];
    /// let trees = [MovingTree::new(&a, &Control::NONE)?, MovingTree::new(&b, &Control::NONE)?];
    /// let mut walk = ElementWalk::new([&low, &high], ElementTest::Assigned, &Control::NONE)?;
    /// let step = walk.step([&trees[0], &trees[1]], &Control::NONE)?;
    /// assert_eq!(step.met, [Meeting::VertexOfB(0, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(
        &mut self,
        [a, b]: [&MovingTree; 2],
        control: &Control<'_>,
    ) -> Result<ElementStep, StepError> {
        control.check()?;
        let [own_a, own_b] = &mut self.bodies;
        for (elements, tree) in [(&mut *own_a, a), (&mut *own_b, b)] {
            elements.check(tree)?;
            if self.test != ElementTest::Every {
                elements.begin(self.test == ElementTest::Reassigned);
            }
        }
        let shares = self.test != ElementTest::Every;
        let mut all = Met { bodies: [own_a, own_b], shares, step: ElementStep::default() };
        a.descend(b, Of::TwoMeshes, &mut all, control)?;
        let ElementStep { mut met, tests } = all.step;
        met.sort_unstable();
        met.dedup();
        Ok(ElementStep { met, tests })
    }
}

/// The vertices and edges of a mesh, and the triangles that they are assigned to.
#[derive(Clone, Debug)]
struct Elements {
    corners: Vec<[u32; 3]>,
    edges: Edges,
    /// The edges of each triangle; fewer than three are padded with [`u32::MAX`].
    edges_of: Vec<[u32; 3]>,
    stars: Stars,
    of_vertices: Assignment,
    of_edges: Assignment,
}

impl Elements {
    fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let edges = Edges::new(mesh, control)?;
        let edges_of = edges.by_triangle(mesh.triangles().len());
        Ok(Self {
            corners: mesh.triangles().to_vec(),
            edges,
            edges_of,
            stars: Stars::new(mesh),
            of_vertices: Assignment::default(),
            of_edges: Assignment::default(),
        })
    }

    fn check(&self, tree: &MovingTree) -> Result<(), OtherTriangles> {
        let same = tree.triangles().iter().map(|t| &t.vertices).eq(&self.corners);
        if same { Ok(()) } else { Err(OtherTriangles) }
    }

    fn begin(&mut self, again: bool) {
        let Self { edges, stars, of_vertices, of_edges, .. } = self;
        of_vertices.begin(stars.len(), |v| stars.triangles(v), again);
        of_edges.begin(edges.len(), |e| edges.triangles(e), again);
    }
}

/// The triangles around each vertex.
#[derive(Clone, Debug)]
struct Stars {
    /// Those of vertex `v` are `triangles[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Stars {
    fn new(mesh: &Mesh) -> Self {
        let corners = || (0_u32..).zip(mesh.triangles()).flat_map(|(t, c)| c.map(|v| (v, t)));
        let mut first = vec![0; mesh.vertices().len() + 1];
        corners().for_each(|(v, _)| first[v as usize + 1] += 1);
        (1..first.len()).for_each(|v| first[v] += first[v - 1]);
        let (mut next, mut triangles) = (first.clone(), vec![0; 3 * mesh.triangles().len()]);
        for (v, t) in corners() {
            triangles[next[v as usize] as usize] = t;
            next[v as usize] += 1;
        }
        Self { first, triangles }
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn triangles(&self, vertex: u32) -> &[u32] {
        let range = |v: usize| self.first[v] as usize;
        &self.triangles[range(vertex as usize)..range(vertex as usize + 1)]
    }
}

/// Collects the features that meet.
struct Met<'w> {
    bodies: [&'w mut Elements; 2],
    /// Whether features are tested at their own triangle only.
    shares: bool,
    step: ElementStep,
}

impl Met<'_> {
    /// Asks a question, and notes the answer of its features, of A and of B, if they have any to note.
    fn ask(&mut self, query: &Query, meeting: Meeting, edges: [u32; 2]) {
        self.step.tests += 1;
        let met = query.first_contact().is_some();
        if met {
            self.step.met.push(meeting);
        }
        if !self.shares {
            return;
        }
        let [a, b] = &mut self.bodies;
        match meeting {
            Meeting::VertexOfA(v, _) => a.of_vertices.note(v, met),
            Meeting::VertexOfB(v, _) => b.of_vertices.note(v, met),
            Meeting::Edges(..) => {
                a.of_edges.note(edges[0], met);
                b.of_edges.note(edges[1], met);
            }
        }
    }

    /// The corners of a triangle whose vertices are tested there.
    fn corners(
        &self,
        object: usize,
        own: u32,
        t: &MovingTriangle,
    ) -> impl Iterator<Item = usize> + use<> {
        let of = &self.bodies[object].of_vertices;
        let yes = |v: u32| !self.shares || of.triangle(v) == own;
        let yes = t.vertices.map(yes);
        (0..3).filter(move |&k| yes[k])
    }

    /// The edges of a triangle that are tested there.
    fn edges(&self, object: usize, own: u32) -> impl Iterator<Item = u32> + Clone + use<> {
        let Elements { edges_of, of_edges, .. } = &*self.bodies[object];
        let edges = edges_of[own as usize];
        let yes = edges.map(|e| e != u32::MAX && (!self.shares || of_edges.triangle(e) == own));
        (0..3).filter(move |&k| yes[k]).map(move |k| edges[k])
    }
}

impl Goal for Met<'_> {
    const FIRST: bool = false;

    fn until(&self) -> f64 {
        f64::INFINITY
    }

    fn take(&mut self, pair: &Pair<'_>, _: f64) {
        let ([p, q], Contact { a, b }) = (pair.both(), pair.triangles);
        for k in self.corners(0, a, p) {
            let meeting = Meeting::VertexOfA(p.vertices[k], b);
            self.ask(&Query::vertex_face(p, k, q), meeting, [0; 2]);
        }
        for k in self.corners(1, b, q) {
            let meeting = Meeting::VertexOfB(q.vertices[k], a);
            self.ask(&Query::vertex_face(q, k, p), meeting, [0; 2]);
        }
        let of_b = self.edges(1, b);
        for e in self.edges(0, a) {
            for f in of_b.clone() {
                let (ends, others) = (self.bodies[0].edges.ends(e), self.bodies[1].edges.ends(f));
                let query =
                    Query::edges(p, ends.map(|v| p.corner(v)), q, others.map(|v| q.corner(v)));
                self.ask(&query, Meeting::Edges(ends, others), [e, f]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Vector;
    use impinge_models::Shape;
    use impinge_query::continuous::Moving;

    use super::*;

    /// If the edges or the vertices of a mesh are assigned to no triangle, meetings are lost.
    #[test]
    fn features_that_no_triangle_has_are_missed() {
        let mesh = Shape::Torus.mesh(60, 0);
        let ends: Vec<_> = mesh.vertices().iter().map(|p| p + Vector::new(0.2, 0.3, 0.1)).collect();
        let tree = |ends| {
            let moving = Moving::new(&mesh, ends).expect("finite");
            MovingTree::new(&moving, &Control::NONE).expect("not cancelled")
        };
        let trees = [tree(mesh.vertices()), tree(&ends)];
        let step = |spoil: fn(&mut Elements) -> (&mut Assignment, usize)| {
            let mut walk = ElementWalk::new([&mesh, &mesh], ElementTest::Assigned, &Control::NONE)
                .expect("not cancelled");
            let (assigned, count) = spoil(&mut walk.bodies[1]);
            assigned.begin(count, |_| &[], false);
            walk.step([&trees[0], &trees[1]], &Control::NONE).expect("its meshes").met
        };
        let truth = step(|elements| (&mut elements.of_edges, 0));
        assert_ne!(step(|elements| (&mut elements.of_edges, elements.edges.len())), truth);
        assert_ne!(step(|elements| (&mut elements.of_vertices, elements.stars.len())), truth);
    }
}
