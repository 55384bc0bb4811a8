//! Does a component of one closed mesh lie inside the other? Asked once the surfaces are known to be
//! apart: then a whole component is inside or outside, and one of its vertices tells (fan §4.3.1,
//! condition 3).

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Point, Triangle};
use impinge_query::{Answer, Ask, Cancelled, Control, Counter, Inner, Meaning, Verdict};

use crate::body::Parts;
use crate::pair::Pair;

/// How many triangles a ray is held against between two looks at the flag.
const STRIDE: usize = 256;

/// Completes the answer of a pair whose surfaces were asked for: as solids, one may be inside.
/// `holds` says of a point whether it may be in the box of A, and of B.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn complete<C: Counter, M: Parts>(
    pair: &Pair<'_, M>,
    holds: [&dyn Fn(&Point) -> bool; 2],
    ask: &Ask,
    (counter, control): (&mut C, &Control<'_>),
    answer: &mut Answer,
) -> Result<(), Cancelled> {
    if ask.meaning == Meaning::Solids && answer.verdict == Verdict::Separated {
        let inner = counter
            .stage("containment", |counter| find(pair, holds, counter, control))?
            .map(Verdict::Contained);
        answer.verdict = inner.unwrap_or(Verdict::Separated);
    }
    Ok(())
}

/// Which mesh has a component inside the other, if any. Linear in the triangles for each component
/// whose vertex lies in the other's box.
fn find<C: Counter, M: Parts>(
    pair: &Pair<'_, M>,
    [in_a, in_b]: [&dyn Fn(&Point) -> bool; 2],
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Option<Inner>, Cancelled> {
    let [a, b] = pair.bodies();
    let mut inside = |p: &Point,
                      held: &dyn Fn(&Point) -> bool,
                      triangles: &mut dyn Iterator<Item = Triangle>| {
        control.check()?;
        counter.volumes(1);
        Ok(held(p) && winding(p, triangles, counter, control)? != 0)
    };
    for p in a.witnesses() {
        let count = b.mesh().triangles().len() as u32;
        if inside(&p, in_b, &mut (0..count).map(|t| pair.triangle_b(t)))? {
            return Ok(Some(Inner::A));
        }
    }
    for p in b.witnesses() {
        if inside(&pair.pose.apply(&p), in_a, &mut a.mesh().corners())? {
            return Ok(Some(Inner::B));
        }
    }
    Ok(None)
}

/// Winding number of `p`, which is off the surface, by exact crossings of a ray.
fn winding<C: Counter>(
    p: &Point,
    triangles: &mut dyn Iterator<Item = Triangle>,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<i32, Cancelled> {
    let mut winding = 0;
    for (at, triangle) in triangles.enumerate() {
        if at % STRIDE == 0 {
            control.check()?;
        }
        counter.primitives(1);
        if let Crossing::Adds(n) = crossing(&triangle, p) {
            winding += n;
        }
    }
    Ok(winding)
}
