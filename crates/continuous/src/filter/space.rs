//! The general case: `F` does not vanish for a reason that is known.

use impinge_query::continuous::Interval;

use super::corners::{
    Bounds, Corners, Moving, Vector, cross, dot, larger, passes, plus, sign, smaller,
};
use super::newton::{around, root};
use super::{Piece, Share, Step, Verdict, search};

/// A motion that differs on all axes.
pub(super) struct Space<'m, const N: usize> {
    moving: &'m Moving<N>,
    bounds: Bounds<N>,
}

/// A cross product of two corners on a piece: `Σ c_i (1 − x)^(2−i) x^i`.
type Quadratic = [Vector; 3];

/// What the cross products tell on a piece.
enum Side {
    /// Two strict signs differ on an axis: the origin is outside.
    Outside,
    /// All strict signs agree on an axis: the origin is inside where the volume vanishes.
    Inside,
    /// Neither, for certain.
    Open,
}

impl<'m, const N: usize> Space<'m, N> {
    pub(super) fn new<S: Share>(moving: &'m Moving<N>) -> Self {
        Self { moving, bounds: Bounds::new::<S>(moving) }
    }

    pub(super) fn first_contact(&self) -> Verdict {
        search(self.moving, |piece| self.look(piece))
    }

    fn look(&self, piece: &Piece<N>) -> Step {
        // The whole motion has passed no box.
        if piece.depth > 0 && passes(&piece.at_low, &piece.at_high, &self.bounds.corners) {
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
        let side = self.side_of(&products);
        if matches!(side, Side::Outside) {
            return Step::Apart;
        }
        // The coefficients change sign once, whatever those are that are not certain: there is one root.
        let once = signs[1] == signs[0] || signs[2] == signs[3];
        if signs[0] * signs[3] < 0 && once {
            match self.at_root(piece, volume, [signs[0], signs[3]], side) {
                Step::Open => {}
                step => return step,
            }
        }
        // Contact at the low end is possible: no split decides it.
        let at_low = |j: usize, k: usize| [products[j][0][k]; 2];
        if signs[0] == 0
            && !matches!(self.side(at_low), Side::Outside)
            && !passes(a, a, &self.bounds.corners)
        {
            return Step::Answer(Verdict::Unknown);
        }
        Step::Open
    }

    /// The side of the origin, by the least and the largest coefficient of each component of each
    /// cross product.
    #[inline]
    fn side(&self, range: impl Fn(usize, usize) -> [f64; 2]) -> Side {
        let (mut above, mut below) = ([false; 3], [false; 3]);
        let (mut all_above, mut all_below) = ([true; 3], [true; 3]);
        for j in 0..N {
            for k in 0..3 {
                let ([least, most], bound) = (range(j, k), self.bounds.normals[j][k]);
                above[k] |= least > bound;
                below[k] |= most < -bound;
                all_above[k] &= least > bound;
                all_below[k] &= most < -bound;
            }
        }
        let any = |x: [bool; 3]| x[0] | x[1] | x[2];
        if any([0, 1, 2].map(|k| above[k] & below[k])) {
            Side::Outside
        } else if any(all_above) | any(all_below) {
            Side::Inside
        } else {
            Side::Open
        }
    }

    /// The side of the origin on a whole piece.
    #[inline]
    fn side_of(&self, products: &[Quadratic; N]) -> Side {
        self.side(|j, k| {
            let (x, y, z) = (products[j][0][k], 0.5 * products[j][1][k], products[j][2][k]);
            [smaller(smaller(x, y), z), larger(larger(x, y), z)]
        })
    }

    /// What happens on a piece on which the volume vanishes once: nothing meets before or after.
    fn at_root(&self, piece: &Piece<N>, volume: [f64; 4], ends: [i8; 2], side: Side) -> Step {
        let whole = Interval { low: piece.low, high: piece.high };
        let Some(short) = self.around_root(piece, volume, ends) else {
            return match side {
                Side::Inside => Step::Answer(Verdict::MeetWithin(whole)),
                Side::Outside | Side::Open => Step::Open,
            };
        };
        let side = match side {
            Side::Open => self.side_of(&std::array::from_fn(|j| product(&short, j))),
            known => known,
        };
        match side {
            Side::Outside => Step::Apart,
            Side::Inside => {
                Step::Answer(Verdict::Meet(Interval { low: short.low, high: short.high }))
            }
            Side::Open => Step::Open,
        }
    }

    /// A short piece that has the only root of the volume in this one, if that is certain.
    fn around_root(
        &self,
        piece: &Piece<N>,
        volume: [f64; 4],
        [first, last]: [i8; 2],
    ) -> Option<Piece<N>> {
        let near = piece.low + root(volume) * (piece.high - piece.low);
        let [low, high] = around(near, piece.low, piece.high);
        let (at_low, at_high) = (self.moving.at(low), self.moving.at(high));
        let sign = |v: &Corners<N>| sign(dot(&v[0], &cross(&v[1], &v[2])), self.bounds.volume);
        let is_around = (low == piece.low || sign(&at_low) == first)
            && (high == piece.high || sign(&at_high) == last);
        is_around.then_some(Piece { low, high, at_low, at_high, depth: piece.depth })
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
