//! The engine of all tree methods.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Cancelled, Control, Counter, Description, Found, Goal, Nearest, PrepareError, Query,
    QueryError, RefitError, Search, Side,
};

use crate::build::{Builder, Update};
use crate::containment::Surface;
use crate::distance::{self, Bounded};
use crate::leaf::{LeafTest, Sides};
use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{Traversal, Trees, Watch};
use crate::tree::Tree;
use crate::volume::Volume;

/// A tree method: *volume × builder × traversal × leaf test*, with its description.
#[derive(Clone, Copy, Debug)]
pub struct TreeEngine<B, T, L> {
    /// Name, source and abilities of the method.
    pub description: Description,
    /// Builds the tree and determines the type of its volumes.
    pub builder: B,
    /// Traverses two trees.
    pub traversal: T,
    /// Tests two triangles.
    pub leaf: L,
    /// How trees are updated after vertices have moved.
    pub update: Update,
    /// If a refit leaves a tree more than this many times as costly as when it was built, the next
    /// refit rebuilds it.
    pub rebuild_above: f64,
}

impl<B, T, L> TreeEngine<B, T, L> {
    /// Combines the four parts; a deformed tree is rebuilt once it costs twice as much.
    pub const fn new(description: Description, builder: B, traversal: T, leaf: L) -> Self {
        Self { description, builder, traversal, leaf, update: Update::BottomUp, rebuild_above: 2.0 }
    }
}

/// The traversal's memory, and a stack to reuse.
#[derive(Debug, Default)]
pub struct Memory<M> {
    pub(crate) walk: M,
    pub(crate) bounded: Vec<Bounded>,
}

impl<B: Builder, T: Traversal, L: LeafTest> Search for TreeEngine<B, T, L> {
    type Model = TreeModel<B::Volume>;
    type Memory = Memory<T::Memory>;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        let most = Tree::<B::Volume>::MAX_TRIANGLES;
        PrepareError::check_count(self.description.word, mesh.triangles().len(), most)?;
        let tree = self.builder.build(mesh, control)?;
        Ok(TreeModel::new(mesh.clone(), tree))
    }

    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let word = self.description.word;
        let refit = self.builder.refit().ok_or(RefitError::Unsupported { word })?;
        let rule = (self.update, self.rebuild_above);
        model.follow(&self.builder, refit, rule, vertices, control)
    }

    fn memory(&self) -> Self::Memory {
        Memory::default()
    }

    fn forget(&self, memory: &mut Self::Memory) {
        memory.walk = T::Memory::default();
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        self.contacts_of(&Posed::of(query), &mut memory.walk, counter, found)
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        goal: Goal,
        _: Option<f64>,
        memory: &mut Self::Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        Ok(Posed::of(query).nearest(goal, &mut memory.bounded, counter)?)
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, Self::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query, solid)
    }
}

/// Two posed meshes with their trees, whose volumes may be those of the models or made for this
/// query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed<'q, V: Volume> {
    /// A's mesh, and B's in its own frame.
    pub(crate) meshes: [&'q Mesh; 2],
    /// B's pose in A's frame.
    pub(crate) pose: &'q Pose,
    /// Both trees with B's placement.
    pub(crate) trees: Trees<'q, V>,
    /// Cancellation and progress.
    pub(crate) control: &'q Control<'q>,
}

impl<'q, V: Volume> Posed<'q, V> {
    fn of(query: &Query<'q, TreeModel<V>>) -> Self {
        let Query { a, b, pose, control, .. } = *query;
        let trees = Trees::new(a.tree(), b.tree(), &Placement::of(query));
        Self { meshes: [a.mesh(), b.mesh()], pose, trees, control }
    }

    /// What a leaf test needs; `firsts` as in [`Trees::of_firsts`].
    const fn sides(&self, firsts: bool) -> Sides<'q, V> {
        let ([a, b], pose, Trees { a: tree_a, b: tree_b, frame, .. }) =
            (self.meshes, self.pose, self.trees);
        Sides { a, b, pose, tree_a, tree_b, frame, firsts }
    }

    /// The nearest pair of triangles for a goal.
    pub(crate) fn nearest<C: Counter>(
        &self,
        goal: Goal,
        stack: &mut Vec<Bounded>,
        counter: &mut C,
    ) -> Result<Option<Nearest>, Cancelled> {
        let search = distance::Search { sides: &self.sides(true), control: self.control };
        search.run(&self.trees.of_firsts(true), goal, stack, counter)
    }
}

impl<B, T: Traversal, L: LeafTest> TreeEngine<B, T, L> {
    /// Adds the contacts of two posed meshes to `found`.
    pub(crate) fn contacts_of<V: Volume, C: Counter>(
        &self,
        posed: &Posed<'_, V>,
        walk: &mut T::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let found = &mut found.contacts;
        let first = found.wants_first();
        let (trees, sides) = (posed.trees.of_firsts(first), posed.sides(first));
        let (test, mut watch) = (self.leaf, Watch::new(posed.control));
        let leaf = |pair, counter: &mut _| {
            test.leaves(&sides, pair, first, (counter, &mut watch), |contact| found.take(contact))
        };
        counter.stage("descent", |counter| {
            self.traversal.walk(&trees, walk, counter, posed.control, leaf)
        })?;
        watch.end()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
