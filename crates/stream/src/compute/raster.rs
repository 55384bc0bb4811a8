//! Edges against triangles and boxes by drawing, as in the paper (fan §3.3): edges in the texels of two
//! textures, a quad for each triangle or box, the parameter as depth. A kernel lists what was drawn.

use std::ops::Range;

use impinge_gpu::wgpu::{
    BindingResource, BindingType, Buffer, BufferBindingType, BufferUsages, CompareFunction,
    TextureFormat, TextureSampleType, TextureView, TextureViewDescriptor, TextureViewDimension,
};
use impinge_gpu::{Canvas, DepthRule, Drawing, Gpu, GpuError, Kernel, Rules, Submission};
use impinge_query::{Counter, Pictures};
use impinge_shaders::image::Atlas;
use impinge_shaders::stream::{self, StreamEdge, StreamJob};

use super::adapter::{Direction, Trouble};
use crate::model::unit_above;

/// Most texels along a side of an image. Larger: fewer submissions, and 8 bytes of memory for each
/// texel.
const SIDE: u32 = 1 << 11;

/// The drawings, and the kernels that read an image.
#[derive(Debug)]
pub(super) struct Raster {
    certified: Drawing,
    pub(super) lengths: Drawing,
    pub(super) sampled: Drawing,
    pub(super) boxes: Drawing,
    gather: Kernel,
    marks: Kernel,
    below: Kernel,
}

/// All edges of a direction as textures.
#[derive(Debug)]
pub(super) struct Textures {
    parts: Vec<Part>,
    /// Most texels along a side of a texture, and of an image of tiles.
    side: u32,
    /// A power of two that brings all lengths below 1: a depth is at most 1.
    scale: f32,
}

/// A range of edges as two square textures (fan §3.3.1).
#[derive(Debug)]
struct Part {
    edges: Range<u32>,
    heads: TextureView,
    tails: TextureView,
}

/// Tiles, and an image that they are drawn into.
#[derive(Debug)]
pub(super) struct Image {
    tiles: Atlas,
    canvas: Canvas,
}

/// What is drawn: the job, its image, and the list of triangles or nodes, or of so many pairs.
#[derive(Debug)]
pub(super) struct Draw<'d> {
    pub(super) job: StreamJob,
    pub(super) image: &'d Image,
    pub(super) list: &'d Buffer,
    pub(super) paired: &'d Buffer,
    /// Where what was not drawn is counted, too.
    pub(super) counts: &'d Buffer,
    pub(super) target: Target<'d>,
}

/// What quads are of, and where the kernel that reads the image writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'d> {
    /// Triangles: pairs found.
    Triangles { found: &'d Buffer },
    /// Nodes: marks of those that an edge meets.
    Marks { nodes: &'d Buffer, marks: &'d Buffer },
    /// Nodes: pairs of an edge and what is below.
    Below { nodes: &'d Buffer, next: &'d Buffer, candidates: &'d Buffer },
}

impl Raster {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let bindings = bindings();
        let drawing = |shader, fragment, depth| {
            let rules = Rules { vertex: stream::PLACE_TILE, fragment, depth, bindings: &bindings };
            gpu.drawing(shader, &rules)
        };
        let closed = DepthRule::Test(CompareFunction::LessEqual);
        Ok(Self {
            certified: drawing(&stream::DRAW, stream::DRAW_CERTIFIED, DepthRule::None)?,
            lengths: drawing(&stream::DRAW, stream::DRAW_LENGTHS, DepthRule::Write)?,
            sampled: drawing(&stream::DRAW, stream::DRAW_SAMPLED, closed)?,
            boxes: drawing(&stream::DRAW_BOXES, stream::DRAW_BOX, DepthRule::None)?,
            gather: gpu.kernel(&stream::GATHER, stream::GATHER_PAIRS)?,
            marks: gpu.kernel(&stream::MARKS, stream::GATHER_MARKS)?,
            below: gpu.kernel(&stream::BELOW, stream::GATHER_BELOW)?,
        })
    }
}

/// The kinds of the resources of a drawing: see [`stream::DRAW`].
fn bindings() -> [BindingType; 7] {
    let buffer = |ty| BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    let [uniform, list] =
        [BufferBindingType::Uniform, BufferBindingType::Storage { read_only: true }].map(buffer);
    let texture = BindingType::Texture {
        sample_type: TextureSampleType::Float { filterable: false },
        view_dimension: TextureViewDimension::D2,
        multisampled: false,
    };
    [uniform, uniform, texture, list, texture, list, list]
}

/// The least side of a square with so many texels.
fn square(texels: u32) -> u32 {
    let side = texels.isqrt();
    side + u32::from(side * side < texels)
}

impl Textures {
    /// Textures for images that take at most so many tests each.
    pub(super) fn new(gpu: &Gpu, work: u64, records: &[StreamEdge]) -> Result<Self, GpuError> {
        let side = u64::from(SIDE).min(work.isqrt()).max(1) as u32;
        let most = (side * side) as usize;
        let parts = (0..).step_by(most).zip(records.chunks(most));
        let parts = parts.map(|(first, records)| Part::new(gpu, first, records));
        let parts = parts.collect::<Result<_, _>>()?;
        let longest = records.iter().fold(0.0f32, |most, record| most.max(record.head[3]));
        let scale = 1.0 / unit_above(f64::from(longest)).max(1.0);
        Ok(Self { parts, side, scale: scale as f32 })
    }

    /// Most edges of a texture.
    pub(super) const fn edges_at_once(&self) -> u32 {
        self.side * self.side
    }

    /// The texture with the edges of a job.
    fn part(&self, job: &StreamJob) -> Result<&Part, Trouble> {
        let StreamJob { edge_begin, edge_end, .. } = *job;
        let has = |part: &&Part| part.edges.start <= edge_begin && edge_end <= part.edges.end;
        let found = self.parts.iter().find(has);
        found.ok_or_else(|| {
            Trouble::Failed(format!("no texture has the edges {edge_begin} to {edge_end}"))
        })
    }

    /// How many of so many edges, and how many triangles or nodes, an image has.
    pub(super) fn at_once(&self, edges: u32) -> [u32; 2] {
        let edges = edges.clamp(1, self.edges_at_once());
        let side = square(edges);
        [edges, Atlas::capacity(side, side, self.side)]
    }

    /// A tile of so many edges for each of so many triangles or nodes.
    pub(super) fn tiles(&self, [edges, faces]: [u32; 2]) -> Result<Atlas, GpuError> {
        let side = square(edges);
        Ok(Atlas::fitting(side, side, faces, self.side)?)
    }
}

/// A single tile for as many pairs as a list has places.
pub(super) fn tile_of_pairs(places: u32) -> Result<Atlas, GpuError> {
    let side = square(places);
    Ok(Atlas::fitting(side, side, 1, side)?)
}

impl Part {
    fn new(gpu: &Gpu, first: u32, records: &[StreamEdge]) -> Result<Self, GpuError> {
        let count = records.len() as u32;
        let side = square(count);
        let texture = |what, texel: fn(&StreamEdge) -> [f32; 4]| {
            let mut texels: Vec<[f32; 4]> = records.iter().map(texel).collect();
            texels.resize((side * side) as usize, [0.0; 4]);
            let bytes = bytemuck::cast_slice(&texels);
            let texture =
                gpu.upload_texture(what, TextureFormat::Rgba32Float, [side, side], bytes)?;
            gpu.guard(what, || texture.create_view(&TextureViewDescriptor::default()))
        };
        Ok(Self {
            edges: first..first + count,
            heads: texture("texture of first ends", |record| record.head)?,
            tails: texture("texture of other ends", |record| record.tail)?,
        })
    }
}

impl Direction<'_> {
    /// Counts quads of so many pixels together, if this form draws.
    pub(super) fn count_drawn<C: Counter>(&self, counter: &mut C, quads: u64, pixels: u64) {
        if self.drawn.is_some() {
            counter.drawn(Pictures { count: quads, vertices: 4 * quads, pixels });
        }
    }

    /// An image of tiles of boxes, or of triangles: with depths if they are sampled.
    pub(super) fn image(&self, tiles: Atlas, of_boxes: bool) -> Result<Image, GpuError> {
        let depths = !of_boxes && self.work.samples();
        let size = [tiles.image_width(), tiles.image_height()];
        Ok(Image { tiles, canvas: Canvas::new(&self.work.adapter.gpu, depths, size)? })
    }

    /// Records a draw of edges that are in one texture, and the reading of its image.
    pub(super) fn draw(
        &self,
        submission: &mut Submission,
        (raster, textures): &(&Raster, Textures),
        draw: &Draw<'_>,
    ) -> Result<(), Trouble> {
        let Draw { image: Image { tiles, canvas }, target, .. } = draw;
        let part = textures.part(&draw.job)?;
        let gpu = &self.work.adapter.gpu;
        let job = StreamJob { first: part.edges.start, scale: textures.scale, ..draw.job };
        let job = self.work.job(job)?;
        let atlas = gpu.upload("tiles", BufferUsages::UNIFORM, bytemuck::bytes_of(tiles))?;
        let (drawings, tested): (&[&Drawing], _) = match *target {
            Target::Triangles { .. } if self.work.samples() => {
                (&[&raster.lengths, &raster.sampled], &self.piece.faces)
            }
            Target::Triangles { .. } => (&[&raster.certified], &self.piece.faces),
            Target::Marks { nodes, .. } | Target::Below { nodes, .. } => (&[&raster.boxes], nodes),
        };
        let size = [tiles.image_width(), tiles.image_height()];

        let whole = Buffer::as_entire_binding;
        let of = |texture, fourth, fifth| {
            let [job, atlas, list, paired] = [&job, &atlas, draw.list, draw.paired].map(whole);
            [job, atlas, BindingResource::TextureView(texture), list, fourth, fifth, paired]
        };
        let tails = BindingResource::TextureView(&part.tails);
        let resources = of(&part.heads, tails, whole(tested));
        submission.draw(canvas, drawings, &resources, tiles.count())?;
        let (kernel, written, also): (_, _, &[&Buffer]) = match *target {
            Target::Triangles { found } => (&raster.gather, found, &[]),
            Target::Marks { marks, .. } => (&raster.marks, marks, &[]),
            Target::Below { nodes, next, candidates } => {
                (&raster.below, next, &[nodes, candidates])
            }
        };
        let mut resources = of(canvas.words(), whole(draw.counts), whole(written)).to_vec();
        resources.extend(also.iter().map(|buffer| whole(buffer)));
        submission.dispatch(kernel, &resources, [size[0].div_ceil(64), size[1], 1])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn textures(side: u32) -> Textures {
        Textures { parts: Vec::new(), side, scale: 1.0 }
    }

    #[test]
    fn squares_are_the_least_that_hold_all() {
        for (texels, side) in [(0, 0), (1, 1), (2, 2), (4, 2), (5, 3), (396, 20), (1 << 22, 2048)] {
            assert_eq!(square(texels), side, "{texels}");
        }
    }

    #[test]
    fn what_is_drawn_at_once_fits_in_an_image() {
        for side in [1, 16, 2048] {
            let textures = textures(side);
            for edges in [1, 3, 255, 256, 257, 100_000, 5_000_000] {
                let [wide, high] = textures.at_once(edges);
                assert!(wide >= 1 && high >= 1 && wide <= edges.min(side * side));
                for faces in [1, high] {
                    for edges in [1, wide] {
                        let tiles = textures.tiles([edges, faces]).expect("it fits");
                        assert_eq!(tiles.count(), faces);
                        assert!(tiles.width() * tiles.height() >= edges);
                        assert!(tiles.image_width().max(tiles.image_height()) <= side);
                    }
                }
                assert!(textures.tiles([wide, high + 1]).is_err(), "{side}, {edges}");
            }
        }
    }
}
