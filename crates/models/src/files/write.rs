//! Writers of OBJ, OFF, PLY (binary, f64) and STL (binary, f32). Reading the first three gives the
//! same vertices and triangles, bit for bit.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use impinge_geometry::Mesh;

use super::{FileError, Format};

/// Writes `mesh` in the format of the extension of `path`. glTF is not supported. A file that is there
/// stays if the format cannot hold the mesh.
///
/// # Errors
/// [`FileError::Format`] for an extension without a writer, [`FileError::Io`] if the file cannot
/// be written or, for STL, if a coordinate is beyond f32.
pub fn write(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let writer: fn(&mut BufWriter<File>, &Mesh) -> io::Result<()> =
        match Format::from_extension(path) {
            Some(Format::Obj) => write_obj,
            Some(Format::Off) => write_off,
            Some(Format::Ply) => write_ply,
            Some(Format::Stl) => write_stl,
            _ => {
                let message = "no writer for this extension; there are obj, off, ply and stl";
                return Err(FileError::Format { path: name, message: message.to_owned() });
            }
        };
    let io = |source| FileError::Io { path: name.clone(), source };
    if let Some(Format::Stl) = Format::from_extension(path) {
        // Before the file is opened, which empties it.
        count_for_stl(mesh).map_err(io)?;
    }
    let mut out = BufWriter::new(File::create(path).map_err(io)?);
    writer(&mut out, mesh).and_then(|()| out.flush()).map_err(io)
}

/// Writes OBJ. Coordinates have enough digits to restore the f64.
///
/// # Errors
/// Write errors of `out`.
pub fn write_obj(out: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    for p in mesh.vertices() {
        writeln!(out, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    for t in mesh.triangles() {
        let [a, b, c] = t.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

/// Writes OFF, text. Coordinates have enough digits to restore the f64.
///
/// # Errors
/// Write errors of `out`.
pub fn write_off(out: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", mesh.vertices().len(), mesh.triangles().len())?;
    for p in mesh.vertices() {
        writeln!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    for [a, b, c] in mesh.triangles() {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}

/// Writes PLY, binary little-endian with double coordinates and uint indices.
///
/// # Errors
/// Write errors of `out`.
pub fn write_ply(out: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\n\
         property double y\nproperty double z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles().len()
    )?;
    for p in mesh.vertices() {
        for c in p.iter() {
            out.write_all(&c.to_le_bytes())?;
        }
    }
    for t in mesh.triangles() {
        out.write_all(&[3])?;
        for v in t {
            out.write_all(&v.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Writes binary STL. Coordinates are rounded to f32, and reading welds vertices that became equal.
/// Normals are written as zero, which readers take as "not given".
///
/// # Errors
/// Write errors of `out`, and `InvalidInput` naming the first vertex that is beyond f32 or, with
/// more than `u32::MAX` triangles, the count.
pub fn write_stl(out: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    let count = count_for_stl(mesh)?;
    let mut header = [0_u8; 80];
    let title = b"binary STL written by impinge";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for corners in mesh.corners() {
        out.write_all(&[0; 12])?;
        for c in corners.iter().flat_map(|p| p.iter()) {
            out.write_all(&(*c as f32).to_le_bytes())?;
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}

/// The number of triangles, as the header of an STL has it.
///
/// # Errors
/// `InvalidInput` for a mesh that STL cannot hold.
fn count_for_stl(mesh: &Mesh) -> io::Result<u32> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
    for (v, p) in mesh.vertices().iter().enumerate() {
        if p.iter().any(|&c| (c as f32).is_infinite()) {
            return Err(invalid(format!("vertex {v}: {p} does not fit STL's 32-bit coordinates")));
        }
    }
    u32::try_from(mesh.triangles().len())
        .map_err(|_| invalid("STL counts triangles with 32 bits".to_owned()))
}
