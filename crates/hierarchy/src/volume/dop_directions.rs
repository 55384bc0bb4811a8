//! The slab directions of k-DOPs, and the cones they span.
//!
//! A k-DOP is the intersection of `k/2` slabs. For another direction `d`, a bound on `max d·x`
//! follows from any three outward directions that span `d` with weights `λ ≥ 0`: `d = Σ λ_i d_i`
//! gives `max d·x ≤ Σ λ_i max d_i·x`. The three used are the corners of the facet that `d` pierces
//! in the convex hull of the unit directions: no other three have a smaller `Σ λ_i |d_i|`, the
//! bound for a ball.

use std::sync::OnceLock;

/// Directions of all k-DOPs in use, not normalised: three axes, four diagonals, six edge diagonals.
const AXES: [[f64; 3]; 3] = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
const DIAGONALS: [[f64; 3]; 4] = [[1., 1., 1.], [1., 1., -1.], [1., -1., 1.], [1., -1., -1.]];
const EDGES: [[f64; 3]; 6] =
    [[1., 1., 0.], [1., -1., 0.], [1., 0., 1.], [1., 0., -1.], [0., 1., 1.], [0., 1., -1.]];

/// The `H` directions of the k-DOP with `k = 2 H`: 3, 7, 9 or 13. Other values get the first `H` of
/// the thirteen: a valid but asymmetric DOP.
pub(super) const fn directions<const H: usize>() -> [[f64; 3]; H] {
    let mut all = [[0.0; 3]; H];
    let mut i = 0;
    while i < H {
        all[i] = if i < 3 {
            AXES[i]
        } else if H == 9 {
            EDGES[i - 3]
        } else if i < 7 {
            DIAGONALS[i - 3]
        } else {
            EDGES[i - 7]
        };
        i += 1;
    }
    all
}

/// A slab's side: index of the direction, and whether it is the upper plane.
pub(super) type Side = (usize, bool);

/// Three sides whose outward directions span a cone, and the inverse of the matrix of these
/// directions.
#[derive(Clone, Copy, Debug)]
struct Cone {
    sides: [Side; 3],
    /// Row `i` times a direction is its `λ_i`.
    inverse: [[f64; 3]; 3],
}

/// `Σ_i λ_i side_i` is a bound along a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combination {
    pub(super) sides: [Side; 3],
    pub(super) weights: [f64; 3],
}

/// The combination for a direction among the `H` of a DOP. Weights are non-negative: for a
/// direction on a facet's border rounding may make them negative, and they are clamped to zero. See
/// [`Dop`](super::Dop) for the error bound.
pub(super) fn combine<const H: usize>(d: [f64; 3]) -> Combination {
    let mut best = ([0.0; 3], f64::NEG_INFINITY, 0);
    let cones = cones::<H>();
    for (index, cone) in cones.iter().enumerate() {
        let weights = cone.inverse.map(|row| row[0] * d[0] + row[1] * d[1] + row[2] * d[2]);
        let least = weights[0].min(weights[1]).min(weights[2]);
        if least > best.1 {
            best = (weights, least, index);
        }
    }
    let weights = best.0.map(|w| w.max(0.0));
    Combination { sides: cones[best.2].sides, weights }
}

/// The facets of the hull of the unit directions, computed once by trying all triples.
fn cones<const H: usize>() -> &'static [Cone] {
    static SIX: OnceLock<Vec<Cone>> = OnceLock::new();
    static FOURTEEN: OnceLock<Vec<Cone>> = OnceLock::new();
    static EIGHTEEN: OnceLock<Vec<Cone>> = OnceLock::new();
    static TWENTY_SIX: OnceLock<Vec<Cone>> = OnceLock::new();
    match H {
        7 => FOURTEEN.get_or_init(find::<7>),
        9 => EIGHTEEN.get_or_init(find::<9>),
        13 => TWENTY_SIX.get_or_init(find::<13>),
        // The three axes are part of every DOP.
        _ => SIX.get_or_init(find::<3>),
    }
}

/// Unit directions closer than this to the plane of three others count as in that plane: rounding
/// is far below it, all other distances far above.
const FACETS: f64 = 1e-9;

fn find<const H: usize>() -> Vec<Cone> {
    let directions = directions::<H>();
    let sides: Vec<Side> = (0..H).flat_map(|i| [(i, true), (i, false)]).collect();
    let outward = |(i, is_upper): Side| directions[i].map(|x| if is_upper { x } else { -x });
    let unit = |s: Side| {
        let v = outward(s);
        let length = dot(v, v).sqrt();
        v.map(|x| x / length)
    };
    let mut cones = Vec::new();
    for i in 0..sides.len() {
        for j in i + 1..sides.len() {
            for k in j + 1..sides.len() {
                let three = [sides[i], sides[j], sides[k]];
                let [p, q, r] = three.map(unit);
                let normal = cross(minus(q, p), minus(r, p));
                let height = dot(normal, p);
                // A plane through the origin has sides above and below it, so it is not a facet.
                let above = |s: &Side| (dot(normal, unit(*s)) - height) * height.signum() > FACETS;
                if !sides.iter().any(above) {
                    let inverse = inverse(three.map(outward));
                    cones.push(Cone { sides: three, inverse });
                }
            }
        }
    }
    cones
}

/// The inverse of the matrix with these columns.
fn inverse(columns: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [p, q, r] = columns;
    let (a, b, c) = (cross(q, r), cross(r, p), cross(p, q));
    let determinant = dot(p, a);
    [a, b, c].map(|row| row.map(|x| x / determinant))
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers_the_sphere<const H: usize>(facets: usize) {
        let cones = cones::<H>();
        assert_eq!(cones.len(), facets, "{H} directions");
        for step in 0..2000 {
            let (z, turn) = (f64::from(step) / 1000.0 - 0.9995, f64::from(step) * 2.4);
            let r = (1.0 - z * z).sqrt();
            let d = [r * turn.cos(), r * turn.sin(), z];
            let found = combine::<H>(d);
            let mut sum = [0.0; 3];
            for (&(i, is_upper), w) in found.sides.iter().zip(found.weights) {
                let sign = if is_upper { 1.0 } else { -1.0 };
                sum = [0, 1, 2].map(|k| sum[k] + w * sign * directions::<H>()[i][k]);
            }
            assert!((0..3).all(|k| (sum[k] - d[k]).abs() < 1e-15 * 8.0), "{d:?}: {sum:?}");
        }
    }

    /// All compared distances are either a million times less than [`FACETS`] or a million times
    /// more.
    #[test]
    fn no_facet_is_a_matter_of_rounding() {
        let unit = |v: [f64; 3]| v.map(|x| x / dot(v, v).sqrt());
        let half = directions::<13>().map(unit);
        let all: Vec<[f64; 3]> = half.iter().flat_map(|v| [*v, v.map(|x| -x)]).collect();
        let (mut zero, mut least) = (0.0f64, f64::INFINITY);
        for p in &all {
            for q in &all {
                for r in &all {
                    let normal = cross(minus(*q, *p), minus(*r, *p));
                    if dot(normal, normal) < 1e-20 {
                        continue;
                    }
                    let height = dot(normal, *p);
                    for x in all.iter().map(|s| dot(normal, *s) - height).chain([height]) {
                        if x.abs() < FACETS {
                            zero = zero.max(x.abs());
                        } else {
                            least = least.min(x.abs());
                        }
                    }
                }
            }
        }
        println!("rounding {zero:e}, distances from {least:e}");
        assert!(zero < 1e-6 * FACETS && least > 1e6 * FACETS, "{zero:e} {least:e}");
    }

    #[test]
    fn the_cones_of_every_dop_cover_all_directions() {
        covers_the_sphere::<3>(8);
        covers_the_sphere::<7>(24);
        covers_the_sphere::<9>(32);
        covers_the_sphere::<13>(48);
    }
}
