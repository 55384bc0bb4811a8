//! The triangles of both meshes that reach into both separating bounding volumes (fig. 4, the loop),
//! kept as triangles and clipped, because one may cross the region with all corners outside.
//!
//! **Notation.** The heights of a point are its products with the three [`Axes`]. A region is a
//! [`Volume`] `[L, U]` that holds the exact heights of every point common to both meshes.
//!
//! **Proof that no common point is lost.** Let `x` be a common point on a triangle. The triangle of
//! the *computed* heights of its corners has a point `y`, with the same weights, whose heights are
//! within `e` of those of `x`: [`Points::doubt`](crate::points::Points::doubt) bounds each corner.
//! That triangle is cut by the six planes of the region, moved outward by `g`, one after the other. A
//! cut leaves nothing, the triangle, or one or two triangles that cover what is left. A new corner
//! `v = p + t (q − p)`, `t = (c − pₖ) / (qₖ − pₖ)`, takes three roundings for `t` and three more: it
//! is within `12 u H` of its exact place, `H` the largest height; `δ = 16 u H` is granted. So if a
//! triangle before a cut has a point on the inner side, one after it has a point within `δ` of that,
//! with the same weights of moved corners. After six cuts there is a triangle with a point within
//! `6 δ` of `y`, if `g ≥ e + 6 δ`, since until then none of these points was on an outer side. Hence
//! the heights of `x` are within `g` of what is left, and the slabs around all that is left of a
//! mesh, moved outward by `g`, hold them. `g = e + 8 δ` also covers the rounding of the sums.

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control, Counter};

use crate::points::{Points, UNDERFLOW, mark};
use crate::volume::{Axes, Slab, Volume};

/// Triangles visited between two looks at the caller's flag.
const LOOK: usize = 1 << 12;

/// Unit of rounding of f64.
const UNIT: f64 = f64::EPSILON / 2.0;

/// `δ / (u H)` of the proof; 12 are needed.
const CLIP: f64 = 16.0;

/// Multiples of `δ` in `g`; 6 and a few roundings are needed.
const CLIPS: f64 = 8.0;

/// The heights of a triangle's corners.
type Heights = [[f64; 3]; 3];

/// A triangle and the heights of its corners.
#[derive(Clone, Copy, Debug)]
struct Part {
    index: u32,
    heights: Heights,
}

/// The triangles that are left of both meshes. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    lists: [Vec<Part>; 2],
    /// The heights of all vertices of each mesh, padded.
    heights: [[Vec<f64>; 3]; 2],
    /// A code for each vertex: the planes it lies beyond.
    codes: Vec<u16>,
    left: [Vec<u32>; 2],
}

/// How the rounds ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shrunk {
    /// The region; `None` if there is no common point.
    pub(crate) region: Option<Volume>,
    pub(crate) rounds: u32,
}

impl Parts {
    /// The heights of one mesh's vertices, and the volume around them.
    pub(crate) fn measure(
        &mut self,
        side: usize,
        points: &Points,
        axes: &Axes,
        control: &Control<'_>,
    ) -> Result<Volume, Cancelled> {
        let mut volume = Volume::EMPTY;
        for (k, heights) in self.heights[side].iter_mut().enumerate() {
            control.check()?;
            volume.0[k] = points.measure(&axes.0[k], heights);
        }
        Ok(volume)
    }

    /// Collects the triangles of one mesh with a chance to reach into `common`, the exact
    /// intersection of both meshes' bounds, and into `clip`: those without all corners beyond one
    /// plane of either. Its vertices are measured.
    pub(crate) fn collect<C: Counter>(
        &mut self,
        side: usize,
        (mesh, points): (&Mesh, &Points),
        (common, clip): (&Volume, &Volume),
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<(), Cancelled> {
        let (list, codes, heights) = (&mut self.lists[side], &mut self.codes, &self.heights[side]);
        list.clear();
        codes.clear();
        codes.resize(points.padded(), 0);
        for k in 0..3 {
            control.check()?;
            mark(points.along(k), common.0[k], k, codes);
            mark(&heights[k], clip.0[k], 3 + k, codes);
        }
        for (index, corners) in mesh.triangles().iter().enumerate() {
            if index % LOOK == 0 {
                control.check()?;
                counter.volumes((mesh.triangles().len() - index).min(LOOK) as u64);
            }
            if corners.iter().fold(u16::MAX, |all, &v| all & codes[v as usize]) == 0 {
                let heights = corners.map(|v| [0, 1, 2].map(|k: usize| heights[k][v as usize]));
                list.push(Part { index: index as u32, heights });
            }
        }
        Ok(())
    }

    /// Shrinks a region to `SBV(I(A)) ∩ SBV(I(B))` of the triangles collected until it is empty, or a
    /// round drops less than `least_drop` of them, or none, or for `rounds`, at least one. `margin`
    /// is `g` of the proof.
    pub(crate) fn shrink<C: Counter>(
        &mut self,
        (mut region, margin): (Volume, f64),
        (rounds, least_drop): (u32, f64),
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<Shrunk, Cancelled> {
        let mut round = 0;
        loop {
            if self.lists.iter().any(Vec::is_empty) || region.is_empty() {
                return Ok(Shrunk { region: None, rounds: round });
            }
            let before = self.count().iter().sum::<usize>();
            let clip = region.widened(margin);
            for list in &mut self.lists {
                let left = reduce(list, &clip, counter, control)?;
                region = region.and(&left.widened(margin));
            }
            counter.updated(2);
            round += 1;
            let dropped = before - self.count().iter().sum::<usize>();
            let little = dropped == 0 || (dropped as f64) < least_drop * before as f64;
            if (little || round >= rounds)
                && !region.is_empty()
                && self.lists.iter().all(|list| !list.is_empty())
            {
                return Ok(Shrunk { region: Some(region), rounds: round });
            }
        }
    }

    /// The numbers of triangles left.
    pub(crate) fn count(&self) -> [usize; 2] {
        [self.lists[0].len(), self.lists[1].len()]
    }

    /// The indices of the triangles left, ascending.
    pub(crate) fn left(&mut self) -> [&[u32]; 2] {
        for (left, list) in self.left.iter_mut().zip(&self.lists) {
            left.clear();
            left.extend(list.iter().map(|part| part.index));
        }
        [&self.left[0], &self.left[1]]
    }
}

/// `g` of the proof, for heights that are off by at most `doubt` and a largest height `most`.
pub(crate) fn margin(doubt: f64, most: f64) -> f64 {
    doubt + CLIPS * (CLIP * UNIT * most + UNDERFLOW)
}

/// Whether the bounds of a triangle reach into a box along the axes of the frame. Exact.
#[inline(always)]
fn reaches(corners: &Heights, common: &Volume) -> bool {
    let [a, b, c] = corners;
    (0..3).all(|k| {
        let Slab { low, high } = common.0[k];
        a[k].min(b[k]).min(c[k]) <= high && a[k].max(b[k]).max(c[k]) >= low
    })
}

/// Keeps the triangles of which the clip leaves something, and returns the volume around what it
/// leaves.
fn reduce<C: Counter>(
    list: &mut Vec<Part>,
    clip: &Volume,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Volume, Cancelled> {
    let mut around = Volume::EMPTY;
    let (mut kept, total) = (0, list.len());
    for i in 0..total {
        if i % LOOK == 0 {
            control.check()?;
            counter.volumes((total - i).min(LOOK) as u64);
        }
        let part = list[i];
        if cut(&part.heights, clip, &mut around) {
            list[kept] = part;
            kept += 1;
        }
    }
    list.truncate(kept);
    Ok(around)
}

/// A half-space `side · hₖ ≤ side · c`.
#[derive(Clone, Copy, Debug)]
struct Plane {
    k: usize,
    c: f64,
    side: f64,
}

impl Plane {
    fn has(&self, h: &[f64; 3]) -> bool {
        self.side * h[self.k] <= self.side * self.c
    }

    /// The point of the plane on the segment from a point inside to one outside.
    fn between(&self, p: &[f64; 3], q: &[f64; 3]) -> [f64; 3] {
        let k = self.k;
        let t = (self.c - p[k]) / (q[k] - p[k]);
        let mut v = [0, 1, 2].map(|j| p[j] + t * (q[j] - p[j]));
        v[k] = self.c;
        v
    }
}

/// Clips a triangle of heights and adds what is left to `around`; `false` if nothing is.
fn cut(heights: &Heights, clip: &Volume, around: &mut Volume) -> bool {
    if !reaches(heights, clip) {
        return false;
    }
    let [x, y, z] = clip.0;
    let plane = |k, c, side| Plane { k, c, side };
    let planes = [
        plane(0, x.low, -1.0),
        plane(0, x.high, 1.0),
        plane(1, y.low, -1.0),
        plane(1, y.high, 1.0),
        plane(2, z.low, -1.0),
        plane(2, z.high, 1.0),
    ];
    cut_by(heights, &planes, around)
}

fn cut_by(corners: &Heights, planes: &[Plane], around: &mut Volume) -> bool {
    let Some((plane, rest)) = planes.split_first() else {
        for h in corners {
            around.add(h);
        }
        return true;
    };
    let inside = corners.map(|h| plane.has(&h));
    // The corner that is alone on its side comes first.
    let alone = |is: bool| (0..3).find(|&i| inside[i] == is).unwrap_or(0);
    let turned = |i: usize| [0, 1, 2].map(|j| corners[(i + j) % 3]);
    match inside.iter().filter(|is| **is).count() {
        3 => cut_by(corners, rest, around),
        2 => {
            let [out, p, q] = turned(alone(false));
            let (from_p, from_q) = (plane.between(&p, &out), plane.between(&q, &out));
            // Both, since each may add to `around`.
            cut_by(&[p, q, from_q], rest, around) | cut_by(&[p, from_q, from_p], rest, around)
        }
        1 => {
            let [p, q, r] = turned(alone(true));
            cut_by(&[p, plane.between(&p, &q), plane.between(&p, &r)], rest, around)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
