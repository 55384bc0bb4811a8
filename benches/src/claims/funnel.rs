//! Objects at random in a funnel, as in the scene of anthology 6.

use impinge::geometry::volume::{Aabb, Obb, ObbFit};
use impinge::{Point, Vector};
use impinge_models::{Random, Shape};

/// Least and largest edge of a box, and length of a mesh.
const EDGES: [f64; 2] = [0.75, 1.25];
/// Way of a step.
const WAY: f64 = 0.02;
/// Triangles of a mesh.
const TRIANGLES: usize = 500;
const SHAPES: [Shape; 6] =
    [Shape::Teapot, Shape::Gear, Shape::Hand, Shape::Torus, Shape::Trefoil, Shape::Comb];

/// What is in the funnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boxes,
    Meshes,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Boxes, Self::Meshes];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Meshes => "meshes",
        }
    }

    /// The oriented boxes from which objects are drawn.
    fn stock(self, random: &mut Random, number: usize, seed: u64) -> Vec<Obb> {
        let [least, most] = EDGES;
        match self {
            Self::Boxes => {
                let half = |random: &mut Random| Point::from(0.5 * random.vector(least, most));
                let one = |half: Point| Obb::from(Aabb { min: -half, max: half });
                (0..number).map(|_| one(half(random))).collect()
            }
            Self::Meshes => SHAPES
                .into_iter()
                .map(|shape| shape.mesh(TRIANGLES, seed))
                .map(|mesh| mesh.corners().collect::<Vec<_>>())
                .filter_map(|all| Obb::fit(ObbFit::VertexCovariance, all.into_iter()))
                .collect(),
        }
    }
}

/// How close objects are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Density {
    /// The funnel grows with the number of objects.
    Dense,
    Loose,
    /// The funnel is that of the largest number, so few objects are far apart.
    OneFunnel,
}

impl Density {
    pub(crate) const ALL: [Self; 3] = [Self::Dense, Self::Loose, Self::OneFunnel];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Loose => "loose",
            Self::OneFunnel => "one funnel",
        }
    }

    /// Volume of the funnel of a number of objects, of at most `most`.
    fn volume(self, number: usize, most: usize) -> f64 {
        match self {
            Self::Dense => 3.0 * number as f64,
            Self::Loose => 30.0 * number as f64,
            Self::OneFunnel => 3.0 * most as f64,
        }
    }
}

/// Objects in a funnel with its tip at the origin, open upward along z, of slope 1.
#[derive(Clone, Debug)]
pub(crate) struct Funnel {
    height: f64,
    random: Random,
    boxes: Vec<Option<Aabb>>,
    /// The oriented boxes before the first step.
    oriented: Vec<Option<Obb>>,
    ways: Vec<Vector>,
    steps: usize,
}

impl Funnel {
    /// `number` objects, of at most `most` in this experiment.
    pub(crate) fn new(kind: Kind, density: Density, [number, most]: [usize; 2], seed: u64) -> Self {
        let mut random = Random::stream(seed, number as u64);
        let height = (density.volume(number, most) * 3.0 / std::f64::consts::PI).cbrt();
        let stock = kind.stock(&mut random, number, seed);
        let mut place = |i: usize| {
            let (at, pose) = (inside(&mut random, height), random.turned_to(Vector::zeros()));
            let mut one = stock[i % stock.len()].posed(&pose);
            one.center = at;
            let reach = one.axes.abs() * one.half;
            (Some(Aabb { min: at - reach, max: at + reach }), Some(one))
        };
        let (boxes, oriented): (Vec<_>, Vec<_>) = (0..number).map(&mut place).unzip();
        let ways = boxes.iter().map(|_| random.unit_vector() * WAY).collect();
        Self { height, random, boxes, oriented, ways, steps: 0 }
    }

    /// The boxes on the axes of the world around the oriented boxes, all there.
    pub(crate) fn boxes(&self) -> &[Option<Aabb>] {
        &self.boxes
    }

    /// The oriented boxes before the first step.
    pub(crate) fn oriented(&self) -> &[Option<Obb>] {
        &self.oriented
    }

    /// Steps that were made.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    /// Moves every object by a step.
    pub(crate) fn advance(&mut self) {
        for (one, way) in self.boxes.iter_mut().flatten().zip(&mut self.ways) {
            go(one, way, self.height);
        }
        self.steps += 1;
    }

    /// The boxes of one more object, step by step.
    pub(crate) fn path(&mut self, steps: usize) -> Vec<Aabb> {
        let (at, mut way) =
            (inside(&mut self.random, self.height), self.random.unit_vector() * WAY);
        let reach = 0.5 * self.random.vector(EDGES[0], EDGES[1]);
        let mut one = Aabb { min: at - reach, max: at + reach };
        let mut step = || {
            go(&mut one, &mut way, self.height);
            one
        };
        (0..steps).map(|_| step()).collect()
    }
}

/// A point of the funnel, all equally likely.
fn inside(random: &mut Random, height: f64) -> Point {
    let (z, share) = (height * random.unit().cbrt(), random.unit().sqrt());
    let turn = std::f64::consts::TAU * random.unit();
    Point::new(z * share * turn.cos(), z * share * turn.sin(), z)
}

/// A step straight on; back if it leads out of the funnel.
fn go(one: &mut Aabb, way: &mut Vector, height: f64) {
    let at = one.center() + *way;
    if at.z > height || at.x.hypot(at.y) > at.z {
        *way = -*way;
    }
    (one.min, one.max) = (one.min + *way, one.max + *way);
}
