//! Whether two triangles share a point, by a linear program.
//!
//! A shared point is `Σ αᵢ pᵢ = Σ βⱼ qⱼ` with `α, β ≥ 0`, `Σ α = 1`, `Σ β = 1`: five equations in
//! six unknowns. Phase one of the simplex method decides whether they have a solution. Bland's rule
//! (Math. Oper. Res. 2(2), 1977, doi:10.1287/moor.2.2.103) prevents cycling. All entries stay
//! integers: after each pivot they are divided by the previous pivot, without remainder (Edmonds
//! 1967; Bareiss, Math. Comp. 22, 1968, doi:10.1090/S0025-5718-1968-0226829-0).

use dashu_int::ops::DivRem;
use dashu_int::{IBig, Sign};
use impinge_geometry::Triangle;

use super::integers::common_scale;

/// The unknowns: three weights of each triangle.
const UNKNOWNS: usize = 6;

/// An equation, right-hand side last.
type Row = [IBig; UNKNOWNS + 1];

/// Whether the closed triangles share a point. Exact for all finite coordinates and all degenerate
/// triangles.
///
/// Cost: 30 to 100 µs; up to a millisecond if coordinates are hundreds of orders of magnitude
/// apart.
///
/// # Panics
/// If a coordinate is not finite.
pub fn triangles_meet(a: &Triangle, b: &Triangle) -> bool {
    let weights = |k: usize| -> Row {
        // Each equation may have its own scale.
        let (mut n, _) =
            common_scale(&[a[0][k], a[1][k], a[2][k], -b[0][k], -b[1][k], -b[2][k], 0.0]);
        std::array::from_fn(|j| std::mem::replace(&mut n[j], IBig::ZERO))
    };
    let sum_a = [1, 1, 1, 0, 0, 0, 1].map(IBig::from);
    let sum_b = [0, 0, 0, 1, 1, 1, 1].map(IBig::from);
    Tableau::new(vec![weights(0), weights(1), weights(2), sum_a, sum_b]).has_solution()
}

/// A simplex tableau of phase one. The values are the entries over `denominator`.
struct Tableau {
    rows: Vec<Row>,
    /// Sum of the rows whose basic variable is artificial, which phase one reduces to zero.
    goal: Row,
    /// Per row, its basic variable; those from [`UNKNOWNS`] on are artificial, one per equation.
    basis: Vec<usize>,
    /// The last pivot; always positive.
    denominator: IBig,
}

impl Tableau {
    /// Starts with the artificial variables as basis; right-hand sides must not be negative.
    fn new(rows: Vec<Row>) -> Self {
        let goal = std::array::from_fn(|j| rows.iter().map(|row| &row[j]).sum());
        let basis = (UNKNOWNS..UNKNOWNS + rows.len()).collect();
        Self { rows, goal, basis, denominator: IBig::ONE }
    }

    /// Whether the equations have a solution without negative unknowns.
    fn has_solution(mut self) -> bool {
        while !self.goal[UNKNOWNS].is_zero() {
            let Some(column) = (0..UNKNOWNS).find(|&j| is_positive(&self.goal[j])) else {
                return false;
            };
            let row = self.leaving_row(column);
            self.pivot(row, column);
        }
        true
    }

    /// The row with the least ratio; of several, the one whose basic variable has the least index.
    fn leaving_row(&self, column: usize) -> usize {
        let mut best: Option<usize> = None;
        for (i, row) in self.rows.iter().enumerate() {
            if !is_positive(&row[column]) {
                continue;
            }
            let better = best.is_none_or(|b| {
                let mine = &row[UNKNOWNS] * &self.rows[b][column];
                let theirs = &self.rows[b][UNKNOWNS] * &row[column];
                mine.cmp(&theirs).then(self.basis[i].cmp(&self.basis[b])).is_lt()
            });
            if better {
                best = Some(i);
            }
        }
        best.expect("the column's goal is positive and a sum of entries, so one is positive")
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = self.rows[row].clone();
        for (i, other) in self.rows.iter_mut().enumerate() {
            if i != row {
                eliminate(other, &pivot_row, column, &self.denominator);
            }
        }
        eliminate(&mut self.goal, &pivot_row, column, &self.denominator);
        self.basis[row] = column;
        self.denominator.clone_from(&pivot_row[column]);
    }
}

/// `other ← (other · pivot − other[column] · pivot row) / denominator`, without remainder.
fn eliminate(other: &mut Row, pivot_row: &Row, column: usize, denominator: &IBig) {
    let factor = other[column].clone();
    for (entry, p) in other.iter_mut().zip(pivot_row) {
        // Many entries are zero.
        let less = !factor.is_zero() && !p.is_zero();
        if entry.is_zero() && !less {
            continue;
        }
        let mut value = &*entry * &pivot_row[column];
        if less {
            value -= &factor * p;
        }
        let (quotient, remainder) = value.div_rem(denominator);
        assert!(remainder.is_zero(), "entries are minors, so this divides");
        *entry = quotient;
    }
}

fn is_positive(n: &IBig) -> bool {
    n.sign() == Sign::Positive && !n.is_zero()
}
