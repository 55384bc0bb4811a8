//! Solids: is one body inside another, and is a mesh a solid at all?
//!
//! Run it with `cargo run -p impinge --example solids`.

use impinge::models::Shape;
use impinge::query::Inner;
use impinge::{Error, Mesh, Pair, Pose, Vector, Verdict};

fn main() -> Result<(), Error> {
    let case = Shape::Cube.mesh(1_200, 0); // edge 1, centred at the origin
    let part = Shape::Gear.mesh(2_000, 0).scaled(0.5)?; // about 0.5 long
    let mut pair = Pair::new(&case, &part)?;

    // A mesh is a surface: a part that floats inside the case touches nothing. Only a question about
    // solids counts the inside.
    println!("{:>4}  {:<15}  {:<30}  wholly inside", "x", "surfaces touch", "as solids");
    for x in [0.0, 0.1, 0.5, 1.0] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0))?;
        let touch = if pair.intersects(&pose)? { "yes" } else { "no" };
        let solids = match pair.collide_solids(&pose)? {
            Verdict::Separated => "they are apart",
            Verdict::Intersecting => "their surfaces meet",
            Verdict::Contained(Inner::B) => "the part is inside the case",
            Verdict::Contained(Inner::A) => "the case is inside the part",
        };
        let inside = if pair.contains(&pose)? { "yes" } else { "no" };
        println!("{x:>4}  {touch:<15}  {solids:<30}  {inside}");
    }

    // Only a closed surface has an inside. The error names an edge where it is open.
    let teapot = Shape::Teapot.mesh(2_000, 0);
    match impinge::contains(&teapot, &part, &Pose::identity()) {
        Ok(inside) => println!("\nis the part inside the teapot? {inside}"),
        Err(error) => println!("\nis the part inside the teapot? No answer: {error}"),
    }

    // A surface that crosses itself may be closed, but its inside is not what was meant. Check a
    // mesh of unknown origin before you use it as a solid.
    let overlapping = Mesh::union([&case, &case.posed(&shifted(0.5)?)?])?;
    for (name, mesh) in [("case", &case), ("two overlapping cases in one mesh", &overlapping)] {
        let pairs = impinge::self_contacts(mesh)?.len();
        println!("{name}: {pairs} pairs of its triangles meet that are no neighbours");
    }
    Ok(())
}

fn shifted(x: f64) -> Result<Pose, Error> {
    Ok(Pose::translation_by(Vector::new(x, 0.1, 0.1))?)
}
