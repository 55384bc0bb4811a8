//! The assignment of edges to triangles (anthology 2 §2.5.2; [`Assignment`]).
//!
//! Two triangles meet if and only if an edge of one meets the other. At a pair of triangles only the
//! edges that are assigned to them are tested. So an edge is tested against a face once.
//!
//! Why no contact is lost: let the edge `e` of triangle `s` meet the face `t`. The triangle `r` that
//! `e` is assigned to contains `e`, so `r` meets `t`, and the descent visits the pair of `r` and `t`.
//! There `e` is tested, and `t` is reported with every triangle that has `e`. This holds for any
//! assignment, so it may change from query to query.

use std::ops::ControlFlow;

use impinge_geometry::segment::segment_triangle;
use impinge_geometry::triangle::Outcome;
use impinge_geometry::{Mesh, Point, Pose, Triangle, exact};
use impinge_hierarchy::assignment::Assignment;
use impinge_hierarchy::edges::Edges;
use impinge_hierarchy::traverse::Watch;
use impinge_query::{Cancelled, Contact, Control, Counter, Query};

use super::TriangleTest;
use super::engine::OctreeFrontModel;

/// The edges of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    edges: Edges,
    /// The edges of each triangle; fewer than three are padded with [`u32::MAX`].
    of: Vec<[u32; 3]>,
}

impl Elements {
    pub(super) fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let edges = Edges::new(mesh, control)?;
        let of = edges.by_triangle(mesh.triangles().len());
        Ok(Self { edges, of })
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.edges.bytes() + self.of.capacity() * size_of::<[u32; 3]>()
    }
}

/// The two meshes of a query, their edges, and how these are assigned.
pub(super) struct Pairs<'q> {
    meshes: [&'q Mesh; 2],
    pose: &'q Pose,
    elements: [&'q Elements; 2],
    assigned: &'q mut [Assignment; 2],
    test: TriangleTest,
}

impl<'q> Pairs<'q> {
    pub(super) fn new(
        query: &Query<'q, OctreeFrontModel>,
        elements: [&'q Elements; 2],
        assigned: &'q mut [Assignment; 2],
        test: TriangleTest,
    ) -> Self {
        if test.assigns() {
            for (assigned, Elements { edges, .. }) in assigned.iter_mut().zip(elements) {
                let again = test == TriangleTest::Reassigned;
                assigned.begin(edges.len(), |e| edges.triangles(e), again);
            }
        }
        let meshes = [query.a.mesh(), query.b.mesh()];
        Self { meshes, pose: query.pose, elements, assigned, test }
    }

    /// An end of an edge in A's frame.
    fn vertex(&self, object: usize, v: u32) -> Point {
        let p = self.meshes[object].vertices()[v as usize];
        if object == 0 { p } else { self.pose.apply(&p) }
    }

    /// Tests the edges of both triangles that are assigned to them against the other, and passes all
    /// contacts that follow to `hit`: some of them of other triangles, some again.
    pub(super) fn test<C: Counter>(
        &mut self,
        Contact { a, b }: Contact,
        corners: [&Triangle; 2],
        (counter, watch): (&mut C, &mut Watch<'_>),
        mut hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for object in [0, 1] {
            let own = [a, b][object];
            let elements = self.elements[object];
            let contact = |t| if object == 0 { Contact { a: t, b } } else { Contact { a, b: t } };
            for &e in elements.of[own as usize].iter().filter(|e| **e != u32::MAX) {
                if self.test.assigns() && self.assigned[object].triangle(e) != own {
                    continue;
                }
                let [u, v] = elements.edges.ends(e).map(|v| self.vertex(object, v));
                let met = meets(&u, &v, corners[1 - object], counter);
                if !self.test.assigns() {
                    if met {
                        return hit(contact(own));
                    }
                    continue;
                }
                self.assigned[object].note(e, met);
                if met {
                    for &t in elements.edges.triangles(e) {
                        watch.poll()?;
                        hit(contact(t))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether the closed segment meets the closed triangle. Exact.
#[inline]
fn meets(u: &Point, v: &Point, t: &Triangle, counter: &mut impl Counter) -> bool {
    counter.primitives(1);
    match segment_triangle(u, v, t) {
        Outcome::Hit => true,
        Outcome::Miss => false,
        Outcome::Undecided => {
            counter.exact(1);
            exact::segment_meets_triangle(u, v, t)
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;
    use impinge_query::Ask;
    use impinge_query::driver::MeshModel;

    use super::super::{OctreeFrontParams, octree_front_with};
    use super::*;

    /// All contacts of two tori by the edges as they are assigned, of all pairs of triangles.
    fn contacts(assigned: &mut [Assignment; 2], test: TriangleTest) -> Vec<Contact> {
        let engine = octree_front_with(OctreeFrontParams { test, ..OctreeFrontParams::default() });
        let prepare = |shape: Shape| {
            impinge_query::Engine::prepare(&engine, &shape.mesh(60, 0), &Control::NONE)
                .expect("a mesh")
        };
        let (a, b) = (prepare(Shape::Torus), prepare(Shape::Gear));
        let at = impinge_geometry::Vector::new(0.4, 0.1, 0.05);
        let pose = Pose::translation_by(at).expect("finite");
        let ask = Ask::all_contacts();
        let query = Query { a: &a, b: &b, pose: &pose, ask: &ask, control: &Control::NONE };
        let elements = [&a, &b].map(|model| {
            Elements::new(model.subject().mesh(), &Control::NONE).expect("nothing cancels")
        });
        let mut pairs = Pairs::new(&query, [&elements[0], &elements[1]], assigned, test);
        let mut found = Vec::new();
        let mut watch = Watch::new(&Control::NONE);
        for s in 0..a.mesh().triangles().len() as u32 {
            for t in 0..b.mesh().triangles().len() as u32 {
                let pair = Contact { a: s, b: t };
                let (p, q) = query.triangles(pair);
                let take = |hit| {
                    found.push(hit);
                    ControlFlow::Continue(())
                };
                let flow = pairs.test(pair, [&p, &q], (&mut (), &mut watch), take);
                assert!(flow.is_continue());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whatever triangle of its own an edge is assigned to, the contacts are the same. If the edges of
    /// one object are assigned to none, contacts are lost. (One edge alone is rarely missed: where two
    /// triangles cross, an edge ends their common segment on either side.)
    #[test]
    fn any_of_its_triangles_may_have_an_edge() {
        let truth = contacts(&mut Default::default(), TriangleTest::EveryEdge);
        assert!(truth.len() > 20);
        let mut assigned = Default::default();
        for round in 0..4 {
            let found = contacts(&mut assigned, TriangleTest::Reassigned);
            assert_eq!(found, truth, "round {round}");
        }
        for object in [0, 1] {
            let mut other = assigned.clone();
            other[object].forget();
            // More than the object has edges.
            other[object].begin(1_000, |_| &[], false);
            assert_ne!(contacts(&mut other, TriangleTest::Assigned), truth);
        }
    }
}
