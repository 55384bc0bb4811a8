//! Those who find pairs of boxes: our broad phases, and the dynamic tree of parry3d.

use impinge::geometry::volume::Aabb;
use impinge::query::{BroadPhase, Control, Objects};
use impinge::scene::broad::{BoxTree, Grid, OctreeScene, Regions, RegionsParams, Sweep};
use impinge::wide::Width;
use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::math::Vector as ParryVector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::scenes::World;

/// Slow broad phases are measured up to this number of boxes.
pub const SLOW: usize = 10_000;

/// Something that finds the pairs of each step.
pub trait Rival {
    /// Takes in the boxes of a step, and appends all pairs that overlap, each once, the lower index
    /// first.
    ///
    /// # Errors
    /// If a library behind a shim throws.
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) -> Result<(), String>;
}

/// Makes a rival for a world.
type Make = dyn Fn(&World) -> Result<Box<dyn Rival>, String>;

/// A broad phase that takes part.
pub struct Contender {
    /// Its name in records.
    pub word: String,
    /// One line about it.
    pub title: String,
    /// It is not measured with more boxes than this.
    pub most: usize,
    make: Box<Make>,
}

impl std::fmt::Debug for Contender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Contender").field(&self.word).finish()
    }
}

impl Contender {
    /// A contender for any number of boxes.
    pub fn new<R: Rival + 'static>(
        word: impl Into<String>,
        title: impl Into<String>,
        make: impl Fn(&World) -> Result<R, String> + 'static,
    ) -> Self {
        let make =
            move |world: &World| -> Result<Box<dyn Rival>, String> { Ok(Box::new(make(world)?)) };
        let (word, title) = (word.into(), title.into());
        Self { word, title, most: usize::MAX, make: Box::new(make) }
    }

    /// The same, up to [`SLOW`] boxes.
    #[must_use]
    pub fn slow(self) -> Self {
        Self { most: SLOW, ..self }
    }

    /// A rival that has the boxes of `world`.
    ///
    /// # Errors
    /// If it refuses them.
    pub fn make(&self, world: &World) -> Result<Box<dyn Rival>, String> {
        (self.make)(world)
    }

    /// One of our broad phases.
    pub fn ours<P: BroadPhase + 'static>(
        word: impl Into<String>,
        title: impl Into<String>,
        phase: impl Fn(&World) -> Result<P, String> + 'static,
    ) -> Self {
        Self::new(word, title, move |world| Ok(Ours(phase(world)?)))
    }
}

/// Our broad phases: the default with each instruction set of this processor, the widest first; then
/// the others.
pub fn ours() -> Vec<Contender> {
    let tree = |width: Width| {
        let (word, title) = (format!("box-tree-{width}"), format!("impinge's default on {width}"));
        Contender::ours(word, title, move |_| Ok(BoxTree::new(Some(width))))
    };
    let mut all: Vec<Contender> =
        Width::ALL.into_iter().filter(|width| width.is_present()).map(tree).collect();
    all.push(
        Contender::ours("sweep", "impinge's sweep and prune", |_| Ok(Sweep::default())).slow(),
    );
    all.push(Contender::ours("grid", "impinge's uniform grid", |_| Ok(Grid::default())));
    let octree = |_: &World| Ok(OctreeScene::default());
    all.push(Contender::ours("octree-scene", "impinge's octree of cells", octree));
    let regions = |world: &World| {
        let split = [8, 8, if world.is_flat() { 1 } else { 8 }];
        let made = Regions::new(RegionsParams { split, ..RegionsParams::default() });
        made.map_err(|error| error.to_string())
    };
    all.push(Contender::ours("regions", "impinge's regions, 8 × 8 × 8 (flat: 8 × 8)", regions));
    all
}

/// The tree of parry3d in its two fastest forms.
pub fn parry() -> [Contender; 2] {
    let title = "parry3d's Bvh, updated in place, jumpers removed and inserted again, refit";
    let plain = Contender::new("parry", title, |world| Ok(Parry::new(world, false)));
    let title = "the same with optimize_incremental";
    [plain, Contender::new("parry-optimized", title, |world| Ok(Parry::new(world, true)))]
}

struct Ours<P>(P);

impl<P: BroadPhase> Rival for Ours<P> {
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) -> Result<(), String> {
        let objects = Objects::moving(world.boxes());
        self.0.update(&objects, &Control::NONE).map_err(|error| error.to_string())?;
        self.0.pairs(&Control::NONE, into).map_err(|error| error.to_string())
    }
}

/// The tree of parry3d: boxes are updated in place, those that jumped removed and inserted again.
struct Parry {
    optimize: bool,
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl Parry {
    fn new(world: &World, optimize: bool) -> Self {
        let leaves: Vec<ParryAabb> = world.boxes().iter().flatten().map(parry_box).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Self { optimize, tree, workspace: BvhWorkspace::default() }
    }
}

fn parry_box(one: &Aabb) -> ParryAabb {
    let to = |p: [f64; 3]| ParryVector::new(p[0] as f32, p[1] as f32, p[2] as f32);
    ParryAabb::new(to(one.min.coords.into()), to(one.max.coords.into()))
}

impl Rival for Parry {
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) -> Result<(), String> {
        for &i in world.jumped() {
            self.tree.remove(i);
        }
        let mut jumped = world.jumped().iter().peekable();
        for (i, one) in (0u32..).zip(world.boxes().iter().flatten()) {
            if jumped.next_if_eq(&&i).is_none() {
                self.tree.insert_or_update_partially(parry_box(one), i, 0.0);
            }
        }
        self.tree.refit(&mut self.workspace);
        for &i in world.jumped() {
            if let Some(one) = &world.boxes()[i as usize] {
                self.tree.insert(parry_box(one), i);
            }
        }
        if self.optimize {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        let mut report = |a: u32, b: u32| into.push([a.min(b), a.max(b)]);
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut report);
        Ok(())
    }
}
