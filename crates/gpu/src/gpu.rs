//! An open adapter.

use std::sync::Arc;
use std::time::Duration;

use wgpu::{
    Backends, Device, DeviceDescriptor, Instance, InstanceDescriptor, Limits, Queue, TextureFormat,
};

use crate::adapter::AdapterFacts;
use crate::choose::ranked;
use crate::error::{GpuError, OpenError, Refused};
use crate::faults::Faults;
use crate::mark::Marker;
use crate::need::Request;
use crate::statistics::{Statistics, Tally};

/// A device and its queue. Clones share it, also across threads.
///
/// ```no_run
/// use impinge_gpu::{Gpu, Request};
/// let gpu = Gpu::open(&Request::default())?;
/// println!("{}", gpu.facts());
/// # Ok::<(), impinge_gpu::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gpu(Arc<Open>);

#[derive(Debug)]
struct Open {
    device: Device,
    queue: Queue,
    facts: AdapterFacts,
    faults: Arc<Faults>,
    tally: Tally,
    marker: Marker,
    timeout: Duration,
}

impl Gpu {
    /// Opens the best suitable adapter: a graphics card before integrated graphics before software.
    /// One that cannot be opened, or fails to run a first tiny kernel, is skipped. Cost: some 10 ms
    /// to 0.2 s, and drivers allow only so many in a process; open once and share, or use [`Gpu::shared`].
    ///
    /// # Errors
    /// [`OpenError`] lists the adapters found and what each misses.
    pub fn open(request: &Request) -> Result<Self, OpenError> {
        let adapters = seen(request.backends);
        if adapters.is_empty() {
            let asked: Vec<&str> = request.backends.iter_names().map(|(name, _)| name).collect();
            return Err(OpenError::NoneSeen { asked: asked.join(", ") });
        }
        let facts: Vec<AdapterFacts> = adapters.iter().map(AdapterFacts::of).collect();
        let (fitting, mut refused) = ranked(&facts, request);
        for place in fitting {
            match Self::from_adapter(&adapters[place], &facts[place], request) {
                Ok(gpu) => return Ok(gpu),
                Err(why) => {
                    refused.push(Refused { adapter: facts[place].clone(), lacks: vec![why] });
                }
            }
        }
        Err(OpenError::NoneFits { seen: refused })
    }

    /// All adapters of the drivers of `request`, with what each misses. Opens none.
    pub fn look(request: &Request) -> Vec<(AdapterFacts, Vec<String>)> {
        let facts = seen(request.backends).iter().map(AdapterFacts::of).collect::<Vec<_>>();
        let lacks = |facts: &AdapterFacts| facts.lacks(request.preference, &request.need);
        facts.into_iter().map(|facts| (facts.clone(), lacks(&facts))).collect()
    }

    fn from_adapter(
        adapter: &wgpu::Adapter,
        facts: &AdapterFacts,
        request: &Request,
    ) -> Result<Self, String> {
        let features = request.need.features | (request.need.wanted & facts.features);
        let descriptor = DeviceDescriptor {
            label: Some("impinge"),
            required_features: features,
            required_limits: with_large_buffers(&request.need.limits, &facts.limits),
            ..DeviceDescriptor::default()
        };
        let opened = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|error| format!("it cannot be opened: {error}"))?;
        let faults = Faults::watch(&device);
        let marker = Marker::new(&device, &faults).map_err(|error| error.to_string())?;
        let (mut facts, timeout) = (facts.clone(), request.timeout);
        facts.depth_stencil.retain(|format| request.need.formats.contains(format));
        let tally = Tally::default();
        let open = Open { device, queue, facts, faults, tally, marker, timeout };
        let gpu = Self(Arc::new(open));
        let first = gpu.submission("a first kernel").and_then(crate::Submission::run);
        first.map_err(|error| format!("it does not work: {error}"))?;
        Ok(gpu)
    }

    /// The properties of the open adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.0.facts
    }

    /// The depth-stencil format for images; `None` if this adapter has no suitable one.
    pub fn depth_stencil_format(&self) -> Option<TextureFormat> {
        let usable =
            |format: &&TextureFormat| self.device().features().contains(format.required_features());
        self.facts().depth_stencil.iter().find(usable).copied()
    }

    /// The device, to create resources that this crate has no function for. Create them inside
    /// [`Gpu::guard`], so that failures are noticed.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Runs `work` and returns its result only if the device reported no error meanwhile.
    ///
    /// # Errors
    /// [`GpuError`], naming `what`.
    pub fn guard<T>(&self, what: &str, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        self.0.faults.guard(&self.0.device, what, work)
    }

    /// Submissions and bytes transferred so far.
    pub fn statistics(&self) -> Statistics {
        self.0.tally.now()
    }

    pub(crate) fn queue(&self) -> &Queue {
        &self.0.queue
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.0.faults
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.0.tally
    }

    pub(crate) fn marker(&self) -> &Marker {
        &self.0.marker
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.0.timeout
    }
}

/// The limits needed, but for buffers as large as the adapter allows: what is too large for one buffer
/// is an error, and a device grants only what was asked for.
fn with_large_buffers(need: &Limits, has: &Limits) -> Limits {
    Limits {
        max_buffer_size: need.max_buffer_size.max(has.max_buffer_size),
        max_storage_buffer_binding_size: need
            .max_storage_buffer_binding_size
            .max(has.max_storage_buffer_binding_size),
        ..need.clone()
    }
}

/// The adapters of the given graphics APIs.
fn seen(backends: Backends) -> Vec<wgpu::Adapter> {
    // Making an instance panics if none of these APIs was compiled in.
    if (Instance::enabled_backend_features() & backends).is_empty() {
        return Vec::new();
    }
    let descriptor =
        InstanceDescriptor { backends, ..InstanceDescriptor::new_without_display_handle() };
    pollster::block_on(Instance::new(descriptor).enumerate_adapters(backends))
}
