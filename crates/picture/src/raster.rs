//! Rasterises triangles: a depth buffer that keeps, per sample, the front triangle and the position
//! in it.

use impinge_geometry::Point;

use crate::camera::Camera;
use crate::model::Model;

/// A projected corner in samples; `y` grows downwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    /// Distance from the left edge.
    pub(crate) x: f64,
    /// Distance from the upper edge.
    pub(crate) y: f64,
    /// 1 / (distance in front of the eye); linear over the picture.
    pub(crate) inverse_depth: f64,
}

/// The front triangle at one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Index of the triangle; `u32::MAX` if there is none.
    pub(crate) triangle: u32,
    /// Barycentric weights of its corners on the picture.
    pub(crate) weights: [f32; 3],
    /// Distance to the nearest edge of the triangle, in samples.
    pub(crate) edge: f32,
    /// The triangle's least height, in samples.
    pub(crate) height: f32,
}

/// A sample without a triangle.
pub(crate) const NOTHING: Sample =
    Sample { triangle: u32::MAX, weights: [0.0; 3], edge: f32::INFINITY, height: 0.0 };

/// The sample buffer and the depth buffer.
#[derive(Debug)]
pub(crate) struct Buffer {
    width: usize,
    height: usize,
    /// Row by row.
    pub(crate) samples: Vec<Sample>,
    inverse_depth: Vec<f64>,
}

impl Buffer {
    /// Rasterises all triangles of `model`.
    pub(crate) fn of(model: &Model, camera: &Camera, width: usize, height: usize) -> Self {
        let mut buffer = Self {
            width,
            height,
            samples: vec![NOTHING; width * height],
            inverse_depth: vec![0.0; width * height],
        };
        for body in &model.bodies {
            let project = |p: &Point| camera.project(p, width, height);
            let projected: Vec<Option<Vertex>> = body.vertices.iter().map(project).collect();
            for (index, triangle) in body.triangles.iter().enumerate() {
                if let [Some(a), Some(b), Some(c)] = triangle.map(|v| projected[v as usize]) {
                    let number = body.first + index as u32;
                    if !buffer.draw(number, [a, b, c]) && body.marked[index] {
                        buffer.dot(number, [a, b, c]);
                    }
                }
            }
        }
        buffer
    }

    /// Draws a triangle; returns whether it covers a sample, visible or not.
    fn draw(&mut self, triangle: u32, [a, b, c]: [Vertex; 3]) -> bool {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || !area.is_finite() {
            return false;
        }
        let mut covers = false;
        let range = |values: [f64; 3], limit: usize| {
            let lo = values.into_iter().fold(f64::INFINITY, f64::min).floor().max(0.0);
            let hi = values.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil();
            (lo as usize)..(hi.clamp(0.0, limit as f64) as usize)
        };
        let length = |p: Vertex, q: Vertex| (q.x - p.x).hypot(q.y - p.y).max(1e-9);
        let heights = [length(b, c), length(c, a), length(a, b)].map(|side| area.abs() / side);
        let height = heights.into_iter().fold(f64::INFINITY, f64::min) as f32;
        for row in range([a.y, b.y, c.y], self.height) {
            let y = row as f64 + 0.5;
            for column in range([a.x, b.x, c.x], self.width) {
                let x = column as f64 + 0.5;
                let wa = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
                let wb = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
                let wc = 1.0 - wa - wb;
                if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                    continue;
                }
                covers = true;
                let depth = wa * a.inverse_depth + wb * b.inverse_depth + wc * c.inverse_depth;
                let at = row * self.width + column;
                if depth > self.inverse_depth[at] {
                    self.inverse_depth[at] = depth;
                    let edge = (wa * heights[0]).min(wb * heights[1]).min(wc * heights[2]);
                    let (weights, edge) = ([wa as f32, wb as f32, wc as f32], edge as f32);
                    self.samples[at] = Sample { triangle, weights, edge, height };
                }
            }
        }
        covers
    }

    /// Draws a triangle that falls between the samples at the sample nearest to its middle.
    fn dot(&mut self, triangle: u32, corners: [Vertex; 3]) {
        let mean = |of: fn(&Vertex) -> f64| corners.iter().map(of).sum::<f64>() / 3.0;
        let (x, y) = (mean(|v| v.x).floor(), mean(|v| v.y).floor());
        if x < 0.0 || y < 0.0 || x >= self.width as f64 || y >= self.height as f64 {
            return;
        }
        // Its neighbours are as near at this sample, but for less than this.
        let depth = mean(|v| v.inverse_depth) * (1.0 + 1e-4);
        let at = y as usize * self.width + x as usize;
        if depth > self.inverse_depth[at] {
            self.inverse_depth[at] = depth;
            let (weights, edge) = ([1.0 / 3.0; 3], f32::INFINITY);
            self.samples[at] = Sample { triangle, weights, edge, height: 0.0 };
        }
    }
}

/// Counts of covered pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Pixels that show any triangle.
    pub(crate) solid: usize,
    /// Pixels that show a marked triangle.
    pub(crate) marked: usize,
}

/// Counts visible pixels on a picture of `width × height` without shading it.
pub(crate) fn visible_pixels(model: &Model, camera: &Camera, width: usize, height: usize) -> Seen {
    let buffer = Buffer::of(model, camera, width, height);
    let mut seen = Seen::default();
    for sample in buffer.samples.iter().filter(|sample| sample.triangle != u32::MAX) {
        seen.solid += 1;
        let marked = model.find(sample.triangle).is_some_and(|(body, index)| body.marked[index]);
        seen.marked += usize::from(marked);
    }
    seen
}
