//! A changing world answers as the method does about every pair, by every broad phase.

use impinge_geometry::volume::Aabb;
use impinge_query::{Answer, BroadPhase, Cancelled, Control, Objects};
use impinge_scene::broad::{
    BoxTree, EveryPair, Grid, OctreeScene, Regions, RegionsParams, Start, Sweep,
};
use impinge_scene::geometry::Pose;
use impinge_scene::{ObjectId, World};

use crate::world::{ASKS, Scene, essence, rows};

const STEPS: usize = 1_000;

/// All broad phases that a world may have, with what they are called here.
pub(crate) fn phases() -> Vec<(&'static str, Box<dyn BroadPhase>)> {
    let regions = |split, again| {
        let params = RegionsParams { split, again, ..RegionsParams::default() };
        Box::new(Regions::new(params).expect("not too many"))
    };
    vec![
        ("every pair", Box::new(EveryPair::default())),
        ("box tree", Box::new(BoxTree::default())),
        ("sweep", Box::new(Sweep::default())),
        ("grid", Box::new(Grid::default())),
        ("octree from remembered cells", Box::new(OctreeScene::new(Start::Remembered))),
        ("octree from the root", Box::new(OctreeScene::new(Start::Root))),
        ("regions", Box::new(Regions::default())),
        ("regions, some pairs tested again", regions([3, 2, 5], true)),
    ]
}

/// Adds, removes, deforms and moves some objects; moves one a little, and sometimes one far away.
fn change(scene: &mut Scene) {
    for _ in 0..4 {
        scene.change();
    }
    let id = scene.some();
    let pose = scene.world.object(id).expect("there").pose;
    let drift = scene.random.in_ball() * 0.02;
    let near = Pose::new(*pose.rotation(), pose.translation() + drift).expect("in range");
    scene.world.set_pose(id, near).expect("there");
    if scene.random.chance(0.2) {
        let (id, far) = (scene.some(), scene.random.vector(-1e4, 1e4));
        scene.world.set_pose(id, Pose::translation_by(far).expect("in range")).expect("there");
    }
}

/// Compares all answers of a world with this phase, and those about one object, with those of every pair.
/// Returns how many pairs were found, or the first difference.
fn compared(phase: Box<dyn BroadPhase>) -> Result<usize, String> {
    let mut scene = Scene::new(World::new().with_phase(phase), 4, 1.8);
    let mut hits = 0;
    for step in 0..STEPS {
        change(&mut scene);
        let ask = &ASKS[step % ASKS.len()];
        let truth = scene.truth(ask);
        hits += truth.len();
        // Asked before the pairs are, and after, in turn.
        let mut one = step % 2 == 0;
        for _ in 0..2 {
            if one {
                about_one(&mut scene, step)?;
            } else if essence(ask, rows(&mut scene.world, ask)) != essence(ask, truth.clone()) {
                return Err(format!("pairs of step {step}"));
            }
            one = !one;
        }
    }
    Ok(hits)
}

/// Which objects meet one of them.
fn about_one(scene: &mut Scene, step: usize) -> Result<(), String> {
    let (id, ask) = (scene.some(), &ASKS[0]);
    let truth = scene.truth(ask);
    let other = |(a, b): (ObjectId, ObjectId)| [(a, b), (b, a)].into_iter().find(|p| p.0 == id);
    let mut wanted: Vec<_> =
        truth.iter().filter_map(|(a, b, _)| Some(other((*a, *b))?.1)).collect();
    wanted.sort_by_key(|id| id.index());
    let mut found = Vec::new();
    let each = &mut |other: ObjectId, _: &Answer| found.push(other);
    scene.world.ask_one(id, ask, &Control::NONE, each).expect("answered");
    if found == wanted { Ok(()) } else { Err(format!("neighbours of step {step}")) }
}

#[test]
fn a_changing_world_answers_as_every_pair_does_by_every_broad_phase() {
    let mut all = Vec::new();
    for (name, phase) in phases() {
        match compared(phase) {
            Ok(hits) => all.push(hits),
            Err(place) => panic!("{name}: {place} differ"),
        }
    }
    assert!(all[0] > 1_000 && all.iter().all(|hits| *hits == all[0]), "{all:?}");
}

/// A broad phase that loses one pair or one neighbour a step.
struct Losing {
    phase: BoxTree,
    pairs: bool,
}

impl BroadPhase for Losing {
    fn word(&self) -> &'static str {
        "losing"
    }

    fn clear(&mut self) {
        self.phase.clear();
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        self.phase.take_in(objects, control)
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        self.phase.pairs(control, into)?;
        if self.pairs {
            into.pop();
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        self.phase.overlapping(one, into);
        if !self.pairs {
            into.pop();
        }
    }
}

#[test]
fn a_broad_phase_that_loses_a_pair_is_found_out() {
    for (pairs, what) in [(true, "pairs"), (false, "neighbours")] {
        let found = compared(Box::new(Losing { phase: BoxTree::default(), pairs }));
        assert!(found.as_ref().is_err_and(|place| place.starts_with(what)), "{found:?}");
    }
}
