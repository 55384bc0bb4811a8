//! A hall of bays with fixed objects and moving units, as in the laser facility of xie.

use impinge::geometry::volume::Aabb;
use impinge::{Point, Vector};
use impinge_models::Random;

/// Bays along the hall and across it.
pub(crate) const BAYS: [u32; 2] = [8, 4];
/// Edge of a bay.
pub(crate) const BAY: f64 = 10.0;
/// Least and largest edge of a fixed object.
const EDGES: [f64; 2] = [0.5, 2.0];
/// Half the edge of a unit.
const UNIT: f64 = 1.0;
/// Way of a unit in a step.
const WAY: f64 = 0.25;

/// A hall from the origin on; z is upward.
#[derive(Clone, Debug)]
pub(crate) struct Hall {
    boxes: Vec<Option<Aabb>>,
    fixed: Vec<bool>,
    /// Of each unit, which come first: where it goes.
    ways: Vec<Vector>,
}

impl Hall {
    /// A hall with so many units and fixed objects, of which a share stands on borders.
    pub(crate) fn new(units: usize, fixed: usize, border: f64, seed: u64) -> Self {
        let mut random = Random::stream(seed, (units * fixed) as u64);
        let most = size() - Vector::repeat(UNIT);
        let unit = |random: &mut Random| {
            let at = Vector::from_fn(|k, _| random.range(UNIT, most[k]));
            let reach = Vector::repeat(UNIT);
            Some(Aabb { min: Point::from(at - reach), max: Point::from(at + reach) })
        };
        let mut boxes: Vec<_> = (0..units).map(|_| unit(&mut random)).collect();
        let ways = (0..units).map(|k| Vector::ith(k % 2, WAY)).collect();
        let on_borders = (border * fixed as f64).round() as usize;
        boxes.extend((0..fixed).map(|i| Some(object(&mut random, i < on_borders))));
        let fixed = (0..boxes.len()).map(|i| i >= units).collect();
        Self { boxes, fixed, ways }
    }

    /// The box of the hall.
    pub(crate) fn space() -> Aabb {
        Aabb { min: Point::origin(), max: Point::from(size()) }
    }

    /// Whether each object is fixed.
    pub(crate) fn fixed(&self) -> &[bool] {
        &self.fixed
    }

    /// The boxes of all objects in each step.
    pub(crate) fn walk(&self, steps: usize) -> Vec<Vec<Option<Aabb>>> {
        let (mut now, size) = (self.clone(), size());
        let mut step = || {
            for (one, way) in now.boxes.iter_mut().flatten().zip(&mut now.ways) {
                if (0..3).any(|k| one.min[k] + way[k] < 0.0 || one.max[k] + way[k] > size[k]) {
                    *way = -*way;
                }
                (one.min, one.max) = (one.min + *way, one.max + *way);
            }
            now.boxes.clone()
        };
        (0..steps).map(|_| step()).collect()
    }
}

fn size() -> Vector {
    Vector::new(BAY * f64::from(BAYS[0]), BAY * f64::from(BAYS[1]), BAY)
}

/// A fixed object within a bay, or on the border between two bays that are neighbours along the hall
/// or across it.
fn object(random: &mut Random, on_border: bool) -> Aabb {
    let half = 0.5 * random.vector(EDGES[0], EDGES[1]);
    let bay = BAYS.map(|bays| random.below(u64::from(bays)) as f64);
    let corner = Vector::new(bay[0] * BAY, bay[1] * BAY, 0.0);
    let mut at = corner + Vector::from_fn(|k, _| random.range(half[k], BAY - half[k]));
    if on_border {
        let k = random.below(2) as usize;
        at[k] = BAY * (1 + random.below(u64::from(BAYS[k]) - 1)) as f64;
    }
    Aabb { min: Point::from(at - half), max: Point::from(at + half) }
}
