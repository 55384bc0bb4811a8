//! One oriented box against the sixteen of a node, on fifteen separating axes (Gottschalk 1996, as
//! cited in fan §1.3.3.2). Rounding never makes boxes that meet count as apart.

use crate::placement::Relative;
use crate::simd::Simd;
use crate::tree::{LANES, Node};

/// Relative slack, in units of the sum of all half-lengths; `docs/methods/wide.md` proves that 39 u
/// suffice.
pub(crate) const SLACK: f32 = 40.0 / (1 << 24) as f32;

/// Bit `l` is set if lane `l` is in use and its box may share a point with the single one. With
/// `NEAR`, writes the squared distances of centres to `near`.
#[inline(always)]
pub(crate) fn meet<S: Simd, const NEAR: bool>(
    one: &Relative,
    node: &Node,
    near: &mut [f32; LANES],
) -> u32 {
    let mut meets = 0;
    let mut at = 0;
    while at < LANES {
        if at < node.lanes as usize {
            let apart = axes::<S, Verdicts<S>, NEAR>(one, node, at, near).apart();
            meets |= (!S::bits(apart) & all::<S>()) << at;
        }
        at += S::LANES;
    }
    meets & node.in_use()
}

/// As [`meet`], for the lanes in `among`, and the least gap of those of them that are apart, infinite
/// if there are none: their boxes are no nearer to the single one than that, in the lanes' unit, times
/// `1 − 2⁻¹⁶` (`docs/wide-bounds.md`, "Gaps").
#[inline(always)]
pub(crate) fn measure<S: Simd, const NEAR: bool>(
    one: &Relative,
    node: &Node,
    among: u32,
    near: &mut [f32; LANES],
) -> (u32, f32) {
    let among = among & node.in_use();
    let mut meets = 0;
    let mut least = f32::INFINITY;
    let mut at = 0;
    while at < LANES {
        if at < node.lanes as usize {
            let gaps = axes::<S, Gaps<S>, NEAR>(one, node, at, near);
            let apart = S::and(gaps.apart(), S::mask(among >> at));
            let gap = S::least(S::select(apart, gaps.0, S::splat(f32::INFINITY)));
            least = if gap < least { gap } else { least };
            meets |= (!S::bits(apart) & all::<S>()) << at;
        }
        at += S::LANES;
    }
    (meets & among, least)
}

/// What is kept of the axes that lanes were tested on.
trait Axes<S: Simd>: Copy {
    /// Whether the test ends as soon as all lanes are apart on an axis of the single.
    const SHORT: bool;
    fn none() -> Self;
    /// After one more axis: centres at a distance of `|x|`, and the sum of the boxes' radii.
    fn with(self, x: S::F, reach: S::F) -> Self;
    /// Lanes that are apart on an axis. A number that is not finite never says so by itself.
    fn apart(self) -> S::M;
}

/// Lanes that are apart.
#[derive(Clone, Copy)]
struct Verdicts<S: Simd>(S::M);

impl<S: Simd> Axes<S> for Verdicts<S> {
    const SHORT: bool = true;
    #[inline(always)]
    fn none() -> Self {
        Self(S::never())
    }
    #[inline(always)]
    fn with(self, x: S::F, reach: S::F) -> Self {
        Self(S::or(self.0, S::gt(S::abs(x), reach)))
    }
    #[inline(always)]
    fn apart(self) -> S::M {
        self.0
    }
}

/// The largest gap of each lane, or zero. A difference is positive exactly where [`Verdicts`] finds
/// the first number larger, so both find the same lanes apart.
#[derive(Clone, Copy)]
struct Gaps<S: Simd>(S::F);

impl<S: Simd> Axes<S> for Gaps<S> {
    const SHORT: bool = false;
    #[inline(always)]
    fn none() -> Self {
        Self(S::splat(0.0))
    }
    #[inline(always)]
    fn with(self, x: S::F, reach: S::F) -> Self {
        Self(S::max(S::sub(S::abs(x), reach), self.0))
    }
    #[inline(always)]
    fn apart(self) -> S::M {
        S::gt(self.0, S::splat(0.0))
    }
}

#[inline(always)]
fn all<S: Simd>() -> u32 {
    ((1u64 << S::LANES) - 1) as u32
}

/// Coordinate of the lanes' vectors on one axis of the single: one row of `M v`.
#[inline(always)]
fn on_axis<S: Simd>(row: &[f32; 4], v: [S::F; 3]) -> S::F {
    let z = S::mul(S::splat(row[2]), v[2]);
    S::mul_add(S::splat(row[0]), v[0], S::mul_add(S::splat(row[1]), v[1], z))
}

/// The same for lanes' centres, measured from the single's centre: one row of `M c + D`.
#[inline(always)]
pub(crate) fn from_centre<S: Simd>(row: &[f32; 4], c: [S::F; 3]) -> S::F {
    let z = S::mul_add(S::splat(row[2]), c[2], S::splat(row[3]));
    S::mul_add(S::splat(row[0]), c[0], S::mul_add(S::splat(row[1]), c[1], z))
}

/// Loads lanes `at ..` of three components.
#[inline(always)]
pub(crate) fn three<S: Simd>(from: &[[f32; LANES]; 3], at: usize) -> [S::F; 3] {
    [S::load(&from[0], at), S::load(&from[1], at), S::load(&from[2], at)]
}

/// A three by three matrix per lane.
pub(crate) type Nine<S> = [[<S as Simd>::F; 3]; 3];

/// `Q` and its entries' magnitudes.
#[inline(always)]
pub(crate) fn turned<S: Simd>(one: &Relative, node: &Node, at: usize) -> [Nine<S>; 2] {
    let zero = S::splat(0.0);
    let mut q = [[zero; 3]; 3];
    let mut aq = [[zero; 3]; 3];
    for j in 0..3 {
        let axis = three::<S>(&node.axes[j], at);
        for i in 0..3 {
            q[i][j] = on_axis::<S>(&one.rows[i], axis);
            aq[i][j] = S::abs(q[i][j]);
        }
    }
    [q, aq]
}

/// The axes of the lanes from `at` on: of the single, of the lanes, and of pairs of edges, but for
/// those that cannot change which lanes are apart.
///
/// No closures here and below: they would be compiled without the target's instruction set.
#[inline(always)]
fn axes<S: Simd, A: Axes<S>, const NEAR: bool>(
    one: &Relative,
    node: &Node,
    at: usize,
    near: &mut [f32; LANES],
) -> A {
    let c = three::<S>(&node.center, at);
    let e = three::<S>(&node.half, at);
    let rows = &one.rows;
    let d = [
        from_centre::<S>(&rows[0], c),
        from_centre::<S>(&rows[1], c),
        from_centre::<S>(&rows[2], c),
    ];
    if NEAR {
        let square = S::mul_add(d[0], d[0], S::mul_add(d[1], d[1], S::mul(d[2], d[2])));
        S::store(square, near, at);
    }
    let h = [S::splat(one.half[0]), S::splat(one.half[1]), S::splat(one.half[2])];
    let sum = S::add(S::add(e[0], e[1]), S::add(e[2], S::splat(one.sum)));
    let slack = S::mul(sum, S::splat(SLACK));

    let [q, aq] = turned::<S>(one, node, at);
    let mut axes = A::none();
    for i in 0..3 {
        let reach = S::mul_add(aq[i][0], e[0], S::add(h[i], slack));
        let reach = S::mul_add(aq[i][1], e[1], S::mul_add(aq[i][2], e[2], reach));
        axes = axes.with(d[i], reach);
    }
    if A::SHORT && S::bits(axes.apart()) == all::<S>() {
        return axes;
    }
    for j in 0..3 {
        let x = S::mul_add(q[0][j], d[0], S::mul_add(q[1][j], d[1], S::mul(q[2][j], d[2])));
        let reach = S::mul_add(aq[0][j], h[0], S::add(e[j], slack));
        let reach = S::mul_add(aq[1][j], h[1], S::mul_add(aq[2][j], h[2], reach));
        axes = axes.with(x, reach);
    }
    if S::bits(axes.apart()) == all::<S>() {
        return axes;
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let x = S::mul_sub(d[i2], q[i1][j], S::mul(d[i1], q[i2][j]));
            let reach = S::mul_add(aq[i2][j], h[i1], S::mul_add(aq[i1][j], h[i2], slack));
            let reach = S::mul_add(aq[i][j2], e[j1], S::mul_add(aq[i][j1], e[j2], reach));
            axes = axes.with(x, reach);
        }
    }
    axes
}
