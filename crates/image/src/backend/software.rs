//! The rasteriser in plain Rust, one viewport at a time; equivalent to the GPU kernels.

use impinge_query::{Control, Pictures};
use impinge_shaders::image::{Atlas, Hulls, PairDraw, PixelClass, Rectangle, raster, word};

use super::{DrawError, Scene, add, together};

/// One class per pair, and the pictures drawn: the second direction of a pair only where it can
/// tell.
pub(super) fn classes(
    side: u32,
    scene: &Scene,
    pairs: &[PairDraw],
    control: &Control<'_>,
) -> Result<(Vec<PixelClass>, Pictures), DrawError> {
    let failed = |why: String| DrawError::Failed(why);
    let hulls = Hulls::new(&scene.vertices, &scene.entries).map_err(|e| failed(e.to_string()))?;
    Hulls::check(scene.entries.len(), pairs).map_err(|e| failed(e.to_string()))?;
    let atlas = Atlas::fitting(side, side, 1, side).map_err(|e| failed(e.to_string()))?;
    let place = Rectangle { x: 0, y: 0, width: side, height: side };
    let mut pictures = Pictures::default();
    let mut class = |pair: &PairDraw| {
        add(&mut pictures, pair, side);
        let words = word::classify(&atlas, &raster::viewport(place, &hulls, pair).values);
        words.first().and_then(|&word| PixelClass::from_word(word)).unwrap_or_default()
    };
    let mut classes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        control.check()?;
        let first = class(pair);
        classes.push(together(first, || class(&pair.swapped())));
    }
    Ok((classes, pictures))
}
