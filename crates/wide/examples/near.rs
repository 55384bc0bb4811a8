//! Times first contacts, all contacts and distances of bodies that are near each other or meet.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example near -- [FILE ...]
//! ```
//!
//! Each body against itself, shapes or the meshes of the files, in 24 places, turned at random: 0.01 %, 0.1 % and 1 % of its
//! diagonal apart, and 1 % inside. Prints the median over the places of the least time of nine rounds, and the boxes and pairs of
//! triangles of a query in the mean.

mod beside;
mod places;

use std::error::Error;
use std::path::PathBuf;

use beside::{measure, places};
use impinge_geometry::{Mesh, MeshError};
use impinge_models::Shape;
use impinge_query::{Ask, Control, Engine};
use impinge_wide::wide;

const SHAPES: [(Shape, usize); 5] = [
    (Shape::Torus, 10_000),
    (Shape::Torus, 100_000),
    (Shape::Torus, 1_000_000),
    (Shape::Hand, 50_000),
    (Shape::Gear, 5_000),
];

/// The bodies with their names.
fn bodies() -> Result<Vec<(String, Mesh)>, Box<dyn Error>> {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        let shape =
            |(shape, n): (Shape, usize)| (format!("{} {n}", shape.word()), shape.mesh(n, 0));
        return Ok(SHAPES.into_iter().map(shape).collect());
    }
    let read = |path: &PathBuf| {
        let mesh = impinge_models::files::read(path)?.mesh;
        Ok((path.display().to_string(), around_the_origin(&mesh)?))
    };
    files.iter().map(read).collect()
}

/// A body that is turned about another place than its middle may pass the other one.
fn around_the_origin(mesh: &Mesh) -> Result<Mesh, MeshError> {
    let (low, high) = mesh.bounds();
    let middle = low.coords + (high - low) / 2.0;
    mesh.with_vertices(mesh.vertices().iter().map(|p| p - middle).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let engine = wide();
    for (name, mesh) in bodies()? {
        let model = engine.prepare(&mesh, &Control::NONE)?;
        for part in [0.0001, 0.001, 0.01, -0.01] {
            let places = places([&model; 2], part)?;
            for (what, ask) in [
                ("first contact", Ask::first_contact()),
                ("all contacts", Ask::all_contacts()),
                ("distance", Ask::distance()),
            ] {
                measure(&format!("{name}, {part}, {what}"), [&model; 2], &places, &ask)?;
            }
        }
    }
    Ok(())
}
