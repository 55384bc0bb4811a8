//! Drawing on a graphics adapter: both directions of every pair in one submission.

use std::sync::Mutex;

use impinge_gpu::Gpu;
use impinge_gpu::image::ImageTest;
use impinge_query::{Backend, ModelId, Pictures};
use impinge_shaders::image::{Hulls, PairDraw, PixelClass};

use super::{Picture, Readback, Scene, together};

/// Side of the largest atlas, in texels; 128 MiB at 8 bytes per texel. Larger: fewer submissions
/// for a level of many pairs.
const ATLAS: u32 = 4096;

/// An open adapter and its atlas.
#[derive(Debug)]
pub(super) struct Adapter {
    /// Identity of this adapter: hulls sent to another one must be sent again.
    id: ModelId,
    gpu: Gpu,
    test: Mutex<ImageTest>,
}

impl Adapter {
    /// Creates the atlas on an open adapter, or returns why it cannot.
    pub(super) fn on(gpu: &Gpu, side: u32) -> Result<Self, String> {
        let along = (ATLAS / side).max(1);
        let test = ImageTest::new(gpu, side, side, along * along).map_err(|e| e.to_string())?;
        Ok(Self { id: ModelId::fresh(), gpu: gpu.clone(), test: Mutex::new(test) })
    }

    /// Draws all pairs, in both directions.
    pub(super) fn draw(&self, scene: &mut Scene, pairs: &[Picture]) -> Result<Readback, String> {
        // One picture at a time: threads that share an engine share its atlas.
        let test = self.test.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let buffers = match scene.sent.take() {
            Some((to, buffers)) if to == self.id => buffers,
            _ => {
                let hulls = Hulls::new(&scene.vertices, &scene.entries);
                test.upload(&hulls.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?
            }
        };
        scene.sent = Some((self.id, buffers.clone()));
        let both: Vec<Picture> = pairs.iter().flat_map(|pair| [*pair, pair.swapped()]).collect();
        let mut pictures = Pictures::default();
        for picture in &both {
            picture.count(&mut pictures);
        }
        let draws: Vec<PairDraw> = both.iter().map(|picture| picture.draw).collect();
        let sizes: Vec<[u32; 2]> = both.iter().map(|picture| picture.size).collect();
        let answer = test.run_sized(&buffers, &draws, &sizes).map_err(|e| e.to_string())?;
        let joined = |two: &[PixelClass]| together(two[0], || Ok::<_, String>(two[1]));
        let classes: Result<Vec<_>, String> = answer.classes.chunks_exact(2).map(joined).collect();
        Ok(Readback {
            classes: classes?,
            submissions: u64::from(answer.submissions),
            pictures,
            backend: Backend::Gpu(self.gpu.facts().name.clone()),
        })
    }
}
