//! Time, also where there is no clock: the one place that reads it.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// A moment, to measure what follows. `wasm32-unknown-unknown` has no clock, and `Instant::now`
/// panics there: all its moments are the same, and all that follows takes no time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    instant: Instant,
}

impl Moment {
    /// The moment of this call.
    #[inline]
    pub fn now() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            instant: Instant::now(),
        }
    }

    /// The time since then; zero where there is no clock.
    #[inline]
    pub fn elapsed(self) -> Duration {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return self.instant.elapsed();
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        Duration::ZERO
    }

    /// [`Moment::elapsed`] in nanoseconds.
    #[inline]
    pub fn nanoseconds(self) -> u64 {
        u64::try_from(self.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes() {
        let start = Moment::now();
        std::thread::sleep(Duration::from_millis(2));
        let (first, second) = (start.nanoseconds(), start.elapsed());
        assert!((2_000_000..1_000_000_000_000).contains(&first), "{first}");
        assert!(second >= Duration::from_nanos(first));
    }
}
