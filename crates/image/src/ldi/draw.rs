//! Draws a triangle conservatively: every pixel that it touches, with the range of its depths there.

use std::ops::ControlFlow;

use super::frame::{Corner, Frame, Placed, Window, span};

/// What a triangle shows in a pixel: all its points over the closed square have depths in this range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) pixel: usize,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A convex polygon: a triangle cut by at most four lines.
#[derive(Clone, Copy, Debug)]
struct Polygon {
    corners: [Corner; 8],
    count: usize,
}

impl Polygon {
    fn triangle([a, b, c]: [Corner; 3]) -> Self {
        let none = [0.0; 3];
        Self { corners: [a, b, c, none, none, none, none, none], count: 3 }
    }

    fn push(&mut self, corner: Corner) {
        // A cut adds at most one corner to a convex polygon, and there are four cuts.
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// Least and greatest coordinate on an axis.
    fn range(&self, axis: usize) -> [f64; 2] {
        let all = self.corners().iter().map(|corner| corner[axis]);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// The part between two lines across an axis.
    fn between(&self, axis: usize, low: f64, high: f64) -> Self {
        self.cut(axis, low, 1.0).cut(axis, high, -1.0)
    }

    /// The part at or above a line, with `side` 1, or at or below it, with −1.
    fn cut(&self, axis: usize, line: f64, side: f64) -> Self {
        let kept = |corner: &Corner| (corner[axis] - line) * side >= 0.0;
        if self.corners().iter().all(kept) {
            return *self;
        }
        let mut part = Self { count: 0, ..*self };
        for (i, p) in self.corners().iter().enumerate() {
            let q = &self.corners()[(i + 1) % self.count];
            if kept(p) {
                part.push(*p);
            }
            if kept(p) != kept(q) {
                part.push(crossing(p, q, axis, line));
            }
        }
        part
    }
}

/// Where an edge crosses a line. Every coordinate is between those of the ends, so that around a
/// polygon each coordinate rises once and falls once, and a line cuts it at most twice.
fn crossing(p: &Corner, q: &Corner, axis: usize, line: f64) -> Corner {
    let t = (line - p[axis]) / (q[axis] - p[axis]);
    let along = |k: usize| (p[k] + (q[k] - p[k]) * t).clamp(p[k].min(q[k]), p[k].max(q[k]));
    let mut at = [0, 1, 2].map(along);
    at[axis] = line;
    at
}

/// Passes the fragments of a triangle in a window to `take`, row by row, until it breaks off.
///
/// The true triangle is within the margin of the placed one, and so is what is cut of it; so the
/// squares are widened, and the ranges too, by the margin.
pub(crate) fn fragments<B>(
    frame: &Frame,
    window: &Window,
    placed: &Placed,
    mut take: impl FnMut(Fragment) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Placed { corners, margin } = *placed;
    let whole = Polygon::triangle(corners);
    let spans = |polygon: &Polygon, axis: usize| {
        let [low, high] = polygon.range(axis);
        span(low - margin, high + margin, window[axis])
    };
    let Some(([first, last], _)) = spans(&whole, 1).zip(spans(&whole, 0)) else {
        return ControlFlow::Continue(());
    };
    for row in first..=last {
        let strip = if first == last && covers(&whole, 1, row) {
            whole
        } else {
            whole.between(1, f64::from(row) - margin, f64::from(row + 1) + margin)
        };
        let Some([left, right]) = spans(&strip, 0) else { continue };
        for column in left..=right {
            let part = if left == right && covers(&strip, 0, column) {
                strip
            } else {
                strip.between(0, f64::from(column) - margin, f64::from(column + 1) + margin)
            };
            if part.count > 0 {
                let [low, high] = part.range(2);
                let pixel = frame.pixel(column, row);
                take(Fragment { pixel, low: low - margin, high: high + margin })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether the polygon lies between the sides of a column or row.
fn covers(polygon: &Polygon, axis: usize, place: u32) -> bool {
    let [low, high] = polygon.range(axis);
    f64::from(place) <= low && high <= f64::from(place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::volume::Aabb;
    use impinge_geometry::{Point, Triangle};
    use impinge_models::Random;

    fn frame(most: u32, reach: f64) -> Frame {
        let region = Aabb { min: Point::origin(), max: Point::new(1.0, 0.7, 0.3) };
        Frame::new(&region, 2, most, reach)
    }

    fn drawn(frame: &Frame, triangle: &Triangle) -> Vec<Fragment> {
        let mut all = Vec::new();
        let _ = fragments(frame, &frame.window(), &frame.place(triangle), |fragment| {
            all.push(fragment);
            ControlFlow::<()>::Continue(())
        });
        all
    }

    /// A triangle near the image: small, large, a needle, or one seen edge-on.
    fn triangle(random: &mut Random, index: u64) -> Triangle {
        let mut point = || Point::new(random.unit(), random.unit(), random.unit());
        let [a, b, c] = [point(), point(), point()];
        let near = |p: Point, by: f64| a + (p - a) * by;
        match index % 5 {
            0 => [a, near(b, 0.02), near(c, 0.02)],
            1 => [a, near(b, 30.0), near(c, -20.0)],
            2 => [a, b, near(b, 1e-9)],
            3 => [a, b, Point::new(b.x, b.y, c.z)],
            _ => [a, b, c],
        }
    }

    #[test]
    fn every_point_of_a_triangle_is_in_a_fragment() {
        let mut points = 0;
        for index in 0..400 {
            let mut random = Random::stream(501, index);
            let frame = frame([1, 7, 64][index as usize % 3], 64.0);
            let t = triangle(&mut random, index);
            let all = drawn(&frame, &t);
            for _ in 0..100 {
                let (x, y) = (random.unit(), random.unit());
                let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
                let p = t[0] + (t[1] - t[0]) * x + (t[2] - t[0]) * y;
                let at = [0, 1, 2].map(|k| p[frame.axes[k]] * frame.scale);
                let inside = |k: usize| (0.0..f64::from(frame.size[k])).contains(&at[k]);
                if !(inside(0) && inside(1)) {
                    continue;
                }
                points += 1;
                // The point itself is rounded.
                let pixel = frame.pixel(at[0] as u32, at[1] as u32);
                let found = all.iter().any(|fragment| {
                    fragment.pixel == pixel
                        && fragment.low - 1e-9 <= at[2]
                        && at[2] <= fragment.high + 1e-9
                });
                let at_a_side = at[..2].iter().any(|x| (x - x.round()).abs() < 1e-9);
                assert!(found || at_a_side, "{index}: {at:?} of {t:?}");
            }
        }
        assert!(points > 10_000, "{points}");
    }

    #[test]
    fn a_fragment_is_near_the_triangle_and_comes_once() {
        let mut single = 0;
        for index in 0..400 {
            let mut random = Random::stream(502, index);
            let frame = frame(16, 64.0);
            let t = triangle(&mut random, index);
            let all = drawn(&frame, &t);
            for fragment in &all {
                assert_eq!(all.iter().filter(|other| other.pixel == fragment.pixel).count(), 1);
                let corners = frame.place(&t).corners;
                let depths = corners.map(|corner| corner[2]);
                let low = depths.iter().fold(f64::INFINITY, |a, b| a.min(*b));
                let high = depths.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                assert!(low - 1e-9 <= fragment.low && fragment.high <= high + 1e-9);
                single += usize::from(fragment.high - fragment.low < 0.9 * (high - low));
            }
        }
        assert!(single > 1_000, "{single} ranges are those of a part");
    }

    #[test]
    fn a_slope_has_the_range_of_each_pixel() {
        let region = Aabb { min: Point::origin(), max: Point::new(4.0, 4.0, 4.0) };
        let frame = Frame::new(&region, 2, 4, 16.0);
        // Depth is the column.
        let t = [[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 0.0]].map(Point::from);
        let all = drawn(&frame, &t);
        for column in 0..3 {
            let fragment = all.iter().find(|f| f.pixel == column as usize).expect("drawn");
            let [low, high] = [f64::from(column), f64::from(column + 1)];
            assert!((fragment.low - low).abs() < 1e-9 && (fragment.high - high).abs() < 1e-9);
        }
        assert!(all.iter().all(|f| f.pixel % 4 + f.pixel / 4 <= 4), "{all:?}");
    }
}
