//! The worst that can be built against the pad of volume tests: tiny volumes that touch in one posed
//! vertex, far from the origin of both meshes. There the volumes' own slack vanishes and the pad
//! alone must hold what posing rounds. A search by small steps finds how much of it is needed.

use std::ops::Range;
use std::sync::OnceLock;

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Point, Pose, Vector};
use impinge_hierarchy::Placement;
use impinge_hierarchy::build::fit::{Fit, Layers, Scope};
use impinge_hierarchy::build::set::set_of;
use impinge_hierarchy::build::{
    AxisBoxFit, BallFit, DopFit, HybridFit, Item, ObbRowsFit, ReducedFit, SweptFit,
};
use impinge_hierarchy::placement::SLACK;
use impinge_hierarchy::volume::Volume;
use impinge_models::Random;

/// Unit of rounding.
const U: f64 = f64::EPSILON / 2.0;

/// What the pad of boxes, balls and swept rectangles is proved to need, in units of rounding of the
/// query's scale: `docs/methods/obbtree.md`, "Error bound".
const NEED: f64 = 8.0;
/// What is left of it where volumes are not made of rounded middles: 7, and a quarter of that.
const QUARTER: f64 = 1.75;
/// The need of k-DOPs, `docs/methods/kdop.md`.
const NEED_OF_DOPS: f64 = 24.0;

/// A case by its numbers, each in −1 … 1: a quaternion, a vertex of B, a translation, a direction,
/// the shares of vertex and translation, and the size of the volumes.
#[derive(Clone)]
struct Numbers([f64; 16]);

impl Numbers {
    fn new(random: &mut Random) -> Self {
        Self(std::array::from_fn(|_| random.range(-1.0, 1.0)))
    }

    /// One of them changed by at most a power of ten in this range.
    fn stepped(&self, random: &mut Random, powers: Range<f64>) -> Self {
        let mut other = self.clone();
        let by = 10f64.powf(random.range(powers.start, powers.end));
        let one = &mut other.0[random.below(16) as usize];
        *one = (*one + by * random.range(-1.0, 1.0)).clamp(-1.0, 1.0);
        other
    }

    /// One of them changed by much or by little, mostly by the least.
    fn changed(&self, random: &mut Random) -> Self {
        let least = random.chance(0.7);
        self.stepped(random, -17.0..if least { -14.0 } else { 0.0 })
    }

    fn vector(&self, at: usize) -> Vector {
        Vector::new(self.0[at], self.0[at + 1], self.0[at + 2])
    }
}

#[derive(Clone)]
/// A segment of each mesh that ends at a common posed vertex; they run in opposite directions.
struct Touching {
    a: [Point; 3],
    b: [Point; 3],
    pose: Pose,
}

impl Touching {
    fn new(numbers: &Numbers) -> Option<Self> {
        let q = nalgebra::Vector4::from_iterator(numbers.0[..4].iter().copied());
        let turn = Pose::from_quaternion([0.0; 3], q.try_normalize(1e-3)?.into()).ok()?;
        let [near, far, home] = [13, 14, 15].map(|k| numbers.0[k]);
        let v = Point::from(numbers.vector(4) * near);
        // Anywhere, or so that the vertex is at A's origin.
        let back = turn.rotation() * v.coords;
        let t = if home < 0.0 { -back } else { numbers.vector(7) * far };
        let pose = Pose::new(*turn.rotation(), t).ok()?;
        let w = pose.apply(&v);
        let n = numbers.vector(10).try_normalize(1e-3)? * 1e-7;
        let (p, q) = (w + n, v - turn.rotation().transpose() * n);
        Some(Self { a: [w, p, p], b: [v, q, q], pose })
    }

    fn scale(&self) -> f64 {
        max_abs(&self.a) + 2.0 * max_abs(&self.b) + self.pose.translation().amax()
    }
}

fn max_abs(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |m: f64, p| m.max(p.coords.amax()))
}

/// The volume of one triangle; `small` says that it is a small part of a tree.
fn wrap<F: Fit>(fit: &F, corners: [Point; 3], small: bool) -> F::Volume {
    let mut scope = Scope { depth: u32::from(small), ..Scope::ROOT };
    if small {
        scope.root.half = [1e3; 3];
    }
    fit.wrap(&set_of(&[Item { corners, index: 0 }]), &scope).volume
}

/// How large a pad must be for the volumes to be taken as touching, by overlap and by distance, in
/// units of rounding of the query's scale.
fn needed<F: Fit>(fit: &F, small: [bool; 2], t: &Touching) -> f64 {
    let (a, b) = (wrap(fit, t.a, small[0]), wrap(fit, t.b, small[1]));
    let mut placement = Placement::new(&t.pose, max_abs(&t.a), max_abs(&t.b));
    let unit = U * t.scale();
    let mut apart = |pad: f64| {
        placement.pad = pad * unit;
        let frame = <F::Volume as Volume>::frame(&placement);
        let placed = b.place(&frame);
        !a.meets(&placed, &frame) || a.gap(&placed, &frame, f64::INFINITY) > 0.0
    };
    let (mut enough, mut few) = (64.0, 0.0);
    if !apart(few) {
        return 0.0;
    }
    for _ in 0..16 {
        let middle = 0.5 * (enough + few);
        if apart(middle) {
            few = middle;
        } else {
            enough = middle;
        }
    }
    enough
}

impl Touching {
    /// By how much posing pulls the ends of B's segment and its middle apart along it, in units of
    /// rounding of the scale: a measure of how bad a case is that takes no volumes.
    fn pulled(&self) -> f64 {
        let [v, q, _] = self.b;
        let middle = Point::from(v.coords * 0.5 + q.coords * 0.5);
        let exact = self.pose.rotation() * (v - middle);
        let along = exact / exact.norm();
        ((self.pose.apply(&v) - self.pose.apply(&middle)) - exact).dot(&along).abs()
            / (U * self.scale())
    }
}

/// The worst cases by a measure, each by small steps from a start.
fn climbed(
    starts: impl Iterator<Item = Numbers>,
    steps: u32,
    measure: impl Fn(&Touching) -> f64,
) -> Vec<(f64, Numbers)> {
    let climb = |(mut at, seed): (Numbers, u64)| {
        let (mut random, mut best) = (Random::stream(31, seed), -1.0);
        for _ in 0..steps {
            let next = at.changed(&mut random);
            if let Some(touching) = Touching::new(&next) {
                let measured = measure(&touching);
                if measured >= best {
                    (at, best) = (next, measured);
                }
            }
        }
        (best, at)
    };
    let mut found: Vec<(f64, Numbers)> = starts.zip(0..).map(climb).collect();
    found.sort_by(|x, y| y.0.total_cmp(&x.0));
    found
}

/// Cases in which posing is as bad as it was found to be, the worst first.
fn worst_posed() -> &'static [(f64, Numbers)] {
    static FOUND: OnceLock<Vec<(f64, Numbers)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let starts = (0..24).map(|start| Numbers::new(&mut Random::stream(30, start)));
        climbed(starts, 20_000, Touching::pulled)
    })
}

/// The largest need of a fit that is found from the worst cases of posing.
fn worst<F: Fit>(fit: &F, small: [bool; 2]) -> f64 {
    let starts = worst_posed().iter().take(4).map(|(_, numbers)| numbers.clone());
    climbed(starts, 1500, |touching| needed(fit, small, touching))[0].0
}

/// The pad covers what is proved, that covers what is found, and a quarter of it would not.
fn holds(what: &str, found: f64, proved: f64, quarter: f64) {
    println!("{what}: {found:.2} u found, {proved} u proved, {} u granted", SLACK / U);
    assert!(found <= proved, "{what}: {found} u needed, {proved} u proved");
    assert!(proved * U <= SLACK, "{what}: {proved} u proved, {} u granted", SLACK / U);
    assert!(found > quarter, "{what}: only {found} u of {proved} u are found to be needed");
}

fn posing<F: Fit>(what: &str, fit: &F, small: [bool; 2]) {
    holds(&format!("{what}, {small:?}"), worst(fit, small), NEED, QUARTER);
}

#[test]
fn boxes_need_their_pad() {
    posing("obb", &ObbRowsFit(ObbFit::AreaWeighted), [true; 2]);
    posing("five axes", &ReducedFit(ObbFit::AreaWeighted), [true; 2]);
    posing("aabb", &AxisBoxFit, [true; 2]);
    posing("swept", &SweptFit(ObbFit::AreaWeighted), [true; 2]);
}

#[test]
fn hybrids_and_balls_need_their_pad() {
    posing("ball", &BallFit, [true; 2]);
    let hybrid = |layers| HybridFit { layers, share: 0.5, fit: ObbFit::AreaCentroid };
    let spheres = hybrid(Layers::SphereAabb);
    let boxes = hybrid(Layers::AabbObb);
    let buffer = hybrid(Layers::SphereBufferObb { below: 0.0 });
    for small in [[false, false], [false, true], [true, false], [true, true]] {
        posing("spheres and aabbs", &spheres, small);
        posing("aabbs and obbs", &boxes, small);
        posing("spheres and buffers", &buffer, small);
    }
}

/// Weights are rounded, too, and the more of three entries a direction has the worse: the 26-DOP
/// takes the most.
#[test]
fn dops_need_their_pad() {
    fn found<const H: usize>(starts: Range<u64>) -> f64 {
        let fit = DopFit::<H>;
        let mut most = 0.0f64;
        for start in starts {
            let mut random = Random::stream(31, start);
            let (mut at, mut best) = (Numbers::new(&mut random), 0.0);
            for _ in 0..3000 {
                let next = at.stepped(&mut random, -16.0..0.0);
                let Some(touching) = Touching::new(&next) else { continue };
                let need = needed(&fit, [true; 2], &touching);
                if need >= best {
                    (at, best) = (next, need);
                }
            }
            most = most.max(best);
        }
        most
    }
    holds("6-dop", found::<3>(0..1), NEED_OF_DOPS, 0.0);
    holds("14-dop", found::<7>(0..1), NEED_OF_DOPS, 0.0);
    holds("18-dop", found::<9>(0..1), NEED_OF_DOPS, 0.0);
    holds("26-dop", found::<13>(5..6), NEED_OF_DOPS, NEED_OF_DOPS / 4.0);
}

/// The pad that a query gets is that of its scale, whatever the scale is made of, and is never less
/// than the rounding of the least numbers there are.
#[test]
fn the_pad_is_that_of_the_scale() {
    let far = |t: f64| Pose::translation_by(Vector::new(0.0, -t, 0.5 * t)).expect("finite");
    for unit in [1e-280, 1e-9, 1.0, 1e280] {
        let of = |t: f64, a: f64, b: f64| {
            Placement::new(&far(t * unit), a * unit, b * unit).pad / unit / SLACK
        };
        let near = |x: f64, y: f64| assert!((x / y - 1.0).abs() < 1e-6, "{x} {y} × {unit:e}");
        near(of(1.0, 0.0, 0.0), 1.0);
        near(of(0.0, 1.0, 0.0), 1.0);
        near(of(0.0, 0.0, 1.0), 2.0);
        near(of(3.0, 4.0, 5.0), 17.0);
    }
    let least = f64::from_bits(1);
    assert!(Placement::new(&Pose::identity(), least, least).pad >= f64::MIN_POSITIVE);
}
