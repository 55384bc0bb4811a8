//! `impinge make`: writes a procedural mesh to a file, or a plant to a folder, for trying the other
//! commands.

use impinge::models::plant::{PlantOptions, plant, write_plant};
use impinge::models::procedural::UnknownShape;
use impinge::models::{Shape, files};

use crate::arguments::{Make, PLANT};
use crate::failure::Failure;
use crate::interrupt::waiting;
use crate::output::{self, counted};

/// Triangles of a mesh, if no number is given.
const TRIANGLES: u64 = 1000;

pub(crate) fn run(arguments: &Make) -> Result<(), Failure> {
    let is_plant = arguments.shape == PLANT;
    let misplaced = [
        (
            "--triangles",
            is_plant && arguments.triangles.is_some(),
            "the meshes of a plant have fixed sizes",
        ),
        ("--parts", !is_plant && arguments.parts.is_some(), "only a plant has parts"),
        ("--flush", !is_plant && arguments.flush.is_some(), "only a plant has parts"),
    ];
    if let Some((option, _, why)) = misplaced.into_iter().find(|(_, wrong, _)| *wrong) {
        return Err(Failure::usage(option, why));
    }
    waiting(|| if is_plant { make_plant(arguments) } else { make_mesh(arguments) })
}

fn make_mesh(arguments: &Make) -> Result<(), Failure> {
    let unknown = |error: UnknownShape| Failure::at("impinge make", error.to_string());
    let shape: Shape = arguments.shape.parse().map_err(unknown)?;
    let wanted = usize::try_from(arguments.triangles.unwrap_or(TRIANGLES)).unwrap_or(usize::MAX);
    let mesh = shape.mesh(wanted, arguments.seed);
    files::write(&arguments.output, &mesh)?;
    let (triangles, vertices) = (mesh.triangles().len(), mesh.vertices().len());
    output::line(&format!(
        "wrote {}: {shape}, {}, {vertices} vertices",
        arguments.output.display(),
        counted(triangles, "triangle"),
    ))
}

fn make_plant(arguments: &Make) -> Result<(), Failure> {
    let default = PlantOptions::default();
    let plant = plant(&PlantOptions {
        parts: arguments.parts.map_or(default.parts, |parts| parts as usize),
        seed: arguments.seed,
        flush: arguments.flush.unwrap_or(default.flush),
    });
    write_plant(&plant, &arguments.output)?;
    output::line(&format!(
        "wrote {}: plant, {}, {} clashes",
        arguments.output.join("scene.csv").display(),
        counted(plant.parts.len(), "part"),
        plant.clashes.len(),
    ))
}
