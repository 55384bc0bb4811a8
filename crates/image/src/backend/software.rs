//! The rasteriser in plain Rust, one viewport at a time; equivalent to the GPU kernels.

use impinge_query::{Control, Pictures};
use impinge_shaders::image::{Atlas, Hulls, PairDraw, PixelClass, Rectangle, raster, word};

use super::{DrawError, Picture, Scene, together};

/// One class per pair, and the pictures drawn: the second direction of a pair only where it can
/// tell.
pub(super) fn classes(
    scene: &Scene,
    pairs: &[Picture],
    control: &Control<'_>,
) -> Result<(Vec<PixelClass>, Pictures), DrawError> {
    let failed = |why: String| DrawError::Failed(why);
    let hulls = Hulls::new(&scene.vertices, &scene.entries).map_err(|e| failed(e.to_string()))?;
    let draws: Vec<PairDraw> = pairs.iter().map(|pair| pair.draw).collect();
    Hulls::check(scene.entries.len(), &draws).map_err(|e| failed(e.to_string()))?;
    let mut pictures = Pictures::default();
    let mut class = |picture: &Picture| {
        picture.count(&mut pictures);
        let [width, height] = picture.size;
        let atlas = Atlas::fitting(width, height, 1, width.max(height));
        let atlas = atlas.map_err(|e| failed(e.to_string()))?;
        let place = Rectangle { x: 0, y: 0, width, height };
        let words = word::classify(&atlas, &raster::viewport(place, &hulls, &picture.draw).values);
        let word = words.first().and_then(|&word| PixelClass::from_word(word));
        Ok::<PixelClass, DrawError>(word.unwrap_or_default())
    };
    let mut classes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        control.check()?;
        let first = class(pair)?;
        classes.push(together(first, || class(&pair.swapped()))?);
    }
    Ok((classes, pictures))
}
