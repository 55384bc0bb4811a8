//! A grid of viewports of equal size in one image.

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};

/// The most texels of a viewport: a pixel's index must fit in 26 bits of a word.
pub const MAX_TEXELS: u32 = 1 << 26;

/// Viewports of equal size, numbered row by row in a grid. Sizes in texels.
///
/// ```
/// use impinge_shaders::image::Atlas;
/// let atlas = Atlas::fitting(64, 32, 100, 1024)?;
/// assert_eq!((atlas.columns(), atlas.count()), (16, 100));
/// assert_eq!((atlas.image_width(), atlas.image_height()), (1024, 224));
/// # Ok::<(), impinge_shaders::image::AtlasError>(())
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Atlas {
    width: u32,
    height: u32,
    columns: u32,
    count: u32,
}

/// Why an atlas was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtlasError {
    /// A viewport without texels, or with more than [`MAX_TEXELS`].
    #[error("a viewport of {width} x {height} texels; it has at least 1 and at most {MAX_TEXELS}")]
    Viewport {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// The viewports do not fit in the image.
    #[error("{count} viewports of {width} x {height} texels do not fit an image of side {side}")]
    TooLarge {
        /// The number of viewports asked for.
        count: u32,
        /// Width of a viewport in texels.
        width: u32,
        /// Height of a viewport in texels.
        height: u32,
        /// The longest side that an image may have, in texels.
        side: u32,
    },
}

/// A rectangle of texels in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The left column.
    pub x: u32,
    /// The upper row.
    pub y: u32,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Atlas {
    pub(crate) const LAYOUT: Layout =
        layout!(Atlas { width: u32, height: u32, columns: u32, count: u32 });

    /// A grid of `count` viewports of `width` x `height` texels in an image whose sides are at most
    /// `side`, with as many per row as fit.
    ///
    /// # Errors
    /// [`AtlasError`] if a viewport has no texel or more than [`MAX_TEXELS`], or if they do not
    /// fit.
    pub fn fitting(width: u32, height: u32, count: u32, side: u32) -> Result<Self, AtlasError> {
        let texels = u64::from(width) * u64::from(height);
        if texels == 0 || texels > u64::from(MAX_TEXELS) {
            return Err(AtlasError::Viewport { width, height });
        }
        let columns = (side / width).min(count.max(1));
        let rows = side / height;
        if u64::from(columns) * u64::from(rows) < u64::from(count.max(1)) {
            return Err(AtlasError::TooLarge { count, width, height, side });
        }
        Ok(Self { width, height, columns, count })
    }

    /// The number of viewports of this size in an image whose sides are at most `side`.
    pub fn capacity(width: u32, height: u32, side: u32) -> u32 {
        let along = |size: u32| side.checked_div(size).unwrap_or(0);
        along(width).saturating_mul(along(height))
    }

    /// The same grid with only its first `count` viewports in use, or all if it has fewer.
    #[must_use]
    pub fn first(self, count: u32) -> Self {
        Self { count: count.min(self.count), ..self }
    }

    /// Width of a viewport in texels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height of a viewport in texels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of viewports in a row of the grid.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of viewports in use.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Width of the image in texels.
    pub fn image_width(&self) -> u32 {
        self.columns * self.width
    }

    /// Height in texels of the rows in use, at least one row.
    pub fn image_height(&self) -> u32 {
        self.count.div_ceil(self.columns).max(1) * self.height
    }

    /// The rectangle of viewport `index`; `None` if it is not in use.
    pub fn viewport(&self, index: u32) -> Option<Rectangle> {
        let (column, row) = (index % self.columns, index / self.columns);
        (index < self.count).then_some(Rectangle {
            x: column * self.width,
            y: row * self.height,
            width: self.width,
            height: self.height,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewports_tile_the_image_without_overlap() {
        let atlas = Atlas::fitting(5, 3, 17, 23).expect("4 columns, 7 rows");
        assert_eq!((atlas.columns(), atlas.image_width(), atlas.image_height()), (4, 20, 15));
        let mut owner = vec![0; 20 * 15];
        for index in 0..17 {
            let r = atlas.viewport(index).expect("in use");
            for y in r.y..r.y + r.height {
                for x in r.x..r.x + r.width {
                    owner[(y * 20 + x) as usize] += 1;
                }
            }
        }
        assert!(owner.iter().all(|&n| n <= 1));
        assert_eq!(owner.iter().sum::<i32>(), 17 * 15);
        assert_eq!(atlas.viewport(17), None);
        assert_eq!(atlas.first(3).viewport(3), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(matches!(Atlas::fitting(0, 4, 1, 64), Err(AtlasError::Viewport { .. })));
        assert!(matches!(
            Atlas::fitting(1 << 14, 1 << 13, 1, 1 << 14),
            Err(AtlasError::Viewport { .. })
        ));
        assert!(matches!(Atlas::fitting(65, 4, 1, 64), Err(AtlasError::TooLarge { .. })));
        assert!(Atlas::fitting(8, 8, 64, 64).is_ok());
        assert!(matches!(Atlas::fitting(8, 8, 65, 64), Err(AtlasError::TooLarge { .. })));
        assert_eq!(Atlas::capacity(8, 8, 64), 64);
        assert_eq!(Atlas::capacity(0, 8, 64), 0);
    }
}
