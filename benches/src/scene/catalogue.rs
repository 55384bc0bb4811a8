//! The built-in scenes by their words, and scenes of the user's files.

use std::path::{Path, PathBuf};

use impinge_models::Shape;

use super::placed::Recipe;
use super::{Group, NamedMesh, Scene, deforming, leaves, moving, placed, stem};
use crate::placement::Plan;
use crate::progress::Listener;

/// How a built-in scene is made.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// Two copies of a shape with about this many triangles.
    Copies(Shape, usize),
    /// One shape moving about another.
    Walk(Shape, Shape, usize),
    /// This many bodies in flight.
    Movers(usize),
    /// Number of pairs of maize leaves, in quick and in full runs.
    Leaves(usize, usize),
    /// A hand that closes on a ball: triangles of hand and ball, in quick and in full runs.
    HandOnBall([usize; 2], [usize; 2]),
    /// A cloth that falls on a ball: triangles of cloth and ball, in quick and in full runs.
    ClothOnBall([usize; 2], [usize; 2]),
    /// Two soft bodies that are pressed together: triangles of each, in quick and in full runs.
    Pressed(usize, usize),
}

/// When a scene runs without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// In quick and in full runs.
    Always,
    /// In full runs.
    Full,
    /// Only when named.
    Named,
}

/// A built-in scene.
#[derive(Clone, Copy, Debug)]
struct Entry {
    word: &'static str,
    make: Make,
    when: When,
}

const fn entry(word: &'static str, make: Make, when: When) -> Entry {
    Entry { word, make, when }
}

/// The catalogue, in the order of tables.
const CATALOGUE: [Entry; 22] = [
    entry("smoke", Make::Copies(Shape::Torus, 200), When::Named),
    entry("teapot", Make::Copies(Shape::Teapot, 1_000), When::Always),
    entry("torus1k", Make::Copies(Shape::Torus, 1_000), When::Always),
    entry("gear", Make::Copies(Shape::Gear, 5_000), When::Always),
    entry("hull", Make::Copies(Shape::Hull, 5_000), When::Full),
    entry("comb", Make::Copies(Shape::Comb, 5_000), When::Full),
    entry("chain", Make::Copies(Shape::Chain, 10_000), When::Full),
    entry("hand", Make::Copies(Shape::Hand, 10_000), When::Full),
    entry("sphere10k", Make::Copies(Shape::Sphere, 10_000), When::Always),
    entry("torus10k", Make::Copies(Shape::Torus, 10_000), When::Always),
    entry("trefoil20k", Make::Copies(Shape::Trefoil, 20_000), When::Always),
    entry("torus100k", Make::Copies(Shape::Torus, 100_000), When::Always),
    entry("teapot100k", Make::Copies(Shape::Teapot, 100_000), When::Full),
    entry("torus1M", Make::Copies(Shape::Torus, 1_000_000), When::Full),
    entry("leaves", Make::Leaves(64, 400), When::Always),
    entry("walk", Make::Walk(Shape::Torus, Shape::Torus, 10_000), When::Always),
    entry("walk-hand", Make::Walk(Shape::Hand, Shape::Gear, 5_000), When::Full),
    entry("movers", Make::Movers(130), When::Always),
    entry("deforming-hand", Make::HandOnBall([600, 200], [10_000, 2_000]), When::Always),
    entry("cloth", Make::ClothOnBall([800, 200], [20_000, 2_000]), When::Always),
    entry("pressed", Make::Pressed(1_200, 10_000), When::Always),
    entry("cloth1M", Make::ClothOnBall([1_000_000, 10_000], [1_000_000, 10_000]), When::Named),
];

/// The options that select scenes and their sizes.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Words of built-in scenes; empty for the usual ones.
    pub scenes: Vec<String>,
    /// The user's files. If `scenes` is empty, only these are measured.
    pub files: Vec<PathBuf>,
    /// Whether to use few poses and small scenes.
    pub quick: bool,
    /// Seed of all placements and motions.
    pub seed: u64,
}

/// A requested scene that is not generated yet.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A built-in scene, by its word.
    BuiltIn(String),
    /// Copies of the mesh in a file, or the meshes of two files.
    Files(PathBuf, Option<PathBuf>),
}

impl Wanted {
    /// The scene's name.
    pub fn name(&self) -> String {
        match self {
            Self::BuiltIn(word) => word.clone(),
            Self::Files(a, None) => stem(a),
            Self::Files(a, Some(b)) => format!("{}-{}", stem(a), stem(b)),
        }
    }
}

/// The word for the poses on which sampled forms are checked ([`crate::sampled`]). It is no scene,
/// but is selected like one.
pub const SAMPLED: &str = "sampled";

/// The word for the times of streams ([`crate::streams`]). It is no scene, but is selected like one.
pub const STREAM: &str = "stream";

/// The words of the built-in scenes, [`SAMPLED`] and [`STREAM`].
pub fn words() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|entry| entry.word).chain([SAMPLED, STREAM])
}

/// Whether to check sampled forms: if named, and in every run that names no scene and no file.
pub fn wants_sampled(wishes: &Wishes) -> bool {
    is_usual(wishes) || is_named(wishes, SAMPLED)
}

/// Whether to measure streams: only if named, since most machines have no hardware adapter.
pub fn wants_streams(wishes: &Wishes) -> bool {
    is_named(wishes, STREAM)
}

fn is_named(wishes: &Wishes, word: &str) -> bool {
    wishes.scenes.iter().any(|named| named == word)
}

/// Whether nothing was named.
fn is_usual(wishes: &Wishes) -> bool {
    wishes.scenes.is_empty() && wishes.files.is_empty()
}

/// The scenes to generate.
///
/// # Errors
/// If a word names no scene.
pub fn wanted(wishes: &Wishes) -> Result<Vec<Wanted>, String> {
    let known = |word: &String| words().any(|known| known == word);
    if let Some(unknown) = wishes.scenes.iter().find(|word| !known(word)) {
        let list: Vec<&str> = words().collect();
        return Err(format!("no scene \"{unknown}\"; there are {}", list.join(", ")));
    }
    let is_wanted = |entry: &&Entry| match entry.when {
        _ if !is_usual(wishes) => is_named(wishes, entry.word),
        When::Always => true,
        When::Full => !wishes.quick,
        When::Named => false,
    };
    let mut list: Vec<Wanted> =
        CATALOGUE.iter().filter(is_wanted).map(|e| Wanted::BuiltIn(e.word.to_owned())).collect();
    match &wishes.files[..] {
        [one] => list.push(Wanted::Files(one.clone(), None)),
        files => {
            for (i, a) in files.iter().enumerate() {
                for b in &files[i + 1..] {
                    list.push(Wanted::Files(a.clone(), Some(b.clone())));
                }
            }
        }
    }
    Ok(list)
}

/// Generates a scene.
///
/// # Errors
/// If it cannot be generated; the error names the file or the scene.
pub fn make(
    wanted: &Wanted,
    wishes: &Wishes,
    cache: Option<&Path>,
    listener: Listener<'_>,
) -> Result<Scene, String> {
    let name = wanted.name();
    let group = match wanted {
        Wanted::BuiltIn(_) => Group::Placed,
        Wanted::Files(..) => Group::Files,
    };
    let plan = |triangles: usize| Plan {
        orientations: orientations(triangles, wishes.quick),
        seed: wishes.seed,
    };
    let steps = |quick: usize, full: usize| if wishes.quick { quick } else { full };
    listener.stage("meshes", 0, 1);
    match wanted {
        Wanted::BuiltIn(word) => {
            let entry = CATALOGUE.iter().find(|entry| entry.word == word);
            match entry.ok_or_else(|| format!("no scene \"{word}\""))?.make {
                Make::Copies(shape, triangles) => {
                    let mesh = NamedMesh { name: name.clone(), mesh: shape.mesh(triangles, 0) };
                    let recipe = Recipe { name, group, plan: plan(triangles) };
                    placed::scene(recipe, mesh, None, cache, listener)
                }
                Make::Walk(a, b, triangles) => {
                    moving::walk(&name, [a, b], triangles, steps(120, 500), wishes.seed)
                }
                Make::Movers(count) => moving::movers(&name, count, steps(40, 200), wishes.seed),
                Make::Leaves(quick, full) => leaves::pairs(&name, steps(quick, full), wishes.seed),
                Make::HandOnBall(quick, full) => {
                    let triangles = if wishes.quick { quick } else { full };
                    deforming::hand_on_ball(&name, triangles, steps(20, 100))
                }
                Make::ClothOnBall(quick, full) => {
                    let triangles = if wishes.quick { quick } else { full };
                    deforming::cloth_on_ball(&name, triangles, steps(20, 100))
                }
                Make::Pressed(quick, full) => {
                    let triangles = if wishes.quick { quick } else { full };
                    deforming::pressed_bodies(&name, triangles, steps(20, 100))
                }
            }
        }
        Wanted::Files(a, b) => {
            let (a, b) = (NamedMesh::read(a)?, b.as_deref().map(NamedMesh::read).transpose()?);
            let triangles = a.mesh.triangles().len();
            let most = b.as_ref().map_or(0, |b| b.mesh.triangles().len()).max(triangles);
            placed::scene(Recipe { name, group, plan: plan(most) }, a, b, cache, listener)
        }
    }
}

/// The number of orientations: fewer for large meshes, since the brute-force check takes long.
fn orientations(triangles: usize, quick: bool) -> usize {
    match (triangles, quick) {
        (300_001.., true) => 2,
        (50_001.., true) => 4,
        (_, true) | (300_001.., false) => 8,
        (50_001.., false) => 24,
        (_, false) => 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wishes: &Wishes) -> Vec<String> {
        let list = wanted(wishes).expect("all words are known");
        list.iter().map(Wanted::name).collect()
    }

    #[test]
    fn quick_runs_are_part_of_full_runs() {
        let quick = names(&Wishes { quick: true, ..Wishes::default() });
        let full = names(&Wishes::default());
        assert!(quick.len() >= 8 && quick.len() < full.len(), "{quick:?}");
        assert!(quick.iter().all(|name| full.contains(name)));
        assert!(!full.contains(&"smoke".to_owned()));
    }

    #[test]
    fn named_scenes_and_files_stand_alone() {
        let scenes = vec!["gear".to_owned()];
        assert_eq!(names(&Wishes { scenes: scenes.clone(), ..Wishes::default() }), ["gear"]);
        let files = vec![PathBuf::from("x/a.obj"), PathBuf::from("b.stl")];
        assert_eq!(names(&Wishes { files: files.clone(), ..Wishes::default() }), ["a-b"]);
        assert_eq!(names(&Wishes { scenes, files, ..Wishes::default() }), ["gear", "a-b"]);
        let one = vec![PathBuf::from("x/a.obj")];
        assert_eq!(names(&Wishes { files: one, ..Wishes::default() }), ["a"]);
    }

    #[test]
    fn sampled_forms_are_checked_unless_something_else_is_named() {
        let named = |word: &str| Wishes { scenes: vec![word.to_owned()], ..Wishes::default() };
        assert!(wants_sampled(&Wishes::default()) && wants_sampled(&named(SAMPLED)));
        assert!(names(&named(SAMPLED)).is_empty(), "it is no scene");
        let files = Wishes { files: vec![PathBuf::from("a.obj")], ..Wishes::default() };
        assert!(!wants_sampled(&named("gear")) && !wants_sampled(&files));
    }

    #[test]
    fn streams_are_measured_only_if_named() {
        let named = |word: &str| Wishes { scenes: vec![word.to_owned()], ..Wishes::default() };
        assert!(wants_streams(&named(STREAM)) && names(&named(STREAM)).is_empty());
        assert!(!wants_streams(&Wishes::default()) && !wants_streams(&named(SAMPLED)));
    }

    #[test]
    fn an_unknown_scene_is_refused_with_the_known_ones() {
        let wishes = Wishes { scenes: vec!["attic".to_owned()], ..Wishes::default() };
        let why = wanted(&wishes).expect_err("there is no such scene");
        assert!(why.contains("attic") && why.contains("torus10k"), "{why}");
    }

    #[test]
    fn words_are_unique() {
        let mut list: Vec<&str> = words().collect();
        list.sort_unstable();
        list.dedup();
        assert_eq!(list.len(), CATALOGUE.len() + 2);
    }
}
