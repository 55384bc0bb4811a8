//! Tests two patches: planes dismiss pairs of triangles, many vertices at a time, and the edges
//! that cross a triangle's plane decide the remaining pairs.
//!
//! 1. Triangles outside the intersection of both patches' bounds are dropped.
//! 2. For the plane of each remaining triangle, compute the sides of the other patch's vertices. A
//!    triangle whose three vertices are certainly on one side does not meet it.
//! 3. For each remaining pair, test the edges of each triangle that may cross the other's plane
//!    against the other triangle. An edge shared by two triangles is tested once.
//! 4. Pairs that no edge decides go to exact arithmetic.

use std::ops::ControlFlow;

use impinge_geometry::segment::segment_triangle;
use impinge_geometry::triangle::{Outcome, TrianglePlane};
use impinge_geometry::{Point, Pose, Triangle, exact};
use impinge_query::{Contact, Counter};

use crate::bounds::Bounds;
use crate::patches::{MOST, MOST_VERTICES, Patch};
use crate::workers::Work;

/// A patch in A's frame.
struct Side<'p> {
    patch: Patch<'p>,
    points: &'p [Point],
    /// For each triangle, its corners as bits of vertices.
    corners: [u32; MOST],
    /// Bits of the triangles that are not dropped.
    alive: u8,
    /// Bits of the vertices of these triangles.
    wanted: u32,
}

/// Bits of the vertices certainly above a plane, and certainly below it.
#[derive(Clone, Copy, Default)]
struct Sides {
    above: u32,
    below: u32,
}

impl Sides {
    /// An edge's end above the plane and its end below, if both are certain.
    #[inline(always)]
    const fn through(self, [u, v]: [u8; 2]) -> Option<[u8; 2]> {
        let (up, down) =
            (self.above >> u & self.below >> v & 1, self.below >> u & self.above >> v & 1);
        match (up, down) {
            (1, _) => Some([u, v]),
            (_, 1) => Some([v, u]),
            _ => None,
        }
    }

    /// Whether all of these vertices are certainly on one side.
    #[inline(always)]
    const fn apart(self, vertices: u32) -> bool {
        vertices & !self.above == 0 || vertices & !self.below == 0
    }
}

impl<'p> Side<'p> {
    /// Keeps the triangles that reach into `region`: those whose corners are not all outside one of
    /// its faces.
    #[inline(always)]
    fn new(patch: Patch<'p>, points: &'p [Point], region: &Bounds) -> Self {
        // Outcodes: the faces of the region that a vertex is outside of (Cohen and Sutherland).
        let mut codes = [0_u8; MOST_VERTICES];
        for (code, p) in codes.iter_mut().zip(points) {
            for k in 0..3 {
                *code |= u8::from(p[k] < region.low[k]) << k;
                *code |= u8::from(p[k] > region.high[k]) << (k + 3);
            }
        }
        let (mut alive, mut corners, mut wanted) = (0, [0; MOST], 0);
        for (f, &[p, q, r]) in patch.faces.iter().enumerate() {
            let bits = 1_u32 << p | 1 << q | 1 << r;
            let code = |v: u8| codes[usize::from(v)];
            let reaches = code(p) & code(q) & code(r) == 0;
            corners[f] = bits;
            alive |= u8::from(reaches) << f;
            wanted |= if reaches { bits } else { 0 };
        }
        Self { patch, points, corners, alive, wanted }
    }

    /// Tests an edge of this patch against a triangle; `sides` are those of this patch's vertices
    /// relative to the triangle's plane.
    #[inline(always)]
    fn edge_meets(&self, ends: [u8; 2], sides: Sides, face: &Face) -> Outcome {
        let point = |v: u8| &self.points[usize::from(v)];
        match (sides.through(ends), &face.plane) {
            (Some([up, down]), Some(plane)) => plane.pierced(point(up), point(down)),
            _ => segment_triangle(point(ends[0]), point(ends[1]), &face.corners),
        }
    }

    #[inline(always)]
    fn triangle(&self, f: usize) -> Triangle {
        self.patch.faces[f].map(|v| self.points[usize::from(v)])
    }

    /// A triangle and its plane, valid for points in `around`.
    #[inline(always)]
    fn face(&self, f: usize, around: &Bounds) -> Face {
        let corners = self.triangle(f);
        Face { corners, plane: TrianglePlane::new(&corners, &around.low, &around.high) }
    }

    /// The certain sides of this patch's vertices relative to a triangle's plane.
    #[inline(always)]
    fn sides_of(&self, face: &Face) -> Sides {
        let mut sides = Sides::default();
        let Some(plane) = &face.plane else { return sides };
        each_bit(self.wanted, |v| {
            let (above, below) = plane.side(&self.points[v]);
            sides.above |= u32::from(above) << v;
            sides.below |= u32::from(below) << v;
        });
        sides
    }
}

/// A triangle and its plane; the plane is `None` if products might overflow.
struct Face {
    corners: Triangle,
    plane: Option<TrianglePlane>,
}

/// Calls `each` with the index of every set bit.
#[inline(always)]
fn each_bit(mut bits: u32, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Two patches in A's frame, and the state of their pairs of triangles.
struct Pair<'p> {
    a: Side<'p>,
    b: Side<'p>,
    /// Bit `f` of element `g`: triangles `f` of A and `g` of B may meet.
    open: [u8; MOST],
    /// They certainly meet.
    hits: [u8; MOST],
    /// An edge of one is too close to the other to be certain.
    close: [u8; MOST],
    /// Sides of A's vertices, for the plane of each of B's triangles.
    of_a: [Sides; MOST],
    /// Sides of B's vertices, for the plane of each of A's triangles.
    of_b: [Sides; MOST],
}

/// Finds all contacts of two patches, or the first. Exact.
pub(crate) fn meet<C: Counter>(
    a: Patch<'_>,
    b: Patch<'_>,
    pose: &Pose,
    work: &mut Work<'_, C>,
) -> ControlFlow<()> {
    let mut posed = [Point::origin(); MOST_VERTICES];
    let posed = &mut posed[..b.vertices.len()];
    let mut around = Bounds::EMPTY;
    for (p, v) in posed.iter_mut().zip(b.vertices) {
        *p = pose.apply(v);
        around = around.with(p);
    }
    work.counter.volumes(1);
    if !around.overlap(a.bounds) {
        return ControlFlow::Continue(());
    }
    let region = around.common(a.bounds);
    work.counter.volumes((a.faces.len() + b.faces.len()) as u64);
    let side_a = Side::new(a, a.vertices, &region);
    let side_b = Side::new(b, posed, &region);
    if side_a.alive == 0 || side_b.alive == 0 {
        return ControlFlow::Continue(());
    }
    let none = [Sides::default(); MOST];
    let (open, hits, close) = ([0; MOST], [0; MOST], [0; MOST]);
    let mut pair = Pair { a: side_a, b: side_b, open, hits, close, of_a: none, of_b: none };
    if !pair.sort_out(work.first(), a.bounds, &around) {
        return ControlFlow::Continue(());
    }
    if !(work.first() && pair.hits != [0; MOST]) {
        pair.edges_of_a(a.bounds, work);
    }
    if !(work.first() && pair.hits != [0; MOST]) {
        pair.edges_of_b(&around, work);
    }
    pair.report(work)
}

impl Pair<'_> {
    /// If one contact is enough: looks at once for an edge of A that certainly pierces triangle `g`
    /// of B.
    #[inline(always)]
    fn pierces(&mut self, g: usize, face: &Face) -> bool {
        let Some(plane) = &face.plane else { return false };
        for edge in self.a.patch.edges {
            let owners = edge.faces & self.open[g];
            if owners == 0 {
                continue;
            }
            let Some(ends) = self.of_a[g].through(edge.ends) else { continue };
            let [up, down] = ends.map(|v| &self.a.points[usize::from(v)]);
            if plane.pierced(up, down) == Outcome::Hit {
                self.hits[g] |= owners;
                return true;
            }
        }
        false
    }

    /// Step 2; returns whether any pair is left. If one contact is enough, it may be found here.
    #[inline(always)]
    fn sort_out(&mut self, first: bool, around_a: &Bounds, around_b: &Bounds) -> bool {
        let mut any = 0;
        let mut left = self.b.alive;
        while left != 0 {
            let g = left.trailing_zeros() as usize;
            left &= left - 1;
            let face = self.b.face(g, around_a);
            let sides = self.a.sides_of(&face);
            let mut open = 0;
            each_bit(self.a.alive.into(), |f| {
                open |= u8::from(!sides.apart(self.a.corners[f])) << f;
            });
            (self.of_a[g], self.open[g]) = (sides, open);
            any |= open;
            if first && open != 0 && self.pierces(g, &face) {
                return true;
            }
        }
        let mut left = 0;
        each_bit(any.into(), |f| {
            let sides = self.b.sides_of(&self.a.face(f, around_b));
            self.of_b[f] = sides;
            each_bit(self.b.alive.into(), |g| {
                if sides.apart(self.b.corners[g]) {
                    self.open[g] &= !(1 << f);
                }
                left |= self.open[g];
            });
        });
        left != 0
    }

    /// Step 3, A's edges against B's triangles. Skips edges on one side of a plane, and edges only
    /// of triangles that are known to meet.
    fn edges_of_a<C: Counter>(&mut self, around: &Bounds, work: &mut Work<'_, C>) {
        for g in 0..self.b.patch.faces.len() {
            if self.open[g] == 0 {
                continue;
            }
            let face = self.b.face(g, around);
            for edge in self.a.patch.edges {
                let owners = edge.faces & self.open[g] & !self.hits[g];
                let [u, v] = edge.ends;
                if owners == 0 || self.of_a[g].apart(1 << u | 1 << v) {
                    continue;
                }
                work.counter.primitives(1);
                match self.a.edge_meets([u, v], self.of_a[g], &face) {
                    Outcome::Hit => {
                        self.hits[g] |= owners;
                        if work.first() {
                            return;
                        }
                    }
                    Outcome::Undecided => self.close[g] |= owners,
                    Outcome::Miss => {}
                }
            }
        }
    }

    /// Step 3, B's edges against A's triangles.
    fn edges_of_b<C: Counter>(&mut self, around: &Bounds, work: &mut Work<'_, C>) {
        for f in 0..self.a.patch.faces.len() {
            let bit = 1_u8 << f;
            // Triangles of B that may meet this one, as bits.
            let mut wanted = 0;
            for g in 0..self.b.patch.faces.len() {
                wanted |= u8::from(self.open[g] & !self.hits[g] & bit != 0) << g;
            }
            if wanted == 0 {
                continue;
            }
            let face = self.a.face(f, around);
            for edge in self.b.patch.edges {
                let owners = edge.faces & wanted;
                let [u, v] = edge.ends;
                if owners == 0 || self.of_b[f].apart(1 << u | 1 << v) {
                    continue;
                }
                work.counter.primitives(1);
                let outcome = self.b.edge_meets([u, v], self.of_b[f], &face);
                if outcome == Outcome::Hit {
                    wanted &= !owners;
                }
                each_bit(owners.into(), |g| match outcome {
                    Outcome::Hit => self.hits[g] |= bit,
                    Outcome::Undecided => self.close[g] |= bit,
                    Outcome::Miss => {}
                });
            }
        }
    }

    /// Step 4, and reporting the contacts.
    fn report<C: Counter>(&self, work: &mut Work<'_, C>) -> ControlFlow<()> {
        for g in 0..self.b.patch.faces.len() {
            let mut open = self.hits[g] | self.close[g];
            while open != 0 {
                let f = open.trailing_zeros() as usize;
                open &= open - 1;
                let contact =
                    Contact { a: self.a.patch.triangles[f], b: self.b.patch.triangles[g] };
                if self.hits[g] & 1 << f != 0 {
                    work.hit(contact)?;
                    continue;
                }
                work.counter.exact(1);
                if exact::triangles_meet(&self.a.triangle(f), &self.b.triangle(g)) {
                    work.hit(contact)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
