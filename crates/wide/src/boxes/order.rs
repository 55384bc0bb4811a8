//! Step 4: the order of the boxes. Along a Morton curve at large, by median splits within runs, so
//! that the boxes of a block are close together.

use impinge_query::{Cancelled, Control};

use super::NONE;
use super::block::LANES;
use super::keys::{Key, Keys};
use crate::build::morton;

/// Blocks of a run that is split at medians.
const RUN: usize = 16;
/// Boxes between two looks at the caller's flag.
const STRETCH: usize = 1 << 12;

/// A box while it is sorted.
#[derive(Clone, Copy, Debug)]
struct Item {
    twice: [f32; 3],
    object: u32,
}

/// Buffers to reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    keys: Vec<morton::Key>,
    spare: Vec<morton::Key>,
    items: Vec<Item>,
}

impl Sorter {
    /// Puts all boxes into `order`, `fill` in each block at most; the other places hold [`NONE`].
    pub(super) fn sort(
        &mut self,
        keys: &Keys,
        fill: usize,
        order: &mut Vec<u32>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        order.clear();
        self.items.clear();
        if keys.of.len() < 1 << morton::INDEX {
            self.along_curve(keys, control)?;
            for (number, one) in self.keys.iter().enumerate() {
                if number.is_multiple_of(STRETCH) {
                    control.check()?;
                }
                let object = morton::index(*one);
                self.items.push(Item { twice: keys.of[object as usize].twice(), object });
            }
        } else {
            // These have no place in a key of the curve: only runs by index are divided.
            self.by_index(keys, control)?;
        }
        for (number, run) in self.items.chunks_mut(RUN * fill).enumerate() {
            if number.is_multiple_of(STRETCH / (RUN * LANES)) {
                control.check()?;
            }
            split(run, fill, order);
        }
        Ok(())
    }

    /// Takes in all objects by index.
    fn by_index(&mut self, keys: &Keys, control: &Control<'_>) -> Result<(), Cancelled> {
        for (object, key) in (0u32..).zip(&keys.of) {
            if object.is_multiple_of(STRETCH as u32) {
                control.check()?;
            }
            if !key.is_none() {
                self.items.push(Item { twice: key.twice(), object });
            }
        }
        Ok(())
    }

    /// Sorts all objects along the curve; cells are cubes. For less than 2²⁸ indices.
    fn along_curve(&mut self, keys: &Keys, control: &Control<'_>) -> Result<(), Cancelled> {
        let far = keys.map.usual();
        let (mut low, mut high) = ([far; 3], [-far; 3]);
        let at = |key: &Key| key.twice().map(|x| x.clamp(-far, far));
        for stretch in keys.of.chunks(STRETCH) {
            control.check()?;
            for key in stretch.iter().filter(|key| !key.is_none()) {
                let at = at(key);
                for k in 0..3 {
                    (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
                }
            }
        }
        let longest = (0..3).fold(0.0f32, |longest, k| longest.max(high[k] - low[k]));
        let cells = (1u32 << morton::BITS) as f32;
        let scale = if longest > 0.0 { cells / longest } else { 0.0 };
        self.keys.clear();
        for (object, key) in (0u32..).zip(&keys.of) {
            if object.is_multiple_of(STRETCH as u32) {
                control.check()?;
            }
            if key.is_none() {
                continue;
            }
            let at = at(key);
            let cell = |k: usize| ((at[k] - low[k]) * scale).min(cells - 1.0) as u64;
            self.keys.push(morton::key([cell(0), cell(1), cell(2)], object));
        }
        morton::sort(&mut self.keys, &mut self.spare, control)
    }
}

/// Appends blocks of at most `fill` boxes, by halving along the longest side of their centres.
fn split(items: &mut [Item], fill: usize, order: &mut Vec<u32>) {
    if items.len() <= fill {
        order.extend(items.iter().map(|item| item.object));
        order.resize(order.len().next_multiple_of(LANES), NONE);
        return;
    }
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items.iter() {
        for k in 0..3 {
            low[k] = if item.twice[k] < low[k] { item.twice[k] } else { low[k] };
            high[k] = if item.twice[k] > high[k] { item.twice[k] } else { high[k] };
        }
    }
    let side = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
    let k = (1..3).fold(0, |k, other| if side[other] > side[k] { other } else { k });
    let left = items.len().div_ceil(fill) / 2 * fill;
    items.select_nth_unstable_by(left, |a, b| a.twice[k].total_cmp(&b.twice[k]));
    let (first, second) = items.split_at_mut(left);
    split(first, fill, order);
    split(second, fill, order);
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;
    use impinge_geometry::volume::Aabb;
    use impinge_models::Random;
    use impinge_query::broad::Objects;

    use super::super::keys::Map;
    use super::*;

    /// Items whose centres reach from `from` to `to` along the axis, and one unit along the others.
    fn items(axis: usize, from: f32, to: f32) -> Vec<Item> {
        let item = |object: u32| {
            let mut twice = [(object % 3) as f32 / 2.0 - 0.5, (object % 5) as f32 / 4.0, 0.25];
            twice[axis] = from + (to - from) * object as f32 / 31.0;
            Item { twice, object }
        };
        (0..32).map(item).collect()
    }

    #[test]
    fn blocks_are_halves_along_the_longest_side() {
        for axis in 0..3 {
            for (from, to) in [(-8.0, 8.0), (1.0, 9.0), (-9.0, -3.0)] {
                let mut order = Vec::new();
                split(&mut items(axis, from, to), LANES, &mut order);
                let mut first = order[..LANES].to_vec();
                first.sort_unstable();
                assert!(first.into_iter().eq(0..LANES as u32), "{axis} {from} {to}");
            }
        }
    }

    /// Boxes of a lattice whose indices say nothing about their places.
    #[test]
    fn blocks_are_small_whatever_the_indices_are() {
        let mut places: Vec<[u32; 3]> = (0..4096).map(|i| [i % 16, i / 16 % 16, i / 256]).collect();
        Random::new(12).shuffle(&mut places);
        let at = |p: &[u32; 3]| Point::from(p.map(f64::from));
        let boxes: Vec<_> = places.iter().map(|p| Aabb::fit_points([at(p)].into_iter())).collect();
        let (mut keys, mut order) = (Keys::default(), Vec::new());
        let objects = Objects::moving(&boxes);
        keys.load(&objects, &mut Vec::new(), &Control::NONE).expect("not cancelled");
        keys.renew(Map::of(&keys.exact), &Control::NONE).expect("not cancelled");
        let mut sorter = Sorter::default();
        sorter.sort(&keys, LANES, &mut order, &Control::NONE).expect("not cancelled");
        let side = |block: &[u32], k: usize| {
            let on = |object: &u32| places[*object as usize][k];
            block.iter().map(on).max().zip(block.iter().map(on).min()).map_or(0, |(b, a)| b - a)
        };
        let sides: u32 =
            order.chunks(LANES).map(|block| (0..3).map(|k| side(block, k)).sum::<u32>()).sum();
        // Of sixteen in a row, sides of 1, 1 and 3 add up to 5; of runs by index, to some 20.
        assert_eq!(order.len(), 4096);
        assert!(sides <= 6 * 256, "{sides}");
    }

    /// As for more boxes than have an index on the curve.
    #[test]
    fn boxes_may_be_taken_in_by_index() {
        let corner = |i: u32| Point::from([i, 2 * i, 40 - i].map(f64::from));
        let point =
            |i: u32| Aabb::fit_points([corner(i)].into_iter()).filter(|_| !i.is_multiple_of(3));
        let boxes: Vec<_> = (0..40).map(point).collect();
        let (mut keys, mut sorter) = (Keys::default(), Sorter::default());
        keys.load(&Objects::moving(&boxes), &mut Vec::new(), &Control::NONE).expect("runs");
        sorter.by_index(&keys, &Control::NONE).expect("not cancelled");
        let found = sorter.items.iter().map(|item| (item.object, item.twice));
        let there = (0u32..40).filter(|i| !i.is_multiple_of(3));
        assert!(found.eq(there.map(|i| (i, [2 * i, 4 * i, 80 - 2 * i].map(|x| x as f32)))));
    }
}
