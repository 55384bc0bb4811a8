//! The search: octree, marks, descent, triangle tests.

use std::ops::ControlFlow;

use impinge_geometry::{Mesh, Point, Pose, Triangle};
use impinge_hierarchy::assignment::Assignment;
use impinge_hierarchy::build::{AxisBoxFit, Builder, Mean, TopDown};
use impinge_hierarchy::containment::Surface;
use impinge_hierarchy::leaf::{Intervals, LeafTest};
use impinge_hierarchy::traverse::{
    Ancestors, FrontMemory, FrontOfBoth, LeafPair, Marks, Simultaneous, Tested, Traversal,
    Trees as Placed, Watch,
};
use impinge_hierarchy::volume::AxisBox;
use impinge_hierarchy::{NodePair, Placement, Tree, TreeEngine, TreeModel};
use impinge_query::lists::Bounded;
use impinge_query::{
    Cancelled, Contact, Control, Counter, Description, Found, Goal, MeshModel, Nearest,
    PrepareError, Query, QueryError, RefitError, Search, Side, Subject,
};

use super::elements::{Elements, Pairs};
use super::near::Items;
use super::{Markers, Octree, OctreeFrontParams, Trees};

/// The AABB trees; it answers questions of distance and containment.
pub(super) type TreeMethod = TreeEngine<TopDown<AxisBoxFit, Mean>, Simultaneous, Intervals>;

/// The method `octree-front`: see [`octree_front`](super::octree_front).
#[derive(Clone, Copy, Debug)]
pub struct OctreeFront {
    /// Its parameters.
    pub params: OctreeFrontParams,
    pub(super) trees: TreeMethod,
}

/// A mesh with its AABB tree.
#[derive(Debug)]
pub struct OctreeFrontModel {
    own: TreeModel<AxisBox>,
    ancestors: Ancestors,
    /// If triangles are tested by edges.
    elements: Option<Elements>,
}

impl OctreeFrontModel {
    fn new(own: TreeModel<AxisBox>, elements: Option<Elements>) -> Self {
        let ancestors = Ancestors::of(own.tree(), own.mesh().triangles().len());
        Self { own, ancestors, elements }
    }

    /// The mesh, in its own frame.
    pub fn mesh(&self) -> &Mesh {
        self.own.mesh()
    }

    /// The tree that is kept.
    pub const fn tree(&self) -> &Tree<AxisBox> {
        self.own.tree()
    }
}

impl MeshModel for OctreeFrontModel {
    fn subject(&self) -> &Subject {
        self.own.subject()
    }

    fn own_bytes(&self) -> usize {
        let elements = self.elements.as_ref().map_or(0, Elements::bytes);
        let rest = size_of::<Self>() - size_of::<TreeModel<AxisBox>>();
        self.own.own_bytes() + rest + self.ancestors.bytes() + elements
    }
}

/// The front of a pair, the assignment of edges, and allocations to reuse.
#[derive(Debug)]
pub struct OctreeFrontMemory {
    front: FrontMemory,
    assigned: [Assignment; 2],
    octree: Octree,
    items: Items,
    marks: [Marks; 2],
    stack: Vec<NodePair>,
    nearest: <TreeMethod as Search>::Memory,
}

impl OctreeFrontMemory {
    /// The pairs of nodes at which the last descent stopped; none without markers.
    pub fn front(&self) -> &[NodePair] {
        self.front.front()
    }

    /// The octree of the last query.
    pub const fn octree(&self) -> &Octree {
        &self.octree
    }
}

impl Search for OctreeFront {
    type Model = OctreeFrontModel;
    type Memory = OctreeFrontMemory;

    fn describe(&self) -> &Description {
        &self.trees.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        let own = Search::prepare(&self.trees, mesh, control)?;
        let by_edges = self.params.test.by_edges();
        let elements = by_edges.then(|| Elements::new(mesh, control)).transpose()?;
        Ok(OctreeFrontModel::new(own, elements))
    }

    fn refit(
        &self,
        model: &mut OctreeFrontModel,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        Search::refit(&self.trees, &mut model.own, vertices, control)?;
        // The tree may have been built anew.
        model.ancestors = Ancestors::of(model.own.tree(), model.own.mesh().triangles().len());
        Ok(())
    }

    fn memory(&self) -> OctreeFrontMemory {
        OctreeFrontMemory {
            front: FrontMemory::default(),
            assigned: Default::default(),
            octree: Octree::default(),
            items: Items::default(),
            marks: Default::default(),
            stack: Vec::new(),
            nearest: Search::memory(&self.trees),
        }
    }

    fn forget(&self, memory: &mut OctreeFrontMemory) {
        memory.front = FrontMemory::default();
        memory.assigned.iter_mut().for_each(Assignment::forget);
        self.trees.forget(&mut memory.nearest);
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, OctreeFrontModel>,
        memory: &mut OctreeFrontMemory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let OctreeFrontMemory { assigned, octree, items, .. } = memory;
        counter.stage("octree", |counter| self.cells(query, (octree, items), counter))?;
        let pairs = match (&query.a.elements, &query.b.elements) {
            (Some(of_a), Some(of_b)) => {
                Some(Pairs::new(query, [of_a, of_b], assigned, self.params.test))
            }
            _ => None,
        };
        if self.params.test.assigns() {
            found.contacts.expect_repeats();
        }
        let mut test = PairTest { pairs, watch: Watch::new(query.control), found };
        let rest = (&mut memory.front, &mut memory.stack);
        match self.params.trees {
            Trees::Kept => {
                mark(query, &mut memory.marks, (&memory.octree, &memory.items.of));
                self.descend(query, &memory.marks, rest, counter, &mut test)?;
            }
            Trees::Anew => {
                let of = [0, 1].map(|k| match self.params.octree {
                    Some(_) => chosen(&memory.items.of[k], memory.octree.result()[k]),
                    None => std::mem::take(&mut memory.items.of[k]),
                });
                self.descend_anew(query, &of, rest.1, counter, &mut test)?;
            }
        }
        Ok(test.watch.end()?)
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, OctreeFrontModel>,
        goal: Goal,
        most: Option<f64>,
        memory: &mut OctreeFrontMemory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let query = query.of(&query.a.own, &query.b.own);
        self.trees.nearest(&query, goal, most, &mut memory.nearest, counter)
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, OctreeFrontModel>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query.of(&query.a.own, &query.b.own), solid)
    }
}

impl OctreeFront {
    /// Finds the triangles in cells with triangles of both objects.
    fn cells<C: Counter>(
        &self,
        query: &Query<'_, OctreeFrontModel>,
        (octree, items): (&mut Octree, &mut Items),
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let Some(params) = &self.params.octree else {
            return match self.params.trees {
                Trees::Kept => Ok(()),
                Trees::Anew => items.everything(query, counter),
            };
        };
        if params.everywhere {
            items.everything(query, counter)?;
        } else {
            items.near(query, counter)?;
        }
        octree.build(params, [&items.of[0], &items.of[1]], query.control)
    }

    /// Descends the kept trees.
    fn descend<C: Counter>(
        &self,
        query: &Query<'_, OctreeFrontModel>,
        [of_a, of_b]: &[Marks; 2],
        (front, stack): (&mut FrontMemory, &mut Vec<NodePair>),
        counter: &mut C,
        test: &mut PairTest<'_, '_, '_>,
    ) -> Result<(), Cancelled> {
        // Where edges are assigned, one of several equal triangles cannot answer for all.
        let firsts = test.found.contacts.wants_first() && !self.params.test.assigns();
        let trees = Placed::new(query.a.tree(), query.b.tree(), &placement(query));
        let mut trees = trees.of_firsts(firsts);
        if self.params.octree.is_some() {
            trees = trees.among([of_a, of_b]);
        }
        let leaf = |LeafPair { a, b, .. }: LeafPair, counter: &mut C| {
            test.pair(Contact { a, b }, &query.triangles(Contact { a, b }), counter)
        };
        counter.stage("descent", |counter| {
            let control = query.control;
            let renewed = match self.params.markers {
                Markers::None => return Simultaneous.walk(&trees, stack, counter, control, leaf),
                Markers::Sinking => false,
                Markers::Renewed => true,
            };
            FrontOfBoth { renewed }.walk(&trees, front, counter, control, leaf)
        })
    }

    /// Builds trees over these triangles, which are in A's frame, and descends them.
    fn descend_anew<C: Counter>(
        &self,
        query: &Query<'_, OctreeFrontModel>,
        of: &[Vec<Bounded>; 2],
        stack: &mut Vec<NodePair>,
        counter: &mut C,
        test: &mut PairTest<'_, '_, '_>,
    ) -> Result<(), QueryError> {
        if of.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let build = |of: &Vec<Bounded>| {
            let mesh = soup(of)?;
            let tree = self.trees.builder.build(&mesh, query.control)?;
            Ok::<_, QueryError>((mesh.max_abs_coordinate(), tree))
        };
        let [(a, of_a), (b, of_b)] =
            counter.stage("trees", |_| Ok::<_, QueryError>([build(&of[0])?, build(&of[1])?]))?;
        counter.updated((of_a.nodes().len() + of_b.nodes().len()) as u64);
        let trees = Placed::new(&of_a, &of_b, &Placement::new(&Pose::identity(), a, b));
        let leaf = |LeafPair { a, b, .. }: LeafPair, counter: &mut C| {
            let (p, q) = (&of[0][a as usize], &of[1][b as usize]);
            test.pair(Contact { a: p.index, b: q.index }, &(p.corners, q.corners), counter)
        };
        counter.stage("descent", |counter| {
            Simultaneous.walk(&trees, stack, counter, query.control, leaf)
        })?;
        Ok(())
    }
}

/// Placement of B in A's frame.
pub(super) fn placement(query: &Query<'_, OctreeFrontModel>) -> Placement {
    Placement::new(query.pose, query.a.own.max_abs(), query.b.own.max_abs())
}

/// Marks the nodes above the triangles in shared cells.
fn mark(
    query: &Query<'_, OctreeFrontModel>,
    marks: &mut [Marks; 2],
    (octree, items): (&Octree, &[Vec<Bounded>; 2]),
) {
    for (k, model) in [query.a, query.b].into_iter().enumerate() {
        marks[k].clear(model.tree().nodes().len());
        for &number in octree.result()[k] {
            marks[k].mark(items[k][number as usize].index, &model.ancestors);
        }
    }
}

/// The triangles of a list with these numbers.
fn chosen(items: &[Bounded], numbers: &[u32]) -> Vec<Bounded> {
    numbers.iter().map(|&k| items[k as usize]).collect()
}

/// A mesh of these triangles, each with its own vertices.
fn soup(of: &[Bounded]) -> Result<Mesh, QueryError> {
    let vertices = of.iter().flat_map(|one| one.corners).collect();
    let triangles = (0..of.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(vertices, triangles).map_err(QueryError::OutOfRange)
}

/// The test of a pair of triangles, and where contacts go.
struct PairTest<'t, 'f, 'q> {
    /// If triangles are tested by edges.
    pairs: Option<Pairs<'q>>,
    watch: Watch<'q>,
    found: &'t mut Found<'f>,
}

impl PairTest<'_, '_, '_> {
    fn pair<C: Counter>(
        &mut self,
        pair: Contact,
        (p, q): &(Triangle, Triangle),
        counter: &mut C,
    ) -> ControlFlow<(), Tested> {
        let Self { pairs, watch, found } = self;
        let contacts = &mut found.contacts;
        if let Some(pairs) = pairs {
            pairs.test(pair, [p, q], (counter, watch), |hit| contacts.take(hit))?;
        } else if Intervals.meet(p, q, counter) {
            contacts.take(pair)?;
            return ControlFlow::Continue(Tested::Contact);
        }
        ControlFlow::Continue(Tested::Apart)
    }
}
