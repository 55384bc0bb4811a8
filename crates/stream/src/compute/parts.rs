//! What of a pass is not done, in parts that are a submission each.

use std::ops::Range;

/// A part of a pass.
pub(crate) trait Part: Sized {
    /// Tests, edges or poses of its submission.
    fn holds(&self) -> u64;

    /// Two halves; `None` if it cannot be cut.
    fn halves(&self) -> Option<[Self; 2]>;
}

impl Part for Range<u32> {
    fn holds(&self) -> u64 {
        self.len() as u64
    }

    fn halves(&self) -> Option<[Self; 2]> {
        let Self { start, end } = *self;
        let middle = start + (end - start) / 2;
        (middle > start).then_some([start..middle, middle..end])
    }
}

/// The range of the first so many, in ranges of at most `step`.
pub(crate) fn ranges(count: u32, step: u32) -> impl DoubleEndedIterator<Item = Range<u32>> + Clone {
    let step = step.max(1);
    (0..count).step_by(step as usize).map(move |from| from..count.min(from.saturating_add(step)))
}

/// Parts that are not done, the next one last.
#[derive(Debug)]
pub(crate) struct Parts<P>(Vec<P>);

impl<P: Part> Parts<P> {
    /// Parts that are done in this order.
    pub(crate) fn new(parts: impl DoubleEndedIterator<Item = P>) -> Self {
        Self(parts.rev().collect())
    }

    /// The next part, cut until it holds at most so much.
    pub(crate) fn next(&mut self, most: u64) -> Option<P> {
        let mut part = self.0.pop()?;
        while part.holds() > most
            && let Some([first, second]) = part.halves()
        {
            self.0.push(second);
            part = first;
        }
        Some(part)
    }

    /// This part is done again.
    pub(crate) fn again(&mut self, part: P) {
        self.0.push(part);
    }

    /// The halves of this part are done in its place. Returns what the first holds; `None` if it
    /// cannot be cut.
    pub(crate) fn cut(&mut self, part: &P) -> Option<u64> {
        let [first, second] = part.halves()?;
        let holds = first.holds();
        self.0.extend([second, first]);
        Some(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts in the order of their work, if each may hold so much.
    fn done(mut parts: Parts<Range<u32>>, most: u64) -> Vec<Range<u32>> {
        std::iter::from_fn(|| parts.next(most)).collect()
    }

    #[test]
    fn parts_are_done_in_order_and_cut_to_what_may_be_held() {
        let all = || Parts::new(ranges(10, 4));
        assert_eq!(done(all(), u64::MAX), [0..4, 4..8, 8..10]);
        assert_eq!(done(all(), 3), [0..2, 2..4, 4..6, 6..8, 8..10]);
        for most in [0, 1] {
            assert_eq!(done(all(), most), (0..10).map(|k| k..k + 1).collect::<Vec<_>>());
        }
        assert_eq!(done(Parts::new(ranges(0, 0)), 1), []);
    }

    #[test]
    fn a_part_is_done_again_or_in_halves_before_the_others() {
        let mut parts = Parts::new(ranges(7, 5));
        let first = parts.next(u64::MAX).expect("two parts");
        assert_eq!(parts.cut(&first), Some(2));
        parts.again(8..9);
        assert_eq!(parts.cut(&(8..9)), None);
        assert_eq!(done(parts, u64::MAX), [8..9, 0..2, 2..5, 5..7]);
    }
}
