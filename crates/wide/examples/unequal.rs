//! Times large bodies, and bodies of very different size: first contacts and all contacts, builds and refits.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example unequal
//! ```
//!
//! Each pair in 24 places, turned at random, a part of the smaller one's diagonal apart or inside. Prints the median over the
//! places of the least time of nine rounds, and the boxes and pairs of triangles of a query in the mean. Takes some
//! minutes for the torus of a million triangles.

mod beside;
mod places;
mod timing;

use std::error::Error;

use beside::{measure, places};
use impinge_geometry::Mesh;
use impinge_models::Shape;
use impinge_query::{Ask, Control, Engine, Model};
use impinge_wide::wide;
use timing::timed;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = wide();
    let prepare = |mesh: &Mesh| engine.prepare(mesh, &Control::NONE);
    let mesh = Shape::Torus.mesh(1_000_000, 0);
    let (time, built) = timed(|| prepare(&mesh));
    let mut million = built?;
    println!("build of a million: {:.1} ms", time.as_secs_f64() * 1e3);
    let beside = (million.bytes() - million.mesh_bytes()) as f64 / mesh.triangles().len() as f64;
    println!("memory of a million: {beside:.1} bytes a triangle");
    let (time, done) = timed(|| engine.refit(&mut million, mesh.vertices(), &Control::NONE));
    done?;
    println!("refit of a million: {:.1} ms", time.as_secs_f64() * 1e3);

    let [cube, small, large] = [(Shape::Cube, 12), (Shape::Torus, 1_000), (Shape::Torus, 100_000)]
        .map(|(shape, triangles)| shape.mesh(triangles, 0));
    let [cube, small, large] = [prepare(&cube)?, prepare(&small)?, prepare(&large)?];
    let pairs = [
        ("cube in torus of a million", [&million, &cube]),
        ("torus of 1,000 in torus of 100,000", [&large, &small]),
        ("tori of a million", [&million, &million]),
    ];
    for (what, models) in pairs {
        for part in [-0.1, -0.01, 0.001, 0.01, 0.1, 0.5] {
            let places = places(models, part)?;
            for (name, ask) in
                [("first contact", Ask::first_contact()), ("distance", Ask::distance())]
            {
                measure(&format!("{what}, {part} of the smaller, {name}"), models, &places, &ask)?;
            }
        }
    }
    Ok(())
}
