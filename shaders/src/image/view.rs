//! Parallel views, and the map from a hull's frame to clip space (fan section 2.4.3).

/// The largest deviation of the given axes from orthonormal; unit: 1.
const ORTHONORMAL: f64 = 1e-6;

/// A parallel projection along `forward` on a rectangle. Lengths in the user's unit, in one frame.
///
/// ```
/// use impinge_shaders::image::View;
/// let view = View {
///     centre: [0.0; 3],
///     right: [1.0, 0.0, 0.0],
///     forward: [0.0, 0.0, 1.0],
///     half_width: 2.0,
///     half_height: 2.0,
///     near: -4.0,
///     far: 4.0,
/// };
/// let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
/// let rows = view.rows(&identity)?;
/// assert_eq!(rows, [[0.5, 0.0, 0.0, 0.0], [0.0, -0.5, 0.0, 0.0], [0.0, 0.0, 0.125, 0.5]]);
/// # Ok::<(), impinge_shaders::image::ViewError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The centre of the rectangle.
    pub centre: [f64; 3],
    /// Unit vector to the right. Up is `right × forward`.
    pub right: [f64; 3],
    /// Unit vector away from the viewer, perpendicular to `right`.
    pub forward: [f64; 3],
    /// Half the width of the rectangle.
    pub half_width: f64,
    /// Half the height of the rectangle.
    pub half_height: f64,
    /// The position of depth 0 along `forward`, relative to the centre.
    pub near: f64,
    /// The position of depth 1; must exceed `near`.
    pub far: f64,
}

/// Why a view has no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The axes are not perpendicular unit vectors.
    #[error("right and forward must be unit vectors at a right angle")]
    Axes,
    /// The rectangle or the range of depth is empty or not finite.
    #[error("half width, half height and far - near must be positive and finite")]
    Empty,
    /// A coefficient is not finite in 32 bits.
    #[error("the map to clip space does not fit 32 bits: scale the hull to the size of the view")]
    Range,
}

impl View {
    /// The rows of the map from a hull's frame to clip space. `to_world` are the rows of the affine
    /// map from that frame to the view's frame: three factors, then the offset. Computed in 64
    /// bits, each coefficient rounded once to 32. A mirroring map turns front faces to back faces.
    ///
    /// # Errors
    /// [`ViewError`].
    pub fn rows(&self, to_world: &[[f64; 4]; 3]) -> Result<[[f32; 4]; 3], ViewError> {
        let (right, forward) = (self.right, self.forward);
        let off = |value: f64, wanted: f64| !((value - wanted).abs() <= ORTHONORMAL);
        if off(dot(right, right), 1.0)
            || off(dot(forward, forward), 1.0)
            || off(dot(right, forward), 0.0)
        {
            return Err(ViewError::Axes);
        }
        let deep = self.far - self.near;
        if ![self.half_width, self.half_height, deep].iter().all(|&s| s > 0.0 && s.is_finite()) {
            return Err(ViewError::Empty);
        }
        let up = cross(right, forward);
        let row = |axis: [f64; 3], origin: f64, size: f64| -> [f32; 4] {
            let factor = |k: usize| dot(axis, [to_world[0][k], to_world[1][k], to_world[2][k]]);
            let from_centre = [0, 1, 2].map(|i| to_world[i][3] - self.centre[i]);
            let added = dot(axis, from_centre) - origin;
            [factor(0), factor(1), factor(2), added].map(|value| (value / size) as f32)
        };
        let rows = [
            row(right, 0.0, self.half_width),
            row(up, 0.0, self.half_height),
            row(forward, self.near, deep),
        ];
        let finite = rows.iter().flatten().all(|value| value.is_finite());
        if finite { Ok(rows) } else { Err(ViewError::Range) }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: [[f64; 4]; 3] =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

    fn view(size: f64) -> View {
        let (right, forward) = ([0.0, 1.0, 0.0], [0.6, 0.0, 0.8]);
        let centre = [size, 2.0 * size, -size];
        let (half_width, half_height) = (size, 2.0 * size);
        View { centre, right, forward, half_width, half_height, near: -size, far: 3.0 * size }
    }

    #[test]
    fn the_map_has_a_negative_determinant_so_that_outside_is_front() {
        let rows = view(1.0).rows(&IDENTITY).expect("a fine view");
        let [a, b, c] = rows.map(|r| [r[0], r[1], r[2]].map(f64::from));
        assert!(dot(cross(a, b), c) < 0.0);
    }

    #[test]
    fn scale_does_not_matter_where_the_hull_is_scaled_too() {
        let unit = view(1.0).rows(&IDENTITY).expect("a fine view");
        for size in [1e300, 1e-150, 2.0_f64.powi(40)] {
            let map = IDENTITY.map(|row| row.map(|value| value * size));
            let rows = view(size).rows(&map).expect("a fine view");
            for (a, b) in rows.iter().flatten().zip(unit.iter().flatten()) {
                assert!((a - b).abs() <= 1e-6, "{size:e}: {a} {b}");
            }
        }
        assert_eq!(view(1e-150).rows(&IDENTITY), Err(ViewError::Range));
    }

    #[test]
    fn bad_views_are_refused() {
        let good = view(1.0);
        let refused = |view: View| view.rows(&IDENTITY).expect_err("a bad view");
        assert_eq!(refused(View { right: [0.0, 2.0, 0.0], ..good }), ViewError::Axes);
        assert_eq!(refused(View { right: [1.0, 0.0, 0.0], ..good }), ViewError::Axes);
        assert_eq!(refused(View { forward: [f64::NAN; 3], ..good }), ViewError::Axes);
        assert_eq!(refused(View { far: good.near, ..good }), ViewError::Empty);
        assert_eq!(refused(View { half_width: f64::INFINITY, ..good }), ViewError::Empty);
        assert_eq!(refused(View { half_height: -1.0, ..good }), ViewError::Empty);
    }
}
