//! The records that are the same in memory and in an image: any bits, and no padding.
#![expect(unsafe_code, reason = "a derived implementation would cost every user a crate")]

use bytemuck::{Pod, Zeroable};

use super::image::{Block, Header};
use crate::tree::{CORNERS, LANES, Leaf, Node, TRIANGLES};

// Without padding, a record is as large as its numbers.
const _: () = assert!(size_of::<Node>() == 4 * (3 + 1 + 1 + 1 + 16 * LANES + 10));
const _: () = assert!(size_of::<Leaf>() == 4 * (2 * CORNERS + TRIANGLES + 3 + 1));
const _: () = assert!(size_of::<Header>() == 8 + 4 * (1 + 1 + 1 + 4 + 1) + 8 * (2 + 3 + 6));
const _: () = assert!(size_of::<Block>() == 64);

// SAFETY: `repr(C)`, of 32-bit numbers only, without padding as asserted; zeros are a value.
unsafe impl Zeroable for Node {}
// SAFETY: likewise, and any bits are a value.
unsafe impl Pod for Node {}
// SAFETY: as `Node`.
unsafe impl Zeroable for Leaf {}
// SAFETY: as `Node`.
unsafe impl Pod for Leaf {}
// SAFETY: as `Node`, of bytes and numbers of 16, 32 and 64 bits.
unsafe impl Zeroable for Header {}
// SAFETY: likewise.
unsafe impl Pod for Header {}
// SAFETY: as `Node`, of bytes.
unsafe impl Zeroable for Block {}
// SAFETY: likewise.
unsafe impl Pod for Block {}
