//! The general case: `F` does not vanish for a reason that is known.

use impinge_query::continuous::Interval;

use super::corners::{Bounds, Corners, Moving, Vector, cross, dot, plus, sign};
use super::newton::{around, root};
use super::{Piece, Share, Step, Verdict, search};

/// A motion that differs on all axes.
pub(super) struct Space<'m, const N: usize> {
    moving: &'m Moving<N>,
    bounds: Bounds<N>,
}

/// A cross product of two corners on a piece: `Σ c_i (1 − x)^(2−i) x^i`.
type Quadratic = [Vector; 3];

/// Strict signs of each component of each cross product, 0 where they are not certain.
type Signs<const N: usize> = [[i8; 3]; N];

impl<'m, const N: usize> Space<'m, N> {
    pub(super) fn new<S: Share>(moving: &'m Moving<N>) -> Self {
        Self { moving, bounds: Bounds::new::<S>(moving) }
    }

    pub(super) fn first_contact(&self) -> Verdict {
        search(self.moving, |piece| self.look(piece))
    }

    fn look(&self, piece: &Piece<N>) -> Step {
        // The whole motion has passed no box.
        if piece.depth > 0 && self.passes(&[&piece.at_low, &piece.at_high]) {
            return Step::Apart;
        }
        let (a, b) = (&piece.at_low, &piece.at_high);
        let first = product(piece, 1);
        // The inner coefficients of the volume, times 3.
        let volume = [
            dot(&a[0], &first[0]),
            dot(&b[0], &first[0]) + dot(&a[0], &first[1]),
            dot(&a[0], &first[2]) + dot(&b[0], &first[1]),
            dot(&b[0], &first[2]),
        ];
        let bound = self.bounds.volume;
        let signs = [
            sign(volume[0], bound),
            sign(volume[1], 3.0 * bound),
            sign(volume[2], 3.0 * bound),
            sign(volume[3], bound),
        ];
        if signs[0] != 0 && signs.iter().all(|s| *s == signs[0]) {
            return Step::Apart;
        }
        let products: [Quadratic; N] =
            std::array::from_fn(|j| if j == 1 { first } else { product(piece, j) });
        let (inside, at_low) = self.signs(&products);
        if differ(&inside) {
            return Step::Apart;
        }
        // The coefficients change sign once, whatever those are that are not certain.
        let once = signs[1] == signs[0] || signs[2] == signs[3];
        if signs[0] * signs[3] < 0 && once && agree(&inside) {
            return Step::Answer(self.answer(piece, volume, [signs[0], signs[3]]));
        }
        // Contact at the low end is possible: no split decides it.
        if signs[0] == 0 && !differ(&at_low) && !self.passes(&[a]) {
            return Step::Answer(Verdict::Unknown);
        }
        Step::Open
    }

    /// Whether all corners have one strict sign on an axis, at all these times.
    fn passes(&self, times: &[&Corners<N>]) -> bool {
        (0..3).any(|k| {
            let all = |side: i8| {
                times.iter().all(|corners| {
                    let of = corners.iter().zip(&self.bounds.corners);
                    of.into_iter().all(|(v, bound)| sign(v[k], bound[k]) == side)
                })
            };
            all(1) || all(-1)
        })
    }

    /// The signs that hold on the whole piece, and those at its low end.
    fn signs(&self, products: &[Quadratic; N]) -> (Signs<N>, Signs<N>) {
        let (mut inside, mut at_low) = ([[0; 3]; N], [[0; 3]; N]);
        for j in 0..N {
            for k in 0..3 {
                let (x, bound) = (&products[j], self.bounds.normals[j][k]);
                let side = sign(x[0][k], bound);
                let all = sign(x[1][k], 2.0 * bound) == side && sign(x[2][k], bound) == side;
                at_low[j][k] = side;
                inside[j][k] = if all { side } else { 0 };
            }
        }
        (inside, at_low)
    }

    /// The first contact is at the root of the volume in this piece.
    fn answer(&self, piece: &Piece<N>, volume: [f64; 4], [first, last]: [i8; 2]) -> Verdict {
        let near = piece.low + root(volume) * (piece.high - piece.low);
        let [low, high] = around(near, piece.low, piece.high);
        let at = |t: f64| {
            let v = self.moving.at(t);
            sign(dot(&v[0], &cross(&v[1], &v[2])), self.bounds.volume)
        };
        if (low == piece.low || at(low) == first) && (high == piece.high || at(high) == last) {
            return Verdict::Meet(Interval { low, high });
        }
        Verdict::MeetWithin(Interval { low: piece.low, high: piece.high })
    }
}

/// The cross product of corner `j` and the next; the middle coefficient is the sum of two.
#[inline]
fn product<const N: usize>(piece: &Piece<N>, j: usize) -> Quadratic {
    let (a, b) = (&piece.at_low, &piece.at_high);
    let next = (j + 1) % N;
    [
        cross(&a[j], &a[next]),
        plus(&cross(&a[j], &b[next]), &cross(&b[j], &a[next])),
        cross(&b[j], &b[next]),
    ]
}

/// Whether two strict signs differ on an axis: the origin is outside.
#[inline]
fn differ<const N: usize>(signs: &Signs<N>) -> bool {
    (0..3).any(|k| signs.iter().any(|s| s[k] > 0) && signs.iter().any(|s| s[k] < 0))
}

/// Whether all signs agree strictly on an axis: where the volume vanishes, the origin is inside.
#[inline]
fn agree<const N: usize>(signs: &Signs<N>) -> bool {
    (0..3).any(|k| signs.iter().all(|s| s[k] > 0) || signs.iter().all(|s| s[k] < 0))
}
