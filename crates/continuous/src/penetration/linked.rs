//! When surfaces meet, whatever the solids do.
//!
//! **Lemma 1.** Let both surfaces be closed, let the solids overlap in an inner point, and let no
//! component of one surface lie wholly inside the other solid. Then the surfaces meet.
//!
//! *Proof.* Suppose that they do not. The inner points of both solids that are connected with the given
//! one form a bounded open set, whose boundary is not empty. Take a point of the boundary: it is on one
//! of the surfaces, say that of A, and not on B's, so it is inside B. Its component of A's surface is
//! connected and does not meet B's surface, so all of it is inside B. ∎ A vertex of each component that
//! is outside the other solid shows that none is inside; it stays outside for all translations that
//! are shorter than its distance from the surface. A vertex of A inside B does in place of the inner
//! point: its component has a vertex outside B, so it meets B's surface.
//!
//! **Lemma 2.** Let a path on one surface cross the other an odd number of times, its ends be no nearer
//! to the other surface than `m`, and all of it no nearer than `m` to the border of the other surface:
//! the edges with an odd number of triangles. Then the surfaces meet after every further translation
//! shorter than `m`.
//!
//! *Proof.* While the path moves, the parity of its crossings changes only when an end passes through
//! the surface or the path passes over its border (the intersection number modulo 2 of a chain of edges
//! with a chain of triangles). Both are farther than the path moves. So it stays odd, and the path meets
//! the surface. ∎

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::{Mesh, Point, Triangle, Vector, exact, triangle};
use impinge_hierarchy::Child;
use impinge_query::{Cancelled, Contact};

use super::cover::Cell;
use super::edges::Edges;
use super::field::{Bounds, Field};
use super::scene::Scene;

/// Components up to which containment is examined.
const COMPONENTS: usize = 64;
/// Meetings of triangles from which paths are grown.
const MEETINGS: usize = 8;
/// Edges that a path gets at each end, at most.
const GROWTH: usize = 96;

/// What is known of both surfaces for all cubes of a question.
pub(crate) struct Linked {
    /// Vertices of each component of A, and of B; none unless both are closed.
    extremes: Option<[Vec<Vec<Point>>; 2]>,
    /// No translation shorter than this brings a component of one inside the other.
    outside: f64,
    /// The borders of A and B.
    borders: [Option<Field>; 2],
}

/// One surface as a path sees the other.
struct Over<'s> {
    field: &'s Field,
    border: Option<&'s Field>,
    /// By how much it is moved from where its fields are.
    shift: Vector,
}

/// A path on a surface: its two ends, and how near it comes to the other's border.
struct Path {
    ends: [Point; 2],
    border: f64,
}

impl Linked {
    pub(crate) fn new(scene: &Scene<'_>) -> Self {
        let [a, b] = scene.bodies;
        let few = |body: &super::PenetrationBody| {
            body.closed().is_ok() && body.topology().components().len() <= COMPONENTS
        };
        let extremes = (few(a) && few(b)).then(|| {
            let of = |body: &super::PenetrationBody, field: &Field| {
                extremes(field, body.topology().component_of())
            };
            [of(a, &scene.a), of(b, &scene.b)]
        });
        let place_a = |p: &Point| p * scene.scale;
        let place_b = |p: &Point| scene.pose.apply(p) * scene.scale;
        let field = |border: Option<&(Mesh, Field)>, place: &dyn Fn(&Point) -> Point| {
            border.map(|(mesh, field)| field.moved(mesh, place))
        };
        let borders = [field(a.border(), &place_a), field(b.border(), &place_b)];
        let mut made = Self { extremes, outside: 0.0, borders };
        made.outside = made.least_outside(scene, &Vector::zeros());
        made
    }

    /// No translation shorter than this brings a component of one inside the other.
    pub(crate) const fn outside(&self) -> f64 {
        self.outside
    }

    /// Whether no component of one surface is inside the other solid, for all translations of a cube.
    pub(crate) fn neither_inside(&self, scene: &Scene<'_>, cell: &Cell) -> bool {
        cell.farthest() <= self.outside || cell.reach() <= self.least_outside(scene, &cell.center)
    }

    /// A distance up to which that holds for all translations about `v`; 0 if none is known.
    fn least_outside(&self, scene: &Scene<'_>, v: &Vector) -> f64 {
        let Some([of_a, of_b]) = &self.extremes else { return 0.0 };
        let outside = |field: &Field, x: &Point| {
            if field.winding(x) != Some(0) {
                return 0.0;
            }
            field.nearest(x, f64::INFINITY).map_or(0.0, |near| near.clearance - scene.slack)
        };
        let mut least = f64::INFINITY;
        for (all, field, sign) in [(of_a, &scene.b, -1.0), (of_b, &*scene.a, 1.0)] {
            for component in all {
                let best = component.iter().map(|x| outside(field, &(x + v * sign)));
                least = least.min(best.fold(0.0, f64::max));
                if least == 0.0 {
                    return 0.0;
                }
            }
        }
        least
    }

    /// Whether a path on one surface pierces the other for all translations of a cube.
    pub(crate) fn pierced(&self, scene: &Scene<'_>, cell: &Cell) -> Result<bool, Cancelled> {
        let v = cell.center;
        let need = cell.reach() + 2.0 * scene.slack;
        let met = scene.contacts(&v, 32 * MEETINGS)?.unwrap_or_default();
        let [border_a, border_b] = &self.borders;
        for pair in met.iter().step_by(met.len().div_ceil(MEETINGS).max(1)) {
            let p = scene.a.triangles[pair.a as usize];
            let q = scene.b.triangles[pair.b as usize].map(|x| x + v);
            let over_b = Over { field: &scene.b, border: border_b.as_ref(), shift: v };
            let over_a =
                Over { field: &scene.a, border: border_a.as_ref(), shift: Vector::zeros() };
            let Contact { a, b } = *pair;
            if path_pierces(scene, [0, a], &Vector::zeros(), [&p, &q], &over_b, need)
                || path_pierces(scene, [1, b], &v, [&q, &p], &over_a, need)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a path through a triangle of one body, at least `need` from where the other ends, is
/// found.
fn path_pierces(
    scene: &Scene<'_>,
    [body, t]: [u32; 2],
    shift: &Vector,
    [own, other]: [&Triangle; 2],
    over: &Over<'_>,
    need: f64,
) -> bool {
    let Some(ends) = chord(own, other) else { return false };
    if over.crossings(&ends).is_none_or(|n| n % 2 == 0) {
        return false;
    }
    let mut path = Path { ends, border: over.to_border(&ends) };
    if path.border < need {
        return false;
    }
    let place = |v: u32| scene.vertex(body as usize, v) + shift;
    let edges = scene.bodies[body as usize].edges();
    (0..2).all(|k| path.grow(k, edges.of_triangle(t), &place, over, need, edges))
}

impl Path {
    /// Lengthens the path at one end, from vertex to vertex away from the other surface, until it is
    /// far enough.
    fn grow(
        &mut self,
        k: usize,
        first: [u32; 3],
        place: &dyn Fn(u32) -> Point,
        over: &Over<'_>,
        need: f64,
        edges: &Edges,
    ) -> bool {
        let mut far = over.distance(&self.ends[k]);
        let mut at: Option<u32> = None;
        for _ in 0..GROWTH {
            if far >= need {
                return true;
            }
            let next: &[u32] = match at {
                None => &first,
                Some(v) => edges.around(v),
            };
            let farther = |&v: &u32| (over.distance(&place(v)), v);
            let mut all: Vec<(f64, u32)> = next.iter().map(farther).filter(|x| x.0 > far).collect();
            all.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            let way = |v: u32| [self.ends[k], place(v)];
            let free =
                |v: u32| over.crossings(&way(v)) == Some(0) && over.to_border(&way(v)) >= need;
            let Some((d, v)) = all.into_iter().find(|x| free(x.1)) else { return false };
            (far, at) = (d, Some(v));
            self.ends[k] = place(v);
        }
        far >= need
    }
}

impl Over<'_> {
    fn distance(&self, x: &Point) -> f64 {
        self.field.nearest(&(x - self.shift), f64::INFINITY).map_or(0.0, |near| near.clearance)
    }

    /// The distance of a segment to the border; infinite without one.
    fn to_border(&self, ends: &[Point; 2]) -> f64 {
        let ends = ends.map(|x| x - self.shift);
        self.border.map_or(f64::INFINITY, |border| border.nearest_to_segment(&ends))
    }

    /// How many triangles a segment crosses in their inside; `None` if it touches one otherwise.
    fn crossings(&self, ends: &[Point; 2]) -> Option<u32> {
        self.field.crossings(&ends.map(|x| x - self.shift))
    }
}

/// The segment across a triangle through the middle of what it shares with another one, perpendicular
/// to that.
fn chord(own: &Triangle, other: &Triangle) -> Option<[Point; 2]> {
    let met = exact::meeting(own, other)?;
    let exact::Meeting::Segment([p, q]) = met else { return None };
    let along = (q - p).try_normalize(0.0)?;
    let normal = triangle::unit_normal(own)?;
    let across = normal.cross(&along);
    let middle = p + (q - p) * 0.5;
    let mut range = [f64::NEG_INFINITY, f64::INFINITY];
    for k in 0..3 {
        let (u, v) = (own[k], own[(k + 1) % 3]);
        let inward = normal.cross(&(v - u));
        let (height, slope) = (inward.dot(&(middle - u)), inward.dot(&across));
        let at = -height / slope;
        if slope > 0.0 {
            range[0] = range[0].max(at);
        } else if slope < 0.0 {
            range[1] = range[1].min(at);
        }
    }
    (range[0] < 0.0 && range[1] > 0.0 && range.iter().all(|r| r.is_finite()))
        .then(|| range.map(|r| middle + across * r))
}

/// Per component, its outermost vertices along the axes.
fn extremes(field: &Field, component_of: &[u32]) -> Vec<Vec<Point>> {
    let mut all: Vec<Vec<Point>> = Vec::new();
    for (t, &c) in field.triangles.iter().zip(component_of) {
        let c = c as usize;
        if all.len() <= c {
            all.resize(c + 1, Vec::new());
        }
        for p in t {
            let list = &mut all[c];
            if list.is_empty() {
                list.extend([*p; 6]);
            }
            for k in 0..3 {
                if p[k] < list[2 * k][k] {
                    list[2 * k] = *p;
                }
                if p[k] > list[2 * k + 1][k] {
                    list[2 * k + 1] = *p;
                }
            }
        }
    }
    all
}

impl Field {
    /// A lower bound of the distance of a segment to the surface, but for rounding.
    fn nearest_to_segment(&self, ends: &[Point; 2]) -> f64 {
        let own = Bounds::around(ends);
        let segment = [ends[0], ends[1], ends[1]];
        let mut best = f64::INFINITY;
        let gap = |k: u32| own.gap(&self.boxes[k as usize], &Vector::zeros()).norm();
        let mut open = vec![(gap(0), 0u32)];
        while let Some((least, node)) = open.pop() {
            if least >= best {
                continue;
            }
            match self.children[node as usize] {
                Child::Leaf(t) => {
                    best = best.min(separation(&segment, &self.triangles[t as usize]));
                }
                Child::Pair(first) => {
                    let pair = [(gap(first), first), (gap(first + 1), first + 1)];
                    open.extend(if pair[1].0 < pair[0].0 { pair } else { [pair[1], pair[0]] });
                }
            }
        }
        best
    }

    /// How many triangles a segment crosses in their inside; `None` if it touches one otherwise. Exact.
    fn crossings(&self, ends: &[Point; 2]) -> Option<u32> {
        let own = Bounds::around(ends);
        let mut count = 0;
        let mut open = vec![0u32];
        while let Some(node) = open.pop() {
            if own.gap(&self.boxes[node as usize], &Vector::zeros()).amax() > 0.0 {
                continue;
            }
            match self.children[node as usize] {
                Child::Pair(first) => open.extend([first, first + 1]),
                Child::Leaf(t) => count += u32::from(crosses(ends, &self.triangles[t as usize])?),
            }
        }
        Some(count)
    }
}

/// A lower bound of the distance of two triangles, but for rounding: the width of the slab across the
/// vector between points that are about the nearest.
fn separation(p: &Triangle, q: &Triangle) -> f64 {
    let (_, x, y) = triangle::distance(p, q);
    let w = x - y;
    let length = w.norm();
    if !(length > 0.0) {
        return 0.0;
    }
    let low = p.iter().map(|c| w.dot(&(c - y))).fold(f64::INFINITY, f64::min);
    let high = q.iter().map(|c| w.dot(&(c - y))).fold(f64::NEG_INFINITY, f64::max);
    ((low - high) / length).max(0.0)
}

/// Whether a segment crosses a triangle in its inside; `None` if they only touch. Exact.
fn crosses([p, q]: &[Point; 2], [a, b, c]: &Triangle) -> Option<bool> {
    let ends = [p, q].map(|x| orient3d(a, b, c, x));
    if !ends[0].is_zero() && ends[0] == ends[1] {
        return Some(false);
    }
    let around = [[a, b], [b, c], [c, a]].map(|[u, v]| orient3d(p, q, u, v));
    let strictly = |s: Sign| around.iter().all(|x| *x == s);
    if around.contains(&Sign::Positive) && around.contains(&Sign::Negative) {
        return Some(false);
    }
    let inside = strictly(Sign::Positive) || strictly(Sign::Negative);
    if inside && !ends.iter().any(|s| s.is_zero()) {
        return Some(true);
    }
    (!exact::triangles_meet(&[*p, *q, *q], &[*a, *b, *c])).then_some(false)
}
