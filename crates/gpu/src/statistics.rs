//! Counts of submissions and of bytes transferred since an adapter was opened.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of one [`crate::Gpu`], over all its clones and threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Submissions begun.
    pub submissions: u64,
    /// Bytes sent to buffers.
    pub uploaded: u64,
    /// Bytes read back.
    pub downloaded: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    submissions: AtomicU64,
    uploaded: AtomicU64,
    downloaded: AtomicU64,
}

impl Tally {
    /// Counts a submission and returns its number, from 0.
    pub(crate) fn submission(&self) -> u64 {
        self.submissions.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn uploaded(&self, bytes: u64) {
        self.uploaded.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn downloaded(&self, bytes: u64) {
        self.downloaded.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> Statistics {
        Statistics {
            submissions: self.submissions.load(Ordering::Relaxed),
            uploaded: self.uploaded.load(Ordering::Relaxed),
            downloaded: self.downloaded.load(Ordering::Relaxed),
        }
    }
}
