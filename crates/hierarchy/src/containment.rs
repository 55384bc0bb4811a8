//! Does a component of one closed mesh lie inside the other? Asked once the surfaces are known to
//! be apart: then a whole component is inside or outside, and one of its vertices tells
//! (fan §4.3.1, condition 3).

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Point, Pose};
use impinge_query::{Cancelled, Control, Counter, Inner, QueryError, Side};

use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{CHECK_EVERY, Pulse};
use crate::tree::Child;
use crate::volume::Volume;

/// Which mesh has a component inside the other, if any, and a vertex of that component in A's frame.
/// The surfaces must not meet. Expected O(log n) box tests for each component.
///
/// # Errors
/// [`QueryError::NotClosed`] if a mesh has no inside, [`QueryError::Cancelled`].
pub fn find<V: Volume, C: Counter>(
    a: &TreeModel<V>,
    b: &TreeModel<V>,
    pose: &Pose,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Option<(Inner, Point)>, QueryError> {
    let refuse = |side| move |open| QueryError::NotClosed { side, open };
    let of_a = a.subject().witnesses().map_err(refuse(Side::A))?;
    let of_b = b.subject().witnesses().map_err(refuse(Side::B))?;
    let posed = Surface::new(b, pose, &Placement::new(pose, a.max_abs(), b.max_abs()));
    for p in of_a {
        if posed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::A, p)));
        }
    }
    let still = Pose::identity();
    let fixed = Surface::new(a, &still, &Placement::new(&still, 0.0, a.max_abs()));
    for p in of_b {
        let p = pose.apply(&p);
        if fixed.winding(&p, counter, control)? != 0 {
            return Ok(Some((Inner::B, p)));
        }
    }
    Ok(None)
}

/// A closed surface in its place.
struct Surface<'q, V: Volume> {
    model: &'q TreeModel<V>,
    pose: &'q Pose,
    frame: V::Frame,
    pad: f64,
}

impl<'q, V: Volume> Surface<'q, V> {
    fn new(model: &'q TreeModel<V>, pose: &'q Pose, placement: &Placement) -> Self {
        Self { model, pose, frame: V::frame(placement), pad: placement.pad }
    }

    /// Winding number of `p`, which is off the surface: exact crossings of the ray in direction +z
    /// with the triangles of the leaves it can reach.
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
        let mut pulse = Pulse::new();
        while let Some(index) = stack.pop() {
            pulse.beat(control)?;
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

    /// What these triangles add to the winding number.
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
