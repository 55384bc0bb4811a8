//! First contact: do two meshes touch, and where?
//!
//! Run it with `cargo run -p impinge --example first_contact`.

use impinge::geometry::exact::Meeting;
use impinge::models::Shape;
use impinge::{Ask, Error, Mesh, Pair, Point, Pose, Vector};

fn main() -> Result<(), Error> {
    // A mesh is a list of vertices and a list of triangles, each three indices of vertices. Lengths
    // are in any unit, as long as both meshes use the same. To read a mesh from a file, call
    // `impinge::models::files::read("part.stl")`.
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let tetrahedron = Mesh::new(corners.map(Point::from).to_vec(), triangles)?;
    let cube = Shape::Cube.mesh(12, 0); // edge 1, centred at the origin

    // Preparing a mesh takes longer than a question about it. A pair is prepared once.
    let mut pair = Pair::new(&cube, &tetrahedron)?;

    // A pose places the second mesh in the frame of the first. At x = 0.5 the two share a piece of
    // a plane: touching counts. The next larger number of 64 bits is apart: there is no tolerance.
    for x in [0.0, 0.5, 0.5_f64.next_up(), 2.0] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0))?;
        let verdict = if pair.intersects(&pose)? { "they touch" } else { "they are apart" };
        println!("x = {x}: {verdict}");
    }

    // Which triangles meet, and where? Each contact is a triangle of the cube and one of the
    // tetrahedron, by their indices.
    let pose = Pose::translation_by(Vector::new(0.25, 0.25, 0.25))?;
    let answer = pair.ask(&pose, &Ask::all_contacts().detailed())?;
    println!("\nat (0.25, 0.25, 0.25), {} pairs of triangles meet:", answer.contacts.len());
    for (contact, detail) in answer.contacts.iter().zip(&answer.details) {
        let kind = match &detail.meeting {
            Meeting::Point(_) => "a point",
            Meeting::Segment(_) => "a segment",
            Meeting::Polygon(_) => "a polygon",
        };
        println!("  triangle {} of the cube and {} share {kind}", contact.a, contact.b);
    }
    Ok(())
}
