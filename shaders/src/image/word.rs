//! The result word of a pair, and the CPU twin of the kernel that writes it.

use super::atlas::Atlas;

/// Flag: the kernel has processed this viewport. Always set, so a word is never 0.
pub const CLASSIFIED: u32 = 1 << 31;
/// Flag: some pixel has the value 2; the low bits are the index of the first.
pub const OVERLAP: u32 = 1 << 30;
/// Flag: some pixel has the value 3.
pub const BEHIND: u32 = 1 << 29;
/// Mask of a pixel's index in its viewport, row by row.
pub const PIXEL: u32 = (1 << 26) - 1;

/// Value of a pixel where A's front face is inside B.
pub const OVERLAP_VALUE: u8 = 2;
/// Value of a pixel where all of B is behind A's front face.
pub const BEHIND_VALUE: u8 = 3;

/// The class of one viewport's pixels (fan section 2.4.4, step 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelClass {
    /// Index, row by row, of the first pixel of the viewport where A's front face is inside B. The
    /// hulls then overlap at the image's resolution.
    pub overlap: Option<u32>,
    /// Whether there is a pixel where all of B is behind A's front face. The other direction of the
    /// test must then decide, see [`super::PairDraw::swapped`].
    pub behind: bool,
}

impl PixelClass {
    /// Decodes a word; `None` if the kernel did not write it.
    pub fn from_word(word: u32) -> Option<Self> {
        let overlap = (word & OVERLAP != 0).then_some(word & PIXEL);
        (word & CLASSIFIED != 0).then_some(Self { overlap, behind: word & BEHIND != 0 })
    }

    /// Encodes the class as a word.
    #[must_use]
    pub fn word(self) -> u32 {
        let overlap = self.overlap.map_or(0, |pixel| OVERLAP | (pixel & PIXEL));
        CLASSIFIED | overlap | if self.behind { BEHIND } else { 0 }
    }
}

/// The CPU twin of `wgsl/image/classify.wgsl`: one word per viewport of `values`, an image of
/// [`Atlas::image_width`] columns. Pixels outside `values` count as 0.
pub fn classify(atlas: &Atlas, values: &[u8]) -> Vec<u32> {
    let columns = atlas.image_width() as usize;
    let class = |index: u32| {
        let mut class = PixelClass::default();
        let Some(place) = atlas.viewport(index) else { return class };
        for pixel in 0..place.width * place.height {
            let (x, y) = (place.x + pixel % place.width, place.y + pixel / place.width);
            match values.get(y as usize * columns + x as usize) {
                Some(&OVERLAP_VALUE) => class.overlap = class.overlap.or(Some(pixel)),
                Some(&BEHIND_VALUE) => class.behind = true,
                _ => {}
            }
        }
        class
    };
    (0..atlas.count()).map(|index| class(index).word()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_comes_back_as_it_was_and_zero_is_no_word() {
        for overlap in [None, Some(0), Some(PIXEL)] {
            for behind in [false, true] {
                let class = PixelClass { overlap, behind };
                assert_eq!(PixelClass::from_word(class.word()), Some(class));
            }
        }
        assert_eq!(PixelClass::from_word(0), None);
        assert_eq!(PixelClass::from_word(OVERLAP | BEHIND), None);
    }

    #[test]
    fn each_viewport_has_its_own_first_pixel() {
        let atlas = Atlas::fitting(3, 2, 3, 6).expect("two columns, two rows");
        #[rustfmt::skip]
        let values = [
            1, 0, 1, 0, 3, 0,
            0, 2, 2, 0, 1, 0,
            2, 1, 1, 2, 2, 2,
            3, 0, 0, 2, 2, 2,
        ];
        let want = [(Some(4), false), (None, true), (Some(0), true)];
        let want = want.map(|(overlap, behind)| PixelClass { overlap, behind }.word());
        assert_eq!(classify(&atlas, &values), want);
        assert_eq!(classify(&atlas, &[]), [CLASSIFIED; 3]);
    }
}
