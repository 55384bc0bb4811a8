//! The mark that the last kernel of a submission writes.

use impinge_shaders::sentinel;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePassDescriptor, Device, Queue,
};

use crate::error::GpuError;
use crate::faults::Faults;
use crate::kernel::Kernel;

/// Size of token and mark, in bytes each.
pub(crate) const BYTES: u64 = 4;

#[derive(Debug)]
pub(crate) struct Marker {
    kernel: Kernel,
}

/// The mark of one submission: the expected value and the buffers.
#[derive(Debug)]
pub(crate) struct Mark {
    expected: u32,
    token: Buffer,
    buffer: Buffer,
}

impl Marker {
    pub(crate) fn new(device: &Device, faults: &Faults) -> Result<Self, GpuError> {
        let kernel = Kernel::new(device, faults, &sentinel::SHADER, sentinel::FINISH)?;
        Ok(Self { kernel })
    }

    /// The mark of submission `number`, in a new buffer that holds 0.
    pub(crate) fn begin(
        device: &Device,
        queue: &Queue,
        faults: &Faults,
        number: u64,
    ) -> Result<Mark, GpuError> {
        let expected = sentinel::token(number);
        let make = |label, usage| {
            let label = Some(label);
            device.create_buffer(&BufferDescriptor {
                label,
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        faults.guard(device, "the mark of a submission", || {
            let token = make("token", BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            let buffer = make("mark", BufferUsages::STORAGE | BufferUsages::COPY_SRC);
            queue.write_buffer(&token, 0, bytemuck::bytes_of(&expected));
            Mark { expected, token, buffer }
        })
    }

    /// Records the kernel that writes the mark.
    pub(crate) fn leave(
        &self,
        device: &Device,
        faults: &Faults,
        mark: &Mark,
        encoder: &mut CommandEncoder,
    ) -> Result<(), GpuError> {
        let resources = [mark.token.as_entire_binding(), mark.buffer.as_entire_binding()];
        let group = self.kernel.bind(device, faults, &resources)?;
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
            label: Some("mark"),
            timestamp_writes: None,
        });
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        Ok(())
    }
}

impl Mark {
    pub(crate) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Compares the bytes read back with the value that the kernel writes.
    pub(crate) fn check(&self, what: &str, bytes: &[u8]) -> Result<(), GpuError> {
        check(self.expected, what, bytes)
    }
}

fn check(expected: u32, what: &str, bytes: &[u8]) -> Result<(), GpuError> {
    if bytes == bytemuck::bytes_of(&expected) {
        return Ok(());
    }
    let missing = format!("its mark {expected} is not there, but {bytes:?}");
    Err(GpuError::NotRun { what: what.to_owned(), missing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_mark_is_taken() {
        for number in [0, 1, 1000, u64::from(u32::MAX)] {
            let expected = sentinel::token(number);
            assert_eq!(check(expected, "x", &expected.to_ne_bytes()), Ok(()));
            let others = [0, sentinel::token(number + 1), u32::MAX];
            for other in others {
                let error = check(expected, "x", &other.to_ne_bytes());
                assert!(matches!(error, Err(GpuError::NotRun { .. })), "{number} {other}");
            }
            assert!(check(expected, "x", &[]).is_err());
        }
    }
}
