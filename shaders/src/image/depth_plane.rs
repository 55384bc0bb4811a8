//! The depth of a triangle at pixel centres.

/// The plane through three screen points, evaluated in 64 bits and rounded once to the 32 bits of
/// the depth image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthPlane {
    origin: [f64; 3],
    slope: [f64; 2],
    /// The least and largest corner depth, which bound the depth of every pixel of the triangle.
    range: [f64; 2],
}

impl DepthPlane {
    /// The plane; `None` if the points are collinear on the screen.
    pub(crate) fn new(corners: [[f32; 3]; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let (u, v) =
            ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        let area = u[0] * v[1] - v[0] * u[1];
        let slope = [(u[2] * v[1] - v[2] * u[1]) / area, (v[2] * u[0] - u[2] * v[0]) / area];
        let range = [a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2])];
        slope.iter().all(|s| s.is_finite()).then_some(Self { origin: a, slope, range })
    }

    /// The most that depth changes over one pixel along both axes together.
    pub(crate) fn steepness(&self) -> f32 {
        (self.slope[0].abs() + self.slope[1].abs()) as f32
    }

    /// The depth at the centre of pixel (x, y). A centre may be outside the triangle by the
    /// rounding of its corners; the depth is clamped to that of the corners.
    pub(crate) fn at(&self, x: u32, y: u32) -> f32 {
        let (dx, dy) = (f64::from(x) + 0.5 - self.origin[0], f64::from(y) + 0.5 - self.origin[1]);
        let depth = self.origin[2] + (self.slope[0] * dx + self.slope[1] * dy);
        depth.clamp(self.range[0], self.range[1]) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_goes_through_its_corners() {
        let plane = DepthPlane::new([[0.5, 0.5, 0.25], [4.5, 0.5, 0.75], [0.5, 8.5, 0.5]]);
        let plane = plane.expect("they are not in line");
        assert_eq!([plane.at(0, 0), plane.at(4, 0), plane.at(0, 8)], [0.25, 0.75, 0.5]);
        assert_eq!(plane.at(2, 4), 0.625);
        assert_eq!(plane.at(400, 0), 0.75);
        assert_eq!(plane.steepness(), 0.125 + 0.03125);
        assert!(DepthPlane::new([[0.0, 0.0, 0.1], [1.0, 1.0, 0.2], [2.0, 2.0, 0.4]]).is_none());
    }
}
