//! Creating and filling buffers, with sizes checked before the driver sees them.

use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::error::GpuError;
use crate::gpu::Gpu;

/// Copies move whole words of this many bytes.
pub(crate) const WORD: u64 = 4;

impl Gpu {
    /// Creates a buffer of at least `bytes` bytes, all 0, rounded up to whole words (never empty).
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] beyond what the device allows for this usage, or a failure of the
    /// driver; `what` names the buffer.
    pub fn buffer(&self, what: &str, usage: BufferUsages, bytes: u64) -> Result<Buffer, GpuError> {
        let limits = self.device().limits();
        let mut limit = limits.max_buffer_size;
        if usage.contains(BufferUsages::STORAGE) {
            limit = limit.min(limits.max_storage_buffer_binding_size);
        }
        if usage.contains(BufferUsages::UNIFORM) {
            limit = limit.min(limits.max_uniform_buffer_binding_size);
        }
        let size = bytes.max(1).checked_next_multiple_of(WORD).unwrap_or(u64::MAX);
        if size > limit {
            return Err(GpuError::TooLarge { what: what.to_owned(), bytes, limit });
        }
        let descriptor =
            BufferDescriptor { label: Some(what), size, usage, mapped_at_creation: false };
        self.guard(what, || self.device().create_buffer(&descriptor))
    }

    /// Creates a buffer with the contents `bytes`.
    ///
    /// # Errors
    /// As [`Gpu::buffer`].
    pub fn upload(
        &self,
        what: &str,
        usage: BufferUsages,
        bytes: &[u8],
    ) -> Result<Buffer, GpuError> {
        let buffer = self.buffer(what, usage | BufferUsages::COPY_DST, bytes.len() as u64)?;
        let whole = bytes.len() - bytes.len() % WORD as usize;
        let (words, rest) = bytes.split_at(whole);
        let mut last = [0; WORD as usize];
        last[..rest.len()].copy_from_slice(rest);
        self.guard(what, || {
            if !words.is_empty() {
                self.queue().write_buffer(&buffer, 0, words);
            }
            if !rest.is_empty() {
                self.queue().write_buffer(&buffer, whole as u64, &last);
            }
        })?;
        self.tally().uploaded(bytes.len() as u64);
        Ok(buffer)
    }
}
