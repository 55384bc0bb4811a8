//! Triangulation of one polygon in space: n corners give n − 2 triangles on the same corners.
//!
//! 1. Newell's normal, from coordinates relative to the first corner, scaled by a power of two to
//!    at most 1 so that nothing overflows.
//! 2. Projection along the normal's largest axis. Dropping a coordinate is free of rounding:
//!    collinear corners stay collinear.
//! 3. Quadrilaterals are cut along the better diagonal, larger polygons by ear clipping (crate
//!    `earcut`). They are tested for self-crossings: of more than [`FEW`] corners before, and then not
//!    clipped, since that may take long; of fewer after it, since a crossing may be one by rounding only.
//! 4. Ear clipping omits corners on a straight line. The resulting gaps along polygon and cut edges
//!    are closed with (degenerate) triangles, so that every polygon edge is the edge of exactly one
//!    triangle and neighbouring polygons still match.
//! 5. If that does not give n − 2 triangles, the polygon is degenerate or crosses itself; it is cut
//!    as a fan around its first corner.

use std::collections::BTreeMap;

use earcut::Earcut;
use impinge_geometry::{Point, Vector};

use super::crossing::Crossings;

/// Most corners of a polygon: ear clipping may take quadratic time (a star of 131072 corners took
/// 16 s), and `earcut` addresses its nodes by 32-bit byte offsets. Unit: corners.
pub(super) const MAX_CORNERS: usize = 1 << 16;

/// Polygons of at most this many corners are clipped even if they cross themselves. Unit: corners.
const FEW: usize = 32;

/// Polygons of more corners than this count against [`MOST_WORK`] with the square of their corners.
/// Unit: corners.
const MANY: usize = 1 << 12;

/// Limit of the sum, over all large polygons of a file, of their corners squared: half a minute of
/// clipping. Unit: corners squared.
const MOST_WORK: u64 = 1 << 35;

/// How a polygon was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// By ears: correct for a simple, nearly planar polygon.
    Ears,
    /// By ears, of a polygon that crosses itself: they may overlap, or be outside it.
    Crossed,
    /// As a fan, since the polygon has no area or crosses itself.
    Fan,
}

/// Triangulates polygons; reuses its buffers.
#[derive(Default)]
pub(super) struct Triangulator {
    earcut: Earcut<f64>,
    crossings: Crossings,
    /// Sum of the squared corner counts of large polygons so far.
    work: u64,
    flat: Vec<[f64; 2]>,
    ears: Vec<u32>,
    /// Directed edges that still need a triangle, between ring positions: `from` to every `to`.
    open: BTreeMap<u32, Vec<u32>>,
}

impl Triangulator {
    /// Appends the `face.len() - 2` triangles of `face` to `triangles`. Coordinates must be
    /// finite, indices in range, and there must be at least three corners, at most
    /// [`MAX_CORNERS`].
    ///
    /// # Errors
    /// A message, if the polygons so far need too much work.
    pub(super) fn cut(
        &mut self,
        vertices: &[Point],
        face: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<Cut, String> {
        let n = face.len();
        if let &[a, b, c] = face {
            triangles.push([a, b, c]);
            return Ok(Cut::Ears);
        }
        let start = triangles.len();
        if self.project(vertices, face) {
            if let &[a, b, c, d] = face {
                let cut = quadrilateral(&self.flat);
                let first = if cut.ac { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                triangles.extend(first);
                return Ok(if cut.simple { Cut::Ears } else { Cut::Fan });
            }
            if self.clip(n)? && self.close_gaps(n as u32) {
                let (ears, _) = self.ears.as_chunks::<3>();
                triangles.extend(ears.iter().map(|ear| ear.map(|i| face[i as usize])));
                let crossed = n <= FEW && self.crossings.any(&self.flat)?;
                return Ok(if crossed { Cut::Crossed } else { Cut::Ears });
            }
        }
        triangles.truncate(start);
        triangles.extend((1..n - 1).map(|i| [face[0], face[i], face[i + 1]]));
        Ok(Cut::Fan)
    }

    /// Step 3 for larger polygons: fills `ears`. False if the polygon crosses itself.
    fn clip(&mut self, n: usize) -> Result<bool, String> {
        if n > FEW && self.crossings.any(&self.flat)? {
            return Ok(false);
        }
        if n > MANY {
            self.work += (n * n) as u64;
            if self.work > MOST_WORK {
                return Err(format!(
                    "the polygon has {n} corners, too many to be triangulated after the other large polygons"
                ));
            }
        }
        self.ears.clear();
        self.earcut.earcut(self.flat.iter().copied(), &[], &mut self.ears);
        Ok(true)
    }

    /// Steps 1 and 2: fills `flat` with the counter-clockwise projection. False if the polygon has
    /// no area.
    fn project(&mut self, vertices: &[Point], face: &[u32]) -> bool {
        let largest = face.iter().map(|&v| vertices[v as usize].coords.amax()).fold(0.0, f64::max);
        if largest == 0.0 {
            return false;
        }
        let scale = downscaling(largest);
        let point = |i: usize| vertices[face[i] as usize].coords * scale;
        let origin = point(0);
        let mut normal = Vector::zeros();
        let mut last = point(face.len() - 1) - origin;
        for i in 0..face.len() {
            let next = point(i) - origin;
            normal += last.cross(&next);
            last = next;
        }
        let axis = normal.iamax();
        if normal[axis] == 0.0 {
            return false;
        }
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        self.flat.clear();
        self.flat.extend((0..face.len()).map(|i| {
            let p = point(i);
            [p[u], p[v]]
        }));
        true
    }

    /// Step 4: adds triangles to `ears` until every ring edge and every inner edge has its
    /// triangle. False if `n - 2` triangles do not suffice.
    fn close_gaps(&mut self, n: u32) -> bool {
        let (ears, _) = self.ears.as_chunks_mut::<3>();
        for ear in &mut *ears {
            if !is_in_order(*ear) {
                ear.swap(1, 2);
            }
        }
        let wanted = n as usize - 2;
        if ears.len() == wanted {
            // The clipper removes one corner per triangle, so no corner was omitted.
            return true;
        }
        if ears.is_empty() || ears.len() > wanted {
            return false;
        }
        self.open.clear();
        for i in 0..n {
            self.open.entry(i).or_default().push((i + 1) % n);
        }
        for t in 0..self.ears.len() / 3 {
            for k in 0..3 {
                self.cover(self.ears[3 * t + k], self.ears[3 * t + (k + 1) % 3]);
            }
        }
        while self.ears.len() < 3 * wanted {
            let Some(first) = self.open.keys().next().copied() else { return false };
            if !self.fill_loop(first, n) {
                return false;
            }
        }
        self.ears.len() == 3 * wanted && self.open.is_empty()
    }

    /// Removes the directed edge from the open ones; if it is not open, opens its reverse.
    fn cover(&mut self, from: u32, to: u32) {
        if !self.take(from, to) {
            self.open.entry(to).or_default().push(from);
        }
    }

    fn take(&mut self, from: u32, to: u32) -> bool {
        let Some(ends) = self.open.get_mut(&from) else { return false };
        let Some(i) = ends.iter().position(|&end| end == to) else { return false };
        ends.swap_remove(i);
        if ends.is_empty() {
            self.open.remove(&from);
        }
        true
    }

    /// Fills one closed loop of open edges with a fan.
    fn fill_loop(&mut self, first: u32, n: u32) -> bool {
        let mut ring = vec![first];
        let mut here = first;
        loop {
            let Some(&next) = self.open.get(&here).and_then(|ends| ends.last()) else {
                return false;
            };
            self.take(here, next);
            if next == first {
                break;
            }
            ring.push(next);
            if ring.len() > n as usize {
                return false;
            }
            here = next;
        }
        if ring.len() < 3 {
            return false;
        }
        for pair in ring[1..].windows(2) {
            self.ears.extend([first, pair[0], pair[1]]);
        }
        true
    }
}

/// A power of two that scales `largest`, which is nonzero, to at most 1.
fn downscaling(largest: f64) -> f64 {
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    f64::from_bits(((1023 - exponent - 1).clamp(1, 2046) as u64) << 52)
}

/// Whether three ring positions are in ring order, as in every triangle that has the ring's
/// orientation.
fn is_in_order([a, b, c]: [u32; 3]) -> bool {
    [a < b, b < c, c < a].into_iter().filter(|&rises| rises).count() == 2
}

/// The cut of a quadrilateral.
struct Quadrilateral {
    /// True: along the first and third corner; false: along the second and fourth.
    ac: bool,
    /// Whether both triangles have the quadrilateral's orientation.
    simple: bool,
}

/// The diagonal whose worse triangle is better; the first diagonal in a tie.
fn quadrilateral(flat: &[[f64; 2]]) -> Quadrilateral {
    let area = |i: usize, j: usize, k: usize| {
        let ([ax, ay], [bx, by], [cx, cy]) = (flat[i], flat[j], flat[k]);
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    let ac = area(0, 1, 2).min(area(0, 2, 3));
    let bd = area(0, 1, 3).min(area(1, 2, 3));
    Quadrilateral { ac: ac >= bd, simple: ac.max(bd) >= 0.0 }
}
