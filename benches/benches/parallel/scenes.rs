//! The measured scenes.

use impinge_models::{FanScene, Scene, Shape};

/// The size of the scenes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Divides the number of triangles.
    pub(crate) divisor: usize,
    /// Number of poses, or of steps of a motion.
    pub(crate) poses: usize,
    /// Seed of the scenes.
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Fan(FanScene),
    /// Two copies of a shape with this many triangles each.
    Pair(Shape, usize),
}

/// A scene, and the methods measured on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// Its word on the command line.
    pub(crate) word: &'static str,
    /// One line of description.
    pub(crate) about: &'static str,
    /// Whether escd and epcd take part. They test every edge against every box they reach, so ten
    /// times the triangles take a hundred times as long.
    pub(crate) edge_boxes: bool,
    /// Whether `edge-steal` must reach its required speed-ups here.
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

/// The scenes with these words; all of them if `words` is empty.
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
    /// Generates the scene.
    ///
    /// # Errors
    /// If the motion is refused.
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
