//! Layers drawn on a graphics adapter: a buffer with room for some layers in each pixel, and an atomic
//! count of them. A pixel with more is noticed by its count; the window is then drawn again with more
//! room, in parts if that takes too much memory.

use impinge_gpu::wgpu::{Buffer, BufferUsages};
use impinge_gpu::{Gpu, GpuError, Kernel};
use impinge_query::Backend;
use impinge_shaders::image::layers::{self, Layer, LayersJob, LayersTriangle};

use super::drawer::{Crossing, Drawn};
use super::frame::{Frame, Window};
use super::watch::Watch;
use crate::backend::DrawError;
use impinge_query::lists::Bounded;

/// Layers that a pixel has room for at first.
const ROOM: u32 = 8;

/// Most bytes of the layers of a window; less if the device allows less.
const BYTES: u64 = 1 << 26;

/// Rows that an invocation draws. More: fewer invocations, each longer.
const BAND: u32 = 16;

/// An open adapter and its kernel.
#[derive(Debug)]
pub(crate) struct LayerAdapter {
    gpu: Gpu,
    kernel: Kernel,
}

/// The triangles on the device, and what was drawn of them so far.
struct Canvas<'c> {
    triangles: Buffer,
    count: u32,
    frame: &'c Frame,
    drawn: Drawn,
}

impl LayerAdapter {
    /// Compiles the kernel on an open adapter, or returns why it cannot.
    pub(crate) fn on(gpu: &Gpu) -> Result<Self, String> {
        let kernel = gpu.kernel(&layers::LAYERS, layers::DRAW_LAYERS);
        Ok(Self { gpu: gpu.clone(), kernel: kernel.map_err(|why| why.to_string())? })
    }

    /// Draws the triangles in a window; or tells why it cannot draw these.
    pub(crate) fn draw(
        &self,
        frame: &Frame,
        window: &Window,
        triangles: &[&Bounded],
        watch: &mut Watch<'_>,
    ) -> Result<Result<Drawn, String>, DrawError> {
        let place = |t: &&Bounded| LayersTriangle::new(frame.place(&t.corners).corners);
        let Some(records) = triangles.iter().map(place).collect::<Option<Vec<_>>>() else {
            return Ok(Err("a triangle is too large for the adapter".to_owned()));
        };
        let backend = Backend::Gpu(self.gpu.facts().name.clone());
        let mut drawn = Drawn { crossings: Vec::new(), backend, submissions: 0 };
        let limits = self.gpu.device().limits();
        let groups = limits.max_compute_workgroups_per_dimension;
        if records.is_empty() {
            return Ok(Ok(drawn));
        }
        if records.len() as u64 > u64::from(groups) * u64::from(layers::GROUP) {
            return Ok(Err(format!("{} triangles are too many for the adapter", records.len())));
        }
        let bytes = bytemuck::cast_slice(&records);
        let triangles = match self.gpu.upload("triangles", BufferUsages::STORAGE, bytes) {
            Err(why @ GpuError::TooLarge { .. }) => return Ok(Err(why.to_string())),
            sent => sent.map_err(|why| DrawError::Failed(why.to_string()))?,
        };
        let mut canvas = Canvas { triangles, count: records.len() as u32, frame, drawn };
        let most = BYTES.min(limits.max_storage_buffer_binding_size);
        match self.part(&mut canvas, *window, (ROOM, most), watch)? {
            Ok(()) => {
                drawn = canvas.drawn;
                drawn.crossings.sort_by_key(|crossing| crossing.pixel);
                Ok(Ok(drawn))
            }
            Err(why) => Ok(Err(why)),
        }
    }

    /// Draws a window with room for some layers, in halves if that takes more than `most` bytes. A
    /// half may not have the fullest pixel, so it starts with the room of the whole image.
    fn part(
        &self,
        canvas: &mut Canvas<'_>,
        window: Window,
        (room, most): (u32, u64),
        watch: &mut Watch<'_>,
    ) -> Result<Result<(), String>, DrawError> {
        let [columns, rows] = window.map(|[from, to]| to - from + 1);
        let bytes = 8 * u64::from(columns) * u64::from(rows) * u64::from(room);
        if bytes <= most {
            watch.look()?;
            let needed = self.submit(canvas, &window, room);
            let needed = needed.map_err(|why| DrawError::Failed(why.to_string()))?;
            if needed <= room {
                return Ok(Ok(()));
            }
            return self.part(canvas, window, (needed, most), watch);
        }
        if columns == 1 && rows == 1 {
            return Ok(Err(format!("a pixel has {room} layers, too many for the adapter")));
        }
        let axis = usize::from(rows >= columns);
        let [from, to] = window[axis];
        let middle = from.midpoint(to);
        for half in [[from, middle], [middle + 1, to]] {
            let mut part = window;
            part[axis] = half;
            if let Err(why) = self.part(canvas, part, (ROOM, most), watch)? {
                return Ok(Err(why));
            }
        }
        Ok(Ok(()))
    }

    /// Draws a window, and returns the layers of its fullest pixel. Only if there was room for them,
    /// they are added to what is drawn.
    fn submit(&self, canvas: &mut Canvas<'_>, window: &Window, room: u32) -> Result<u32, GpuError> {
        let [columns, rows] = window.map(|[from, to]| to - from + 1);
        let [column, row] = window.map(|[from, _]| from);
        let triangles = canvas.count;
        let job = LayersJob { column, row, columns, rows, band: BAND, room, triangles };
        let pixels = u64::from(columns) * u64::from(rows);
        let (gpu, bytes) = (&self.gpu, 8 * pixels * u64::from(room));
        let sent = gpu.upload("job", BufferUsages::UNIFORM, bytemuck::bytes_of(&job))?;
        let read = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let counts = gpu.buffer("counts of layers", read, 4 * pixels)?;
        let slots = gpu.buffer("layers", read, bytes)?;
        let mut submission = gpu.submission("layers")?;
        let resources = [&sent, &canvas.triangles, &counts, &slots].map(Buffer::as_entire_binding);
        submission.dispatch(&self.kernel, &resources, job.groups())?;
        let [counts, slots] =
            [(&counts, 4 * pixels), (&slots, bytes)].map(|(b, n)| submission.read_buffer(b, n));
        let ran = submission.run()?;
        canvas.drawn.submissions += 1;
        let (counts, words) = (ran.words(counts), ran.words(slots));
        let needed = counts.iter().copied().max().unwrap_or(0);
        if needed > room {
            return Ok(needed);
        }
        let (pairs, _) = words.as_chunks::<2>();
        for ((place, &count), layers) in (0..).zip(&counts).zip(pairs.chunks(room as usize)) {
            let pixel = canvas.frame.pixel(column + place % columns, row + place / columns);
            canvas.drawn.crossings.extend(layers.iter().take(count as usize).map(|&words| {
                let Layer { depth, triangle, turn } = Layer::from_words(words);
                Crossing { pixel, item: triangle, turn, depth: f64::from(depth) }
            }));
        }
        Ok(needed)
    }
}
