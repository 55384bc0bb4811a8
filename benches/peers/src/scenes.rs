//! Words for pairs of meshes; those for moving boxes are in [`broad`], those for motion in [`motion`].
//!
//! `torus100k` is two copies of a torus of about 100,000 triangles. In `torus100k+torus1k/100` the
//! coordinates of the second mesh are divided by 100. A mesh file is named by its stem: `bunny.stl`
//! gives `bunny` and `bunny+torus1k`.

use std::path::Path;

use impinge::Mesh;
use impinge_benches::placement::Plan;
use impinge_benches::progress::Listener;
use impinge_benches::scene::placed::{self, Recipe};
use impinge_benches::scene::{Group, NamedMesh, Scene, shape_word};
use impinge_models::Shape;

use crate::broad::scenes as broad;
use crate::motion;

/// Scenes of quick runs.
const QUICK: &[&str] = &[
    "teapot1k",
    "sphere10k",
    "torus10k",
    "trefoil20k",
    "torus100k",
    "torus100k+torus1k",
    "torus100k+torus1k/100",
];

/// Scenes of full runs: from 1,000 to a million triangles, copies and pairs of very different size.
const FULL: &[&str] = &[
    "teapot1k",
    "torus1k",
    "gear5k",
    "sphere10k",
    "torus10k",
    "trefoil20k",
    "sphere100k",
    "torus100k",
    "torus1M",
    "torus100k+torus1k",
    "torus100k+torus1k/100",
    "sphere10k+gear5k/100",
];

/// The options that select scenes.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Words of scenes. If empty: copies of the files if there are any, otherwise the usual scenes.
    pub words: Vec<String>,
    /// The user's meshes, named by the stems of their files.
    pub meshes: Vec<NamedMesh>,
    /// Whether to use few scenes and poses.
    pub quick: bool,
    /// Poses per target; `None` for the default.
    pub poses: Option<usize>,
    /// Seed of all poses.
    pub seed: u64,
}

impl Wishes {
    /// The requested scenes of moving boxes; only those that are named.
    pub fn boxes(&self) -> Vec<broad::Wanted> {
        self.words.iter().filter_map(|word| broad::parse(word, self.quick)).flatten().collect()
    }

    /// Resolves the other words to scenes and meshes. It is called before anything is measured, so
    /// that a wrong word fails early.
    ///
    /// # Errors
    /// If a word names no scene; the error holds the word.
    pub fn scenes(&self) -> Result<Vec<Wanted<'_>>, String> {
        let files = self.meshes.iter().map(|mesh| mesh.name.as_str());
        let named = self.words.iter().map(String::as_str);
        let named = named.filter(|word| {
            broad::parse(word, self.quick).is_none() && motion::parse(word).is_none()
        });
        let words: Vec<&str> = if self.words.is_empty() && self.meshes.is_empty() {
            usual(self.quick).to_vec()
        } else {
            named.clone().chain(files.filter(|file| !named.clone().any(|w| w == *file))).collect()
        };
        words.into_iter().map(|word| self.wanted(word)).collect()
    }

    /// The requested scenes of motion; only those that are named.
    pub fn motions(&self) -> Vec<motion::Wanted> {
        self.words.iter().filter_map(|word| motion::parse(word)).flatten().collect()
    }

    fn wanted<'w>(&'w self, word: &'w str) -> Result<Wanted<'w>, String> {
        let (a, b) = match word.split_once('+') {
            None => (word, None),
            Some((a, b)) => (a, Some(b)),
        };
        let part = |part: &'w str| Part::parse(part, &self.meshes);
        Ok(Wanted { word, a: part(a)?, b: b.map(part).transpose()? })
    }
}

/// The words of the usual scenes.
pub const fn usual(quick: bool) -> &'static [&'static str] {
    if quick { QUICK } else { FULL }
}

/// A requested scene that is not generated yet.
#[derive(Clone, Debug)]
pub struct Wanted<'w> {
    /// Its word.
    pub word: &'w str,
    a: Part<'w>,
    b: Option<Part<'w>>,
}

/// One mesh of a scene.
#[derive(Clone, Debug)]
struct Part<'w> {
    word: &'w str,
    source: Source<'w>,
    /// Coordinates are divided by this.
    divisor: f64,
}

#[derive(Clone, Debug)]
enum Source<'w> {
    File(&'w Mesh),
    Made(Shape, usize),
}

impl<'w> Part<'w> {
    fn parse(word: &'w str, meshes: &'w [NamedMesh]) -> Result<Self, String> {
        let refuse = || {
            format!(
                "\"{word}\" is neither a shape and its number of triangles, as torus10k, nor the \
                 stem of a mesh file; /100 behind it makes it smaller, + between two takes both; \
                 for moving boxes there are {}, and uniform10k and the like; for sweeps and depths \
                 {}, and sweeps1k and the like",
                broad::ALL,
                motion::ALL
            )
        };
        let (name, divisor) = match word.split_once('/') {
            None => (word, 1.0),
            Some((name, divisor)) => (name, divisor.parse::<f64>().map_err(|_| refuse())?),
        };
        if !(divisor.is_finite() && divisor > 0.0) {
            return Err(refuse());
        }
        if let Some(file) = meshes.iter().find(|mesh| mesh.name == name) {
            return Ok(Self { word, source: Source::File(&file.mesh), divisor });
        }
        let (shape, size) = shape_word(name).ok_or_else(refuse)?;
        Ok(Self { word, source: Source::Made(shape, size), divisor })
    }

    fn make(&self) -> Result<NamedMesh, String> {
        let mesh = match self.source {
            Source::File(mesh) => mesh.clone(),
            Source::Made(shape, triangles) => shape.mesh(triangles, 0),
        };
        let mesh = if self.divisor == 1.0 {
            mesh
        } else {
            mesh.scaled(self.divisor.recip()).map_err(|e| format!("{}: {e}", self.word))?
        };
        Ok(NamedMesh { name: self.word.to_owned(), mesh })
    }
}

impl Wanted<'_> {
    /// Generates the meshes and places them.
    ///
    /// # Errors
    /// If they cannot be placed.
    pub fn make(
        &self,
        wishes: &Wishes,
        cache: Option<&Path>,
        listener: Listener<'_>,
    ) -> Result<Scene, String> {
        listener.stage("meshes", 0, 1);
        let a = self.a.make()?;
        let b = self.b.as_ref().map(Part::make).transpose()?;
        let triangles = |mesh: &NamedMesh| mesh.mesh.triangles().len();
        let most = b.as_ref().map_or(0, triangles).max(triangles(&a));
        let orientations = wishes.poses.unwrap_or_else(|| orientations(most, wishes.quick));
        let plan = Plan { orientations, seed: wishes.seed };
        let place = |plan: &Plan| {
            let recipe = Recipe { name: self.word.to_owned(), group: Group::Placed, plan: *plan };
            placed::scene(recipe, a.clone(), b.clone(), cache, listener)
        };
        place(&plan).or_else(|why| one_by_one(&plan, &place, &why))
    }
}

/// Beside a much larger mesh, the smallest distances of a small one are lost in the rounding of its
/// pose for some orientations, and one such orientation makes the placement refuse all of them.
/// This places each orientation by itself, with its own seed, and leaves out those that are
/// refused.
fn one_by_one(
    plan: &Plan,
    place: &dyn Fn(&Plan) -> Result<Scene, String>,
    why: &str,
) -> Result<Scene, String> {
    let mut found: Option<Scene> = None;
    let (mut done, mut refused) = (0, 0);
    for seed in 0..2 * plan.orientations as u64 {
        if done == plan.orientations {
            break;
        }
        let one = Plan { orientations: 1, seed: plan.seed.wrapping_mul(1_000_003) + seed };
        match place(&one) {
            Err(_) => refused += 1,
            Ok(scene) => {
                done += 1;
                match &mut found {
                    Some(all) => all.steps.extend(scene.steps),
                    None => found = Some(scene),
                }
            }
        }
    }
    let mut scene = found.ok_or(why)?;
    let (one, all) = ("in 1 random orientations", format!("in {done} random orientations"));
    scene.about = scene.about.replace(one, &all);
    scene.notes.push(format!("{refused} orientations were refused and left out: {why}"));
    Ok(scene)
}

/// The number of orientations: fewer for large meshes, which take long to build and check.
const fn orientations(triangles: usize, quick: bool) -> usize {
    match (triangles, quick) {
        (300_001.., true) => 3,
        (300_001.., false) => 6,
        (50_001.., true) => 8,
        (_, true) => 12,
        (50_001.., false) => 16,
        (_, false) => 32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(words: &[&str]) -> Wishes {
        let mesh = NamedMesh { name: "dragon47k".to_owned(), mesh: Shape::Gear.mesh(300, 0) };
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Wishes { words, meshes: vec![mesh], quick: true, poses: Some(1), seed: 1 }
    }

    #[test]
    fn the_usual_words_are_words() {
        for quick in [true, false] {
            let wishes = Wishes { quick, ..Wishes::default() };
            let scenes = wishes.scenes().expect("every usual word names a scene");
            assert_eq!(scenes.len(), usual(quick).len());
        }
    }

    #[test]
    fn files_stand_for_themselves_and_in_pairs() {
        let list = wishes(&["dragon47k+torus200/100"]);
        let scenes = list.scenes().expect("both are known");
        let words: Vec<&str> = scenes.iter().map(|scene| scene.word).collect();
        assert_eq!(words, ["dragon47k+torus200/100", "dragon47k"]);
        let scene = scenes[0].make(&list, None, Listener::NONE).expect("it can be placed");
        let sizes: Vec<f64> = scene.meshes.iter().map(|mesh| mesh.mesh.diagonal()).collect();
        assert!(sizes[0] > 50.0 * sizes[1], "{sizes:?}");
        assert_eq!(scene.steps.len(), impinge_benches::placement::TARGETS.len());
    }

    #[test]
    fn boxes_are_measured_if_they_are_named() {
        let list = Wishes { meshes: Vec::new(), ..wishes(&["flat2k", "broad"]) };
        assert_eq!(list.scenes().expect("no word is wrong").len(), 0, "no meshes");
        assert_eq!(list.boxes().len(), 1 + 8);
        let both = wishes(&["torus200", "flat2k"]);
        assert_eq!((both.scenes().expect("right words").len(), both.boxes().len()), (2, 1));
        assert!(Wishes::default().boxes().is_empty(), "they are not usual");
    }

    #[test]
    fn wrong_words_are_refused_with_what_would_do() {
        for word in ["attic10k", "torus", "torus10x", "torus1k/0", "torus1k+", "torus1k/x"] {
            let why = wishes(&[word]).scenes().expect_err("no such scene");
            assert!(why.contains("torus10k") && why.contains('"'), "{why}");
        }
    }
}
