//! Triangles of hulls in the format of the kernels (fan section 2.3.4): vertices by index, one word
//! each, either as triangle strips or as a plain list.
//!
//! A strip `s₀ s₁ s₂ …` means the triangles `(sⱼ, sⱼ₊₁, sⱼ₊₂)`, every second one with its last two
//! corners swapped, so that all have the orientation of the first. Strips of one hull follow each
//! other with [`RESTART`] between them. An adapter draws them as indexed triangle strips, so each
//! entry is a vertex that is sent once. A list has three entries for each triangle; an adapter
//! draws it without an index buffer, so three vertices are sent for each triangle.

use bytemuck::{Pod, Zeroable};

use crate::layout::{Layout, layout};

/// The entry between two strips. No vertex; all adapters restart a strip there.
pub const RESTART: u32 = u32::MAX;
/// The largest vertex.
pub const LARGEST: u32 = RESTART - 1;

/// How the entries of a hull form triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Strips with [`RESTART`] between them.
    Strips,
    /// Three entries for each triangle, none of them [`RESTART`].
    List,
}

/// The entries of one hull among those of many.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Run {
    /// Index of the first entry.
    pub begin: u32,
    /// The number of entries.
    pub length: u32,
    /// The number of vertices that are sent to draw the hull: entries without restarts.
    pub vertices: u32,
    /// 1 for strips, 0 for a list.
    pub strips: u32,
}

impl Run {
    pub(crate) const LAYOUT: Layout =
        layout!(Run { begin: u32, length: u32, vertices: u32, strips: u32 });

    /// The run of entries that begin at `begin`.
    pub fn new(code: Code, begin: u32, entries: &[u32]) -> Self {
        let vertices = entries.iter().filter(|&&entry| entry != RESTART).count() as u32;
        Self {
            begin,
            length: entries.len() as u32,
            vertices,
            strips: (code == Code::Strips).into(),
        }
    }

    /// How its entries form triangles.
    pub fn code(&self) -> Code {
        if self.strips == 0 { Code::List } else { Code::Strips }
    }

    /// The same run among entries that follow `before` others.
    #[must_use]
    pub fn after(self, before: u32) -> Self {
        Self { begin: self.begin + before, ..self }
    }
}

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
    /// A vertex index is that of a restart.
    #[error("strip {strip} names vertex {vertex}; the largest is {LARGEST}")]
    Vertex {
        /// Index of the strip.
        strip: usize,
        /// The vertex index.
        vertex: u32,
    },
}

/// Encodes strips, one after another.
///
/// ```
/// use impinge_shaders::image::strip::{self, Code};
/// let entries = strip::encode([[4, 5, 6, 7].as_slice(), &[0, 1, 2]])?;
/// assert_eq!(entries, [4, 5, 6, 7, strip::RESTART, 0, 1, 2]);
/// let triangles: Vec<_> = strip::triangles(&entries, Code::Strips).collect();
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
        if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex > LARGEST) {
            return Err(StripError::Vertex { strip, vertex });
        }
        if strip > 0 {
            entries.push(RESTART);
        }
        entries.extend_from_slice(vertices);
    }
    Ok(entries)
}

/// All triangles of the entries of a hull, in order, as an adapter assembles them.
pub fn triangles(entries: &[u32], code: Code) -> impl Iterator<Item = [u32; 3]> + '_ {
    let (strips, list) = match code {
        Code::Strips => (entries, &[][..]),
        Code::List => (&[][..], entries),
    };
    let whole = |t: &[u32; 3]| !t.contains(&RESTART);
    let of_list = list.chunks_exact(3).map(|w| [w[0], w[1], w[2]]).filter(whole);
    strips.split(|&entry| entry == RESTART).flat_map(of_strip).chain(of_list)
}

fn of_strip(strip: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let turned = |(step, w): (usize, &[u32])| {
        if step % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] }
    };
    strip.windows(3).enumerate().map(turned)
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
        let turns: Vec<i64> = triangles(&entries, Code::Strips)
            .map(|[a, b, c]| {
                let ((ax, ay), (bx, by), (cx, cy)) = (at(a), at(b), at(c));
                (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            })
            .collect();
        assert_eq!(turns, [-1; 7]);
    }

    #[test]
    fn no_triangle_crosses_from_strip_to_strip() {
        // The first has an odd number of triangles: the second starts anew.
        let entries = encode([[0, 1, 2].as_slice(), &[3, 4, 5, 6]]).expect("two strips");
        let found: Vec<_> = triangles(&entries, Code::Strips).collect();
        assert_eq!(found, [[0, 1, 2], [3, 4, 5], [4, 6, 5]]);
        assert_eq!(triangles(&[0, 1], Code::Strips).count(), 0);
    }

    #[test]
    fn a_list_has_three_entries_for_each_triangle() {
        let entries = [5, 3, 1, 0, 1, 2, 9];
        assert_eq!(triangles(&entries, Code::List).collect::<Vec<_>>(), [[5, 3, 1], [0, 1, 2]]);
        assert_eq!(triangles(&[0, RESTART, 2], Code::List).count(), 0);
    }

    #[test]
    fn a_run_tells_what_is_sent() {
        let entries = encode([[0, 1, 2].as_slice(), &[3, 4, 5, 6]]).expect("two strips");
        let run = Run::new(Code::Strips, 4, &entries);
        assert_eq!((run.begin, run.length, run.vertices, run.code()), (4, 8, 7, Code::Strips));
        assert_eq!(run.after(10), Run { begin: 14, ..run });
        let run = Run::new(Code::List, 0, &[0, 1, 2]);
        assert_eq!((run.length, run.vertices, run.code()), (3, 3, Code::List));
    }

    #[test]
    fn short_strips_and_large_vertices_are_refused() {
        let short = encode([[0, 1, 2].as_slice(), &[3, 4]]);
        assert_eq!(short, Err(StripError::Short { strip: 1, length: 2 }));
        let large = encode([[0, 1, RESTART].as_slice()]);
        assert_eq!(large, Err(StripError::Vertex { strip: 0, vertex: RESTART }));
        assert!(encode([]).expect("nothing to refuse").is_empty());
    }
}
