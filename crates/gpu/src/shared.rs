//! The devices that a process opens once: whoever asks for the same gets the same.

use std::sync::{Mutex, PoisonError};

use crate::error::OpenError;
use crate::gpu::Gpu;
use crate::need::Request;

/// The open devices, and what was asked for.
static OPEN: Mutex<Vec<(Request, Gpu)>> = Mutex::new(Vec::new());

impl Gpu {
    /// As [`Gpu::open`], but for every request the device is opened once in a process, kept until the
    /// process ends, and shared: engines that are made one after another do not each take tenths of a second, and
    /// drivers allow only so many devices in a process. A device that is lost is opened anew. A request
    /// that cannot be met is tried again each time.
    ///
    /// # Errors
    /// As [`Gpu::open`].
    pub fn shared(request: &Request) -> Result<Self, OpenError> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(_, gpu)| !gpu.faults().is_lost());
        if let Some((_, gpu)) = open.iter().find(|(known, _)| known == request) {
            return Ok(gpu.clone());
        }
        let gpu = Self::open(request)?;
        open.push((request.clone(), gpu.clone()));
        Ok(gpu)
    }
}
