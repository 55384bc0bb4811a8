//! Times at which a polynomial vanishes, as exact numbers.

use std::rc::Rc;

use impinge_query::continuous::Interval;
use num_bigint::{BigInt, Sign};

use crate::polynomial::{Cell, Polynomial};

/// A time from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// The start of a cell.
    At(Cell),
    /// The only root of a square-free polynomial inside a cell.
    In(Rc<Polynomial>, Cell),
}

/// Cells are narrowed to this depth for an answer: 2⁻⁴² wide, and rounded outward to 2⁻⁵².
const DEPTH: u32 = 42;

/// Narrowings after which a sign is suspected to be zero.
const NARROWINGS: usize = 8;

impl Root {
    /// The start and the end of time.
    pub(crate) fn ends() -> [Self; 2] {
        [0, 1].map(|number| Self::At(Cell { number: BigInt::from(number), depth: 0 }))
    }

    /// All roots from 0 to 1, ascending; `f` is not zero.
    pub(crate) fn of(f: &Polynomial) -> Vec<Self> {
        let [start, end] = Self::ends();
        let mut roots = Vec::new();
        if start.sign_of(f) == Sign::NoSign {
            roots.push(start);
        }
        isolate(&Rc::new(f.square_free()), Cell::whole(), &mut roots);
        if end.sign_of(f) == Sign::NoSign {
            roots.push(end);
        }
        roots
    }

    /// Halves the cell.
    fn narrow(&mut self) {
        let Self::In(f, cell) = &*self else { return };
        let [low, high] = cell.halves();
        *self = if f.sign_at(&high) == Sign::NoSign {
            Self::At(high)
        } else if f.on(&low).variations() % 2 == 1 {
            Self::In(Rc::clone(f), low)
        } else {
            Self::In(Rc::clone(f), high)
        };
    }

    /// The sign of a polynomial at this time.
    pub(crate) fn sign_of(&self, q: &Polynomial) -> Sign {
        if q.is_zero() {
            return Sign::NoSign;
        }
        let mut root = self.clone();
        let mut common = None;
        for narrowings in 0.. {
            let (f, cell) = match &root {
                Self::At(cell) => return q.sign_at(cell),
                Self::In(f, cell) => (f, cell),
            };
            if let Some(sign) = q.on(cell).sign_inside() {
                return sign;
            }
            if narrowings == NARROWINGS {
                // Roots of the divisor are roots of `f`, so at most one is in the cell.
                let divisor = common.get_or_insert_with(|| f.common_divisor(q));
                if divisor.on(cell).variations() % 2 == 1 {
                    return Sign::NoSign;
                }
            }
            root.narrow();
        }
        Sign::NoSign
    }

    /// An interval that holds this time, at most 2⁻⁴¹ wide.
    pub(crate) fn interval(mut self) -> Interval {
        while matches!(&self, Self::In(_, cell) if cell.depth < DEPTH) {
            self.narrow();
        }
        let (cell, width) = match &self {
            Self::At(cell) => (cell, 0),
            Self::In(_, cell) => (cell, 1),
        };
        let low = &cell.number << 52_u32 >> cell.depth;
        let high: BigInt = (&cell.number + width) << 52_u32;
        // Rounded up: the negative of what its negative is rounded down to.
        let high = -(-high >> cell.depth);
        let time = |number: &BigInt| number.iter_u64_digits().next().unwrap_or(0) as f64;
        let unit = 1.0 / (1_u64 << 52) as f64;
        Interval { low: time(&low) * unit, high: time(&high) * unit }
    }
}

/// The roots inside a cell, by halving (Descartes' rule; Collins, Akritas 1976).
fn isolate(f: &Rc<Polynomial>, cell: Cell, roots: &mut Vec<Root>) {
    match f.on(&cell).variations() {
        0 => {}
        1 => roots.push(Root::In(Rc::clone(f), cell)),
        _ => {
            let [low, high] = cell.halves();
            let middle = high.clone();
            isolate(f, low, roots);
            if f.sign_at(&middle) == Sign::NoSign {
                roots.push(Root::At(middle));
            }
            isolate(f, high, roots);
        }
    }
}
