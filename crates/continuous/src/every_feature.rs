//! Brute force: every vertex against every face, every edge against every edge.

use impinge_geometry::exact;
use impinge_query::continuous::{Continuous, Impact, Moving};
use impinge_query::{Cancelled, Contact, Control};

use crate::moving_box::MovingBox;
use crate::triangle::{MovingTriangle, sooner};

/// All pairs of triangles whose boxes meet in motion, feature by feature: what other methods are
/// compared with. Exact. O(n m).
///
/// Triangles that share a point at time 0 are found by the exact test of triangles; later ones can
/// only begin to meet where a vertex reaches a face or an edge an edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryFeature;

impl Continuous for EveryFeature {
    fn word(&self) -> &'static str {
        "every-feature"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let [of_a, of_b]: [Vec<_>; 2] = [a, b]
            .map(|moving| MovingTriangle::all(moving).map(|t| (MovingBox::of(&t), t)).collect());
        let mut first = None;
        for (i, (around, p)) in (0u32..).zip(&of_a) {
            control.check()?;
            for (j, (other, q)) in (0u32..).zip(&of_b) {
                if !around.sweep().overlaps(&other.sweep()) {
                    continue;
                }
                control.check()?;
                let triangles = Contact { a: i, b: j };
                if exact::triangles_meet(&p.start, &q.start) {
                    return Ok(Some(MovingTriangle::contact_at_start(triangles)));
                }
                if let Some(impact) = p.first_contact(q, None, triangles) {
                    sooner(&mut first, impact);
                }
            }
        }
        Ok(first)
    }
}
