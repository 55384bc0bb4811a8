//! Lower bound on the distance of two rectangles in space, for the swept-rectangle test.
//!
//! The nearest points of two rectangles that do not meet are a corner and a face point, or points
//! on two edges: 8 and 16 candidates. If rectangles meet, an edge of one crosses the other: 8
//! candidates. Every candidate is a pair of actual points of the rectangles, so rounding of
//! parameters can only make the minimum too large; [`edges`](Pair::edges) bounds by how much.

use super::lanes::Lanes;

/// Unit of rounding.
const U: f64 = f64::EPSILON / 2.0;

/// Rectangle A is `|x| ≤ a0, |y| ≤ a1, z = 0`; B is `t + u c0 + v c1`, `|u| ≤ b0, |v| ≤ b1`, in A's
/// frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Half-lengths of A.
    pub(super) a: [f64; 2],
    /// Half-lengths of B.
    pub(super) b: [f64; 2],
    /// Columns: B's unit axes.
    pub(super) c: [[f64; 3]; 3],
    /// B's centre.
    pub(super) t: [f64; 3],
}

impl Pair {
    /// A lower bound on the squared distance, tight up to rounding. Any value of at most `enough`
    /// may be returned early.
    pub(super) fn squared_distance(&self, enough: f64) -> f64 {
        let other = self.swapped();
        let (own, its) = (self.corners(), other.corners());
        let mut least = self.beside(&own).min(other.beside(&its));
        if least <= enough || self.crosses(&own) || other.crosses(&its) {
            return if least <= enough { least } else { 0.0 };
        }
        for i in 0..2 {
            for j in 0..2 {
                least = least.min(self.edges(i, j));
                if least <= enough {
                    return least;
                }
            }
        }
        least
    }

    /// The same pair with the roles exchanged.
    fn swapped(&self) -> Self {
        let row = |k: usize| [self.c[0][k], self.c[1][k], self.c[2][k]];
        let t = [0, 1, 2].map(|j| -dot(self.c[j], self.t));
        Self { a: self.b, b: self.a, c: [row(0), row(1), row(2)], t }
    }

    /// Coordinates of B's corners, in order around it.
    #[inline(always)]
    fn corners(&self) -> [Lanes; 3] {
        let (u, v) = (of_signs(self.b[0], FIRST), of_signs(self.b[1], SECOND));
        [0, 1, 2].map(|k| {
            Lanes::splat(self.t[k])
                + u * Lanes::splat(self.c[0][k])
                + v * Lanes::splat(self.c[1][k])
        })
    }

    /// Squared distance of B's corners to A.
    #[inline(always)]
    fn beside(&self, corners: &[Lanes; 3]) -> f64 {
        let over = |k: usize| (corners[k].abs() - Lanes::splat(self.a[k])).positive();
        let (x, y, z) = (over(0), over(1), corners[2]);
        (x * x + y * y + z * z).least()
    }

    /// Whether an edge of B crosses A. If rounding moves a crossing over A's border, it is within
    /// the rounding of `z` of the border's edge, and found there.
    #[inline(always)]
    fn crosses(&self, corners: &[Lanes; 3]) -> bool {
        let above = corners[2].0.map(|z| z > 0.0);
        // A corner in A's plane is one of the corners already tested.
        if above == [above[0]; 4] {
            return false;
        }
        let w = corners[2] / (corners[2] - corners[2].turned());
        let inside = [0, 1].map(|k| {
            let (p, q) = (corners[k], corners[k].turned());
            (p + w * (q - p)).abs().0.map(|x| x <= self.a[k])
        });
        (0..4).any(|i| above[i] != above[(i + 1) % 4] && inside[0][i] && inside[1][i])
    }

    /// Lower bound on the squared distance of A's two edges along its axis `i` and B's two along
    /// its axis `j`.
    ///
    /// Let `e`, `c` be unit directions and `δ = 1 − (e·c)²`. The nearest parameter on A's line is a
    /// quotient by δ, with an error of `κuL/δ`, where L is the sum of all half-lengths and of the
    /// vector between the centres. κ is 8 for rounding, plus `ε |w| / L` where the relative axes'
    /// squared lengths are off by ε units, at most 85 by the boxes' invariant, and `w` is the
    /// parameter on B's line. Where edges cross, `2 |w| ≤ L`: in total 51; [`EDGES`] is larger. The
    /// squared distance is a parabola of curvature δ in the parameter, so its error is at most
    /// `κ²u²L²/δ`. While both nearest points are inside their edges it is also at most `4δL²` (at
    /// an end, the corner has been found), so never more than `2κuL²`, where the two are equal.
    /// Below δ = 1/8 the first bound is subtracted, with [`EDGES`] for κ and δ at least 128u, where
    /// it is `128uL²`. Above, the error `κuL/√δ ≤ 145uL` is covered by the rest of the volume
    /// test's slack.
    fn edges(&self, i: usize, j: usize) -> f64 {
        let (least, delta) = self.on_edges(i, j);
        if delta > 0.125 {
            return least;
        }
        let (delta, size) = (delta.max(128.0 * U), self.size());
        let lost = (EDGES * U * size) * (EDGES * U * size) / delta;
        (least - lost).max(0.0)
    }

    /// The sum of all half-lengths and of the components of the vector between the centres.
    pub(super) fn size(&self) -> f64 {
        let size = self.a[0] + self.a[1] + self.b[0] + self.b[1];
        size + self.t[0].abs() + self.t[1].abs() + self.t[2].abs()
    }

    /// The squared distance of the nearest points found on these edges, and δ.
    fn on_edges(&self, i: usize, j: usize) -> (f64, f64) {
        let (across, c) = (1 - i, self.c[j]);
        let beside = self.c[1 - j];
        let cosine = c[i];
        let delta = 1.0 - cosine * cosine;
        let own = of_signs(self.a[across], FIRST);
        let its = of_signs(self.b[1 - j], SECOND);
        let mut d = [0, 1, 2].map(|k| Lanes::splat(self.t[k]) + its * Lanes::splat(beside[k]));
        d[across] = d[across] - own;
        let (c, cosine) = (c.map(Lanes::splat), Lanes::splat(cosine));
        let along = d[0] * c[0] + d[1] * c[1] + d[2] * c[2];
        let s = if delta > 0.0 {
            ((d[i] - cosine * along) / Lanes::splat(delta)).within(self.a[i])
        } else {
            Lanes::splat(0.0)
        };
        let w = (s * cosine - along).within(self.b[j]);
        let s = (d[i] + w * cosine).within(self.a[i]);
        let mut p = [0, 1, 2].map(|k| d[k] + w * c[k]);
        p[i] = p[i] - s;
        ((p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).least(), delta)
    }
}

/// Error bound κ of the nearest parameter for two edges at a small angle, see [`Pair::edges`].
const EDGES: f64 = 128.0;

/// Signs of the corners in order around the rectangle, along its first and its second axis; also those of
/// the sides of A and of B that a pair of edges is on.
const FIRST: [f64; 4] = [1.0, 1.0, -1.0, -1.0];
const SECOND: [f64; 4] = [1.0, -1.0, -1.0, 1.0];

#[inline(always)]
fn of_signs(x: f64, signs: [f64; 4]) -> Lanes {
    Lanes(signs.map(|sign| sign * x))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unit of rounding, 2⁻⁵³.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

    /// Coordinate descent over the four parameters: slow and independent.
    fn by_descent(p: &Pair) -> f64 {
        let (mut u, mut v) = (0.0f64, 0.0f64);
        let mut d = f64::INFINITY;
        for _ in 0..20_000 {
            let q = [0, 1, 2].map(|k| p.t[k] + u * p.c[0][k] + v * p.c[1][k]);
            let x = q[0].clamp(-p.a[0], p.a[0]);
            let y = q[1].clamp(-p.a[1], p.a[1]);
            let e = [x - p.t[0], y - p.t[1], -p.t[2]];
            u = dot(e, p.c[0]).clamp(-p.b[0], p.b[0]);
            v = dot(e, p.c[1]).clamp(-p.b[1], p.b[1]);
            let f = [0, 1, 2].map(|k| u * p.c[0][k] + v * p.c[1][k] - e[k]);
            d = dot(f, f);
        }
        d
    }

    /// Rectangles that touch where two edges cross at a small angle, with axes as far from unit
    /// length as boxes may have: the distance must not exceed what the slack covers.
    #[test]
    fn touching_edges_at_small_angles_are_not_apart() {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for step in 0..60_000 {
            let sine = 10f64.powf(-8.0 * random().abs());
            let cosine = (1.0 - sine * sine).sqrt();
            let long = 1.0 + f64::from(step % 3) * 43.0 * UNIT;
            // B's edge along c0 crosses A's edge along x at the origin of both.
            let c0 = [cosine * long, 0.0, sine * long];
            let c2 = [-sine, 0.0, cosine];
            let (a, b) =
                ([1.0, 0.1 * random().abs()], [0.5 + 0.5 * random(), 0.1 * random().abs()]);
            let (s, w) = (0.9 * random() * a[0], 0.9 * random() * b[0]);
            // A's edge lies at y = a1, B's at −b1 along its second axis, which is y.
            let t = [s - w * c0[0], a[1] + b[1], -w * c0[2]];
            let pair = Pair { a, b, c: [c0, [0.0, 1.0, 0.0], c2], t };
            let size = a[0] + a[1] + b[0] + b[1];
            let distance = pair.squared_distance(0.0).sqrt();
            assert!(distance <= 580.0 * UNIT * size, "{pair:?}: {} u", distance / UNIT / size);
        }
    }

    /// Edges that cross at a small angle, with B's axis as long as boxes may have it and B's centre
    /// as far from the crossing as its edge allows: the error found is at least a quarter of the
    /// proved bound.
    #[test]
    fn edges_at_small_angles_need_what_is_taken_off() {
        let mut most = 0.0f64;
        for step in 0..3000 {
            let sine = 10f64.powf(-1.0 - f64::from(step) / 600.0);
            let cosine = (1.0 - sine * sine).sqrt();
            let long = 1.0 + 42.0 * UNIT;
            let c = [cosine * long, 0.0, sine * long];
            let (a, b) = ([0.01, 0.0], [1.0, 0.0]);
            // B's edge meets A's at B's parameter 1 − 1e-3 and A's middle.
            let w = -0.999;
            let t = c.map(|x| -w * x);
            let pair = Pair { a, b, c: [c, [0.0, 1.0, 0.0], [-sine, 0.0, cosine]], t };
            let (square, delta) = pair.on_edges(0, 0);
            most = most.max((square * delta).sqrt() / (UNIT * pair.size()));
            assert!(pair.edges(0, 0) <= (580.0 * UNIT * pair.size()).powi(2), "{sine:e}");
        }
        println!("edges at small angles: {most:.1} u found, 51 u proved, {EDGES} u granted");
        assert!(most <= 51.0 && 51.0 <= EDGES && most > 51.0 / 4.0, "{most}");
    }

    /// The distance as that of two triangles each.
    fn by_triangles(p: &Pair) -> f64 {
        use impinge_geometry::{Point, triangle};
        let of = |half: [f64; 2], axes: [[f64; 3]; 2], at: [f64; 3]| {
            let corner = |(x, y): (f64, f64)| {
                let [u, v] = [x * half[0], y * half[1]];
                Point::from([0, 1, 2].map(|k| at[k] + u * axes[0][k] + v * axes[1][k]))
            };
            let [p, q, r, s] = [0, 1, 2, 3].map(|i| corner((FIRST[i], SECOND[i])));
            [[p, q, r], [r, s, p]]
        };
        let own = of(p.a, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0.0; 3]);
        let other = of(p.b, [p.c[0], p.c[1]], p.t);
        let each = own.map(|s| other.map(|t| triangle::distance(&s, &t).0));
        each.into_iter().flatten().fold(f64::INFINITY, f64::min)
    }

    /// Rectangles of integers and half integers, some of them segments or points, along the axes or
    /// at an angle, so that they touch, cross and are coplanar; and rectangles of arbitrary
    /// numbers.
    #[test]
    fn the_distance_is_that_of_triangles_and_an_early_end_is_near_enough() {
        use impinge_geometry::Vector;
        use impinge_models::Random;
        use nalgebra::Matrix3;
        let (mut zero, mut early) = (0, 0);
        for index in 0..6000 {
            let mut random = Random::stream(151, index);
            let order = [[0, 1, 2], [1, 2, 0], [2, 0, 1]][random.below(3) as usize];
            let turned = Matrix3::from_fn(|i, j| f64::from(u8::from(order[j] == i)));
            let tilt = Matrix3::new(0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0);
            let axes = match random.below(4) {
                0 => turned,
                1 => turned * tilt,
                2 => tilt * turned,
                _ => *random.turned_to(Vector::zeros()).rotation(),
            };
            let mut length = || [0.0, 0.5, 1.0, 2.0, 3.0][random.below(5) as usize];
            let (a, b) = ([length(), length()], [length(), length()]);
            let t = random.vector(-4.0, 4.0).map(|x| 0.5 * (2.0 * x).round());
            let c = [0, 1, 2].map(|j| axes.column(j).into_owned().into());
            let pair = Pair { a, b, c, t: t.into() };
            let (found, truth) = (pair.squared_distance(0.0), by_triangles(&pair));
            let size = pair.size();
            let allowed = 1e-12 * size * size;
            assert!((found - truth * truth).abs() <= allowed, "{pair:?}: {found} {truth}");
            zero += u32::from(truth == 0.0);
            for share in [0.5, 1.0, 1.5, 4.0] {
                let enough = share * truth * truth;
                let told = pair.squared_distance(enough);
                assert!(told >= truth * truth - allowed, "{pair:?}: {told}");
                let needed = truth * truth + allowed;
                assert!(told <= needed || told <= enough, "{pair:?}: {told}");
                early += u32::from(told > needed);
            }
        }
        assert!((300..3000).contains(&zero) && early > 500, "{zero} {early}");
    }

    /// The search ends at a value equal to `enough`.
    #[test]
    fn a_value_that_is_exactly_enough_ends_the_search() {
        let mut gains = 0;
        for index in 0..200 {
            let mut random = impinge_models::Random::stream(152, index);
            let mut length = || random.range(0.5, 3.0);
            let (a, b) = ([length(), length()], [length(), length()]);
            let axes = *random.turned_to(impinge_geometry::Vector::zeros()).rotation();
            let c = [0, 1, 2].map(|j| axes.column(j).into_owned().into());
            let t = random.vector(-4.0, 4.0).into();
            let pair = Pair { a, b, c, t };
            let (own, its) = (pair.corners(), pair.swapped().corners());
            let mut least = pair.beside(&own).min(pair.swapped().beside(&its));
            assert_eq!(pair.squared_distance(least), least, "{pair:?}");
            if pair.crosses(&own) || pair.swapped().crosses(&its) {
                continue;
            }
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let before = least;
                least = least.min(pair.edges(i, j));
                assert_eq!(pair.squared_distance(least), least, "{pair:?}");
                gains += u32::from(least < before);
            }
        }
        assert!(gains > 30, "{gains}");
    }

    /// Nothing is subtracted where the squared sine of the edges' angle is above ⅛, something
    /// below.
    #[test]
    fn edges_at_large_angles_are_as_far_as_they_were_found() {
        let mut at = 0;
        for step in 0..=2000 {
            // Squared sines from 0 to ¼, some of them exactly ⅛.
            let cosine = match step {
                2000 => 0.875f64.sqrt(),
                1999 => 0.875f64.sqrt().next_up(),
                1998 => 0.875f64.sqrt().next_down(),
                1800.. => 1.0 - UNIT * f64::from(step - 1800),
                _ => (1.0 - f64::from(step) / 7200.0).sqrt(),
            };
            let sine = (1.0 - cosine * cosine).sqrt();
            let c = [[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]];
            // Where the edges cross up to 1e-10, the subtracted part is visible beside the rest.
            let near =
                Pair { a: [1.0, 0.5], b: [2.0, 0.25], c, t: [0.1, 0.75 + 1e-10, 0.2 * sine] };
            let ((least, delta), size) = (near.on_edges(0, 0), near.size());
            let (lost, granted) = (least - near.edges(0, 0), (128.0 * UNIT * size).powi(2) / delta);
            if delta > 0.125 {
                assert!(lost == 0.0 && least < 1.1e-20, "{delta}: {lost:e} of {least:e}");
            } else if granted < 0.5 * least {
                assert!((lost / granted - 1.0).abs() < 1e-6, "{delta}: {lost:e}, not {granted:e}");
            }
            let pair = Pair { a: [1.0, 0.5], b: [2.0, 0.25], c, t: [0.1, 3.0, 0.2] };
            let (least, delta) = pair.on_edges(0, 0);
            assert!((delta - sine * sine).abs() < 1e-15);
            let lost = least - pair.edges(0, 0);
            at += u32::from(delta == 0.125);
            assert!(if delta > 0.125 { lost == 0.0 } else { lost >= 0.0 }, "{delta}: {lost:e}");
            let size = pair.size();
            assert_eq!(size, 1.0 + 0.5 + 2.0 + 0.25 + 0.1 + 3.0 + 0.2);
            // The granted error, where it is visible beside the rounding of the difference.
            let granted = (128.0 * UNIT * size).powi(2) / delta.max(128.0 * UNIT);
            assert!((lost - granted).abs() < 4e-15 || delta > 0.125, "{delta:e}: {lost:e}");
        }
        assert!(at > 0, "none is exactly an eighth");
    }

    #[test]
    fn the_distance_is_that_of_alternating_projections() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut zero = 0;
        for _ in 0..300 {
            let (yaw, pitch) = (3.0 * random(), 1.5 * random());
            let (c0, c1) = (
                [yaw.cos() * pitch.cos(), yaw.sin() * pitch.cos(), pitch.sin()],
                [-yaw.sin(), yaw.cos(), 0.0],
            );
            let c2 = [
                c0[1] * c1[2] - c0[2] * c1[1],
                c0[2] * c1[0] - c0[0] * c1[2],
                c0[0] * c1[1] - c0[1] * c1[0],
            ];
            let length = |x: f64| x.abs() + 0.05;
            let pair = Pair {
                a: [length(random()), length(random())],
                b: [length(random()), length(random())],
                c: [c0, c1, c2],
                t: [0.7 * random(), 0.7 * random(), 0.7 * random()],
            };
            let (ours, slow) = (pair.squared_distance(0.0).sqrt(), by_descent(&pair).sqrt());
            assert!(ours <= slow + 1e-9, "{pair:?}: {ours} {slow}");
            // Alternating projections converge slowly where the rectangles meet.
            assert!(ours >= slow - 2e-3, "{pair:?}: {ours} {slow}");
            zero += u32::from(ours == 0.0);
        }
        assert!((30..200).contains(&zero), "{zero} of 300 meet");
    }
}
