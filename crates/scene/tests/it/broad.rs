//! Every broad phase passes the battery.

use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Point, Vector};
use impinge_models::Random;
use impinge_query::{BroadPhase, Control, Objects};
use impinge_scene::broad::{
    BoxTree, EveryPair, Grid, OctreeScene, Regions, RegionsParams, Start, StartCell, Sweep,
};
use impinge_testkit::battery::pairs_of_boxes;

#[test]
fn every_pair() {
    pairs_of_boxes(&mut EveryPair::default()).expect("right");
}

#[test]
fn box_tree() {
    pairs_of_boxes(&mut BoxTree::default()).expect("right");
}

#[test]
fn grid() {
    pairs_of_boxes(&mut Grid::default()).expect("right");
}

#[test]
fn sweep() {
    pairs_of_boxes(&mut Sweep::default()).expect("right");
}

#[test]
fn regions() {
    for (split, again) in [([4, 4, 1], false), ([1, 1, 1], false), ([3, 2, 5], true)] {
        let params = RegionsParams { split, again, ..RegionsParams::default() };
        pairs_of_boxes(&mut Regions::new(params).expect("not too many")).expect("right");
    }
}

#[test]
fn octree_scene() {
    for start in [Start::Remembered, Start::Root] {
        pairs_of_boxes(&mut OctreeScene::new(start)).expect("right");
    }
}

fn boxes(n: usize, side: f64, seed: u64) -> Vec<Option<Aabb>> {
    let mut random = Random::new(seed);
    let one = |_| {
        let min = random.vector(0.0, side);
        let max = min + random.vector(0.75, 1.25);
        Some(Aabb { min: Point::from(min), max: Point::from(max) })
    };
    (0..n).map(one).collect()
}

/// The sorted pairs of a step.
fn step(phase: &mut dyn BroadPhase, boxes: &[Option<Aabb>]) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.update(&Objects::moving(boxes), &Control::NONE).expect("not cancelled");
    phase.pairs(&Control::NONE, &mut pairs).expect("not cancelled");
    pairs.sort_unstable();
    pairs
}

/// As many as promised, by two methods that share nothing.
#[test]
fn a_million_boxes() {
    let boxes = boxes(1 << 20, 146.0, 1);
    let pairs = step(&mut BoxTree::default(), &boxes);
    assert!(pairs.len() > 1 << 20, "{}", pairs.len());
    assert!(pairs == step(&mut Grid::default(), &boxes));
}

/// One box over all others, one far away, and one of each magnitude: the pairs are right, and found
/// in a time that quadratic work would exceed.
#[test]
fn outliers() {
    let mut boxes = boxes(30_000, 45.0, 2);
    for k in 0..40 {
        let reach = 10f64.powi(7 * k - 140);
        let (min, max) = (Point::from(Vector::repeat(-reach)), Point::from(Vector::repeat(reach)));
        boxes.push(Some(Aabb { min, max }));
    }
    let far = Point::new(1e300, -1e300, 1e200);
    boxes.push(Some(Aabb { min: far, max: far }));
    let pairs = step(&mut BoxTree::default(), &boxes);
    // 19 boxes hold all, and each of the 40 holds the smaller ones.
    assert!(pairs.len() > 19 * 30_000 + 40 * 39 / 2, "{}", pairs.len());
    assert!(pairs == step(&mut Grid::default(), &boxes), "grid");
    assert!(pairs == step(&mut Regions::default(), &boxes), "regions");
}

/// Everything jumps at once: the lists are made anew rather than sorted by insertion.
#[test]
fn sweep_of_jumping_boxes() {
    let mut phase = Sweep::default();
    for seed in 0..6 {
        let boxes = boxes(3_000, 21.0, seed % 3);
        assert!(step(&mut phase, &boxes) == step(&mut EveryPair::default(), &boxes), "{seed}");
    }
}

/// Two movers and one fixed object in the first of two regions, one mover in both.
#[test]
fn pair_tests_of_regions_are_counted() {
    let at = |x: f64, length: f64| {
        let max = Point::new(x + length, 1.0, 1.0);
        Some(Aabb { min: Point::new(x, 0.0, 0.0), max })
    };
    let boxes = [at(0.0, 1.0), at(2.0, 1.0), at(0.5, 0.2), at(4.0, 2.0), at(9.0, 1.0)];
    let fixed = [false, false, true, false, true];
    for again in [false, true] {
        let params = RegionsParams { split: [2, 1, 1], again, ..RegionsParams::default() };
        let mut phase = Regions::new(params).expect("two");
        let mut pairs = Vec::new();
        phase.update(&Objects { boxes: &boxes, fixed: &fixed }, &Control::NONE).expect("done");
        phase.pairs(&Control::NONE, &mut pairs).expect("done");
        assert_eq!(pairs, [[0, 2]]);
        let counts = phase.counts();
        assert_eq!(counts.objects, [3, 2]);
        assert_eq!(counts.registered, [4, 2]);
        assert_eq!(counts.undivided, 3 * 4);
        assert_eq!(counts.ordered, 3 * 3 + 1);
        assert_eq!(counts.unordered, (3 + 3) + 1);
        assert_eq!(counts.distinct, 7);
        assert_eq!(counts.tested, 7);
    }
    // Two movers in both regions are tested twice by the form as printed.
    let boxes = [at(0.0, 10.0), at(2.0, 6.0)];
    for (again, tested) in [(false, 1), (true, 2)] {
        let params = RegionsParams { split: [2, 1, 1], again, ..RegionsParams::default() };
        let mut phase = Regions::new(params).expect("two");
        assert_eq!(step(&mut phase, &boxes), [[0, 1]]);
        let counts = phase.counts();
        assert_eq!((counts.ordered, counts.unordered), (4, 2));
        assert_eq!((counts.distinct, counts.tested), (1, tested));
    }
    for split in [[0, 1, 1], [65, 64, 1]] {
        assert!(Regions::new(RegionsParams { split, ..RegionsParams::default() }).is_err());
    }
}

/// A remembered cell saves most of the way, and changes nothing but that.
#[test]
fn remembered_cells_save_searches() {
    let mut random = Random::new(3);
    let mut boxes = boxes(3_000, 21.0, 4);
    let mut fixed = vec![true; boxes.len()];
    fixed[..30].fill(false);
    let mut phases = [Start::Remembered, Start::Root].map(OctreeScene::new);
    let mut searched = [0, 0];
    for _ in 0..20 {
        for one in boxes[..30].iter_mut().flatten() {
            let drift = random.in_ball() * 0.02;
            (one.min, one.max) = (one.min + drift, one.max + drift);
        }
        let objects = Objects { boxes: &boxes, fixed: &fixed };
        let found = phases.each_mut().map(|phase| {
            let mut pairs = Vec::new();
            phase.update(&objects, &Control::NONE).expect("done");
            phase.pairs(&Control::NONE, &mut pairs).expect("done");
            pairs
        });
        assert!(!found[0].is_empty() && found[0] == found[1]);
        let counts = phases.each_ref().map(OctreeScene::counts);
        assert_eq!(counts[0].visited, counts[1].visited);
        assert_eq!(counts[0].tested, counts[1].tested);
        searched = [0, 1].map(|k| searched[k] + counts[k].searched);
    }
    assert!(searched[0] < searched[1], "{searched:?}");
}

/// Of some boxes that all touch the middle, each is listed once and searched for once in the only leaf;
/// dividing it is tried once, with each.
#[test]
fn all_work_of_a_step_is_counted() {
    let mut phase = OctreeScene::default();
    for (n, tried) in [(10, 0), (20, 20)] {
        let one = |i: usize| {
            let reach = Vector::repeat(1.0 + i as f64);
            Some(Aabb { min: Point::from(-reach), max: Point::from(reach) })
        };
        let boxes: Vec<_> = (0..n as usize).map(one).collect();
        phase.clear();
        for first in [true, false] {
            assert_eq!(step(&mut phase, &boxes).len() as u64, n * (n - 1) / 2);
            let counts = phase.counts();
            assert_eq!(counts.searched, n);
            assert_eq!(counts.visited, 2 * n + if first { tried } else { 0 });
            assert_eq!(counts.tested, n * (n - 1) / 2);
        }
    }
}

/// One object wanders and jumps through a scene that is renewed once: each search finds what the
/// linear scan finds, and the remembered cell saves looks at cells.
#[test]
fn searches_for_one_object_remember_its_cell() {
    let mut phases = [Start::Remembered, Start::Root].map(OctreeScene::new);
    let (mut linear, mut starts) = (EveryPair::default(), [StartCell::default(); 2]);
    let (mut random, mut hits, mut jumps) = (Random::new(8), 0, 0);
    for (side, number) in [(21.0, 3_000), (9.0, 200)] {
        let boxes = boxes(number, side, 4);
        let objects = Objects { boxes: &boxes, fixed: &vec![true; boxes.len()] };
        for phase in &mut phases {
            phase.update(&objects, &Control::NONE).expect("done");
        }
        linear.update(&objects, &Control::NONE).expect("done");
        let before = phases.each_ref().map(|phase| phase.counts().searched);
        let mut centre = Point::from(random.vector(0.0, side));
        for _ in 0..500 {
            if random.chance(0.02) {
                centre = Point::from(random.vector(-1.0, side + 1.0));
                jumps += 1;
            }
            centre += random.in_ball() * 0.02;
            let reach = Vector::repeat(0.3);
            let one = Aabb { min: centre - reach, max: centre + reach };
            let mut found = [vec![], vec![]];
            for ((phase, start), found) in phases.iter_mut().zip(&mut starts).zip(&mut found) {
                phase.search(&one, start, found);
                found.sort_unstable();
            }
            let mut truth = Vec::new();
            linear.overlapping(&one, &mut truth);
            assert!(found == [truth.clone(), truth.clone()]);
            hits += truth.len();
        }
        let after = phases.each_ref().map(OctreeScene::counts);
        assert_eq!(after[0].tested, after[1].tested);
        let looks = [0, 1].map(|k| after[k].searched - before[k]);
        assert!(2 * looks[0] < looks[1] || number < 1_000, "{looks:?}");
    }
    assert!(hits > 300 && jumps > 5, "{hits} hits, {jumps} jumps");
}

/// The paper's three axes call boxes hits that fifteen axes separate.
#[test]
fn three_axes_have_false_hits() {
    let mut random = Random::new(5);
    let rod = [-1.0, 1.0].into_iter().flat_map(|x| {
        [-0.05, 0.05].into_iter().flat_map(move |y| [-0.05, 0.05].map(|z| Point::new(x, y, z)))
    });
    let rod: Vec<Point> = rod.collect();
    let (mut boxes, mut oriented) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        let at = random.vector(0.0, 8.0);
        let pose = random.turned_to(at);
        let corners: Vec<Point> = rod.iter().map(|p| pose.apply(p)).collect();
        boxes.push(Aabb::fit_points(corners.iter().copied()));
        oriented.push(Obb::from_frame(pose.rotation(), corners.iter().copied()));
    }
    let mut phase = OctreeScene::default();
    let candidates = step(&mut phase, &boxes);
    let hits = phase.oriented(&oriented, &Control::NONE).expect("done");
    // The three axes of the world are those of the axis-aligned boxes, but for their rounding.
    assert!(hits.on_three >= candidates.len() as u64);
    assert_eq!(hits.on_three, hits.false_hits + hits.pairs.len() as u64);
    assert!(hits.pairs.len() > 20 && hits.false_hits > 100, "{hits:?}");
    let truth = candidates.iter().filter(|pair| {
        let [a, b] = pair.map(|i| oriented[i as usize].as_ref().expect("there"));
        a.overlaps(b)
    });
    let mut found = hits.pairs;
    found.sort_unstable();
    assert!(found.iter().eq(truth));
}
