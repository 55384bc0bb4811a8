//! Non-uniform rational B-splines: the basis by the recurrence of Cox and de Boor, and curves and
//! surfaces over it (Piegl and Tiller, *The NURBS Book*, 2nd ed., 1997, algorithms A2.1, A2.2,
//! A4.1 and A4.3; formula 1 of the paper on maize leaves, anthology 5).

use impinge_geometry::{Point, Vector};

use super::ParameterError;
use super::surface::{check, check_least, check_size};

/// Highest degree of a spline. Unit: 1. Usual value: 9; degrees above 5 are hardly ever used, and
/// the basis is an array on the stack.
pub const NURBS_MAX_DEGREE: usize = 9;

/// Largest magnitude of knots, weights and coordinates. Distinct knots differ by at least its
/// inverse, and weights are at least its inverse, so that no product leaves the range of f64.
const LARGEST: f64 = 1e100;

/// The values of the `degree + 1` basis functions that may be nonzero at a parameter; the rest of
/// the array is 0.
type Basis = [f64; NURBS_MAX_DEGREE + 1];

/// A clamped knot vector with its degree: the first and last knot are repeated `degree + 1` times,
/// so that a spline interpolates its first and last control points.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots {
    degree: usize,
    knots: Vec<f64>,
}

impl Knots {
    /// A knot vector for `knots.len() − degree − 1` control points.
    ///
    /// # Errors
    /// [`ParameterError`] unless `degree` is in `1..=NURBS_MAX_DEGREE`, and the knots are at most
    /// 1e100 in magnitude, ascend by 0 or by at least 1e-100, are repeated exactly `degree + 1`
    /// times at both ends and at most `degree` times inside.
    pub fn new(degree: usize, knots: Vec<f64>) -> Result<Self, ParameterError> {
        let good = (1..=NURBS_MAX_DEGREE).contains(&degree);
        check("nurbs", "degree", degree as f64, good, "lie between 1 and NURBS_MAX_DEGREE")?;
        let least = 2 * (degree + 1);
        check_least("nurbs", "knots", knots.len(), least, "be at least 2 (degree + 1) many")?;
        for &knot in &knots {
            let good = knot.abs() <= LARGEST;
            check("nurbs", "knot", knot, good, "be at most 1e100 in magnitude")?;
        }
        for pair in knots.windows(2) {
            let good = pair[0] == pair[1] || pair[1] - pair[0] >= 1.0 / LARGEST;
            check("nurbs", "knot", pair[1], good, "not be below the knot before it")?;
        }
        let ends =
            knots[0] == knots[degree] && knots[knots.len() - degree - 1] == knots[knots.len() - 1];
        check("nurbs", "knot", knots[0], ends, "be repeated degree + 1 times at both ends")?;
        let mut within = knots[1..knots.len() - 1].windows(degree + 1);
        let repeated = within.find(|run| run[0] == run[degree]).map(|run| run[0]);
        let value = repeated.unwrap_or(0.0);
        check(
            "nurbs",
            "knot",
            value,
            repeated.is_none(),
            "be repeated at most degree times within",
        )?;
        Ok(Self { degree, knots })
    }

    /// Evenly spaced knots from 0 to 1 for `points` control points.
    ///
    /// # Errors
    /// [`ParameterError`] unless `degree` is in `1..=NURBS_MAX_DEGREE` and below `points`, and
    /// `points` at most [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
    pub fn uniform(degree: usize, points: usize) -> Result<Self, ParameterError> {
        check_least(
            "nurbs",
            "points",
            points,
            degree.saturating_add(1),
            "be more than the degree",
        )?;
        check_size("nurbs", &[points])?;
        let spans = (points - degree) as f64;
        let within = (1..points - degree).map(|k| k as f64 / spans);
        let ends = |value: f64| std::iter::repeat_n(value, degree + 1);
        Self::new(degree, ends(0.0).chain(within).chain(ends(1.0)).collect())
    }

    /// The degree of the pieces.
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// Number of control points of a curve over this vector.
    pub const fn points(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// First and last parameter.
    pub fn domain(&self) -> (f64, f64) {
        (self.knots[0], self.knots[self.knots.len() - 1])
    }

    /// Greville abscissa of control point `k`: the mean of the `degree` knots inside its support.
    /// Control points with heights equal to their Greville abscissae give a straight line.
    ///
    /// # Panics
    /// If `k` is not below [`Knots::points`].
    pub fn greville(&self, k: usize) -> f64 {
        self.knots[k + 1..=k + self.degree].iter().sum::<f64>() / self.degree as f64
    }

    /// All basis functions at `t`, one per control point: nonnegative, with sum 1. `t` is clamped
    /// to the domain.
    pub fn basis(&self, t: f64) -> Vec<f64> {
        let (first, basis) = self.local_basis(t);
        let mut all = vec![0.0; self.points()];
        all[first..=first + self.degree].copy_from_slice(&basis[..=self.degree]);
        all
    }

    /// The index of the first basis function that may be nonzero at `t`, and the values from there
    /// on.
    fn local_basis(&self, t: f64) -> (usize, Basis) {
        let (low, high) = self.domain();
        let t = if t > low { t.min(high) } else { low };
        // The last knot belongs to the last piece.
        let last = self.points() - 1;
        let span = self.knots.partition_point(|&knot| knot <= t).saturating_sub(1).min(last);
        let mut basis = [0.0; NURBS_MAX_DEGREE + 1];
        basis[0] = 1.0;
        for degree in 1..=self.degree {
            let mut carried = 0.0;
            for r in 0..degree {
                let right = self.knots[span + r + 1] - t;
                let left = t - self.knots[span + 1 + r - degree];
                let part = basis[r] / (right + left);
                basis[r] = carried + right * part;
                carried = left * part;
            }
            basis[degree] = carried;
        }
        (span - self.degree, basis)
    }
}

/// A control point with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlPoint {
    /// Its position, not multiplied by the weight.
    pub point: Point,
    /// Above 0. A spline with equal weights is polynomial.
    pub weight: f64,
}

fn check_controls(controls: &[ControlPoint], wanted: usize) -> Result<(), ParameterError> {
    let good = controls.len() == wanted;
    check("nurbs", "points", controls.len() as f64, good, "be as many as the knots are for")?;
    for control in controls {
        let good = (1.0 / LARGEST..=LARGEST).contains(&control.weight);
        check("nurbs", "weight", control.weight, good, "lie between 1e-100 and 1e100")?;
        for &c in &control.point.coords {
            check("nurbs", "coordinate", c, c.abs() <= LARGEST, "be at most 1e100 in magnitude")?;
        }
    }
    Ok(())
}

/// A rational spline curve.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    knots: Knots,
    controls: Vec<ControlPoint>,
}

impl NurbsCurve {
    /// A curve over `knots`.
    ///
    /// # Errors
    /// [`ParameterError`] unless there are [`Knots::points`] control points, their coordinates at
    /// most 1e100 in magnitude and their weights in `1e-100..=1e100`.
    pub fn new(knots: Knots, controls: Vec<ControlPoint>) -> Result<Self, ParameterError> {
        check_controls(&controls, knots.points())?;
        Ok(Self { knots, controls })
    }

    /// The point at `t`, clamped to the domain. O(degree²).
    pub fn at(&self, t: f64) -> Point {
        let (first, basis) = self.knots.local_basis(t);
        let near = &self.controls[first..=first + self.knots.degree];
        let mut sum = Weighted::default();
        for (control, &value) in near.iter().zip(&basis) {
            sum.add(control, value);
        }
        sum.point()
    }
}

/// A rational tensor-product surface.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsSurface {
    u: Knots,
    v: Knots,
    controls: Vec<ControlPoint>,
}

impl NurbsSurface {
    /// A surface over `u` × `v`. `controls` are in rows: one row per control point of `v`, each
    /// with the control points of `u`.
    ///
    /// # Errors
    /// As [`NurbsCurve::new`], with `u.points() · v.points()` control points.
    pub fn new(u: Knots, v: Knots, controls: Vec<ControlPoint>) -> Result<Self, ParameterError> {
        check_controls(&controls, u.points().saturating_mul(v.points()))?;
        Ok(Self { u, v, controls })
    }

    /// The point at `(u, v)`, clamped to the domain. O(degree²).
    pub fn at(&self, u: f64, v: f64) -> Point {
        let (left, across) = self.u.local_basis(u);
        let (low, along) = self.v.local_basis(v);
        let mut sum = Weighted::default();
        for (row, &outer) in (low..=low + self.v.degree).zip(&along) {
            let start = row * self.u.points() + left;
            let near = &self.controls[start..=start + self.u.degree];
            for (control, &inner) in near.iter().zip(&across) {
                sum.add(control, outer * inner);
            }
        }
        sum.point()
    }
}

/// The sum of basis × weight × control point, and the sum of basis × weight.
#[derive(Default)]
struct Weighted {
    sum: Vector,
    weight: f64,
}

impl Weighted {
    fn add(&mut self, control: &ControlPoint, basis: f64) {
        let factor = basis * control.weight;
        self.sum += control.point.coords * factor;
        self.weight += factor;
    }

    fn point(self) -> Point {
        Point::from(self.sum / self.weight)
    }
}
