//! Whether two triangles of one mesh share a point off their common corners and edges. In integers,
//! by the corners of their intersection.

/// Integer coordinates, below 2¹⁵ in magnitude, so that no product below overflows.
pub type Triple = [i128; 3];

/// A point `[x, y, z] / w` with `w > 0`.
type Rational = (Triple, i128);

fn sub(a: Triple, b: Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn times(s: i128, a: Triple) -> Triple {
    a.map(|x| s * x)
}

fn add(a: Triple, b: Triple) -> Triple {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn dot(a: Triple, b: Triple) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Triple, b: Triple) -> Triple {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn normal(t: &[Triple; 3]) -> Triple {
    cross(sub(t[1], t[0]), sub(t[2], t[0]))
}

/// The vector from `a` to the point, times `w`.
fn from((p, w): Rational, a: Triple) -> Triple {
    sub(p, times(w, a))
}

fn on_segment(p: Rational, a: Triple, b: Triple) -> bool {
    let (way, along) = (from(p, a), sub(b, a));
    let share = dot(way, along);
    cross(way, along) == [0; 3]
        && if along == [0; 3] {
            way == [0; 3]
        } else {
            share >= 0 && share <= p.1 * dot(along, along)
        }
}

fn on_triangle(p: Rational, t: &[Triple; 3]) -> bool {
    let n = normal(t);
    if n == [0; 3] {
        return (0..3).any(|k| on_segment(p, t[k], t[(k + 1) % 3]));
    }
    let inside = |k: usize| dot(n, cross(sub(t[(k + 1) % 3], t[k]), from(p, t[k]))) >= 0;
    dot(n, from(p, t[0])) == 0 && (0..3).all(inside)
}

/// The point where the line through an edge crosses the plane of a triangle, if it does.
fn pierced(a: Triple, b: Triple, t: &[Triple; 3]) -> Option<Rational> {
    let n = normal(t);
    let (h, k) = (dot(n, sub(a, t[0])), dot(n, sub(b, t[0])));
    let (p, w) = (sub(times(k, a), times(h, b)), k - h);
    (w != 0).then(|| if w > 0 { (p, w) } else { (times(-1, p), -w) })
}

/// The candidate for the crossing of two lines; `None` if they are parallel.
fn crossing([a, b]: [Triple; 2], [c, d]: [Triple; 2]) -> Option<Rational> {
    let (u, v) = (sub(b, a), sub(d, c));
    let n = cross(u, v);
    let w = dot(n, n);
    (w != 0).then(|| (add(times(w, a), times(dot(cross(sub(c, a), v), n), u)), w))
}

/// The corners of the intersection. It is convex; its corners are corners of the triangles, or
/// points where an edge of one meets an edge or the inside of the other.
fn candidates(t: &[Triple; 3], s: &[Triple; 3]) -> Vec<Rational> {
    let mut found: Vec<Rational> = t.iter().chain(s).map(|p| (*p, 1)).collect();
    let edges = |t: &[Triple; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    for e in edges(t) {
        found.extend(pierced(e[0], e[1], s));
        found.extend(edges(s).into_iter().filter_map(|f| crossing(e, f)));
    }
    found.extend(edges(s).into_iter().filter_map(|e| pierced(e[0], e[1], t)));
    found.retain(|p| on_triangle(*p, t) && on_triangle(*p, s));
    found
}

/// Whether there is a common point on no common corner and no common edge. If all three corners are
/// common, there is one if they are not collinear.
pub fn meet_elsewhere(t: &[Triple; 3], s: &[Triple; 3]) -> bool {
    let mut common: Vec<Triple> = t.iter().copied().filter(|p| s.contains(p)).collect();
    common.sort_unstable();
    common.dedup();
    if common.len() == 3 {
        return normal(t) != [0; 3];
    }
    let on_common = |p: Rational| match *common.as_slice() {
        [v] => on_segment(p, v, v),
        [a, b] => on_segment(p, a, b),
        _ => false,
    };
    candidates(t, s).into_iter().any(|p| !on_common(p))
}
