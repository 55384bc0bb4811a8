//! The paper's machine: a linear support vector machine, trained by sequential minimal optimisation
//! with the second-order choice of the pair (Fan, Chen, Lin 2005), as LIBSVM does from version 2.8 on.
//!
//! **Problem.** Samples `xᵢ` of A have `yᵢ = 1`, those of B `yᵢ = −1`. Maximise
//! `D(α) = Σα − ½|w|²`, `w = Σ αᵢ yᵢ xᵢ`, over `0 ≤ αᵢ ≤ C`, `Σ αᵢ yᵢ = 0`. Without a bound `C` the
//! samples on both sides of the margin are separated without exception.
//!
//! **Steps.**
//! 1. Scale the samples into [−1, 1] about the middle of their bounds, by one factor for all axes;
//!    different factors would turn the normal.
//! 2. Let `fᵢ = yᵢ − w · xᵢ`. Choose `i` with the largest `fᵢ` among those that may move up
//!    (`yᵢ = 1, αᵢ < C` or `yᵢ = −1, αᵢ > 0`), then `j` among those that may move down with the
//!    largest gain `(fᵢ − fⱼ)² / |xᵢ − xⱼ|²`.
//! 3. Stop if `fᵢ` exceeds the least `fⱼ` of those that may move down by at most `ε`.
//! 4. Move: `αᵢ += yᵢ s`, `αⱼ −= yⱼ s`, `s = (fᵢ − fⱼ) / |xᵢ − xⱼ|²`, cut to the bounds. Go to 2.
//!
//! **How far the normal may be off** (no bound `C`). At any time `D(α)` is at most `½|w*|²`. Let `m`
//! be the least `w · x` over A less the greatest over B. If `m > 0`, `w′ = 2 w / m` separates the
//! samples with margin 2, and so `|w′ − w*|² ≤ |w′|² − |w*|² ≤ |w′|² − 2 D(α)`, because `w*` is the
//! point nearest to the origin of the convex set of such vectors. The angle is at most the arc sine
//! of `√(|w′|² − 2 D) / |w′|`. At the stop `m ≥ 2 − ε`, and the angle is at most about `√(2 ε)`:
//! 0.045 with LIBSVM's `ε` of 10⁻³.

use impinge_geometry::{Point, Vector};
use impinge_query::{Cancelled, Control};

use super::{Trained, Training};

/// Samples visited between two looks at the caller's flag.
const LOOK: usize = 1 << 13;

/// Least gap between the hulls that is looked for, of half the extent of the samples.
const LEAST_GAP: f64 = 1.0 / (1 << 20) as f64;

/// What the stopping rule may be off by, of the length of `w`: 256 units of rounding.
const ROUNDING: f64 = 1.0 / (1u64 << 44) as f64;

/// The machine's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// `ε` of the stopping rule. At most so close as rounding lets it come: less, or not a number, counts as
    /// 2⁻⁴⁴ (1 + |w|).
    pub epsilon: f64,
    /// The bound `C` on the multipliers; `None` for none. A bound below the largest multiplier of
    /// the problem, up to 2 / gap² in scaled units, is another problem: it lets samples into the
    /// margin for a larger one.
    pub penalty: Option<f64>,
    /// The most steps; the samples then count as inseparable.
    pub most_steps: u64,
}

impl Default for Machine {
    /// LIBSVM's `ε`, no bound on the multipliers.
    fn default() -> Self {
        Self { epsilon: 1e-3, penalty: None, most_steps: 100_000 }
    }
}

impl Machine {
    /// LIBSVM 2.84 as it comes, and as the paper uses it ("without adjusting parameters"): `ε` of
    /// 10⁻³ and `C` of 1.
    pub const fn as_printed() -> Self {
        Self { epsilon: 1e-3, penalty: Some(1.0), most_steps: 10_000_000 }
    }

    /// Trains the machine with two sets of samples. Without samples of one, they are inseparable.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn train(
        &self,
        a: &[Point],
        b: &[Point],
        control: &Control<'_>,
    ) -> Result<Training, Cancelled> {
        if a.is_empty() || b.is_empty() {
            return Ok(Training::inseparable(0, None));
        }
        let mut state = State::new(a, b, self.penalty.unwrap_or(f64::INFINITY));
        let mut steps = 0;
        // The dual value of the largest margin that is looked for.
        let most = 2.0 / (LEAST_GAP * LEAST_GAP);
        let stopped = loop {
            let Some((i, j)) = state.choose(self.epsilon, control)? else { break true };
            if steps == self.most_steps || state.dual() > most {
                break false;
            }
            steps += 1;
            if !state.step(i, j) {
                // Rounding leaves nothing to gain.
                break true;
            }
        };
        // What follows is of `w` as the multipliers give it, without the roundings of the steps.
        state.refresh();
        let normal = stopped.then(|| state.w.try_normalize(0.0)).flatten().map(|w| -w);
        let margin = state.margin();
        let Some(normal) = normal.filter(|_| margin > 0.0) else {
            return Ok(Training::inseparable(steps, normal));
        };
        let within = self.penalty.is_none().then(|| state.angle_bound(margin));
        let vectors = state.vectors(a.len());
        Ok(Training::Separable(Trained { normal, vectors, steps, within }))
    }
}

struct State {
    x: Vec<Vector>,
    y: Vec<f64>,
    alpha: Vec<f64>,
    w: Vector,
    c: f64,
}

impl State {
    fn new(a: &[Point], b: &[Point], c: f64) -> Self {
        let all = || a.iter().chain(b);
        let low = all().fold(Point::from([f64::INFINITY; 3]), |low, p| low.inf(p));
        let high = all().fold(Point::from([f64::NEG_INFINITY; 3]), |high, p| high.sup(p));
        let half = high.coords * 0.5 - low.coords * 0.5;
        let middle = low.coords * 0.5 + high.coords * 0.5;
        let size = half.amax();
        let size = if size > 0.0 { size } else { 1.0 };
        let x: Vec<Vector> = all().map(|p| (p.coords - middle) / size).collect();
        let y = (0..x.len()).map(|i| if i < a.len() { 1.0 } else { -1.0 }).collect();
        let alpha = vec![0.0; x.len()];
        Self { x, y, alpha, w: Vector::zeros(), c }
    }

    fn f(&self, i: usize) -> f64 {
        self.y[i] - self.w.dot(&self.x[i])
    }

    fn may_rise(&self, i: usize) -> bool {
        if self.y[i].is_sign_positive() { self.alpha[i] < self.c } else { self.alpha[i] > 0.0 }
    }

    fn may_fall(&self, i: usize) -> bool {
        if self.y[i].is_sign_positive() { self.alpha[i] > 0.0 } else { self.alpha[i] < self.c }
    }

    /// Steps 2 and 3, the first of equals; `None` at the end.
    fn choose(
        &self,
        epsilon: f64,
        control: &Control<'_>,
    ) -> Result<Option<(usize, usize)>, Cancelled> {
        let (mut up, mut most) = (0, f64::NEG_INFINITY);
        for i in 0..self.x.len() {
            if i % LOOK == 0 {
                control.check()?;
            }
            if self.may_rise(i) && self.f(i) > most {
                (up, most) = (i, self.f(i));
            }
        }
        let (mut pair, mut least, mut best) = (None, f64::INFINITY, 0.0);
        for j in 0..self.x.len() {
            if j % LOOK == 0 {
                control.check()?;
            }
            if !self.may_fall(j) {
                continue;
            }
            let f = self.f(j);
            least = least.min(f);
            let gap = (most - f).max(0.0);
            let gain = gap * gap / self.curvature(up, j);
            if gain > best {
                (pair, best) = (Some((up, j)), gain);
            }
        }
        // The rule compares numbers that are off by some units of rounding of `w`.
        let reached = ROUNDING * (1.0 + self.w.norm());
        Ok(pair.filter(|_| most - least > epsilon.max(reached)))
    }

    /// `|xᵢ − xⱼ|²`; a small number for equal samples, as in LIBSVM.
    fn curvature(&self, i: usize, j: usize) -> f64 {
        (self.x[i] - self.x[j]).norm_squared().max(1e-12)
    }

    /// Step 4; whether it changed a multiplier.
    fn step(&mut self, i: usize, j: usize) -> bool {
        let mut s = (self.f(i) - self.f(j)) / self.curvature(i, j);
        let room =
            |y: f64, alpha: f64, c: f64| if y.is_sign_positive() { c - alpha } else { alpha };
        s = s.min(room(self.y[i], self.alpha[i], self.c));
        s = s.min(room(-self.y[j], self.alpha[j], self.c));
        let before = [self.alpha[i], self.alpha[j]];
        self.alpha[i] += self.y[i] * s;
        self.alpha[j] -= self.y[j] * s;
        self.w += (self.x[i] - self.x[j]) * s;
        [self.alpha[i], self.alpha[j]] != before
    }

    fn refresh(&mut self) {
        let terms = self.x.iter().zip(&self.y).zip(&self.alpha);
        self.w = terms.fold(Vector::zeros(), |w, ((x, y), alpha)| w + x * (y * alpha));
    }

    fn dual(&self) -> f64 {
        self.alpha.iter().sum::<f64>() - 0.5 * self.w.norm_squared()
    }

    /// The least `w · x` over A less the greatest over B.
    fn margin(&self) -> f64 {
        let (mut a, mut b) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, &y) in self.x.iter().zip(&self.y) {
            let h = self.w.dot(x);
            if y.is_sign_positive() {
                a = a.min(h);
            } else {
                b = b.max(h);
            }
        }
        a - b
    }

    fn angle_bound(&self, margin: f64) -> f64 {
        let length = 2.0 * self.w.norm() / margin;
        let off = (length * length - 2.0 * self.dual()).max(0.0).sqrt();
        (off / length).min(1.0).asin()
    }

    fn vectors(&self, of_a: usize) -> [Vec<u32>; 2] {
        let active = |range: std::ops::Range<usize>| {
            let start = range.start;
            let mut found: Vec<usize> = range.filter(|&i| self.alpha[i] > 0.0).collect();
            found.sort_by(|&i, &j| self.alpha[j].total_cmp(&self.alpha[i]));
            found.into_iter().map(|i| (i - start) as u32).collect()
        };
        [active(0..of_a), active(of_a..self.x.len())]
    }
}

#[cfg(test)]
mod tests;
