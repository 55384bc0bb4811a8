//! Polynomials in the time `t` with integer coefficients.

use num_bigint::{BigInt, Sign};

/// `Σ s_i (1 − t)^(n−i) t^i`. With `z = t / (1 − t)`, which runs from 0 to infinity while `t` runs
/// from 0 to 1, the same coefficients are those of `Σ s_i z^i`: a root at `t = 1` is a vanishing
/// last coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<BigInt>);

/// The times from `number / 2^depth` to `(number + 1) / 2^depth`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) number: BigInt,
    pub(crate) depth: u32,
}

impl Cell {
    /// From 0 to 1.
    pub(crate) fn whole() -> Self {
        Self { number: BigInt::ZERO, depth: 0 }
    }

    /// Its two halves; the second begins at the middle.
    pub(crate) fn halves(&self) -> [Self; 2] {
        let first = &self.number << 1_u32;
        [first.clone(), first + 1].map(|number| Self { number, depth: self.depth + 1 })
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
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }

    /// The difference; both have the same degree.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }

    /// The same function of `u`, which runs from 0 to 1 while `t` runs through `cell`, times a
    /// positive constant: `t ∝ c (1 − u) + (c + 1) u` and `1 − t ∝ (m − c) (1 − u) + (m − c − 1) u`
    /// with `m = 2^depth`.
    pub(crate) fn on(&self, cell: &Cell) -> Self {
        let (c, m) = (&cell.number, BigInt::from(1) << cell.depth);
        let time = Self::linear(c.clone(), c + 1);
        let rest = Self::linear(&m - c, m - c - 1);
        let degree = self.0.len() - 1;
        let mut sum = Self(vec![BigInt::ZERO; self.0.len()]);
        for (i, s) in self.0.iter().enumerate() {
            let mut term = Self(vec![s.clone()]);
            (0..i).for_each(|_| term = term.times(&time));
            (i..degree).for_each(|_| term = term.times(&rest));
            sum = sum.plus(&term);
        }
        sum
    }

    /// The sign at the start of a cell: at `number / 2^depth`, which may be 1.
    pub(crate) fn sign_at(&self, cell: &Cell) -> Sign {
        let rest = (BigInt::from(1) << cell.depth) - &cell.number;
        let (mut value, mut power) = (BigInt::ZERO, BigInt::from(1));
        // Horner in (1 − t), with powers of t.
        for s in &self.0 {
            value = value * &rest + s * &power;
            power *= &cell.number;
        }
        value.sign()
    }

    /// The changes of sign in the coefficients, zeros left out. Descartes: as many roots inside
    /// (0, 1) or an even number fewer.
    pub(crate) fn variations(&self) -> usize {
        let signs = self.0.iter().map(BigInt::sign).filter(|sign| *sign != Sign::NoSign);
        let signs: Vec<Sign> = signs.collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The sign inside (0, 1), if the coefficients tell: not if two of them differ.
    pub(crate) fn sign_inside(&self) -> Option<Sign> {
        let mut signs = self.0.iter().map(BigInt::sign).filter(|sign| *sign != Sign::NoSign);
        let first = signs.next().unwrap_or(Sign::NoSign);
        signs.all(|sign| sign == first).then_some(first)
    }

    /// A polynomial with the same roots inside (0, 1), each of them once. Not for zero.
    pub(crate) fn square_free(&self) -> Self {
        let mut f = self.0.clone();
        // Roots at 0 and at 1 go.
        trim(&mut f);
        f.drain(..f.iter().take_while(|s| s.sign() == Sign::NoSign).count());
        let derivative = f.iter().enumerate().skip(1).map(|(i, s)| s * i).collect();
        let common = common_divisor(f.clone(), derivative);
        Self(primitive(divided(f, &common).0))
    }

    /// The greatest common divisor; neither is zero.
    pub(crate) fn common_divisor(&self, other: &Self) -> Self {
        Self(common_divisor(self.0.clone(), other.0.clone()))
    }
}

/// Drops vanishing coefficients of the highest powers.
fn trim(f: &mut Vec<BigInt>) {
    while f.last().is_some_and(|s| s.sign() == Sign::NoSign) {
        f.pop();
    }
}

/// Divided by the greatest common divisor of the coefficients.
fn primitive(mut f: Vec<BigInt>) -> Vec<BigInt> {
    trim(&mut f);
    let gcd = |a: BigInt, b: &BigInt| {
        let (mut a, mut b) = (a, b.clone());
        while b.sign() != Sign::NoSign {
            (a, b) = (b.clone(), a % b);
        }
        a
    };
    let content = f.iter().fold(BigInt::ZERO, gcd);
    f.into_iter().map(|s| s / &content).collect()
}

/// Quotient and remainder of `c f` by `g`, for some constant `c` that keeps them whole; `g` is
/// trimmed and not zero.
fn divided(mut f: Vec<BigInt>, g: &[BigInt]) -> (Vec<BigInt>, Vec<BigInt>) {
    trim(&mut f);
    let leading = &g[g.len() - 1];
    let mut quotient = vec![BigInt::ZERO; (f.len() + 1).saturating_sub(g.len())];
    while f.len() >= g.len() {
        let (factor, shift) = (f[f.len() - 1].clone(), f.len() - g.len());
        f.iter_mut().chain(&mut quotient).for_each(|s| *s *= leading);
        for (i, s) in g.iter().enumerate() {
            f[shift + i] -= s * &factor;
        }
        quotient[shift] += factor;
        trim(&mut f);
    }
    (quotient, f)
}

fn common_divisor(mut f: Vec<BigInt>, mut g: Vec<BigInt>) -> Vec<BigInt> {
    trim(&mut g);
    while !g.is_empty() {
        let rest = divided(f, &g).1;
        (f, g) = (g, primitive(rest));
    }
    primitive(f)
}
