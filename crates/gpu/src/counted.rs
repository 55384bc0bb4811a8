//! Dispatches whose size an earlier kernel of the same submission has counted.

use impinge_shaders::dispatch;
use wgpu::{BindingResource, Buffer, BufferUsages};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::kernel::Kernel;
use crate::submission::Submission;

/// Bytes of three words: workgroups along x, y, z.
const GROUPS: u64 = 12;

/// Runs kernels on as many elements as a buffer says when they begin, without a round trip.
///
/// A kernel finds its element by `invocation` of `wgsl/invocation.wgsl`, and must leave
/// elements at and beyond the count alone: the last workgroup, and the last row of workgroups, may
/// reach beyond it.
#[derive(Clone, Debug)]
pub struct CountedDispatch {
    gpu: Gpu,
    plan: Kernel,
}

impl CountedDispatch {
    /// Compiles the kernel that turns counts into workgroups.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let plan = gpu.kernel(&dispatch::COUNTED, dispatch::PLAN)?;
        Ok(Self { gpu: gpu.clone(), plan })
    }

    /// Records a pass of `kernel` over as many invocations as the first word of `count` says at
    /// that moment. `count` was made for `STORAGE`; it may be one of the resources.
    ///
    /// # Errors
    /// [`GpuError`]; [`GpuError::Refused`] if a workgroup of the kernel is a single invocation, of
    /// which rows would be too long.
    pub fn record(
        &self,
        submission: &mut Submission,
        kernel: &Kernel,
        resources: &[BindingResource<'_>],
        count: &Buffer,
    ) -> Result<(), GpuError> {
        let size = kernel.invocations();
        if size < 2 {
            let message = "a counted dispatch needs workgroups of 2 invocations or more".to_owned();
            return Err(GpuError::Refused { what: kernel.name().to_owned(), message });
        }
        let size = self.gpu.upload("workgroup size", BufferUsages::UNIFORM, &size.to_ne_bytes())?;
        // A buffer that is bound for writing cannot be read by a dispatch of the same pass, so the
        // plan is copied.
        let planned = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let planned = self.gpu.buffer("planned workgroups", planned, GROUPS)?;
        let read = BufferUsages::INDIRECT | BufferUsages::COPY_DST;
        let groups = self.gpu.buffer("workgroups", read, GROUPS)?;
        let own = [count, &size, &planned].map(Buffer::as_entire_binding);
        submission.dispatch(&self.plan, &own, [1, 1, 1])?;
        submission.encoder().copy_buffer_to_buffer(&planned, 0, &groups, 0, GROUPS);
        submission.dispatch_indirect(kernel, resources, &groups)
    }
}
