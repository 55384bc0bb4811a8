//! Contacts by trees of boxes over both ends of the motion.

use impinge_query::continuous::{Approach, Continuous, Impact, Moving};
use impinge_query::{Cancelled, Control, PrepareError};

use crate::every_feature::every_pair;
use crate::goal::{Bodies, Features, Goal};
use crate::moving_tree::MovingTree;
use crate::pair::Of;
use crate::search::{Search, continuous};
use crate::triangle::MovingTriangle;

/// Contacts by trees of boxes that are known at both ends of the motion, and so in between. Exact.
///
/// Builds the trees for each question, O(n log n). [`MovingTree`] keeps them.
#[derive(Clone, Copy, Debug, Default)]
pub struct BothEnds;

/// The triangles of a motion are not those that the tree was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the motion has other triangles than the tree")]
pub struct OtherTriangles;

/// The questions that may be asked of a tree.
macro_rules! questions {
    ($tree:ident) => {
        impl $tree {
            /// The first contact with another mesh in motion, as [`Continuous::first_contact`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn first_contact(
                &self,
                other: &Self,
                control: &Control<'_>,
            ) -> Result<Option<Impact>, Cancelled> {
                self.first(other, Of::TwoMeshes, control)
            }

            /// All pairs that meet, as [`Continuous::contacts`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn contacts(
                &self,
                other: &Self,
                cap: Option<usize>,
                control: &Control<'_>,
            ) -> Result<Vec<Impact>, Cancelled> {
                self.all(other, Of::TwoMeshes, cap, control)
            }

            /// The first time at which both are at most a distance apart, as [`Continuous::first_within`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn first_within(
                &self,
                other: &Self,
                distance: f64,
                control: &Control<'_>,
            ) -> Result<Option<Approach>, Cancelled> {
                self.near(other, Of::TwoMeshes, distance, control)
            }

            /// The first time at which the mesh meets itself, or two triangles without a vertex in common
            /// are at most a distance apart, as [`Continuous::first_self_within`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn first_self_within(
                &self,
                distance: f64,
                control: &Control<'_>,
            ) -> Result<Option<Approach>, Cancelled> {
                self.near(self, Of::OneMesh, distance, control)
            }

            /// The first contact of the mesh with itself, as [`Continuous::first_self_contact`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn first_self_contact(
                &self,
                control: &Control<'_>,
            ) -> Result<Option<Impact>, Cancelled> {
                self.first(self, Of::OneMesh, control)
            }

            /// All pairs of triangles of the mesh that meet, as [`Continuous::self_contacts`].
            ///
            /// # Errors
            /// [`Cancelled`].
            pub fn self_contacts(
                &self,
                cap: Option<usize>,
                control: &Control<'_>,
            ) -> Result<Vec<Impact>, Cancelled> {
                self.all(self, Of::OneMesh, cap, control)
            }
        }
    };
}

pub(crate) use questions;

questions!(MovingTree);

/// A body with its tree, or without one if it has more triangles than a tree takes.
enum Body {
    Tree(MovingTree),
    Plain(Vec<MovingTriangle>),
}

impl Body {
    fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, Cancelled> {
        match MovingTree::new(moving, control) {
            Ok(tree) => Ok(Self::Tree(tree)),
            Err(PrepareError::Cancelled(cancelled)) => Err(cancelled),
            Err(_) => Ok(Self::Plain(MovingTriangle::all(moving).collect())),
        }
    }
}

impl Search for Body {
    const FEATURES: Features = Features::Near;

    fn triangles(&self) -> &[MovingTriangle] {
        match self {
            Self::Tree(tree) => tree.triangles(),
            Self::Plain(triangles) => triangles,
        }
    }

    fn descend<G: Goal>(
        &self,
        other: &Self,
        of: Of,
        goal: &mut G,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        if let (Self::Tree(a), Self::Tree(b)) = (self, other) {
            return a.descend(b, of, goal, control);
        }
        let triangles = [self.triangles(), other.triangles()];
        every_pair(&Bodies { of, triangles }, goal, control)
    }
}

continuous!(BothEnds, "both-ends", Body::new);

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Mesh;
    use impinge_models::{Random, Shape};

    /// Bodies without a tree give the same answers.
    #[test]
    fn without_trees_answers_are_the_same() {
        let (mut random, none) = (Random::new(0x91a1), &Control::NONE);
        let mut seen = [0; 2];
        for case in 0..8 {
            let mut body = |shape: Shape| {
                let pose = random.turned_to(random.clone().in_ball() * 0.8);
                let mesh = shape.mesh(40, case);
                let start = mesh.vertices().iter().map(|p| pose.apply(p)).collect();
                let mesh = Mesh::new(start, mesh.triangles().to_vec()).expect("finite");
                let end = mesh.vertices().iter().map(|p| p + random.in_ball() * 0.3);
                (end.collect::<Vec<_>>(), mesh)
            };
            let bodies = [body(Shape::Torus), body(Shape::Gear)];
            let [a, b] =
                bodies.each_ref().map(|(end, mesh)| Moving::new(mesh, end).expect("range"));
            let plain = |moving| Body::Plain(MovingTriangle::all(moving).collect());
            let tree = |moving| Body::new(moving, none).expect("not cancelled");
            assert!(matches!(tree(&a), Body::Tree(_)));
            for (p, q, of) in [(&a, &b, Of::TwoMeshes), (&a, &a, Of::OneMesh)] {
                let by_trees = tree(p).all(&tree(q), of, None, none).expect("not cancelled");
                let found = plain(p).all(&plain(q), of, None, none).expect("not cancelled");
                assert_eq!(by_trees, found, "{case}");
                let mixed = plain(p).all(&tree(q), of, None, none).expect("not cancelled");
                assert_eq!(mixed, found, "{case}");
                seen[usize::from(found.is_empty())] += 1;
            }
        }
        assert!(seen[0] > 3, "{seen:?}");
    }
}
