//! Reading back results of a submission: one staging buffer for everything, mapped once.

use std::sync::mpsc;

use wgpu::{
    Buffer, BufferUsages, CommandEncoder, MapMode, Origin3d, TexelCopyBufferInfo,
    TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureAspect,
};

use crate::buffers::WORD;
use crate::error::GpuError;
use crate::gpu::Gpu;

/// Alignment, in bytes, of the rows of an image in a buffer; used for everything read back.
const ALIGNMENT: u64 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as u64;

/// Identifies one read-back in [`Ran`](crate::Ran).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(pub(crate) usize);

#[derive(Clone, Debug)]
enum Source {
    Buffer(Buffer, u64),
    Image { texture: Texture, aspect: TextureAspect, texel: u64 },
}

/// All items that are read back, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads(Vec<Source>);

/// The layout of an item in the staging buffer: bytes used per row, bytes between rows, rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    row: u64,
    pitch: u64,
    rows: u64,
}

impl Source {
    fn shape(&self) -> Shape {
        match self {
            Self::Buffer(_, bytes) => Shape { row: *bytes, pitch: *bytes, rows: 1 },
            Self::Image { texture, texel, .. } => {
                let row = u64::from(texture.width()) * texel;
                let pitch = row.next_multiple_of(ALIGNMENT);
                Shape { row, pitch, rows: u64::from(texture.height()) }
            }
        }
    }

    /// Bytes in the staging buffer.
    fn span(&self) -> u64 {
        let Shape { pitch, rows, .. } = self.shape();
        pitch.saturating_mul(rows).next_multiple_of(ALIGNMENT)
    }

    fn copy(&self, encoder: &mut CommandEncoder, staging: &Buffer, offset: u64) {
        match self {
            Self::Buffer(buffer, bytes) => {
                let whole = bytes.next_multiple_of(WORD);
                encoder.copy_buffer_to_buffer(buffer, 0, staging, offset, whole);
            }
            Self::Image { texture, aspect, .. } => {
                let Shape { pitch, rows, .. } = self.shape();
                let from = TexelCopyTextureInfo {
                    texture,
                    mip_level: 0,
                    origin: Origin3d::ZERO,
                    aspect: *aspect,
                };
                let layout = TexelCopyBufferLayout {
                    offset,
                    bytes_per_row: u32::try_from(pitch).ok(),
                    rows_per_image: u32::try_from(rows).ok(),
                };
                let to = TexelCopyBufferInfo { buffer: staging, layout };
                encoder.copy_texture_to_buffer(from, to, texture.size());
            }
        }
    }
}

impl Reads {
    /// Adds the first `bytes` bytes of a buffer.
    pub(crate) fn buffer(&mut self, buffer: &Buffer, bytes: u64) -> Slot {
        self.push(Source::Buffer(buffer.clone(), bytes))
    }

    /// Adds a whole image; `None` if its texels of that aspect cannot be copied.
    pub(crate) fn image(&mut self, texture: &Texture, aspect: TextureAspect) -> Option<Slot> {
        let texel = u64::from(texture.format().block_copy_size(Some(aspect))?);
        Some(self.push(Source::Image { texture: texture.clone(), aspect, texel }))
    }

    fn push(&mut self, source: Source) -> Slot {
        self.0.push(source);
        Slot(self.0.len() - 1)
    }

    /// Records the copies into a new staging buffer.
    pub(crate) fn record(
        &self,
        gpu: &Gpu,
        what: &str,
        encoder: &mut CommandEncoder,
    ) -> Result<Buffer, GpuError> {
        let total = self.0.iter().map(Source::span).fold(0, u64::saturating_add);
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let staging = gpu.buffer(&format!("read-back of {what}"), usage, total)?;
        let mut offset = 0;
        for source in &self.0 {
            if source.shape().row > 0 {
                source.copy(encoder, &staging, offset);
            }
            offset += source.span();
        }
        Ok(staging)
    }

    /// The bytes of every item, without the padding between rows.
    fn cut(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut offset = 0;
        let mut take = |source: &Source| {
            let Shape { row, pitch, rows } = source.shape();
            let mut own = Vec::new();
            for k in 0..rows {
                let start = (offset + k * pitch) as usize;
                own.extend_from_slice(bytes.get(start..start + row as usize).unwrap_or_default());
            }
            offset += source.span();
            own
        };
        self.0.iter().map(&mut take).collect()
    }

    /// Waits for submission `index` and fetches the bytes of every item.
    pub(crate) fn fetch(
        &self,
        gpu: &Gpu,
        what: &str,
        staging: &Buffer,
        index: wgpu::SubmissionIndex,
    ) -> Result<Vec<Vec<u8>>, GpuError> {
        let (say, hear) = mpsc::channel();
        let bytes = gpu.guard(what, || {
            staging.map_async(MapMode::Read, .., move |outcome| {
                // After a timeout the receiver is gone.
                let _ = say.send(outcome);
            });
            let timeout = Some(gpu.timeout());
            let wait = wgpu::PollType::Wait { submission_index: Some(index), timeout };
            match gpu.device().poll(wait) {
                Ok(_) => {}
                Err(wgpu::PollError::Timeout) => {
                    let (what, limit) = (what.to_owned(), gpu.timeout());
                    return Err(GpuError::Timeout { what, limit });
                }
                Err(error) => return Err(not_run(what, &error)),
            }
            // The callback may still be running in a thread that polled at the same time.
            match hear.recv_timeout(gpu.timeout()) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(not_run(what, &error)),
                Err(_) => return Err(not_run(what, &"its read-back was never mapped")),
            }
            let view = staging.get_mapped_range(..).map_err(|error| not_run(what, &error))?;
            Ok(self.cut(&view))
        })??;
        staging.unmap();
        let total: usize = bytes.iter().map(Vec::len).sum();
        gpu.tally().downloaded(total as u64);
        Ok(bytes)
    }
}

fn not_run(what: &str, why: &dyn std::fmt::Display) -> GpuError {
    GpuError::NotRun { what: what.to_owned(), missing: why.to_string() }
}
