//! The single render pass of a submission: every pair in its own viewport.

use impinge_shaders::image::{Atlas, PairDraw, strip};
use wgpu::{BindGroup, CommandEncoder, RenderPassDescriptor};

use super::pipelines::{Draw, Pipelines};
use super::targets::Targets;

pub(super) struct Pass<'p> {
    pub(super) atlas: &'p Atlas,
    pub(super) pipelines: &'p Pipelines,
    pub(super) group: &'p BindGroup,
}

impl Pass<'_> {
    /// Records all pairs, one step of the test after the other: three pipeline changes for the
    /// whole pass, instead of three per pair.
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
        for Draw { pipeline, first } in self.pipelines.draws() {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, self.group, &[]);
            for (index, pair) in (0..).zip(pairs) {
                let Some(place) = self.atlas.viewport(index) else { continue };
                let hull = if *first { &pair.first } else { &pair.second };
                let [x, y, width, height] =
                    [place.x, place.y, place.width, place.height].map(|texels| texels as f32);
                pass.set_viewport(x, y, width, height, 0.0, 1.0);
                pass.set_scissor_rect(place.x, place.y, place.width, place.height);
                pass.draw(0..strip::corners(hull.length), index..index + 1);
            }
        }
    }
}
