//! PLY, binary: coloured faces, `edge` elements for segments. Points are vertices of no face.

use std::io::{self, Write};

use super::{MEETING, Parts, color};

pub(super) fn write(out: &mut impl Write, parts: &Parts) -> io::Result<()> {
    let meshes = || parts.meshes.iter().map(|part| &part.mesh);
    let corners: usize = parts.polygons.iter().map(Vec::len).sum();
    let own: usize = meshes().map(|mesh| mesh.vertices().len()).sum();
    let vertices = own + corners + 2 * parts.segments.len() + parts.points.len();
    let too_many = || io::Error::new(io::ErrorKind::InvalidInput, "more than 2^32 vertices");
    u32::try_from(vertices).map_err(|_| too_many())?;
    let faces = meshes().map(|mesh| mesh.triangles().len()).sum::<usize>() + parts.polygons.len();
    let colors = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\n\
         comment red faces are in contact, dark faces, edges and the last vertices are where\n\
         element vertex {vertices}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {faces}\nproperty list uchar uint vertex_indices\n{colors}\
         element edge {}\nproperty uint vertex1\nproperty uint vertex2\n{colors}end_header\n",
        parts.segments.len(),
    )?;
    let own = meshes().flat_map(impinge::Mesh::vertices);
    let met = parts.polygons.iter().flatten().chain(parts.segments.iter().flatten());
    for p in own.chain(met).chain(&parts.points) {
        for c in p.iter() {
            out.write_all(&c.to_le_bytes())?;
        }
    }
    let mut next = 0;
    for (number, part) in parts.meshes.iter().enumerate() {
        for (triangle, &marked) in part.mesh.triangles().iter().zip(&part.marked) {
            face(out, &triangle.map(|v| v + next), color(number, marked))?;
        }
        next += part.mesh.vertices().len() as u32;
    }
    for polygon in &parts.polygons {
        let corners: Vec<u32> = (next..).take(polygon.len()).collect();
        face(out, &corners, MEETING)?;
        next += polygon.len() as u32;
    }
    for _ in &parts.segments {
        out.write_all(&next.to_le_bytes())?;
        out.write_all(&(next + 1).to_le_bytes())?;
        out.write_all(&MEETING)?;
        next += 2;
    }
    Ok(())
}

fn face(out: &mut impl Write, corners: &[u32], color: [u8; 3]) -> io::Result<()> {
    out.write_all(&[corners.len() as u8])?;
    for v in corners {
        out.write_all(&v.to_le_bytes())?;
    }
    out.write_all(&color)
}
