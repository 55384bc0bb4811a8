//! A maize leaf: a NURBS surface, sampled at feature points, after the paper on leaf collision
//! (anthology 5, §1), whose digitised leaves are not published.

use impinge_geometry::{Mesh, Point, Vector};

use super::ParameterError;
use super::nurbs::{ControlPoint, Knots, NurbsSurface};
use super::surface::{Surface, check, check_least, check_size};

/// Control points across the blade: margin, half-way, midrib, half-way, margin.
const ACROSS: usize = 5;
/// Weight of the control points half-way to a margin; the others have 1. Each half of a
/// cross-section is then a conic arc, with a weight above 1 of a hyperbola, so the margins bend
/// more sharply than with a parabola.
const HALF_WAY_WEIGHT: f64 = 1.5;
/// Half width at the base; unit: the largest half width.
const BASE_WIDTH: f64 = 0.6;
/// Control points along the blade per wave of a margin.
const PER_WAVE: usize = 6;
/// Largest number of waves of a margin.
const MAX_WAVES: usize = 1000;

/// Parameters of [`leaf`]. Lengths are in units of [`Leaf::length`], angles in radians.
///
/// The leaf is attached at the origin and grows towards +x; z is up, and y points across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// Length of the midrib from base to tip.
    pub length: f64,
    /// Approximate greatest width, in 0..=1; reached at two fifths of the length.
    pub width: f64,
    /// Angle of the midrib above the horizontal at the base.
    pub rise: f64,
    /// Decrease of that angle from base to tip, linear along the midrib, which is an arc. At most
    /// 2π in magnitude.
    pub droop: f64,
    /// Angle by which each half of the blade is folded up along the midrib, in 0..=1.5.
    pub fold: f64,
    /// Angle by which the blade is turned about the midrib at the tip, linear from 0 at the base.
    pub twist: f64,
    /// Waves along each margin, at most 1000.
    pub waves: usize,
    /// Height of the waves' control points above the blade, in 0..=1; the surface reaches about
    /// five sixths of it.
    pub wave_height: f64,
    /// Phase of the left margin's waves; the right margin is offset by a third of a wave.
    pub phase: f64,
    /// Quads across, even and at least 2, so that a line of vertices runs along the midrib.
    pub across: usize,
    /// Rows of quads from base to tip, at least 2.
    pub along: usize,
}

impl Default for Leaf {
    /// 136 feature points and 212 triangles, in the middle of the paper's ranges for one leaf (119
    /// to 150 points, 195 to 240 triangles).
    fn default() -> Self {
        Self {
            length: 1.0,
            width: 0.12,
            rise: 1.1,
            droop: 2.1,
            fold: 0.35,
            twist: 0.5,
            waves: 4,
            wave_height: 0.022,
            phase: 0.0,
            across: 4,
            along: 27,
        }
    }
}

impl Leaf {
    /// Number of triangles, `across · (2 along − 1)`; there are `along · (across + 1) + 1`
    /// vertices.
    pub const fn triangles(&self) -> usize {
        self.across.saturating_mul(self.along.saturating_mul(2).saturating_sub(1))
    }

    /// The sampled surface: `u` runs from the left margin over the midrib (0.5) to the right
    /// margin, `v` from the base (0) to the tip (1), which is a single point.
    ///
    /// # Errors
    /// [`ParameterError`] names the first parameter outside the bounds of [`Leaf`].
    pub fn surface(&self) -> Result<NurbsSurface, ParameterError> {
        self.check()?;
        // The double knot makes the midrib a crease.
        let across = Knots::new(2, vec![0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0])?;
        let along = Knots::uniform(3, PER_WAVE * self.waves.max(2) + 2)?;
        let rows = along.points();
        let mut controls = Vec::with_capacity(ACROSS * rows);
        for row in 0..rows {
            let v = along.greville(row);
            for column in 0..ACROSS {
                let a = 2.0 * across.greville(column) - 1.0;
                let weight = if column % 2 == 1 { HALF_WAY_WEIGHT } else { 1.0 };
                controls.push(ControlPoint { point: self.control(a, v), weight });
            }
        }
        NurbsSurface::new(across, along, controls)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let good = (1e-99..=1e99).contains(&self.length);
        check("leaf", "length", self.length, good, "lie between 1e-99 and 1e99")?;
        for (name, value) in [("width", self.width), ("wave_height", self.wave_height)] {
            check("leaf", name, value, (0.0..=1.0).contains(&value), "lie between 0 and 1")?;
        }
        check("leaf", "width", self.width, self.width >= 1e-6, "be at least 1e-6")?;
        let angles = [
            ("rise", self.rise),
            ("droop", self.droop),
            ("twist", self.twist),
            ("phase", self.phase),
        ];
        for (name, value) in angles {
            let good = value.abs() <= std::f64::consts::TAU;
            check("leaf", name, value, good, "be at most a full turn, in radians")?;
        }
        check(
            "leaf",
            "fold",
            self.fold,
            (0.0..=1.5).contains(&self.fold),
            "lie between 0 and 1.5",
        )?;
        let waves = self.waves <= MAX_WAVES;
        check("leaf", "waves", self.waves as f64, waves, "be at most 1000")
    }

    /// The control point at `a` from −1 (left) to 1 (right), `v` from 0 (base) to 1 (tip).
    fn control(&self, a: f64, v: f64) -> Point {
        let (sin, cos) = libm::sincos(self.rise - self.droop * v);
        let (along, up) = (Vector::new(cos, 0.0, sin), Vector::new(-sin, 0.0, cos));
        let left = up.cross(&along);
        let (turn_sin, turn_cos) = libm::sincos(self.twist * v);
        let (left, up) = (left * turn_cos + up * turn_sin, up * turn_cos - left * turn_sin);
        let (fold_sin, fold_cos) = libm::sincos(self.fold);
        let half = 0.5 * self.width * profile(v);
        let wave = self.wave(a, v) * self.wave_height * profile(v);
        let aside = left * (-a * half * fold_cos);
        let raised = up * (a.abs() * half * fold_sin + wave);
        Point::from((self.midrib(v) + aside + raised) * self.length)
    }

    /// The midrib at `v`, by the chord of the arc, which does not cancel for a straight midrib.
    fn midrib(&self, v: f64) -> Vector {
        let half = 0.5 * self.droop * v;
        let chord = if half == 0.0 { v } else { v * libm::sin(half) / half };
        let (sin, cos) = libm::sincos(self.rise - half);
        Vector::new(chord * cos, 0.0, chord * sin)
    }

    /// The height of a margin's wave, −1 to 1, fading towards the midrib.
    fn wave(&self, a: f64, v: f64) -> f64 {
        let right = if a > 0.0 { std::f64::consts::TAU / 3.0 } else { 0.0 };
        let angle = std::f64::consts::TAU * self.waves as f64 * v + self.phase + right;
        if self.waves == 0 { 0.0 } else { a * a * libm::sin(angle) }
    }
}

/// Half width relative to the largest: [`BASE_WIDTH`] at the base, 1 at about 0.39, 0 at the tip.
/// The parabola `(1 − v)(b + c v)` with `(b + c)² = 4 c`.
fn profile(v: f64) -> f64 {
    let b = BASE_WIDTH;
    let c = 2.0 - b + 2.0 * (1.0 - b).sqrt();
    (1.0 - v) * (b + c * v)
}

/// Makes a maize leaf: long and narrow, tapering to a point, arched along the midrib, folded and
/// twisted about it, with wavy margins. An open surface of one piece, upper side outward.
///
/// **The tip is the last vertex.** Vertices go row by row from the base (`v = 0`) to the tip
/// (`v = 1`), each row from the left margin to the right one; triangles have the same order. High
/// indices are therefore near the tip, and the last tenth of the triangles is the last tenth of the
/// leaf's length.
///
/// # Errors
/// [`ParameterError`] as [`Leaf::surface`], or if `across` is odd, a count is below 2 or the mesh
/// is too large.
pub fn leaf(parameters: &Leaf) -> Result<Mesh, ParameterError> {
    let &Leaf { across, along, .. } = parameters;
    let even = across >= 2 && across.is_multiple_of(2);
    check("leaf", "across", across as f64, even, "be even and at least 2")?;
    check_least("leaf", "along", along, 2, "be at least 2")?;
    check_size("leaf", &[2, across, along])?;
    let blade = parameters.surface()?;
    let mut surface = Surface::with_capacity(along * (across + 1) + 1, parameters.triangles());
    for row in 0..along {
        let v = row as f64 / along as f64;
        let columns = (0..=across).map(|column| blade.at(column as f64 / across as f64, v));
        surface.vertices.extend(columns);
    }
    surface.vertices.push(blade.at(0.5, 1.0));
    let at = |row: usize, column: usize| (row * (across + 1) + column) as u32;
    for row in 0..along - 1 {
        for column in 0..across {
            // Quads of both halves are cut towards the midrib and the tip, like the veins.
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [d, c] = [at(row + 1, column), at(row + 1, column + 1)];
            let left = column < across / 2;
            surface.quad(if left { [a, b, c, d] } else { [b, c, d, a] });
        }
    }
    let tip = at(along, 0);
    surface.triangles.extend((0..across).map(|k| [at(along - 1, k), at(along - 1, k + 1), tip]));
    Ok(surface.mesh())
}
