//! Which triangles the octree is built over.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::volume::{AxisBox, Volume};
use impinge_query::lists::Bounded;
use impinge_query::{Cancelled, Control, Counter, Query};

use super::engine::{OctreeFrontModel, placement};

/// Triangles or vertices between two looks at the caller's flag.
const LOOK: usize = 1 << 13;

/// The triangles that a query needs, in A's frame, and B's posed vertices. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    /// The triangles of A and of B.
    pub(super) of: [Vec<Bounded>; 2],
    posed: Vec<Point>,
}

impl Items {
    /// Collects all triangles of both objects.
    pub(super) fn everything<C: Counter>(
        &mut self,
        query: &Query<'_, OctreeFrontModel>,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        self.within(query, None, counter)
    }

    /// Collects the triangles whose bounds reach into the common part of both root boxes. Triangles
    /// that meet do.
    pub(super) fn near<C: Counter>(
        &mut self,
        query: &Query<'_, OctreeFrontModel>,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let placement = placement(query);
        let [a, b] = [query.a.tree().volume(0), query.b.tree().volume(0)];
        let of_a = Aabb { min: a.low().into(), max: a.high().into() };
        let bounds = AxisBox::bounds(&b.place(&AxisBox::frame(&placement)));
        let of_b = Aabb {
            min: bounds.map(|[low, _]| low - placement.pad).into(),
            max: bounds.map(|[_, high]| high + placement.pad).into(),
        };
        counter.volumes(1);
        if let Some(region) = of_a.intersection(&of_b) {
            return self.within(query, Some(&region), counter);
        }
        self.of.iter_mut().for_each(Vec::clear);
        query.control.check()
    }

    /// Collects the triangles that reach into a region, if one is given.
    fn within<C: Counter>(
        &mut self,
        query: &Query<'_, OctreeFrontModel>,
        region: Option<&Aabb>,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let Query { a, b, pose, control, .. } = *query;
        self.posed.clear();
        for some in b.mesh().vertices().chunks(LOOK) {
            control.check()?;
            self.posed.extend(some.iter().map(|p| pose.apply(p)));
        }
        let [of_a, of_b] = &mut self.of;
        collect(a.mesh(), a.mesh().vertices(), region, of_a, control)?;
        collect(b.mesh(), &self.posed, region, of_b, control)?;
        counter.updated((of_a.len() + of_b.len()) as u64);
        Ok(())
    }
}

fn collect(
    mesh: &Mesh,
    vertices: &[Point],
    region: Option<&Aabb>,
    into: &mut Vec<Bounded>,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    into.clear();
    let mut t = 0;
    for some in mesh.triangles().chunks(LOOK) {
        control.check()?;
        for corners in some {
            let one = Bounded::new(t, corners.map(|v| vertices[v as usize]));
            if region.is_none_or(|region| one.reaches(region)) {
                into.push(one);
            }
            t += 1;
        }
    }
    Ok(())
}
