//! The image drawn into: depth and stencil of all viewports.

use impinge_shaders::image::Atlas;
use wgpu::{
    LoadOp, Operations, RenderPassDepthStencilAttachment, StoreOp, Texture, TextureAspect,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};

use crate::error::GpuError;
use crate::gpu::Gpu;

#[derive(Debug)]
pub(super) struct Targets {
    texture: Texture,
    both: TextureView,
    stencil: TextureView,
}

impl Targets {
    pub(super) fn new(gpu: &Gpu, atlas: &Atlas) -> Result<Self, GpuError> {
        const WHAT: &str = "the image of the atlas";
        let format = gpu.depth_stencil_format().ok_or_else(|| GpuError::Refused {
            what: WHAT.to_owned(),
            message: "this device has no format with depth and stencil".to_owned(),
        })?;
        let usage = TextureUsages::RENDER_ATTACHMENT
            | TextureUsages::TEXTURE_BINDING
            | TextureUsages::COPY_SRC;
        let size = [atlas.image_width(), atlas.image_height()];
        let texture = gpu.texture(WHAT, format, usage, size)?;
        gpu.guard(WHAT, || {
            let view = |aspect| {
                texture.create_view(&TextureViewDescriptor { aspect, ..Default::default() })
            };
            let (both, stencil) = (view(TextureAspect::All), view(TextureAspect::StencilOnly));
            Self { texture, both, stencil }
        })
    }

    pub(super) fn format(&self) -> TextureFormat {
        self.texture.format()
    }

    pub(super) fn texture(&self) -> &Texture {
        &self.texture
    }

    /// The stencil values, for a kernel.
    pub(super) fn stencil(&self) -> &TextureView {
        &self.stencil
    }

    /// The attachment, cleared to depth 1 and value 0; only the values are stored.
    pub(super) fn attachment(&self) -> RenderPassDepthStencilAttachment<'_> {
        RenderPassDepthStencilAttachment {
            view: &self.both,
            depth_ops: Some(Operations { load: LoadOp::Clear(1.0), store: StoreOp::Discard }),
            stencil_ops: Some(Operations { load: LoadOp::Clear(0), store: StoreOp::Store }),
        }
    }
}
