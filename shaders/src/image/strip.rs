//! Triangle strips in the format of the kernels (fan section 2.3.4): one word per vertex, decoded
//! while drawing, without a restart index, which depends on the backend.
//!
//! A strip `s₀ s₁ s₂ …` means the triangles `(sⱼ, sⱼ₊₁, sⱼ₊₂)`, every second one with its last two
//! corners swapped, so that all have the orientation of the first. An *entry* has a vertex in 30
//! bits, a flag whether a triangle ends with it, and a flag whether that triangle is swapped.
//! Several strips are concatenated into one run of entries.

/// Flag: no triangle ends with this entry; it is one of the first two of a strip.
pub const NO_TRIANGLE: u32 = 1 << 31;
/// Flag: the triangle that ends with this entry has its last two corners swapped.
pub const FLIPPED: u32 = 1 << 30;
/// Mask of the vertex, and the largest vertex.
pub const INDEX: u32 = (1 << 30) - 1;

/// Why strips were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StripError {
    /// A strip with fewer than three vertices has no triangle.
    #[error("strip {strip} has {length} vertices; it needs at least 3")]
    Short {
        /// Index of the strip.
        strip: usize,
        /// The number of its vertices.
        length: usize,
    },
    /// A vertex index does not fit in 30 bits.
    #[error("strip {strip} names vertex {vertex}; the largest is {INDEX}")]
    Vertex {
        /// Index of the strip.
        strip: usize,
        /// The vertex index.
        vertex: u32,
    },
}

/// Encodes strips, one after another, as one word per vertex.
///
/// ```
/// use impinge_shaders::image::strip;
/// let entries = strip::encode([[4, 5, 6, 7].as_slice(), &[0, 1, 2]])?;
/// let triangles: Vec<_> = strip::triangles(&entries).collect();
/// assert_eq!(triangles, [[4, 5, 6], [5, 7, 6], [0, 1, 2]]);
/// # Ok::<(), strip::StripError>(())
/// ```
///
/// # Errors
/// [`StripError`] names the first strip that is too short or has too large a vertex.
pub fn encode<'s>(strips: impl IntoIterator<Item = &'s [u32]>) -> Result<Vec<u32>, StripError> {
    let mut entries = Vec::new();
    for (strip, vertices) in strips.into_iter().enumerate() {
        let length = vertices.len();
        if length < 3 {
            return Err(StripError::Short { strip, length });
        }
        for (step, &vertex) in vertices.iter().enumerate() {
            if vertex > INDEX {
                return Err(StripError::Vertex { strip, vertex });
            }
            let flag = match step {
                0 | 1 => NO_TRIANGLE,
                _ if step % 2 == 1 => FLIPPED,
                _ => 0,
            };
            entries.push(vertex | flag);
        }
    }
    Ok(entries)
}

/// The number of vertices drawn for a run of `length` entries: three for every entry except the
/// first two.
pub fn corners(length: u32) -> u32 {
    length.saturating_sub(2).saturating_mul(3)
}

/// The triangle that ends with entry `window + 2`, decoded as in the kernel; `None` if none does.
pub fn triangle(entries: &[u32], window: usize) -> Option<[u32; 3]> {
    let last = *entries.get(window.checked_add(2)?)?;
    if last & NO_TRIANGLE != 0 {
        return None;
    }
    let [a, b, c] = [0, 1, 2].map(|step| entries[window + step] & INDEX);
    Some(if last & FLIPPED == 0 { [a, b, c] } else { [a, c, b] })
}

/// All triangles of a run of entries, in order.
pub fn triangles(entries: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    (0..entries.len().saturating_sub(2)).filter_map(|window| triangle(entries, window))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_of_a_strip_has_the_orientation_of_the_first() {
        // A flat strip along x: all triangles must have the same orientation.
        let at = |v: u32| (i64::from(v / 2), i64::from(v % 2));
        let strip: Vec<u32> = (0..9).collect();
        let entries = encode([strip.as_slice()]).expect("a strip");
        let turns: Vec<i64> = triangles(&entries)
            .map(|[a, b, c]| {
                let ((ax, ay), (bx, by), (cx, cy)) = (at(a), at(b), at(c));
                (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            })
            .collect();
        assert_eq!(turns, [-1; 7]);
        assert_eq!(corners(9), 21);
    }

    #[test]
    fn no_triangle_crosses_from_strip_to_strip() {
        let entries = encode([[0, 1, 2].as_slice(), &[3, 4, 5, 6]]).expect("two strips");
        assert_eq!(triangles(&entries).collect::<Vec<_>>(), [[0, 1, 2], [3, 4, 5], [4, 6, 5]]);
        assert_eq!(triangle(&entries, 1), None);
        assert_eq!(triangle(&entries, 99), None);
        assert_eq!(triangle(&entries, usize::MAX), None);
    }

    #[test]
    fn short_strips_and_large_vertices_are_refused() {
        let short = encode([[0, 1, 2].as_slice(), &[3, 4]]);
        assert_eq!(short, Err(StripError::Short { strip: 1, length: 2 }));
        let large = encode([[0, 1, INDEX + 1].as_slice()]);
        assert_eq!(large, Err(StripError::Vertex { strip: 0, vertex: INDEX + 1 }));
        assert!(encode([]).expect("nothing to refuse").is_empty());
        assert_eq!((corners(0), corners(2)), (0, 0));
    }
}
