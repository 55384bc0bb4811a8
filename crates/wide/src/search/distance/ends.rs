//! The nearest triangles of models that are so far apart that only one direction counts: those that reach
//! farthest along the line between the models' centres, one of each model.
//!
//! A search would find as many pairs of about the same distance as there are pairs: posed vertices are rounded
//! to a few numbers, and so are distances. Here the models are searched one after the other.

use impinge_geometry::{Point, Vector, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Nearest};

use super::{POLL_INTERVAL, Pair};
use crate::frame::power_of_two;
use crate::placement::{Placement, end};
use crate::tree::LEAF;

/// Beyond this many sizes of the larger model, the pair of triangles that reach farthest is as near as any but for
/// a part of 2⁻⁵⁹ of the distance.
const SIZES: f64 = (1u64 << 32) as f64;

/// What rounding in 64 bits may add to heights, in their unit.
const ROUNDING: f64 = 1e-14;

/// The unit vector from A's centre to B's, if the models are so far apart that no other direction counts.
pub(super) fn way(placement: &Placement) -> Option<Vector> {
    let [x, y, z, _] = placement.center();
    let way = Vector::new(x, y, z);
    let length = way.amax();
    let [a, b] = placement.exponents;
    // Both in the unit of `way`: the larger model's size, and what posing rounds.
    let (size, rounding) = (power_of_two(a.max(b) - b), placement.sides[1].pad());
    (length > SIZES * size.max(rounding)).then(|| (way / length).normalize())
}

/// The triangles that reach farthest along `way` and against it, the first of those that reach as far, and their distance.
///
/// Proof: `docs/wide-bounds.md`, "Models that are as good as points to each other".
///
/// # Errors
/// [`Cancelled`].
pub(super) fn nearest<C: Counter>(
    pair: &Pair<'_>,
    way: Vector,
    control: &Control<'_>,
    counter: &mut C,
) -> Result<Nearest, Cancelled> {
    let a = Model::new(pair, 0, way).farthest(control, counter)?;
    let b = Model::new(pair, 1, -way).farthest(control, counter)?;
    counter.primitives(1);
    let (p, q) = pair.triangles(a, b);
    let (distance, on_a, on_b) = triangle::distance_apart(&p, &q);
    Ok(Nearest { distance, on_a, on_b, triangles: Contact { a, b } })
}

/// One of the two models, and the direction of the other.
struct Model<'q> {
    pair: &'q Pair<'q>,
    side: usize,
    /// A unit vector in A's frame, and in the model's own.
    way: Vector,
    own_way: [f64; 3],
    /// The centre of the model, in A's frame. Heights are taken from there.
    center: Point,
    /// The inverse of the unit of heights: the model's, clamped for B as in [`Placement`].
    scale: f64,
    /// What rounding may add to a height.
    pad: f64,
}

impl<'q> Model<'q> {
    fn new(pair: &'q Pair<'q>, side: usize, way: Vector) -> Self {
        let frame = &pair.models[side].tree.frame;
        let center = Point::from(frame.center);
        let (own_way, center, exponent, posing) = if side == 0 {
            (way, center, frame.exponent, 0.0)
        } else {
            let Placement { sides, exponents, .. } = pair.placement;
            let own_way = pair.pose.rotation().tr_mul(&way);
            (own_way, pair.pose.apply(&center), exponents[1], 2.0 * sides[1].pad())
        };
        let scale = power_of_two(-exponent);
        // If it is clamped, twice B's pad exceeds every end and height.
        let pad = posing + ROUNDING;
        Self { pair, side, way, own_way: own_way.into(), center, scale, pad }
    }

    /// The triangle with the highest corner, the first of those that are as high.
    fn farthest<C: Counter>(
        &self,
        control: &Control<'_>,
        counter: &mut C,
    ) -> Result<u32, Cancelled> {
        let tree = &self.pair.models[self.side].tree;
        let (mut highest, mut farthest) = (f64::NEG_INFINITY, u32::MAX);
        // Bounds on heights, and children of lanes. The highest of a node is on top.
        let mut items = vec![(f64::INFINITY, tree.nodes[0].child[0])];
        let mut steps = 0u32;
        while let Some((bound, child)) = items.pop() {
            if bound < highest {
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) {
                control.check()?;
            }
            if child & LEAF != 0 {
                let leaf = &tree.leaves[(child & !LEAF) as usize];
                for triangle in (0..leaf.len()).map(|i| leaf.triangle(i)) {
                    let height = self.height(triangle);
                    if height > highest || (height == highest && triangle < farthest) {
                        (highest, farthest) = (height, triangle);
                    }
                }
                continue;
            }
            let node = &tree.nodes[child as usize];
            counter.volumes(u64::from(node.lanes));
            let (base, mut left) = (items.len(), node.firsts());
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let bound = end(node, lane, &self.own_way) + self.pad;
                if bound >= highest {
                    items.push((bound, node.child[lane]));
                }
            }
            items[base..].sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
        }
        Ok(farthest)
    }

    /// How far a triangle reaches along the way from the model's centre.
    fn height(&self, triangle: u32) -> f64 {
        let corners = self.pair.triangle(self.side, triangle);
        let heights = corners.map(|x| self.way.dot(&((x - self.center) * self.scale)));
        heights.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Pose, exact};
    use impinge_models::{Random, Shape};
    use impinge_query::{Cancel, Engine, Statistics};

    use super::*;
    use crate::counted::work_of;
    use crate::model::WideModel;

    fn prepared(mesh: &Mesh) -> WideModel {
        crate::wide().prepare(mesh, &Control::NONE).expect("any mesh")
    }

    fn placed(models: [&WideModel; 2], pose: &Pose) -> Placement {
        let frames = models.map(|model| &model.tree.frame);
        Placement::however_far(pose, frames, models.map(WideModel::max_abs))
    }

    /// The answer, and the number of boxes; `None` if the models are not so far apart.
    fn found(models: [&WideModel; 2], pose: &Pose) -> Option<(Nearest, u64)> {
        let placement = &placed(models, pose);
        let mut counted = Some(Statistics::default());
        let pair = Pair { models, pose, placement };
        let nearest = nearest(&pair, way(placement)?, &Control::NONE, &mut counted);
        Some((nearest.expect("not cancelled"), work_of(counted.as_ref())[0]))
    }

    /// No pair of triangles is nearer than the one that is found, but for rounding, whatever the models' sizes and
    /// their distance: decided exactly.
    #[test]
    fn no_other_pair_is_nearer() {
        let shapes = [(Shape::Torus, 100), (Shape::Hand, 90), (Shape::Cube, 12)];
        let meshes = shapes.map(|(shape, count)| shape.mesh(count, 0));
        let mut random = Random::new(94);
        let mut not_first = 0;
        for case in 0..90 {
            let sizes = [(); 2].map(|()| 10f64.powf(random.range(-3.0, 3.0)));
            let unit = 10f64.powf(random.range(-200.0, 150.0));
            let [a, b] = [case % 3, case / 3 % 3].map(|shape| &meshes[shape]);
            let [a, b] = [a.scaled(unit * sizes[0]), b.scaled(unit * sizes[1])]
                .map(|mesh| prepared(&mesh.expect("in range")));
            let orders = random.range(10.5, [12.0, 19.0, 90.0][case / 9 % 3]);
            let far = unit * sizes[0].max(sizes[1]) * 10f64.powf(orders);
            let way = if case % 5 == 0 { Vector::x() } else { random.unit_vector() };
            let pose = random.turned_to(way * far);
            let (nearest, _) = found([&a, &b], &pose).expect("far apart");
            let within = |(i, j): (u32, u32), part: f64| {
                let (p, q) = (a.mesh().triangle(i), b.mesh().triangle(j));
                exact::within(&p, &q.map(|x| pose.apply(&x)), nearest.distance * part)
            };
            let Contact { a: i, b: j } = nearest.triangles;
            let count = b.mesh().triangles().len() as u32;
            let mut pairs =
                (0..a.mesh().triangles().len() as u32 * count).map(|k| (k / count, k % count));
            assert!(within((i, j), 1.0 + 1e-15), "{case}");
            assert!(!pairs.any(|pair| within(pair, 1.0 - 2e-14)), "{case}");
            not_first += u32::from(i != 0 && orders < 12.0);
        }
        assert!(not_first > 15, "{not_first}");
    }

    /// The tree finds the triangle that a search of all finds, in few steps until posed vertices are rounded to
    /// numbers as coarse as the model, and in one for each node from then on.
    #[test]
    fn the_farthest_of_all_is_found_in_few_steps() {
        let shapes = [(Shape::Torus, 10_000), (Shape::Hand, 7_000)];
        let models = shapes.map(|(shape, count)| prepared(&shape.mesh(count, 0)));
        let models = models.each_ref();
        let lanes: u64 = models[1].tree.nodes.iter().map(|node| u64::from(node.lanes)).sum();
        let mut random = Random::new(95);
        for orders in (11..40).chain([100, 299]) {
            let far = random.unit_vector() * 10f64.powi(orders);
            let pose = random.turned_to(far);
            let (nearest, boxes) = found(models, &pose).expect("far apart");
            let placement = &placed(models, &pose);
            let pair = Pair { models, pose: &pose, placement };
            let way = way(placement).expect("far");
            for (side, triangle) in [(0, nearest.triangles.a), (1, nearest.triangles.b)] {
                let model = Model::new(&pair, side, if side == 0 { way } else { -way });
                let heights =
                    (0..models[side].mesh().triangles().len() as u32).map(|t| (model.height(t), t));
                let first = heights.reduce(|x, y| if y.0 > x.0 { y } else { x });
                assert_eq!(first.map(|(_, t)| t), Some(triangle), "1e{orders}, side {side}");
            }
            let most = if orders < 12 { 600 } else { 300 + lanes };
            assert!(boxes <= most, "1e{orders}: {boxes} of {lanes}");
        }
        let near = Pose::translation_by(Vector::new(1e9, 0.0, 0.0)).expect("finite");
        assert_eq!(found(models, &near), None);
    }

    #[test]
    fn a_cancellation_is_heard() {
        let model = prepared(&Shape::Torus.mesh(10_000, 0));
        let models = [&model; 2];
        let pose = Pose::translation_by(Vector::new(1e20, 0.0, 0.0)).expect("finite");
        let placement = &placed(models, &pose);
        let (pair, way) = (Pair { models, pose: &pose, placement }, way(placement).expect("far"));
        let is_cancelled = |look| {
            let (cancel, mut counted) = (Cancel::at_look(look), Some(Statistics::default()));
            let control = Control::NONE.cancelled_by(&cancel);
            let done = nearest(&pair, way, &control, &mut counted);
            let looks = cancel.looks().expect("a flag that counts");
            assert!(looks.longest <= 64 * 16, "{looks:?}");
            done == Err(Cancelled)
        };
        assert!((1..20).all(is_cancelled) && !is_cancelled(1000));
    }
}
