//! Shaders and compute kernels.

use impinge_shaders::{Assembled, Shader, Stage};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, CompilationMessageType,
    ComputePipeline, ComputePipelineDescriptor, Device, ShaderModule, ShaderModuleDescriptor,
    ShaderSource,
};

use crate::error::GpuError;
use crate::faults::Faults;
use crate::gpu::Gpu;

/// A compute kernel, ready to run. Its bindings are all in group 0.
#[derive(Clone, Debug)]
pub struct Kernel {
    pipeline: ComputePipeline,
    name: &'static str,
    invocations: u32,
}

impl Kernel {
    pub(crate) fn new(
        device: &Device,
        faults: &Faults,
        shader: &Shader,
        entry: &'static str,
    ) -> Result<Self, GpuError> {
        let module = module(device, faults, shader)?;
        let descriptor = ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        };
        let pipeline =
            faults.guard(device, entry, || device.create_compute_pipeline(&descriptor))?;
        let found = shader.entries.iter().find(|found| found.name == entry);
        let invocations = match found.map(|found| found.stage) {
            Some(Stage::Compute { group }) => group.iter().product(),
            Some(Stage::Vertex | Stage::Fragment) | None => 1,
        };
        Ok(Self { pipeline, name: entry, invocations })
    }

    /// Invocations of a workgroup.
    pub const fn invocations(&self) -> u32 {
        self.invocations
    }

    /// The name of its entry point.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn pipeline(&self) -> &ComputePipeline {
        &self.pipeline
    }

    /// Binds resources in the order of their bindings.
    pub(crate) fn bind(
        &self,
        device: &Device,
        faults: &Faults,
        resources: &[BindingResource<'_>],
    ) -> Result<BindGroup, GpuError> {
        faults.guard(device, self.name, || {
            let layout = self.pipeline.get_bind_group_layout(0);
            bind_group(device, self.name, &layout, resources)
        })
    }
}

/// A bind group with resources numbered from 0.
pub(crate) fn bind_group(
    device: &Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[BindingResource<'_>],
) -> BindGroup {
    let entries: Vec<BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// Compiles a shader; errors name file and line.
fn module(device: &Device, faults: &Faults, shader: &Shader) -> Result<ShaderModule, GpuError> {
    let assembled = shader.assemble()?;
    compiled(device, faults, shader.name, &assembled)
}

fn compiled(
    device: &Device,
    faults: &Faults,
    name: &str,
    assembled: &Assembled,
) -> Result<ShaderModule, GpuError> {
    let source = ShaderSource::Wgsl(assembled.text().into());
    let descriptor = ShaderModuleDescriptor { label: Some(name), source };
    let mut places = Vec::new();
    let outcome = faults.guard(device, name, || {
        let module = device.create_shader_module(descriptor);
        places = places_of_errors(&module, assembled);
        module
    });
    outcome.map_err(|error| match error {
        GpuError::Refused { what, message } if !places.is_empty() => {
            GpuError::Refused { what, message: format!("{}: {message}", places.join(", ")) }
        }
        other => other,
    })
}

/// `file:line` of every error, in the files on disk.
fn places_of_errors(module: &ShaderModule, assembled: &Assembled) -> Vec<String> {
    let info = pollster::block_on(module.get_compilation_info());
    let place = |message: &wgpu::CompilationMessage| {
        let line = message.location.as_ref()?.line_number as usize;
        let (file, line) = assembled.origin(line)?;
        Some(format!("{file}:{line}"))
    };
    let is_error = |m: &&wgpu::CompilationMessage| m.message_type == CompilationMessageType::Error;
    info.messages.iter().filter(is_error).filter_map(place).collect()
}

impl Gpu {
    /// Compiles a shader of [`impinge_shaders`].
    ///
    /// # Errors
    /// [`GpuError`], with file and line if the driver reports them.
    pub fn shader(&self, shader: &Shader) -> Result<ShaderModule, GpuError> {
        module(self.device(), self.faults(), shader)
    }

    /// Creates a kernel from a compute entry point.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn kernel(&self, shader: &Shader, entry: &'static str) -> Result<Kernel, GpuError> {
        Kernel::new(self.device(), self.faults(), shader, entry)
    }
}
