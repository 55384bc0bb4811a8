//! What the kernels leave to the processor: pairs that are not a miss.

use std::ops::ControlFlow;

use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{GpuError, Submission};
use impinge_query::{Cancelled, Counter, order};
use impinge_shaders::stream::{FOUND, OPEN, UNDRAWN};

use super::adapter::Trouble;
use super::work::Work;
use crate::pass::Pass;

/// Pairs that are read with the counts. Of more, the rest is read in a submission of its own.
const AHEAD: u32 = 1 << 10;

/// An edge and a triangle, with `OPEN` if they are not decided.
pub(super) type Listed = [u32; 2];

/// Bytes of an entry of `N` words in a list.
pub(crate) const fn bytes<const N: usize>() -> u64 {
    4 * N as u64
}

/// That all pairs that were to be drawn were.
pub(super) fn all_drawn(counts: &[u32]) -> Result<(), Trouble> {
    match counts[UNDRAWN] {
        0 => Ok(()),
        left => Err(Trouble::Failed(format!("{left} pairs were not drawn"))),
    }
}

/// Counts and the list of pairs found, of `N` words each, on the adapter.
#[derive(Debug)]
pub(crate) struct Lists<const N: usize> {
    pub(crate) counts: Buffer,
    pub(crate) found: Buffer,
    room: u32,
}

impl<const N: usize> Lists<N> {
    pub(crate) fn new(work: &Work<'_>, counts: Buffer) -> Result<Self, GpuError> {
        let room = work.rooms.found;
        let found = work.list("pairs found", room, bytes::<N>())?;
        Ok(Self { counts, found, room })
    }

    /// Runs the work and reads the counts, and the pairs if all of them are in the list.
    pub(crate) fn read(
        &self,
        work: &mut Work<'_>,
        mut submission: Submission,
    ) -> Result<(Vec<u32>, Vec<[u32; N]>), Trouble> {
        let ahead = self.room.min(AHEAD);
        let counts = submission.read_buffer(&self.counts, self.counts.size());
        let begin = submission.read_buffer(&self.found, u64::from(ahead) * bytes::<N>());
        let ran = work.run(submission)?;
        let (counts, mut words) = (ran.words(counts), ran.words(begin));
        let Some(&found) = counts.get(FOUND) else {
            return Err(Trouble::Failed("no counts were read".to_owned()));
        };
        all_drawn(&counts)?;
        if found > ahead && found <= self.room {
            let mut rest = work.adapter.gpu.submission("pairs found")?;
            let whole = rest.read_buffer(&self.found, u64::from(found) * bytes::<N>());
            words = work.run(rest)?.words(whole);
        }
        let mut pairs: Vec<[u32; N]> = words.as_chunks().0.to_vec();
        pairs.truncate(found as usize);
        Ok((counts, pairs))
    }
}

impl<C: Counter> Pass<'_, '_, C> {
    /// Decides the pairs that an adapter found in so many tests, in the order of triangles and
    /// edges, whatever the order of the list.
    pub(super) fn take(
        &mut self,
        pairs: &mut [Listed],
        tests: u64,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let key = |&[edge, face]: &Listed| u64::from(face & !OPEN) << 32 | u64::from(edge);
        order::sort_by(pairs, key, |list| list.sort_unstable_by_key(key), self.control)?;
        let open = pairs.iter().filter(|[_, face]| face & OPEN != 0).count();
        self.counter.primitives(tests);
        self.decided.settled += tests - open as u64;
        for (index, &[edge, face]) in pairs.iter().enumerate() {
            if index % 64 == 0 {
                self.control.check()?;
            }
            let (t, unknown) = (face & !OPEN, face & OPEN != 0);
            if unknown {
                self.counter.exact(1);
                self.decided.resolved += 1;
            }
            if (!unknown || self.exactly(t, edge)) && self.hit(t, edge)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
