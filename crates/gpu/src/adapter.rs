//! The properties of an adapter before it is opened, and which requirements it misses.

use std::fmt;

use wgpu::{Backend, DeviceType, Features, Limits, TextureFormat, TextureUsages};

use crate::need::{Need, Preference};

/// The kind of an adapter, better kinds first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdapterKind {
    /// A dedicated graphics card.
    Discrete,
    /// Graphics integrated in the processor.
    Integrated,
    /// A virtual machine's adapter, provided by its host.
    Virtual,
    /// Unknown to the driver.
    Other,
    /// A software implementation on the processor.
    Software,
}

/// One adapter, as described by its driver.
#[derive(Clone, Debug, PartialEq)]
pub struct AdapterFacts {
    /// Name, e.g. `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub name: String,
    /// Driver and its version.
    pub driver: String,
    /// The graphics API, e.g. `Vulkan`.
    pub backend: Backend,
    /// The kind of adapter.
    pub kind: AdapterKind,
    /// Optional features that it supports.
    pub features: Features,
    /// The largest limits it supports.
    pub limits: Limits,
    /// Whether it supports all of the WebGPU standard.
    pub complete: bool,
    /// Depth-stencil formats that can be drawn to and read by kernels, the best first.
    pub depth_stencil: Vec<TextureFormat>,
}

impl fmt::Display for AdapterFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, driver, backend, kind, .. } = self;
        write!(f, "{name} ({kind:?}, {backend}, driver {driver})")
    }
}

impl AdapterFacts {
    pub(crate) fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let features = adapter.features();
        Self {
            name: info.name,
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            backend: info.backend,
            kind: match info.device_type {
                DeviceType::DiscreteGpu => AdapterKind::Discrete,
                DeviceType::IntegratedGpu => AdapterKind::Integrated,
                DeviceType::VirtualGpu => AdapterKind::Virtual,
                DeviceType::Other => AdapterKind::Other,
                DeviceType::Cpu => AdapterKind::Software,
            },
            features,
            limits: adapter.limits(),
            complete: adapter.get_downlevel_capabilities().is_webgpu_compliant(),
            depth_stencil: depth_stencil_formats(adapter, features),
        }
    }

    /// Whether it is software on the processor.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// All requirements it misses, one sentence each; empty if it is suitable.
    pub fn lacks(&self, preference: Preference, need: &Need) -> Vec<String> {
        let mut lacks = Vec::new();
        match preference {
            Preference::Hardware if self.is_software() => {
                lacks.push("it is software, and hardware was asked for".to_owned());
            }
            Preference::Software if !self.is_software() => {
                lacks.push("it is hardware, and software was asked for".to_owned());
            }
            _ => {}
        }
        if !self.complete {
            lacks.push("it lacks parts of the WebGPU standard".to_owned());
        }
        let missing = need.features - self.features;
        lacks.extend(missing.iter_names().map(|(name, _)| format!("it has no {name}")));
        need.limits.check_limits_with_fail_fn(&self.limits, false, |name, wanted, allowed| {
            lacks.push(format!("{name} is {allowed}, {wanted} needed"));
        });
        if need.depth_stencil && !self.depth_stencil.iter().any(|f| need.formats.contains(f)) {
            lacks.push("it has no format with depth and stencil that kernels can read".to_owned());
        }
        lacks
    }

    /// The sort key; better adapters have smaller ranks.
    pub(crate) fn rank(&self) -> (AdapterKind, bool) {
        (self.kind, self.backend == Backend::Gl)
    }
}

/// Depth-stencil formats. 32 bits of depth first, since its depths are then the numbers that
/// kernels compute.
pub(crate) const DEPTH_STENCIL: [TextureFormat; 2] =
    [TextureFormat::Depth32FloatStencil8, TextureFormat::Depth24PlusStencil8];

/// Those that this adapter can draw to and kernels can read, in the same order.
fn depth_stencil_formats(adapter: &wgpu::Adapter, features: Features) -> Vec<TextureFormat> {
    let wanted =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
    let serves = |format: &TextureFormat| {
        features.contains(format.required_features())
            && adapter.get_texture_format_features(*format).allowed_usages.contains(wanted)
    };
    DEPTH_STENCIL.into_iter().filter(serves).collect()
}
