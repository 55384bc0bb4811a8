//! Work for the device: recorded, submitted once, and read back.

use std::time::Duration;

use wgpu::{
    BindingResource, Buffer, BufferUsages, CommandEncoder, CommandEncoderDescriptor, ComputePass,
    ComputePassDescriptor, Features, QuerySet, QuerySetDescriptor, QueryType, Texture,
    TextureAspect,
};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::kernel::Kernel;
use crate::mark::{self, Mark, Marker};
use crate::readback::{Reads, Slot};

/// Work that is being recorded. Put many items into one submission, since each costs a round trip
/// of some milliseconds.
///
/// Nothing runs before [`Submission::run`]; a dropped submission does nothing.
#[derive(Debug)]
pub struct Submission {
    gpu: Gpu,
    what: String,
    encoder: CommandEncoder,
    reads: Reads,
    mark: Mark,
    clock: Option<Clock>,
}

/// Start and end timestamps of the device.
#[derive(Debug)]
struct Clock {
    set: QuerySet,
    resolved: Buffer,
}

/// Bytes of both timestamps, in ticks.
const CLOCK_BYTES: u64 = 16;

/// The results of a submission that ran to completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    bytes: Vec<Vec<u8>>,
    /// Time on the device from first to last command; `None` if it has no timestamps.
    pub time: Option<Duration>,
}

impl Ran {
    /// The bytes of a read-back; of an image, rows without padding. May be empty for a slot of
    /// another submission.
    pub fn bytes(&self, slot: Slot) -> &[u8] {
        self.bytes.get(slot.0).map_or(&[], Vec::as_slice)
    }

    /// The same bytes as 32-bit words.
    pub fn words(&self, slot: Slot) -> Vec<u32> {
        let word = |four: &[u8; 4]| u32::from_ne_bytes(*four);
        self.bytes(slot).as_chunks().0.iter().map(word).collect()
    }
}

impl Gpu {
    /// Begins a submission; `what` names it in errors.
    ///
    /// # Errors
    /// [`GpuError`] if the device is lost or out of memory.
    pub fn submission(&self, what: &str) -> Result<Submission, GpuError> {
        let number = self.tally().submission();
        let mark = Marker::begin(self.device(), self.queue(), self.faults(), number)?;
        let clock = self.clock()?;
        let descriptor = CommandEncoderDescriptor { label: Some(what) };
        let encoder = self.guard(what, || {
            let mut encoder = self.device().create_command_encoder(&descriptor);
            if let Some(clock) = &clock {
                encoder.write_timestamp(&clock.set, 0);
            }
            encoder
        })?;
        let (gpu, what) = (self.clone(), what.to_owned());
        Ok(Submission { gpu, what, encoder, reads: Reads::default(), mark, clock })
    }

    fn clock(&self) -> Result<Option<Clock>, GpuError> {
        let needed = Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        if !self.device().features().contains(needed) {
            return Ok(None);
        }
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        let resolved = self.buffer("times", usage, CLOCK_BYTES)?;
        let (label, ty) = (Some("times"), QueryType::Timestamp);
        let descriptor = QuerySetDescriptor { label, ty, count: 2 };
        let set = self.guard("times", || self.device().create_query_set(&descriptor))?;
        Ok(Some(Clock { set, resolved }))
    }
}

impl Submission {
    /// The library's encoder, for passes that this type has no function for. [`Submission::run`]
    /// reports their errors.
    pub fn encoder(&mut self) -> &mut CommandEncoder {
        &mut self.encoder
    }

    pub(crate) const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Records one pass of `groups` workgroups of a kernel, with resources in the order of their
    /// bindings.
    ///
    /// # Errors
    /// [`GpuError::Refused`] if the resources do not match the kernel's bindings.
    pub fn dispatch(
        &mut self,
        kernel: &Kernel,
        resources: &[BindingResource<'_>],
        groups: [u32; 3],
    ) -> Result<(), GpuError> {
        self.compute(kernel, resources, |pass| {
            pass.dispatch_workgroups(groups[0], groups[1], groups[2]);
        })
    }

    /// Records one pass of a kernel, whose workgroups along x, y, z are the first three words of
    /// `groups` when the pass begins. That buffer was made for `INDIRECT`, and is none of the
    /// resources. A count beyond the device's limits runs nothing.
    ///
    /// # Errors
    /// As [`Submission::dispatch`].
    pub fn dispatch_indirect(
        &mut self,
        kernel: &Kernel,
        resources: &[BindingResource<'_>],
        groups: &Buffer,
    ) -> Result<(), GpuError> {
        self.compute(kernel, resources, |pass| pass.dispatch_workgroups_indirect(groups, 0))
    }

    fn compute(
        &mut self,
        kernel: &Kernel,
        resources: &[BindingResource<'_>],
        dispatch: impl FnOnce(&mut ComputePass<'_>),
    ) -> Result<(), GpuError> {
        let group = kernel.bind(self.gpu.device(), self.gpu.faults(), resources)?;
        let mut pass = self.encoder.begin_compute_pass(&ComputePassDescriptor {
            label: Some(kernel.name()),
            timestamp_writes: None,
        });
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &group, &[]);
        dispatch(&mut pass);
        Ok(())
    }

    /// Reads back the first `bytes` bytes of a buffer after all recorded work, also work recorded
    /// later. The buffer must have usage `COPY_SRC`.
    pub fn read_buffer(&mut self, buffer: &Buffer, bytes: u64) -> Slot {
        self.reads.buffer(buffer, bytes)
    }

    /// Reads back an image after all recorded work, also work recorded later. The image must have
    /// usage `COPY_SRC`.
    ///
    /// # Errors
    /// [`GpuError::Refused`] if texels of this aspect cannot be copied.
    pub fn read_image(
        &mut self,
        texture: &Texture,
        aspect: TextureAspect,
    ) -> Result<Slot, GpuError> {
        self.reads.image(texture, aspect).ok_or_else(|| GpuError::Refused {
            what: self.what.clone(),
            message: format!("{:?} of {:?} cannot be read back", aspect, texture.format()),
        })
    }

    /// Submits the work, waits, and reads back.
    ///
    /// # Errors
    /// [`GpuError`] if anything recorded was refused, the device was lost, the time ran out, or the
    /// mark is missing.
    pub fn run(self) -> Result<Ran, GpuError> {
        let gpu = self.gpu.clone();
        self.submit(true).map_err(|error| gpu.faults().settled(gpu.device(), error))
    }

    /// `marked` is false only in the test that a missing mark is noticed.
    fn submit(self, marked: bool) -> Result<Ran, GpuError> {
        let Self { gpu, what, mut encoder, mut reads, mark, clock } = self;
        if marked {
            gpu.marker().leave(gpu.device(), gpu.faults(), &mark, &mut encoder)?;
        }
        if let Some(Clock { set, resolved }) = &clock {
            encoder.write_timestamp(set, 1);
            encoder.resolve_query_set(set, 0..2, resolved, 0);
        }
        let own_mark = reads.buffer(mark.buffer(), mark::BYTES);
        let own_clock = clock.map(|clock| reads.buffer(&clock.resolved, CLOCK_BYTES));
        // Timestamps resolved and copied in one command buffer read as 0 on some drivers.
        let label = Some("read-back");
        let mut copies = gpu.device().create_command_encoder(&CommandEncoderDescriptor { label });
        let staging = reads.record(&gpu, &what, &mut copies)?;
        let index = gpu.guard(&what, || gpu.queue().submit([encoder.finish(), copies.finish()]))?;
        let bytes = reads.fetch(&gpu, &what, &staging, index)?;
        let mut ran = Ran { bytes, time: None };
        mark.check(&what, ran.bytes(own_mark))?;
        ran.time = own_clock.and_then(|slot| elapsed(&gpu, ran.bytes(slot)));
        Ok(ran)
    }
}

/// The time between two timestamps; `None` if the clock ran backwards.
fn elapsed(gpu: &Gpu, bytes: &[u8]) -> Option<Duration> {
    let [start, end] = bytes.as_chunks::<8>().0 else { return None };
    let ticks = u64::from_ne_bytes(*end).checked_sub(u64::from_ne_bytes(*start))?;
    let nanoseconds = ticks as f64 * f64::from(gpu.queue().get_timestamp_period());
    Some(Duration::from_nanos(nanoseconds as u64))
}

#[cfg(test)]
mod gpu_tests {
    use super::*;
    use crate::{Preference, Request};

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn a_submission_without_its_mark_is_found_out() {
        let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
        let preference = if software { Preference::Software } else { Preference::Any };
        let request = Request { preference, ..Request::default() };
        let gpu = Gpu::open(&request).unwrap_or_else(|error| panic!("{error}"));
        let usage = BufferUsages::COPY_SRC;
        let buffer = gpu.buffer("zeros", usage, 64).expect("a small buffer");
        for (marked, ran) in [(true, true), (false, false), (true, true)] {
            let mut submission = gpu.submission("a read-back").expect("the device is there");
            let slot = submission.read_buffer(&buffer, 64);
            let outcome = submission.submit(marked);
            assert_eq!(outcome.is_ok(), ran);
            match outcome {
                Ok(ran) => assert_eq!(ran.words(slot), [0; 16]),
                Err(error) => assert!(matches!(error, GpuError::NotRun { .. }), "{error}"),
            }
        }
    }
}
