//! Pairs of triangles that are likely to meet: neighbouring layers of A and B in a sampled picture.

use impinge_query::{Backend, Contact, Counter};

use super::drawer::{Drawer, Drawn};
use super::frame::Frame;
use super::watch::Watch;
use crate::backend::DrawError;
use impinge_query::lists::{Bounded, meet};

/// Most pairs that are tested because a picture shows them. More: a hit is found by the picture more
/// often, and a miss takes longer.
const TESTED: usize = 256;

/// Pairs of places in the lists of triangles, nearest first, and what drew them.
#[derive(Debug)]
pub(crate) struct Likely {
    pairs: Vec<(f64, [u32; 2])>,
    pub(crate) backend: Backend,
    pub(crate) submissions: u64,
}

impl Likely {
    /// Draws both lists. Without an adapter there are no pairs, since the search in software needs no
    /// other picture than its own.
    pub(crate) fn drawn(
        drawer: &Drawer,
        frame: &Frame,
        [of_a, of_b]: [&[Bounded]; 2],
        watch: &mut Watch<'_>,
    ) -> Result<Self, DrawError> {
        let all: Vec<&Bounded> = of_a.iter().chain(of_b).collect();
        let drawn = match drawer.draw(frame, &frame.window(), &all, watch)? {
            Ok(drawn) => drawn,
            Err(backend) => return Ok(Self { pairs: Vec::new(), backend, submissions: 0 }),
        };
        let Drawn { mut crossings, backend, submissions } = drawn;
        watch.look()?;
        crossings.sort_unstable_by(|m, n| {
            let deeper = m.depth.total_cmp(&n.depth).then(m.item.cmp(&n.item));
            m.pixel.cmp(&n.pixel).then(deeper)
        });
        watch.look()?;
        let (mut pairs, count) = (Vec::new(), of_a.len() as u32);
        for two in crossings.windows(2) {
            watch.step()?;
            let [m, n] = [two[0], two[1]];
            let (a, b) = if m.item < n.item { (m, n) } else { (n, m) };
            if m.pixel == n.pixel && a.item < count && count <= b.item {
                pairs.push((n.depth - m.depth, [a.item, b.item - count]));
            }
        }
        watch.look()?;
        pairs.sort_unstable_by(|m, n| m.0.total_cmp(&n.0).then(m.1.cmp(&n.1)));
        watch.look()?;
        pairs.truncate(TESTED);
        Ok(Self { pairs, backend, submissions })
    }

    /// The first of them that meets, exactly.
    pub(crate) fn test<C: Counter>(
        &self,
        [of_a, of_b]: [&[Bounded]; 2],
        counter: &mut C,
    ) -> Option<Contact> {
        let triangles =
            self.pairs.iter().map(|(_, [a, b])| (&of_a[*a as usize], &of_b[*b as usize]));
        let mut meeting = triangles.filter(|(s, t)| {
            counter.volumes(1);
            s.overlaps(t) && meet(&s.corners, &t.corners, counter)
        });
        meeting.next().map(|(s, t)| Contact { a: s.index, b: t.index })
    }
}
