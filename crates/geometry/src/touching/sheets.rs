//! Whether two surfaces cross, where one of them is open.

use std::collections::HashMap;

use crate::predicates::{Sign, collinear, orient3d};
use crate::{Mesh, Point, Triangle};

use super::fan::{angle, half_planes};
use super::relation::{Chord, Relation, relation};

/// The corners opposite of each edge, by the coordinates of its ends.
pub(super) struct Edges(HashMap<[[u64; 3]; 2], Vec<Point>>);

impl Edges {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let mut edges: HashMap<_, Vec<Point>> = HashMap::with_capacity(mesh.triangles().len());
        for t in mesh.corners().filter(|t| !collinear(&t[0], &t[1], &t[2])) {
            for k in 0..3 {
                edges.entry(key(&t[k], &t[(k + 1) % 3])).or_default().push(t[(k + 2) % 3]);
            }
        }
        Self(edges)
    }

    fn opposite(&self, triangle: &Triangle, side: usize) -> &[Point] {
        let key = key(&triangle[side], &triangle[(side + 1) % 3]);
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }
}

fn key(a: &Point, b: &Point) -> [[u64; 3]; 2] {
    // Adding zero turns −0 into 0.
    let bits = |p: &Point| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
    let (a, b) = (bits(a), bits(b));
    if a < b { [a, b] } else { [b, a] }
}

/// Whether the surfaces cross where two of their triangles, which share a point, do.
pub(super) fn cross(edges: [&Edges; 2], triangles: &[Triangle; 2]) -> bool {
    match relation(&triangles[0], &triangles[1]) {
        Relation::Cross => true,
        Relation::Nothing => thread(edges, triangles),
        Relation::Along(along) => {
            let owner = usize::from(along[0] == Chord::Inside);
            let Chord::Side(k) = along[owner] else { return false };
            let line = [triangles[owner][k], triangles[owner][(k + 1) % 3]];
            let rays = [0, 1].map(|m| match along[m] {
                Chord::Side(side) => edges[m].opposite(&triangles[m], side).to_vec(),
                Chord::Inside => half_planes(&triangles[m], &line, &triangles[owner][(k + 2) % 3]),
            });
            alternate(&line, rays)
        }
    }
}

/// Whether a triangle without area passes through the other surface.
fn thread(edges: [&Edges; 2], [p, q]: &[Triangle; 2]) -> bool {
    let thin = |t: &Triangle| collinear(&t[0], &t[1], &t[2]);
    match (thin(p), thin(q)) {
        (true, false) => passes(p, q, edges[1]),
        (false, true) => passes(q, p, edges[0]),
        _ => false,
    }
}

/// Whether `thin`, which has no area and shares a point with `t`, passes through the inside of `t`,
/// or through a side that parts of the surface around `t` leave on different sides. Through a corner
/// it does not: nothing is inside a triangle or along an edge there.
fn passes(thin: &Triangle, t: &Triangle, edges: &Edges) -> bool {
    let end = |wanted| thin.iter().find(|x| orient3d(&t[0], &t[1], &t[2], x) == wanted);
    let (Some(above), Some(below)) = (end(Sign::Positive), end(Sign::Negative)) else {
        return false;
    };
    let side = |k: usize| [t[k], t[(k + 1) % 3]];
    let on = |k: &usize| {
        let [u, v] = side(*k);
        orient3d(above, below, &u, &v).is_zero()
    };
    match (0..3).filter(on).collect::<Vec<_>>()[..] {
        [] => true,
        [k] => alternate(&side(k), [vec![*above, *below], edges.opposite(t, k).to_vec()]),
        _ => false,
    }
}

/// Whether one of the surfaces has half-planes in two of the wedges that those of the other bound.
fn alternate(line: &[Point; 2], [p, q]: [Vec<Point>; 2]) -> bool {
    is_on_both_sides(line, &p, q.clone()) || is_on_both_sides(line, &q, p)
}

/// Whether `own` has half-planes in two of the wedges that `bounds` bound.
fn is_on_both_sides(line: &[Point; 2], own: &[Point], mut bounds: Vec<Point>) -> bool {
    let Some(zero) = bounds.first().copied() else { return false };
    let about = |a: &Point, b: &Point| angle(line, &zero, a, b);
    bounds.sort_by(about);
    bounds.dedup_by(|a, b| about(a, b).is_eq());
    if bounds.len() < 2 {
        return false;
    }
    let wedge = |x: &Point| match bounds.binary_search_by(|bound| about(bound, x)) {
        Ok(_) => None, // on the border of two
        Err(after) => Some(after % bounds.len()),
    };
    let mut wedges = own.iter().filter_map(wedge);
    wedges.next().is_some_and(|first| wedges.any(|other| other != first))
}
