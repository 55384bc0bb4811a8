//! Layered depth images (sbv §3): all triangles over the middle of each pixel, in a buffer with
//! room for some layers in each pixel. Corners are whole numbers, and the test of a pixel's middle is
//! exact, so that a closed surface has no gap; depths are 32-bit floating point.
//!
//! The kernel is `wgsl/image/layers.wgsl`; its twin is [`draw`].

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};
use crate::shader::{Entry, Shader, Stage};

/// `wgsl/image/layers.wgsl`. Bindings of group 0: a [`LayersJob`] (uniform), the triangles (read-only
/// storage), the count of layers of each pixel (storage), and the layers (storage).
pub const LAYERS: Shader = Shader {
    name: "image/layers",
    entries: &[Entry { name: DRAW_LAYERS, stage: Stage::Compute { group: [GROUP, 1, 1] } }],
};

/// The entry point: workgroups along x for the triangles, along y for the bands of rows.
pub const DRAW_LAYERS: &str = "draw_layers";

/// Invocations of a workgroup.
pub const GROUP: u32 = 64;

/// Parts of a pixel, of which coordinates are multiples.
pub const PARTS: i32 = 256;

/// Largest coordinate, in parts of a pixel: differences of two fit in 31 bits.
pub const FARTHEST: i32 = 1 << 29;

/// A window of an image, and how it is drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct LayersJob {
    /// The first column.
    pub column: u32,
    /// The first row.
    pub row: u32,
    /// How many columns there are.
    pub columns: u32,
    /// How many rows there are.
    pub rows: u32,
    /// Rows that an invocation draws, at least 1.
    pub band: u32,
    /// Layers that a pixel has room for.
    pub room: u32,
    /// How many triangles there are.
    pub triangles: u32,
}

/// A triangle: corners with x and y in parts of a pixel, the bits of the depth, and 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct LayersTriangle {
    /// The first corner.
    pub a: [i32; 4],
    /// The second corner.
    pub b: [i32; 4],
    /// The third corner.
    pub c: [i32; 4],
}

impl LayersJob {
    pub(crate) const LAYOUT: Layout = layout!(LayersJob {
        column: u32,
        row: u32,
        columns: u32,
        rows: u32,
        band: u32,
        room: u32,
        triangles: u32,
    });

    /// Workgroups along x, y, z.
    #[must_use]
    pub const fn groups(&self) -> [u32; 3] {
        [self.triangles.div_ceil(GROUP), self.rows.div_ceil(self.band), 1]
    }
}

impl LayersTriangle {
    pub(crate) const LAYOUT: Layout =
        layout!(LayersTriangle { a: [i32; 4], b: [i32; 4], c: [i32; 4] });

    /// A triangle of corners in pixels, rounded to parts; `None` if one is beyond [`FARTHEST`].
    #[must_use]
    pub fn new(corners: [[f64; 3]; 3]) -> Option<Self> {
        let whole = |x: f64| {
            let parts = (x * f64::from(PARTS)).round();
            (parts.abs() <= f64::from(FARTHEST)).then_some(parts as i32)
        };
        let corner =
            |[x, y, z]: [f64; 3]| Some([whole(x)?, whole(y)?, (z as f32).to_bits() as i32, 0]);
        let [a, b, c] = corners;
        Some(Self { a: corner(a)?, b: corner(b)?, c: corner(c)? })
    }
}

/// A layer of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// The depth.
    pub depth: f32,
    /// The triangle.
    pub triangle: u32,
    /// How the winding number changes behind it: 1 or −1.
    pub turn: i32,
}

impl Layer {
    /// What the kernel wrote.
    #[must_use]
    pub const fn from_words([depth, from]: [u32; 2]) -> Self {
        let turn = if from & 1 == 0 { 1 } else { -1 };
        Self { depth: f32::from_bits(depth), triangle: from >> 1, turn }
    }
}

/// What an edge adds to the winding number about a point.
fn turn_of(p: [i32; 4], q: [i32; 4], [x, y]: [i32; 2]) -> i32 {
    let (up, down) = (p[1] <= y && y < q[1], q[1] <= y && y < p[1]);
    let side = || {
        let product = |a: i32, b: i32| i64::from(a) * i64::from(b);
        let (u, v) = ([p[0] - x, p[1] - y], [q[0] - x, q[1] - y]);
        (product(u[0], v[1]) - product(u[1], v[0])).signum() as i32
    };
    match (up, down) {
        (true, _) => side().max(0),
        (_, true) => side().min(0),
        _ => 0,
    }
}

/// The depth of the triangle at a point of its projection.
fn depth_at(t: &LayersTriangle, at: [i32; 2]) -> f32 {
    let from = |p: [i32; 2]| [0, 1].map(|k| (p[k] - t.a[k]) as f32);
    let ([bx, by], [cx, cy]) = (from([t.b[0], t.b[1]]), from([t.c[0], t.c[1]]));
    let [px, py] = from(at);
    let z = [t.a, t.b, t.c].map(|corner| f32::from_bits(corner[2] as u32));
    let area = bx * cy - by * cx;
    if area == 0.0 {
        return z[0];
    }
    let (s, t) = ((px * cy - py * cx) / area, (bx * py - by * px) / area);
    let depth = z[0] + s * (z[1] - z[0]) + t * (z[2] - z[0]);
    depth.max(z[0].min(z[1]).min(z[2])).min(z[0].max(z[1]).max(z[2]))
}

/// The kernel's twin: the layers of each pixel of the window, row by row, without a limit of room.
#[must_use]
pub fn draw(job: &LayersJob, triangles: &[LayersTriangle]) -> Vec<Vec<Layer>> {
    let mut pixels = vec![Vec::new(); job.columns as usize * job.rows as usize];
    for (triangle, t) in (0..).zip(triangles) {
        for (pixel, layers) in (0..).zip(&mut pixels) {
            let place = [job.column + pixel % job.columns, job.row + pixel / job.columns];
            let at = place.map(|place| place as i32 * PARTS + PARTS / 2);
            let turn = turn_of(t.a, t.b, at) + turn_of(t.b, t.c, at) + turn_of(t.c, t.a, at);
            if turn != 0 {
                layers.push(Layer { depth: depth_at(t, at), triangle, turn });
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 3]; 3]) -> LayersTriangle {
        LayersTriangle::new(corners).expect("near")
    }

    #[test]
    fn two_triangles_with_a_common_edge_have_no_gap_and_no_double_pixel() {
        // The edge goes through middles of pixels.
        let (a, b) = ([0.0, 0.0, 1.0], [8.0, 8.0, 9.0]);
        let two = [triangle([a, [8.0, 0.0, 1.0], b]), triangle([a, b, [0.0, 8.0, 9.0]])];
        let job = LayersJob {
            columns: 8,
            rows: 8,
            band: 8,
            room: 2,
            triangles: 2,
            ..LayersJob::default()
        };
        for layers in draw(&job, &two) {
            assert_eq!(layers.len(), 1, "{layers:?}");
            assert_eq!(layers[0].turn, 1);
        }
        let flipped = two.map(|t| LayersTriangle { b: t.c, c: t.b, ..t });
        assert!(draw(&job, &flipped).iter().all(|layers| layers[0].turn == -1));
        let part = LayersJob { column: 2, row: 3, columns: 2, rows: 1, ..job };
        let layers: Vec<u32> = draw(&part, &two).iter().map(|layers| layers[0].triangle).collect();
        assert_eq!(layers, [1, 0]);
        assert_eq!(draw(&part, &two)[0][0].depth, 4.5);
    }

    #[test]
    fn what_is_too_far_is_refused_and_words_come_back() {
        let far = f64::from(FARTHEST / PARTS);
        assert!(LayersTriangle::new([[far, -far, 1e30]; 3]).is_some());
        for x in [far + 1.0, f64::INFINITY, f64::NAN] {
            assert!(LayersTriangle::new([[0.0, x, 0.0]; 3]).is_none(), "{x}");
        }
        let layer = Layer { depth: 1.5, triangle: 77, turn: -1 };
        assert_eq!(Layer::from_words([1.5_f32.to_bits(), 155]), layer);
    }

    #[test]
    fn workgroups_cover_all_triangles_and_rows() {
        let job = LayersJob { rows: 33, band: 16, triangles: 65, ..LayersJob::default() };
        assert_eq!(job.groups(), [2, 3, 1]);
    }
}
