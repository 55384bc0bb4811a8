//! Polynomials in the time `t` with integer coefficients.

use num_bigint::{BigInt, Sign};

use crate::small;

/// `Σ s_i (1 − t)^(n−i) t^i`. With `z = t / (1 − t)`, which runs from 0 to infinity while `t` runs
/// from 0 to 1, the same coefficients are those of `Σ s_i z^i`: a root at `t = 1` is a vanishing
/// last coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<BigInt>);

/// The times from `low / 2^depth` to `high / 2^depth`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) low: BigInt,
    pub(crate) high: BigInt,
    pub(crate) depth: u32,
}

impl Cell {
    /// From 0 to 1.
    pub(crate) fn whole() -> Self {
        Self::new(0, 1, 0)
    }

    /// The time at its low, or at its high end.
    pub(crate) fn end(&self, high: bool) -> Self {
        let number = if high { &self.high } else { &self.low };
        Self { low: number.clone(), high: number.clone(), depth: self.depth }
    }

    /// From the low end of one cell to the high end of another.
    pub(crate) fn between(one: &Self, other: &Self) -> Self {
        let depth = one.depth.max(other.depth);
        Self {
            low: &one.low << (depth - one.depth),
            high: &other.high << (depth - other.depth),
            depth,
        }
    }

    /// From `low` to `high`, over `2^depth`.
    pub(crate) fn new(low: impl Into<BigInt>, high: impl Into<BigInt>, depth: u32) -> Self {
        Self { low: low.into(), high: high.into(), depth }
    }

    /// A part of this cell, given in its time.
    pub(crate) fn part(&self, part: &Self) -> Self {
        let (width, start) = (&self.high - &self.low, &self.low << part.depth);
        Self {
            low: &width * &part.low + &start,
            high: width * &part.high + start,
            depth: self.depth + part.depth,
        }
    }

    /// Whether it is at most `2^−depth` wide.
    pub(crate) fn is_within(&self, depth: u32) -> bool {
        let width = &self.high - &self.low;
        width.sign() == Sign::NoSign
            || (width - 1_u32).bits() + u64::from(depth) <= self.depth.into()
    }
}

impl<const N: usize> From<[BigInt; N]> for Polynomial {
    fn from(coefficients: [BigInt; N]) -> Self {
        Self(coefficients.into())
    }
}

impl Polynomial {
    /// The linear one with these values at 0 and at 1.
    pub(crate) fn linear(start: BigInt, end: BigInt) -> Self {
        Self(vec![start, end])
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(|s| s.sign() == Sign::NoSign)
    }

    /// The signs at time 0 and at time 1.
    pub(crate) fn ends(&self) -> [Sign; 2] {
        [self.0[0].sign(), self.0[self.0.len() - 1].sign()]
    }

    /// The product of two pairs, less that of two others, all of one degree.
    pub(crate) fn minor(a: [&Self; 2], b: [&Self; 2]) -> Self {
        if let ([Some(p), Some(q)], [Some(r), Some(s)]) = (a.map(Self::small), b.map(Self::small)) {
            return Self::from(small::minor([p, q], [r, s]).map(BigInt::from));
        }
        a[0].times(a[1]).minus(&b[0].times(b[1]))
    }

    /// Linear, with small values at 0 and at 1.
    pub(crate) fn small(&self) -> Option<small::Linear> {
        let [start, end] = &self.0[..] else { return None };
        small::linear(start, end)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = vec![BigInt::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (k, b) in other.0.iter().enumerate() {
                product[i + k] += a * b;
            }
        }
        Self(product)
    }

    /// The sum; both have the same degree.
    pub(crate) fn plus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a += b);
        self
    }

    /// The difference; both have the same degree.
    pub(crate) fn minus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a -= b);
        self
    }

    /// Whether one is a multiple of the other; neither is zero, both have the same degree.
    pub(crate) fn is_multiple_of(&self, other: &Self) -> bool {
        let Some(k) = self.0.iter().position(|s| s.sign() != Sign::NoSign) else { return false };
        let (a, b) = (&self.0[k], &other.0[k]);
        b.sign() != Sign::NoSign && self.0.iter().zip(&other.0).all(|(s, t)| s * b == t * a)
    }

    /// The same function of `u`, which runs from 0 to 1 while `t` runs through `cell`, times a
    /// positive constant, the same for all polynomials of a degree: `t ∝ l (1 − u) + h u` and
    /// `1 − t ∝ (m − l) (1 − u) + (m − h) u` with `m = 2^depth`. If the cell is one time, a constant: the value
    /// there.
    pub(crate) fn on(&self, cell: &Cell) -> Self {
        if cell.low == cell.high {
            return Self(vec![self.value_at(cell)]);
        }
        if cell.depth == 0 {
            return self.clone();
        }
        let (mut f, n) = (self.powers(cell.depth), self.0.len() - 1);
        if cell.low.sign() != Sign::NoSign {
            for round in 0..n {
                for k in (round..n).rev() {
                    let (below, above) = f.split_at_mut(k + 1);
                    below[k] += &cell.low * &above[0];
                }
            }
        }
        let width = &cell.high - &cell.low;
        if width != BigInt::from(1) {
            let mut power = width.clone();
            for s in &mut f[1..] {
                *s *= &power;
                power *= &width;
            }
        }
        add_up(&mut f);
        Self(f)
    }

    /// The coefficients of the powers of `2^depth t`, times `2^(n depth)`.
    fn powers(&self, depth: u32) -> Vec<BigInt> {
        let (mut f, n) = (self.0.clone(), self.0.len() - 1);
        for round in (0..n).rev() {
            for k in (1..=n - round).rev() {
                let (below, above) = f.split_at_mut(k);
                above[0] -= &below[k - 1];
            }
        }
        f.iter_mut().rev().zip(0..).for_each(|(s, power)| *s <<= depth * power);
        f
    }

    /// The same on the two halves of time.
    pub(crate) fn halves(&self) -> [Self; 2] {
        [Self(half(self.0.clone())), Self(half(self.reversed().0)).reversed()]
    }

    /// The same with time from 1 to 0.
    pub(crate) fn reversed(&self) -> Self {
        Self(self.0.iter().rev().cloned().collect())
    }

    /// The binary logarithm of the difference of its ends over that of its greatest distance from the line
    /// between them; 0 if that is larger.
    pub(crate) fn straight(&self) -> u32 {
        let n = self.0.len() - 1;
        let [start, end] = [&self.0[0], &self.0[n]];
        let binomial = |i: usize| (0..i).fold(1, |c, k| c * (n - k) / (k + 1));
        let beside = |i: usize| &self.0[i] * n - (start * (n - i) + end * i) * binomial(i);
        let most = (1..n).map(|i| beside(i).bits()).max().unwrap_or(0);
        u32::try_from((end - start).bits().saturating_sub(most)).unwrap_or(u32::MAX)
    }

    /// The multiple of `2^−depth` at or below the root of the line between its ends, which differ in sign.
    pub(crate) fn root_of_line(&self, depth: u32) -> BigInt {
        let [start, end] = [&self.0[0], &self.0[self.0.len() - 1]];
        let across = end - start;
        let shift = across.bits().saturating_sub(u64::from(depth) + 64);
        ((-start >> shift) << depth) / (across >> shift)
    }

    /// The sign at a time: at the low end of a cell.
    pub(crate) fn sign_at(&self, cell: &Cell) -> Sign {
        self.value_at(cell).sign()
    }

    /// The value at the low end of a cell, times a positive constant, the same for all polynomials of a degree.
    fn value_at(&self, cell: &Cell) -> BigInt {
        let (low, depth, last) = (&cell.low, cell.depth, self.0.len() - 1);
        if low.sign() == Sign::NoSign {
            return self.0[0].clone();
        }
        if depth == 0 {
            return self.0[last].clone();
        }
        let mut coefficients = self.powers(depth).into_iter().rev();
        let last = coefficients.next().unwrap_or_default();
        coefficients.fold(last, |value, s| value * low + s)
    }

    /// The changes of sign in the coefficients, zeros left out. Descartes: as many roots inside
    /// (0, 1) or an even number fewer.
    pub(crate) fn variations(&self) -> usize {
        let (mut last, mut count) = (Sign::NoSign, 0);
        for sign in self.0.iter().map(BigInt::sign).filter(|sign| *sign != Sign::NoSign) {
            count += usize::from(last != Sign::NoSign && last != sign);
            last = sign;
        }
        count
    }

    /// The sign inside (0, 1), if the coefficients tell: not if two of them differ.
    pub(crate) fn sign_inside(&self) -> Option<Sign> {
        let mut signs = self.0.iter().map(BigInt::sign).filter(|sign| *sign != Sign::NoSign);
        let first = signs.next().unwrap_or(Sign::NoSign);
        signs.all(|sign| sign == first).then_some(first)
    }

    /// Without the roots at 0 and at 1. Not for zero.
    pub(crate) fn without_ends(mut self) -> Self {
        trim(&mut self.0);
        let zeros = self.0.iter().take_while(|s| s.sign() == Sign::NoSign).count();
        self.0.drain(..zeros);
        self
    }

    /// The derivative in `z`: inside (0, 1) it vanishes where this polynomial turns.
    pub(crate) fn slope(&self) -> Self {
        Self(self.0.iter().enumerate().skip(1).map(|(i, s)| s * i).collect())
    }

    /// How often the quotient of two polynomials, `other` over this one, jumps from negative to positive
    /// infinity inside (0, 1), less how often it jumps back; neither is zero, and roots at 0 and 1 are
    /// left out of both. A step of Sturm's theorem: the quotients of these two and of the remainder and
    /// `other` jump as often, but for what the signs at the ends tell.
    fn jumps(self, other: Self) -> i32 {
        let [a, b] = [self, other].map(Self::without_ends);
        let ([start, end], [of_start, of_end]) = (a.ends(), b.ends());
        let own = i32::from(start != of_start) - i32::from(end != of_end);
        if b.sign_inside().is_some() {
            return own;
        }
        let rest = Self(remainder(a.0, &b.0).into_iter().map(|s| -s).collect());
        if rest.0.is_empty() { own } else { own + b.jumps(rest) }
    }

    /// The sign of `other`, which is not zero, at the only root of this polynomial inside (0, 1), a simple one.
    pub(crate) fn sign_at_root(&self, other: &Self) -> Sign {
        let rises = self.ends()[1] == Sign::Plus;
        match self.clone().jumps(other.clone()) {
            0 => Sign::NoSign,
            jumps if (jumps > 0) == rises => Sign::Plus,
            _ => Sign::Minus,
        }
    }

    /// The coefficients of the same function as a cubic, over their largest magnitude; of a degree up
    /// to three.
    pub(crate) fn rounded(&self) -> [f64; 4] {
        let most = self.0.iter().map(BigInt::bits).max().unwrap_or(0);
        let shift = most.saturating_sub(62);
        let unit = 1.0 / (1_u64 << (most - shift)) as f64;
        let mut cubic = [0.0; 4];
        for (c, s) in cubic.iter_mut().zip(&self.0) {
            *c = i64::try_from(s >> shift).unwrap_or(0) as f64 * unit;
        }
        // Times (1 − t) + t.
        for _ in self.0.len()..4 {
            for i in (1..4).rev() {
                cubic[i] += cubic[i - 1];
            }
        }
        cubic
    }
}

/// From coefficients of the powers of `t` to those of a [`Polynomial`]: `Σ f_i ((1 − t) + t)^(n−i) t^i`.
fn add_up(f: &mut [BigInt]) {
    let n = f.len() - 1;
    for round in 0..n {
        for k in 1..=n - round {
            let (below, above) = f.split_at_mut(k);
            above[0] += &below[k - 1];
        }
    }
}

/// On the first half of time: `Σ s_i (2 (1 − u) + u)^(n−i) u^i`, by sums and shifts.
fn half(mut f: Vec<BigInt>) -> Vec<BigInt> {
    add_up(&mut f);
    f.iter_mut().rev().enumerate().for_each(|(power, s)| *s <<= power);
    f
}

/// Drops vanishing coefficients of the highest powers.
fn trim(f: &mut Vec<BigInt>) {
    while f.last().is_some_and(|s| s.sign() == Sign::NoSign) {
        f.pop();
    }
}

/// The remainder of `c f` by `g`, for some positive constant `c` that keeps it whole, without common
/// powers of two; `g` is trimmed and not zero.
fn remainder(mut f: Vec<BigInt>, g: &[BigInt]) -> Vec<BigInt> {
    trim(&mut f);
    let leading = &g[g.len() - 1];
    let size = BigInt::from(leading.magnitude().clone());
    while f.len() >= g.len() {
        let Some(mut factor) = f.pop() else { break };
        if leading.sign() == Sign::Minus {
            factor = -factor;
        }
        for s in &mut f {
            *s *= &size;
        }
        let shift = f.len() + 1 - g.len();
        for (s, t) in f[shift..].iter_mut().zip(g) {
            *s -= t * &factor;
        }
        trim(&mut f);
    }
    let zeros = f.iter().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
    for s in &mut f {
        *s >>= zeros;
    }
    f
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;

    /// Of polynomials with a root that is known, of any degree, alone or in common with the other. The sign in
    /// the middle of time, which is another question, is told from it.
    #[test]
    fn signs_at_roots_are_exact() {
        let (mut random, mut seen, mut different) = (Random::new(0x519), [0; 3], 0);
        for _ in 0..3_000 {
            let (other, degree, shared) = (random.below(3), random.below(4), random.chance(0.3));
            let mut of = |degree: u64, least: i64| {
                let n = 19 - least;
                let number = |_| BigInt::from(random.below(n as u64 + 1) as i64 + least);
                Polynomial((0..=degree).map(number).collect())
            };
            let [low, high] = [of(0, 1), of(0, 1)];
            let line = Polynomial::linear(-low.0[0].clone(), high.0[0].clone());
            // No root inside but that of the line.
            let f = line.times(&of(other, 1));
            let q = if shared { line.times(&of(degree, -19)) } else { of(degree, -19) };
            if q.is_zero() {
                continue;
            }
            let time = Root([low.0[0].clone(), high.0[0].clone()]);
            let truth = time.sign_of(&q);
            let falling = Polynomial(f.0.iter().map(|s| -s).collect());
            assert_eq!(f.sign_at_root(&q), truth, "{f:?} {q:?}");
            assert_eq!(falling.sign_at_root(&q), truth, "{falling:?} {q:?}");
            seen[truth as usize] += 1;
            different += usize::from(q.sign_at(&Cell::new(1, 1, 1)) != truth);
        }
        assert!(seen.iter().all(|n| *n > 500) && different > 1_000, "{seen:?} {different}");
    }

    /// A number `z`: a numerator and a denominator.
    struct Root([BigInt; 2]);

    impl Root {
        fn sign_of(&self, q: &Polynomial) -> Sign {
            let n = q.0.len() as u32 - 1;
            let term = |(i, s): (u32, &BigInt)| s * self.0[0].pow(i) * self.0[1].pow(n - i);
            (0..).zip(&q.0).map(term).sum::<BigInt>().sign()
        }
    }

    #[test]
    fn multiples_are_told_from_others() {
        let of = |start: i32, end: i32| Polynomial::linear(start.into(), end.into());
        assert!(of(1, 2).is_multiple_of(&of(2, 4)) && of(0, -3).is_multiple_of(&of(0, 2)));
        assert!(of(2, -6).is_multiple_of(&of(-1, 3)));
        assert!(!of(1, 2).is_multiple_of(&of(2, 5)) && !of(0, 1).is_multiple_of(&of(1, 1)));
        assert!(!of(1, 1).is_multiple_of(&of(0, 1)));
    }
}
