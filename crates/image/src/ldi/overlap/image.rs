//! The overlap seen along one direction, drawn window by window so that memory stays bounded.

use impinge_geometry::volume::Aabb;
use impinge_query::{Backend, Cancelled};

use super::pixel::{Column, Interval, Lengths, Sheet};
use crate::backend::DrawError;
use crate::ldi::draw::{count, fragments};
use crate::ldi::drawer::{Crossing, Drawer, Drawn};
use crate::ldi::frame::{Frame, Window};
use crate::ldi::guide::{broken, unbroken};
use crate::ldi::sample;
use crate::ldi::watch::Watch;
use impinge_query::lists::Bounded;

/// Most sheets that a window of several pixels may have: 28 MiB. A window is halved until it has
/// fewer. Larger: fewer passes over the triangles, more memory.
const SHEETS: usize = 1 << 19;

/// A pixel with an overlap at its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) pixel: usize,
    pub(crate) common: Interval,
}

/// Sums over an image, in pixels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// Sums of lengths, the greatest of longest intervals.
    pub(crate) lengths: Lengths,
    pub(crate) contact_pixels: u64,
    /// Pixels where A, or B, is not left as often as it is entered.
    pub(crate) unpaired: [u64; 2],
    /// Most crossings of A, or B, in a pixel.
    pub(crate) layers: [u32; 2],
    pub(crate) passes: u32,
    pub(crate) submissions: u64,
    pub(crate) backend: Backend,
    pub(crate) seen: Vec<Seen>,
}

/// Draws the triangles of both solids, and adds up what the pixels tell.
#[derive(Debug)]
pub(crate) struct Image<'i> {
    frame: Frame,
    drawer: &'i Drawer,
    triangles: [&'i [Bounded]; 2],
    /// The depths of the region.
    range: Interval,
    /// Most intervals to keep.
    cap: usize,
    sums: Sums,
    column: Column,
    sheets: Vec<Sheet>,
}

/// A triangle of one of the solids.
type Item = (u8, u32);

impl<'i> Image<'i> {
    pub(crate) fn new(
        (frame, drawer): (Frame, &'i Drawer),
        region: &Aabb,
        triangles: [&'i [Bounded]; 2],
        cap: usize,
    ) -> Self {
        // The overlap is in the region; its side is rounded twice, and by more if it is tiny.
        let depth = frame.place(&[region.min, region.max, region.min]).corners[1][2];
        let range = [0.0, depth * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE];
        let (sums, column) = (Sums::default(), Column::default());
        Self { frame, drawer, triangles, range, cap, sums, column, sheets: Vec::new() }
    }

    /// Draws the whole image.
    ///
    /// # Errors
    /// [`DrawError`].
    pub(crate) fn sums(mut self, watch: &mut Watch<'_>) -> Result<Sums, DrawError> {
        let window = self.frame.window();
        let items = [0, 1].into_iter().zip(self.triangles);
        let items = items.flat_map(|(side, all)| (0..all.len() as u32).map(move |t| (side, t)));
        let items: Vec<Item> = items.collect();
        self.part(window, &items, watch)?;
        Ok(self.sums)
    }

    fn triangle(&self, (side, t): Item) -> &'i Bounded {
        &self.triangles[side as usize][t as usize]
    }

    /// Draws a window, in halves if it has too many sheets.
    fn part(
        &mut self,
        window: Window,
        items: &[Item],
        watch: &mut Watch<'_>,
    ) -> Result<(), DrawError> {
        let (mut inside, mut sheets) = (Vec::with_capacity(items.len()), 0_usize);
        for &item in items {
            watch.step()?;
            let t = self.triangle(item);
            let Some(spans) = self.frame.pixels(&t.low, &t.high) else { continue };
            let common = |k: usize| {
                let [from, to] = [spans[k][0].max(window[k][0]), spans[k][1].min(window[k][1])];
                (to + 1).saturating_sub(from) as usize
            };
            let pixels = common(0) * common(1);
            if pixels > 0 {
                inside.push(item);
                sheets = sheets.saturating_add(pixels);
            }
        }
        let axis = usize::from(window[1][1] - window[1][0] >= window[0][1] - window[0][0]);
        let [from, to] = window[axis];
        if sheets > SHEETS && from < to {
            (inside, sheets) = self.over(&window, &inside, watch)?;
        }
        if sheets <= SHEETS || from == to {
            return self.draw(&window, &inside, watch);
        }
        let middle = from.midpoint(to);
        for half in [[from, middle], [middle + 1, to]] {
            let mut part = window;
            part[axis] = half;
            self.part(part, &inside, watch)?;
        }
        Ok(())
    }

    /// The triangles that are over a window, not only their boxes, and how many sheets they have there.
    fn over(
        &self,
        window: &Window,
        items: &[Item],
        watch: &mut Watch<'_>,
    ) -> Result<(Vec<Item>, usize), Cancelled> {
        let (mut over, mut sheets) = (Vec::with_capacity(items.len()), 0_usize);
        for &item in items {
            let placed = self.frame.place(&self.triangle(item).corners);
            let own = count(window, &placed, || watch.step())?;
            if own > 0 {
                over.push(item);
                sheets = sheets.saturating_add(own);
            }
        }
        Ok((over, sheets))
    }

    fn draw(
        &mut self,
        window: &Window,
        items: &[Item],
        watch: &mut Watch<'_>,
    ) -> Result<(), DrawError> {
        let mut sheets = std::mem::take(&mut self.sheets);
        sheets.clear();
        for &item in items {
            watch.step()?;
            let placed = self.frame.place(&self.triangle(item).corners);
            unbroken(fragments(&self.frame, window, &placed, |fragment| {
                let centre = self.frame.centre(fragment.pixel);
                let turn = sample::turn(&placed.corners, centre);
                let [low, high] = [fragment.low, fragment.high];
                let depth =
                    if turn == 0 { low } else { sample::depth(&placed, centre, [low, high]) };
                let (pixel, side) = (fragment.pixel, usize::from(item.0));
                sheets.push(Sheet { pixel, side, low, high, turn, depth });
                broken(watch.steps(4))
            }))?;
        }
        watch.look()?;
        sheets.sort_unstable_by_key(|sheet| sheet.pixel);
        watch.look()?;
        let drawn = self.drawn(window, items, watch)?;
        let mut rest = drawn.as_deref();
        for sheets in sheets.chunk_by(|m, n| m.pixel == n.pixel) {
            watch.steps(sheets.len())?;
            let pixel = sheets[0].pixel;
            match &mut rest {
                None => self.add(sheets, &sheets.iter().map(Sheet::crossing), watch)?,
                Some(rest) => {
                    let before = rest.partition_point(|crossing| crossing.pixel < pixel);
                    let own = rest[before..].partition_point(|crossing| crossing.pixel == pixel);
                    let own = rest[before..][..own].iter();
                    let side = |c: &Crossing| usize::from(items[c.item as usize].0);
                    self.add(sheets, &own.map(|c| (side(c), c.turn, c.depth)), watch)?;
                }
            }
        }
        self.sums.passes += 1;
        self.sheets = sheets;
        Ok(())
    }

    /// The crossings in a window as an adapter draws them, if one does.
    fn drawn(
        &mut self,
        window: &Window,
        items: &[Item],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Crossing>>, DrawError> {
        let triangles: Vec<&Bounded> = items.iter().map(|&item| self.triangle(item)).collect();
        match self.drawer.draw(&self.frame, window, &triangles, watch)? {
            Ok(Drawn { crossings, backend, submissions }) => {
                self.sums.submissions += submissions;
                self.drawn_by(backend);
                Ok(Some(crossings))
            }
            Err(backend) => {
                self.drawn_by(backend);
                Ok(None)
            }
        }
    }

    /// Notes what drew a window. The first reason to work in software stays.
    fn drawn_by(&mut self, backend: Backend) {
        if !matches!(self.sums.backend, Backend::Software(_)) {
            self.sums.backend = backend;
        }
    }

    /// Adds what a pixel tells.
    fn add(
        &mut self,
        sheets: &[Sheet],
        crossings: &(impl Iterator<Item = (usize, i32, f64)> + Clone),
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        let sums = &mut self.sums;
        let paired = self.column.pair(crossings, watch)?;
        for (side, (layers, whole)) in paired.into_iter().enumerate() {
            sums.layers[side] = sums.layers[side].max(layers as u32);
            sums.unpaired[side] += u64::from(!whole);
        }
        if paired.iter().any(|(_, whole)| !whole) {
            return Ok(());
        }
        let lengths = self.column.lengths(sheets, self.range, watch)?;
        let all = &mut sums.lengths;
        all.sampled += lengths.sampled;
        all.longest = all.longest.max(lengths.longest);
        for (all, own) in [(&mut all.least, lengths.least), (&mut all.most, lengths.most)] {
            *all = [all[0] + own[0], all[1].max(own[1])];
        }
        sums.contact_pixels += u64::from(!self.column.common.is_empty());
        let room = self.cap.saturating_sub(sums.seen.len());
        let seen = self.column.common.iter().take(room);
        sums.seen.extend(seen.map(|&common| Seen { pixel: sheets[0].pixel, common }));
        Ok(())
    }
}
