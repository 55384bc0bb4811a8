//! Written files are read back; independent readers agree.

use impinge_geometry::{Mesh, Point};
use impinge_models::files::{self, Format};
use impinge_models::{Random, Shape};

use crate::files::samples;

/// Coordinates that need all 53 bits, with huge and tiny ones.
fn awkward() -> Mesh {
    let mut random = Random::new(7);
    let mut vertices: Vec<Point> = (0..60)
        .map(|i| Point::from(random.vector(-1.0, 1.0) * 10.0_f64.powi(i % 40 - 20)))
        .collect();
    vertices.push(Point::new(1e300, -5e-324, 0.1 + 0.2));
    vertices.push(Point::new(1.0 / 3.0, -1e-310, 1e22));
    let n = vertices.len() as u64;
    let mut corner = || random.below(n) as u32;
    let triangles = (0..100).map(|_| [corner(), corner(), corner()]).collect();
    Mesh::new(vertices, triangles).expect("all indices are below n")
}

#[test]
fn obj_off_and_ply_keep_every_bit() {
    let folder = tempfile::tempdir().expect("a folder for test files");
    for (mesh, what) in [(awkward(), "awkward"), (Shape::Torus.mesh(500, 1), "torus")] {
        for extension in ["obj", "off", "ply"] {
            let path = folder.path().join(format!("{what}.{extension}"));
            files::write(&path, &mesh).expect("the folder is writable");
            let loaded = files::read(&path).expect("what was written is readable");
            assert_eq!(loaded.mesh, mesh, "{what} as {extension}");
            assert_eq!(loaded.format, extension.parse().expect("a known word"));
        }
    }
}

#[test]
fn stl_keeps_order_and_f32_coordinates() {
    let mesh = Shape::Torus.mesh(500, 1);
    let rounded = mesh
        .with_vertices(mesh.vertices().iter().map(|p| p.map(|c| f64::from(c as f32))).collect())
        .expect("rounding keeps coordinates finite");
    let mut bytes = Vec::new();
    files::write_stl(&mut bytes, &mesh).expect("a vector takes everything");
    let loaded = samples::read(&bytes, Format::Stl);
    assert!(loaded.mesh.corners().eq(rounded.corners()));
    assert_eq!(loaded.mesh.vertices().len(), rounded.welded().vertices().len());
    assert!(loaded.notes[0].starts_with("welded 1"), "{:?}", loaded.notes);
}

#[test]
fn stl_refuses_what_f32_cannot_hold() {
    let path = tempfile::tempdir().expect("a folder").path().join("far.stl");
    let error = files::write_stl(&mut Vec::new(), &awkward()).expect_err("1e300 is beyond f32");
    assert!(error.to_string().starts_with("vertex 60"), "{error}");
    let error = files::write(&path, &awkward()).expect_err("the folder is gone");
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
}

#[test]
fn no_writer_is_an_error() {
    let error = files::write("mesh.glb", &Shape::Torus.mesh(100, 0)).expect_err("no glTF writer");
    assert!(error.to_string().starts_with("mesh.glb: no writer"), "{error}");
}

#[test]
fn a_mesh_that_cannot_be_written_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder for test files");
    let path = folder.path().join("part.stl");
    let old = Shape::Torus.mesh(100, 0);
    files::write(&path, &old).expect("the folder is writable");
    let before = std::fs::read(&path).expect("it was written");
    let huge = old.scaled(1e300).expect("in range");
    let error = files::write(&path, &huge).expect_err("beyond f32").to_string();
    assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    assert!(error.contains("does not fit STL's 32-bit coordinates"), "{error}");
    assert_eq!(std::fs::read(&path).expect("it is there"), before);
    let new = folder.path().join("new.stl");
    files::write(&new, &huge).expect_err("beyond f32");
    assert!(!new.exists());
}

#[test]
fn formats_are_found_by_name_then_by_content() {
    let folder = tempfile::tempdir().expect("a folder for test files");
    for (what, format, bytes) in samples::all() {
        let path = folder.path().join("nameless");
        std::fs::write(&path, &bytes).expect("the folder is writable");
        let loaded = files::read(&path).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(loaded.format, format, "{what}");
    }
    let wrong = folder.path().join("wrong.OBJ");
    std::fs::write(&wrong, samples::PLY).expect("the folder is writable");
    let loaded = files::read(&wrong).expect("the magic number decides");
    assert_eq!(loaded.format, Format::Ply);
    assert!(loaded.notes.contains(&"the file name says obj, but the content is ply".to_owned()));
    assert!(files::read(folder.path().join("absent.obj")).is_err());
    assert!(files::read(folder.path()).is_err());
}

#[test]
fn format_words_round_trip() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert!("3ds".parse::<Format>().is_err());
}

/// The crate `stl_io` as an independent reader.
#[test]
fn stl_agrees_with_stl_io() {
    let mut bytes = Vec::new();
    files::write_stl(&mut bytes, &Shape::Torus.mesh(800, 3)).expect("a vector takes everything");
    for bytes in [bytes, samples::STL.into()] {
        let other = stl_io::read_stl(&mut std::io::Cursor::new(&bytes)).expect("valid STL");
        let ours = samples::read(&bytes, Format::Stl).mesh;
        assert_eq!(ours.triangles().len(), other.faces.len());
        for (mine, face) in ours.corners().zip(&other.faces) {
            let theirs = face.vertices.map(|v| other.vertices[v].0.map(f64::from));
            assert_eq!(mine.map(|p| [p.x, p.y, p.z]), theirs);
        }
    }
}

/// The crate `ply-rs-bw` as an independent reader.
#[test]
fn ply_agrees_with_ply_rs() {
    use ply_rs_bw::parser::Parser;
    use ply_rs_bw::ply::{DefaultElement, Property};
    for bytes in [samples::PLY.into(), samples::ply_binary(false), samples::ply_binary(true)] {
        let parser = Parser::<DefaultElement>::new();
        let other = parser.read_ply(&mut &bytes[..]).expect("valid PLY");
        let ours = samples::read(&bytes, Format::Ply).mesh;
        let real = |e: &DefaultElement, name: &str| match &e[name] {
            Property::Float(value) => f64::from(*value),
            Property::Double(value) => *value,
            other => panic!("{other:?}"),
        };
        let points: Vec<Point> = other.payload["vertex"]
            .iter()
            .map(|e| Point::new(real(e, "x"), real(e, "y"), real(e, "z")))
            .collect();
        assert_eq!(ours.vertices(), points);
        let faces = &other.payload["face"];
        assert_eq!(ours.faces().map(|f| f[f.len() - 1] as usize + 1), Some(faces.len()));
        let last = &faces[faces.len() - 1]["vertex_indices"];
        assert_eq!(*last, Property::ListInt(vec![3, 0, 4]));
        assert_eq!(ours.triangles().last(), Some(&[3, 0, 4]));
    }
}
