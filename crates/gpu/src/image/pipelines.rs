//! The three draws of a pair and the kernel that reads their result.

use impinge_shaders::image::{CLASSIFY, CLASSIFY_ENTRY, DRAW_FIRST, DRAW_SECOND, HULLS};
use wgpu::{
    BindGroup, BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType,
    Buffer, BufferBindingType, CompareFunction, DepthBiasState, DepthStencilState, Face,
    MultisampleState, PipelineCompilationOptions, PipelineLayout, PipelineLayoutDescriptor,
    PrimitiveState, RenderPipeline, RenderPipelineDescriptor, ShaderModule, ShaderStages,
    StencilFaceState, StencilOperation, StencilState, TextureFormat, VertexState,
};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::kernel::{Kernel, bind_group};

/// The pipelines of the three draws, and their classification.
#[derive(Debug)]
pub(super) struct Pipelines {
    layout: BindGroupLayout,
    draws: [Draw; 3],
    classify: Kernel,
}

#[derive(Debug)]
pub(super) struct Draw {
    pub(super) pipeline: RenderPipeline,
    /// Whether it draws the first hull of a pair.
    pub(super) first: bool,
}

struct Rules {
    entry: &'static str,
    cull: Face,
    /// The comparison of a fragment's depth with the image's that lets it pass.
    depth: CompareFunction,
    writes_depth: bool,
    /// The comparison of 1 with the image's stencil value that lets a fragment pass.
    stencil: CompareFunction,
    pass: StencilOperation,
}

/// Steps 1 to 3 of [`impinge_shaders::image`].
const STEPS: [Rules; 3] = [
    Rules {
        entry: DRAW_FIRST,
        cull: Face::Back,
        depth: CompareFunction::LessEqual,
        writes_depth: true,
        stencil: CompareFunction::Always,
        pass: StencilOperation::Replace,
    },
    Rules {
        entry: DRAW_SECOND,
        cull: Face::Back,
        depth: CompareFunction::Greater,
        writes_depth: false,
        stencil: CompareFunction::LessEqual,
        pass: StencilOperation::IncrementClamp,
    },
    Rules {
        entry: DRAW_SECOND,
        cull: Face::Front,
        depth: CompareFunction::GreaterEqual,
        writes_depth: false,
        stencil: CompareFunction::LessEqual,
        pass: StencilOperation::IncrementClamp,
    },
];

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, format: TextureFormat) -> Result<Self, GpuError> {
        let module = gpu.shader(&HULLS)?;
        let classify = gpu.kernel(&CLASSIFY, CLASSIFY_ENTRY)?;
        gpu.guard("pipelines of the image test", || {
            let layout = bind_group_layout(gpu);
            let whole = gpu.device().create_pipeline_layout(&PipelineLayoutDescriptor {
                label: Some("hulls"),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            let draws = STEPS.map(|rules| Draw {
                pipeline: render_pipeline(gpu, &module, &whole, format, &rules),
                first: rules.entry == DRAW_FIRST,
            });
            Self { layout, draws, classify }
        })
    }

    pub(super) fn draws(&self) -> &[Draw; 3] {
        &self.draws
    }

    pub(super) fn classify(&self) -> &Kernel {
        &self.classify
    }

    /// Binds pairs, coordinates and strip entries, in this order.
    pub(super) fn bind(&self, gpu: &Gpu, buffers: [&Buffer; 3]) -> Result<BindGroup, GpuError> {
        let resources = buffers.map(Buffer::as_entire_binding);
        gpu.guard("buffers of hulls", || {
            bind_group(gpu.device(), "hulls", &self.layout, &resources)
        })
    }
}

fn bind_group_layout(gpu: &Gpu) -> BindGroupLayout {
    let entry = |binding| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::VERTEX,
        ty: BindingType::Buffer {
            ty: BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries = [0, 1, 2].map(entry);
    let descriptor = BindGroupLayoutDescriptor { label: Some("hulls"), entries: &entries };
    gpu.device().create_bind_group_layout(&descriptor)
}

fn render_pipeline(
    gpu: &Gpu,
    module: &ShaderModule,
    layout: &PipelineLayout,
    format: TextureFormat,
    rules: &Rules,
) -> RenderPipeline {
    let face = StencilFaceState {
        compare: rules.stencil,
        fail_op: StencilOperation::Keep,
        depth_fail_op: StencilOperation::Keep,
        pass_op: rules.pass,
    };
    let stencil = StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0xff };
    let depth_stencil = DepthStencilState {
        format,
        depth_write_enabled: Some(rules.writes_depth),
        depth_compare: Some(rules.depth),
        stencil,
        bias: DepthBiasState::default(),
    };
    gpu.device().create_render_pipeline(&RenderPipelineDescriptor {
        label: Some(rules.entry),
        layout: Some(layout),
        vertex: VertexState {
            module,
            entry_point: Some(rules.entry),
            compilation_options: PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: PrimitiveState { cull_mode: Some(rules.cull), ..PrimitiveState::default() },
        depth_stencil: Some(depth_stencil),
        multisample: MultisampleState::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}
