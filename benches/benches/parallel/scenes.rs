//! What is measured.

use impinge_models::{FanScene, Scene, Shape};

/// How large the scenes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Triangles are divided by this.
    pub(crate) divisor: usize,
    /// Poses, or steps of a motion.
    pub(crate) poses: usize,
    /// Seed.
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Fan(FanScene),
    /// Two copies, of so many triangles each.
    Pair(Shape, usize),
}

/// A scene and what takes part in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// Its word.
    pub(crate) word: &'static str,
    /// In words.
    pub(crate) about: &'static str,
    /// Do escd and epcd take part? They test every edge against every box that they reach: with
    /// ten times the triangles that takes a hundred times as long.
    pub(crate) edge_boxes: bool,
    /// Is `edge-steal` held to its bars here?
    pub(crate) bars: bool,
    kind: Kind,
}

const ALL: [Test; 5] = [
    Test {
        word: "bodies",
        about: "fan's scene 1: 15 bodies, all pairs at every step",
        edge_boxes: true,
        bars: false,
        kind: Kind::Fan(FanScene::Bodies),
    },
    Test {
        word: "knots",
        about: "fan's scene 2: two trefoil knots",
        edge_boxes: true,
        bars: true,
        kind: Kind::Fan(FanScene::Knots),
    },
    Test {
        word: "rings",
        about: "fan's scene 3: two tori",
        edge_boxes: true,
        bars: true,
        kind: Kind::Fan(FanScene::Rings),
    },
    Test {
        word: "combs",
        about: "two combs, whose faces lie along axes: axis-aligned boxes fit them best",
        edge_boxes: true,
        bars: false,
        kind: Kind::Pair(Shape::Comb, 10_000),
    },
    Test {
        word: "large",
        about: "two large trefoil knots",
        edge_boxes: false,
        bars: false,
        kind: Kind::Pair(Shape::Trefoil, 100_000),
    },
];

/// The scenes with these words; all if there are none.
///
/// # Errors
/// Names an unknown word and lists the known ones.
pub(crate) fn chosen(words: &[String]) -> Result<Vec<Test>, String> {
    if words.is_empty() {
        return Ok(ALL.to_vec());
    }
    let find = |word: &String| {
        let known = || ALL.map(|test| test.word).join(" ");
        ALL.into_iter()
            .find(|test| test.word == word)
            .ok_or_else(|| format!("unknown scene \"{word}\"; known are {}", known()))
    };
    words.iter().map(find).collect()
}

impl Test {
    /// The scene.
    ///
    /// # Errors
    /// A sentence, if the motion is refused.
    pub(crate) fn scene(&self, extent: &Extent) -> Result<Scene, String> {
        let Extent { divisor, poses, seed } = *extent;
        let scene = match self.kind {
            Kind::Fan(which) => which.with(which.triangles() / divisor, seed, poses),
            Kind::Pair(shape, triangles) => {
                Scene::interlocked(shape, triangles / divisor, seed, poses)
            }
        };
        scene.map_err(|error| error.to_string())
    }
}
