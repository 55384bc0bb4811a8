//! What is drawn: hulls in shared arrays, and the two hulls of each viewport.

use bytemuck::{Pod, Zeroable};

use super::strip::{RESTART, Run};
use crate::layout::{Layout, layout};

/// A hull with its map to clip space.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Placed {
    /// Affine map from the hull's frame to clip x (-1 left, 1 right): three factors, then the
    /// offset.
    pub row_x: [f32; 4],
    /// The same map to clip y (-1 bottom, 1 top).
    pub row_y: [f32; 4],
    /// The same map to depth (0 near, 1 far).
    pub row_z: [f32; 4],
    /// Its entries in [`Hulls::entries`].
    pub run: Run,
}

/// The two hulls of one viewport: `first` is A of the test, `second` is B.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PairDraw {
    /// A, whose front faces are the reference.
    pub first: Placed,
    /// B, whose faces are counted.
    pub second: Placed,
}

impl Placed {
    pub(crate) const LAYOUT: Layout =
        layout!(Placed { row_x: [f32; 4], row_y: [f32; 4], row_z: [f32; 4], run: Run });

    /// The hull with these entries, mapped by the rows of an affine map.
    pub fn new(rows: [[f32; 4]; 3], run: Run) -> Self {
        let [row_x, row_y, row_z] = rows;
        Self { row_x, row_y, row_z, run }
    }

    /// The point in clip space, computed in the kernel's order of operations.
    pub fn clip(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        [self.row_x, self.row_y, self.row_z].map(|r| ((r[0] * x + r[1] * y) + r[2] * z) + r[3])
    }
}

impl PairDraw {
    pub(crate) const LAYOUT: Layout = layout!(PairDraw { first: Placed, second: Placed });

    /// The other direction of the test: B's front faces become the reference (fan section 2.4.4,
    /// step 5).
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { first: self.second, second: self.first }
    }
}

/// Why hulls or pairs were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// An entry refers to a vertex that does not exist.
    #[error("entry {entry} names vertex {vertex}, but there are {vertices}")]
    Vertex {
        /// Index of the entry.
        entry: usize,
        /// The vertex it refers to.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A hull extends beyond the entries.
    #[error("pair {pair}: its {side} hull ends at entry {end}, but there are {entries}")]
    Entries {
        /// Index of the pair.
        pair: usize,
        /// The hull: `"first"` or `"second"`.
        side: &'static str,
        /// The end of the hull's range of entries, exclusive.
        end: u64,
        /// The number of entries.
        entries: usize,
    },
    /// A map has a NaN or an infinity.
    #[error("pair {pair}: the map of its {side} hull is not finite")]
    NotFinite {
        /// Index of the pair.
        pair: usize,
        /// The hull: `"first"` or `"second"`.
        side: &'static str,
    },
    /// There are more pairs than viewports.
    #[error("{pairs} pairs for an atlas of {viewports} viewports")]
    TooMany {
        /// The number of pairs.
        pairs: usize,
        /// The number of viewports.
        viewports: u32,
    },
}

/// Vertices and entries of all hulls, borrowed. Checked once, so that no kernel reads out of bounds.
#[derive(Clone, Copy, Debug)]
pub struct Hulls<'h> {
    vertices: &'h [[f32; 3]],
    entries: &'h [u32],
}

impl<'h> Hulls<'h> {
    /// Takes vertices in the frames of their hulls, and entries that index them (see
    /// [`super::strip`]).
    ///
    /// # Errors
    /// [`PairError::Vertex`]. O(entries).
    pub fn new(vertices: &'h [[f32; 3]], entries: &'h [u32]) -> Result<Self, PairError> {
        for (entry, &vertex) in entries.iter().enumerate() {
            if vertex != RESTART && vertex as usize >= vertices.len() {
                return Err(PairError::Vertex { entry, vertex, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, entries })
    }

    /// The vertices, each in its hull's frame.
    pub fn vertices(&self) -> &'h [[f32; 3]] {
        self.vertices
    }

    /// The entries of all hulls.
    pub fn entries(&self) -> &'h [u32] {
        self.entries
    }

    /// The entries of a hull; empty if it is out of bounds.
    pub fn entries_of(&self, hull: &Placed) -> &'h [u32] {
        let (begin, length) = (hull.run.begin as usize, hull.run.length as usize);
        self.entries.get(begin..begin.saturating_add(length)).unwrap_or_default()
    }

    /// Checks that pairs can be drawn with `entries` entries.
    ///
    /// # Errors
    /// [`PairError`] names the first invalid pair and hull. O(pairs).
    pub fn check(entries: usize, pairs: &[PairDraw]) -> Result<(), PairError> {
        for (pair, draw) in pairs.iter().enumerate() {
            for (side, hull) in [("first", &draw.first), ("second", &draw.second)] {
                let end = u64::from(hull.run.begin) + u64::from(hull.run.length);
                if end > entries as u64 {
                    return Err(PairError::Entries { pair, side, end, entries });
                }
                let rows = [hull.row_x, hull.row_y, hull.row_z];
                if !rows.iter().flatten().all(|number| number.is_finite()) {
                    return Err(PairError::NotFinite { pair, side });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::strip;

    fn hull(begin: u32, length: u32) -> Placed {
        let run = Run { begin, length, ..Run::default() };
        Placed::new([[1.0, 0.0, 0.0, 0.0]; 3], run)
    }

    #[test]
    fn what_lies_outside_is_named() {
        let entries = strip::encode([[0, 1, 7].as_slice()]).expect("a strip");
        let error = Hulls::new(&[[0.0; 3]; 7], &entries).expect_err("vertex 7 is not there");
        assert_eq!(error, PairError::Vertex { entry: 2, vertex: 7, vertices: 7 });
        assert!(Hulls::new(&[[0.0; 3]; 8], &entries).is_ok());

        let fine = PairDraw { first: hull(0, 3), second: hull(3, 2) };
        assert_eq!(Hulls::check(5, &[fine]), Ok(()));
        let error = Hulls::check(4, &[fine]).expect_err("one entry too few");
        assert_eq!(error.to_string(), "pair 0: its second hull ends at entry 5, but there are 4");
        let mut bad = fine.swapped();
        bad.first.run.begin = u32::MAX;
        assert!(matches!(Hulls::check(5, &[fine, bad]), Err(PairError::Entries { pair: 1, .. })));
        let mut bad = fine;
        bad.first.row_y[2] = f32::NAN;
        let error = Hulls::check(5, &[bad]);
        assert_eq!(error, Err(PairError::NotFinite { pair: 0, side: "first" }));
    }

    #[test]
    fn entries_of_a_hull_outside_are_none() {
        let (vertices, entries) = ([[0.0; 3]; 3], [0, 1, 2]);
        let hulls = Hulls::new(&vertices, &entries).expect("fine");
        assert_eq!(hulls.entries_of(&hull(1, 2)), [1, 2]);
        assert!(hulls.entries_of(&hull(1, 3)).is_empty());
        assert!(hulls.entries_of(&hull(u32::MAX, u32::MAX)).is_empty());
    }
}
