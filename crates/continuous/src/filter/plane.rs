//! The flat case: all points have one coordinate in common, at all times. `F` vanishes, and of each
//! `X_j` only the component on that axis does not. The first contact is the time at which the last
//! `X_j` that parts the polygon from the origin changes its sign.

use impinge_query::continuous::Interval;

use super::corners::{Bounds, Corners, Moving, passes, sign};
use super::newton::{around, root};
use super::{Piece, Share, Step, Verdict, search};

/// A motion that differs on two axes.
pub(super) struct Plane<'m, const N: usize> {
    moving: &'m Moving<N>,
    bounds: Bounds<N>,
    /// The axis on which nothing differs, and the two others, in cyclic order.
    axes: [usize; 3],
}

/// `Σ c_i (1 − x)^(2−i) x^i`, a cross product of two corners on a piece.
type Quadratic = [f64; 3];

impl<'m, const N: usize> Plane<'m, N> {
    pub(super) fn new<S: Share>(moving: &'m Moving<N>, flat: usize) -> Self {
        let axes = [flat, (flat + 1) % 3, (flat + 2) % 3];
        Self { moving, bounds: Bounds::new::<S>(moving), axes }
    }

    pub(super) fn first_contact(&self) -> Verdict {
        search(self.moving, |piece| self.look(piece))
    }

    fn look(&self, piece: &Piece<N>) -> Step {
        if piece.depth > 0 && self.passes(&piece.at_low, &piece.at_high) {
            return Step::Apart;
        }
        let (a, b) = (&piece.at_low, &piece.at_high);
        let products: [Quadratic; N] = std::array::from_fn(|j| {
            [
                self.product(a, a, j),
                self.product(a, b, j) + self.product(b, a, j),
                self.product(b, b, j),
            ]
        });
        let signs: [[i8; 3]; N] = std::array::from_fn(|j| {
            let (x, bound) = (&products[j], self.bound(j));
            [sign(x[0], bound), sign(x[1], 2.0 * bound), sign(x[2], bound)]
        });
        // A strict sign on the whole piece.
        let steady = signs.map(|[s, t, u]| if s == t && s == u { s } else { 0 });
        let [negative, positive] = [-1, 1].map(|side| steady.contains(&side));
        if negative && positive {
            return Step::Apart;
        }
        let at_low = signs.map(|s| s[0]);
        if at_low.contains(&0) && !differ(&at_low) && !self.passes(a, a) {
            return Step::Answer(Verdict::Unknown);
        }
        if alike(&at_low) {
            // At time 0: a later piece begins where one that is apart has ended.
            return Step::Answer(Verdict::Meet(Interval { low: piece.low, high: piece.low }));
        }
        // All agree at the high end, and one of them on the whole piece. Those that differ at the
        // low end change once: a quadratic whose ends have opposite signs has one root between.
        let at_high = signs.map(|s| s[2]);
        if alike(&at_high) && (negative || positive) && !at_low.contains(&0) {
            return Step::Answer(self.answer(piece, &products, &at_low, at_high[0]));
        }
        Step::Open
    }

    /// The component of `v_j × w_{j+1}` on the flat axis.
    #[inline]
    fn product(&self, v: &Corners<N>, w: &Corners<N>, j: usize) -> f64 {
        let ([_, x, y], next) = (self.axes, (j + 1) % N);
        v[j][x] * w[next][y] - v[j][y] * w[next][x]
    }

    #[inline]
    fn bound(&self, j: usize) -> f64 {
        self.bounds.normals[j][self.axes[0]]
    }

    /// Whether all corners have one strict sign on an axis, at both times. On the flat axis all are
    /// zero.
    fn passes(&self, one: &Corners<N>, other: &Corners<N>) -> bool {
        passes(one, other, &self.bounds.corners)
    }

    /// The first contact is where the last of the cross products that change their sign does.
    fn answer(
        &self,
        piece: &Piece<N>,
        products: &[Quadratic; N],
        at_low: &[i8; N],
        side: i8,
    ) -> Verdict {
        let changes = |j: &usize| at_low[*j] != side;
        let (mut last, mut near) = (0, -1.0);
        for j in (0..N).filter(changes) {
            let c = products[j];
            // The same function as a cubic: times (1 − x) + x.
            let x = root([c[0], c[0] + c[1], c[1] + c[2], c[2]]);
            if x > near {
                (last, near) = (j, x);
            }
        }
        let near = piece.low + near * (piece.high - piece.low);
        let [low, high] = around(near, piece.low, piece.high);
        let at = |v: &Corners<N>, j: usize| sign(self.product(v, v, j), self.bound(j));
        let before = low == piece.low || at(&self.moving.at(low), last) == -side;
        let v = self.moving.at(high);
        if before && (0..N).all(|j| at(&v, j) == side) {
            return Verdict::Meet(Interval { low, high });
        }
        Verdict::Unknown
    }
}

/// Whether two strict signs differ: the origin is outside.
fn differ(signs: &[i8]) -> bool {
    signs.contains(&1) && signs.contains(&-1)
}

/// Whether all signs are strict and the same: the origin is inside.
fn alike(signs: &[i8]) -> bool {
    signs[0] != 0 && signs.iter().all(|s| *s == signs[0])
}
