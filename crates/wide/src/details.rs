//! Where triangles that meet do so, and which way they part.

use impinge_geometry::exact::meeting;
use impinge_geometry::{Pose, Triangle, Vector};
use impinge_query::{Answer, Cancelled, Control, Detail};

use crate::engine::triangles;
use crate::model::WideModel;

/// Details between two looks at whether the caller has cancelled.
const PULSE: usize = 64;

/// Where each reported pair meets, and its normal.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn describe(
    models: [&WideModel; 2],
    pose: &Pose,
    control: &Control<'_>,
    answer: &mut Answer,
) -> Result<(), Cancelled> {
    for some in answer.contacts.chunks(PULSE) {
        control.check()?;
        for contact in some {
            let (p, q) = triangles(models, pose, *contact);
            let Some(meeting) = meeting(&p, &q) else { continue };
            let normal = unit_normal(&p).or_else(|| unit_normal(&q).map(|n| -n));
            let normal = normal.unwrap_or_else(Vector::zeros);
            answer.details.push(Detail { meeting, normal });
        }
    }
    Ok(())
}

/// Unit normal by the winding; none for a triangle without area. Edges are scaled first, so that
/// no product leaves the range of f64.
fn unit_normal(t: &Triangle) -> Option<Vector> {
    let positive = |x: f64| if x > 0.0 { x } else { 1.0 };
    let (e, f) = (t[1] - t[0], t[2] - t[0]);
    let (e, f) = (e.unscale(positive(e.amax())), f.unscale(positive(f.amax())));
    e.cross(&f).try_normalize(0.0)
}
