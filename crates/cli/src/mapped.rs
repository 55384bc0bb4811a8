//! Files in memory without a copy.
#![expect(unsafe_code, reason = "a mapped file may be changed by others while it is read")]

use std::fs::File;
use std::io;
use std::sync::Arc;

use impinge::geometry::SharedBytes;
use memmap2::Mmap;

/// The bytes of a file, which stay where the system keeps them.
pub(crate) fn map(file: &File) -> io::Result<SharedBytes> {
    // SAFETY: nobody may write to the file while it is mapped. This program replaces files by new
    // ones under their name, which leaves a mapped one as it was; the help of `impinge prepare --image`
    // asks the same of others.
    let map = unsafe { Mmap::map(file) }?;
    Ok(Arc::new(map))
}
