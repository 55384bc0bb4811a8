//! The engine of all tree methods.

use impinge_geometry::{Mesh, Point};
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
    walk: M,
    bounded: Vec<Bounded>,
}

impl<B: Builder, T: Traversal, L: LeafTest> Search for TreeEngine<B, T, L> {
    type Model = TreeModel<B::Volume>;
    type Memory = Memory<T::Memory>;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        let most = Tree::<B::Volume>::MAX_TRIANGLES;
        check_count(self.description.word, mesh.triangles().len(), most)?;
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
        let found = &mut found.contacts;
        let first = found.wants_first();
        let placement = Placement::of(query);
        let trees = Trees::new(query.a.tree(), query.b.tree(), &placement).of_firsts(first);
        let sides = Sides {
            a: query.a.mesh(),
            b: query.b.mesh(),
            pose: query.pose,
            tree_a: trees.a,
            tree_b: trees.b,
            frame: trees.frame,
            firsts: first,
        };
        let (test, mut watch) = (self.leaf, Watch::new(query.control));
        let leaf = |pair, counter: &mut _| {
            test.leaves(&sides, pair, first, (counter, &mut watch), |contact| found.take(contact))
        };
        counter.stage("descent", |counter| {
            self.traversal.walk(&trees, &mut memory.walk, counter, query.control, leaf)
        })?;
        watch.end()?;
        Ok(())
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        goal: Goal,
        _: Option<f64>,
        memory: &mut Self::Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let stack = &mut memory.bounded;
        Ok(distance::Search { query }.run(goal, stack, counter)?)
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, Self::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query, solid)
    }
}

/// Refuses a mesh of more than `most` triangles.
fn check_count(word: &'static str, count: usize, most: usize) -> Result<(), PrepareError> {
    if count <= most {
        return Ok(());
    }
    Err(PrepareError::Refused { word, reason: format!("{count} triangles, at most {most}") })
}

#[cfg(test)]
mod tests;
