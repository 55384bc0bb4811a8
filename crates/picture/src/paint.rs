//! Shading and colours: smooth shading with a key, a fill and a rim light, and thin lines along the
//! edges of triangles that are large enough.

use impinge_geometry::{Point, Vector};

use crate::camera::Camera;
use crate::model::{Body, Model};
use crate::raster::{Buffer, Sample};

/// Samples per pixel along each axis.
const FINE: usize = 2;
/// Samples by which marked triangles are widened on all sides.
const WIDER: usize = 2;
/// Colours of bodies in turn, as red, green, blue in 0..1: A is light blue-grey, B sand.
const COLORS: [[f64; 3]; 5] = [
    [0.62, 0.72, 0.84],
    [0.90, 0.76, 0.50],
    [0.66, 0.80, 0.66],
    [0.78, 0.70, 0.86],
    [0.80, 0.80, 0.78],
];
/// Colour of marked triangles.
const RED: [f64; 3] = [0.86, 0.10, 0.12];

/// The picture as red, green, blue, alpha bytes, row by row.
pub(crate) fn paint(model: &Model, camera: &Camera, width: usize, height: usize) -> Vec<u8> {
    let buffer = Buffer::of(model, camera, width * FINE, height * FINE);
    let marked = widened(&marks(model, &buffer), width * FINE);
    let mut bytes = Vec::with_capacity(width * height * 4);
    for row in 0..height {
        for column in 0..width {
            let mut sum = [0.0; 4];
            for k in 0..FINE * FINE {
                let (x, y) = (column * FINE + k % FINE, row * FINE + k / FINE);
                let at = y * width * FINE + x;
                let (sample, marked) = (&buffer.samples[at], marked[at]);
                if let Some(color) = shade(model, camera, sample, marked) {
                    (0..3).for_each(|c| sum[c] += color[c]);
                    sum[3] += 1.0;
                }
            }
            let solid: f64 = sum[3];
            bytes.extend((0..3).map(|c| to_byte(sum[c] / solid.max(1.0))));
            bytes.push((solid / (FINE * FINE) as f64 * 255.0).round() as u8);
        }
    }
    bytes
}

/// One entry per sample: whether it shows a marked triangle.
fn marks(model: &Model, buffer: &Buffer) -> Vec<bool> {
    let marked = |(body, index): (&Body, usize)| body.marked[index];
    let of = |sample: &Sample| model.find(sample.triangle).is_some_and(marked);
    buffer.samples.iter().map(of).collect()
}

/// The marked samples and those at most [`WIDER`] rows and columns from one. Triangles of less than
/// a sample would hardly be seen otherwise.
fn widened(marked: &[bool], width: usize) -> Vec<bool> {
    let mut rows = vec![false; marked.len()];
    for (row, wider) in marked.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
        for x in (0..width).filter(|&x| row[x]) {
            wider[x.saturating_sub(WIDER)..(x + WIDER + 1).min(width)].fill(true);
        }
    }
    let mut both = rows.clone();
    for (y, row) in rows.chunks_exact(width).enumerate() {
        let last = (y + WIDER + 1).min(rows.len() / width);
        for x in (0..width).filter(|&x| row[x]) {
            (y.saturating_sub(WIDER)..last).for_each(|y| both[y * width + x] = true);
        }
    }
    both
}

/// The colour of a sample in linear light; `None` where no triangle is.
fn shade(model: &Model, camera: &Camera, sample: &Sample, marked: bool) -> Option<[f64; 3]> {
    let (body, index) = model.find(sample.triangle)?;
    let mix = |v: [Vector; 3]| {
        let w = sample.weights.map(f64::from);
        v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
    };
    let place = Point::from(mix(body.corners(index).map(|p| p.coords)));
    let eye = camera.towards(&place);
    let mut normal = mix(body.normals(index)).try_normalize(0.0).unwrap_or(eye);
    if normal.dot(&eye) < 0.0 {
        normal = -normal; // open meshes show their back faces
    }
    let [right, up, back] = *camera.axes();
    let key = (right * -0.45 + up * 0.65 + back * 0.6).normalize();
    let fill = (right * 0.8 + back * 0.4).normalize();
    let lit = 0.26 + 0.68 * normal.dot(&key).max(0.0) + 0.18 * normal.dot(&fill).max(0.0);
    let shine = normal.dot(&(key + eye).normalize()).max(0.0).powi(40) * 0.18;
    let rim = (1.0 - normal.dot(&eye).clamp(0.0, 1.0)).powi(4) * 0.12;
    let base = if marked { RED } else { COLORS[body.color % COLORS.len()] };
    let line = line_strength(sample);
    Some(base.map(|c| {
        let light = if marked { 0.45 + 0.6 * lit } else { lit };
        ((c * c * light + shine - rim * c) * (1.0 - 0.4 * line)).max(0.0)
    }))
}

/// Darkness of the line along a triangle's edge, from 0 to 1. It is 0 for triangles of a few
/// samples, which would be all lines.
fn line_strength(sample: &Sample) -> f64 {
    let large_enough = (f64::from(sample.height) / 12.0 - 0.5).clamp(0.0, 1.0);
    (1.4 - f64::from(sample.edge)).clamp(0.0, 1.0) * large_enough
}

/// Converts linear light to a byte with gamma 2.
fn to_byte(linear: f64) -> u8 {
    (linear.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8
}
