//! The frame of an image: a view along an axis, with pixels of side 1.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle};

/// A corner in the frame of an image: column, row and depth, all in pixels.
pub(crate) type Corner = [f64; 3];

/// Share of the largest coordinate by which a drawn triangle may be off.
///
/// With `u = 2⁻⁵³`: placing a corner rounds twice, 2 u; each of four cuts of the triangle by the side
/// of a pixel moves the corners it makes by at most 16 u, since their parameter along an edge is off
/// by less than 4 u, and the edge is at most twice as long as the largest coordinate. In all 66 u;
/// this is 128 u. The proof is in `docs/methods/ldi.md`.
const SHARE: f64 = f64::EPSILON * 64.0;

/// Largest coordinate of a placed corner; [`SHARE`] of it is a 64th of a pixel.
const REACH: f64 = (1u64 << 40) as f64;

/// A part of an image: its first and last column, its first and last row.
pub(crate) type Window = [[u32; 2]; 2];

/// A view of a box along one of its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The axes of columns, of rows and of depth.
    pub(crate) axes: [usize; 3],
    origin: Point,
    /// Pixels per unit.
    pub(crate) scale: f64,
    /// Columns and rows.
    pub(crate) size: [u32; 2],
}

/// A triangle in the frame of an image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) corners: [Corner; 3],
    /// Bound on the error of all that is drawn of it, in pixels.
    pub(crate) margin: f64,
}

impl Frame {
    /// A view along axis `depth` with at most `most` pixels a side. No corner is farther than
    /// `reach` from the least corner of the box, in any coordinate.
    pub(crate) fn new(region: &Aabb, depth: usize, most: u32, reach: f64) -> Self {
        let axes = [(depth + 1) % 3, (depth + 2) % 3, depth];
        let extent = |k: usize| region.max[axes[k]] - region.min[axes[k]];
        let fitting = f64::from(most) * (1.0 - 8.0 * f64::EPSILON) / extent(0).max(extent(1));
        // An extent of 0 fits any scale, and gives infinity or NaN, which `min` ignores.
        let scale = fitting.min(REACH / reach).min(f64::MAX);
        let size = [0, 1].map(|k| ((extent(k) * scale) as u32 + 1).min(most));
        Self { axes, origin: region.min, scale, size }
    }

    /// The triangle in pixels.
    pub(crate) fn place(&self, triangle: &Triangle) -> Placed {
        let place = |p: &Point, axis: usize| (p[axis] - self.origin[axis]) * self.scale;
        let corners = triangle.map(|p| self.axes.map(|axis| place(&p, axis)));
        let largest = corners.iter().flatten().fold(1.0_f64, |most, x| most.max(x.abs()));
        Placed { corners, margin: largest * SHARE }
    }

    /// Columns and rows of a box, first and last; `None` if it is certainly outside the image.
    pub(crate) fn pixels(&self, low: &Point, high: &Point) -> Option<Window> {
        let margin = |x: f64| x.abs().max(1.0) * SHARE;
        let span = |k: usize| {
            let axis = self.axes[k];
            let [low, high] = [low, high].map(|p| (p[axis] - self.origin[axis]) * self.scale);
            span(low - margin(low), high + margin(high), [0, self.size[k] - 1])
        };
        Some([span(0)?, span(1)?])
    }

    /// The whole image.
    pub(crate) fn window(&self) -> Window {
        self.size.map(|count| [0, count - 1])
    }

    /// The number of a pixel.
    pub(crate) fn pixel(&self, column: u32, row: u32) -> usize {
        row as usize * self.size[0] as usize + column as usize
    }

    /// How many pixels there are.
    pub(crate) fn count(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }

    /// The middle of a pixel.
    pub(crate) fn centre(&self, pixel: usize) -> [f64; 2] {
        let columns = self.size[0] as usize;
        [(pixel % columns) as f64 + 0.5, (pixel / columns) as f64 + 0.5]
    }

    /// The point in the middle of a pixel at a depth, in the frame of the box.
    pub(crate) fn point(&self, pixel: usize, depth: f64) -> Point {
        let [x, y] = self.centre(pixel);
        let mut point = self.origin;
        for (axis, place) in self.axes.into_iter().zip([x, y, depth]) {
            point[axis] += place / self.scale;
        }
        point
    }
}

/// Which pixels of a row or column, from `start` to `end`, an interval touches. Pixels are closed: the
/// end of one touches the next.
pub(crate) fn span(low: f64, high: f64, [start, end]: [u32; 2]) -> Option<[u32; 2]> {
    if high < f64::from(start) || low > f64::from(end + 1) {
        return None;
    }
    // A cast saturates.
    let first = ((low.ceil() - 1.0) as u32).max(start);
    let last = (high as u32).min(end);
    Some([first.min(last), last])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(extent: [f64; 3]) -> Aabb {
        Aabb { min: Point::origin(), max: Point::from(extent) }
    }

    #[test]
    fn an_image_covers_its_box_at_every_scale() {
        for unit in [1e-300, 1e-150, 1e-3, 1.0, 1e150, 1e300] {
            for depth in 0..3 {
                let region = region([3.0 * unit, unit, 2.0 * unit]);
                let frame = Frame::new(&region, depth, 100, 5.0 * unit);
                for k in 0..2 {
                    let end = (region.max[frame.axes[k]]) * frame.scale;
                    assert!(end < f64::from(frame.size[k]), "{unit:e} {frame:?}");
                }
                assert_eq!(frame.size.into_iter().max(), Some(100), "{unit:e}");
            }
        }
    }

    #[test]
    fn a_box_without_extent_is_a_pixel() {
        for (extent, reach) in [([0.0; 3], 0.0), ([0.0; 3], 1e300), ([0.0, 0.0, 1.0], 1.0)] {
            let frame = Frame::new(&region(extent), 2, 64, reach);
            assert_eq!(frame.size, [1, 1]);
            let far = [Point::new(reach, -reach, 0.0); 3];
            assert!(frame.place(&far).corners[0].iter().all(|x| x.abs() <= REACH));
        }
    }

    #[test]
    fn the_end_of_a_pixel_is_in_the_next_one_too() {
        let four = [0, 3];
        assert_eq!(span(0.0, 0.5, four), Some([0, 0]));
        assert_eq!(span(1.0, 2.0, four), Some([0, 2]));
        assert_eq!(span(3.5, 4.0, four), Some([3, 3]));
        assert_eq!(span(4.0, 9.0, four), Some([3, 3]));
        assert_eq!(span(-9.0, 9.0, four), Some([0, 3]));
        assert_eq!((span(-2.0, -0.1, four), span(4.1, 5.0, four)), (None, None));
        assert_eq!((span(0.0, 9.0, [2, 3]), span(0.0, 1.9, [2, 3])), (Some([2, 3]), None));
    }
}
