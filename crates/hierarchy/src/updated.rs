//! Tree methods whose volumes are updated along the world's axes, once per object and step (li
//! §3.2), so that a pair of boxes is tested on three axes instead of fifteen.
//!
//! - In a scene, each object is an [`UpdatedModel`] of its own: [`UpdatedModel::at`] makes one that
//!   shares mesh and tree, [`UpdatedModel::update`] moves it. A query of two such models, with the
//!   pose [`Pose::relative`] of theirs, updates nothing.
//! - With any other pose, as for two meshes that were only prepared, the world is A's: B's volumes
//!   are updated once for this query, in the pair's memory, and counted (`N_u`).
//!
//! Answers are about B placed by the query's pose, like those of every other method.

use std::sync::Arc;

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Cancelled, Control, Counter, Description, Found, Goal, MeshModel, Nearest, PrepareError, Query,
    QueryError, Search, Side, Subject,
};

use crate::build::Builder;
use crate::containment::Surface;
use crate::engine::{Memory, Posed, TreeEngine};
use crate::leaf::LeafTest;
use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{Traversal, Trees};
use crate::tree::{Child, Node, Tree};
use crate::volume::{Aligned, AxisBox, Below, Merge, Place, Renewal, Volume};

/// A tree method with its volumes updated to `W`.
#[derive(Clone, Copy, Debug)]
pub struct Updating<W, B, T, L> {
    /// The method without updates.
    pub engine: TreeEngine<B, T, L>,
    volume: std::marker::PhantomData<fn() -> W>,
}

impl<W, B, T, L> Updating<W, B, T, L> {
    /// Updates the trees of this method.
    pub const fn new(engine: TreeEngine<B, T, L>) -> Self {
        Self { engine, volume: std::marker::PhantomData }
    }
}

/// A tree in the world, for one pose of its mesh.
#[derive(Clone, Debug)]
struct World<W: Volume> {
    tree: Tree<W>,
    pose: Pose,
    place: Place,
    /// Posed vertices, if boxes are made of them.
    vertices: Vec<Point>,
}

impl<W: Aligned> World<W> {
    /// The tree of a model with all volumes updated for `pose`.
    fn new(model: &TreeModel<W::Own>, pose: &Pose) -> Self {
        let own = model.tree();
        let place = Place::new(pose, model.max_abs());
        let vertices: Vec<Point> = model.mesh().vertices().iter().map(|p| pose.apply(p)).collect();
        let n = own.nodes().len();
        // Children come after their parents: volumes are made from the last one on.
        let mut reversed: Vec<W> = Vec::with_capacity(n);
        for node in (0..n).rev() {
            let at = |child: usize| &reversed[n - 1 - child];
            let volume = own.volume(node as u32);
            let made = W::moved(volume, &place).unwrap_or_else(|| {
                let below = match own.nodes()[node].child() {
                    Child::Pair(first) => {
                        Below::Children(at(first as usize), at(first as usize + 1))
                    }
                    Child::Leaf(leaf) => {
                        Below::Corners(corners(own, leaf, model.mesh(), &vertices))
                    }
                };
                W::around(below, &place)
            });
            reversed.push(made);
        }
        let tree = own.with_volumes(reversed.into_iter().rev());
        Self { tree, pose: *pose, place, vertices }
    }

    /// Moves to another pose.
    fn update(&mut self, model: &TreeModel<W::Own>, plan: &Plan, pose: &Pose) {
        (self.pose, self.place) = (*pose, Place::new(pose, model.max_abs()));
        if plan.corners {
            self.vertices.clear();
            self.vertices.extend(model.mesh().vertices().iter().map(|p| pose.apply(p)));
        }
        self.remake(model, plan);
    }

    /// Makes the planned volumes for its pose, children before parents. Reads the tree in the mesh's
    /// frame only where a volume is moved.
    fn remake(&mut self, model: &TreeModel<W::Own>, plan: &Plan) {
        for &node in &plan.nodes {
            let Node { volume, .. } = &self.tree.nodes()[node as usize];
            let volume = if volume.renewal() == Renewal::Moved {
                W::moved(model.tree().volume(node), &self.place).unwrap_or(*volume)
            } else {
                let below = match self.tree.nodes()[node as usize].child() {
                    Child::Pair(first) => {
                        let [a, b] = [first, first + 1].map(|k| &self.tree.nodes()[k as usize]);
                        Below::Children(&a.volume, &b.volume)
                    }
                    Child::Leaf(leaf) => {
                        Below::Corners(corners(&self.tree, leaf, model.mesh(), &self.vertices))
                    }
                };
                W::around(below, &self.place)
            };
            self.tree.set_volume(node, volume);
        }
    }
}

/// The box of the posed corners of a leaf.
#[inline(always)]
fn corners<V: Volume>(tree: &Tree<V>, leaf: u32, mesh: &Mesh, vertices: &[Point]) -> AxisBox {
    let leaf = tree.leaf(leaf);
    let around =
        |t: u32| AxisBox::of_triangle(&mesh.triangles()[t as usize].map(|v| vertices[v as usize]));
    let [first, rest @ ..] = leaf.as_slice() else { return AxisBox::new([0.0; 3], [0.0; 3]) };
    rest.iter().fold(around(*first), |all, t| all.merged(&around(*t)))
}

/// The nodes that an update makes anew, children before parents.
#[derive(Clone, Debug)]
struct Plan {
    nodes: Vec<u32>,
    /// Whether one of them is a leaf, so that vertices are posed.
    corners: bool,
}

impl Plan {
    fn new<W: Aligned>(tree: &Tree<W>) -> Self {
        let nodes = tree.nodes();
        let updated = |&node: &u32| nodes[node as usize].volume.renewal() != Renewal::Kept;
        let updated: Vec<u32> = (0..nodes.len() as u32).rev().filter(updated).collect();
        let corners = updated.iter().any(|&node| nodes[node as usize].is_leaf());
        Self { nodes: updated, corners }
    }
}

/// A mesh with its tree, and the tree's volumes in the world for one pose.
#[derive(Clone, Debug)]
pub struct UpdatedModel<W: Aligned> {
    own: Arc<TreeModel<W::Own>>,
    plan: Arc<Plan>,
    world: World<W>,
}

impl<W: Aligned> UpdatedModel<W> {
    fn new(own: TreeModel<W::Own>) -> Self {
        let world = World::new(&own, &Pose::identity());
        let plan = Arc::new(Plan::new(&world.tree));
        Self { own: Arc::new(own), plan, world }
    }

    /// Another object of the same mesh, at this pose in the world. Mesh and tree are shared.
    #[must_use]
    pub fn at(&self, pose: &Pose) -> Self {
        let mut other = self.clone();
        other.update(pose);
        other
    }

    /// Moves the object to this pose in the world and updates its volumes. Returns their number
    /// (`N_u`).
    pub fn update(&mut self, pose: &Pose) -> u64 {
        self.world.update(&self.own, &self.plan, pose);
        self.updates()
    }

    /// The number of volumes that an update makes anew.
    pub fn updates(&self) -> u64 {
        self.plan.nodes.len() as u64
    }

    /// Its pose in the world; the identity after preparation.
    pub const fn pose(&self) -> &Pose {
        &self.world.pose
    }

    /// The tree in the world.
    pub const fn tree(&self) -> &Tree<W> {
        &self.world.tree
    }
}

impl<W: Aligned> MeshModel for UpdatedModel<W> {
    fn subject(&self) -> &Subject {
        self.own.subject()
    }

    /// With the shared tree.
    fn own_bytes(&self) -> usize {
        let vertices = self.world.vertices.capacity() * size_of::<Point>();
        let plan = self.plan.nodes.capacity() * size_of::<u32>();
        self.own.own_bytes() + self.world.tree.bytes() + vertices + plan + size_of::<Self>()
    }
}

/// The memory of a pair: that of the tree method, and B in A's world.
#[derive(Debug)]
pub struct UpdatedMemory<W: Volume, M> {
    memory: Memory<M>,
    b: Option<World<W>>,
}

/// The two trees of a query in one world: those of the models if these are where the query's pose
/// says, else B's is updated.
fn in_one_world<'q, W: Aligned, C: Counter>(
    query: &Query<'q, UpdatedModel<W>>,
    kept: &'q mut Option<World<W>>,
    counter: &mut C,
) -> Posed<'q, W> {
    let Query { a, b, pose, control, .. } = *query;
    let of_b = if Pose::relative(a.pose(), b.pose()) == *pose {
        &b.world
    } else {
        let at = a.pose().then_inner(pose);
        counter.updated(b.updates());
        counter.stage("update", |_| match kept {
            Some(world) => world.update(&b.own, &b.plan, &at),
            None => *kept = Some(World::new(&b.own, &at)),
        });
        kept.as_ref().unwrap_or(&b.world)
    };
    let placement = Placement::new(pose, a.own.max_abs(), b.own.max_abs());
    let frame = W::frame_at(&placement, a.pose(), a.world.place.pad + of_b.place.pad);
    let trees = Trees::in_frame(&a.world.tree, &of_b.tree, &placement, frame);
    Posed { meshes: [a.own.mesh(), b.own.mesh()], pose, trees, control }
}

impl<W, B, T, L> Search for Updating<W, B, T, L>
where
    W: Aligned,
    B: Builder<Volume = W::Own>,
    T: Traversal,
    L: LeafTest,
{
    type Model = UpdatedModel<W>;
    type Memory = UpdatedMemory<W, T::Memory>;

    fn describe(&self) -> &Description {
        &self.engine.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        Ok(UpdatedModel::new(Search::prepare(&self.engine, mesh, control)?))
    }

    fn memory(&self) -> Self::Memory {
        UpdatedMemory { memory: Memory::default(), b: None }
    }

    fn forget(&self, memory: &mut Self::Memory) {
        memory.memory.walk = T::Memory::default();
        memory.b = None;
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let posed = in_one_world(query, &mut memory.b, counter);
        self.engine.contacts_of(&posed, &mut memory.memory.walk, counter, found)
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        goal: Goal,
        _: Option<f64>,
        memory: &mut Self::Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let posed = in_one_world(query, &mut memory.b, counter);
        Ok(posed.nearest(goal, &mut memory.memory.bounded, counter)?)
    }

    /// By the volumes in the mesh's own frame, which the point is moved into.
    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, Self::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query.of(&*query.a.own, &*query.b.own), solid)
    }
}

#[cfg(test)]
mod tests;
