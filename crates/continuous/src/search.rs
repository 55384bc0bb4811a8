//! What all searches over pairs of triangles have in common.

use impinge_query::continuous::{Approach, Impact};
use impinge_query::{Cancelled, Control};

use crate::goal::{All, Bodies, Features, First, Goal, Near, meeting};
use crate::pair::Of;
use crate::triangle::MovingTriangle;

/// The triangles of a mesh in motion, in a structure that finds pairs of them.
pub(crate) trait Search: Sized {
    /// Which features of a pair are asked.
    const FEATURES: Features;

    fn triangles(&self) -> &[MovingTriangle];

    /// Gives the goal every pair that may matter to it, each once. In one mesh, `other` is `self`.
    fn descend<G: Goal>(
        &self,
        other: &Self,
        of: Of,
        goal: &mut G,
        control: &Control<'_>,
    ) -> Result<(), Cancelled>;

    fn first(
        &self,
        other: &Self,
        of: Of,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        control.check()?;
        let mut first = First::new(Self::FEATURES);
        self.descend(other, of, &mut first, control)?;
        Ok(first.finish(&Bodies { of, triangles: [self.triangles(), other.triangles()] }))
    }

    fn all(
        &self,
        other: &Self,
        of: Of,
        cap: Option<usize>,
        control: &Control<'_>,
    ) -> Result<Vec<Impact>, Cancelled> {
        control.check()?;
        let mut all = All::new(Self::FEATURES, cap);
        self.descend(other, of, &mut all, control)?;
        all.finish(control)
    }

    fn near(
        &self,
        other: &Self,
        of: Of,
        distance: f64,
        control: &Control<'_>,
    ) -> Result<Option<Approach>, Cancelled> {
        if distance == 0.0 {
            let first = self.first(other, of, control)?;
            return Ok(first.map(|first| meeting(&first)));
        }
        control.check()?;
        // Nothing is nearer than NaN or a negative number.
        if !(distance > 0.0) {
            return Ok(None);
        }
        let mut near = Near::new(distance);
        self.descend(other, of, &mut near, control)?;
        Ok(near.finish())
    }
}

/// Makes a [`Continuous`](impinge_query::Continuous) of a name, its word, and a function that makes a
/// [`Search`] of a body for each question.
macro_rules! continuous {
    ($method:ident, $word:literal, $new:path) => {
        impl Continuous for $method {
            fn word(&self) -> &'static str {
                $word
            }

            fn first_contact(
                &self,
                a: &Moving<'_>,
                b: &Moving<'_>,
                control: &Control<'_>,
            ) -> Result<Option<Impact>, Cancelled> {
                let b = $new(b, control)?;
                $new(a, control)?.first(&b, Of::TwoMeshes, control)
            }

            fn contacts(
                &self,
                a: &Moving<'_>,
                b: &Moving<'_>,
                cap: Option<usize>,
                control: &Control<'_>,
            ) -> Result<Vec<Impact>, Cancelled> {
                let b = $new(b, control)?;
                $new(a, control)?.all(&b, Of::TwoMeshes, cap, control)
            }

            fn first_within(
                &self,
                a: &Moving<'_>,
                b: &Moving<'_>,
                distance: f64,
                control: &Control<'_>,
            ) -> Result<Option<Approach>, Cancelled> {
                let b = $new(b, control)?;
                $new(a, control)?.near(&b, Of::TwoMeshes, distance, control)
            }

            fn first_self_within(
                &self,
                body: &Moving<'_>,
                distance: f64,
                control: &Control<'_>,
            ) -> Result<Option<Approach>, Cancelled> {
                let body = $new(body, control)?;
                body.near(&body, Of::OneMesh, distance, control)
            }

            fn first_self_contact(
                &self,
                body: &Moving<'_>,
                control: &Control<'_>,
            ) -> Result<Option<Impact>, Cancelled> {
                let body = $new(body, control)?;
                body.first(&body, Of::OneMesh, control)
            }

            fn self_contacts(
                &self,
                body: &Moving<'_>,
                cap: Option<usize>,
                control: &Control<'_>,
            ) -> Result<Vec<Impact>, Cancelled> {
                let body = $new(body, control)?;
                body.all(&body, Of::OneMesh, cap, control)
            }
        }
    };
}

pub(crate) use continuous;
