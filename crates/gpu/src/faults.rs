//! Stores failures that a driver reports asynchronously until they are checked. The library's own
//! handler for errors outside any scope panics; this one records them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wgpu::{Device, Error, ErrorFilter};

use crate::error::GpuError;

#[derive(Debug, Default)]
pub(crate) struct Faults {
    lost: Mutex<Option<String>>,
    stray: Mutex<Vec<GpuError>>,
}

/// Locks a record; a poisoned lock is still valid.
fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Faults {
    /// Replaces the library's handlers.
    pub(crate) fn watch(device: &Device) -> Arc<Self> {
        let faults = Arc::new(Self::default());
        let notes = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error| {
            open(&notes.stray).push(named("work outside any submission", error));
        }));
        let notes = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, message| {
            notes.lose(format!("{reason:?} {message}").trim().to_owned());
        });
        faults
    }

    /// Records that the device is lost; the first reason is kept.
    pub(crate) fn lose(&self, reason: String) {
        open(&self.lost).get_or_insert(reason);
    }

    /// Whether the device is known to be lost.
    pub(crate) fn is_lost(&self) -> bool {
        open(&self.lost).is_some()
    }

    /// An error if the device is lost, or if something failed outside every scope.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        if let Some(reason) = open(&self.lost).clone() {
            return Err(GpuError::Lost { reason });
        }
        open(&self.stray).pop().map_or(Ok(()), Err)
    }

    /// Runs `work` on `device` and returns its result only if nothing failed meanwhile.
    pub(crate) fn guard<T>(
        &self,
        device: &Device,
        what: &str,
        work: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        self.check()?;
        let memory = device.push_error_scope(ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(ErrorFilter::Internal);
        let validation = device.push_error_scope(ErrorFilter::Validation);
        // The library panics on unexpected driver responses.
        let result = catch_unwind(AssertUnwindSafe(work));
        // Innermost scope first; the futures are ready at once.
        let found = [validation, internal, memory].map(|scope| pollster::block_on(scope.pop()));
        self.check()?;
        if let Some(error) = found.into_iter().flatten().next() {
            return Err(self.settled(device, named(what, error)));
        }
        result.map_err(|cause| {
            let message = panic_message(&*cause);
            self.settled(device, GpuError::Refused { what: what.to_owned(), message })
        })
    }

    /// The error itself, or the device's loss if that caused it: the library reports a loss only
    /// when polled.
    pub(crate) fn settled(&self, device: &Device, error: GpuError) -> GpuError {
        let poll = || device.poll(wgpu::PollType::Poll);
        // The result of polling is irrelevant; only a recorded loss counts.
        let _ = catch_unwind(AssertUnwindSafe(poll));
        match self.check() {
            Err(lost @ GpuError::Lost { .. }) => lost,
            _ => error,
        }
    }
}

fn panic_message(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

fn named(what: &str, error: Error) -> GpuError {
    let what = what.to_owned();
    match error {
        Error::OutOfMemory { .. } => GpuError::OutOfMemory { what },
        Error::Validation { description, .. } | Error::Internal { description, .. } => {
            GpuError::Refused { what, message: description.trim().to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays_and_a_stray_error_is_told_once() {
        let faults = Faults::default();
        assert_eq!(faults.check(), Ok(()));
        open(&faults.stray).push(GpuError::OutOfMemory { what: "x".to_owned() });
        assert!(faults.check().is_err());
        assert_eq!(faults.check(), Ok(()));
        assert!(!faults.is_lost());
        faults.lose("first".to_owned());
        faults.lose("second".to_owned());
        for _ in 0..2 {
            assert_eq!(faults.check(), Err(GpuError::Lost { reason: "first".to_owned() }));
            assert!(faults.is_lost());
        }
    }
}
