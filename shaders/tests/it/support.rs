//! Shader compilation for the tests of this crate.

use impinge_shaders::{Assembled, Shader, Stage};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

/// A validated module.
pub(crate) struct Compiled {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
}

/// The text of a shader of this crate.
pub(crate) fn assembled(shader: &Shader) -> Assembled {
    shader.assemble().unwrap_or_else(|error| panic!("{error}"))
}

/// Parses and validates portable WGSL: no capability beyond the language's own.
pub(crate) fn compile(text: &str) -> Result<Compiled, String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| e.emit_to_string(text))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).map_err(|e| e.emit_to_string(text))?;
    Ok(Compiled { module, info })
}

/// The compiler's name of a stage.
pub(crate) fn stage(stage: Stage) -> ShaderStage {
    match stage {
        Stage::Vertex => ShaderStage::Vertex,
        Stage::Fragment => ShaderStage::Fragment,
        Stage::Compute { .. } => ShaderStage::Compute,
    }
}
