//! The baseline's form: the image is trusted.
//!
//! 1. For every part of A and every part of B: the pair is skipped if their boxes do not meet.
//! 2. The others are drawn in the view of their boxes' intersection. A pixel of value 2 in either
//!    direction is a collision, and the search ends.
//! 3. Pairs are drawn in batches of doubling size: an early collision ends the search early, and an
//!    adapter's latency is paid only a few times.
//!
//! Parts without volume cannot be drawn; their triangles decide.

use impinge_geometry::volume::Aabb;
use impinge_query::{Contact, Control, Counter, QueryError};

use super::model::RecodeModel;
use super::overlap::{self, Placed};
use crate::sampled::{Sampling, Viewed};

/// Most pairs per batch. Larger: more memory.
const MOST: usize = 1024;

/// A contact that represents the collision, if the image shows one.
pub(super) fn contact<C: Counter>(
    sampling: &mut Sampling<'_, RecodeModel>,
    posed: &mut Placed,
    counter: &mut C,
) -> Result<Option<Contact>, QueryError> {
    let (pair, control) = (sampling.pair, sampling.control);
    posed.place(pair.b, pair.pose);
    counter.updated(posed.boxes.len() as u64);
    let mut meetings = Meetings::new([pair.a.boxes(), &posed.boxes]);
    let mut size = 1;
    loop {
        let views = counter.stage("boxes", |counter| meetings.next(size, counter, control))?;
        if views.is_empty() {
            return Ok(None);
        }
        let seen = counter.stage("image", |counter| sampling.look(&views, counter))?;
        for ((parts, _), seen) in views.into_iter().zip(seen) {
            let contact = sampling.contact(parts, seen, counter)?;
            if contact.is_some() {
                return Ok(contact);
            }
        }
        size = (2 * size).min(MOST);
    }
}

/// Enumerates all pairs of parts whose boxes meet.
struct Meetings<'b> {
    boxes: [&'b [Aabb]; 2],
    at: [usize; 2],
}

impl<'b> Meetings<'b> {
    fn new(boxes: [&'b [Aabb]; 2]) -> Self {
        Self { boxes, at: [0, 0] }
    }

    /// The next pairs, at most `most`, each with its view; empty at the end.
    fn next<C: Counter>(
        &mut self,
        most: usize,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<Vec<Viewed>, QueryError> {
        let [of_a, of_b] = self.boxes;
        let mut views = Vec::new();
        while let Some(a) = of_a.get(self.at[0]) {
            control.check()?;
            let row = of_b[self.at[1]..].iter();
            for b in row {
                let parts = self.at.map(|part| part as u32);
                self.at[1] += 1;
                counter.volumes(1);
                if a.overlaps(b) {
                    views.push((parts, overlap::view(a, b)));
                    if views.len() == most {
                        return Ok(views);
                    }
                }
            }
            self.at = [self.at[0] + 1, 0];
        }
        Ok(views)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::{Point, Vector};
    use impinge_query::Statistics;

    #[test]
    fn every_pair_whose_boxes_meet_comes_once_in_parts_of_any_size() {
        let at = |x: f64| Aabb {
            min: Point::new(x, 0.0, 0.0),
            max: Point::new(x, 0.0, 0.0) + Vector::repeat(1.0),
        };
        let a: Vec<Aabb> = (0..7).map(|k| at(f64::from(k))).collect();
        let b: Vec<Aabb> = (0..5).map(|k| at(1.5 * f64::from(k))).collect();
        let mut wanted = Vec::new();
        for (m, n) in (0..7).flat_map(|m| (0..5).map(move |n| (m, n))) {
            if a[m].overlaps(&b[n]) {
                wanted.push([m as u32, n as u32]);
            }
        }
        for size in [1, 3, 100] {
            let (mut meetings, mut counter) = (Meetings::new([&a, &b]), Statistics::default());
            let mut found = Vec::new();
            loop {
                let some =
                    meetings.next(size, &mut counter, &Control::NONE).expect("not cancelled");
                if some.is_empty() {
                    break;
                }
                assert!(some.len() <= size);
                found.extend(some.into_iter().map(|(parts, _)| parts));
            }
            assert_eq!(found, wanted);
            assert_eq!(counter.volume_tests, 35);
        }
    }
}
