//! Small soups that share one corner at coordinates that are large beside them: there a contact is
//! one point, and the coordinates' rounding is as large as what a volume test may tell apart. Every
//! method's list is that of the exact test on all pairs.

use impinge_geometry::triangle::Outcome;
use impinge_geometry::{Mesh, Point, Pose, Vector, exact};
use impinge_hierarchy::build::LeafPipeline;
use impinge_hierarchy::leaf::{ExactOnly, LeafTest, Sides};
use impinge_hierarchy::methods::{
    LeafParams, edge_nodes, kdop_of, leaf, leaf_block, leaf_with, obbtree,
};
use impinge_hierarchy::traverse::{Block, LeafPair, Priority, Tested, TipFirst, Watch};
use impinge_hierarchy::volume::Volume;
use impinge_hierarchy::{
    TreeEngine, aabb_obb, aabb_refit, kdop, reduced_axes, sphere, sphere_aabb, swept_sphere,
    three_layer,
};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Contact, Control, Counter, Detector, Verdict};
use std::ops::ControlFlow;

/// Soups for each place.
const SOUPS: u64 = 2_500;

/// Two soups, and how B lies.
struct Case {
    a: Mesh,
    b: Mesh,
    pose: Pose,
    truth: Vec<Contact>,
}

/// Up to four triangles about `corner`, some of which have it; some are segments or points.
fn soup(random: &mut Random, corner: Point, size: f64) -> Mesh {
    let mut vertices = Vec::new();
    for _ in 0..=random.below(4) {
        let [p, q] = [0, 1].map(|_| corner + random.vector(-size, size));
        let r = match random.below(4) {
            0 => p,
            1 => corner + random.vector(-size, size),
            _ => corner,
        };
        vertices.extend(if random.chance(0.3) { [p, p, r] } else { [p, q, r] });
    }
    let faces = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices, faces).expect("in range")
}

impl Case {
    /// Half of them as they are, half with B turned and moved there.
    fn new(about: f64, index: u64) -> Self {
        let mut random = Random::stream(14, index);
        let size = 1e-3 * random.range(0.05, 1.0);
        let corner = Point::from(Vector::repeat(about));
        let pose = match random.below(2) {
            0 => Pose::identity(),
            _ => random.pose(about),
        };
        let b = soup(&mut random, corner, size);
        let a = soup(&mut random, pose.apply(&corner), size);
        let posed = b.posed(&pose).expect("in range");
        let mut truth = Vec::new();
        for (s, p) in a.corners().enumerate() {
            for (t, q) in posed.corners().enumerate() {
                if exact::triangles_meet(&p, &q) {
                    truth.push(Contact { a: s as u32, b: t as u32 });
                }
            }
        }
        Self { a, b, pose, truth }
    }

    /// What a method says of them.
    fn ask(&self, detector: &dyn Detector, ask: &Ask) -> Answer {
        let prepare = |m| detector.prepare(m, &Control::NONE).expect("a mesh");
        let (a, b) = (prepare(&self.a), prepare(&self.b));
        let (mut memory, mut answer) = (detector.memory(), Answer::default());
        detector
            .query(&a, &b, &self.pose, &mut memory, ask, &Control::NONE, &mut answer)
            .expect("an answer");
        answer
    }
}

fn cases() -> impl Iterator<Item = (f64, u64, Case)> {
    let places = [1.5, 1e3, 1e7].into_iter();
    places.flat_map(|about| (0..SOUPS).map(move |i| (about, i, Case::new(about, i))))
}

fn lists_are_exact(detectors: &[&dyn Detector]) {
    let (mut all, mut hits) = (0, 0);
    for (about, index, case) in cases() {
        for detector in detectors {
            let name = detector.describe().word;
            let answer = case.ask(*detector, &Ask::all_contacts());
            assert_eq!(answer.contacts, case.truth, "{name} about {about}, soup {index}");
        }
        all += 1;
        hits += u32::from(!case.truth.is_empty());
    }
    assert!(hits * 4 > all && hits * 10 < all * 9, "{hits} of {all} meet");
}

#[test]
fn boxes_find_every_contact_at_a_shared_corner() {
    lists_are_exact(&[&obbtree(), &reduced_axes(), &aabb_refit(), &edge_nodes()]);
}

#[test]
fn hybrids_find_every_contact_at_a_shared_corner() {
    lists_are_exact(&[&sphere_aabb(), &aabb_obb(), &three_layer(), &leaf()]);
}

#[test]
fn other_volumes_find_every_contact_at_a_shared_corner() {
    lists_are_exact(&[&sphere(), &swept_sphere(), &kdop(), &kdop_of::<3>(), &kdop_of::<13>()]);
}

/// Exact tests, and no triangle of a block left out by its distance from A's node.
#[derive(Clone, Copy, Debug)]
struct WholeBlocks;

impl LeafTest for WholeBlocks {
    fn filter(self, _: &[Point; 3], _: &[Point; 3]) -> Outcome {
        Outcome::Undecided
    }

    fn leaves<V: Volume, C: Counter>(
        self,
        sides: &Sides<'_, V>,
        pair: LeafPair,
        _: bool,
        heard: (&mut C, &mut Watch<'_>),
        hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<(), Tested> {
        sides.each_pair(ExactOnly, LeafPair { near: None, ..pair }, heard, hit)
    }
}

/// The printed form may lose contacts by its step 8 alone. Its twin does the same steps with exact
/// tests of whole blocks: what one finds the other must find, contact by contact. That node pairs are
/// left out rightly is shown by the corrected form, which asks the same ones and loses nothing.
#[test]
fn the_printed_form_loses_no_contact_by_rounding() {
    let printed = leaf_block();
    let by_design = TreeEngine::new(
        printed.description,
        LeafPipeline { depth: 3 },
        TipFirst { priority: Priority::default(), block: Block::OnContact },
        WholeBlocks,
    );
    let mut lost = 0;
    for (about, index, case) in cases() {
        let (ours, twin) =
            (case.ask(&printed, &Ask::all_contacts()), case.ask(&by_design, &Ask::all_contacts()));
        assert_eq!(ours.contacts, twin.contacts, "about {about}, soup {index}");
        assert_eq!(ours.verdict == Verdict::Intersecting, !case.truth.is_empty(), "soup {index}");
        lost += case.truth.len() - ours.contacts.len();
    }
    assert!(lost > 0, "no soup has a contact beside a split plane");
}

/// The two meshes of the report: they share the corner (1.5, 1.5, 1.5), and an axis-aligned box of
/// A had its middle rounded away from it.
#[test]
fn a_corner_at_one_and_a_half_is_found() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let corner = p(1.5, 1.5, 1.5);
    let u = p(1.499_771_495_457_244_3, 1.499_872_374_660_903_3, 1.500_107_792_550_580_8);
    let v = p(1.500_156_852_674_356_5, 1.499_968_877_424_696_4, 1.499_984_705_982_408);
    let w = p(1.499_807_612_535_044, 1.499_831_315_104_616_5, 1.500_187_811_316_876);
    let x = p(1.500_072_645_853_949_5, 1.500_121_742_295_246_4, 1.499_840_323_322_883_9);
    let y = p(1.500_129_298_707_247_6, 1.500_079_355_872_902_4, 1.500_045_781_316_776);
    let two = |six: [Point; 6]| Mesh::new(six.into(), vec![[0, 1, 2], [3, 4, 5]]).expect("a mesh");
    let (a, b) = (two([u, u, v, v, v, corner]), two([w, x, x, x, corner, y]));
    let truth = vec![Contact { a: 1, b: 1 }];
    let case = Case { a, b, pose: Pose::identity(), truth };
    for depth in 0..4 {
        for block in [Block::OnContact, Block::Corrected, Block::Ignored] {
            let engine = leaf_with(LeafParams { depth, block, ..LeafParams::default() });
            let answer = case.ask(&engine, &Ask::all_contacts());
            assert_eq!(answer.contacts, case.truth, "depth {depth}, {block:?}");
        }
    }
}
