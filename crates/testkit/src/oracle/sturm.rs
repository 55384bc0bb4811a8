//! The roots of a polynomial with integer coefficients, counted by Sturm's theorem.

use dashu_int::{IBig, Sign};

/// A polynomial without multiple roots, its derivative, and the negated remainders of each by the
/// next. The number of roots after `a` and up to `b` is the difference of the changes of sign there.
pub(super) struct Chain(Vec<Vec<IBig>>);

/// The chain of the polynomial that has the roots of this one, which is not zero, once each;
/// coefficients from the constant on.
pub(super) fn chain(f: &[IBig; 4]) -> Chain {
    let mut f = f.to_vec();
    trim(&mut f);
    let all = remainders(f.clone());
    // The last one is the greatest common divisor with the derivative.
    let common = &all[all.len() - 1];
    if common.len() == 1 { Chain(all) } else { Chain(remainders(divided(&f, common)[0].clone())) }
}

fn remainders(f: Vec<IBig>) -> Vec<Vec<IBig>> {
    let mut derivative: Vec<IBig> =
        f.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect();
    trim(&mut derivative);
    let mut all = vec![f];
    let mut next = derivative;
    while !next.is_empty() {
        let [_, rest] = divided(&all[all.len() - 1], &next);
        all.push(next);
        next = rest.into_iter().map(|c| -c).collect();
    }
    all
}

impl Chain {
    /// Whether the polynomial is zero at `number / 2^bits`.
    pub(super) fn vanishes(&self, number: &IBig, bits: usize) -> bool {
        value(&self.0[0], number, bits).is_zero()
    }

    /// The number `a` for which the first root after `low` is after `a` and not after `a + 1`, all in
    /// units of `1 / 2^bits`; `None` if there is none up to 1.
    pub(super) fn next_root(&self, low: &IBig, bits: usize) -> Option<IBig> {
        let before = self.changes(low, bits);
        let (mut a, mut b) = (low.clone(), IBig::ONE << bits);
        if self.changes(&b, bits) == before {
            return None;
        }
        loop {
            let middle: IBig = (&a + &b) >> 1;
            if middle == a {
                return Some(a);
            }
            if self.changes(&middle, bits) == before {
                a = middle;
            } else {
                b = middle;
            }
        }
    }

    fn changes(&self, number: &IBig, bits: usize) -> usize {
        let values = self.0.iter().map(|f| value(f, number, bits)).filter(|x| !x.is_zero());
        let signs: Vec<Sign> = values.map(|x| x.sign()).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }
}

/// The value at `number / 2^bits`, times a positive constant.
fn value(f: &[IBig], number: &IBig, bits: usize) -> IBig {
    let mut sum = IBig::ZERO;
    for (i, c) in f.iter().rev().enumerate() {
        sum = sum * number + (c << (i * bits));
    }
    sum
}

/// Quotient and remainder of `f` by `g`, times one positive constant.
fn divided(f: &[IBig], g: &[IBig]) -> [Vec<IBig>; 2] {
    let leading = &g[g.len() - 1];
    let square = leading * leading;
    let mut rest = f.to_vec();
    let mut quotient = vec![IBig::ZERO; (f.len() + 1).saturating_sub(g.len())];
    while rest.len() >= g.len() {
        // Times a square, so that signs stay.
        let factor = &rest[rest.len() - 1] * leading;
        let shift = rest.len() - g.len();
        rest.iter_mut().chain(&mut quotient).for_each(|c| *c = &*c * &square);
        for (i, c) in g.iter().enumerate() {
            rest[shift + i] -= c * &factor;
        }
        quotient[shift] += factor;
        trim(&mut rest);
    }
    [quotient, rest]
}

fn trim(f: &mut Vec<IBig>) {
    while f.last().is_some_and(IBig::is_zero) {
        f.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (4 t − 1)² (4 t − 3): a double root at 1/4, a simple one at 3/4. Halving hits both.
    #[test]
    fn roots_are_found_once_each() {
        let f = [-3, 28, -80, 64].map(IBig::from);
        let chain = chain(&f);
        let first = chain.next_root(&IBig::ZERO, 10).expect("a root");
        assert_eq!(first, IBig::from(255));
        assert!(chain.vanishes(&IBig::from(256), 10) && !chain.vanishes(&IBig::from(255), 10));
        assert_eq!(chain.next_root(&IBig::from(256), 10), Some(IBig::from(767)));
        assert_eq!(chain.next_root(&IBig::from(768), 10), None);
    }
}
