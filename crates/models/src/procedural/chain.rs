//! A straight chain of linked rings that do not touch.

use impinge_geometry::{Mesh, Point, Vector};

use super::ParameterError;
use super::round::check_radius;
use super::surface::{Surface, check_least, check_size, circle, turn};

/// Radius of the centre line in a link's bends; unit: wire radii. Above 2, the next link passes
/// through without touching.
const BEND: f64 = 3.0;
/// Length of a link's straight parts; unit: wire radii.
const STRAIGHT: f64 = 4.0;
/// Distance between links; unit: wire radii. Puts the tip of a link in the middle of the next bend.
const PITCH: f64 = STRAIGHT + BEND;

/// Makes a chain along the x axis, centred at the origin. Every link is a round wire bent to two
/// half circles and two straight parts; neighbours are turned by a right angle.
///
/// Lengths follow from the wire's radius: bends have radius 3 wires, straight parts length 4, and
/// links are 7 apart, so neighbours keep at least one wire radius of clearance (less for coarse
/// polygons, but they never touch). `bend >= 3` sections per half circle, `sides >= 3` vertices per
/// section. Every link is a closed component of `2·sides·(2·bend + 2·straight)` triangles with
/// `straight = max(1, round(0.42·bend))`; none is degenerate.
///
/// # Errors
/// [`ParameterError`] if a count is too small or large, or `wire` is not in `1e-100..=1e100`.
pub fn chain(links: usize, wire: f64, bend: usize, sides: usize) -> Result<Mesh, ParameterError> {
    check_radius("chain", "wire", wire)?;
    check_least("chain", "links", links, 1, "be at least 1")?;
    check_least("chain", "bend", bend, 3, "be at least 3")?;
    check_least("chain", "sides", sides, 3, "be at least 3")?;
    check_size("chain", &[bend])?;
    check_size("chain", &[2, links, sections(bend), sides])?;
    let centre_line = link(bend);
    let section = circle(sides);
    let rings = centre_line.len();
    let mut surface = Surface::with_capacity(links * rings * sides, 2 * links * rings * sides);
    for index in 0..links {
        let x = PITCH * (index as f64 - 0.5 * (links - 1) as f64);
        surface.ring_grid(sides, rings, |side, ring| {
            let (centre, outward) = &centre_line[ring];
            let (u, v) = section[side];
            let p = centre + outward * u + Vector::z() * v;
            let p = if index % 2 == 0 { p } else { Vector::new(p.x, -p.z, p.y) };
            Point::from((p + Vector::x() * x) * wire)
        });
    }
    Ok(surface.mesh())
}

/// Number of sections of one link: two bends and two straight parts.
pub(super) fn sections(bend: usize) -> usize {
    2 * bend + 2 * straight(bend)
}

fn straight(bend: usize) -> usize {
    // Sections in proportion to length: the bend's arc is π·BEND, the straight part STRAIGHT.
    ((0.42 * bend as f64).round() as usize).max(1)
}

/// Centre line of a link in the plane z = 0, counter-clockwise, and the outward direction at each
/// section; unit: wire radii.
fn link(bend: usize) -> Vec<(Vector, Vector)> {
    let straight = straight(bend);
    let mut line = Vec::with_capacity(sections(bend));
    for side in [1.0, -1.0] {
        for k in 0..bend {
            // From −90° to 90° about the right centre, then from 90° to 270° about the left one.
            let (c, s) = turn(0.5 * k as f64 / bend as f64 - 0.25);
            let outward = Vector::new(c, s, 0.0) * side;
            line.push((outward * BEND + Vector::x() * (side * STRAIGHT / 2.0), outward));
        }
        for k in 0..straight {
            let x = STRAIGHT * (0.5 - k as f64 / straight as f64);
            let outward = Vector::new(0.0, side, 0.0);
            line.push((outward * BEND + Vector::x() * (side * x), outward));
        }
    }
    line
}
