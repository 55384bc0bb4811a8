//! The pixels that a triangle covers: fixed-point corners, edge functions in integers, and the
//! top-left rule, so that two triangles with a common edge cover each pixel once.

use super::atlas::Rectangle;

/// Subdivisions of a pixel to which corners are rounded (8 bits; Vulkan requires at least 4).
pub(crate) const STEPS: f32 = 256.0;

/// Corner coordinates are clamped to this magnitude, in pixels, so that edge functions fit in 64
/// bits: (2²² · 2⁸)² · 4 < 2⁶³.
const REACH: f32 = 4_194_304.0;

/// A triangle on the screen: x to the right, y down, pixel centres at halves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenTriangle {
    /// Corners before rounding: x and y in pixels, depth 0 to 1.
    pub(crate) corners: [[f32; 3]; 3],
    pub(crate) front: bool,
    /// Corners relative to the centre of pixel (0, 0), in steps, clockwise as seen.
    fixed: [[i64; 2]; 3],
}

/// The viewport transformation of WebGPU: clip x and y from -1 to 1 (y up) to the rectangle (y
/// down).
fn on_screen([x, y, z]: [f32; 3], place: Rectangle) -> [f32; 3] {
    let half = [place.width as f32 * 0.5, place.height as f32 * 0.5];
    let middle = [place.x as f32 + half[0], place.y as f32 + half[1]];
    [middle[0] + x * half[0], middle[1] - y * half[1], z]
}

impl ScreenTriangle {
    /// The triangle with these corners in clip space; `None` if it covers nothing, or a corner is
    /// not finite.
    pub(crate) fn new(clip: [[f32; 3]; 3], place: Rectangle) -> Option<Self> {
        let corners = clip.map(|corner| on_screen(corner, place));
        if !corners.iter().flatten().all(|number| number.is_finite()) {
            return None;
        }
        let step = |pixels: f32| ((pixels - 0.5).clamp(-REACH, REACH) * STEPS).round() as i64;
        let mut fixed = corners.map(|[x, y, _]| [step(x), step(y)]);
        let area = edge(fixed[0], fixed[1], fixed[2]);
        if area == 0 {
            return None;
        }
        // Counter-clockwise with y up is a negative area with y down.
        let front = area < 0;
        if front {
            fixed.swap(1, 2);
        }
        Some(Self { corners, front, fixed })
    }

    /// Calls `visit` with column and row of every covered pixel of `place`.
    pub(crate) fn pixels(&self, place: Rectangle, mut visit: impl FnMut(u32, u32)) {
        let columns = self.range(0, place.x, place.width);
        let rows = self.range(1, place.y, place.height);
        for y in rows {
            for x in columns.clone() {
                if self.covers(x, y) {
                    visit(x, y);
                }
            }
        }
    }

    /// The pixels between the least and largest corner along an axis, within the viewport.
    fn range(&self, axis: usize, first: u32, count: u32) -> std::ops::Range<u32> {
        let all = self.fixed.map(|corner| corner[axis]);
        let steps = STEPS as i64;
        let low = all.into_iter().min().unwrap_or(0).div_euclid(steps);
        let high = all.into_iter().max().unwrap_or(0).div_euclid(steps) + 1;
        let (first, end) = (i64::from(first), i64::from(first) + i64::from(count));
        let clamped = |pixel: i64| pixel.clamp(first, end) as u32;
        clamped(low)..clamped(high)
    }

    fn covers(&self, x: u32, y: u32) -> bool {
        let point = [i64::from(x), i64::from(y)].map(|pixel| pixel * STEPS as i64);
        (0..3).all(|k| {
            let (a, b) = (self.fixed[k], self.fixed[(k + 1) % 3]);
            let side = edge(a, b, point);
            // A pixel on the edge counts only for a left edge (going up) or a top edge (going
            // right).
            side > 0 || (side == 0 && (b[1] < a[1] || (b[1] == a[1] && b[0] > a[0])))
        })
    }
}

/// Positive if `p` is to the right of the line from `a` to `b`, with y down.
fn edge(a: [i64; 2], b: [i64; 2], p: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Rectangle = Rectangle { x: 0, y: 0, width: 8, height: 8 };

    fn covered(corners: [[f32; 3]; 3]) -> Vec<(u32, u32)> {
        let mut list = Vec::new();
        if let Some(triangle) = ScreenTriangle::new(corners, PLACE) {
            triangle.pixels(PLACE, |x, y| list.push((x, y)));
        }
        list
    }

    #[test]
    fn triangles_round_a_corner_at_a_pixel_centre_cover_each_pixel_once() {
        // Spokes from the centre of pixel (3, 3), the hardest case for the rule.
        let centre = [(3.5 - 4.0) / 4.0, (4.0 - 3.5) / 4.0, 0.5];
        let rim: [[f32; 2]; 9] = [
            [1.0, 1.0],
            [0.25, 1.0],
            [-1.0, 1.0],
            [-1.0, 0.125],
            [-1.0, -1.0],
            [-0.125, -1.0],
            [1.0, -1.0],
            [1.0, 0.125],
            [1.0, 1.0],
        ];
        let mut count = [[0; 8]; 8];
        for pair in rim.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|[x, y]| [x, y, 0.5]);
            for (x, y) in covered([centre, a, b]) {
                count[y as usize][x as usize] += 1;
            }
        }
        assert_eq!(count, [[1; 8]; 8]);
    }

    #[test]
    fn counter_clockwise_faces_the_viewer() {
        let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
        let front = ScreenTriangle::new(corners, PLACE).expect("it has an area");
        assert!(front.front);
        let [a, b, c] = corners;
        let back = ScreenTriangle::new([a, c, b], PLACE).expect("it has an area");
        assert!(!back.front);
        assert_eq!(covered(corners), covered([a, c, b]));
    }

    #[test]
    fn nothing_is_covered_by_nothing_and_huge_corners_do_no_harm() {
        assert!(covered([[0.0, 0.0, 0.5]; 3]).is_empty());
        assert!(covered([[f32::NAN, 0.0, 0.5], [1.0; 3], [0.0; 3]]).is_empty());
        assert!(covered([[f32::MAX, 0.0, 0.5], [1.0; 3], [0.0; 3]]).is_empty());
        let huge = [[-1e30, -1e30, 0.5], [1e30, -1e30, 0.5], [0.0, 1e30, 0.5]];
        assert_eq!(covered(huge).len(), 64);
    }
}
