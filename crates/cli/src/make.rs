//! `impinge make`: writes a procedural mesh to a file, for trying the other commands.

use impinge::models::procedural::UnknownShape;
use impinge::models::{Shape, files};

use crate::arguments::Make;
use crate::failure::Failure;
use crate::interrupt::waiting;
use crate::output::{self, counted};

pub(crate) fn run(arguments: &Make) -> Result<(), Failure> {
    let unknown = |error: UnknownShape| Failure::at("impinge make", error.to_string());
    let shape: Shape = arguments.shape.parse().map_err(unknown)?;
    let wanted = usize::try_from(arguments.triangles).unwrap_or(usize::MAX);
    waiting(|| {
        let mesh = shape.mesh(wanted, arguments.seed);
        files::write(&arguments.output, &mesh)?;
        let (triangles, vertices) = (mesh.triangles().len(), mesh.vertices().len());
        output::line(&format!(
            "wrote {}: {shape}, {}, {vertices} vertices",
            arguments.output.display(),
            counted(triangles, "triangle"),
        ))
    })
}
