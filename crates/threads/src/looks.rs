//! Counts how often a call checks its cancel flag and how much work it does in between, for the
//! tests of cancellation. A flag that is not watched costs nothing here.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// Volume and primitive tests counted by this thread.
    static WORK: Cell<u64> = const { Cell::new(0) };
    /// The watch last checked on this thread, and [`WORK`] at that time.
    static LAST: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Records `n` volume or primitive tests of this thread. Called by queries that count.
#[inline]
pub fn worked(n: u64) {
    WORK.set(WORK.get() + n);
}

/// How often a watched flag ([`Cancel::at_look`](crate::Cancel::at_look)) was checked. Work is
/// counted in volume and primitive tests, by queries that count (`Ask::counted` in
/// `impinge-query`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// The number of checks, those after the flag was raised included.
    pub number: u64,
    /// The most tests between two checks of one thread; on the thread that made the flag, also
    /// before its first check and after its last.
    pub longest: u64,
    /// The sum of tests between checks. Excludes what other threads do before their first check and
    /// after their last.
    pub tests: u64,
}

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

    /// Counts a check and returns whether the flag goes up at it.
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

    /// Adds the tests of this thread since its last check.
    fn note(&self) {
        let ((id, before), now) = (LAST.get(), WORK.get());
        LAST.set((self.id, now));
        if id == self.id {
            self.longest.fetch_max(now - before, Ordering::Relaxed);
            self.tests.fetch_add(now - before, Ordering::Relaxed);
        }
    }
}
