//! The single render pass of a submission: every pair in its own viewport.

use impinge_shaders::image::strip::Code;
use impinge_shaders::image::{Atlas, PairDraw, Rectangle};
use wgpu::{BindGroup, Buffer, CommandEncoder, IndexFormat, RenderPass, RenderPassDescriptor};

use super::pipelines::{Draw, Pipelines};
use super::targets::Targets;

pub(super) struct Pass<'p> {
    pub(super) atlas: &'p Atlas,
    /// Width and height of the first pairs' viewports; the others have the whole.
    pub(super) sizes: &'p [[u32; 2]],
    pub(super) pipelines: &'p Pipelines,
    pub(super) group: &'p BindGroup,
    /// Entries of all hulls: the index buffer of strips.
    pub(super) entries: &'p Buffer,
}

impl Pass<'_> {
    /// Where a pair is drawn; `None` beyond the atlas.
    fn place(&self, index: u32) -> Option<Rectangle> {
        let whole = self.atlas.viewport(index)?;
        let [width, height] = match self.sizes.get(index as usize) {
            Some(&[width, height]) => [width.min(whole.width), height.min(whole.height)],
            None => [whole.width, whole.height],
        };
        Some(Rectangle { width, height, ..whole })
    }

    /// Records all pairs, one step of the test after the other: one pipeline change for each step
    /// and code for the whole pass, instead of three per pair.
    pub(super) fn record(
        &self,
        encoder: &mut CommandEncoder,
        targets: &Targets,
        pairs: &[PairDraw],
    ) {
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("hulls"),
            color_attachments: &[],
            depth_stencil_attachment: Some(targets.attachment()),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_stencil_reference(1);
        pass.set_index_buffer(self.entries.slice(..), IndexFormat::Uint32);
        for Draw { pipeline, first, code } in self.pipelines.draws() {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, self.group, &[]);
            for (index, pair) in (0..).zip(pairs) {
                let Some(place) = self.place(index) else { continue };
                let run = if *first { pair.first.run } else { pair.second.run };
                if run.code() != *code {
                    continue;
                }
                confine(&mut pass, place);
                match code {
                    Code::Strips => {
                        pass.draw_indexed(run.begin..run.begin + run.length, 0, index..index + 1);
                    }
                    Code::List => pass.draw(0..run.length, index..index + 1),
                }
            }
        }
    }
}

/// Draws into this viewport only.
fn confine(pass: &mut RenderPass<'_>, place: Rectangle) {
    let Rectangle { x, y, width, height } = place;
    let [left, top, wide, high] = [x, y, width, height].map(|texels| texels as f32);
    pass.set_viewport(left, top, wide, high, 0.0, 1.0);
    pass.set_scissor_rect(x, y, width, height);
}
