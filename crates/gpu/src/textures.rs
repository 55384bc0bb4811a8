//! Creating and filling images.

use wgpu::{
    Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureAspect,
    TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
};

use crate::error::GpuError;
use crate::gpu::Gpu;

impl Gpu {
    /// Creates an image of so many columns and rows of texels, all 0.
    ///
    /// # Errors
    /// [`GpuError`], also beyond the device's largest image; `what` names it.
    pub fn texture(
        &self,
        what: &str,
        format: TextureFormat,
        usage: TextureUsages,
        [width, height]: [u32; 2],
    ) -> Result<Texture, GpuError> {
        let descriptor = TextureDescriptor {
            label: Some(what),
            size: Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        };
        self.guard(what, || self.device().create_texture(&descriptor))
    }

    /// Creates an image that shaders read, with these texels, row after row without padding.
    ///
    /// # Errors
    /// As [`Gpu::texture`]; [`GpuError::Refused`] if there are fewer texels, or none of this format
    /// can be copied.
    pub fn upload_texture(
        &self,
        what: &str,
        format: TextureFormat,
        size: [u32; 2],
        texels: &[u8],
    ) -> Result<Texture, GpuError> {
        let refused = || GpuError::Refused {
            what: what.to_owned(),
            message: format!("texels of {format:?} cannot be copied"),
        };
        let texel = format.block_copy_size(None).ok_or_else(refused)?;
        let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
        let texture = self.texture(what, format, usage, size)?;
        let to = TexelCopyTextureInfo {
            texture: &texture,
            mip_level: 0,
            origin: Origin3d::ZERO,
            aspect: TextureAspect::All,
        };
        let bytes_per_row = Some(size[0].saturating_mul(texel));
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
        self.guard(what, || self.queue().write_texture(to, texels, layout, texture.size()))?;
        self.tally().uploaded(texels.len() as u64);
        Ok(texture)
    }
}
