//! The header: format, counts, and thereby the length of the rest.

use std::cmp::Ordering;

use super::checksum;
use super::error::{StoredError, invalid};
use crate::tree::{LANES, TRIANGLES, Tree};
use crate::validate::Place;

/// First bytes. A non-ASCII byte and both kinds of line ends detect transfers in text mode.
pub(super) const MAGIC: [u8; 8] = *b"\x89impw\r\n\x1a";
/// Format version; raised with every change of the format.
pub(super) const VERSION: u32 = 1;
/// Length of a header in bytes.
pub(super) const HEADER: usize = 40;
/// Length in bytes of the checksum at the end.
pub(super) const CHECKSUM: usize = 16;

const FACES: u16 = 1;
const DEGRADED: u16 = 2;

/// The header of bytes that begin with this mark.
pub(super) fn opened<const N: usize>(bytes: &[u8], mark: [u8; 8]) -> Result<&[u8; N], StoredError> {
    let begins = bytes.len().min(mark.len());
    if bytes[..begins] != mark[..begins] {
        return Err(StoredError::Foreign);
    }
    let (expected, found) = (N as u64, bytes.len() as u64);
    bytes.first_chunk().ok_or(StoredError::CutOff { expected, found })
}

/// Checks the version, and the boxes per node and triangles per leaf.
pub(super) fn check_form(found: u32, expected: u32, sizes: [u32; 2]) -> Result<(), StoredError> {
    if found != expected {
        return Err(StoredError::Version { found, expected });
    }
    let known = [("boxes to a node", LANES), ("triangles to a leaf", TRIANGLES)];
    for ((what, expected), found) in known.into_iter().zip(sizes) {
        let expected = expected as u32;
        if found != expected {
            return Err(StoredError::Layout { what, found, expected });
        }
    }
    Ok(())
}

/// Checks the length, and the checksum at the end.
pub(super) fn check_whole(bytes: &[u8], expected: u64) -> Result<(), StoredError> {
    check_length(bytes, expected)?;
    match bytes.split_last_chunk::<CHECKSUM>() {
        Some((sealed, sum)) if checksum(sealed) == u128::from_le_bytes(*sum) => Ok(()),
        _ => Err(StoredError::Damaged),
    }
}

/// Checks the length.
pub(super) fn check_length(bytes: &[u8], expected: u64) -> Result<(), StoredError> {
    let found = bytes.len() as u64;
    match found.cmp(&expected) {
        Ordering::Less => Err(StoredError::CutOff { expected, found }),
        Ordering::Greater => Err(StoredError::TooLong { expected, found }),
        Ordering::Equal => Ok(()),
    }
}

/// Counts, and the state of the model besides its mesh and tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) vertices: u32,
    pub(super) triangles: u32,
    pub(super) nodes: u32,
    pub(super) leaves: u32,
    /// Whether every triangle has a face.
    pub(super) faces: bool,
    /// Whether the next refit is to rebuild the tree.
    pub(super) degraded: bool,
    /// The tree's cost when it was built.
    pub(super) built: f64,
}

impl Header {
    /// Appends the header.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        let flags = [(self.faces, FACES), (self.degraded, DEGRADED)];
        let flags: u16 = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum();
        to.extend_from_slice(&MAGIC);
        to.extend_from_slice(&VERSION.to_le_bytes());
        to.extend_from_slice(&[LANES as u8, TRIANGLES as u8]);
        to.extend_from_slice(&flags.to_le_bytes());
        for count in [self.vertices, self.triangles, self.nodes, self.leaves] {
            to.extend_from_slice(&count.to_le_bytes());
        }
        to.extend_from_slice(&self.built.to_le_bytes());
    }

    /// Reads a header and checks that the counts are consistent.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, StoredError> {
        let header = opened::<HEADER>(bytes, MAGIC)?;
        let words = header.as_chunks::<4>().0;
        let word = |i: usize| u32::from_le_bytes(words[i]);
        check_form(word(2), VERSION, [header[12], header[13]].map(u32::from))?;
        let flags = u16::from_le_bytes([header[14], header[15]]);
        let read = Self {
            vertices: word(4),
            triangles: word(5),
            nodes: word(6),
            leaves: word(7),
            faces: flags & FACES != 0,
            degraded: flags & DEGRADED != 0,
            built: f64::from_bits(u64::from(word(8)) | u64::from(word(9)) << 32),
        };
        match read.wrong(flags) {
            Some(what) => Err(invalid(what, Place::Header)),
            None => Ok(read),
        }
    }

    /// What is wrong with the header, if anything. All nodes but the first have at least two lanes,
    /// and no leaf is empty: so there are at least as many triangles as leaves, and as many leaves
    /// as nodes.
    fn wrong(&self, flags: u16) -> Option<&'static str> {
        let most = Tree::MAX_TRIANGLES as u32;
        if flags & !(FACES | DEGRADED) != 0 {
            Some("unknown flags")
        } else if !(1..=most).contains(&self.triangles) {
            Some("no triangles, or more than a tree takes")
        } else if !(1..=self.triangles).contains(&self.leaves) {
            Some("no leaves, or more than triangles")
        } else if !(1..=self.leaves).contains(&self.nodes) {
            Some("no nodes, or more than leaves")
        } else if !(self.built >= 0.0 && self.built < f64::INFINITY) {
            Some("the tree's cost is no number")
        } else {
            None
        }
    }

    /// Number of boxes: one for each node but the first, and one for each leaf.
    pub(super) fn boxes(&self) -> u64 {
        u64::from(self.nodes) + u64::from(self.leaves) - 1
    }

    /// Bytes of the sections: vertices, triangles, faces, nodes, leaves, order of triangles, axes.
    pub(super) fn sections(&self) -> [u64; 7] {
        let [v, t] = [self.vertices, self.triangles].map(u64::from);
        let faces = if self.faces { 4 * t } else { 0 };
        let [nodes, leaves] = [self.nodes, self.leaves].map(u64::from);
        [24 * v, 12 * t, faces, 4 * nodes, leaves, 4 * t, 36 * self.boxes()]
    }

    /// Bytes in total.
    pub(super) fn bytes(&self) -> u64 {
        (HEADER + CHECKSUM) as u64 + self.sections().iter().sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::InvalidTree;

    const LEGAL: Header = Header {
        vertices: 12,
        triangles: 20,
        nodes: 3,
        leaves: 7,
        faces: false,
        degraded: false,
        built: 2.5,
    };

    fn written(header: &Header) -> Vec<u8> {
        let mut bytes = Vec::new();
        header.write(&mut bytes);
        assert_eq!(bytes.len(), HEADER);
        bytes
    }

    fn refused(bytes: &[u8]) -> bool {
        matches!(
            Header::read(bytes),
            Err(StoredError::Invalid(InvalidTree { place: Place::Header, .. }))
        )
    }

    #[test]
    fn what_is_written_is_read() {
        for (faces, degraded) in [(false, false), (true, false), (false, true), (true, true)] {
            for built in [0.0, 1.5, f64::MAX, f64::from_bits(0x0123_4567_89ab_cdef)] {
                let header = Header { faces, degraded, built, ..LEGAL };
                assert_eq!(Header::read(&written(&header)).expect("legal"), header);
            }
        }
        let flags = |bit: usize| {
            let mut bytes = written(&LEGAL);
            bytes[14 + bit / 8] ^= 1 << (bit % 8);
            refused(&bytes)
        };
        assert!((2..16).all(flags) && !flags(0) && !flags(1));
    }

    /// At the limits of what is legal, and one beyond.
    #[test]
    fn counts_fit_each_other() {
        let most = 1 << 28;
        for (triangles, leaves, nodes, legal) in [
            (1, 1, 1, true),
            (0, 0, 0, false),
            (most, 7, 3, true),
            (most + 1, 7, 3, false),
            (7, 7, 3, true),
            (6, 7, 3, false),
            (20, 0, 0, false),
            (20, 3, 3, true),
            (20, 2, 3, false),
            (20, 7, 0, false),
            (most, most, most, true),
        ] {
            let header = Header { triangles, nodes, leaves, ..LEGAL };
            let bytes = written(&header);
            assert_eq!(Header::read(&bytes).is_ok(), legal, "{header:?}");
            assert_eq!(refused(&bytes), !legal, "{header:?}");
        }
        for built in [-1.0, f64::INFINITY, f64::NAN, f64::NEG_INFINITY] {
            assert!(refused(&written(&Header { built, ..LEGAL })), "{built}");
        }
    }

    /// Sections have the sizes of their elements: a vertex has three numbers of eight bytes, and so
    /// on.
    #[test]
    fn sections_are_as_long_as_what_is_in_them() {
        assert_eq!(LEGAL.boxes(), 9);
        assert_eq!(LEGAL.sections(), [288, 240, 0, 12, 7, 80, 324]);
        assert_eq!(LEGAL.bytes(), 40 + 16 + 951);
        let faces = Header { faces: true, ..LEGAL };
        assert_eq!(faces.sections(), [288, 240, 80, 12, 7, 80, 324]);
    }
}
