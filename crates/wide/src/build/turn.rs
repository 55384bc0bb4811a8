//! Turns the principal axes of a node to a box of less surface. Where a surface spreads alike in two
//! directions, as near the top of smooth meshes, its principal axes may lie anywhere between its sides. Where
//! it has flat sides at right angles, the largest box below has their directions.

use super::frames::orthonormal;
use crate::tree::{LANES, Node};

/// Axes of a box: `axes[j]` is axis `j`.
pub(super) type Axes = [[f32; 3]; 3];

/// The axes of the model.
pub(super) const AXES: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Cosines and sines of 40, 20, 10, 5 and 2.5 degrees. Measured on eleven shapes: without the last
/// about one box in a hundred more is tested, and further ones save nothing.
const TURNS: [[f32; 2]; 5] = [
    [0.766_044_4, 0.642_787_6],
    [0.939_692_6, 0.342_020_1],
    [0.984_807_8, 0.173_648_2],
    [0.996_194_7, 0.087_155_7],
    [0.999_048_2, 0.043_619_4],
];

/// How much less surface the turned box must have. That of the boxes' box is an estimate, since they are
/// around their triangles in other directions.
const LESS: f32 = 0.95;

/// Axes on which the box around the boxes of a node has clearly less surface than on `principal`, or these; found
/// by turning about one axis at a time, from the best of `principal`, the model's axes, and those of the largest box. The
/// last are also taken if they are the best and better by little.
#[inline(always)]
pub(super) fn turned(principal: &Axes, node: &Node) -> Axes {
    let boxes = Boxes::new(node);
    let largest = largest(node);
    let mut best = boxes.along(principal);
    let before = best.surface();
    let [of_model, of_largest] = [boxes.along(&AXES), boxes.along(&largest)];
    if of_model.surface() < best.surface() {
        best = of_model;
    }
    let mut is_largest = of_largest.surface() < best.surface();
    if is_largest {
        best = of_largest;
    }
    for [c, s] in TURNS {
        for axis in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            is_largest &= !best.turn(axis, [c, s]);
        }
    }
    if is_largest {
        return largest;
    }
    if !(best.surface() < LESS * before) {
        return *principal;
    }
    let mut wide = [[0.0; 3]; 3];
    for j in 0..3 {
        for k in 0..3 {
            wide[j][k] = f64::from(best.axes[j][k]);
        }
    }
    // Each turn has rounded the axes.
    match orthonormal(&wide) {
        (axes, true) => axes,
        _ => AXES,
    }
}

/// The axes of the largest box of a node.
#[inline(always)]
fn largest(node: &Node) -> Axes {
    let (mut lane, mut most) = (0, -1.0);
    for l in 0..LANES {
        let half = [node.half[0][l], node.half[1][l], node.half[2][l]];
        if l < node.lanes as usize && surface(&half) > most {
            (lane, most) = (l, surface(&half));
        }
    }
    node.get(lane).axes
}

type Lanes = [f32; LANES];

/// Of the boxes of a node, component `k` of half of edge `j`, and of the centre as the last. Lanes that are not in use
/// repeat the first.
struct Boxes([[Lanes; 3]; 4]);

impl Boxes {
    #[inline(always)]
    fn new(node: &Node) -> Self {
        let mut boxes = [[[0.0; LANES]; 3]; 4];
        for k in 0..3 {
            boxes[3][k] = node.center[k];
            for j in 0..3 {
                for l in 0..LANES {
                    boxes[j][k][l] = node.half[j][l] * node.axes[j][k][l];
                }
            }
        }
        for of_lanes in boxes.as_flattened_mut() {
            for l in 0..LANES {
                of_lanes[l] = if l < node.lanes as usize { of_lanes[l] } else { of_lanes[0] };
            }
        }
        Self(boxes)
    }

    /// The box around them on these axes.
    #[inline(always)]
    fn along(&self, axes: &Axes) -> Around {
        let mut projections = [[[0.0; LANES]; 4]; 3];
        let mut lengths = [0.0; 3];
        for i in 0..3 {
            let a = &axes[i];
            for (to, x) in projections[i].iter_mut().zip(&self.0) {
                for l in 0..LANES {
                    to[l] = x[0][l] * a[0] + x[1][l] * a[1] + x[2][l] * a[2];
                }
            }
            lengths[i] = length(&projections[i]);
        }
        Around { axes: *axes, projections, lengths }
    }
}

/// The box on some axes around the boxes of a node.
struct Around {
    axes: Axes,
    /// The projections on each axis of what [`Boxes`] has.
    projections: [[Lanes; 4]; 3],
    lengths: [f32; 3],
}

impl Around {
    #[inline(always)]
    fn surface(&self) -> f32 {
        surface(&self.lengths)
    }

    /// Turns two axes in their plane by an angle of this cosine and sine, forwards or back, if that makes the surface less.
    /// Whether it does.
    #[inline(always)]
    fn turn(&mut self, [_, j, k]: [usize; 3], [c, s]: [f32; 2]) -> bool {
        let (p, q) = (&self.projections[j], &self.projections[k]);
        let none = [[0.0; LANES]; 4];
        let [mut on_j, mut on_k, mut back_j, mut back_k] = [none; 4];
        for x in 0..4 {
            for l in 0..LANES {
                let (cp, sp, cq, sq) = (c * p[x][l], s * p[x][l], c * q[x][l], s * q[x][l]);
                (on_j[x][l], on_k[x][l]) = (cp + sq, cq - sp);
                (back_j[x][l], back_k[x][l]) = (cp - sq, cq + sp);
            }
        }
        // Together, so that one need not wait for the other.
        let [a, b, d, e] = [length(&on_j), length(&on_k), length(&back_j), length(&back_k)];
        let (mut on, mut back) = (self.lengths, self.lengths);
        (on[j], on[k], back[j], back[k]) = (a, b, d, e);
        let (of_on, of_back, least) = (surface(&on), surface(&back), self.surface());
        if of_on < least && !(of_back < of_on) {
            self.lengths = on;
            (self.projections[j], self.projections[k]) = (on_j, on_k);
            turn(&mut self.axes, [j, k], [c, s]);
        } else if of_back < least {
            self.lengths = back;
            (self.projections[j], self.projections[k]) = (back_j, back_k);
            turn(&mut self.axes, [j, k], [c, -s]);
        } else {
            return false;
        }
        true
    }
}

/// Turns two axes in their plane by an angle of this cosine and sine.
#[inline(always)]
fn turn(axes: &mut Axes, [j, k]: [usize; 2], [c, s]: [f32; 2]) {
    for x in 0..3 {
        let (p, q) = (axes[j][x], axes[k][x]);
        (axes[j][x], axes[k][x]) = (c * p + s * q, c * q - s * p);
    }
}

/// Half of the surface of a box.
#[inline(always)]
fn surface([a, b, c]: &[f32; 3]) -> f32 {
    a * b + b * c + c * a
}

/// How long boxes are together along an axis on which this is what they project to.
#[inline(always)]
fn length([x, y, z, at]: &[Lanes; 4]) -> f32 {
    let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        let reach = x[l].abs() + y[l].abs() + z[l].abs();
        (low[l], high[l]) = (at[l] - reach, at[l] + reach);
    }
    halve::<8>(&mut low, &mut high);
    halve::<4>(&mut low, &mut high);
    halve::<2>(&mut low, &mut high);
    halve::<1>(&mut low, &mut high);
    high[0] - low[0]
}

/// Puts the extremes of the first `2 N` lanes into the first `N`.
#[inline(always)]
fn halve<const N: usize>(low: &mut Lanes, high: &mut Lanes) {
    for l in 0..N {
        let (a, b) = (low[l + N], high[l + N]);
        low[l] = if a < low[l] { a } else { low[l] };
        high[l] = if b > high[l] { b } else { high[l] };
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};

    use impinge_geometry::Vector;
    use impinge_models::Random;

    use super::*;
    use crate::tree::{Lane, OFF};

    /// The edge of [`sheet`].
    const EDGE: f32 = 0.3 + 0.002 * SQRT_2;

    /// Sixteen small boxes in a square sheet, turned by 45 degrees in it; and its axes, the normal last.
    fn sheet(random: &mut Random) -> (Node, Axes) {
        let pose = random.turned_to(Vector::zeros());
        let column = |j: usize| [0, 1, 2].map(|k| pose.rotation()[(k, j)] as f32);
        let axes = [0, 1, 2].map(column);
        let [u, v, normal] = axes;
        let between = |sign: f32| [0, 1, 2].map(|k| FRAC_1_SQRT_2 * (u[k] + sign * v[k]));
        let of_lanes = [between(1.0), between(-1.0), normal];
        let mut node = Node::empty([0.0; 3]);
        node.lanes = LANES as u32;
        for l in 0..LANES {
            let [x, y] = [l % 4, l / 4].map(|i| 0.1 * (i as f32 - 1.5));
            let center = [0, 1, 2].map(|k| x * axes[0][k] + y * axes[1][k]);
            node.set(l, &Lane { center, half: [0.001; 3], axes: of_lanes });
        }
        (node, axes)
    }

    #[test]
    fn axes_between_the_sides_of_a_sheet_are_turned_to_them() {
        let mut random = Random::new(31);
        let (mut most, mut least) = (0.0f32, f32::INFINITY);
        for _ in 0..300 {
            let (node, [u, v, normal]) = sheet(&mut random);
            let (s, c) = (random.range(0.0, 1.0) as f32 * TAU).sin_cos();
            let mixed = |a: f32, b: f32| [0, 1, 2].map(|k| a * u[k] + b * v[k]);
            let between = [mixed(c, s), mixed(-s, c), normal];
            let surface =
                |axes: &Axes| Boxes::new(&node).along(axes).surface() / (EDGE * (EDGE + 0.004));
            most = most.max(surface(&between));
            let found = surface(&turned(&between, &node));
            least = least.min(found);
            assert!(found < 1.1, "{found} of the least surface");
        }
        assert!(most > 1.95 && least > 0.999, "{most} {least}");
    }

    /// Those of its boxes are, which are around the triangles in just these directions.
    #[test]
    fn a_sheet_of_boxes_along_its_sides_has_their_axes() {
        let mut random = Random::new(35);
        for _ in 0..300 {
            let (mut node, [u, v, normal]) = sheet(&mut random);
            for l in 0..LANES {
                let lane = node.get(l);
                node.set(l, &Lane { half: [0.05, 0.05, 0.001], axes: [u, v, normal], ..lane });
            }
            let (s, c) = (random.range(0.1, 2.0).to_radians() as f32).sin_cos();
            let mixed = |a: f32, b: f32| [0, 1, 2].map(|k| a * u[k] + b * v[k]);
            assert_eq!(turned(&[mixed(c, s), mixed(-s, c), normal], &node), [u, v, normal]);
        }
    }

    /// Axes on which a box has hardly less surface are not taken.
    #[test]
    fn axes_near_the_sides_of_a_sheet_are_kept() {
        let mut random = Random::new(33);
        for _ in 0..300 {
            let (node, [u, v, normal]) = sheet(&mut random);
            let (s, c) = (random.range(-1.8, 1.8).to_radians() as f32).sin_cos();
            let mixed = |a: f32, b: f32| [0, 1, 2].map(|k| a * u[k] + b * v[k]);
            let near = [mixed(c, s), mixed(-s, c), normal];
            assert_eq!(turned(&near, &node), near);
        }
    }

    #[test]
    fn a_sheet_along_the_axes_of_the_model_has_them() {
        let mut random = Random::new(34);
        let mut taken = 0;
        for _ in 0..300 {
            let mut node = Node::empty([0.0; 3]);
            node.lanes = LANES as u32;
            for l in 0..LANES {
                let [x, y] = [l % 4, l / 4].map(|i| 0.1 * (i as f32 - 1.5));
                let (center, half) = ([x, 0.0, y], [0.05, 0.001, 0.05]);
                node.set(l, &Lane { center, half, axes: AXES });
            }
            let (_, principal) = sheet(&mut random);
            taken += u32::from(turned(&principal, &node) == AXES);
        }
        assert_eq!(taken, 300);
    }

    #[test]
    fn no_surface_grows_and_axes_stay_orthonormal() {
        let mut random = Random::new(32);
        let mut smaller = 0;
        for _ in 0..300 {
            let mut node = Node::empty([0.0; 3]);
            node.lanes = 2 + random.below(15) as u32;
            let mut frame = || {
                let pose = random.turned_to(Vector::zeros());
                [0, 1, 2].map(|j| [0, 1, 2].map(|k| pose.rotation()[(k, j)] as f32))
            };
            let (principal, of_lanes) = (frame(), [(); LANES].map(|()| frame()));
            for (l, axes) in of_lanes.into_iter().enumerate() {
                // Lanes that are not in use are far away.
                let reach = if l < node.lanes as usize { 1.0 } else { 1e3 };
                let mut numbers = |a, b| [(); 3].map(|()| random.range(a, b) as f32);
                let (center, half) = (numbers(-reach, reach), numbers(0.0, 0.3));
                node.set(l, &Lane { center, half, axes });
            }
            let surface = |axes: &Axes| Boxes::new(&node).along(axes).surface();
            let axes = turned(&principal, &node);
            let before = surface(&principal);
            assert!(surface(&axes) <= before * (1.0 + 1e-5) && surface(&axes) < 100.0);
            smaller += u32::from(surface(&axes) < LESS * before);
            for (i, a) in axes.iter().enumerate() {
                for (j, b) in axes.iter().enumerate() {
                    let dot: f64 = (0..3).map(|k| f64::from(a[k]) * f64::from(b[k])).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() <= OFF);
                }
            }
        }
        assert!(smaller > 200, "{smaller}");
    }
}
