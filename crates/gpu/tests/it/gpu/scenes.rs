//! Hulls and pairs for the differential tests.

use impinge_models::Random;
use impinge_shaders::image::strip::{self, Code, Run};
use impinge_shaders::image::{Hulls, PairDraw, Placed};

/// A hull as vertices and triangles.
pub(crate) struct Hull {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) entries: Vec<u32>,
    pub(crate) code: Code,
}

impl Hull {
    pub(crate) fn borrowed(&self) -> Hulls<'_> {
        Hulls::new(&self.vertices, &self.entries).expect("made to fit")
    }

    /// Corners at distance 1 along the axes.
    pub(crate) fn octahedron() -> Self {
        let vertices = (0..6).map(|v| [0, 1, 2].map(|axis| along(v, axis))).collect();
        let faces: Vec<[u32; 3]> = (0..8_u32)
            .map(|signs| {
                let [x, y, z] = [0, 1, 2].map(|axis| 2 * axis + (signs >> axis & 1));
                // An odd number of sign changes reverses the winding.
                if signs.count_ones() % 2 == 1 { [x, z, y] } else { [x, y, z] }
            })
            .collect();
        Self { vertices, entries: faces.as_flattened().to_vec(), code: Code::List }
    }

    /// The cube from -1 to 1, each face a strip of four.
    pub(crate) fn cube() -> Self {
        let corner = |v: u32| [0, 1, 2].map(|axis| if v >> axis & 1 == 1 { 1.0 } else { -1.0 });
        let faces: [[u32; 4]; 6] =
            [[0, 2, 1, 3], [4, 5, 6, 7], [0, 1, 4, 5], [2, 6, 3, 7], [0, 4, 2, 6], [1, 3, 5, 7]];
        let strips = faces.iter().map(<[u32; 4]>::as_slice);
        let entries = strip::encode(strips).expect("strips");
        Self { vertices: (0..8).map(corner).collect(), entries, code: Code::Strips }
    }

    /// A unit ball of `rings` bands, each a strip, counter-clockwise from outside.
    pub(crate) fn ball(rings: u32, around: u32) -> Self {
        let mut vertices = Vec::new();
        for ring in 0..=rings {
            let polar = std::f64::consts::PI * f64::from(ring) / f64::from(rings);
            for step in 0..around {
                let turn = std::f64::consts::TAU * f64::from(step) / f64::from(around);
                let r = polar.sin();
                vertices.push([r * turn.cos(), r * turn.sin(), polar.cos()].map(|v| v as f32));
            }
        }
        let band = |ring: u32| -> Vec<u32> {
            let pair = |step: u32| [ring, ring + 1].map(|r| r * around + step % around);
            (0..=around).flat_map(pair).collect()
        };
        let bands: Vec<Vec<u32>> = (0..rings).map(band).collect();
        let entries = strip::encode(bands.iter().map(Vec::as_slice)).expect("strips");
        Self { vertices, entries, code: Code::Strips }
    }

    /// The same triangles as a list.
    pub(crate) fn listed(&self) -> Self {
        let entries = strip::triangles(&self.entries, self.code).flatten().collect();
        Self { vertices: self.vertices.clone(), entries, code: Code::List }
    }

    pub(crate) fn run(&self) -> Run {
        Run::new(self.code, 0, &self.entries)
    }
}

fn along(vertex: u32, axis: u32) -> f32 {
    match vertex {
        v if v == 2 * axis => 1.0,
        v if v == 2 * axis + 1 => -1.0,
        _ => 0.0,
    }
}

/// Pairs of a hull whose corners lie on the 1/16-pixel grid of viewports of `side` pixels. Depths
/// and slopes are exact in 32 bits: half-widths and depth slopes are powers of two.
pub(crate) fn lattice(hull: &Hull, side: u32, count: usize, random: &mut Random) -> Vec<PairDraw> {
    let mut placed = || {
        let pixels = f64::from(side) / 2.0;
        let mut rows = [[0.0; 4]; 3];
        for axis in 0..2 {
            let half = [4.0, 8.0][random.below(2) as usize];
            let at = random.range(-4.0, 4.0);
            rows[axis][axis] = half / pixels;
            rows[axis][3] = (at * 16.0).round() / 16.0 / pixels;
        }
        // The viewing direction is the hull's −z, so outside faces are front faces.
        rows[2][2] = -[0.0625, 0.125][random.below(2) as usize];
        rows[2][3] = 0.5 + (random.range(-16.0, 16.0)).round() / 128.0;
        let rows = rows.map(|row| row.map(|value| value as f32));
        Placed::new(rows, hull.run())
    };
    (0..count).map(|_| PairDraw { first: placed(), second: placed() }).collect()
}

/// Pairs of randomly placed ellipsoids.
pub(crate) fn turned(hull: &Hull, count: usize, random: &mut Random) -> Vec<PairDraw> {
    let mut placed = || {
        let pose = random.pose(0.3);
        let size = [0, 1, 2].map(|_| random.range(0.1, 0.6));
        let mut rows = [[0.0; 4]; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            let (scale, middle) = if i == 2 { (-0.4, 0.5) } else { (1.0, 0.0) };
            for k in 0..3 {
                row[k] = (scale * pose.rotation()[(i, k)] * size[k]) as f32;
            }
            row[3] = (middle + scale * pose.translation()[i]) as f32;
        }
        Placed::new(rows, hull.run())
    };
    (0..count).map(|_| PairDraw { first: placed(), second: placed() }).collect()
}
