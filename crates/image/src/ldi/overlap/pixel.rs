//! What one pixel tells about the overlap of two solids.
//!
//! Outside the ranges of depth of the triangles over a pixel no surface passes, so the winding number
//! about either solid is the same for all points of the pixel at such a depth: that of its middle. A
//! depth within a range may be inside or outside. So the length of the overlap at any point of the
//! pixel is at least that of the depths certainly inside both, and at most that of the depths not
//! certainly outside one.

use impinge_query::Cancelled;

use crate::ldi::watch::Watch;

/// A triangle in a pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    pub(crate) pixel: usize,
    /// 0 for A, 1 for B.
    pub(crate) side: usize,
    /// Its depths over the pixel.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// What the winding number about its solid gains behind it, at the middle of the pixel.
    pub(crate) turn: i32,
    /// Its depth there; of no meaning if `turn` is 0.
    pub(crate) depth: f64,
}

impl Sheet {
    /// Its crossing at the middle of the pixel: side, turn and depth.
    pub(crate) const fn crossing(&self) -> (usize, i32, f64) {
        (self.side, self.turn, self.depth)
    }
}

/// An interval of depth.
pub(crate) type Interval = [f64; 2];

/// The overlap in a pixel, as lengths along the line of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lengths {
    /// At the middle: the sum, and the longest interval.
    pub(crate) sampled: f64,
    pub(crate) longest: f64,
    /// At every point of the pixel: sum and longest interval are at least `least` …
    pub(crate) least: [f64; 2],
    /// … and at most `most`.
    pub(crate) most: [f64; 2],
}

/// Buffers for the sheets of a pixel.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// Ends of ranges: depth, whether it starts, side, turn.
    ends: Vec<(f64, bool, usize, i32)>,
    crossings: Vec<(f64, i32)>,
    /// The intervals of A, and of B, at the middle of the pixel.
    pub(crate) inside: [Vec<Interval>; 2],
    /// Where they overlap.
    pub(crate) common: Vec<Interval>,
}

impl Column {
    /// Pairs the crossings of each solid at the middle of the pixel, given as side, turn and depth,
    /// into intervals. Returns how many there are of each, and whether they leave the solid as often
    /// as they enter it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn pair(
        &mut self,
        crossings: &(impl Iterator<Item = (usize, i32, f64)> + Clone),
        watch: &mut Watch<'_>,
    ) -> Result<[(usize, bool); 2], Cancelled> {
        let mut paired = [(0, true); 2];
        for (side, paired) in paired.iter_mut().enumerate() {
            self.crossings.clear();
            let own = crossings.clone().filter(|(own, turn, _)| *own == side && *turn != 0);
            self.crossings.extend(own.map(|(_, turn, depth)| (depth, turn)));
            watch.steps(self.crossings.len())?;
            self.crossings.sort_unstable_by(|m, n| m.0.total_cmp(&n.0).then(m.1.cmp(&n.1)));
            watch.steps(self.crossings.len())?;
            let (mut winding, mut entered) = (0, 0.0);
            self.inside[side].clear();
            for &(depth, turn) in &self.crossings {
                if winding == 0 {
                    entered = depth;
                }
                winding += turn;
                if winding == 0 {
                    self.inside[side].push([entered, depth]);
                }
            }
            *paired = (self.crossings.len(), winding == 0);
        }
        self.meet();
        Ok(paired)
    }

    /// The intervals of A cut with those of B; both are in order. Closed: a common end is one, too.
    fn meet(&mut self) {
        self.common.clear();
        let [a, b] = &self.inside;
        let (mut i, mut j) = (0, 0);
        while let (Some(s), Some(t)) = (a.get(i), b.get(j)) {
            let [low, high] = [s[0].max(t[0]), s[1].min(t[1])];
            if low <= high {
                self.common.push([low, high]);
            }
            if s[1] < t[1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    /// The lengths of the overlap within a range of depths that holds all of it; after
    /// [`Column::pair`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn lengths(
        &mut self,
        sheets: &[Sheet],
        [front, back]: Interval,
        watch: &mut Watch<'_>,
    ) -> Result<Lengths, Cancelled> {
        let mut lengths = Lengths::default();
        for [low, high] in &self.common {
            lengths.sampled += high - low;
            lengths.longest = lengths.longest.max(high - low);
        }
        self.ends.clear();
        for &Sheet { low, high, side, turn, .. } in sheets {
            self.ends.push((low, true, side, 0));
            self.ends.push((high, false, side, turn));
        }
        // Ranges that only touch are one: starts come before ends.
        watch.steps(self.ends.len())?;
        self.ends.sort_unstable_by(|m, n| m.0.total_cmp(&n.0).then(n.1.cmp(&m.1)));
        watch.steps(self.ends.len())?;
        let (mut open, mut winding) = ([0_u32; 2], [0; 2]);
        let (mut last, mut run) = (front, [0.0; 2]);
        for &(depth, starts, side, turn) in &self.ends {
            let depth = depth.clamp(front, back);
            let inside = |side: usize| open[side] == 0 && winding[side] != 0;
            let outside = |side: usize| open[side] == 0 && winding[side] == 0;
            let holds = [inside(0) && inside(1), !outside(0) && !outside(1)];
            for (k, sums) in [&mut lengths.least, &mut lengths.most].into_iter().enumerate() {
                if holds[k] {
                    sums[0] += depth - last;
                    run[k] += depth - last;
                    sums[1] = sums[1].max(run[k]);
                } else if k == 0 || depth > last {
                    // A gap without length ends what is certain, not what is possible.
                    run[k] = 0.0;
                }
            }
            last = depth;
            if starts {
                open[side] += 1;
            } else {
                open[side] -= 1;
                winding[side] += turn;
            }
        }
        Ok(lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_query::Control;

    fn paired(column: &mut Column, sheets: &[Sheet]) -> [(usize, bool); 2] {
        let mut watch = Watch::new(&Control::NONE);
        column.pair(&sheets.iter().map(Sheet::crossing), &mut watch).expect("not cancelled")
    }

    fn measured(column: &mut Column, sheets: &[Sheet], range: Interval) -> Lengths {
        column.lengths(sheets, range, &mut Watch::new(&Control::NONE)).expect("not cancelled")
    }

    fn sheet(side: usize, low: f64, high: f64, turn: i32) -> Sheet {
        Sheet { pixel: 0, side, low, high, turn, depth: f64::midpoint(low, high) }
    }

    /// A from 1 to 5, B from 3 to 8, each end half a unit thick either way.
    fn two() -> Vec<Sheet> {
        let end = |side, at: f64, turn| sheet(side, at - 0.5, at + 0.5, turn);
        vec![end(0, 5.0, -1), end(1, 3.0, 1), end(0, 1.0, 1), end(1, 8.0, -1)]
    }

    #[test]
    fn an_overlap_is_at_least_what_is_certain_and_at_most_what_is_possible() {
        let mut column = Column::default();
        assert_eq!(paired(&mut column, &two()), [(2, true); 2]);
        assert_eq!(column.common, [[3.0, 5.0]]);
        let lengths = measured(&mut column, &two(), [0.0, 9.0]);
        let expected = Lengths { sampled: 2.0, longest: 2.0, least: [1.0; 2], most: [3.0; 2] };
        assert_eq!(lengths, expected);
        // A sheet edge-on in the middle makes the certain part two parts.
        let mut cut = two();
        cut.push(sheet(1, 3.75, 4.25, 0));
        assert_eq!(paired(&mut column, &cut), [(2, true); 2]);
        let lengths = measured(&mut column, &cut, [0.0, 4.0]);
        assert_eq!((lengths.least, lengths.most), ([0.25, 0.25], [1.5, 1.5]));
    }

    #[test]
    fn nested_and_overlapping_shells_are_one_solid() {
        // A is entered twice before it is left, and has a cavity; B is turned inside out.
        let at = |side, depth: f64, turn| sheet(side, depth, depth, turn);
        let a = [at(0, 0.0, 1), at(0, 1.0, 1), at(0, 4.0, -1), at(0, 6.0, -1)];
        let cavity = [at(0, 2.0, -2), at(0, 3.0, 2)];
        let b = [at(1, 0.5, -1), at(1, 2.5, 1), at(1, 5.0, 1), at(1, 4.5, -1)];
        let all: Vec<Sheet> = a.into_iter().chain(cavity).chain(b).collect();
        let mut column = Column::default();
        assert_eq!(paired(&mut column, &all), [(6, true), (4, true)]);
        assert_eq!(column.inside[0], [[0.0, 2.0], [3.0, 6.0]]);
        assert_eq!(column.common, [[0.5, 2.0], [4.5, 5.0]]);
        let lengths = measured(&mut column, &all, [0.0, 9.0]);
        let expected = Lengths { sampled: 2.0, longest: 1.5, least: [2.0, 1.0], most: [2.0, 1.5] };
        assert_eq!(lengths, expected);
    }

    #[test]
    fn what_is_not_left_is_not_paired_and_flush_is_contact() {
        let mut column = Column::default();
        let open = [sheet(0, 1.0, 1.0, 1), sheet(1, 2.0, 2.0, 1), sheet(1, 3.0, 3.0, -1)];
        assert_eq!(paired(&mut column, &open), [(1, false), (2, true)]);
        let flush = [0.0, 1.0, 1.0, 2.0].into_iter().zip([(0, 1), (0, -1), (1, 1), (1, -1)]);
        let flush: Vec<Sheet> = flush.map(|(z, (side, turn))| sheet(side, z, z, turn)).collect();
        assert_eq!(paired(&mut column, &flush), [(2, true); 2]);
        assert_eq!(column.common, [[1.0, 1.0]]);
        assert_eq!(measured(&mut column, &flush, [0.0, 2.0]), Lengths::default());
    }
}
