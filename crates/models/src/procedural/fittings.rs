//! Solids of a plant: bodies of revolution and unions of boxes. All coordinates are multiples of
//! 2⁻¹², so that turns by permutations of the axes and moderate translations are exact.

use impinge_geometry::{Mesh, Point};

use super::lattice::{Lattice, triangles};
use super::surface::{Surface, circle};

/// Steps of the grid of all coordinates. Unit: steps per length unit.
const STEPS: f64 = 4096.0;

/// A body of revolution about the z axis, of about `size` triangles. `profile` lists corners
/// `[radius, z]`, counter-clockwise with the radius to the right. One that begins and ends at radius
/// 0 gives a body without a hole, another is closed and gives a ring.
pub(crate) fn revolved(profile: &[[f64; 2]], size: usize) -> Mesh {
    let mut surface = Surface::default();
    revolve(&mut surface, profile, size);
    surface.mesh()
}

/// A body of revolution with a cavity. Both profiles begin and end at radius 0.
pub(crate) fn hollow(outer: &[[f64; 2]], inner: &[[f64; 2]], size: usize) -> Mesh {
    let mut surface = Surface::default();
    revolve(&mut surface, outer, size / 2);
    let wall = surface.triangles.len();
    revolve(&mut surface, inner, size / 2);
    surface.triangles[wall..].iter_mut().for_each(|triangle| triangle.swap(1, 2));
    surface.mesh()
}

fn revolve(surface: &mut Surface, profile: &[[f64; 2]], size: usize) {
    let is_ring = profile[0][0] > 0.0;
    let sides = ((size as f64 / 2.0).sqrt() as usize).max(8);
    let around = circle(sides);
    let rows = size / (2 * sides);
    let points = divided(profile, is_ring, if is_ring { rows } else { rows + 1 });
    let point = |row: usize, side: usize| {
        let ([r, z], (c, s)) = (points[row], around[side]);
        Point::new(snapped(r * c), snapped(r * s), snapped(z))
    };
    if is_ring {
        return surface.ring_grid(points.len(), sides, point);
    }
    let base = surface.vertices.len() as u32;
    let last = points.len() - 1;
    for row in 1..last {
        surface.vertices.extend((0..sides).map(|side| point(row, side)));
    }
    let poles = surface.vertices.len() as u32;
    surface.vertices.extend([point(0, 0), point(last, 0)]);
    let at = |row: usize, side: usize| base + ((row - 1) * sides + side % sides) as u32;
    for side in 0..sides {
        surface.triangles.push([poles, at(1, side + 1), at(1, side)]);
        for row in 1..last - 1 {
            let [low, high] = [row, row + 1].map(|row| [at(row, side), at(row, side + 1)]);
            surface.quad([low[0], low[1], high[1], high[0]]);
        }
        surface.triangles.push([at(last - 1, side), at(last - 1, side + 1), poles + 1]);
    }
}

/// A polyline with about `count` segments, each of its edges divided evenly.
fn divided(corners: &[[f64; 2]], closed: bool, count: usize) -> Vec<[f64; 2]> {
    let next = |i: usize| corners[(i + 1) % corners.len()];
    let edges = corners.len() - usize::from(!closed);
    let length = |i: usize| (next(i)[0] - corners[i][0]).abs() + (next(i)[1] - corners[i][1]).abs();
    let whole: f64 = (0..edges).map(length).sum();
    let mut points = Vec::new();
    for i in 0..edges {
        let parts = ((count as f64 * length(i) / whole).round()).max(1.0);
        let (from, to) = (corners[i], next(i));
        let between = |k: usize| {
            (0..parts as usize).map(move |j| from[k] + (to[k] - from[k]) * (j as f64 / parts))
        };
        points.extend(between(0).zip(between(1)).map(|(r, z)| [r, z]));
    }
    points.extend((!closed).then(|| corners[edges]));
    points
}

/// The half circle of a ball, from the lower pole to the upper one.
pub(crate) fn half_circle(radius: f64) -> Vec<[f64; 2]> {
    let points = circle(32);
    let mut profile: Vec<_> =
        (0..=16).map(|k| [radius * points[k].1, -radius * points[k].0]).collect();
    profile[0] = [0.0, -radius];
    profile[16] = [0.0, radius];
    profile
}

/// A union of boxes of at most about `size` triangles. Along each axis `breaks` are the ends of the
/// cells; `solid` tells which cells are full. Full cells must not share only an edge or a corner.
pub(crate) fn boxes(breaks: [&[f64]; 3], solid: impl Fn([usize; 3]) -> bool, size: usize) -> Mesh {
    let lattice = Lattice { size: breaks.map(|breaks| breaks.len() - 1), solid };
    let faces = lattice.faces();
    let mean = |k: usize| {
        let breaks = breaks[k];
        (breaks[breaks.len() - 1] - breaks[0]) / (breaks.len() - 1) as f64
    };
    let mean = [mean(0), mean(1), mean(2)];
    let longest = mean[0].max(mean[1]).max(mean[2]);
    let splits = |n: usize| mean.map(|mean| ((n as f64 * mean / longest).round() as usize).max(1));
    let fits = |n: &usize| triangles(faces, splits(*n)) <= size;
    let n = (1..=size).take_while(fits).last().unwrap_or(1);
    lattice.mesh(splits(n), |cells| {
        let [x, y, z] = [0, 1, 2].map(|k| between(breaks[k], cells[k]));
        Point::new(x, y, z)
    })
}

/// A bar along z of about `size` triangles, its square section standing on an edge: corners at
/// `±reach` on the x and y axes.
pub(crate) fn bar_on_edge(reach: f64, half_length: f64, size: usize) -> Mesh {
    let half = reach / 2.0;
    let across = [-half, half];
    let plain = boxes([&across, &across, &[-half_length, half_length]], |_| true, size);
    let turned = plain.vertices().iter().map(|p| Point::new(p.x - p.y, p.x + p.y, p.z));
    plain.with_vertices(turned.collect()).expect("as many vertices as before, all finite")
}

/// The position at a number of cells, on the grid.
fn between(breaks: &[f64], cells: f64) -> f64 {
    let cell = (cells.floor() as usize).min(breaks.len() - 2);
    let (from, to) = (breaks[cell], breaks[cell + 1]);
    snapped(from + (to - from) * (cells - cell as f64))
}

fn snapped(x: f64) -> f64 {
    (x * STEPS).round() / STEPS
}
