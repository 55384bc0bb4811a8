//! A reference in small fractions: the Minkowski difference of two triangles as half-spaces, by which
//! the line is clipped. The tested code looks for pairs of points instead.

use impinge_geometry::Triangle;

type Integers = [i128; 3];

/// A fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio(pub(crate) i128, pub(crate) i128);

impl Ratio {
    pub(crate) const fn new(above: i128, below: i128) -> Self {
        if below < 0 { Self(-above, -below) } else { Self(above, below) }
    }

    pub(crate) fn of(x: f64) -> Self {
        let mut below = 1;
        while (x * below as f64).fract() != 0.0 {
            below *= 2;
        }
        Self((x * below as f64) as i128, below)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

fn minus(p: Integers, q: Integers) -> Integers {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: Integers, q: Integers) -> i128 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Integers, q: Integers) -> Integers {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

const ZERO: Integers = [0; 3];

/// Clips the line of multiples of `d` by planes.
struct Line {
    d: Integers,
    low: Option<Ratio>,
    high: Option<Ratio>,
    empty: bool,
}

impl Line {
    /// Keeps the `s` with `n · (s d − at) ≤ 0`.
    fn below(&mut self, n: Integers, at: Integers) {
        let (speed, limit) = (dot(n, self.d), dot(n, at));
        if speed == 0 {
            self.empty |= limit < 0;
            return;
        }
        let s = Ratio::new(limit, speed);
        if speed > 0 {
            self.high = Some(self.high.map_or(s, |high| high.min(s)));
        } else {
            self.low = Some(self.low.map_or(s, |low| low.max(s)));
        }
    }

    /// As `below`, if no point is beyond the plane; the other way round, too.
    fn support(&mut self, n: Integers, at: Integers, points: &[Integers]) {
        if n == ZERO {
            return;
        }
        let sides = points.iter().map(|p| dot(n, minus(*p, at)));
        let (least, most) = sides.fold((0, 0), |(low, high), x| (low.min(x), high.max(x)));
        if most == 0 {
            self.below(n, at);
        }
        if least == 0 {
            self.below(n.map(|x| -x), at);
        }
    }
}

/// The interval of `s` at which `p` and `q + s d` share a point, for small integer coordinates.
pub(crate) fn ends(p: &Triangle, q: &Triangle, d: [i128; 3]) -> Option<[Ratio; 2]> {
    let of = |t: &Triangle| t.map(|x| [x.x as i128, x.y as i128, x.z as i128]);
    let (p, q) = (of(p), of(q));
    let points: Vec<Integers> = p.iter().flat_map(|p| q.map(|q| minus(*p, q))).collect();
    let mut line = Line { d, low: None, high: None, empty: false };
    let edges: Vec<[Integers; 2]> =
        points.iter().flat_map(|a| points.iter().map(|b| [*a, minus(*b, *a)])).collect();
    // What is flat lies in a plane, and within that has borders.
    let mut normals: Vec<[Integers; 2]> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            let to = points.iter().skip(j + 1);
            normals.extend(to.map(|r| [*p, cross(minus(*q, *p), minus(*r, *p))]));
        }
    }
    normals.retain(|[_, n]| *n != ZERO);
    for [at, n] in &normals {
        line.support(*n, *at, &points);
    }
    let flat = |n: Integers| points.iter().all(|p| dot(n, minus(*p, points[0])) == 0);
    if let Some([_, n]) = normals.iter().find(|[_, n]| flat(*n)) {
        for [at, u] in &edges {
            line.support(cross(*n, *u), *at, &points);
        }
    }
    if normals.is_empty() {
        // A segment or a point: planes across it, and those that hold it.
        let along = edges.iter().map(|[_, u]| *u).find(|u| *u != ZERO);
        for point in &points {
            match along {
                None => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|n| line.support(n, *point, &points)),
                Some(u) => {
                    line.support(u, *point, &points);
                    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
                        .map(|n| line.support(cross(u, n), *point, &points))
                }
            };
        }
    }
    let ends = [line.low?, line.high?];
    (!line.empty && ends[0] <= ends[1]).then_some(ends)
}
