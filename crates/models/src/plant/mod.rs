//! A plant of pipes, flanges, beams, plates and tanks whose clashes are all known.
//!
//! Parts stand in *bays*. A bay has a frame around it, a brace through it, and eight *stations* of
//! two parts each, whose relation is known by construction. Everything else is apart: stations,
//! frames and braces keep at least 0.25 from each other. Most pairs with overlapping boxes are such
//! pairs, since a frame's box and a brace's hold the stations.
//!
//! Vertices are multiples of 2⁻¹², and parts that touch, stand twice, or have an exact distance stand
//! at multiples of 2⁻¹⁰, turned by permutations of the axes: posing them is exact, in the frame of the
//! scene and in that of either part. The other parts are turned at random.

mod shapes;
mod stations;
#[cfg(test)]
mod tests;
mod write;

use impinge_geometry::{Mesh, Pose, Vector};

use crate::Random;

use self::shapes::{Catalogue, Shape};
use self::stations::{Station, Template, Turn};

pub use write::write_plant;

/// Most parts of a plant. Unit: parts. Value: 2²⁰, as of the files of scenes.
pub const PLANT_MAX_PARTS: usize = 1 << 20;

/// What plant to make.
///
/// | field | default | more | less |
/// | --- | --- | --- | --- |
/// | `parts` | 3000 | more bays, of the same meshes | fewer classes of clashes below 40 |
/// | `seed` | 0 | | |
/// | `flush` | 0.1 | more pairs of coplanar triangles | other clashes in their place |
#[derive(Clone, Debug, PartialEq)]
pub struct PlantOptions {
    /// Number of parts, at most [`PLANT_MAX_PARTS`]; more are not made.
    pub parts: usize,
    /// Seed of the order, the choice of meshes, and the random turns.
    pub seed: u64,
    /// Share of the clashing pairs with faces that lie on each other, from 0 to 1, duplicates not
    /// counted.
    pub flush: f64,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self { parts: 3000, seed: 0, flush: 0.1 }
    }
}

/// A plant with the complete list of its clashes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Closed, outward wound meshes of 2,000 to 4,400 triangles, at most 200.
    pub meshes: Vec<Mesh>,
    /// The parts.
    pub parts: Vec<PlantPart>,
    /// All clashes, ascending by `a`, then `b`. Any other two parts are apart by more than
    /// [`Plant::CLEARANCE`], and neither is inside the other.
    pub clashes: Vec<KnownClash>,
}

impl Plant {
    /// Parts at this distance or below are too near. Some pairs are at exactly this distance, some
    /// barely above it.
    ///
    /// Unit: that of the meshes, which are about 3 long. Value: 2⁻⁵.
    pub const CLEARANCE: f64 = 0.031_25;
}

/// A part of a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantPart {
    /// Its name, unique in the plant.
    pub name: String,
    /// Index in [`Plant::meshes`].
    pub mesh: usize,
    /// Where it stands: the pose of `quaternion` and its own translation.
    pub pose: Pose,
    /// The quaternion `x, y, z, w` that the pose was made of.
    pub quaternion: [f64; 4],
    /// Its group: `steel`, `piping`, `vessels` or `civil`.
    pub group: &'static str,
}

/// Two parts that clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownClash {
    /// The part that stands first in the list.
    pub a: usize,
    /// The other part.
    pub b: usize,
    /// `touches`, `pierces`, `inside`, `duplicate` or `too-near`, as the conventions define them.
    pub class: &'static str,
}

/// Distance of neighbouring bays; a frame is 9.5 wide.
const BAY: f64 = 10.0;
/// Distance of a station from the middle of its bay, along each axis. A station's parts are within
/// 1.75 of its middle: turned at random in this ball, others in this cube.
const STATION: f64 = 2.25;
/// Parts of a full bay: the frame, the brace, and two at each of eight stations.
const FULL: usize = 18;

/// Makes a plant. The same options give the same bits on every machine. Linear time; 3,000 parts
/// take some hundredths of a second.
///
/// ```
/// use impinge_models::plant::{PlantOptions, plant};
/// let plant = plant(&PlantOptions { parts: 40, seed: 1, flush: 0.25 });
/// assert_eq!(plant.parts.len(), 40);
/// let pierces = plant.clashes.iter().filter(|clash| clash.class == "pierces").count();
/// assert!(pierces > 0);
/// ```
pub fn plant(options: &PlantOptions) -> Plant {
    build(options, 1)
}

/// As [`plant`], with meshes of about 1 / `coarser` as many triangles.
fn build(options: &PlantOptions, coarser: usize) -> Plant {
    let count = options.parts.min(PLANT_MAX_PARTS);
    let bays = count.div_ceil(FULL);
    let mut random = Random::stream(options.seed, 0);
    let mut site =
        Site { catalogue: Catalogue::new(coarser), parts: Vec::new(), pairs: Vec::new() };
    let across = (1..=bays).find(|n| n.pow(3) >= bays).unwrap_or(1);
    let middle = |bay: usize| {
        Vector::new(
            (bay % across) as f64,
            (bay / across % across) as f64,
            (bay / across.pow(2)) as f64,
        ) * BAY
    };
    let still = Turn::default();
    for bay in 0..bays {
        for shape in [Shape::Frame, Shape::Brace] {
            if site.parts.len() < count {
                site.add(shape, bay, still, middle(bay));
            }
        }
    }
    let left = count - site.parts.len();
    let templates = templates(left / 2, options.flush, &mut random);
    let place = |number: usize| {
        let side = |bit: usize| if number >> bit & 1 == 0 { -STATION } else { STATION };
        middle(number / 8) + Vector::new(side(0), side(1), side(2))
    };
    for (number, template) in templates.iter().enumerate() {
        let station = template.station(&mut random);
        site.pair(&station, place(number), &mut random);
    }
    if left % 2 == 1 {
        site.add(Shape::Valve, 0, still, place(templates.len()));
    }
    site.shuffled(&mut random)
}

/// The templates of all stations, in random order: two in three clash, of these `flush` with faces
/// on each other.
fn templates(count: usize, flush: f64, random: &mut Random) -> Vec<Template> {
    let clashes = (2 * count).div_ceil(3);
    // A share that is NaN becomes 0 by the cast.
    let flush = ((flush * clashes as f64).round() as usize).min(clashes);
    let cycle = |all: &'static [Template], count: usize| all.iter().cycle().take(count).copied();
    let mut templates: Vec<Template> = cycle(Template::FLUSH, flush)
        .chain(cycle(Template::CLASHES, clashes - flush))
        .chain(cycle(Template::APART, count - clashes))
        .collect();
    random.shuffle(&mut templates);
    templates
}

/// A plant under construction.
struct Site {
    catalogue: Catalogue,
    parts: Vec<PlantPart>,
    /// Pairs of parts that clash.
    pairs: Vec<(usize, usize, &'static str)>,
}

impl Site {
    fn add(&mut self, shape: Shape, variant: usize, turn: Turn, t: Vector) {
        let mesh = self.catalogue.mesh(shape, variant);
        let name = format!("{} {}", shape.word(), self.parts.len() + 1);
        let (quaternion, group) = (turn.quaternion(), shape.group());
        let pose = Pose::from_quaternion(t.into(), quaternion);
        let pose = pose.expect("turns have norm 1, and bays are near the origin");
        self.parts.push(PlantPart { name, mesh, pose, quaternion, group });
    }

    /// Adds both parts of a station about `place`.
    fn pair(&mut self, station: &Station, place: Vector, random: &mut Random) {
        let turn = if station.exact { Turn::permutation(random) } else { Turn::any(random) };
        let first = self.parts.len();
        for part in &station.parts {
            self.add(
                part.shape,
                part.variant,
                turn.after(&part.turn),
                place + turn.rotate(&part.t),
            );
        }
        self.pairs.extend(station.class.map(|class| (first, first + 1, class)));
    }

    /// The plant with its parts in random order.
    fn shuffled(self, random: &mut Random) -> Plant {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        random.shuffle(&mut order);
        let mut rank = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old] = new;
        }
        let mut parts: Vec<(usize, PlantPart)> = rank.iter().copied().zip(self.parts).collect();
        parts.sort_unstable_by_key(|(rank, _)| *rank);
        let known = |(a, b, class): (usize, usize, &'static str)| {
            let (a, b) = (rank[a].min(rank[b]), rank[a].max(rank[b]));
            KnownClash { a, b, class }
        };
        let mut clashes: Vec<KnownClash> = self.pairs.into_iter().map(known).collect();
        clashes.sort_unstable_by_key(|clash| (clash.a, clash.b));
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        Plant { meshes: self.catalogue.into_meshes(), parts, clashes }
    }
}
