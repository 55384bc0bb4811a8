//! Assertions shared by the reader targets: a file is refused with a message that names it, or
//! gives a mesh that keeps all invariants and survives writing and reading.

#![forbid(unsafe_code)]

pub mod wide;

use impinge_models::files::{Format, read_bytes, write_ply};

/// The name used in place of a path.
const NAME: &str = "fuzz";

/// Reads `bytes` as `format` and checks the result.
///
/// # Panics
/// If a guarantee of the readers is violated.
pub fn check(bytes: &[u8], format: Format) {
    let loaded = match read_bytes(bytes, format, NAME) {
        Ok(loaded) => loaded,
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("fuzz: "), "no name in {text:?}");
            assert!(text.len() < 1000, "{} bytes of message", text.len());
            return;
        }
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
