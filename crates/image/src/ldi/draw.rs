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
    let margin = placed.margin;
    rows(window, placed, |row, strip, [left, right]| {
        for column in left..=right {
            let part = if left == right && covers(strip, 0, column) {
                *strip
            } else {
                strip.between(0, f64::from(column) - margin, f64::from(column + 1) + margin)
            };
            if part.count > 0 {
                let [low, high] = part.range(2);
                let pixel = frame.pixel(column, row);
                take(Fragment { pixel, low: low - margin, high: high + margin })?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// At least the number of fragments of a triangle in a window, and nearly that.
///
/// # Errors
/// Those of `look`, which is called for each row.
pub(crate) fn count<E>(
    window: &Window,
    placed: &Placed,
    mut look: impl FnMut() -> Result<(), E>,
) -> Result<usize, E> {
    let mut count = 0;
    let flow = rows(window, placed, |_, _, [left, right]| {
        count += (right - left + 1) as usize;
        look().map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    match flow {
        ControlFlow::Continue(()) => Ok(count),
        ControlFlow::Break(error) => Err(error),
    }
}

/// Passes every row of a window that the triangle touches to `take`, with its part there, and the
/// first and the last column of that.
fn rows<B>(
    window: &Window,
    &Placed { corners, margin }: &Placed,
    mut take: impl FnMut(u32, &Polygon, [u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
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
        let Some(columns) = spans(&strip, 0) else { continue };
        take(row, &strip, columns)?;
    }
    ControlFlow::Continue(())
}

/// Whether the polygon lies between the sides of a column or row.
fn covers(polygon: &Polygon, axis: usize, place: u32) -> bool {
    let [low, high] = polygon.range(axis);
    f64::from(place) <= low && high <= f64::from(place + 1)
}

#[cfg(test)]
mod tests;
