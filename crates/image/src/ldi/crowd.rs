//! Pixels in which depths tell few triangles apart, and the triangles over them.
//!
//! In a crowded pixel nearly every triangle of A shares a depth with nearly every one of B. So the pairs
//! of the triangles over such pixels are found by their boxes, and the image gives all other pairs. A
//! pair that shares a depth in a crowded pixel is one of the former, since both its triangles are over it.

use std::ops::ControlFlow;

use impinge_query::lists::{self, Bounded};
use impinge_query::{Cancelled, Contact, Contacts, Counter};

use super::draw::fragments;
use super::frame::Frame;
use super::guide::{broken, unbroken};
use super::lists::Lists;
use super::watch::Watch;

/// A pixel is crowded if more pairs share a depth there than this for each of its layers, of A and of
/// B together. Larger: more pairs are compared in the image; smaller: more triangles are sorted by
/// their boxes, which takes about as long as so many comparisons.
const PAIRS: usize = 64;

/// The crowded pixels of an image. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    /// The layers of A in pixels where B has many.
    of_a: Lists,
    pixels: Vec<bool>,
    /// Whether a triangle of A, or of B, is over a crowded pixel; empty if none is.
    over: [Vec<bool>; 2],
    pairs: lists::Lists,
}

impl Crowd {
    /// Finds the crowded pixels, given the layers of B.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn find(
        &mut self,
        frame: &Frame,
        [of_a, of_b]: [&[Bounded]; 2],
        layers: &Lists,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        let Self { of_a: own, pixels, over, .. } = self;
        pixels.clear();
        over.iter_mut().for_each(Vec::clear);
        // A layer shares a depth with at most all of the other list.
        if layers.longest() <= PAIRS {
            return Ok(());
        }
        own.clear();
        for (item, s) in (0..).zip(of_a) {
            watch.step()?;
            let placed = frame.place(&s.corners);
            unbroken(fragments(frame, &frame.window(), &placed, |fragment| {
                if layers.count(fragment.pixel) > PAIRS {
                    own.push(fragment, item);
                }
                broken(watch.step())
            }))?;
        }
        own.sort(frame.count(), watch)?;
        if own.longest() <= PAIRS {
            return Ok(());
        }
        pixels.resize(frame.count(), false);
        over[0].resize(of_a.len(), false);
        over[1].resize(of_b.len(), false);
        for (pixel, crowded) in pixels.iter_mut().enumerate() {
            let all = own.count(pixel) + layers.count(pixel);
            watch.steps(1 + all)?;
            *crowded = own.pairs(layers, pixel) > PAIRS * all;
            if *crowded {
                own.items(pixel).for_each(|item| over[0][item as usize] = true);
                layers.items(pixel).for_each(|item| over[1][item as usize] = true);
            }
        }
        Ok(())
    }

    /// Whether a pixel is crowded, if a triangle over a crowded pixel is over it.
    pub(crate) fn has_pixel(&self, pixel: usize) -> bool {
        self.pixels.get(pixel) == Some(&true)
    }

    /// Whether a triangle of A (0) or B (1) is over a crowded pixel.
    pub(crate) fn has(&self, side: usize, item: u32) -> bool {
        self.over[side].get(item as usize) == Some(&true)
    }

    /// Gives the pairs that meet, of the triangles over crowded pixels, to `found`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn meet<C: Counter>(
        &mut self,
        all: [&[Bounded]; 2],
        watch: &Watch<'_>,
        counter: &mut C,
        found: &mut Contacts,
    ) -> Result<(), Cancelled> {
        let over = |side: usize| {
            let all = all[side].iter().zip(&self.over[side]);
            all.filter(|(_, over)| **over).map(|(t, _)| (t.index, t.corners))
        };
        self.pairs.fill(over(0), over(1), watch.control())?;
        let hit = |contact: Contact| -> ControlFlow<()> { found.take(contact) };
        self.pairs.meet(counter, watch.control(), hit).map(drop)
    }
}
