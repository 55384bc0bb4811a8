//! What draws for an experiment: an adapter, or a program in its place.

use impinge::query::Backend;

/// Parts of the names of adapters that draw in software.
const SOFTWARE: [&str; 4] = ["llvmpipe", "SwiftShader", "lavapipe", "Basic Render"];

/// What drew, or tested edges, for an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drawer {
    /// The processor, and why no adapter did.
    Rasteriser(String),
    /// An adapter that is a program.
    Program(String),
    Hardware(String),
}

impl Drawer {
    /// Who gave an answer.
    pub(crate) fn of(backend: &Backend) -> Self {
        match backend {
            Backend::Gpu(name) if SOFTWARE.iter().any(|part| name.contains(part)) => {
                Self::Program(name.clone())
            }
            Backend::Gpu(name) => Self::Hardware(name.clone()),
            Backend::Software(why) => Self::Rasteriser(why.clone()),
            other => Self::Rasteriser(format!("{other:?}")),
        }
    }
}
