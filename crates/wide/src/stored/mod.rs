//! Prepared models as bytes, to be kept and loaded again.
//!
//! All numbers are little-endian, whatever the machine. `docs/methods/wide.md`, "Saving", says why
//! loading is safe.
//!
//! | part | bytes | what |
//! | --- | --- | --- |
//! | header | 40 | mark, version, boxes to a node, triangles to a leaf, flags, counts, cost when built |
//! | vertices | 24 each | three 64-bit coordinates |
//! | triangles | 12 each | three indices |
//! | faces | 4 a triangle, or none | of the mesh |
//! | nodes | 4 each | lanes, and which of them are leaves, depth first |
//! | leaves | 1 each | how many triangles |
//! | order | 4 a triangle | triangles, leaf by leaf |
//! | axes | 36 a box | three unit vectors of 32-bit numbers |
//! | checksum | 16 | XXH3 of all before |
//!
//! Centres and half-lengths are not stored: they follow from the mesh and the axes.

mod error;
mod header;
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

/// Bytes that are read between two looks at whether the caller has cancelled.
const POLL_INTERVAL: u64 = 1 << 24;

fn checksum(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

impl WideModel {
    /// The model as bytes, its mesh included: about as many as the mesh has, and half as many again.
    /// The same on every machine. O(n).
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

    /// Writes [`WideModel::to_bytes`].
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(&self.to_bytes())
    }

    /// The model that was stored: the same tree, bit for bit, with an identity of its own. Its boxes
    /// are found anew, on all threads of the pool it is called in, so that any bytes at all are
    /// refused or give a model whose answers are right for its [`mesh`](WideModel::mesh). O(n); about
    /// a fifth of the time of building; [`WideModel::validate`] would take a multiple of that and
    /// find nothing. Needs space in proportion to `bytes`, however wrong they are.
    ///
    /// # Errors
    /// [`StoredError`] says what is wrong and where.
    pub fn from_bytes(bytes: &[u8], control: &Control<'_>) -> Result<Self, StoredError> {
        read::model(bytes, control)
    }

    /// The same from a reader, of which exactly the model is read: what follows it is left.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn read_from(mut from: impl Read, control: &Control<'_>) -> Result<Self, StoredError> {
        let mut bytes = Vec::new();
        from.by_ref().take(HEADER as u64).read_to_end(&mut bytes)?;
        let mut left = Header::read(&bytes)?.bytes() - HEADER as u64;
        // Space is taken as bytes come in, not as the header says.
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
