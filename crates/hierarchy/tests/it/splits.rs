//! Splits against a plain reading of what they promise, on triangles whose corners are whole numbers,
//! so that sums are exact and planes go through centroids and corners.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_hierarchy::build::fit::{Extent, Scope};
use impinge_hierarchy::build::set::set_of;
use impinge_hierarchy::build::split::{height, partition};
use impinge_hierarchy::build::{
    AxisBoxFit, Fit, Item, LeastVolume, Mean, Median, ObbRowsFit, Passes, Penalty, Split,
};
use impinge_models::Random;

/// Triangles of multiples of three, in a box of other proportions each time.
fn items(random: &mut Random) -> Vec<Item> {
    let n = 2 + random.below(30) as u32;
    let reach = [0, 0, 0].map(|_| [0.0, 2.0, 5.0, 40.0][random.below(4) as usize]);
    let corner = |random: &mut Random| {
        let p = reach.map(|r: f64| 3.0 * random.range(-r, r).round());
        Point::new(p[0] + 30.0, p[1] - 60.0, p[2])
    };
    let mut items: Vec<Item> = (0..n)
        .map(|index| {
            let p = corner(random);
            let q = if random.chance(0.2) { p } else { corner(random) };
            Item { corners: [p, q, corner(random)], index }
        })
        .collect();
    // Now and then the longest axis is one along which all centroids are at one height.
    if random.chance(0.2) {
        let (k, s) = (random.below(3) as usize, 3.0 * random.range(40.0, 80.0).round());
        for item in &mut items {
            (0..3).for_each(|i| item.corners[i][k] = 12.0 + [-s, s, 0.0][i]);
        }
    }
    random.shuffle(&mut items);
    items
}

/// The box of the items, on the axes in one of three orders.
fn extent(items: &[Item], random: &mut Random) -> Extent {
    let whole = Aabb::fit(items.iter().map(|item| item.corners)).expect("some");
    let own = Extent::from(&whole);
    let turn = random.below(3) as usize;
    let of = |k: usize| (k + turn) % 3;
    Extent {
        axes: [0, 1, 2].map(|k| own.axes[of(k)]),
        half: [0, 1, 2].map(|k| own.half[of(k)]),
        ..own
    }
}

/// Three times the centroid's height over the origin of the extent.
fn sum(item: &Item, extent: &Extent, axis: usize) -> f64 {
    item.corners.iter().map(|p| (p - extent.center).dot(&extent.axes[axis])).sum()
}

/// The axes, the longest first; of equal ones the first first.
fn longest_first(half: [f64; 3]) -> Vec<usize> {
    let mut axes = Vec::new();
    while axes.len() < 3 {
        let left = (0..3).filter(|k| !axes.contains(k));
        let best = left.reduce(|i, j| if half[j] > half[i] { j } else { i });
        axes.extend(best);
    }
    axes
}

fn indices(items: &[Item]) -> Vec<u32> {
    let mut indices: Vec<u32> = items.iter().map(|item| item.index).collect();
    indices.sort_unstable();
    indices
}

/// Those below the mean along an axis, if they are some and not all.
fn below_mean(items: &[Item], extent: &Extent, axis: usize) -> Option<Vec<u32>> {
    let total: f64 = items.iter().map(|item| sum(item, extent, axis)).sum();
    let below = |item: &&Item| sum(item, extent, axis) * (items.len() as f64) < total;
    let below: Vec<Item> = items.iter().filter(below).copied().collect();
    (!below.is_empty() && below.len() < items.len()).then(|| indices(&below))
}

/// What a split puts in front, after a check that it only orders.
fn front<S: Split, F: Fit>(split: S, items: &[Item], extent: &Extent, fit: &F) -> Vec<u32> {
    let mut ordered = items.to_vec();
    let count = split.split(&mut ordered, extent, fit, &Passes::default());
    assert_eq!(indices(&ordered), indices(items));
    assert!(count > 0 && count < items.len(), "{count} of {}", items.len());
    indices(&ordered[..count])
}

/// The means of whole numbers are rounded where the number of items does not divide the sum: those
/// cases are left out.
fn exact(items: &[Item], extent: &Extent) -> bool {
    (0..3).all(|axis| {
        let total: f64 = items.iter().map(|item| sum(item, extent, axis)).sum();
        (total / 3.0) % items.len() as f64 == 0.0
            || items.iter().all(|item| {
                let off = sum(item, extent, axis) * items.len() as f64 - total;
                off.abs() > 1e-6
            })
    })
}

#[test]
fn a_mean_divides_at_the_mean_along_the_longest_axis_that_can_be_divided() {
    let (mut first, mut other, mut halved) = (0, 0, 0);
    for index in 0..800 {
        let mut random = Random::stream(111, index);
        let items = items(&mut random);
        let extent = extent(&items, &mut random);
        if !exact(&items, &extent) {
            continue;
        }
        let axes = longest_first(extent.half);
        assert_eq!(extent.longest_first().to_vec(), axes);
        let found = front(Mean, &items, &extent, &AxisBoxFit);
        let parts: Vec<_> = axes.iter().map(|&k| below_mean(&items, &extent, k)).collect();
        if let Some(part) = parts.iter().flatten().next() {
            assert_eq!(found, *part, "{index}");
        } else {
            halved += 1;
            assert_eq!(found.len(), items.len() / 2, "{index}");
        }
        first += u32::from(parts[0].is_some());
        other += u32::from(parts[0].is_none() && parts.iter().any(Option::is_some));
    }
    assert!(first > 300 && other > 5 && halved > 5, "{first} {other} {halved}");
}

#[test]
fn a_median_puts_half_in_front_and_goes_by_index_where_heights_are_equal() {
    let mut ties = 0;
    for index in 0..400 {
        let mut random = Random::stream(112, index);
        let items = items(&mut random);
        let extent = extent(&items, &mut random);
        let axis = longest_first(extent.half)[0];
        let mut sorted = items.clone();
        let key = |item: &Item| sum(item, &extent, axis);
        sorted.sort_by(|s, t| key(s).total_cmp(&key(t)).then(s.index.cmp(&t.index)));
        let half = items.len() / 2;
        ties += u32::from(key(&sorted[half - 1]) == key(&sorted[half]));
        assert_eq!(front(Median, &items, &extent, &AxisBoxFit), indices(&sorted[..half]));
    }
    assert!(ties > 40, "{ties}");
}

#[test]
fn the_least_volume_is_taken_of_three_means() {
    let (mut chosen, mut halved) = ([0; 3], 0);
    for index in 0..600 {
        let mut random = Random::stream(113, index);
        let items = items(&mut random);
        let extent = extent(&items, &mut random);
        if !exact(&items, &extent) {
            continue;
        }
        let mut best: Option<(f64, usize, Vec<u32>)> = None;
        for (place, axis) in longest_first(extent.half).into_iter().enumerate() {
            let Some(low) = below_mean(&items, &extent, axis) else { continue };
            let volume = |inside: bool| {
                let part = items.iter().filter(|item| low.contains(&item.index) == inside);
                let Some(b) = Aabb::fit(part.map(|item| item.corners)) else { return 0.0 };
                let d = b.max - b.min;
                d.x * d.y * d.z
            };
            let sum = volume(true) + volume(false);
            if best.as_ref().is_none_or(|(least, ..)| sum < *least) {
                best = Some((sum, place, low));
            }
        }
        let found = front(LeastVolume, &items, &extent, &AxisBoxFit);
        if let Some((_, place, part)) = best {
            chosen[place] += 1;
            assert_eq!(found, part, "{index}");
        } else {
            halved += 1;
            assert_eq!(found.len(), items.len() / 2);
        }
    }
    assert!(chosen.iter().all(|n| *n > 20) && halved > 5, "{chosen:?} {halved}");
}

/// The number of triangles on both sides, and of those that cross, of a plane.
fn cost(items: &[Item], extent: &Extent, axis: usize, at: f64, lambda: f64) -> f64 {
    let (mut left, mut right, mut crossing) = (0.0f64, 0.0, 0.0);
    for item in items {
        let low = item.corners.iter().any(|p| (p - extent.center).dot(&extent.axes[axis]) < at);
        let high = item.corners.iter().any(|p| (p - extent.center).dot(&extent.axes[axis]) >= at);
        left += f64::from(u8::from(low));
        right += f64::from(u8::from(high));
        crossing += f64::from(u8::from(low && high));
    }
    (left - right).abs() + lambda * crossing
}

#[test]
fn a_penalty_takes_the_first_of_the_best_planes() {
    let (mut divided, mut median) = (0, 0);
    for index in 0..400 {
        let mut random = Random::stream(114, index);
        let items = items(&mut random);
        let extent = extent(&items, &mut random);
        for penalty in [
            Penalty::default(),
            Penalty { lambda: 0.25, planes: 3 },
            Penalty { lambda: 4.0, planes: 1 },
            Penalty { planes: u32::MAX, ..Penalty::default() },
        ] {
            if penalty.planes == u32::MAX && index >= 10 {
                continue;
            }
            let count = penalty.planes.min(1_024);
            let planes = (0..3).flat_map(|axis| {
                (1..=count).map(move |k| (axis, 2.0 * f64::from(k) / f64::from(count + 1) - 1.0))
            });
            let cost = |&(axis, share): &(usize, f64)| {
                cost(&items, &extent, axis, share * extent.half[axis], penalty.lambda)
            };
            let best = planes.reduce(|x, y| if cost(&y) < cost(&x) { y } else { x });
            let (axis, share) = best.expect("some planes");
            let at = share * extent.half[axis];
            let low = |item: &&Item| sum(item, &extent, axis) < 3.0 * at;
            let low: Vec<Item> = items.iter().filter(low).copied().collect();
            let found = front(penalty, &items, &extent, &AxisBoxFit);
            if !low.is_empty() && low.len() < items.len() {
                divided += 1;
                assert_eq!(found, indices(&low), "{index} {penalty:?}");
            } else {
                median += 1;
                assert_eq!(found, front(Median, &items, &extent, &AxisBoxFit));
            }
        }
    }
    assert!(divided > 500 && median > 20, "{divided} {median}");
    assert_eq!(Penalty::default(), Penalty { lambda: 1.0, planes: 15 });
}

#[test]
fn heights_are_those_of_centroids_and_parts_are_counted() {
    for index in 0..200 {
        let mut random = Random::stream(115, index);
        let items = items(&mut random);
        let (origin, along) = (Point::new(3.0, -6.0, 9.0), Vector::new(2.0, -1.0, 4.0));
        for item in &items {
            let each = item.corners.iter().map(|p| (p - origin).dot(&along)).sum::<f64>();
            assert_eq!(height(&item.corners, &origin, &along), each / 3.0);
        }
        let mut ordered = items.clone();
        let count = partition(&mut ordered, &Passes::default(), |item| item.index % 3 == 1);
        assert!(ordered[..count].iter().all(|item| item.index % 3 == 1));
        assert!(ordered[count..].iter().all(|item| item.index % 3 != 1));
        assert_eq!(indices(&ordered), indices(&items));
    }
}

/// The extents of boxes: halves, middle and volume.
#[test]
fn an_extent_is_that_of_its_box() {
    let low = Point::new(-4.0, 2.0, 100.0);
    let extent = Extent::from(&Aabb { min: low, max: Point::new(4.0, 8.0, 102.0) });
    assert_eq!((extent.half, extent.center), ([4.0, 3.0, 1.0], Point::new(0.0, 5.0, 101.0)));
    assert_eq!(extent.axes, [Vector::x(), Vector::y(), Vector::z()]);
    assert_eq!(extent.volume(), 8.0 * 6.0 * 2.0);
    let huge = Extent { half: [1e200; 3], ..extent };
    assert_eq!(huge.volume(), f64::INFINITY);
    // Of one triangle the box of the triangle, of several the fit.
    let corner = |x: f64, y: f64| Point::new(x, y, 0.5 * x);
    let item =
        |k: f64| Item { corners: [corner(k, 0.0), corner(k + 1.0, 0.0), corner(k, 1.0)], index: 0 };
    for items in [vec![item(0.0)], vec![item(0.0), item(7.0)]] {
        let wrapped = ObbRowsFit(impinge_geometry::volume::ObbFit::VertexCovariance);
        let wrapped = wrapped.wrap(&set_of(&items), &Scope::ROOT);
        for p in items.iter().flat_map(|item| item.corners) {
            for k in 0..3 {
                let along = (p - wrapped.extent.center).dot(&wrapped.extent.axes[k]).abs();
                assert!(along <= wrapped.extent.half[k] * (1.0 + 1e-12) + 1e-12);
            }
        }
        assert_eq!(wrapped.volume.half(), wrapped.extent.half);
    }
}
