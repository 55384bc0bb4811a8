//! Words for scenes of moving boxes, and the boxes.
//!
//! `uniform10k` is 10,000 boxes of the kind `uniform`, and `broad` stands for every kind in the
//! usual numbers. Each box overlaps two to three others.

use impinge::geometry::volume::Aabb;
use impinge::models::Random;
use impinge::{Point, Vector};
use impinge_benches::scene::sized_word;

/// The word for all usual scenes.
pub const ALL: &str = "broad";

/// Numbers of boxes in a quick run; a full run has [`LARGE`] as well.
const USUAL: [usize; 2] = [1_000, 10_000];
const LARGE: usize = 100_000;

/// Seed of all boxes and motions.
const SEED: u64 = 7;

/// Motion of a step. Unit: edge of the box.
const MOTION: f64 = 0.02;

/// A kind of moving boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub word: &'static str,
    /// Least and largest edge.
    sizes: [f64; 2],
    /// Thickness of the space; `None` for a cube.
    thick: Option<f64>,
    /// Share of the boxes that jump anywhere in a step.
    jumps: f64,
    /// Volume of the space for each box.
    room: f64,
}

/// Every kind.
pub const KINDS: [Kind; 4] = [
    Kind { word: "uniform", sizes: [0.75, 1.25], thick: None, jumps: 0.0, room: 3.0 },
    Kind { word: "teleports", sizes: [0.75, 1.25], thick: None, jumps: 0.01, room: 3.0 },
    Kind { word: "mixed", sizes: [0.25, 4.0], thick: None, jumps: 0.0, room: 7.5 },
    Kind { word: "flat", sizes: [0.75, 1.25], thick: Some(3.0), jumps: 0.0, room: 2.5 },
];

/// A requested scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Its word.
    pub word: String,
    /// The kind of its boxes.
    pub kind: Kind,
    /// The number of its boxes.
    pub objects: usize,
}

/// The scenes that `word` stands for; `None` if it is no word for boxes.
pub fn parse(word: &str, quick: bool) -> Option<Vec<Wanted>> {
    if word == ALL {
        let sizes = USUAL.into_iter().chain((!quick).then_some(LARGE));
        let usual = |kind: Kind| {
            let scene = move |objects: usize| Wanted {
                word: format!("{}{}k", kind.word, objects / 1_000),
                kind,
                objects,
            };
            sizes.clone().map(scene)
        };
        return Some(KINDS.into_iter().flat_map(usual).collect());
    }
    let (name, objects) = sized_word(word)?;
    let kind = KINDS.into_iter().find(|kind| kind.word == name && objects > 0)?;
    Some(vec![Wanted { word: word.to_owned(), kind, objects }])
}

impl Wanted {
    /// How the boxes are made and move.
    pub fn about(&self) -> String {
        let Kind { sizes: [least, most], thick, jumps, .. } = self.kind;
        let space =
            thick.map_or_else(|| "a cube".to_owned(), |z| format!("a layer {z} units thick"));
        let jump = match jumps {
            0.0 => String::new(),
            share => format!(", and {} % jump anywhere", 100.0 * share),
        };
        let motion = 100.0 * MOTION;
        format!(
            "edges of {least} to {most}, in {space}; each moves by {motion} % of its edge a \
             step{jump}"
        )
    }
}

/// Boxes that move straight on and are thrown back by the walls. Their coordinates are 32-bit
/// numbers, since parry3d has no others.
#[derive(Clone, Debug)]
pub struct World {
    kind: Kind,
    side: Vector,
    random: Random,
    centres: Vec<Vector>,
    steps: Vec<Vector>,
    halves: Vec<Vector>,
    boxes: Vec<Option<Aabb>>,
    corners: Vec<[f64; 6]>,
    jumped: Vec<u32>,
}

impl World {
    /// The boxes of a scene before its first step.
    pub fn new(wanted: &Wanted) -> Self {
        let (kind, n) = (wanted.kind, wanted.objects);
        let mut random = Random::new(SEED);
        let volume = n as f64 * kind.room;
        let side = match kind.thick {
            None => Vector::repeat(volume.cbrt()),
            Some(z) => Vector::new((volume / z).sqrt(), (volume / z).sqrt(), z),
        };
        let [least, most] = kind.sizes;
        let edges = |random: &mut Random| random.vector(least.ln(), most.ln()).map(f64::exp);
        let halves: Vec<Vector> = (0..n).map(|_| 0.5 * edges(&mut random)).collect();
        let steps = halves.iter().map(|half| random.unit_vector() * (2.0 * MOTION * half.mean()));
        let steps = steps.collect();
        let centres = (0..n).map(|_| random.vector(0.0, 1.0).component_mul(&side)).collect();
        let (boxes, corners, jumped) = (vec![None; n], vec![[0.0; 6]; n], Vec::new());
        let mut world = Self { kind, side, random, centres, steps, halves, boxes, corners, jumped };
        world.place();
        world
    }

    /// The boxes. None is absent.
    pub fn boxes(&self) -> &[Option<Aabb>] {
        &self.boxes
    }

    /// The least and the largest corner of each box.
    pub fn corners(&self) -> &[[f64; 6]] {
        &self.corners
    }

    /// The boxes that jumped in the last step, by ascending index.
    pub fn jumped(&self) -> &[u32] {
        &self.jumped
    }

    /// Whether the space is a thin layer.
    pub const fn is_flat(&self) -> bool {
        self.kind.thick.is_some()
    }

    fn place(&mut self) {
        for (i, (centre, half)) in self.centres.iter().zip(&self.halves).enumerate() {
            let short = |v: Vector| Point::from(v.map(|x| f64::from(x as f32)));
            let (min, max) = (short(centre - half), short(centre + half));
            self.boxes[i] = Some(Aabb { min, max });
            self.corners[i] = [min.x, min.y, min.z, max.x, max.y, max.z];
        }
    }

    /// Moves the boxes by a step.
    pub fn advance(&mut self) {
        self.jumped.clear();
        for (i, (centre, step)) in (0..).zip(self.centres.iter_mut().zip(&mut self.steps)) {
            *centre += *step;
            for k in 0..3 {
                let (below, above) = (centre[k] < 0.0, centre[k] > self.side[k]);
                if below && step[k] < 0.0 || above && step[k] > 0.0 {
                    step[k] = -step[k];
                }
            }
            if self.kind.jumps > 0.0 && self.random.chance(self.kind.jumps) {
                *centre = self.random.vector(0.0, 1.0).component_mul(&self.side);
                self.jumped.push(i);
            }
        }
        self.place();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_boxes_are_told_from_those_of_meshes() {
        let words = |word: &str, quick| -> Option<Vec<String>> {
            Some(parse(word, quick)?.into_iter().map(|wanted| wanted.word).collect())
        };
        assert_eq!(words("mixed2k", true), Some(vec!["mixed2k".to_owned()]));
        assert_eq!(parse("mixed2k", true).map(|found| found[0].objects), Some(2_000));
        for word in ["torus10k", "uniform", "uniform0", "broad1k", "uniform1k+flat1k", ""] {
            assert_eq!(words(word, false), None, "{word}");
        }
        let all = words(ALL, false).expect("all of them");
        assert_eq!((all.len(), all[2].as_str()), (12, "uniform100k"));
        assert_eq!(words(ALL, true).map(|quick| quick.len()), Some(8));
        for word in all {
            let found = parse(&word, false).expect("every usual word is a word");
            assert!(word.starts_with(found[0].kind.word) && found[0].objects >= 1_000, "{word}");
        }
    }

    #[test]
    fn boxes_move_a_little_or_jump_and_stay_in_their_space() {
        for kind in KINDS {
            let wanted = Wanted { word: String::new(), kind, objects: 500 };
            let mut world = World::new(&wanted);
            let mut jumps = 0;
            for _ in 0..50 {
                let before = world.centres.clone();
                world.advance();
                jumps += world.jumped().len();
                for (i, (old, new)) in (0..).zip(before.iter().zip(&world.centres)) {
                    let near = (old - new).norm() <= 1.01 * MOTION * kind.sizes[1];
                    assert!(near || world.jumped().contains(&i), "{kind:?}: {old} to {new}");
                    let off = (0..3).all(|k| new[k] > -0.1 && new[k] < world.side[k] + 0.1);
                    assert!(off, "{kind:?}: {new} is outside of {}", world.side);
                }
            }
            assert_eq!(jumps > 0, kind.jumps > 0.0, "{kind:?}");
            let exact = world.corners().iter().flatten().all(|&x| f64::from(x as f32) == x);
            assert!(exact, "coordinates have 32 bits");
        }
    }
}
