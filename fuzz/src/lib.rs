//! Assertions shared by the reader targets: a file is refused with a message that names it, or
//! gives a mesh that keeps all invariants and survives writing and reading.

#![forbid(unsafe_code)]

pub mod wide;

use impinge_models::files::{
    FileError, Format, Part, ReadOptions, read_bytes, read_parts_bytes, read_table_bytes, write_ply,
};

/// The name used in place of a path.
const NAME: &str = "fuzz";

/// Reads `bytes` as `format` and checks the result.
///
/// # Panics
/// If a guarantee of the readers is violated.
pub fn check(bytes: &[u8], format: Format) {
    let loaded = match read_bytes(bytes, format, NAME) {
        Ok(loaded) => loaded,
        Err(error) => return check_message(&error),
    };
    let mesh = &loaded.mesh;
    let vertices = mesh.vertices();
    assert!(!mesh.triangles().is_empty());
    assert!(vertices.iter().all(|p| p.iter().all(|c| c.abs() <= 1e300)));
    for corner in mesh.triangles().as_flattened() {
        assert!((*corner as usize) < vertices.len());
    }
    if let Some(faces) = mesh.faces() {
        assert_eq!(faces.len(), mesh.triangles().len());
        assert!(faces.is_sorted());
    }
    let mut written = Vec::new();
    write_ply(&mut written, mesh).expect("a vector takes everything");
    let again = read_bytes(&written, Format::Ply, NAME).expect("what was written is readable");
    assert_eq!(again.mesh.triangles(), mesh.triangles());
    assert!(again.mesh.vertices().iter().eq(vertices));
}

/// Reads `bytes` as the parts of a glTF scene and compares them with the merged mesh.
///
/// # Panics
/// If a guarantee of the readers is violated, or the parts are not those of the mesh.
pub fn check_parts(bytes: &[u8]) {
    let options = ReadOptions { format: Some(Format::Gltf), ..ReadOptions::default() };
    let found = match read_parts_bytes(bytes, NAME, &options) {
        Ok(found) => found,
        Err(error) => return check_message(&error),
    };
    let whole = read_bytes(bytes, Format::Gltf, NAME).expect("what has parts is a mesh").mesh;
    let mesh = |part: &Part| &found.meshes[part.mesh];
    let count: usize = found.parts.iter().map(|part| mesh(part).triangles().len()).sum();
    assert_eq!(count, whole.triangles().len());
    let largest = whole.vertices().iter().fold(0.0_f64, |most, p| most.max(p.coords.amax()));
    let posed = found.parts.iter().flat_map(|part| {
        mesh(part)
            .corners()
            .flatten()
            .map(|p| (part.pose.apply(&p), part.pose.translation().amax()))
    });
    for ((p, shift), q) in posed.zip(whole.corners().flatten()) {
        let off = (p - q).amax();
        assert!(off <= 1e-5 * largest.max(shift), "off by {off:e} of {largest:e}");
    }
    let mut names: Vec<&str> = found.parts.iter().map(|part| &*part.name).collect();
    assert!(names.iter().all(|name| !name.is_empty() && name.len() < 300));
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "a name stands twice");
}

/// Reads `bytes` as a table of parts.
///
/// # Panics
/// If a guarantee of the readers is violated.
pub fn check_table(bytes: &[u8]) {
    let rows = match read_table_bytes(bytes, NAME) {
        Ok(rows) => rows,
        Err(error) => return check_message(&error),
    };
    assert!(!rows.is_empty());
    let mut names: Vec<&str> = rows.iter().map(|row| &*row.name).collect();
    names.sort_unstable();
    assert!(!names[0].is_empty());
    assert!(names.windows(2).all(|two| two[0] != two[1]), "a name stands twice");
    assert!(rows.windows(2).all(|two| 1 < two[0].line && two[0].line < two[1].line));
}

fn check_message(error: &FileError) {
    let text = error.to_string();
    assert!(text.starts_with("fuzz: "), "no name in {text:?}");
    assert!(text.len() < 1000, "{} bytes of message", text.len());
}
