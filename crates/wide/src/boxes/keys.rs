//! Step 1: boxes as 32-bit keys. One map that never turns the order of two numbers around takes
//! every coordinate to its key, so two keys in strict order decide, and only equal keys leave a
//! doubt.

use impinge_geometry::volume::Aabb;
use impinge_query::Objects;
use impinge_query::{Cancelled, Control};

/// Boxes between two looks at the caller's flag.
const STRETCH: usize = 1 << 12;

/// No key is larger, so that differences are finite.
const LARGEST: f64 = (1u128 << 100) as f64;

/// Number of boxes from which the scene's centre and scale are estimated.
const SAMPLE: usize = 512;

/// The keys of a box. The fourth numbers are flags, 0 or 1: `low[3]` whether the object is fixed or
/// there is none, `high[3]` whether it has a place in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Key {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Key {
    /// No box: whatever it is compared with, it is apart from.
    pub(super) const NONE: Self = {
        let far = (1u128 << 120) as f32;
        Self { low: [far, far, far, 1.0], high: [-far, -far, -far, 0.0] }
    };

    /// Whether there is no box.
    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// Whether the object is fixed, or there is none.
    #[inline(always)]
    pub(super) fn is_fixed(&self) -> bool {
        self.low[3] != 0.0
    }

    /// Whether the object has a place in the tree.
    #[inline(always)]
    pub(super) fn is_placed(&self) -> bool {
        self.high[3] != 0.0
    }

    /// Least and largest coordinates, doubled; all numbers are in the fourth range.
    #[inline(always)]
    pub(super) fn doubled(&self) -> ([f32; 4], [f32; 4]) {
        let (low, high) = (&self.low, &self.high);
        (
            [2.0 * low[0], 2.0 * low[1], 2.0 * low[2], f32::NEG_INFINITY],
            [2.0 * high[0], 2.0 * high[1], 2.0 * high[2], f32::INFINITY],
        )
    }

    /// Twice the centre.
    #[inline(always)]
    pub(super) fn twice(&self) -> [f32; 3] {
        [self.low[0] + self.high[0], self.low[1] + self.high[1], self.low[2] + self.high[2]]
    }
}

/// A monotone map from coordinates to keys: `x ≤ y` gives `key(x) ≤ key(y)`, on each axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Map {
    /// `(x − centre) · scale`, each operation rounded: rounding is monotone. The scale is positive.
    Scaled { centre: [f64; 3], scale: f64 },
    /// The rank of `x` among the distinct coordinates of all boxes, which are listed here: the same
    /// key means the same coordinate, if there are fewer than 2²⁴.
    Ranked([Vec<f64>; 3]),
}

impl Map {
    /// The map for boxes of about the places of these. A few that are far away or huge do not matter, and
    /// sides may be infinite.
    pub(super) fn of(exact: &[Aabb]) -> Self {
        let present = exact.iter().filter(|one| is_box(one));
        let step = exact.len() / SAMPLE + 1;
        let some: Vec<&Aabb> = present.step_by(step).collect();
        let mut centre = [0.0; 3];
        for k in 0..3 {
            let middle = |one: &&Aabb| 0.5 * finite(one.min[k]) + 0.5 * finite(one.max[k]);
            let mut at: Vec<f64> = some.iter().map(middle).collect();
            centre[k] = quantile(&mut at, 2);
        }
        let reach = |one: &&Aabb| {
            let off = |x: f64, k: usize| (finite(x) - centre[k]).abs();
            let on = |k: usize| off(one.min[k], k).max(off(one.max[k], k));
            on(0).max(on(1)).max(on(2))
        };
        let reach = quantile(&mut some.iter().map(reach).collect::<Vec<_>>(), 4);
        Self::Scaled { centre, scale: (1.0 / reach).clamp(1e-300, 1e300) }
    }

    /// The keys of a box: of its least and largest coordinates. For [`Map::Ranked`] the box need not
    /// be one of those that were ranked.
    #[inline(always)]
    pub(super) fn key(&self, one: &Aabb) -> Key {
        match self {
            Self::Scaled { centre, scale } => scaled(one, centre, *scale),
            Self::Ranked(values) => {
                let mut key = Key { low: [0.0; 4], high: [0.0; 4] };
                for (k, values) in values.iter().enumerate() {
                    key.low[k] = values.partition_point(|&x| x < one.min[k]) as f32;
                    key.high[k] = values.partition_point(|&x| x <= one.max[k]) as f32 - 1.0;
                }
                key
            }
        }
    }

    /// Sums of a box's two keys beyond this are rare.
    pub(super) const fn usual(&self) -> f32 {
        match self {
            Self::Scaled { .. } => 8.0,
            Self::Ranked(_) => f32::INFINITY,
        }
    }
}

/// The keys of a box by [`Map::Scaled`].
#[inline(always)]
fn scaled(one: &Aabb, centre: &[f64; 3], scale: f64) -> Key {
    let mut key = Key { low: [0.0; 4], high: [0.0; 4] };
    for k in 0..3 {
        let (low, high) = ((one.min[k] - centre[k]) * scale, (one.max[k] - centre[k]) * scale);
        key.low[k] = low.clamp(-LARGEST, LARGEST) as f32;
        key.high[k] = high.clamp(-LARGEST, LARGEST) as f32;
    }
    key
}

/// Whether there are points in it.
#[inline(always)]
fn is_box(one: &Aabb) -> bool {
    one.min.x <= one.max.x && one.min.y <= one.max.y && one.min.z <= one.max.z
}

/// A coordinate that is not infinite, and whose differences are not.
fn finite(x: f64) -> f64 {
    x.clamp(-f64::MAX / 4.0, f64::MAX / 4.0)
}

/// The number below which one in `parts` does not lie; 1 without numbers.
fn quantile(numbers: &mut [f64], parts: usize) -> f64 {
    let at = numbers.len() - numbers.len() / parts;
    match numbers.len() {
        0 => 1.0,
        n => *numbers.select_nth_unstable_by(at.min(n - 1), f64::total_cmp).1,
    }
}

/// The boxes of all objects, and their keys.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// By object; [`Aabb::EMPTY`] where there is none.
    pub(super) exact: Vec<Aabb>,
    /// By object; [`Key::NONE`] where there is none.
    pub(super) of: Vec<Key>,
    pub(super) map: Map,
    /// Number of boxes.
    pub(super) present: usize,
}

impl Default for Keys {
    fn default() -> Self {
        let map = Map::Scaled { centre: [0.0; 3], scale: 1.0 };
        Self { exact: Vec::new(), of: Vec::new(), map, present: 0 }
    }
}

impl Keys {
    /// Takes in all boxes; appends to `fresh` the objects that have no place in the tree, and marks
    /// them as placed. With [`Map::Ranked`], the keys are unknown until they are ranked.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        objects: &Objects<'_>,
        fresh: &mut Vec<u32>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let n = objects.boxes.len();
        self.exact.resize(n, Aabb::EMPTY);
        self.of.resize(n, Key::NONE);
        self.present = 0;
        for start in (0..n).step_by(STRETCH) {
            control.check()?;
            let end = n.min(start + STRETCH);
            let to = self.exact[start..end].iter_mut().zip(&mut self.of[start..end]);
            for (i, ((exact, key), one)) in (start..).zip(to.zip(&objects.boxes[start..end])) {
                match one {
                    Some(one) if is_box(one) => {
                        *exact = *one;
                        if !key.is_placed() {
                            fresh.push(i as u32);
                        }
                        if let Map::Scaled { centre, scale } = &self.map {
                            *key = scaled(one, centre, *scale);
                        }
                        key.low[3] = f32::from(u8::from(objects.is_fixed(i)));
                        key.high[3] = 1.0;
                        self.present += 1;
                    }
                    _ => (*exact, *key) = (Aabb::EMPTY, Key::NONE),
                }
            }
        }
        Ok(())
    }

    /// Computes all keys by a new map; keeps the flags.
    pub(super) fn renew(&mut self, map: Map, control: &Control<'_>) -> Result<(), Cancelled> {
        self.map = map;
        for (exact, of) in self.exact.chunks(STRETCH).zip(self.of.chunks_mut(STRETCH)) {
            control.check()?;
            for (exact, key) in exact.iter().zip(of).filter(|(exact, _)| is_box(exact)) {
                let (fixed, placed) = (key.low[3], key.high[3]);
                *key = self.map.key(exact);
                (key.low[3], key.high[3]) = (fixed, placed);
            }
        }
        Ok(())
    }

    /// Makes keys of ranks. O(n log n), many times as slow as [`Map::Scaled`], and without doubts.
    pub(super) fn rank(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let mut ranked = [Vec::new(), Vec::new(), Vec::new()];
        for (k, values) in ranked.iter_mut().enumerate() {
            let present = self.exact.iter().filter(|one| is_box(one));
            values.extend(present.flat_map(|one| [one.min[k], one.max[k]]));
            sort(values, control)?;
            values.dedup();
        }
        self.renew(Map::Ranked(ranked), control)
    }
}

/// Sorts numbers: runs, then merges of two into one, with looks at the caller's flag.
fn sort(values: &mut Vec<f64>, control: &Control<'_>) -> Result<(), Cancelled> {
    for run in values.chunks_mut(STRETCH) {
        control.check()?;
        run.sort_unstable_by(f64::total_cmp);
    }
    let (mut length, mut merged) = (STRETCH, Vec::with_capacity(values.len()));
    while length < values.len() {
        merged.clear();
        for two in values.chunks(2 * length) {
            let (mut a, mut b) = two.split_at(length.min(two.len()));
            while let [x, rest @ ..] = a {
                if merged.len().is_multiple_of(STRETCH) {
                    control.check()?;
                }
                match b {
                    [y, after @ ..] if y < x => {
                        merged.push(*y);
                        b = after;
                    }
                    _ => {
                        merged.push(*x);
                        a = rest;
                    }
                }
            }
            merged.extend_from_slice(b);
        }
        std::mem::swap(values, &mut merged);
        length *= 2;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;
    use impinge_models::Random;

    use super::*;

    #[test]
    fn twice_the_centre_is_the_sum_of_the_ends() {
        let key = Key { low: [1.0, -2.0, 3.0, 0.0], high: [5.0, 7.0, 10.0, 1.0] };
        assert_eq!(key.twice(), [6.0, 5.0, 13.0]);
        let (low, high) = key.doubled();
        assert_eq!(low, [2.0, -4.0, 6.0, f32::NEG_INFINITY]);
        assert_eq!(high, [10.0, 14.0, 20.0, f32::INFINITY]);
    }

    /// Half of the centres are on each side of zero, and three quarters of the boxes within one; as
    /// far as a sample of some hundred boxes tells.
    #[test]
    fn most_keys_are_about_one() {
        let mut random = Random::new(15);
        for n in [1_000, 4_095, 4_096, 20_000] {
            let centre = random.vector(-900.0, 900.0);
            let mut any = || {
                let min = Point::from(centre + random.in_ball() * 20.0);
                Aabb::fit_points([min, min + random.vector(0.0, 3.0)].into_iter()).expect("two")
            };
            let boxes: Vec<Aabb> = (0..n).map(|_| any()).collect();
            let map = Map::of(&boxes);
            let keys: Vec<Key> = boxes.iter().map(|one| map.key(one)).collect();
            let share = |of: &dyn Fn(&Key) -> bool| {
                keys.iter().filter(|key| of(key)).count() as f64 / f64::from(n)
            };
            let within = |x: &[f32; 4]| x[..3].iter().all(|x| x.abs() <= 1.0);
            let inside = share(&|key| within(&key.low) && within(&key.high));
            assert!((0.7..0.8).contains(&inside), "{n}: {inside}");
            for k in 0..3 {
                let below = share(&|key| key.twice()[k] < 0.0);
                assert!((0.43..0.57).contains(&below), "{n}, {k}: {below}");
            }
        }
    }

    /// Boxes of a lattice, which touch, overlap or are apart: ranks tell which. For a box that was
    /// not ranked, they tell no overlap from touching, and lose none.
    #[test]
    fn ranks_decide() {
        let mut random = Random::new(16);
        let mut number = |parts: f64| {
            let mut at = || random.vector(0.0, 6.0).map(|x| (x * parts).round() / parts);
            let (p, q) = (Point::from(at()), Point::from(at()));
            Aabb { min: p.inf(&q), max: p.sup(&q) }
        };
        let exact: Vec<Aabb> = (0..300).map(|_| number(1.0)).collect();
        let mut keys = Keys { of: vec![Key::NONE; 300], exact, ..Keys::default() };
        keys.rank(&Control::NONE).expect("not cancelled");
        let meet =
            |p: &Key, q: &Key| (0..3).all(|k| p.low[k] <= q.high[k] && q.low[k] <= p.high[k]);
        let mut met = 0;
        for (p, one) in keys.of.iter().zip(&keys.exact) {
            for (q, other) in keys.of.iter().zip(&keys.exact) {
                assert_eq!(meet(p, q), one.overlaps(other), "{one:?} {other:?}");
                met += usize::from(one.overlaps(other));
            }
        }
        assert!(met > 10_000 && met < 80_000, "{met}");
        for _ in 0..300 {
            let one = number(4.0);
            let key = keys.map.key(&one);
            let mut all = keys.of.iter().zip(&keys.exact);
            assert!(all.all(|(p, other)| meet(&key, p) || !one.overlaps(other)), "{one:?}");
        }
    }

    /// Runs of a whole number of stretches and of others, and sets of less than one.
    #[test]
    fn numbers_are_sorted_over_any_number_of_runs() {
        let mut random = Random::new(13);
        for length in [0, 1, STRETCH - 1, STRETCH, STRETCH + 1, 2 * STRETCH, 5 * STRETCH + 7] {
            let mut values: Vec<f64> = (0..length).map(|_| random.range(-1.0, 1.0)).collect();
            let mut expected = values.clone();
            expected.sort_by(f64::total_cmp);
            sort(&mut values, &Control::NONE).expect("not cancelled");
            assert!(values == expected, "{length}");
        }
    }

    /// Objects without a box do not move the map.
    #[test]
    fn the_map_is_that_of_the_boxes_that_there_are() {
        let mut random = Random::new(14);
        let mut number = || Point::from(random.vector(-3.0, 5.0));
        let boxes: Vec<Aabb> =
            (0..300).filter_map(|_| Aabb::fit_points([number(), number()].into_iter())).collect();
        let mut sparse = boxes.clone();
        (0..200).for_each(|i| sparse.insert(2 * i, Aabb::EMPTY));
        assert_eq!(Map::of(&sparse), Map::of(&boxes));
    }
}
