//! Two solids around a common segment: the half-planes that meet in its line, sorted by angle, and
//! which of the wedges between them are inside.

use crate::predicates::{Drop, Sign, collinear, orient2d, orient3d};
use crate::{Point, Triangle};

use super::Undecided;
use super::relation::{Chord, Relation, axis};
use super::solid::{Sides, Solid};

/// A half-plane of a surface, bounded by the line of the fan.
struct Ray {
    /// A point of it off the line.
    point: Point,
    /// Which solid: 0 or 1.
    solid: usize,
    /// Whether it is the front of the triangle that is met when turning on from here.
    front_ahead: bool,
    sides: Sides,
}

/// Whether the solids have common inner points near the points that the pair of triangles shares.
///
///
/// # Errors
/// [`Undecided::Degenerate`].
pub(super) fn overlap(
    solids: [&Solid<'_>; 2],
    pair: [u32; 2],
    relation: Relation,
) -> Result<bool, Undecided> {
    let triangles: [Triangle; 2] = [0, 1].map(|m| solids[m].mesh.triangle(pair[m]));
    let sides = [0, 1].map(|m| solids[m].sides(pair[m]));
    match relation {
        Relation::Nothing => Ok(false),
        // Each triangle has a side that is inside; the four wedges have all combinations.
        Relation::Cross => Ok(true),
        Relation::Along(along) => {
            // The line is that of a side, in the direction of this triangle's corners.
            let owner = usize::from(along[0] == Chord::Inside);
            let Chord::Side(k) = along[owner] else { return Ok(false) };
            let line = [triangles[owner][k], triangles[owner][(k + 1) % 3]];
            let mut rays = Vec::with_capacity(4);
            for m in 0..2 {
                match along[m] {
                    Chord::Side(side) => at_side(solids[m], pair[m], side, &line, &mut rays)?,
                    Chord::Inside => {
                        let off = triangles[1 - m][(k + 2) % 3];
                        across(&triangles[m], m, sides[m], &line, &off, &mut rays);
                    }
                }
            }
            Ok(some_wedge_in_both(&line, rays))
        }
    }
}

/// The half-planes of both triangles at a side of `triangle`.
fn at_side(
    solid: &Solid<'_>,
    triangle: u32,
    side: usize,
    line: &[Point; 2],
    rays: &mut Vec<Ray>,
) -> Result<(), Undecided> {
    let own = solid.mesh.triangle(triangle);
    let k = axis(&line[0], &line[1]);
    let same_way = (own[(side + 1) % 3][k] > own[side][k]) == (line[1][k] > line[0][k]);
    let (sides, number) = (solid.sides(triangle), solid.number);
    // A triangle whose side runs along the line has its front ahead.
    rays.push(Ray { point: own[(side + 2) % 3], solid: number, front_ahead: same_way, sides });
    let (neighbor, point) = solid.across(triangle, side);
    let point = point.filter(|p| !collinear(&line[0], &line[1], p));
    let Some(point) = point else {
        return Err(Undecided::Degenerate { mesh: number, triangle: neighbor });
    };
    rays.push(Ray { point, solid: number, front_ahead: !same_way, sides });
    Ok(())
}

/// The two half-planes of a triangle that the line crosses. `off` is a point off its plane.
fn across(
    triangle: &Triangle,
    solid: usize,
    sides: Sides,
    [u, v]: &[Point; 2],
    off: &Point,
    rays: &mut Vec<Ray>,
) {
    let in_front = orient3d(&triangle[0], &triangle[1], &triangle[2], off);
    for point in half_planes(triangle, &[*u, *v], off) {
        let front_ahead = orient3d(u, v, &point, off) == in_front;
        rays.push(Ray { point, solid, front_ahead, sides });
    }
}

/// A corner of the triangle on each side of a line that crosses it. `off` is a point off its plane.
pub(super) fn half_planes(triangle: &Triangle, [u, v]: &[Point; 2], off: &Point) -> Vec<Point> {
    let on = |wanted| triangle.iter().copied().find(|x| orient3d(u, v, off, x) == wanted);
    [Sign::Positive, Sign::Negative].into_iter().filter_map(on).collect()
}

/// Whether a wedge between neighbouring half-planes is inside both solids.
fn some_wedge_in_both(line: &[Point; 2], mut rays: Vec<Ray>) -> bool {
    let Some(first) = rays.first().map(|ray| ray.point) else { return false };
    rays.sort_by(|a, b| angle(line, &first, &a.point, &b.point));
    // Ahead of the last half-plane of each solid is what is ahead of the first direction, too.
    let mut inside = [false; 2];
    for ray in &rays {
        inside[ray.solid] = ray.ahead();
    }
    for same in rays.chunk_by(|a, b| angle(line, &first, &a.point, &b.point).is_eq()) {
        for ray in same {
            inside[ray.solid] = ray.ahead();
        }
        if inside == [true; 2] {
            return true;
        }
    }
    false
}

impl Ray {
    /// Whether the region ahead of it is inside its solid.
    fn ahead(&self) -> bool {
        if self.front_ahead { self.sides.front } else { self.sides.back }
    }
}

/// The order of two points by the angle about the line, from that of `zero`, in the direction in
/// which [`orient3d`] of line, `zero` and point is positive first.
pub(super) fn angle(line: &[Point; 2], zero: &Point, a: &Point, b: &Point) -> std::cmp::Ordering {
    let [u, v] = line;
    let quarter = |x: &Point| match orient3d(u, v, zero, x) {
        Sign::Positive => 1,
        Sign::Negative => 3,
        Sign::Zero if opposite(line, zero, x) => 2,
        Sign::Zero => 0,
    };
    let (of_a, of_b) = (quarter(a), quarter(b));
    of_a.cmp(&of_b).then_with(|| {
        if of_a % 2 == 0 {
            return std::cmp::Ordering::Equal;
        }
        match orient3d(u, v, a, b) {
            Sign::Positive => std::cmp::Ordering::Less,
            Sign::Zero => std::cmp::Ordering::Equal,
            Sign::Negative => std::cmp::Ordering::Greater,
        }
    })
}

/// Whether two points in one plane with the line are on its two sides.
fn opposite([u, v]: &[Point; 2], a: &Point, b: &Point) -> bool {
    let side = |x: &Point, drop| orient2d(u, v, x, drop);
    let found = Drop::ALL.into_iter().map(|drop| (side(a, drop), side(b, drop)));
    found.into_iter().any(|(of_a, of_b)| of_a.is_opposite(of_b))
}
