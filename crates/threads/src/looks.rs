//! How often a call looks at its cancel flag, and how much it does in between: what the tests of
//! cancellation count. A flag that is not watched costs nothing here.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// Tests of volumes and primitives that this thread counted.
    static WORK: Cell<u64> = const { Cell::new(0) };
    /// The watch that looked last on this thread, and [`WORK`] at that time.
    static LAST: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// For counted queries: this thread did `n` tests of volumes or primitives.
#[inline]
pub fn worked(n: u64) {
    WORK.set(WORK.get() + n);
}

/// How often a watched flag ([`Cancel::at_look`](crate::Cancel::at_look)) was looked at. Work is
/// counted in tests of volumes and of primitives, by queries that count
/// (`Ask::counted` in `impinge-query`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// Looks, those after the flag was raised included.
    pub number: u64,
    /// The most tests between two looks of one thread; on the thread that made the flag also
    /// before its first look and after its last.
    pub longest: u64,
    /// Tests between all looks. What other threads do before their first look and after their
    /// last is not in it.
    pub tests: u64,
}

/// What a watched flag keeps.
#[derive(Debug)]
pub(crate) struct Watch {
    id: u64,
    raise_at: u64,
    looks: AtomicU64,
    longest: AtomicU64,
    tests: AtomicU64,
}

impl Watch {
    pub(crate) fn new(raise_at: u64) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        LAST.set((id, WORK.get()));
        let zero = || AtomicU64::new(0);
        Self { id, raise_at, looks: zero(), longest: zero(), tests: zero() }
    }

    /// Counts a look. Is it the one at which the flag goes up?
    pub(crate) fn look(&self) -> bool {
        self.note();
        self.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.raise_at
    }

    pub(crate) fn looks(&self) -> Looks {
        self.note();
        Looks {
            number: self.looks.load(Ordering::Relaxed),
            longest: self.longest.load(Ordering::Relaxed),
            tests: self.tests.load(Ordering::Relaxed),
        }
    }

    /// Adds what this thread did since it was here last.
    fn note(&self) {
        let ((id, before), now) = (LAST.get(), WORK.get());
        LAST.set((self.id, now));
        if id == self.id {
            self.longest.fetch_max(now - before, Ordering::Relaxed);
            self.tests.fetch_add(now - before, Ordering::Relaxed);
        }
    }
}
