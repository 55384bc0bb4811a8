//! The box of a lane: its frame from the moments of the surface, or the axes of the model if that
//! box is smaller.

use impinge_geometry::Mesh;
use nalgebra::{Matrix3, SymmetricEigen};

use crate::node::Lane;
use crate::units::Units;

/// Area-weighted sums over triangles (xie eq. 6): area, centroid, and second moments about an
/// origin.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    area: f64,
    first: [f64; 3],
    /// xx, yy, zz, xy, yz, zx.
    second: [f64; 6],
}

impl Moments {
    fn add(&mut self, t: &[[f64; 3]; 3]) {
        let e: [f64; 3] = std::array::from_fn(|k| t[1][k] - t[0][k]);
        let f: [f64; 3] = std::array::from_fn(|k| t[2][k] - t[0][k]);
        let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        let area = 0.5 * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let m: [f64; 3] = std::array::from_fn(|k| (t[0][k] + t[1][k] + t[2][k]) / 3.0);
        self.area += area;
        for k in 0..3 {
            self.first[k] += area * m[k];
        }
        for (s, (j, k)) in self.second.iter_mut().zip(PAIRS) {
            let corners: f64 = t.iter().map(|x| x[j] * x[k]).sum();
            *s += area / 12.0 * (9.0 * m[j] * m[k] + corners);
        }
    }

    fn covariance(&self) -> Option<Matrix3<f64>> {
        let valid = self.area > 0.0 && self.area.is_finite();
        let c = |i: usize| {
            let (j, k) = PAIRS[i];
            self.second[i] / self.area - self.first[j] / self.area * (self.first[k] / self.area)
        };
        let m = Matrix3::new(c(0), c(3), c(5), c(3), c(1), c(4), c(5), c(4), c(2));
        let scale = m.amax();
        (valid && scale > 0.0 && scale.is_finite()).then(|| m / scale)
    }
}

const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// The corners of some triangles in the model's frame.
pub(super) struct Corners {
    points: Vec<[f64; 3]>,
}

impl Corners {
    pub(super) fn new(mesh: &Mesh, units: &Units, ids: impl Iterator<Item = u32>) -> Self {
        let scale = units.scale();
        let enter = |v: &u32| units.enter(scale, &mesh.vertices()[*v as usize]);
        let points =
            ids.flat_map(|id| mesh.triangles()[id as usize].each_ref().map(enter)).collect();
        Self { points }
    }

    fn triangles(&self) -> impl Iterator<Item = &[[f64; 3]; 3]> {
        self.points.as_chunks::<3>().0.iter()
    }

    /// Lowest and highest coordinates.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.extents(&[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], &[0.0; 3])
    }

    fn extents(&self, axes: &[[f64; 3]; 3], origin: &[f64; 3]) -> [[f64; 3]; 2] {
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for p in &self.points {
            let d: [f64; 3] = std::array::from_fn(|k| p[k] - origin[k]);
            for j in 0..3 {
                let a = &axes[j];
                let x = a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
                low[j] = if x < low[j] { x } else { low[j] };
                high[j] = if x > high[j] { x } else { high[j] };
            }
        }
        [low, high]
    }

    /// A box around all, relative to `origin`: the best of the frames tried.
    pub(super) fn fit(&self, origin: &[f32; 3]) -> Lane {
        let identity = [[1.0f32, 0., 0.], [0., 1., 0.], [0., 0., 1.]];
        let mut best = self.wrap(&identity, origin);
        let mut frames = Vec::new();
        frames.extend(self.principal());
        if self.points.len() <= 24 {
            frames.extend(self.triangles().filter_map(plane_frame));
        }
        for frame in frames {
            let Some(frame) = rounded(&frame) else { continue };
            let lane = self.wrap(&frame, origin);
            if surface(&lane) < surface(&best) {
                best = lane;
            }
        }
        best
    }

    /// Principal axes of the surface.
    fn principal(&self) -> Option<[[f64; 3]; 3]> {
        let mut moments = Moments::default();
        let o = self.points[0];
        for t in self.triangles() {
            moments.add(&t.map(|p| [p[0] - o[0], p[1] - o[1], p[2] - o[2]]));
        }
        let eigen = SymmetricEigen::try_new(moments.covariance()?, 1e-12, 100)?;
        let column = |i: usize| {
            let c = eigen.eigenvectors.column(i);
            [c[0], c[1], c[2]]
        };
        Some([column(0), column(1), column(2)])
    }

    /// The least box with these axes. Rounded outward: the projections below, in 64 bits, are off by
    /// less than 2⁻⁵⁰ of the largest, and the half-lengths get 2⁻²² of themselves and 2⁻⁴⁶ of the
    /// largest, which also covers their own rounding to 32 bits.
    fn wrap(&self, axes: &[[f32; 3]; 3], origin: &[f32; 3]) -> Lane {
        let wide = axes.map(|a| a.map(f64::from));
        let o = origin.map(f64::from);
        let [low, high] = self.extents(&wide, &o);
        let middle: [f64; 3] = std::array::from_fn(|j| 0.5 * (low[j] + high[j]));
        let center: [f32; 3] = std::array::from_fn(|k| {
            (wide[0][k] * middle[0] + wide[1][k] * middle[1] + wide[2][k] * middle[2]) as f32
        });
        let c = center.map(f64::from);
        let largest = low.iter().chain(&high).fold(0.0f64, |most, x| most.max(x.abs()));
        let half = std::array::from_fn(|j| {
            let a = &wide[j];
            let at = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
            let most = (high[j] - at).max(at - low[j]);
            up(most * (1.0 + 1.0 / (1 << 22) as f64) + largest / (1u64 << 46) as f64)
        });
        Lane { center, half, axes: *axes }
    }
}

/// Not less than `x`, which is at most a few units and not negative.
fn up(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

/// Half the surface of a box, over four.
fn surface(lane: &Lane) -> f32 {
    let h = &lane.half;
    h[0] * h[1] + h[1] * h[2] + h[2] * h[0]
}

/// A triangle's plane with its longest edge; none for a triangle without area.
fn plane_frame(t: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let edge = |k: usize| -> nalgebra::Vector3<f64> {
        std::array::from_fn::<f64, 3, _>(|c| t[(k + 1) % 3][c] - t[k][c]).into()
    };
    let mut longest = edge(0);
    for e in [edge(1), edge(2)] {
        if e.norm_squared() > longest.norm_squared() {
            longest = e;
        }
    }
    let x = longest.try_normalize(0.0)?;
    let z = edge(0).cross(&edge(1)).try_normalize(1e-200)?;
    let y = z.cross(&x);
    let z = x.cross(&y);
    Some([x, y, z].map(|v| [v.x, v.y, v.z]))
}

/// The frame in 32 bits, if it is orthonormal to [`crate::node::OFF`] there.
fn rounded(frame: &[[f64; 3]; 3]) -> Option<[[f32; 3]; 3]> {
    let axes = frame.map(|a| a.map(|x| x as f32));
    let wide = axes.map(|a| a.map(f64::from));
    for i in 0..3 {
        for j in 0..=i {
            let dot: f64 = (0..3).map(|k| wide[i][k] * wide[j][k]).sum();
            let off = (dot - f64::from(u8::from(i == j))).abs();
            if !(off <= crate::node::OFF) {
                return None;
            }
        }
    }
    Some(axes)
}
