//! Meshes prepared for translations, and a posed pair of them.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Pose, Triangle, Vector};
use impinge_hierarchy::build::{Builder, Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::volume::ObbRows;
use impinge_hierarchy::{Child, NodePair, TreeModel};
use impinge_query::continuous::Interval;
use impinge_query::{Cancelled, Contact, Control};

use super::direction::{BadDirection, Direction};
use super::exact::{Ends, ends};
use super::filter::{Estimate, estimate};
use super::slabs::{Placed, Room, bounds, size};

/// Builds the trees.
pub(super) const BUILDER: TopDown<ObbRowsFit, Mean> =
    TopDown::new(ObbRowsFit(ObbFit::AreaWeighted), Mean);

/// A mesh prepared for questions about translations: a tree of oriented boxes.
#[derive(Debug)]
pub struct TranslationBody(pub(super) TreeModel<ObbRows>);

/// Why a question about translations has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TranslationError {
    /// The direction is not finite, too large, or zero.
    #[error(transparent)]
    Direction(#[from] BadDirection),
    /// The range of translations is not one.
    #[error("translations from {0} to {1}: the first must be a number and at most the second")]
    Range(f64, f64),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl TranslationBody {
    /// Prepares a mesh. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let tree = BUILDER.build(mesh, control)?;
        Ok(Self(TreeModel::new(mesh.clone(), tree)))
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        self.0.mesh()
    }

    /// Memory in bytes, without the mesh.
    pub fn bytes(&self) -> usize {
        self.0.tree().bytes()
    }
}

/// Two prepared meshes, B posed in A's frame, of which B is to be translated by multiples `s` of a
/// direction. All answers are about B's vertices as rounded by [`Pose::apply`], translated without
/// rounding.
#[derive(Clone, Copy, Debug)]
pub struct Translations<'m> {
    pub(super) a: &'m TranslationBody,
    pub(super) b: &'m TranslationBody,
    pub(super) pose: Pose,
    pub(super) room: Room,
}

impl<'m> Translations<'m> {
    /// Nothing is computed: O(1).
    pub fn new(a: &'m TranslationBody, b: &'m TranslationBody, b_in_a: &Pose) -> Self {
        Self { a, b, pose: *b_in_a, room: Room::new(b_in_a, a.0.max_abs(), b.0.max_abs()) }
    }

    /// The interval of multiples of `direction` at which two triangles meet: bounds of its least and
    /// of its largest number, the nearest numbers of f64 at both sides. `None` if they never meet.
    /// By integers; some ten microseconds.
    ///
    /// # Errors
    /// [`BadDirection`].
    ///
    /// # Panics
    /// If a mesh does not have that triangle.
    pub fn triangles(
        &self,
        pair: Contact,
        direction: &Vector,
    ) -> Result<Option<[Interval; 2]>, BadDirection> {
        let direction = Direction::new(direction)?;
        let [p, q] = self.corners(pair);
        Ok(ends(&p, &q, direction.given()).map(|ends| ends.map(|end| end.interval())))
    }

    pub(super) fn corners(&self, pair: Contact) -> [Triangle; 2] {
        [
            self.a.mesh().triangle(pair.a),
            self.b.mesh().triangle(pair.b).map(|p| self.pose.apply(&p)),
        ]
    }

    pub(super) fn estimate(&self, pair: Contact, direction: &Direction) -> Estimate {
        let [p, q] = self.corners(pair);
        estimate(&p, &q, direction)
    }

    /// The ends of the interval at which two triangles meet, in multiples of the unit.
    pub(super) fn ends(&self, pair: Contact, direction: &Direction) -> Ends {
        let [p, q] = self.corners(pair);
        ends(&p, &q, direction.given()).map(|ends| ends.map(|end| direction.of_given(end)))
    }

    /// Bounds of the multiples of the unit at which the meshes meet.
    pub(super) fn bounds(&self, direction: &Direction) -> Option<[f64; 2]> {
        bounds(&self.of_a(0), &self.of_b(0), direction, self.room)
    }

    #[inline(always)]
    fn of_a(&self, node: u32) -> Placed {
        Placed::of_a(self.a.0.tree().volume(node))
    }

    #[inline(always)]
    fn of_b(&self, node: u32) -> Placed {
        Placed::of_b(self.b.0.tree().volume(node), &self.pose)
    }

    /// The triangles of two leaves, or the pairs below a pair of nodes with their bounds: the larger
    /// one is opened.
    #[inline]
    pub(super) fn open(&self, [a, b]: NodePair, direction: &Direction) -> Opened {
        let [p, q] = [self.a, self.b].map(|model| model.0.tree().nodes());
        let (p, q) = (&p[a as usize], &q[b as usize]);
        let (of_a, first) = match (p.child(), q.child()) {
            (Child::Leaf(i), Child::Leaf(j)) => return Opened::Leaves(Contact { a: i, b: j }),
            (Child::Pair(first), Child::Leaf(_)) => (true, first),
            (Child::Leaf(_), Child::Pair(first)) => (false, first),
            (Child::Pair(of_a), Child::Pair(of_b)) => {
                let larger = size(&p.volume) >= size(&q.volume);
                (larger, if larger { of_a } else { of_b })
            }
        };
        if of_a {
            let other = self.of_b(b);
            let of = |node| ([node, b], bounds(&self.of_a(node), &other, direction, self.room));
            Opened::Pairs([of(first), of(first + 1)])
        } else {
            let other = self.of_a(a);
            let of = |node| ([a, node], bounds(&other, &self.of_b(node), direction, self.room));
            Opened::Pairs([of(first), of(first + 1)])
        }
    }
}

/// What is below a pair of nodes.
pub(super) enum Opened {
    Leaves(Contact),
    Pairs([(NodePair, Option<[f64; 2]>); 2]),
}
