//! The translations at which two triangles meet, in f64, with bounds of all errors.
//!
//! Shadows along the direction and heights as in [`exact`](super::exact), relative to the first
//! corner, with the largest component of the direction divided out. Signs of triangles of shadows
//! tell which corners are over the other triangle, and which edges cross. A feature whose signs are
//! certain is a contact for certain; one whose signs are not may be one. Each gives an interval that
//! holds its translation.

use impinge_geometry::{Triangle, Vector};

use super::direction::Direction;

/// Unit of rounding.
const U: f64 = f64::EPSILON / 2.0;
/// Error of a shadow's coordinates, in units of the largest coordinate difference `G`: 6 u.
const SHADOW: f64 = 6.5 * (f64::EPSILON / 2.0);
/// Error of a doubled area, in units of `(W + ε) (ε + 2 u (W + ε))`: `W` is the largest coordinate
/// of a shadow, `ε` its error.
const AREA: f64 = 16.5;
/// Error of an edge's share where another crosses it, in units of an area's error over the
/// difference of the areas of its ends.
const EDGE: f64 = 1.25;
/// Error of a height within a triangle, in units of an area's error over the triangle's area, times
/// the triangle's range of heights.
const FACE: f64 = 6.0;
/// Error of a height within a triangle or an edge, beside that of shares, in units of `G`.
const HEIGHT: f64 = 16.0 * (f64::EPSILON / 2.0);
/// Sizes for which nothing leaves the range.
const SIZES: std::ops::Range<f64> = 1e-60..1e60;

/// The axes in cyclic order, from each.
const AXES: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

/// Which share of the bounds is used: all, but for tests that show that they are needed.
pub(crate) trait Share {
    const OF_BOUNDS: f64;
    const OF_HEIGHTS: f64 = Self::OF_BOUNDS;
    const OF_SHARES: f64 = Self::OF_BOUNDS;
}

/// All of them.
pub(crate) struct Proven;

impl Share for Proven {
    const OF_BOUNDS: f64 = 1.0;
}

/// What the filter knows of two triangles, in multiples of [`Direction::unit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Estimate {
    /// They never meet.
    Never,
    /// They meet; bounds of the least and the largest translation.
    Meet { first: [f64; 2], last: [f64; 2] },
    /// If they meet, it is between these.
    Within([f64; 2]),
}

/// A corner relative to the first, seen along the direction.
#[derive(Clone, Copy)]
struct Shade {
    x: f64,
    y: f64,
    height: f64,
}

/// The intervals found so far.
struct Found {
    certain: [f64; 4],
    possible: [f64; 2],
}

pub(crate) fn estimate(p: &Triangle, q: &Triangle, direction: &Direction) -> Estimate {
    estimate_with::<Proven>(p, q, direction)
}

pub(crate) fn estimate_with<S: Share>(
    p: &Triangle,
    q: &Triangle,
    direction: &Direction,
) -> Estimate {
    let from = |corners: &Triangle| [corners[0] - p[0], corners[1] - p[0], corners[2] - p[0]];
    let (dp, dq) = (from(p), from(q));
    let most = |v: &Vector| v.x.abs().max(v.y.abs()).max(v.z.abs());
    let size = |all: &[Vector; 3]| most(&all[0]).max(most(&all[1])).max(most(&all[2]));
    let size = size(&dp).max(size(&dq));
    if !SIZES.contains(&size) {
        return Estimate::Within([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let [i, j, k] = AXES[direction.axis];
    let [x, y] = direction.slope;
    let shade = |v: &Vector| Shade { x: v[j] - v[i] * x, y: v[k] - v[i] * y, height: v[i] };
    let shades = |all: &[Vector; 3]| [shade(&all[0]), shade(&all[1]), shade(&all[2])];
    let (p, q) = (shades(&dp), shades(&dq));
    let wide = |all: &[Shade; 3]| {
        let of = |s: &Shade| s.x.abs().max(s.y.abs());
        of(&all[0]).max(of(&all[1])).max(of(&all[2]))
    };
    let error = SHADOW * size;
    let wide = wide(&p).max(wide(&q)) + error;
    let area = AREA * wide * (error + 2.0 * U * wide);
    let [share, height] = [S::OF_SHARES * area, S::OF_HEIGHTS * HEIGHT * size];
    let (shadow, area) = (S::OF_SHARES * error, S::OF_BOUNDS * area);
    let pair = Pair { p, q, shadow, area, share, height };
    pair.estimate(direction.unit[direction.axis])
}

/// Both triangles, with the errors of shadows, of doubled areas, of these where they are shares, and of heights.
struct Pair {
    p: [Shade; 3],
    q: [Shade; 3],
    shadow: f64,
    area: f64,
    share: f64,
    height: f64,
}

impl Pair {
    fn estimate(&self, along: f64) -> Estimate {
        // Corner j of one beside edge i of the other.
        let beside = |edges: &[Shade; 3], corners: &[Shade; 3]| {
            let mut areas = [[0.0; 3]; 3];
            for (i, row) in areas.iter_mut().enumerate() {
                let (a, b) = (edges[i], edges[(i + 1) % 3]);
                for (area, c) in row.iter_mut().zip(corners) {
                    *area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
                }
            }
            areas
        };
        let on_q = beside(&self.q, &self.p);
        let on_p = beside(&self.p, &self.q);
        let mut found = Found::NONE;
        for j in 0..3 {
            let (own, areas) = (&self.p[j], [on_q[0][j], on_q[1][j], on_q[2][j]]);
            if let Some((height, certain)) = self.face(areas, &self.q, own) {
                found.take(own.height - height[1], own.height - height[0], certain);
            }
            let (own, areas) = (&self.q[j], [on_p[0][j], on_p[1][j], on_p[2][j]]);
            if let Some((height, certain)) = self.face(areas, &self.p, own) {
                found.take(height[0] - own.height, height[1] - own.height, certain);
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let (k, l) = ((i + 1) % 3, (j + 1) % 3);
                // Edge i of p, edge j of q.
                let (of_p, of_q) = ([self.p[i], self.p[k]], [self.q[j], self.q[l]]);
                let over = self.edge([on_q[j][i], on_q[j][k]], &of_p);
                let Some((mut over, certain)) = over else { continue };
                let under = self.edge([on_p[i][j], on_p[i][l]], &of_q);
                let Some((mut under, also)) = under else { continue };
                if !(certain && also) {
                    let found = common(over, self.slice(&of_p, &of_p, &of_q))
                        .zip(common(under, self.slice(&of_q, &of_q, &of_p)));
                    let Some(both) = found else { continue };
                    (over, under) = both;
                }
                found.take(over[0] - under[1], over[1] - under[0], certain && also);
            }
        }
        found.estimate(along, self.height)
    }

    /// The heights of a triangle at a corner of the other, given the doubled areas of that corner
    /// and each edge; and whether it is inside for certain. `None` if it is outside.
    #[inline(always)]
    fn face(&self, areas: [f64; 3], of: &[Shade; 3], at: &Shade) -> Option<([f64; 2], bool)> {
        let least = areas[0].min(areas[1]).min(areas[2]);
        let most = areas[0].max(areas[1]).max(areas[2]);
        if least < -self.area && most > self.area {
            return None;
        }
        let certain = least > self.area || most < -self.area;
        let heights = [of[0].height, of[1].height, of[2].height];
        let low = heights[0].min(heights[1]).min(heights[2]);
        let high = heights[0].max(heights[1]).max(heights[2]);
        if !certain {
            return self.chord(of, at).map(|heights| (heights, false));
        }
        let whole = areas[0] + areas[1] + areas[2];
        // The area beside edge 0 is the share of corner 2.
        let part = areas[1] * (heights[0] - heights[2]) + areas[2] * (heights[1] - heights[2]);
        let height = heights[2] + part / whole;
        let error = FACE * self.share / whole.abs() * (high - low) + self.height;
        Some(([(height - error).max(low), (height + error).min(high)], true))
    }

    /// The heights of an edge where it crosses another edge's line, given the doubled areas of its
    /// ends and that edge; and whether it does for certain. `None` if it does not.
    #[inline(always)]
    fn edge(&self, [a, b]: [f64; 2], [p, q]: &[Shade; 2]) -> Option<([f64; 2], bool)> {
        let (least, most) = (a.min(b), a.max(b));
        if least > self.area || most < -self.area {
            return None;
        }
        let certain = least < -self.area && most > self.area;
        let (low, high) = (p.height.min(q.height), p.height.max(q.height));
        let whole = a - b;
        if whole == 0.0 {
            return Some(([low, high], certain));
        }
        let height = p.height + (q.height - p.height) * (a / whole);
        let error = EDGE * self.share / whole.abs() * (high - low) + self.height;
        Some(([(height - error).max(low), (height + error).min(high)], certain))
    }
}

/// The common part of two intervals of heights.
fn common(one: [f64; 2], other: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let [a, b] = other?;
    let [low, high] = [one[0].max(a), one[1].min(b)];
    (low <= high).then_some([low, high])
}

/// What is not certain: where shadows are all but parallel, or a corner on an edge's line.
impl Pair {
    /// The heights of a triangle in the plane across its longest extent that holds a corner's shadow.
    #[cold]
    fn chord(&self, of: &[Shade; 3], at: &Shade) -> Option<[f64; 2]> {
        let heights = |k: usize| self.slice(&[of[k], of[(k + 1) % 3]], of, &[*at, *at]);
        let joined = |one: Option<[f64; 2]>, other: Option<[f64; 2]>| match (one, other) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (one, other) => one.or(other),
        };
        joined(joined(heights(0), heights(1)), heights(2))
    }

    /// The heights of the part of an edge whose shadow is beside that of another, on the axis on which
    /// some shadows extend most; `None` if no part is.
    fn slice(&self, [p, q]: &[Shade; 2], along: &[Shade], [r, s]: &[Shade; 2]) -> Option<[f64; 2]> {
        let extent = |on: fn(&Shade) -> f64| {
            let all = along.iter().map(on);
            all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
        };
        let on: fn(&Shade) -> f64 =
            if extent(|s| s.x) >= extent(|s| s.y) { |s| s.x } else { |s| s.y };
        let (a, b, c, d) = (on(p), on(q), on(r), on(s));
        let (from, to) = (a.min(b), a.max(b));
        let (first, last) = (c.min(d) - 2.0 * self.shadow, c.max(d) + 2.0 * self.shadow);
        if last < from || to < first {
            return None;
        }
        let (low, high) = (p.height.min(q.height), p.height.max(q.height));
        let length = b - a;
        if length == 0.0 {
            return Some([low, high]);
        }
        let at = |x: f64| p.height + (q.height - p.height) * ((x.clamp(from, to) - a) / length);
        let (x, y) = (at(first), at(last));
        let error = 4.0 * self.shadow / length.abs() * (high - low) + self.height;
        Some([(x.min(y) - error).max(low), (x.max(y) + error).min(high)])
    }
}

impl Found {
    const NONE: Self = Self {
        certain: [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY],
        possible: [f64::INFINITY, f64::NEG_INFINITY],
    };

    /// A translation between two heights.
    #[inline(always)]
    fn take(&mut self, low: f64, high: f64, certain: bool) {
        self.possible = [self.possible[0].min(low), self.possible[1].max(high)];
        if certain {
            let [a, b, c, d] = self.certain;
            self.certain = [a.min(low), b.min(high), c.max(low), d.max(high)];
        }
    }

    /// The heights over the component of the direction, rounded outward.
    fn estimate(&self, along: f64, error: f64) -> Estimate {
        let [low, high] = self.possible;
        if low > high {
            return Estimate::Never;
        }
        let (sign, along) = (along.signum(), along.abs());
        let down = |x: f64| {
            let s = (x - error) / along;
            s - s.abs() * (4.0 * U) - f64::MIN_POSITIVE
        };
        let up = |x: f64| -down(-x);
        let turned = |[a, b]: [f64; 2]| if sign < 0.0 { [-b, -a] } else { [a, b] };
        let [_, first, last, _] = self.certain;
        if first == f64::INFINITY {
            return Estimate::Within(turned([down(low), up(high)]));
        }
        let (first, last) = ([down(low), up(first)], [down(last), up(high)]);
        if sign < 0.0 {
            return Estimate::Meet { first: turned(last), last: turned(first) };
        }
        Estimate::Meet { first, last }
    }
}

#[cfg(test)]
mod tests;
