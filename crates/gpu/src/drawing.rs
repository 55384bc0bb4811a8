//! Drawing quads into an image of words, with a depth test.

use impinge_shaders::Shader;
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingResource, BindingType,
    Color, CompareFunction, DepthBiasState, DepthStencilState, FragmentState, LoadOp,
    MultisampleState, Operations, PipelineCompilationOptions, PipelineLayoutDescriptor,
    PrimitiveState, PrimitiveTopology, RenderPassColorAttachment, RenderPassDepthStencilAttachment,
    RenderPassDescriptor, RenderPipeline, RenderPipelineDescriptor, ShaderModule, ShaderStages,
    StencilState, StoreOp, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
    VertexState,
};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::kernel::bind_group;
use crate::submission::Submission;

/// The format of a [`Canvas`]: a word in each texel.
const WORDS: TextureFormat = TextureFormat::R32Uint;

/// The format of its depths: the numbers that shaders compute.
const DEPTHS: TextureFormat = TextureFormat::Depth32Float;

/// An image of words to draw into, with or without depths.
#[derive(Clone, Debug)]
pub struct Canvas {
    words: TextureView,
    depths: Option<TextureView>,
}

/// What a fragment's depth is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthRule {
    /// The canvas has no depths.
    None,
    /// It replaces the depth of its texel.
    Write,
    /// The fragment counts only if this comparison with the depth of its texel is true; that depth
    /// stays.
    Test(CompareFunction),
}

/// The rules of a [`Drawing`].
#[derive(Clone, Copy, Debug)]
pub struct Rules<'r> {
    /// The entry point of vertices: 4 for each instance, a strip of two triangles.
    pub vertex: &'static str,
    /// The entry point of fragments, which gives a word.
    pub fragment: &'static str,
    /// What a fragment's depth is for.
    pub depth: DepthRule,
    /// The kinds of its resources: all bindings of group 0, numbered from 0.
    pub bindings: &'r [BindingType],
}

/// A render pipeline that draws quads into a [`Canvas`].
#[derive(Clone, Debug)]
pub struct Drawing {
    pipeline: RenderPipeline,
    layout: BindGroupLayout,
    name: &'static str,
}

impl Canvas {
    /// An image of so many columns and rows, with depths or without.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn new(gpu: &Gpu, depths: bool, size: [u32; 2]) -> Result<Self, GpuError> {
        let drawn = TextureUsages::RENDER_ATTACHMENT;
        let view = |what, format, usage| {
            let texture = gpu.texture(what, format, usage, size)?;
            gpu.guard(what, || texture.create_view(&TextureViewDescriptor::default()))
        };
        let words = view("image of words", WORDS, drawn | TextureUsages::TEXTURE_BINDING)?;
        let depths = depths.then(|| view("depths", DEPTHS, drawn)).transpose()?;
        Ok(Self { words, depths })
    }

    /// The words, for a kernel.
    pub const fn words(&self) -> &TextureView {
        &self.words
    }
}

impl Gpu {
    /// Compiles the entry points of a shader and creates their pipeline.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn drawing(&self, shader: &Shader, rules: &Rules<'_>) -> Result<Drawing, GpuError> {
        let module = self.shader(shader)?;
        let name = rules.fragment;
        self.guard(name, || {
            let layout = bind_group_layout(self, rules);
            let pipeline = render_pipeline(self, &module, &layout, rules);
            Drawing { pipeline, layout, name }
        })
    }
}

fn bind_group_layout(gpu: &Gpu, rules: &Rules<'_>) -> BindGroupLayout {
    let visibility = ShaderStages::VERTEX_FRAGMENT;
    let entries: Vec<BindGroupLayoutEntry> = (0..)
        .zip(rules.bindings)
        .map(|(binding, &ty)| BindGroupLayoutEntry { binding, visibility, ty, count: None })
        .collect();
    let descriptor = BindGroupLayoutDescriptor { label: Some(rules.fragment), entries: &entries };
    gpu.device().create_bind_group_layout(&descriptor)
}

fn render_pipeline(
    gpu: &Gpu,
    module: &ShaderModule,
    layout: &BindGroupLayout,
    rules: &Rules<'_>,
) -> RenderPipeline {
    let label = Some(rules.fragment);
    let layout = gpu.device().create_pipeline_layout(&PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let depth = match rules.depth {
        DepthRule::None => None,
        DepthRule::Write => Some((CompareFunction::Always, true)),
        DepthRule::Test(compare) => Some((compare, false)),
    };
    let depth_stencil = depth.map(|(compare, write)| DepthStencilState {
        format: DEPTHS,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    });
    gpu.device().create_render_pipeline(&RenderPipelineDescriptor {
        label,
        layout: Some(&layout),
        vertex: VertexState {
            module,
            entry_point: Some(rules.vertex),
            compilation_options: PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: PrimitiveState {
            topology: PrimitiveTopology::TriangleStrip,
            ..PrimitiveState::default()
        },
        depth_stencil,
        multisample: MultisampleState::default(),
        fragment: Some(FragmentState {
            module,
            entry_point: Some(rules.fragment),
            compilation_options: PipelineCompilationOptions::default(),
            targets: &[Some(WORDS.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

impl Submission {
    /// Records one pass over a canvas of zeros at depth 1: `instances` quads by each drawing in
    /// turn, all with the same resources, in the order of their bindings.
    ///
    /// # Errors
    /// [`GpuError::Refused`] if the resources do not match a drawing's bindings.
    pub fn draw(
        &mut self,
        canvas: &Canvas,
        drawings: &[&Drawing],
        resources: &[BindingResource<'_>],
        instances: u32,
    ) -> Result<(), GpuError> {
        let mut groups = Vec::with_capacity(drawings.len());
        for Drawing { layout, name, .. } in drawings {
            let device = self.gpu().device();
            let bind = || bind_group(device, name, layout, resources);
            groups.push(self.gpu().guard(name, bind)?);
        }
        let words = Operations { load: LoadOp::Clear(Color::TRANSPARENT), store: StoreOp::Store };
        let depths = Operations { load: LoadOp::Clear(1.0), store: StoreOp::Discard };
        let depth_stencil_attachment = canvas.depths.as_ref().map(|view| {
            RenderPassDepthStencilAttachment { view, depth_ops: Some(depths), stencil_ops: None }
        });
        let mut pass = self.encoder().begin_render_pass(&RenderPassDescriptor {
            label: Some("quads"),
            color_attachments: &[Some(RenderPassColorAttachment {
                view: &canvas.words,
                depth_slice: None,
                resolve_target: None,
                ops: words,
            })],
            depth_stencil_attachment,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        for (drawing, group) in drawings.iter().zip(&groups) {
            pass.set_pipeline(&drawing.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..4, 0..instances);
        }
        Ok(())
    }
}
