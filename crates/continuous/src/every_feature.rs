//! Brute force: every vertex against every face, every edge against every edge.

use impinge_geometry::volume::Aabb;
use impinge_query::continuous::{Approach, Continuous, Impact, Moving};
use impinge_query::{Cancelled, Control};

use crate::goal::{Bodies, Features, Goal};
use crate::moving_box::MovingBox;
use crate::pair::Of;
use crate::search::{Search, continuous};
use crate::triangle::MovingTriangle;

/// All pairs of triangles whose boxes over the whole motion overlap, feature by feature: what other
/// methods are compared with. Exact. O(n m).
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryFeature;

/// The triangles of a mesh, in order.
struct Triangles(Vec<MovingTriangle>);

impl Search for Triangles {
    const FEATURES: Features = Features::Every;

    fn new(moving: &Moving<'_>, _: &Control<'_>) -> Result<Self, Cancelled> {
        Ok(Self(MovingTriangle::all(moving).collect()))
    }

    fn triangles(&self) -> &[MovingTriangle] {
        &self.0
    }

    fn descend(
        &self,
        other: &Self,
        of: Of,
        goal: &mut impl Goal,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let bodies = Bodies { of, triangles: [&self.0, &other.0] };
        let reach = goal.reach();
        let boxes = self.0.iter().map(|t| MovingBox::of(t).grown(reach).sweep());
        let others: Vec<Aabb> = other.0.iter().map(|t| MovingBox::of(t).sweep()).collect();
        for (i, around) in (0u32..).zip(boxes) {
            control.check()?;
            let first = if of == Of::OneMesh { i + 1 } else { 0 };
            for (j, other) in (first..).zip(&others[first as usize..]) {
                if goal.until() <= 0.0 {
                    return Ok(());
                }
                if !around.overlaps(other) {
                    continue;
                }
                control.check()?;
                if let Some(pair) = bodies.pair([i, j]) {
                    goal.take(&pair, 0.0);
                }
            }
        }
        Ok(())
    }
}

continuous!(EveryFeature, "every-feature", Triangles);
