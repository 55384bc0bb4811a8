//! The winding number of a closed surface about a point, by its tree.

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Point, Pose};
use impinge_query::{Cancelled, Control, Counter, Query, Side};

use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{CHECK_EVERY, Poll};
use crate::tree::Child;
use crate::volume::Volume;

/// A closed surface and its pose.
#[derive(Debug)]
pub struct Surface<'q, V: Volume> {
    model: &'q TreeModel<V>,
    pose: Pose,
    frame: V::Frame,
    pad: f64,
}

impl<'q, V: Volume> Surface<'q, V> {
    /// A function that computes the winding number of A's or B's surface about a point of A's frame
    /// that is not on it. Expected O(log n) box tests per point.
    pub fn about<C: Counter>(
        query: &Query<'q, TreeModel<V>>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> + use<'q, V, C> {
        let surface = match solid {
            Side::A => Self::new(query.a, Pose::identity(), 0.0),
            Side::B => Self::new(query.b, *query.pose, query.a.max_abs()),
        };
        let control = query.control;
        move |p, counter| surface.winding(p, counter, control)
    }

    fn new(model: &'q TreeModel<V>, pose: Pose, other: f64) -> Self {
        let placement = Placement::new(&pose, other, model.max_abs());
        Self { model, frame: V::frame(&placement), pad: placement.pad, pose }
    }

    /// Winding number about `p`, which is not on the surface: exact crossings of the ray in
    /// direction +z with the triangles of the leaves whose boxes it may hit.
    fn winding<C: Counter>(
        &self,
        p: &Point,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<i32, Cancelled> {
        let tree = self.model.tree();
        let mut winding = 0;
        let mut seen = Vec::new();
        let mut stack = vec![0u32];
        let mut poll = Poll::new();
        while let Some(index) = stack.pop() {
            poll.poll(control)?;
            counter.volumes(1);
            if !self.ray_reaches(tree.volume(index), p) {
                continue;
            }
            match tree.nodes()[index as usize].child() {
                Child::Pair(first) => stack.extend([first, first + 1]),
                Child::Leaf(leaf) => {
                    let triangles = tree.leaf(leaf);
                    if tree.repeats() {
                        seen.extend_from_slice(triangles.as_slice());
                    } else {
                        winding += self.crossings(triangles.as_slice(), p, counter, control)?;
                    }
                }
            }
        }
        control.check()?;
        seen.sort_unstable();
        seen.dedup();
        Ok(winding + self.crossings(&seen, p, counter, control)?)
    }

    /// What these triangles contribute to the winding number.
    fn crossings(
        &self,
        triangles: &[u32],
        p: &Point,
        counter: &mut impl Counter,
        control: &Control<'_>,
    ) -> Result<i32, Cancelled> {
        let mut winding = 0;
        for some in triangles.chunks(CHECK_EVERY as usize) {
            control.check()?;
            for &t in some {
                counter.primitives(1);
                let triangle = self.model.mesh().triangle(t).map(|x| self.pose.apply(&x));
                if let Crossing::Adds(n) = crossing(&triangle, p) {
                    winding += n;
                }
            }
        }
        Ok(winding)
    }

    fn ray_reaches(&self, volume: &V, p: &Point) -> bool {
        let [x, y, z] = V::bounds(&volume.place(&self.frame));
        let pad = self.pad;
        let within = |k: usize, b: [f64; 2]| b[0] - pad <= p[k] && p[k] <= b[1] + pad;
        within(0, x) && within(1, y) && p.z <= z[1] + pad
    }
}
