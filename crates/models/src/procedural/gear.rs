//! A spur gear with a bore.

use impinge_geometry::{Mesh, Point};

use super::ParameterError;
use super::round::check_radius;
use super::surface::{Surface, check, check_least, check_size, turn};

/// A spur gear about the z axis with trapezoidal teeth and a round bore; all lengths in the same
/// unit.
///
/// Root, rising flank, tip and falling flank each take a quarter of the tooth pitch. The surface is
/// a torus grid of `4·teeth·around` columns and `2·(across + through)` rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Number of teeth, at least 3.
    pub teeth: usize,
    /// Radius of the tooth tips.
    pub tip: f64,
    /// Radius of the tooth roots; below `tip`.
    pub root: f64,
    /// Radius of the bore; at most `0.8 root`, so that it stays inside the coarsest root polygon.
    pub bore: f64,
    /// Extent along z.
    pub thickness: f64,
    /// Columns per quarter pitch, at least 1.
    pub around: usize,
    /// Rows from bore to rim on both faces, at least 1.
    pub across: usize,
    /// Rows through the thickness, on rim and bore, at least 1.
    pub through: usize,
}

impl Default for Gear {
    /// 16 teeth, diameter 1, 512 triangles.
    fn default() -> Self {
        let (tip, root, bore, thickness) = (0.5, 0.4, 0.15, 0.2);
        Self { teeth: 16, tip, root, bore, thickness, around: 1, across: 1, through: 1 }
    }
}

impl Gear {
    /// Number of triangles that [`gear`] makes of these parameters; saturating.
    pub fn triangles(&self) -> usize {
        let rows = self.across.saturating_add(self.through);
        self.teeth.saturating_mul(self.around).saturating_mul(rows).saturating_mul(16)
    }
}

/// Makes a gear: closed, with `16·teeth·around·(across + through)` triangles, none degenerate.
///
/// # Errors
/// [`ParameterError`] if a count is too small or large, a length is not in `1e-100..=1e100`, or the
/// radii violate the bounds of [`Gear`].
pub fn gear(gear: &Gear) -> Result<Mesh, ParameterError> {
    validate(gear)?;
    let &Gear { teeth, bore, thickness, around, across, through, .. } = gear;
    let (columns, rows) = (4 * teeth * around, 2 * (across + through));
    let rim: Vec<(f64, f64)> = (0..columns).map(|column| rim(gear, column)).collect();
    let hole: Vec<(f64, f64)> = (0..columns)
        .map(|column| turn(column as f64 / columns as f64))
        .map(|(c, s)| (bore * c, bore * s))
        .collect();
    // Up the rim, inward over the top, down the bore, outward over the bottom.
    let section: Vec<(f64, f64)> = (0..rows)
        .map(|row| match row {
            r if r < through => (1.0, r as f64 / through as f64 - 0.5),
            r if r < through + across => (1.0 - (r - through) as f64 / across as f64, 0.5),
            r if r < 2 * through + across => {
                (0.0, 0.5 - (r - through - across) as f64 / through as f64)
            }
            r => ((r - 2 * through - across) as f64 / across as f64, -0.5),
        })
        .collect();
    let mut surface = Surface::with_capacity(rows * columns, 2 * rows * columns);
    surface.ring_grid(rows, columns, |row, column| {
        let (out, height) = section[row];
        let (x, y) = mix(hole[column], rim[column], out);
        Point::new(x, y, height * thickness)
    });
    Ok(surface.mesh())
}

fn validate(gear: &Gear) -> Result<(), ParameterError> {
    let lengths = [
        ("tip", gear.tip),
        ("root", gear.root),
        ("bore", gear.bore),
        ("thickness", gear.thickness),
    ];
    for (name, value) in lengths {
        check_radius("gear", name, value)?;
    }
    check("gear", "root", gear.root, gear.root < gear.tip, "be below the tip radius")?;
    check("gear", "bore", gear.bore, gear.bore <= 0.8 * gear.root, "be at most 0.8 root radii")?;
    check_least("gear", "teeth", gear.teeth, 3, "be at least 3")?;
    let counts = [("around", gear.around), ("across", gear.across), ("through", gear.through)];
    for (name, value) in counts {
        check_least("gear", name, value, 1, "be at least 1")?;
    }
    let rows = gear.across.saturating_add(gear.through);
    check_size("gear", &[16, gear.teeth, gear.around, rows])
}

/// The rim's outline: straight between its corners, four per tooth.
fn rim(gear: &Gear, column: usize) -> (f64, f64) {
    let corners = 4 * gear.teeth;
    let corner = |k: usize| {
        let radius = if k % 4 < 2 { gear.root } else { gear.tip };
        let (c, s) = turn((k % corners) as f64 / corners as f64);
        (radius * c, radius * s)
    };
    let (k, part) = (column / gear.around, column % gear.around);
    mix(corner(k), corner(k + 1), part as f64 / gear.around as f64)
}

/// The point at fraction `part` from `a` to `b`; exactly `a` at 0 and `b` at 1.
fn mix(a: (f64, f64), b: (f64, f64), part: f64) -> (f64, f64) {
    let one = |a: f64, b: f64| a * (1.0 - part) + b * part;
    (one(a.0, b.0), one(a.1, b.1))
}
