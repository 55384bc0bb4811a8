//! A hand with five curling fingers: one closed surface, used as a deforming mesh.

use impinge_geometry::{Mesh, Point};

use super::ParameterError;
use super::lattice::{Lattice, check_splits};
use super::surface::check;

/// Cells in x: three columns of thumb, then four fingers with gaps between; in y: three rows of
/// palm, then three of finger; one layer.
const SIZE: [usize; 3] = [10, 6, 1];
/// Columns of the thumb, one per bone.
const THUMB: usize = 3;
/// Rows of the palm; the thumb grows from the middle one.
const PALM: usize = 3;

/// Palm in the plane z = 0, wrist at y = 0, fingers towards +y, thumb towards −x; unit: one hand.
const PALM_WIDTH: f64 = 0.46;
const PALM_LENGTH: f64 = 0.48;
const PALM_HALF_THICKNESS: f64 = 0.06;
const FINGER_WIDTH: f64 = 0.1;
const FINGER_GAP: f64 = 0.02;
/// Index, middle, ring and little finger: length and half thickness.
const FINGERS: [(f64, f64); 4] = [(0.45, 0.046), (0.5, 0.048), (0.46, 0.046), (0.36, 0.04)];
const THUMB_LENGTH: f64 = 0.32;
const THUMB_HALF_THICKNESS: f64 = 0.048;
/// Angles of the three joints at full curl, in radians.
const FINGER_ANGLES: [f64; 3] = [1.4, 1.4, 1.0];
const THUMB_ANGLES: [f64; 3] = [0.5, 0.7, 0.5];
/// Where each joint begins to bend, and over what length; unit: finger lengths. A joint of angle α
/// bends over more than α half thicknesses, so that the inner side does not fold.
const JOINTS: [f64; 3] = [0.0, 0.36, 0.66];
const JOINT_LENGTH: f64 = 0.24;

/// A left hand of length 1, palm down (−z): **one** closed surface of palm, four fingers and
/// thumb, each finger with three joints.
///
/// `curl` in `0..=1` bends all joints, from a flat hand to a fist with the tips clear of the palm.
/// Connectivity does not depend on it, so hands of equal `splits` are steps of one deforming mesh.
/// `splits` divides the 36 cells of the hand: along x (across fingers, along the thumb), along y
/// (along fingers) and through the thickness; `2·(30·yz + 20·zx + 72·xy)` triangles, at least 244,
/// none degenerate.
///
/// # Errors
/// [`ParameterError`] if `curl` is outside `0..=1`, a split is 0, or the mesh too large.
pub fn hand(curl: f64, splits: [usize; 3]) -> Result<Mesh, ParameterError> {
    check("hand", "curl", curl, (0.0..=1.0).contains(&curl), "lie between 0 and 1")?;
    check_splits("hand", FACES, splits)?;
    Ok(lattice().mesh(splits, |cells| place(cells, curl)))
}

/// The hand of equal `splits` with lattice coordinates as vertices; [`place`] maps them to any
/// curl.
///
/// # Errors
/// [`ParameterError`] if a split is 0 or the mesh too large.
pub(super) fn material(splits: [usize; 3]) -> Result<Mesh, ParameterError> {
    check_splits("hand", FACES, splits)?;
    Ok(lattice().mesh(splits, Point::from))
}

/// The point of the hand for lattice coordinates, in cells.
pub(super) fn place([u, v, w]: [f64; 3], curl: f64) -> Point {
    let b = 2.0 * w - 1.0;
    let (u, palm) = (u - THUMB as f64, PALM as f64);
    if u < 0.0 {
        thumb_point(-u, v - 1.0, b, curl)
    } else if v > palm {
        finger_point(u, v - palm, b, curl)
    } else {
        palm_point(column(u), v, b)
    }
}

/// Surface faces of the hand per axis, checked by a test.
pub(super) const FACES: [usize; 3] = [30, 20, 72];

fn lattice() -> Lattice<fn([usize; 3]) -> bool> {
    Lattice { size: SIZE, solid }
}

fn solid([x, y, _]: [usize; 3]) -> bool {
    match x.checked_sub(THUMB) {
        None => y == 1,
        Some(column) => y < PALM || column.is_multiple_of(2),
    }
}

/// x for a coordinate in the columns of fingers (even) and gaps (odd).
fn column(u: f64) -> f64 {
    let pair = (u / 2.0).floor();
    let within = u - 2.0 * pair;
    pair * (FINGER_WIDTH + FINGER_GAP)
        + within.min(1.0) * FINGER_WIDTH
        + (within - 1.0).max(0.0) * FINGER_GAP
}

fn palm_point(x: f64, v: f64, b: f64) -> Point {
    Point::new(x, v / PALM as f64 * PALM_LENGTH, b * palm_half_thickness(x, v))
}

/// Half thickness of the palm, thinner towards the edges and the wrist.
fn palm_half_thickness(x: f64, v: f64) -> f64 {
    let side = 2.0 * x / PALM_WIDTH - 1.0;
    let wrist = 1.0 - v / PALM as f64;
    PALM_HALF_THICKNESS * (1.0 - 0.35 * side * side * side * side) * (1.0 - 0.3 * wrist * wrist)
}

/// `u` in finger columns, `v` in 0..3 bones from the knuckle, `b` in −1..1 through the thickness.
fn finger_point(u: f64, v: f64, b: f64, curl: f64) -> Point {
    let finger = ((u / 2.0).floor() as usize).min(3);
    let (length, half_thickness) = FINGERS[finger];
    let middle = column(2.0 * finger as f64 + 0.5);
    let a = 2.0 * (u - 2.0 * finger as f64) - 1.0;
    let base = palm_half_thickness(column(u), PALM as f64);
    let (a, b, round) = rounded(a, b, v);
    let offset = b * (base + (half_thickness - base) * round);
    let (along, down) = bent(v / 3.0 * length, offset, length, &FINGER_ANGLES, curl);
    Point::new(middle + a * FINGER_WIDTH / 2.0, PALM_LENGTH + along, down)
}

/// `u` in 0..3 bones from the palm, `v` in 0..1 across the thumb.
fn thumb_point(u: f64, v: f64, b: f64, curl: f64) -> Point {
    let width = PALM_LENGTH / PALM as f64;
    let base = palm_half_thickness(0.0, v + 1.0);
    let (a, b, round) = rounded(2.0 * v - 1.0, b, u);
    let offset = b * (base + (THUMB_HALF_THICKNESS - base) * round);
    let half_width = width / 2.0 + (FINGER_WIDTH * 0.6 - width / 2.0) * round;
    let (along, down) = bent(u / 3.0 * THUMB_LENGTH, offset, THUMB_LENGTH, &THUMB_ANGLES, curl);
    Point::new(-along, width * 1.5 + a * half_width, down)
}

/// Maps the square `(a, b)` to a disc over the first bone and narrows it towards the tip over the
/// last. The third value is the roundness, which runs from 0 to 1 over the first bone.
fn rounded(a: f64, b: f64, v: f64) -> (f64, f64, f64) {
    let t = v.min(1.0);
    let round = t * t * (3.0 - 2.0 * t);
    let tip = (v - 2.0).max(0.0);
    let narrow = (1.0 - 0.85 * tip * tip).sqrt();
    let to_disc = |c: f64| 1.0 - round + round * (1.0 - c * c / 2.0).sqrt();
    (a * to_disc(b) * narrow, b * to_disc(a) * narrow, round)
}

/// The point at arc length `s` along a finger's bent centre line and `offset` off it, as (forward,
/// up). The angle grows linearly over each joint, so the line consists of arcs and straight parts.
fn bent(s: f64, offset: f64, length: f64, angles: &[f64; 3], curl: f64) -> (f64, f64) {
    let joint = JOINT_LENGTH * length;
    let (mut at, mut angle, mut forward, mut up) = (0.0, 0.0_f64, 0.0, 0.0);
    let straight = |from: f64, to: f64, angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        ((to - from) * cos, -(to - from) * sin)
    };
    for (begin, full) in JOINTS.iter().zip(angles) {
        let begin = begin * length;
        if s <= begin {
            break;
        }
        let (f, u) = straight(at, begin, angle);
        let end = s.min(begin + joint);
        let bend = full * curl * (end - begin) / joint;
        let (f2, u2) = if bend == 0.0 {
            straight(begin, end, angle)
        } else {
            let radius = (end - begin) / bend;
            let ((s0, c0), (s1, c1)) = (libm::sincos(angle), libm::sincos(angle + bend));
            (radius * (s1 - s0), radius * (c1 - c0))
        };
        (forward, up, angle, at) = (forward + f + f2, up + u + u2, angle + bend, end);
    }
    let (f, u) = straight(at, s, angle);
    let (sin, cos) = libm::sincos(angle);
    (forward + f + offset * sin, up + u + offset * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_those_of_the_lattice() {
        assert_eq!(lattice().faces(), FACES);
        let columns = super::super::lattice::comb_faces(5);
        let comb = Lattice { size: [9, 2, 1], solid: |[x, y, _]: [usize; 3]| y == 0 || x % 2 == 0 };
        assert_eq!(comb.faces(), columns);
    }
}
