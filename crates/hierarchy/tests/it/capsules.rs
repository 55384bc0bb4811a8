//! A method that is not in the crate, made of its public parts: a tree of capsules. One file has the
//! volume, its fit and the composition; the battery and all questions are those of every method.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Point, Pose, Vector};
use impinge_hierarchy::build::fit::{Extent, Scope, Wrapped};
use impinge_hierarchy::build::{Fit, Items, Mean, Set, TopDown};
use impinge_hierarchy::leaf::SeventeenAxes;
use impinge_hierarchy::placement::SLACK;
use impinge_hierarchy::traverse::LargerFirst;
use impinge_hierarchy::volume::Volume;
use impinge_hierarchy::{Placement, TreeEngine};
use impinge_models::Shape;
use impinge_query::{Ask, Control, Description, Engine, Meaning, Needs, QuestionKind};

impinge_testkit::conformance!(capsule, super::CAPSULE);

/// Capsules × mean split × larger first × 17 axes.
const CAPSULE: TreeEngine<TopDown<CapsuleFit, Mean>, LargerFirst, SeventeenAxes> =
    TreeEngine::new(DESCRIPTION, TopDown::new(CapsuleFit, Mean), LargerFirst, SeventeenAxes);

const DESCRIPTION: Description = Description {
    word: "capsule",
    title: "capsule tree",
    paper: "fan §1.3.3.5; Larsen et al. 1999",
    needs: Needs { closed: false, gpu: false },
    questions: QuestionKind::ALL,
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    self_contacts: true,
    exact: true,
};

/// The points within `radius` of a segment.
#[derive(Clone, Copy, Debug)]
struct Capsule {
    ends: [Point; 2],
    radius: f64,
}

impl Capsule {
    fn at(&self, s: f64) -> Point {
        self.ends[0] + (self.ends[1] - self.ends[0]) * s
    }

    /// The parameter of the point of the segment that is nearest to `x`, up to rounding.
    fn nearest(&self, x: &Point) -> f64 {
        let along = self.ends[1] - self.ends[0];
        let s = (x - self.ends[0]).dot(&along) / along.dot(&along);
        if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// A lower bound on the distance between the capsules: of the segments' projections on a line,
    /// less the radii and `pad`. Any line gives a bound; this is through points near the nearest.
    fn gap(&self, other: &Self, pad: f64) -> f64 {
        let mut s = 0.5;
        let mut t = other.nearest(&self.at(s));
        for _ in 0..3 {
            s = self.nearest(&other.at(t));
            t = other.nearest(&self.at(s));
        }
        let from = self.at(s);
        let line = other.at(t) - from;
        let normal = line / line.amax();
        let heights = |c: &Self| c.ends.map(|x| normal.dot(&(x - from)));
        let ([a, b], [c, d]) = (heights(self), heights(other));
        let ends = [self.ends, other.ends].concat();
        let size: f64 = ends.iter().map(|x| (x - from).abs().sum()).sum();
        let apart = c.min(d) - a.max(b) - SLACK * size;
        let reach = (self.radius + other.radius) * (1.0 + SLACK) + pad;
        apart / normal.norm() * (1.0 - SLACK) - reach
    }
}

impl Volume for Capsule {
    type Frame = Placement;
    type Placed = Self;

    fn frame(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> Self {
        Self { ends: self.ends.map(|x| placement.apply(&x.into()).into()), ..*self }
    }

    /// A gap that is not a number proves nothing.
    fn meets(&self, other: &Self, placement: &Placement) -> bool {
        !(self.gap(other, placement.pad) > 0.0)
    }

    fn gap(&self, other: &Self, placement: &Placement, _enough: f64) -> f64 {
        self.gap(other, placement.pad).max(0.0) * (1.0 - SLACK)
    }

    fn size(&self) -> f64 {
        self.radius + (self.ends[1] - self.ends[0]).amax()
    }

    fn center(&self) -> [f64; 3] {
        self.at(0.5).into()
    }

    fn bounds(placed: &Self) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let [a, b] = placed.ends.map(|x| x[k]);
            let reach = placed.radius + SLACK * (placed.radius + a.abs() + b.abs());
            let reach = reach + f64::MIN_POSITIVE;
            [a.min(b) - reach, a.max(b) + reach]
        })
    }
}

/// Capsules along the longest axis of an oriented box.
#[derive(Clone, Copy, Debug)]
struct CapsuleFit;

impl Fit for CapsuleFit {
    type Volume = Capsule;

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<Capsule> {
        let extent = Extent::from(&set.obb(ObbFit::AreaWeighted));
        let [long, middle, _] = extent.longest_first();
        let half = extent.axes[long] * (extent.half[long] - extent.half[middle]);
        let mut volume =
            Capsule { ends: [extent.center - half, extent.center + half], radius: 0.0 };
        for x in set.points() {
            let d = x - volume.at(volume.nearest(&x));
            let off = d.amax() * (d / d.amax().max(f64::MIN_POSITIVE)).norm();
            let slack = SLACK * (off + x.coords.amax() + extent.half[long]) + f64::MIN_POSITIVE;
            volume.radius = volume.radius.max(off + slack);
        }
        Wrapped { volume, extent }
    }
}

/// Capsules that never part would pass the battery too.
#[test]
fn most_pairs_are_left_out() {
    let [torus, needle] = [Shape::Torus.mesh(800, 0), Shape::Leaf.mesh(300, 2)];
    let aside = Pose::translation_by(Vector::new(0.3, 0.2, 0.4)).expect("finite");
    let [a, b] = [&torus, &needle].map(|m| CAPSULE.prepare(m, &Control::NONE).expect("a mesh"));
    for ask in [Ask::all_contacts(), Ask::distance()] {
        let answer = CAPSULE.ask(&a, &b, &aside, &Ask { count: true, ..ask }).expect("same engine");
        let tested = answer.statistics.expect("counted").primitive_tests;
        assert!(tested < 800 * 300 / 20, "{tested} pairs of triangles");
    }
}
