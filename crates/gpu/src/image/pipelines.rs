//! The three draws of a pair, for either code of a hull, and the kernel that reads their result.

use impinge_shaders::image::strip::Code;
use impinge_shaders::image::{
    CLASSIFY, CLASSIFY_ENTRY, DRAW_FIRST, DRAW_SECOND, HULLS, LIST_FIRST, LIST_SECOND,
};
use wgpu::{
    BindGroup, BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType,
    Buffer, BufferBindingType, CompareFunction, DepthBiasState, DepthStencilState, Face,
    IndexFormat, MultisampleState, PipelineCompilationOptions, PipelineLayout,
    PipelineLayoutDescriptor, PrimitiveState, PrimitiveTopology, RenderPipeline,
    RenderPipelineDescriptor, ShaderModule, ShaderStages, StencilFaceState, StencilOperation,
    StencilState, TextureFormat, VertexState,
};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::kernel::{Kernel, bind_group};

/// The pipelines of the three draws, and their classification.
#[derive(Debug)]
pub(super) struct Pipelines {
    layout: BindGroupLayout,
    draws: [Draw; 6],
    classify: Kernel,
}

#[derive(Debug)]
pub(super) struct Draw {
    pub(super) pipeline: RenderPipeline,
    /// Whether it draws the first hull of a pair.
    pub(super) first: bool,
    /// The code of the hulls that it draws.
    pub(super) code: Code,
}

struct Rules {
    first: bool,
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
        first: true,
        cull: Face::Back,
        depth: CompareFunction::LessEqual,
        writes_depth: true,
        stencil: CompareFunction::Always,
        pass: StencilOperation::Replace,
    },
    Rules {
        first: false,
        cull: Face::Back,
        depth: CompareFunction::Greater,
        writes_depth: false,
        stencil: CompareFunction::LessEqual,
        pass: StencilOperation::IncrementClamp,
    },
    Rules {
        first: false,
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
            let draw = |rules: &Rules, code| Draw {
                pipeline: render_pipeline(gpu, (&module, &whole), format, rules, code),
                first: rules.first,
                code,
            };
            let [a, b, c] = &STEPS;
            let [strips, list] = [Code::Strips, Code::List];
            let draws = [
                draw(a, strips),
                draw(a, list),
                draw(b, strips),
                draw(b, list),
                draw(c, strips),
                draw(c, list),
            ];
            Self { layout, draws, classify }
        })
    }

    /// Step by step.
    pub(super) fn draws(&self) -> &[Draw; 6] {
        &self.draws
    }

    pub(super) fn classify(&self) -> &Kernel {
        &self.classify
    }

    /// Binds pairs, coordinates and entries, in this order.
    pub(super) fn bind(&self, gpu: &Gpu, buffers: [&Buffer; 3]) -> Result<BindGroup, GpuError> {
        let resources = buffers.map(Buffer::as_entire_binding);
        gpu.guard("buffers of hulls", || {
            bind_group(gpu.device(), "hulls", &self.layout, &resources)
        })
    }
}

const STRIPS: PrimitiveTopology = PrimitiveTopology::TriangleStrip;

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
    (module, layout): (&ShaderModule, &PipelineLayout),
    format: TextureFormat,
    rules: &Rules,
    code: Code,
) -> RenderPipeline {
    let (entry, topology, strip_index_format) = match (code, rules.first) {
        (Code::Strips, true) => (DRAW_FIRST, STRIPS, Some(IndexFormat::Uint32)),
        (Code::Strips, false) => (DRAW_SECOND, STRIPS, Some(IndexFormat::Uint32)),
        (Code::List, true) => (LIST_FIRST, PrimitiveTopology::TriangleList, None),
        (Code::List, false) => (LIST_SECOND, PrimitiveTopology::TriangleList, None),
    };
    let cull_mode = Some(rules.cull);
    let primitive =
        PrimitiveState { topology, strip_index_format, cull_mode, ..PrimitiveState::default() };
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
        label: Some(entry),
        layout: Some(layout),
        vertex: VertexState {
            module,
            entry_point: Some(entry),
            compilation_options: PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive,
        depth_stencil: Some(depth_stencil),
        multisample: MultisampleState::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}
