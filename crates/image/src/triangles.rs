//! The exact test of two triangles: a floating-point filter, then exact signs. And of two patches:
//! before it, a sweep over their triangles' bounds along one axis.

use std::ops::ControlFlow;

use impinge_geometry::triangle::{Outcome, sat17};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle, exact};
use impinge_query::{Cancelled, Contact, Control, Counter};

use crate::body::Parts;
use crate::pair::Pair;

/// Pairs of bounds compared between two polls of the caller's flag.
const STRIDE: u32 = 256;

/// A triangle and its bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub(crate) index: u32,
    pub(crate) corners: Triangle,
    pub(crate) low: Point,
    pub(crate) high: Point,
}

impl Bounded {
    #[inline]
    pub(crate) fn new(index: u32, corners: Triangle) -> Self {
        let [a, b, c] = corners;
        Self { index, corners, low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c) }
    }

    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Whether the bounds share a point with a box.
    pub(crate) fn reaches(&self, region: &Aabb) -> bool {
        (0..3).all(|k| self.low[k] <= region.max[k] && region.min[k] <= self.high[k])
    }
}

/// Least and greatest coordinates of all of them; `None` if there are none.
pub(crate) fn bounds(all: &[Bounded]) -> Option<(Point, Point)> {
    let (first, rest) = all.split_first()?;
    let join = |(low, high): (Point, Point), t: &Bounded| (low.inf(&t.low), high.sup(&t.high));
    Some(rest.iter().fold((first.low, first.high), join))
}

/// Buffers for the triangles of two patches, kept to reuse their allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triangles {
    of_a: Vec<Bounded>,
    of_b: Vec<Bounded>,
}

impl Triangles {
    /// Passes every pair of triangles of two patches that meet to `hit`, each once, until it breaks
    /// off.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn meet<C: Counter, M: Parts>(
        &mut self,
        pair: &Pair<'_, M>,
        [p, q]: [u32; 2],
        counter: &mut C,
        control: &Control<'_>,
        mut hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        control.check()?;
        if !self.gather(pair, [p, q]) {
            return Ok(ControlFlow::Continue(()));
        }
        let mut looks = 0;
        let mut test = |s: &Bounded, t: &Bounded| {
            looks += 1;
            if looks % STRIDE == 0 {
                control.check()?;
            }
            counter.volumes(1);
            let meets = s.overlaps(t) && meet(&s.corners, &t.corners, counter);
            Ok(if meets {
                hit(Contact { a: s.index, b: t.index })
            } else {
                ControlFlow::Continue(())
            })
        };
        sweep(&self.of_a, &self.of_b, &mut test)
    }

    /// Collects the triangles that reach into the intersection of both patches' bounds, sorted for
    /// [`sweep`] along its longest axis; `false` if the intersection is empty.
    fn gather<M: Parts>(&mut self, pair: &Pair<'_, M>, [p, q]: [u32; 2]) -> bool {
        let [a, b] = pair.bodies();
        let faces_a = a.decomposition().patches()[p as usize].faces();
        let faces_b = b.decomposition().patches()[q as usize].faces();
        self.of_a.clear();
        self.of_b.clear();
        self.of_a.extend(faces_a.iter().map(|&t| Bounded::new(t, pair.triangle_a(t))));
        self.of_b.extend(faces_b.iter().map(|&t| Bounded::new(t, pair.triangle_b(t))));
        let Some((a, b)) = bounds(&self.of_a).zip(bounds(&self.of_b)) else { return false };
        let around = |(min, max)| Aabb { min, max };
        let Some(region) = around(a).intersection(&around(b)) else { return false };
        self.of_a.retain(|t| t.reaches(&region));
        self.of_b.retain(|t| t.reaches(&region));
        // Halved, because the difference may overflow.
        let axis = (region.max.coords * 0.5 - region.min.coords * 0.5).imax();
        for all in [&mut self.of_a, &mut self.of_b] {
            for t in all.iter_mut() {
                t.turn(axis);
            }
            all.sort_unstable_by(|s, t| s.low.x.total_cmp(&t.low.x));
        }
        true
    }
}

impl Bounded {
    /// Swaps the bounds' first axis with another; done for both lists alike.
    fn turn(&mut self, axis: usize) {
        self.low.coords.swap_rows(0, axis);
        self.high.coords.swap_rows(0, axis);
    }
}

/// Calls `test` once for every pair whose intervals on the first axis overlap; both lists must be
/// sorted by their lower ends.
fn sweep(
    of_a: &[Bounded],
    of_b: &[Bounded],
    test: &mut impl FnMut(&Bounded, &Bounded) -> Result<ControlFlow<()>, Cancelled>,
) -> Result<ControlFlow<()>, Cancelled> {
    let (mut i, mut j) = (0, 0);
    while let (Some(s), Some(t)) = (of_a.get(i), of_b.get(j)) {
        let a_first = s.low.x <= t.low.x;
        let end = if a_first { s.high.x } else { t.high.x };
        let others = if a_first { &of_b[j..] } else { &of_a[i..] };
        for other in others.iter().take_while(|other| other.low.x <= end) {
            let step = if a_first { test(s, other)? } else { test(other, t)? };
            if step.is_break() {
                return Ok(step);
            }
        }
        if a_first {
            i += 1;
        } else {
            j += 1;
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Whether the closed triangles share a point. Exact.
pub(crate) fn meet(p: &Triangle, q: &Triangle, counter: &mut impl Counter) -> bool {
    counter.primitives(1);
    match sat17(p, q) {
        Outcome::Hit => true,
        Outcome::Miss => false,
        Outcome::Undecided => {
            counter.exact(1);
            exact::triangles_meet(p, q)
        }
    }
}
