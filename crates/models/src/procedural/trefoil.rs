//! A tube along a trefoil knot.

use impinge_geometry::{Mesh, Point, Vector};

use super::ParameterError;
use super::round::check_radius;
use super::surface::{Surface, check, check_least, check_size, circle};

/// Fewest tube sections for which the chords between them keep the strands apart.
pub const TREFOIL_MIN_RINGS: usize = 18;

/// Makes a tube along the trefoil knot `s·(sin t + 2 sin 2t, cos t − 2 cos 2t, −sin 3t)`.
///
/// `radius = 3s` is the largest distance of the centre line from the z axis. The tube has radius
/// `tube`, at most `radius / 6`: the strands come as near as `0.405 radius`, so the closed surface
/// does not meet itself. `rings >= 18` sections of `sides >= 3` vertices lie in the curve's Frenet
/// frame, which is periodic because the curvature never vanishes; `2·rings·sides` triangles,
/// closed, none degenerate.
///
/// # Errors
/// [`ParameterError`] if a count is too small or large, `radius` or `tube` is not in
/// `1e-100..=1e100`, or the tube is too thick.
pub fn trefoil_tube(
    radius: f64,
    tube: f64,
    rings: usize,
    sides: usize,
) -> Result<Mesh, ParameterError> {
    check_radius("trefoil", "radius", radius)?;
    check_radius("trefoil", "tube", tube)?;
    check("trefoil", "tube", tube, tube <= radius / 6.0, "be at most a sixth of the radius")?;
    check_least("trefoil", "rings", rings, TREFOIL_MIN_RINGS, "be at least 18")?;
    check_least("trefoil", "sides", sides, 3, "be at least 3")?;
    check_size("trefoil", &[2, rings, sides])?;
    let frames: Vec<Frame> =
        (0..rings).map(|ring| frame(ring as f64 / rings as f64, radius / 3.0)).collect();
    let section = circle(sides);
    let mut surface = Surface::with_capacity(rings * sides, 2 * rings * sides);
    surface.ring_grid(rings, sides, |ring, side| {
        let Frame { centre, normal, binormal } = &frames[ring];
        let (u, v) = section[side];
        centre + (normal * u + binormal * v) * tube
    });
    Ok(surface.mesh())
}

/// A point of the curve with its normal and binormal; tangent × normal = binormal.
struct Frame {
    centre: Point,
    normal: Vector,
    binormal: Vector,
}

fn frame(fraction: f64, s: f64) -> Frame {
    let t = fraction * std::f64::consts::TAU;
    let ((s1, c1), (s2, c2), (s3, c3)) =
        (libm::sincos(t), libm::sincos(2.0 * t), libm::sincos(3.0 * t));
    let centre = Point::new(s * (s1 + 2.0 * s2), s * (c1 - 2.0 * c2), -s * s3);
    let first = Vector::new(c1 + 4.0 * c2, 4.0 * s2 - s1, -3.0 * c3);
    let second = Vector::new(-s1 - 8.0 * s2, 8.0 * c2 - c1, 9.0 * s3);
    let binormal = first.cross(&second).normalize();
    Frame { centre, normal: binormal.cross(&first).normalize(), binormal }
}
