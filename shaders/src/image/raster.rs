//! The CPU twin of `wgsl/image/hulls.wgsl` and of its three draws: a rasteriser with the same
//! rules. Corners are rounded to 1/256 pixel, edges follow the top-left rule, and the depth at a
//! pixel's centre is rounded once to 32 bits.
//!
//! A driver may round corners differently (Vulkan requires 1/16 pixel) and computes depth in 32
//! bits. Pixels within one of a silhouette may differ, and pixels whose depths nearly tie. If
//! corners are on the grid of 1/16 pixel and depths and slopes are exact in 32 bits, all agree.

use super::atlas::{Atlas, Rectangle};
use super::depth_plane::DepthPlane;
use super::pair::{Hulls, PairDraw, PairError, Placed};
use super::screen::ScreenTriangle;
use super::strip;

/// Depth and stencil of one viewport, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels {
    /// Depth of A's front faces; 1 where there are none.
    pub depth: Vec<f32>,
    /// Stencil values, 0 to 3.
    pub values: Vec<u8>,
    /// For each pixel, the distance in depth of the nearest face of B from A's front, minus what
    /// both may move when a driver rounds corners to 1/16 pixel; infinite where either is missing.
    /// Where it does not exceed the rounding of depths, another driver may give another value.
    pub clearance: Vec<f32>,
}

/// The coarsest rounding of corners that Vulkan allows, in pixels.
const COARSEST: f32 = 1.0 / 16.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Faces {
    Front,
    Back,
}

/// Draws every pair into its viewport and returns the stencil image of the atlas, row by row.
///
/// # Errors
/// [`PairError`], as for the kernel. Cost: the pixels of all triangles' bounding boxes.
pub fn draw(atlas: &Atlas, hulls: &Hulls<'_>, pairs: &[PairDraw]) -> Result<Vec<u8>, PairError> {
    Hulls::check(hulls.entries().len(), pairs)?;
    let viewports = atlas.count();
    if pairs.len() > viewports as usize {
        return Err(PairError::TooMany { pairs: pairs.len(), viewports });
    }
    let columns = atlas.image_width() as usize;
    let mut image = vec![0; columns * atlas.image_height() as usize];
    for (index, pair) in pairs.iter().enumerate() {
        let Some(place) = atlas.viewport(index as u32) else { continue };
        let pixels = viewport(place, hulls, pair);
        for (row, values) in pixels.values.chunks_exact(place.width as usize).enumerate() {
            let start = (place.y as usize + row) * columns + place.x as usize;
            image[start..start + values.len()].copy_from_slice(values);
        }
    }
    Ok(image)
}

/// Runs steps 1 to 3 for one pair in the viewport `place`.
pub fn viewport(place: Rectangle, hulls: &Hulls<'_>, pair: &PairDraw) -> Pixels {
    let size = place.width as usize * place.height as usize;
    let (depth, values) = (vec![1.0; size], vec![0; size]);
    let mut pixels = Pixels { depth, values, clearance: vec![f32::INFINITY; size] };
    let mut steepness = vec![0.0; size];
    fragments(place, hulls, &pair.first, Faces::Front, |at, z, steep| {
        if z <= pixels.depth[at] {
            pixels.depth[at] = z;
            pixels.values[at] = 1;
            steepness[at] = steep;
        }
    });
    for faces in [Faces::Front, Faces::Back] {
        fragments(place, hulls, &pair.second, faces, |at, z, steep| {
            let (reference, value) = (pixels.depth[at], &mut pixels.values[at]);
            if *value == 0 {
                return;
            }
            let clear = (z - reference).abs() - COARSEST * (steepness[at] + steep);
            pixels.clearance[at] = pixels.clearance[at].min(clear);
            if z > reference || (faces == Faces::Back && z == reference) {
                *value = value.saturating_add(1);
            }
        });
    }
    pixels
}

/// Calls `visit` with every fragment: its index in the viewport, its depth, and the steepness of
/// its face.
fn fragments(
    place: Rectangle,
    hulls: &Hulls<'_>,
    hull: &Placed,
    faces: Faces,
    mut visit: impl FnMut(usize, f32, f32),
) {
    for triangle in strip::triangles(hulls.entries_of(hull), hull.run.code()) {
        let clip = triangle.map(|vertex| hull.clip(hulls.vertices()[vertex as usize]));
        let Some(screen) = ScreenTriangle::new(clip, place) else { continue };
        let Some(plane) = DepthPlane::new(screen.corners) else { continue };
        if screen.front != (faces == Faces::Front) {
            continue;
        }
        screen.pixels(place, |x, y| {
            let depth = plane.at(x, y);
            // Clip at the near and far planes.
            if (0.0..=1.0).contains(&depth) {
                let at = ((y - place.y) * place.width + (x - place.x)) as usize;
                visit(at, depth, plane.steepness());
            }
        });
    }
}
