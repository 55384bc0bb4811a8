//! The layers of every pixel as ranges of depth, sorted so that those that overlap a range are found
//! without visiting the others.

use std::ops::ControlFlow;

use impinge_query::Cancelled;

use super::draw::Fragment;
use super::watch::Watch;

/// The range of depths of one triangle in a pixel.
#[derive(Clone, Copy, Debug)]
struct Layer {
    low: f64,
    high: f64,
    /// The highest `high` of the part of the list whose middle this layer is.
    top: f64,
    item: u32,
}

/// The layers of an image, those of a pixel one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// Where the layers of each pixel start, and the end.
    starts: Vec<usize>,
    layers: Vec<Layer>,
    drawn: Vec<(Fragment, u32)>,
    longest: usize,
}

impl Lists {
    /// Forgets the layers; keeps the allocations.
    pub(crate) fn clear(&mut self) {
        self.drawn.clear();
    }

    /// Adds a fragment of an item.
    pub(crate) fn push(&mut self, fragment: Fragment, item: u32) {
        self.drawn.push((fragment, item));
    }

    /// Sorts what was added into the lists of `pixels` pixels.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn sort(&mut self, pixels: usize, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let Self { starts, layers, drawn, longest } = self;
        *longest = 0;
        starts.clear();
        starts.resize(pixels + 2, 0);
        for (fragment, _) in drawn.iter() {
            watch.step()?;
            starts[fragment.pixel + 2] += 1;
        }
        for pixel in 2..starts.len() {
            starts[pixel] += starts[pixel - 1];
        }
        let none = Layer { low: 0.0, high: 0.0, top: 0.0, item: 0 };
        layers.clear();
        layers.resize(drawn.len(), none);
        for &(Fragment { pixel, low, high }, item) in drawn.iter() {
            watch.step()?;
            let place = &mut starts[pixel + 1];
            layers[*place] = Layer { low, high, top: high, item };
            *place += 1;
        }
        for pixel in 0..pixels {
            let list = &mut layers[starts[pixel]..starts[pixel + 1]];
            *longest = list.len().max(*longest);
            if list.len() > 1 {
                watch.steps(list.len())?;
                list.sort_unstable_by(|m, n| m.low.total_cmp(&n.low).then(m.item.cmp(&n.item)));
                watch.steps(list.len())?;
                crown(list);
            }
        }
        Ok(())
    }

    /// Passes the items of all layers of a pixel that share a depth with the range to `take`.
    pub(crate) fn overlapping<B>(
        &self,
        range: &Fragment,
        take: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(self.of(range.pixel), range, take)
    }

    /// The number of layers in a pixel.
    pub(crate) fn count(&self, pixel: usize) -> usize {
        self.starts[pixel + 1] - self.starts[pixel]
    }

    /// The greatest number of layers in a pixel.
    pub(crate) const fn longest(&self) -> usize {
        self.longest
    }

    /// The items of the layers of a pixel.
    pub(crate) fn items(&self, pixel: usize) -> impl Iterator<Item = u32> + '_ {
        self.of(pixel).iter().map(|layer| layer.item)
    }

    /// How many layers of a pixel here share a depth with one there, in pairs: the later of the two
    /// to begin begins within the other.
    pub(crate) fn pairs(&self, other: &Self, pixel: usize) -> usize {
        let [here, there] = [self.of(pixel), other.of(pixel)];
        let up_to = |list: &[Layer], depth| list.partition_point(|layer| layer.low <= depth);
        let later = |layer: &Layer| {
            let before = there.partition_point(|other| other.low < layer.low);
            up_to(there, layer.high) - before
        };
        let earlier = |layer: &Layer| up_to(here, layer.high) - up_to(here, layer.low);
        here.iter().map(later).sum::<usize>() + there.iter().map(earlier).sum::<usize>()
    }

    fn of(&self, pixel: usize) -> &[Layer] {
        &self.layers[self.starts[pixel]..self.starts[pixel + 1]]
    }
}

/// Sets the tops of a sorted list, and returns the highest.
fn crown(list: &mut [Layer]) -> f64 {
    let middle = list.len() / 2;
    let (before, rest) = list.split_at_mut(middle);
    let Some((layer, after)) = rest.split_first_mut() else { return f64::NEG_INFINITY };
    layer.top = layer.high.max(crown(before)).max(crown(after));
    layer.top
}

fn visit<B>(
    list: &[Layer],
    range: &Fragment,
    take: &mut impl FnMut(u32) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (before, rest) = list.split_at(list.len() / 2);
    let Some((layer, after)) = rest.split_first() else { return ControlFlow::Continue(()) };
    if layer.top < range.low {
        return ControlFlow::Continue(());
    }
    visit(before, range, take)?;
    if layer.low > range.high {
        return ControlFlow::Continue(());
    }
    if layer.high >= range.low {
        take(layer.item)?;
    }
    visit(after, range, take)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;
    use impinge_query::Control;

    #[test]
    fn every_overlapping_layer_is_found_and_no_other() {
        let (mut lists, mut others, mut found) = (Lists::default(), Lists::default(), 0);
        for index in 0..60 {
            let mut random = Random::stream(511, index);
            let mut fragment = |pixel: u64| {
                let low = random.below(40) as f64;
                let high = low + random.below(9) as f64;
                Fragment { pixel: pixel as usize, low, high }
            };
            let all: Vec<Fragment> = (0..(index * 7)).map(|i| fragment(i % 3)).collect();
            let other: Vec<Fragment> = (0..index).map(|i| fragment(i % 3)).collect();
            lists.clear();
            (0..).zip(&all).for_each(|(item, fragment)| lists.push(*fragment, item));
            lists.sort(3, &mut Watch::new(&Control::NONE)).expect("not cancelled");
            others.clear();
            (0..).zip(&other).for_each(|(item, fragment)| others.push(*fragment, item));
            others.sort(3, &mut Watch::new(&Control::NONE)).expect("not cancelled");
            for pixel in 0..3 {
                let mut pairs = 0;
                for range in other.iter().filter(|range| range.pixel == pixel as usize) {
                    let _ = lists.overlapping(range, &mut |_| {
                        pairs += 1;
                        ControlFlow::<()>::Continue(())
                    });
                }
                assert_eq!(lists.pairs(&others, pixel as usize), pairs);
                let range = fragment(pixel);
                let mut seen = Vec::new();
                let _ = lists.overlapping(&range, &mut |item| {
                    seen.push(item);
                    ControlFlow::<()>::Continue(())
                });
                seen.sort_unstable();
                let overlaps = |other: &Fragment| {
                    other.pixel == range.pixel && other.low <= range.high && range.low <= other.high
                };
                let there = (0..).zip(&all).filter(|(_, other)| overlaps(other));
                assert_eq!(seen, there.map(|(item, _)| item).collect::<Vec<u32>>());
                found += seen.len();
            }
        }
        assert!(found > 1_000, "{found}");
    }
}
