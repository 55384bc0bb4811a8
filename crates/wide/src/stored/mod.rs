//! Serialising prepared models.
//!
//! All numbers are little-endian on every machine. `docs/methods/wide.md`, "Saving", proves that
//! loading is safe.
//!
//! | part | bytes | what |
//! | --- | --- | --- |
//! | header | 40 | mark, version, boxes per node and triangles per leaf, flags, counts, cost |
//! | vertices | 24 each | three 64-bit coordinates |
//! | triangles | 12 each | three indices |
//! | faces | 4 per triangle, or none | the mesh's faces |
//! | nodes | 4 each | number of lanes, and which are leaves, depth first |
//! | leaves | 1 each | number of triangles |
//! | order | 4 per triangle | triangle indices, leaf by leaf |
//! | axes | 36 per box | three unit vectors of 32-bit numbers |
//! | checksum | 16 | XXH3 of all bytes before |
//!
//! Centres and half-lengths are not stored: they follow from the mesh and the axes.
//!
//! `image` is another form, larger and not to be unpacked.

mod error;
mod header;
mod image;
mod plain;
mod read;
#[cfg(feature = "serde")]
mod serde;
mod shape;
#[cfg(test)]
mod tests;
mod write;

use std::io::{self, Read, Write};

use impinge_query::Control;
use twox_hash::XxHash3_128;

use crate::model::WideModel;
pub use error::StoredError;
use header::{HEADER, Header};
pub use image::AlignedBytes;

/// Bytes read between two polls of the caller's flag.
const POLL_INTERVAL: u64 = 1 << 24;

fn checksum(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

impl WideModel {
    /// Serialises the model, including its mesh, to about 1.5 times the bytes of the mesh. The same
    /// bytes on every machine. O(n).
    ///
    /// ```
    /// use impinge_query::{Control, Engine};
    /// use impinge_wide::{WideModel, wide};
    /// # use impinge_geometry::{Mesh, Point};
    /// # let mesh = Mesh::new(
    /// #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.)],
    /// #     vec![[0, 1, 2]],
    /// # )?;
    /// let model = wide().prepare(&mesh, &Control::NONE)?;
    /// let mut bytes = model.to_bytes();
    /// let loaded = WideModel::from_bytes(&bytes, &Control::NONE)?;
    /// assert_eq!(loaded.mesh(), &mesh);
    /// bytes[50] ^= 1; // a disk that forgets
    /// assert!(WideModel::from_bytes(&bytes, &Control::NONE).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        write::bytes(self)
    }

    /// Writes the bytes of [`WideModel::to_bytes`].
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(&self.to_bytes())
    }

    /// Loads a stored model: the same tree, bit for bit, with a new identity. Recomputes the boxes,
    /// on all threads of the current pool, so that any bytes are either refused or give a model
    /// whose answers are right for its [`mesh`](WideModel::mesh). O(n); about a fifth of the time
    /// of building. Calling [`WideModel::validate`] afterwards would take several times as long and
    /// find nothing. Memory is proportional to `bytes`, even if they are invalid.
    ///
    /// # Errors
    /// [`StoredError`] tells what is wrong and where.
    pub fn from_bytes(bytes: &[u8], control: &Control<'_>) -> Result<Self, StoredError> {
        read::model(bytes, control)
    }

    /// The same from a reader. Reads exactly the model's bytes and leaves those after it.
    ///
    /// # Errors
    /// [`StoredError`]; also if reading fails.
    pub fn read_from(mut from: impl Read, control: &Control<'_>) -> Result<Self, StoredError> {
        let mut bytes = Vec::new();
        from.by_ref().take(HEADER as u64).read_to_end(&mut bytes)?;
        let mut left = Header::read(&bytes)?.bytes() - HEADER as u64;
        // Memory grows with the bytes read, not with what the header announces.
        while left > 0 {
            control.check()?;
            let some = from.by_ref().take(left.min(POLL_INTERVAL)).read_to_end(&mut bytes)? as u64;
            if some == 0 {
                break;
            }
            left -= some;
        }
        Self::from_bytes(&bytes, control)
    }
}
