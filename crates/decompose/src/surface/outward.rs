//! Whether every component of an embedded surface faces out of the solid. A component inside
//! no other, or inside a cavity, must enclose its inside; one that bounds a cavity must be wound
//! the other way.
//!
//! **Orientation of one component.** Let `v` be a vertex of largest z and `T` one of its triangles
//! that is not vertical. Follow a vertical line through `T` at an infinitesimal distance from `v`.
//! Far up the line is outside. On its way down it crosses the component's sheets above `T`, which
//! are all triangles at `v`, since no other reaches that height; sheets face up and down
//! alternately. So if `k` of them are above `T`, the component faces outward if and only if `T`
//! faces up and `k` is even, or down and odd. The line is the one through
//! `v + ε (b − v) + ε² (c − v)` for the corners `v, b, c` of `T`, and all signs are exact.

use impinge_geometry::Point;
use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::predicates::{Drop, Sign, orient2d, orient3d};
use impinge_threads::Control;

use super::{NONE, Surface};
use crate::DecomposeError;
use crate::tree::{FaceTree, reaches_above};

/// # Errors
/// A triangle of the first component with the wrong orientation.
pub(super) fn check(
    surface: &Surface,
    tree: &FaceTree,
    control: &Control<'_>,
) -> Result<(), DecomposeError> {
    let (component, tops) = components(surface);
    for (own, &top) in (0u32..).zip(&tops) {
        control.check()?;
        let p = *surface.point(top);
        let mut winding = 0;
        tree.visit(
            |node| reaches_above(node, &p),
            |f| {
                if component[f as usize] != own
                    && let Crossing::Adds(n) = crossing(&surface.corners(f), &p)
                {
                    winding += n;
                }
            },
        );
        // Inside the solid (1) only a cavity may begin, outside of it (0) only a body.
        let wanted = match winding {
            0 => Some(true),
            1 => Some(false),
            _ => None,
        };
        if wanted != Some(faces_outward(surface, top)) {
            let triangle = component.iter().position(|&c| c == own).unwrap_or(0) as u32;
            return Err(DecomposeError::InsideOut { triangle });
        }
    }
    Ok(())
}

/// Per triangle its component, in the order of first triangles, and per component its highest
/// point.
fn components(surface: &Surface) -> (Vec<u32>, Vec<u32>) {
    let mut of = vec![NONE; surface.len()];
    let mut tops = Vec::new();
    for first in 0..surface.len() as u32 {
        if of[first as usize] != NONE {
            continue;
        }
        let number = tops.len() as u32;
        let mut top = surface.triangles[first as usize][0];
        let mut stack = vec![first];
        of[first as usize] = number;
        while let Some(f) = stack.pop() {
            for v in surface.triangles[f as usize] {
                if surface.point(v).z > surface.point(top).z {
                    top = v;
                }
            }
            for g in surface.across[f as usize] {
                if of[g as usize] == NONE {
                    of[g as usize] = number;
                    stack.push(g);
                }
            }
        }
        tops.push(top);
    }
    (of, tops)
}

/// The two corners after `v`, counter-clockwise in the triangle.
fn others(surface: &Surface, f: u32, v: u32) -> [Point; 2] {
    let corners = surface.triangles[f as usize];
    let k = corners.iter().position(|&c| c == v).unwrap_or(0);
    [1, 2].map(|i| *surface.point(corners[(k + i) % 3]))
}

fn faces_outward(surface: &Surface, top: u32) -> bool {
    let v = surface.point(top);
    let turn = |f: u32| {
        let [b, c] = others(surface, f, top);
        orient2d(v, &b, &c, Drop::Z)
    };
    // An embedded closed surface has a triangle at its highest vertex that is not vertical.
    let fan = surface.at(top);
    let first = fan.iter().copied().find(|&f| !turn(f).is_zero()).unwrap_or(fan[0]);
    let [b, c] = others(surface, first, top);
    let above = fan.iter().filter(|&&g| g != first && is_above(v, &b, &c, others(surface, g, top)));
    (turn(first) == Sign::Positive) == (above.count() % 2 == 0)
}

/// Whether the triangle `v p q` covers the vertical line at `v + ε (b − v) + ε² (c − v)`, above the
/// triangle `v b c`.
fn is_above(v: &Point, b: &Point, c: &Point, [p, q]: [Point; 2]) -> bool {
    let turn = orient2d(v, &p, &q, Drop::Z);
    let up = match turn {
        Sign::Zero => return false,
        Sign::Positive => [p, q],
        Sign::Negative => [q, p],
    };
    let [right, left] = up;
    let first = |s: Sign, t: Sign| if s.is_zero() { t } else { s };
    let after =
        first(orient2d(v, &right, b, Drop::Z), orient2d(v, &right, c, Drop::Z)) == Sign::Positive;
    let before =
        first(orient2d(v, b, &left, Drop::Z), orient2d(v, c, &left, Drop::Z)) == Sign::Positive;
    // The sheet is oriented upward here; a negative sign means that the line's point on `v b c` is
    // below it.
    let height = first(orient3d(v, &right, &left, b), orient3d(v, &right, &left, c));
    after && before && height == Sign::Negative
}
