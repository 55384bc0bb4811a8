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

impl Triangles {
    fn new(moving: &Moving<'_>, control: &Control<'_>) -> Result<Self, Cancelled> {
        control.check()?;
        Ok(Self(MovingTriangle::all(moving).collect()))
    }
}

/// Gives a goal all pairs of triangles whose boxes over the whole motion overlap.
pub(crate) fn every_pair(
    bodies: &Bodies<'_>,
    goal: &mut impl Goal,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    let [a, b] = bodies.triangles;
    let reach = goal.reach();
    let boxes = a.iter().map(|t| MovingBox::of(t).grown(reach).sweep());
    let others: Vec<Aabb> = b.iter().map(|t| MovingBox::of(t).sweep()).collect();
    for (i, around) in (0u32..).zip(boxes) {
        control.check()?;
        let first = if bodies.of == Of::OneMesh { i + 1 } else { 0 };
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

impl Search for Triangles {
    const FEATURES: Features = Features::Every;

    fn triangles(&self) -> &[MovingTriangle] {
        &self.0
    }

    fn descend<G: Goal>(
        &self,
        other: &Self,
        of: Of,
        goal: &mut G,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        every_pair(&Bodies { of, triangles: [&self.0, &other.0] }, goal, control)
    }
}

continuous!(EveryFeature, "every-feature", Triangles::new);
