//! Times at which a polynomial vanishes, as exact numbers.

use impinge_query::continuous::Interval;
use num_bigint::{BigInt, Sign};

use crate::filter;
use crate::polynomial::{Cell, Polynomial};

/// A time from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// The low end of a cell.
    At(Cell),
    /// The only root, a simple one, of a polynomial of degree one to three in the time of a cell; it
    /// is not zero at the ends of the cell.
    In(Polynomial, Cell),
}

/// Cells are narrowed to this depth for an answer: 2⁻⁴² wide, and rounded outward to 2⁻⁵².
const DEPTH: u32 = 42;

/// Halvings after which a polynomial's roots are parted by those of its derivative.
const HALVINGS: u32 = 4;

/// Narrowings are to at most 2 to the power of minus this.
const MOST: u32 = DEPTH << 7;

impl Root {
    /// All roots from 0 to 1, ascending; `f` is not zero, and of a degree up to three.
    pub(crate) fn of(f: &Polynomial) -> Vec<Self> {
        let [start, end] = f.ends();
        let mut roots = Vec::new();
        if start == Sign::NoSign {
            roots.push(Self::At(Cell::whole().end(false)));
        }
        roots.extend(inside(f));
        if end == Sign::NoSign {
            roots.push(Self::At(Cell::whole().end(true)));
        }
        roots
    }

    /// The only root within a cell, at whose ends `f` has opposite signs.
    pub(crate) fn within(f: &Polynomial, cell: Cell) -> Self {
        Self::In(f.on(&cell), cell)
    }

    /// The cell that holds this time.
    pub(crate) const fn cell(&self) -> &Cell {
        match self {
            Self::At(cell) | Self::In(_, cell) => cell,
        }
    }

    /// Narrows the cell: to `2^−depth` of its width, or as far as the polynomial is straight, but to
    /// 2⁻⁴² at least.
    fn narrow(&mut self, depth: u32) {
        let Self::In(f, cell) = self else { return };
        let depth = if depth > DEPTH { depth.min(f.straight()).max(DEPTH) } else { DEPTH };
        let part = bracket(f, depth);
        if part.low == part.high {
            *self = Self::At(cell.part(&part));
        } else {
            (*f, *cell) = (f.on(&part), cell.part(&part));
        }
    }

    /// The sign at this time of a polynomial that `on` gives [on](Polynomial::on) a cell. May narrow the cell,
    /// once.
    pub(crate) fn sign_of(&mut self, mut on: impl FnMut(&Cell) -> Polynomial) -> Sign {
        loop {
            let (f, cell) = match self {
                Self::At(cell) => return on(cell).ends()[0],
                Self::In(f, cell) => (f, cell),
            };
            let local = on(cell);
            if let Some(sign) = local.sign_inside() {
                return sign;
            }
            if cell.is_within(DEPTH) {
                return f.sign_at_root(&local);
            }
            self.narrow(DEPTH);
        }
    }

    /// A time in the cell at which a polynomial has the same sign as at this time, which is not zero. May
    /// narrow the cell.
    fn beside(&mut self, q: &Polynomial, sign: Sign) -> Cell {
        let mut depth = DEPTH;
        loop {
            let ends = [false, true].map(|high| self.cell().end(high));
            if let Some(end) = ends.into_iter().find(|end| q.sign_at(end) == sign) {
                return end;
            }
            // About as far again each time: the polynomial gets straighter by as much.
            self.narrow(depth);
            depth = (2 * depth).min(MOST);
        }
    }

    /// An interval that holds this time, at most 2⁻⁴¹ wide.
    pub(crate) fn interval(&self) -> Interval {
        let mut root = self.clone();
        while let Self::In(f, cell) = &root {
            if cell.is_within(DEPTH) {
                break;
            }
            let part = cell.part(&bracket(f, DEPTH));
            if part.is_within(DEPTH) {
                root = Self::At(part);
            } else {
                root.narrow(DEPTH);
            }
        }
        let cell = root.cell();
        let low = &cell.low << 52_u32 >> cell.depth;
        // Rounded up: the negative of what its negative is rounded down to.
        let high = -(-(&cell.high << 52_u32) >> cell.depth);
        let time = |number: &BigInt| number.iter_u64_digits().next().unwrap_or(0) as f64;
        let unit = 1.0 / (1_u64 << 52) as f64;
        Interval { low: time(&low) * unit, high: time(&high) * unit }
    }
}

/// A part of time that holds the only root of `f`, or is that, mostly `2^−depth` wide: about where the
/// root is in f64 or of the straight line, or, if it is not there, one that is found by doubling steps.
fn bracket(f: &Polynomial, depth: u32) -> Cell {
    let (one, whole) = (BigInt::from(1), BigInt::from(1) << depth);
    let [start, _] = f.ends();
    let near = if depth == DEPTH {
        BigInt::from((filter::root(f.rounded()) * (1_u64 << DEPTH) as f64) as u64)
    } else {
        f.root_of_line(depth)
    };
    let at = |number: &BigInt| Cell::new(number.clone(), number.clone(), depth);
    let mut low = near.min(&whole - &one);
    let mut high = &low + &one;
    let mut step = one.clone();
    // To the left until the sign is that at the start, to the right until it is not.
    while low.sign() == Sign::Plus {
        match f.sign_at(&at(&low)) {
            Sign::NoSign => return at(&low),
            sign if sign == start => break,
            _ => high = std::mem::replace(&mut low, BigInt::ZERO),
        }
        if step < high {
            low = &high - &step;
        }
        step <<= 1;
    }
    step = one;
    while high < whole {
        match f.sign_at(&at(&high)) {
            Sign::NoSign => return at(&high),
            sign if sign != start => break,
            _ => low = std::mem::replace(&mut high, whole.clone()),
        }
        if &low + &step < high {
            high = &low + &step;
        }
        step <<= 1;
    }
    Cell { low, high, depth }
}

/// The roots inside (0, 1), ascending: by halving (Descartes' rule; Collins, Akritas 1976), and
/// where roots are close together, by the derivative.
fn inside(f: &Polynomial) -> Vec<Root> {
    let mut roots = Vec::new();
    if isolate(f.clone(), Cell::whole(), &mut roots) {
        return roots;
    }
    between_extrema(&f.clone().without_ends())
}

/// The roots inside a cell, of whose time `f` is a polynomial. `false` if some are too close.
fn isolate(f: Polynomial, cell: Cell, roots: &mut Vec<Root>) -> bool {
    let f = f.without_ends();
    match f.variations() {
        0 => true,
        1 => {
            roots.push(Root::In(f, cell));
            true
        }
        _ if cell.depth == HALVINGS => false,
        _ => {
            let [low, high] = f.halves();
            let [of_low, of_high] = [0, 1].map(|half| cell.part(&Cell::new(half, half + 1, 1)));
            let middle = (high.ends()[0] == Sign::NoSign).then(|| of_high.end(false));
            if !isolate(low, of_low, roots) {
                return false;
            }
            roots.extend(middle.map(Root::At));
            isolate(high, of_high, roots)
        }
    }
}

/// The roots inside (0, 1) of a polynomial that is not zero at 0 and at 1: at most one between two
/// neighbouring roots of its derivative, and these themselves.
fn between_extrema(f: &Polynomial) -> Vec<Root> {
    let whole = Cell::whole();
    let end = |high: bool| Root::At(whole.end(high));
    let mut extrema: Vec<Root> = inside(&f.slope());
    extrema.insert(0, end(false));
    extrema.push(end(true));
    let signs: Vec<Sign> = extrema.iter_mut().map(|e| e.sign_of(|cell| f.on(cell))).collect();
    let mut roots = Vec::new();
    for k in 1..extrema.len() {
        let [sign, next] = [signs[k - 1], signs[k]];
        if sign != Sign::NoSign && next != Sign::NoSign && sign != next {
            let low = extrema[k - 1].beside(f, sign);
            let high = extrema[k].beside(f, next);
            roots.push(Root::within(f, Cell::between(&low, &high)));
        }
        if next == Sign::NoSign {
            roots.push(extrema[k].clone());
        }
    }
    roots
}
