//! How much work each method does: numbers of tests for every question over a few seeded scenes, and
//! fingerprints of trees. They are the same on every machine. A choice that only costs time (which
//! node is opened, where a search begins, how tight a bound is) shows here and nowhere else.
//!
//! Where a change of method is meant, the message of the failed test has the new line.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Pose, Vector};
use impinge_hierarchy::build::fit::Layers;
use impinge_hierarchy::build::{
    AxisBoxFit, BallFit, Builder, DopFit, HybridFit, LeafPipeline, LeastVolume, Mean, Median,
    ObbRowsFit, Penalty, ReducedFit, SweptFit, TopDown,
};
use impinge_hierarchy::leaf::SeventeenAxes;
use impinge_hierarchy::methods::{edge_nodes, kdop_of, leaf, leaf_block, obbtree};
use impinge_hierarchy::traverse::{Front, LevelQueue, Priority, Restart, Simultaneous, Traversal};
use impinge_hierarchy::tree::Child;
use impinge_hierarchy::volume::Volume;
use impinge_hierarchy::{
    TreeEngine, aabb_obb, aabb_refit, gjk, kdop, reduced_axes, sphere, sphere_aabb, swept_sphere,
    three_layer,
};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Detector, Question};

/// Volume tests, pairs of triangles, exact tests and updated volumes.
type Work = [u64; 4];

/// Poses of B near A, about half of them in contact, each a small step from the last.
fn poses() -> Vec<Pose> {
    let mut random = Random::new(91);
    let (from, turn) = (random.unit_vector(), random.turned_to(Vector::zeros()));
    (0..8)
        .map(|k| Pose::new(*turn.rotation(), from * (1.5 - 0.14 * f64::from(k))).expect("finite"))
        .collect()
}

/// The work of a detector over all poses with one memory, for each of six questions.
fn work(detector: &dyn Detector, a: &Mesh, b: &Mesh) -> [Work; 6] {
    let questions = [
        Ask::first_contact(),
        Ask::all_contacts(),
        Ask::distance(),
        Ask::new(Question::NearerThan(0.1)),
        Ask::new(Question::NearerThan(0.4)),
        Ask::first_contact().solids(),
    ];
    let [a, b] = [a, b].map(|m| detector.prepare(m, &Control::NONE).expect("a mesh"));
    questions.map(|ask| {
        let (mut memory, mut sum) = (detector.memory(), [0; 4]);
        for pose in poses() {
            let (mut answer, ask) = (Answer::default(), ask.counted());
            detector
                .query(&a, &b, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
            let done = answer.statistics.expect("counted");
            let each =
                [done.volume_tests, done.primitive_tests, done.exact_tests, done.volumes_updated];
            for (sum, each) in sum.iter_mut().zip(each) {
                *sum += each;
            }
        }
        sum
    })
}

/// Compares all lines at once, so that one run tells all that have changed.
fn compare<T: PartialEq + std::fmt::Debug>(lines: &[(&str, T, T)]) {
    let changed: Vec<String> = (lines.iter())
        .filter(|(_, found, expected)| found != expected)
        .map(|(name, found, expected)| format!("{name}: {found:?}, not {expected:?}"))
        .collect();
    assert!(changed.is_empty(), "\n{}", changed.join("\n"));
}

fn scene() -> (Mesh, Mesh) {
    (Shape::Torus.mesh(400, 0), Shape::Gear.mesh(300, 0))
}

// long: a table, one row for each.
#[test]
fn methods_do_as_much_work_as_they_did() {
    let (a, b) = scene();
    let of = |detector: &dyn Detector| work(detector, &a, &b);
    compare(&[
        (
            "obbtree",
            of(&obbtree()),
            [
                [146, 4, 0, 0],
                [2062, 163, 0, 0],
                [5274, 635, 0, 0],
                [812, 51, 0, 0],
                [276, 7, 0, 0],
                [386, 27, 0, 0],
            ],
        ),
        (
            "reduced-axes",
            of(&reduced_axes()),
            [
                [117, 4, 0, 0],
                [1760, 143, 0, 0],
                [4269, 640, 0, 0],
                [597, 41, 0, 0],
                [293, 7, 0, 0],
                [581, 26, 0, 0],
            ],
        ),
        (
            "aabb-refit",
            of(&aabb_refit()),
            [
                [266, 15, 0, 0],
                [3212, 415, 0, 0],
                [8206, 1498, 0, 0],
                [1576, 222, 0, 0],
                [642, 18, 0, 0],
                [440, 33, 0, 0],
            ],
        ),
        (
            "edge-nodes",
            of(&edge_nodes()),
            [
                [697, 52, 0, 0],
                [3800, 387, 0, 0],
                [9245, 1097, 0, 0],
                [2157, 204, 0, 0],
                [1260, 55, 0, 0],
                [815, 104, 0, 0],
            ],
        ),
        (
            "sphere",
            of(&sphere()),
            [
                [542, 71, 0, 0],
                [6060, 1329, 0, 0],
                [10_984, 3106, 0, 0],
                [2446, 528, 0, 0],
                [1148, 177, 0, 0],
                [946, 114, 0, 0],
            ],
        ),
        (
            "swept-sphere",
            of(&swept_sphere()),
            [
                [214, 2, 0, 0],
                [2812, 172, 0, 0],
                [5026, 534, 0, 0],
                [1038, 53, 0, 0],
                [456, 5, 0, 0],
                [608, 26, 0, 0],
            ],
        ),
        (
            "6-dop",
            of(&kdop_of::<3>()),
            [
                [578, 33, 0, 448],
                [5824, 930, 0, 4173],
                [15_922, 3207, 0, 15_792],
                [2944, 504, 0, 2814],
                [1780, 78, 0, 1650],
                [752, 51, 0, 448],
            ],
        ),
        (
            "14-dop",
            of(&kdop_of::<7>()),
            [
                [226, 17, 0, 173],
                [2532, 339, 0, 1827],
                [9354, 1911, 0, 9301],
                [1264, 215, 0, 1211],
                [850, 80, 0, 797],
                [400, 35, 0, 173],
            ],
        ),
        (
            "kdop",
            of(&kdop()),
            [
                [128, 14, 0, 95],
                [2180, 260, 0, 1567],
                [5074, 911, 0, 5041],
                [826, 104, 0, 793],
                [344, 21, 0, 311],
                [302, 32, 0, 95],
            ],
        ),
        (
            "26-dop",
            of(&kdop_of::<13>()),
            [
                [118, 12, 0, 88],
                [1642, 201, 0, 1181],
                [4194, 768, 0, 4164],
                [640, 79, 0, 610],
                [224, 15, 0, 194],
                [292, 30, 0, 88],
            ],
        ),
        (
            "sphere-aabb",
            of(&sphere_aabb()),
            [
                [270, 15, 0, 201],
                [3216, 415, 0, 2274],
                [8210, 1498, 0, 8141],
                [1582, 222, 0, 1513],
                [646, 18, 0, 577],
                [456, 33, 0, 201],
            ],
        ),
        (
            "aabb-obb",
            of(&aabb_obb()),
            [
                [224, 3, 0, 8],
                [2996, 161, 0, 8],
                [8900, 739, 0, 14],
                [1510, 85, 0, 14],
                [916, 6, 0, 14],
                [454, 23, 0, 8],
            ],
        ),
        (
            "three-layer",
            of(&three_layer()),
            [
                [240, 3, 0, 8],
                [3012, 161, 0, 8],
                [8952, 739, 0, 14],
                [1538, 85, 0, 14],
                [942, 6, 0, 14],
                [606, 27, 0, 8],
            ],
        ),
        (
            "leaf",
            of(&leaf()),
            [
                [382, 19, 0, 64],
                [4071, 404, 0, 64],
                [10_131, 1116, 0, 202],
                [2062, 187, 0, 126],
                [1135, 28, 0, 146],
                [510, 122, 0, 64],
            ],
        ),
        (
            "leaf-block",
            of(&leaf_block()),
            [
                [382, 19, 0, 64],
                [2748, 220, 0, 64],
                [10_131, 1116, 0, 202],
                [2062, 187, 0, 126],
                [1135, 28, 0, 146],
                [510, 122, 0, 64],
            ],
        ),
    ]);
}

#[test]
fn convex_bodies_take_as_much_work_as_they_did() {
    let (a, b) = (Shape::Hull.mesh(60, 1), Shape::Sphere.mesh(80, 0));
    compare(&[(
        "gjk",
        work(&gjk(), &a, &b),
        [
            [152, 4, 0, 0],
            [1946, 184, 0, 0],
            [175, 191, 0, 0],
            [162, 5, 0, 0],
            [156, 7, 0, 0],
            [152, 4, 0, 0],
        ],
    )]);
}

// long: a table, one row for each.
#[test]
fn traversals_do_as_much_work_as_they_did() {
    fn of<T: Traversal>(traversal: T) -> [Work; 6] {
        let builder = TopDown::new(AxisBoxFit, Mean);
        let (a, b) = scene();
        work(&TreeEngine::new(obbtree().description, builder, traversal, SeventeenAxes), &a, &b)
    }
    compare(&[
        (
            "front",
            of(Front),
            [
                [399, 15, 0, 0],
                [2889, 415, 0, 0],
                [8339, 1498, 0, 0],
                [1709, 222, 0, 0],
                [775, 18, 0, 0],
                [573, 33, 0, 0],
            ],
        ),
        (
            "queue",
            of(LevelQueue),
            [
                [2660, 12, 0, 0],
                [3212, 415, 0, 0],
                [10_600, 1495, 0, 0],
                [3970, 219, 0, 0],
                [3036, 15, 0, 0],
                [2834, 30, 0, 0],
            ],
        ),
        (
            "priority",
            of(Priority::default()),
            [
                [1812, 23, 0, 0],
                [3212, 415, 0, 0],
                [9752, 1506, 0, 0],
                [3122, 230, 0, 0],
                [2188, 26, 0, 0],
                [1986, 41, 0, 0],
            ],
        ),
        (
            "restart",
            of(Restart),
            [
                [149, 3, 0, 0],
                [3212, 415, 0, 0],
                [8089, 1486, 0, 0],
                [1459, 210, 0, 0],
                [525, 6, 0, 0],
                [323, 21, 0, 0],
            ],
        ),
        (
            "simultaneous",
            of(Simultaneous),
            [
                [282, 16, 0, 0],
                [2888, 415, 0, 0],
                [8222, 1499, 0, 0],
                [1592, 223, 0, 0],
                [658, 19, 0, 0],
                [456, 34, 0, 0],
            ],
        ),
    ]);
}

/// A fingerprint of all links, sizes and middles of a tree (FNV-1a).
fn fingerprint<B: Builder>(builder: &B, mesh: &Mesh) -> u64 {
    let tree = builder.build(mesh, &Control::NONE).expect("nothing cancels");
    tree.validate(mesh).expect("whole");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x0100_0000_01b3);
    for node in tree.nodes() {
        match node.child() {
            Child::Pair(first) => take(u64::from(first)),
            Child::Leaf(leaf) => {
                for &t in tree.leaf(leaf).as_slice() {
                    take(u64::from(t) + (1 << 40) + (u64::from(tree.levels(t)) << 48));
                }
            }
        }
        // Rounded, so that the last bits of a machine's own functions do not show.
        take(((node.volume.size() as f32).to_bits() >> 4).into());
    }
    hash
}

fn of<B: Builder>(builder: &B, meshes: [&Mesh; 3]) -> [u64; 3] {
    meshes.map(|mesh| fingerprint(builder, mesh))
}

// long: a table, one row for each.
#[test]
fn trees_are_what_they_were() {
    let (torus, teapot, blade) =
        (Shape::Torus.mesh(400, 0), Shape::Teapot.mesh(600, 0), Shape::Leaf.mesh(220, 1));
    let all = [&torus, &teapot, &blade];
    let obb = ObbRowsFit(ObbFit::AreaWeighted);
    let hybrid = |layers| HybridFit { layers, share: 0.5, fit: ObbFit::AreaCentroid };
    let buffer = Layers::SphereBufferObb { below: 0.0625 };
    compare(&[
        (
            "mean",
            of(&TopDown::new(obb, Mean), all),
            [6_462_695_802_183_268_906, 17_522_847_424_579_270_743, 8_805_016_437_996_475_631],
        ),
        (
            "median",
            of(&TopDown::new(obb, Median), all),
            [1_350_021_739_308_498_066, 4_195_454_172_151_326_364, 4_320_416_776_757_751_294],
        ),
        (
            "penalty",
            of(&TopDown::new(obb, Penalty::default()), all),
            [9_713_870_905_447_043_538, 5_547_339_300_347_344_854, 15_783_889_651_395_292_873],
        ),
        (
            "least volume",
            of(&TopDown::new(ReducedFit(ObbFit::AreaWeighted), LeastVolume), all),
            [10_296_876_359_256_556_178, 15_585_044_654_293_051_867, 16_282_548_517_367_089_679],
        ),
        (
            "boxes",
            of(&TopDown::new(AxisBoxFit, Mean), all),
            [7_099_759_932_962_353_282, 1_209_837_632_842_205_596, 12_145_309_699_703_106_664],
        ),
        (
            "balls",
            of(&TopDown::new(BallFit, Mean), all),
            [6_603_254_708_546_052_690, 1_242_326_421_333_380_967, 1_571_294_206_890_224_958],
        ),
        (
            "dops",
            of(&TopDown::new(DopFit::<9>, Mean), all),
            [7_099_759_932_962_353_282, 1_209_837_632_842_205_596, 12_145_309_699_703_106_664],
        ),
        (
            "swept",
            of(&TopDown::new(SweptFit(ObbFit::AreaWeighted), Mean), all),
            [9_644_548_726_499_459_896, 1_250_212_824_659_103_298, 10_033_086_477_290_957_704],
        ),
        (
            "spheres, boxes",
            of(&TopDown::new(hybrid(Layers::SphereAabb), Mean), all),
            [4_831_410_260_760_099_890, 2_889_456_928_748_697_647, 4_642_513_222_984_799_687],
        ),
        (
            "boxes, oriented",
            of(&TopDown::new(hybrid(Layers::AabbObb), Mean), all),
            [12_341_334_926_317_656_118, 17_103_601_444_583_311_355, 10_055_981_386_779_836_260],
        ),
        (
            "three layers",
            of(&TopDown::new(hybrid(buffer), Mean), all),
            [3_806_596_045_189_228_070, 15_317_785_978_025_504_216, 4_571_420_553_904_071_555],
        ),
        (
            "leaf",
            of(&LeafPipeline { depth: 3 }, all),
            [11_940_624_532_343_291_852, 6_460_280_849_789_176_440, 16_991_096_915_178_988_440],
        ),
        (
            "deep leaf",
            of(&LeafPipeline { depth: 9 }, all),
            [14_440_829_442_122_931_660, 8_355_199_615_074_105_662, 8_340_259_685_318_329_117],
        ),
    ]);
}

/// Many volumes of bodies near each other overlap. Where those with the nearer centres come first, a short distance
/// is found early and prunes the others; in the order of their places 1.7 times as many are tested.
#[test]
fn distances_of_bodies_near_each_other_take_few_tests() {
    let mesh = Shape::Hand.mesh(20_000, 0);
    let (detector, mut random): (&dyn Detector, _) = (&obbtree(), Random::new(97));
    let model = detector.prepare(&mesh, &Control::NONE).expect("a mesh");
    let (mut memory, mut answer, ask) =
        (detector.memory(), Answer::default(), Ask::distance().counted());
    let mut tests = 0;
    for _ in 0..8 {
        let (way, gap) = (random.unit_vector(), 1e-3 * mesh.diagonal());
        let turn = *random.turned_to(Vector::zeros()).rotation();
        let (mut far, mut distance) = (2.0 * mesh.diagonal(), f64::INFINITY);
        while distance > 1.5 * gap {
            let pose = Pose::new(turn, way * far).expect("finite");
            detector
                .query(&model, &model, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
            distance = answer.nearest.as_ref().map_or(0.0, |nearest| nearest.distance);
            far -= distance - gap;
        }
        tests += answer.statistics.as_ref().map_or(0, |done| done.volume_tests);
    }
    assert!((1..17_000).contains(&tests), "{tests}");
}
