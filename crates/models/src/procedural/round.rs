//! Spheres and tori.

use impinge_geometry::{Mesh, Point};

use super::ParameterError;
use super::surface::{Surface, check, check_least, check_size, circle, turn};

/// Makes a sphere about the origin, cut along parallels and meridians.
///
/// `stacks >= 2` bands from pole to pole along z, `sectors >= 3` around; `2·sectors·(stacks − 1)`
/// triangles, closed, none degenerate. All vertices lie on the sphere to within rounding, so the
/// mesh is inscribed.
///
/// # Errors
/// [`ParameterError`] if a count is too small or large, or `radius` is not in `1e-100..=1e100`.
pub fn sphere(radius: f64, stacks: usize, sectors: usize) -> Result<Mesh, ParameterError> {
    check_radius("sphere", "radius", radius)?;
    check_least("sphere", "stacks", stacks, 2, "be at least 2")?;
    check_least("sphere", "sectors", sectors, 3, "be at least 3")?;
    check_size("sphere", &[2, sectors, stacks - 1])?;
    let around = circle(sectors);
    let mut surface =
        Surface::with_capacity(sectors * (stacks - 1) + 2, 2 * sectors * (stacks - 1));
    for stack in 1..stacks {
        let (z, r) = turn(0.5 * stack as f64 / stacks as f64);
        let (z, r) = (z * radius, r * radius);
        surface.vertices.extend(around.iter().map(|&(c, s)| Point::new(r * c, r * s, z)));
    }
    let north = surface.vertices.len() as u32;
    surface.vertices.push(Point::new(0.0, 0.0, radius));
    surface.vertices.push(Point::new(0.0, 0.0, -radius));
    let at = |row: usize, sector: usize| (row * sectors + sector % sectors) as u32;
    for k in 0..sectors {
        surface.triangles.push([north, at(0, k), at(0, k + 1)]);
    }
    for row in 0..stacks - 2 {
        for k in 0..sectors {
            surface.quad([at(row + 1, k), at(row + 1, k + 1), at(row, k + 1), at(row, k)]);
        }
    }
    for k in 0..sectors {
        surface.triangles.push([north + 1, at(stacks - 2, k + 1), at(stacks - 2, k)]);
    }
    Ok(surface.mesh())
}

/// Makes a torus about the z axis, centred at the origin.
///
/// `major` is the radius of the centre line, `minor < major` that of the tube; `rings >= 3` tube
/// sections of `sides >= 3` vertices each; `2·rings·sides` triangles, closed, none degenerate.
///
/// # Errors
/// [`ParameterError`] if a count is too small or large, a radius is not in `1e-100..=1e100`, or
/// `minor >= major`, where the torus would meet itself.
pub fn torus(major: f64, minor: f64, rings: usize, sides: usize) -> Result<Mesh, ParameterError> {
    check_radius("torus", "major", major)?;
    check_radius("torus", "minor", minor)?;
    check("torus", "minor", minor, minor < major, "be below the major radius")?;
    check_least("torus", "rings", rings, 3, "be at least 3")?;
    check_least("torus", "sides", sides, 3, "be at least 3")?;
    check_size("torus", &[2, rings, sides])?;
    let (around, section) = (circle(rings), circle(sides));
    let mut surface = Surface::with_capacity(rings * sides, 2 * rings * sides);
    surface.ring_grid(sides, rings, |side, ring| {
        let ((c, s), (u, v)) = (around[ring], section[side]);
        let r = major + minor * u;
        Point::new(r * c, r * s, minor * v)
    });
    Ok(surface.mesh())
}

pub(super) fn check_radius(
    shape: &'static str,
    parameter: &'static str,
    radius: f64,
) -> Result<(), ParameterError> {
    let good = (1e-100..=1e100).contains(&radius);
    check(shape, parameter, radius, good, "lie between 1e-100 and 1e100")
}
