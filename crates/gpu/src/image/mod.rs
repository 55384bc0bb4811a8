//! The image test of many pairs of convex hulls in one submission (fan section 2.4.4): one atlas,
//! three draws per pair, one workgroup per viewport, one word per pair.
//!
//! [`impinge_shaders::image`] has the rules, the records and a CPU twin that computes the same. The
//! result is sampled: an overlap is a candidate to be confirmed, and its absence at this resolution
//! proves nothing.

mod pass;
mod pipelines;
mod targets;

use std::time::Duration;

use bytemuck::cast_slice;
use impinge_shaders::image::{Atlas, Hulls, PairDraw, PairError, PixelClass, word};
use wgpu::{Buffer, BufferUsages, TextureAspect};

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::readback::Slot;
use crate::submission::{Ran, Submission};
use pipelines::Pipelines;
use targets::Targets;

/// An atlas on the device, with the pipelines that draw into it.
///
/// Threads may share it; their submissions run one after another.
#[derive(Debug)]
pub struct ImageTest {
    gpu: Gpu,
    atlas: Atlas,
    targets: Targets,
    pipelines: Pipelines,
}

/// Vertices and entries of hulls on the device.
#[derive(Clone, Debug)]
pub struct HullBuffers {
    coordinates: Buffer,
    entries: Buffer,
    length: usize,
}

/// The result of the image test for each pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageAnswer {
    /// One class per pair, in order.
    pub classes: Vec<PixelClass>,
    /// The number of submissions: one per atlas full of pairs.
    pub submissions: u32,
    /// Time on the device; `None` if it has no timestamps.
    pub time: Option<Duration>,
}

/// An atlas of the wanted number of viewports, or of as many as fit in the device's largest image.
fn fitting(gpu: &Gpu, width: u32, height: u32, wanted: u32) -> Result<Atlas, GpuError> {
    let side = gpu.device().limits().max_texture_dimension_2d;
    let count = wanted.clamp(1, Atlas::capacity(width, height, side).max(1));
    Ok(Atlas::fitting(width, height, count, side)?)
}

impl ImageTest {
    /// Creates viewports of `width` x `height` texels: `wanted` of them, or as many as fit in the
    /// device's largest image. Memory: 5 to 8 bytes per texel. Compiles six pipelines and a
    /// kernel; create it once.
    ///
    /// # Errors
    /// [`GpuError`], also if the device has no depth-stencil format: open it with
    /// [`crate::Need::image`].
    pub fn new(gpu: &Gpu, width: u32, height: u32, wanted: u32) -> Result<Self, GpuError> {
        let atlas = fitting(gpu, width, height, wanted)?;
        let targets = Targets::new(gpu, &atlas)?;
        let pipelines = Pipelines::new(gpu, targets.format())?;
        Ok(Self { gpu: gpu.clone(), atlas, targets, pipelines })
    }

    /// The grid of viewports.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Uploads vertices and entries of hulls, once for many tests.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn upload(&self, hulls: &Hulls<'_>) -> Result<HullBuffers, GpuError> {
        let usage = BufferUsages::STORAGE;
        let indices = usage | BufferUsages::INDEX;
        let vertices = cast_slice(hulls.vertices());
        Ok(HullBuffers {
            coordinates: self.gpu.upload("coordinates of hulls", usage, vertices)?,
            entries: self.gpu.upload("entries of hulls", indices, cast_slice(hulls.entries()))?,
            length: hulls.entries().len(),
        })
    }

    /// Tests all pairs, one atlas full in each submission.
    ///
    /// # Errors
    /// [`GpuError`]; no pair is then classified.
    pub fn run(&self, hulls: &HullBuffers, pairs: &[PairDraw]) -> Result<ImageAnswer, GpuError> {
        self.run_sized(hulls, pairs, &[])
    }

    /// The same, with a viewport of its own width and height, in texels, for each pair: the first
    /// of `sizes` for the first pair. Each is drawn in the corner of a viewport of the atlas, and
    /// is at most as large; pairs without a size have the whole. The pixel of an overlap is counted
    /// along the rows of the pair's own viewport.
    ///
    /// # Errors
    /// [`GpuError`]; no pair is then classified.
    pub fn run_sized(
        &self,
        hulls: &HullBuffers,
        pairs: &[PairDraw],
        sizes: &[[u32; 2]],
    ) -> Result<ImageAnswer, GpuError> {
        Hulls::check(hulls.length, pairs)?;
        let mut answer = ImageAnswer { time: Some(Duration::ZERO), ..ImageAnswer::default() };
        let at_once = self.atlas.count() as usize;
        for (index, part) in pairs.chunks(at_once).enumerate() {
            let sizes = sizes.get(index * at_once..).unwrap_or_default();
            let (mut submission, atlas) = self.drawn(hulls, part, sizes)?;
            let slot = self.classified(&mut submission, &atlas)?;
            let ran = submission.run()?;
            let first = answer.classes.len();
            classes(&ran, slot, part.len(), &mut answer.classes)?;
            let cell = self.atlas.width();
            for (class, [width, _]) in answer.classes[first..].iter_mut().zip(sizes) {
                let width = cell.min(*width);
                class.overlap = class.overlap.map(|at| (at / cell) * width + at % cell);
            }
            answer.submissions += 1;
            answer.time = answer.time.zip(ran.time).map(|(sum, time)| sum + time);
        }
        Ok(answer)
    }

    /// The stencil values of one atlas full of pairs, row by row of the whole image of
    /// [`ImageTest::atlas`], for display and for comparison with the twin.
    ///
    /// # Errors
    /// [`GpuError`], also if there are more pairs than viewports.
    pub fn values(&self, hulls: &HullBuffers, pairs: &[PairDraw]) -> Result<Vec<u8>, GpuError> {
        Hulls::check(hulls.length, pairs)?;
        let viewports = self.atlas.count();
        if pairs.len() > viewports as usize {
            return Err(PairError::TooMany { pairs: pairs.len(), viewports }.into());
        }
        let (mut submission, _) = self.drawn(hulls, pairs, &[])?;
        let slot = submission.read_image(self.targets.texture(), TextureAspect::StencilOnly)?;
        Ok(submission.run()?.bytes(slot).to_vec())
    }

    /// A submission that draws the pairs into the first viewports, and the atlas of those
    /// viewports.
    fn drawn(
        &self,
        hulls: &HullBuffers,
        pairs: &[PairDraw],
        sizes: &[[u32; 2]],
    ) -> Result<(Submission, Atlas), GpuError> {
        let atlas = self.atlas.first(pairs.len() as u32);
        let mut submission = self.gpu.submission("the image test of hulls")?;
        if !pairs.is_empty() {
            let records = self.gpu.upload("pairs", BufferUsages::STORAGE, cast_slice(pairs))?;
            let buffers = [&records, &hulls.coordinates, &hulls.entries];
            let group = self.pipelines.bind(&self.gpu, buffers)?;
            let (pipelines, entries) = (&self.pipelines, &hulls.entries);
            let pass = pass::Pass { atlas: &atlas, sizes, pipelines, group: &group, entries };
            pass.record(submission.encoder(), &self.targets, pairs);
        }
        Ok((submission, atlas))
    }

    fn classified(&self, submission: &mut Submission, atlas: &Atlas) -> Result<Slot, GpuError> {
        let shape = bytemuck::bytes_of(atlas);
        let shape = self.gpu.upload("shape of the atlas", BufferUsages::UNIFORM, shape)?;
        let bytes = 4 * u64::from(atlas.count());
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let words = self.gpu.buffer("words of pairs", usage, bytes)?;
        let resources = [
            shape.as_entire_binding(),
            wgpu::BindingResource::TextureView(self.targets.stencil()),
            words.as_entire_binding(),
        ];
        let most = self.gpu.device().limits().max_compute_workgroups_per_dimension.max(1);
        let along = atlas.count().clamp(1, most);
        let groups = [along, atlas.count().div_ceil(along), 1];
        submission.dispatch(self.pipelines.classify(), &resources, groups)?;
        Ok(submission.read_buffer(&words, bytes))
    }
}

/// Decodes the words of `count` pairs; a word that no workgroup wrote is an error.
fn classes(
    ran: &Ran,
    slot: Slot,
    count: usize,
    into: &mut Vec<PixelClass>,
) -> Result<(), GpuError> {
    let words = ran.words(slot);
    for pair in 0..count {
        let word = words.get(pair).copied().unwrap_or(0);
        let class = PixelClass::from_word(word).ok_or_else(|| GpuError::NotRun {
            what: "the image test of hulls".to_owned(),
            missing: format!("viewport {pair} was not classified ({word:#x})"),
        })?;
        into.push(class);
    }
    debug_assert!(words.iter().all(|word| word & word::CLASSIFIED != 0));
    Ok(())
}
