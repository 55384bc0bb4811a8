//! Pairs of triangles that meet, found in the layers of an image and decided exactly.
//!
//! Both triangles of such a pair touch the pixel of a common point, and their ranges of depth there
//! share that point's depth. So the pairs that overlap in a pixel contain all that meet.

use std::ops::ControlFlow;

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;
use impinge_query::driver::{MeshModel, Query};
use impinge_query::{Cancelled, Contact, Contacts, Counter, Pictures, Side};

use super::crowd::Crowd;
use super::draw::fragments;
use super::frame::Frame;
use super::lists::Lists;
use super::watch::Watch;
use impinge_query::lists::{Bounded, bounds, meet};

/// Fragments per triangle, and pixels, at most, beside [`FREE`].
const FRAGMENTS: usize = 4;

/// Fragments and pixels that an image may have, however few triangles.
const FREE: usize = 1 << 12;

/// Buffers of a search, kept to reuse their allocations.
#[derive(Clone, Debug, Default)]
pub struct Space {
    of_a: Vec<Bounded>,
    of_b: Vec<Bounded>,
    lists: Lists,
    crowd: Crowd,
    /// For each triangle of B, the triangle of A it was last compared with.
    last: Vec<u32>,
}

/// Finds contacts among lists of triangles: an image of the region where they can meet tells which
/// pairs to test, and exact arithmetic decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Most pixels along a side of the image, clamped to 1 … 4096.
    pub resolution: u32,
}

impl Guide {
    /// Gives every pair of triangles `of_a` and `of_b` that meets in `region` to `found`, each once,
    /// until no more are wanted; no pair that does not meet. The lists have no index twice. `region`
    /// is in A's frame, and a box around either list is such a region.
    ///
    /// Time is near linear in the triangles whose boxes meet the region, except that of triangles that
    /// coincide in great number all pairs are compared. Memory is linear.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn contacts_among<C: Counter, M: MeshModel>(
        self,
        query: &Query<'_, M>,
        [of_a, of_b]: [impl Iterator<Item = u32>; 2],
        region: &Aabb,
        space: &mut Space,
        counter: &mut C,
        found: &mut Contacts,
    ) -> Result<(), Cancelled> {
        let mut watch = Watch::new(query.control);
        match self.begin(query, [of_a, of_b], region, space, (counter, &mut watch))? {
            Some(frame) => space.decide(&frame, &mut watch, counter, found),
            None => Ok(()),
        }
    }

    /// Collects the triangles, and chooses the view; `None` if no pair can meet.
    pub(crate) fn begin<C: Counter, M: MeshModel>(
        self,
        query: &Query<'_, M>,
        [of_a, of_b]: [impl Iterator<Item = u32>; 2],
        region: &Aabb,
        space: &mut Space,
        (counter, watch): (&mut C, &mut Watch<'_>),
    ) -> Result<Option<Frame>, Cancelled> {
        counter.stage("gather", |_| {
            let mesh = query.subject(Side::A).mesh();
            gather(&mut space.of_a, of_a.map(|t| (t, mesh.triangle(t))), region, watch)?;
            gather(&mut space.of_b, of_b.map(|t| (t, query.posed(t))), region, watch)?;
            let Some(region) = space.shrink(region, watch)? else { return Ok(None) };
            self.frame(&region, [&space.of_a, &space.of_b], watch).map(Some)
        })
    }

    /// The view along the shortest side of the region. It has about as many pixels as triangles are
    /// drawn into lists, and fewer if triangles would cover many.
    fn frame(
        self,
        region: &Aabb,
        all: [&[Bounded]; 2],
        watch: &mut Watch<'_>,
    ) -> Result<Frame, Cancelled> {
        let extent = region.max.coords * 0.5 - region.min.coords * 0.5;
        let depth = extent.imin();
        let [u, v] = [extent[(depth + 1) % 3], extent[(depth + 2) % 3]];
        let reach = reach(region, all, watch)?;
        // Columns times rows as many as triangles; the cast saturates, and makes 0 of NaN.
        let fitting = (all[1].len() as f64 * (u.max(v) / u.min(v))).sqrt().ceil();
        let mut most = (fitting as u32).clamp(1, self.resolution.clamp(1, 4096));
        let pixels = FRAGMENTS * (all[0].len() + all[1].len()) + FREE;
        loop {
            let frame = Frame::new(region, depth, most, reach);
            let few = frame.count() <= pixels;
            if most == 1 || few && fit(&frame, all[0], watch)? && fit(&frame, all[1], watch)? {
                return Ok(frame);
            }
            most = most.div_ceil(2);
        }
    }
}

/// Whether the triangles cover few enough pixels.
fn fit(frame: &Frame, all: &[Bounded], watch: &mut Watch<'_>) -> Result<bool, Cancelled> {
    let most = FRAGMENTS * all.len() + FREE;
    let mut sum = 0;
    for t in all {
        watch.step()?;
        if let Some(spans) = frame.pixels(&t.low, &t.high) {
            sum += spans.map(|[first, last]| (last - first + 1) as usize).iter().product::<usize>();
        }
        if sum > most {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The greatest distance of a coordinate from that of the least corner.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn reach(
    region: &Aabb,
    all: [&[Bounded]; 2],
    watch: &mut Watch<'_>,
) -> Result<f64, Cancelled> {
    let far = |p: &Point| (p - region.min).amax();
    let mut most = 0.0_f64;
    for t in all.into_iter().flatten() {
        watch.step()?;
        most = most.max(far(&t.low)).max(far(&t.high));
    }
    Ok(most)
}

/// Collects the triangles whose boxes meet the region.
pub(crate) fn gather(
    into: &mut Vec<Bounded>,
    triangles: impl Iterator<Item = (u32, impinge_geometry::Triangle)>,
    region: &Aabb,
    watch: &mut Watch<'_>,
) -> Result<(), Cancelled> {
    into.clear();
    for (index, corners) in triangles {
        watch.step()?;
        let t = Bounded::new(index, corners);
        if t.reaches(region) {
            into.push(t);
        }
    }
    Ok(())
}

impl Space {
    /// The part of the region where the boxes around both lists meet, and only the triangles that
    /// reach into it; `None` if there is no such part.
    fn shrink(&mut self, region: &Aabb, watch: &mut Watch<'_>) -> Result<Option<Aabb>, Cancelled> {
        let around = |all: &[Bounded]| bounds(all).map(|(min, max)| Aabb { min, max });
        watch.look()?;
        let around_a = around(&self.of_a);
        watch.look()?;
        let both = around_a.zip(around(&self.of_b));
        watch.look()?;
        let region = both.and_then(|(a, b)| a.intersection(&b)?.intersection(region));
        let Some(region) = region else { return Ok(None) };
        self.of_a.retain(|t| t.reaches(&region));
        watch.look()?;
        self.of_b.retain(|t| t.reaches(&region));
        watch.look()?;
        Ok((!self.of_a.is_empty() && !self.of_b.is_empty()).then_some(region))
    }

    /// The triangles of A, and those of B, that may meet.
    pub(crate) fn triangles(&self) -> [&[Bounded]; 2] {
        [&self.of_a, &self.of_b]
    }

    /// Draws the layers, and tests the pairs that overlap in them.
    pub(crate) fn decide<C: Counter>(
        &mut self,
        frame: &Frame,
        watch: &mut Watch<'_>,
        counter: &mut C,
        found: &mut Contacts,
    ) -> Result<(), Cancelled> {
        counter.stage("layers", |counter| {
            let vertices = 3 * (self.of_a.len() + self.of_b.len()) as u64;
            counter.drawn(Pictures { count: 1, vertices, pixels: frame.count() as u64 });
            self.draw(frame, watch)?;
            self.crowd.find(frame, [&self.of_a, &self.of_b], &self.lists, watch)
        })?;
        counter.stage("triangles", |counter| self.pair(frame, watch, counter, found))
    }

    /// Draws B's triangles into lists.
    fn draw(&mut self, frame: &Frame, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        self.lists.clear();
        for (item, t) in (0..).zip(&self.of_b) {
            watch.step()?;
            let flow = fragments(frame, &frame.window(), &frame.place(&t.corners), |fragment| {
                self.lists.push(fragment, item);
                broken(watch.step())
            });
            unbroken(flow)?;
        }
        self.lists.sort(frame.count(), watch)
    }

    /// Compares A's triangles with the layers that they overlap, each pair once; those over crowded
    /// pixels with one another by their boxes.
    fn pair<C: Counter>(
        &mut self,
        frame: &Frame,
        watch: &mut Watch<'_>,
        counter: &mut C,
        found: &mut Contacts,
    ) -> Result<(), Cancelled> {
        let Self { of_a, of_b, lists, crowd, last } = self;
        last.clear();
        last.resize(of_b.len(), u32::MAX);
        for (round, s) in (0..).zip(of_a.iter()) {
            watch.step()?;
            let crowded = crowd.has(0, round);
            let flow = fragments(frame, &frame.window(), &frame.place(&s.corners), |fragment| {
                broken(watch.step())?;
                if crowded && crowd.has_pixel(fragment.pixel) {
                    return ControlFlow::Continue(());
                }
                lists.overlapping(&fragment, &mut |item| {
                    if crowded && crowd.has(1, item) {
                        return broken(watch.step());
                    }
                    let t = &of_b[item as usize];
                    if std::mem::replace(&mut last[item as usize], round) == round {
                        return broken(watch.step());
                    }
                    counter.volumes(1);
                    let meets = s.overlaps(t) && {
                        // A test of triangles takes about as long as eight of boxes.
                        broken(watch.steps(8))?;
                        meet(&s.corners, &t.corners, counter)
                    };
                    if meets && found.take(Contact { a: s.index, b: t.index }).is_break() {
                        return ControlFlow::Break(None);
                    }
                    broken(watch.step())
                })
            });
            match flow {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(None) => return Ok(()),
                ControlFlow::Break(Some(cancelled)) => return Err(cancelled),
            }
        }
        crowd.meet([of_a, of_b], watch, counter, found)
    }
}

/// Breaks off if the caller cancelled; a break without that is a search that is done.
pub(crate) fn broken(looked: Result<(), Cancelled>) -> ControlFlow<Option<Cancelled>> {
    looked.map_or_else(|cancelled| ControlFlow::Break(Some(cancelled)), ControlFlow::Continue)
}

/// Whether a loop went to its end.
pub(crate) fn unbroken(flow: ControlFlow<Option<Cancelled>>) -> Result<(), Cancelled> {
    match flow {
        ControlFlow::Break(Some(cancelled)) => Err(cancelled),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(()),
    }
}
