//! Which triangles of two leaves may be near enough, if the models are so far apart that 32 bits cannot tell.

use impinge_geometry::Point;

use super::Pair;
use crate::tree::Leaf;

/// More than what rounding in 64 bits may add to the square of a gap, as a part of it.
const ROUNDING: f64 = 1e-14;

/// Bits `4 i + j` of the pairs of triangle `i` of A's leaf and `j` of B's whose squared gap along the line between
/// their first corners exceeds `limit`, which is in A's unit. `unit` is the factor to that unit.
///
/// Proof: `docs/wide-bounds.md`, "Triangles of models that are far apart".
pub(super) fn beyond(pair: &Pair<'_>, [a, b]: [&Leaf; 2], unit: f64, limit: f64) -> u32 {
    let of = |i: usize| pair.triangles(a.triangle(i), b.triangle(i));
    let pairs = [of(0), of(1), of(2), of(3)];
    let (p, q) = (pairs[0].0[0], pairs[0].1[0]);
    let way = (q - p) * unit;
    let height = |x: &Point| way.dot(&((x - p) * unit));
    let highest = pairs.map(|(p, _)| p.iter().map(height).fold(f64::NEG_INFINITY, f64::max));
    let lowest = pairs.map(|(_, q)| q.iter().map(height).fold(f64::INFINITY, f64::min));
    let least = limit * way.norm_squared() * (1.0 + ROUNDING);
    let mut beyond = 0;
    for (i, highest) in highest.into_iter().enumerate() {
        for (j, lowest) in lowest.into_iter().enumerate() {
            let gap = (lowest - highest).max(0.0);
            beyond |= u32::from(gap * gap > least) << (4 * i + j);
        }
    }
    beyond
}

#[cfg(test)]
mod tests {
    use impinge_geometry::triangle;
    use impinge_models::{Random, Shape};
    use impinge_query::{Control, Engine};

    use super::*;
    use crate::frame::power_of_two;
    use crate::model::WideModel;
    use crate::placement::Placement;

    /// Pairs of triangles, those that are left out by a limit hardly less than their distance, and whether
    /// none is by the limit that a search takes for that distance.
    fn left_out(models: [&WideModel; 2], random: &mut Random, far: f64) -> (u32, u32, bool) {
        let way = random.unit_vector() * far;
        let pose = random.turned_to(way);
        let frames = models.map(|model| &model.tree.frame);
        let placement = &Placement::however_far(&pose, frames, models.map(WideModel::max_abs));
        assert!(placement.far);
        let pair = Pair { models, pose: &pose, placement };
        let unit = power_of_two(-placement.exponents[0]);
        let [a, b] = models.map(|model| {
            let leaves = &model.tree.leaves;
            &leaves[random.below(leaves.len() as u64) as usize]
        });
        let (mut pairs, mut out, mut right) = (0, 0, true);
        for i in 0..a.len() {
            for j in 0..b.len() {
                let (p, q) = pair.triangles(a.triangle(i), b.triangle(j));
                let d = triangle::distance_apart(&p, &q).0 * unit;
                let bit = |limit: f64| beyond(&pair, [a, b], unit, limit) >> (4 * i + j) & 1;
                right &= bit(d * d * (1.0 + 1e-14)) == 0;
                out += bit(d * d * (1.0 - 1e-6));
                pairs += 1;
            }
        }
        (pairs, out, right)
    }

    #[test]
    fn no_pair_within_the_limit_is_left_out_and_most_others_are() {
        let engine = crate::wide();
        let meshes = [Shape::Torus.mesh(600, 0), Shape::Hand.mesh(500, 0)];
        let mut random = Random::new(93);
        for unit in [1.0, 1e-120, 1e120] {
            let models = meshes.each_ref().map(|mesh| {
                let mesh = mesh.scaled(unit).expect("in range");
                engine.prepare(&mesh, &Control::NONE).expect("any mesh")
            });
            let (mut pairs, mut out) = (0, 0);
            for _ in 0..400 {
                let far = unit * 10f64.powf(random.range(4.0, 11.0));
                let (some, left_out, right) = left_out(models.each_ref(), &mut random, far);
                assert!(right, "{unit:e} {far:e}");
                pairs += some;
                out += left_out;
            }
            assert!(out > pairs * 9 / 10, "{out} of {pairs}");
        }
    }
}
