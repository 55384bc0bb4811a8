//! Sources of bytes: regular files and streams, their limits, and special files.

use std::cell::Cell;
use std::io::{self, Read, Write};

use impinge_models::files::{self, FileError, Format, ReadOptions, RegularFile};

use crate::files::samples;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for test files")
}

/// The error of reading `path`, without the path.
fn refusal_of(path: &std::path::Path) -> String {
    let error = files::read(path).expect_err("it is no mesh").to_string();
    let name = format!("{}: ", path.display());
    error.strip_prefix(&name).unwrap_or_else(|| panic!("no name: {error}")).to_owned()
}

#[test]
fn folders_and_what_is_not_there() {
    let folder = folder();
    let named = folder.path().join("folder.obj");
    std::fs::create_dir(&named).expect("a new folder");
    for path in [folder.path(), &named] {
        assert_eq!(refusal_of(path), "this is a directory, only regular files are read");
    }
    assert!(refusal_of(&folder.path().join("none.obj")).contains("os error 2"));
    let empty = folder.path().join("empty");
    std::fs::write(&empty, b"").expect("writable");
    assert_eq!(refusal_of(&empty), "the file is empty");
}

#[cfg(unix)]
mod special {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::{folder, refusal_of, samples};

    fn pipe(path: &std::path::Path) {
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
        assert!(made.success());
    }

    /// The pipe has no writer, so opening it with waiting would block forever.
    #[test]
    fn pipes_are_not_waited_for() {
        let folder = folder();
        let path = folder.path().join("mesh.obj");
        pipe(&path);
        let link = folder.path().join("link.stl");
        symlink(&path, &link).expect("a link");
        for path in [path, link] {
            assert_eq!(refusal_of(&path), "this is a pipe, only regular files are read");
        }
    }

    #[test]
    fn devices_without_an_end_are_not_read() {
        let folder = folder();
        for device in ["/dev/zero", "/dev/null", "/dev/urandom"] {
            let link = folder.path().join("device.ply");
            let _ = std::fs::remove_file(&link);
            symlink(device, &link).expect("a link");
            for path in [link.as_path(), std::path::Path::new(device)] {
                let message = refusal_of(path);
                assert_eq!(message, "this is a character device, only regular files are read");
            }
        }
    }

    #[cfg(feature = "gltf")]
    #[test]
    fn buffers_are_regular_files() {
        use super::files;
        let folder = folder();
        let path = folder.path().join("mesh.gltf");
        let text = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"a.bin"}],
            "bufferViews":[{"buffer":0,"byteLength":36}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}"#;
        std::fs::write(&path, text).expect("writable");
        let buffer = folder.path().join("a.bin");
        let rest = "only regular files are read";
        pipe(&buffer);
        let named = format!("buffers[0]: {}: this is", buffer.display());
        assert_eq!(refusal_of(&path), format!("{named} a pipe, {rest}"));
        std::fs::remove_file(&buffer).expect("it is there");
        symlink("/dev/zero", &buffer).expect("a link");
        assert_eq!(refusal_of(&path), format!("{named} a character device, {rest}"));
        std::fs::remove_file(&buffer).expect("it is there");
        std::fs::write(&buffer, samples::floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0.]))
            .expect("writable");
        assert_eq!(files::read(&path).expect("a triangle").mesh.triangles().len(), 1);
        let options = files::ReadOptions { max_bytes: 600, ..Default::default() };
        assert!(text.len() < 600, "{}", text.len());
        files::read_with(&path, &options).expect("each is small");
        std::fs::write(&buffer, vec![0; 601]).expect("writable");
        let error = files::read_with(&path, &options).expect_err("too large").to_string();
        assert!(error.ends_with("buffers[0]: the external buffers are too large together"));
    }

    #[test]
    fn what_may_not_be_read_is_named() {
        let folder = folder();
        let path = folder.path().join("secret.obj");
        std::fs::write(&path, samples::OBJ).expect("writable");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("mine");
        // A privileged user can read the file all the same.
        if std::fs::read(&path).is_err() {
            assert!(refusal_of(&path).contains("os error 13"));
        }
    }
}

#[test]
fn files_have_a_limit_before_they_are_read() {
    let folder = folder();
    let path = folder.path().join("mesh.obj");
    // A sparse file of a terabyte takes no disk space, but reading it would take memory.
    let file = std::fs::File::create(&path).expect("writable");
    file.set_len(1 << 40).expect("a file with a hole");
    let limit = 16_u64 << 30;
    assert_eq!(
        refusal_of(&path),
        format!("{} bytes or more, at most {limit} are read", 1_u64 << 40)
    );
    std::fs::write(&path, samples::OBJ).expect("writable");
    let size = samples::OBJ.len() as u64;
    let with =
        |max_bytes| files::read_with(&path, &ReadOptions { max_bytes, ..Default::default() });
    with(size).expect("as many as there are");
    assert!(matches!(with(size - 1), Err(FileError::TooLarge { bytes, .. }) if bytes == size));
}

#[test]
fn a_file_that_grows_or_shrinks_is_noticed() {
    let folder = folder();
    let path = folder.path().join("mesh.obj");
    std::fs::write(&path, b"0123456789").expect("writable");
    let mut file = RegularFile::open(&path, 10).expect("a file");
    assert_eq!(file.size(), 10);
    let mut add = std::fs::OpenOptions::new().append(true).open(&path).expect("writable");
    add.write_all(b"more").expect("writable");
    let mut bytes = Vec::new();
    let error = file.read_to_end(&mut bytes).expect_err("it has grown");
    assert_eq!(bytes, b"0123456789");
    let message = "it grew beyond the 10 bytes that it had when it was opened";
    assert_eq!(error.to_string(), message);
}

/// A stream that repeats `piece` forever and counts the bytes taken.
struct Endless<'a> {
    piece: &'a [u8],
    taken: &'a Cell<u64>,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for slot in &mut *buffer {
            *slot = self.piece[self.taken.get() as usize % self.piece.len()];
            self.taken.set(self.taken.get() + 1);
        }
        Ok(buffer.len())
    }
}

#[test]
fn streams_without_an_end_are_refused() {
    let hopeless = ReadOptions::default();
    let short = ReadOptions { max_bytes: 1 << 20, ..ReadOptions::default() };
    let of = |format, options: &ReadOptions| ReadOptions { format, ..options.clone() };
    let (obj, stl) = (Some(Format::Obj), Some(Format::Stl));
    for (piece, options, most, message) in [
        (&b"\0"[..], hopeless.clone(), 1 << 16, "no known mesh format"),
        (b"\0", of(obj, &hopeless), 1 << 16, "do not look like obj"),
        (b"\0", of(Some(Format::Off), &hopeless), 1 << 16, "do not look like off"),
        (b"\0", of(Some(Format::Ply), &hopeless), 1 << 16, "do not look like ply"),
        (b"\0", of(Some(Format::Gltf), &hopeless), 1 << 16, "do not look like gltf"),
        (b"\0", of(stl, &hopeless), 1 << 16, "no triangles"),
        (b"\x01", of(stl, &short), 1 << 16, "842150534 bytes or more, at most 1048576 are read"),
        (b"v 0 0 0\n", short, (1 << 20) + 1, "1048577 bytes or more, at most 1048576 are read"),
    ] {
        let taken = Cell::new(0);
        let stream = Endless { piece, taken: &taken };
        let error = files::read_stream(stream, "stream", &options).expect_err("no end");
        let text = error.to_string();
        assert!(text.starts_with("stream: ") && text.contains(message), "{text}");
        assert!(taken.get() <= most, "{message}: {} bytes taken", taken.get());
    }
}

#[test]
fn streams_give_what_files_give() {
    for (what, format, bytes) in samples::all() {
        let whole = samples::read(&bytes, format);
        for named in [None, Some(format)] {
            let options = ReadOptions { format: named, ..ReadOptions::default() };
            let loaded = files::read_stream(&bytes[..], "stream", &options);
            assert_eq!(loaded.expect(what), whole, "{what}");
        }
    }
    // Longer than the beginning that is examined first.
    let mut many = samples::OBJ.to_owned();
    while many.len() < 300_000 {
        many.push_str("f 1 2 3\n");
    }
    let options = ReadOptions::default();
    let loaded = files::read_stream(many.as_bytes(), "stream", &options).expect("valid");
    assert_eq!(loaded, samples::read(&many, Format::Obj));
    let error = files::read_stream(&b""[..], "stream", &options).expect_err("nothing");
    assert_eq!(error.to_string(), "stream: the file is empty");
}

/// A binary STL longer than the beginning that is examined first.
fn long_stl() -> Vec<u8> {
    let facets: Vec<_> = (0..3_000_u16)
        .map(|i| [[0.0, 0.0, f32::from(i)], [1.0, 0.0, f32::from(i)], [0.0, 1.0, f32::from(i)]])
        .collect();
    samples::stl_binary("made by hand", &facets)
}

#[test]
fn a_long_binary_stl_comes_from_a_stream() {
    let bytes = long_stl();
    let whole = samples::read(&bytes, Format::Stl);
    let read = |bytes: &[u8], format| {
        let options = ReadOptions { format, ..ReadOptions::default() };
        files::read_stream(bytes, "stream", &options)
    };
    for format in [None, Some(Format::Stl)] {
        assert_eq!(read(&bytes, format).expect("as a file"), whole);
        // More bytes than are examined first, and one.
        for more in [1, 100_000] {
            let longer = [&bytes[..], &vec![7; more]].concat();
            let loaded = read(&longer, format).expect("its triangles");
            assert_eq!(loaded.mesh, whole.mesh);
            let note = "bytes after the last triangle ignored".to_owned();
            assert_eq!(loaded.notes, [whole.notes.clone(), vec![note]].concat());
        }
        let cut = read(&bytes[..bytes.len() - 1], format).expect_err("cut").to_string();
        let why = "stream: byte 80: the header promises 3000 triangles, 150084 bytes in all";
        assert!(cut.starts_with(why), "{cut}");
    }
}

/// What has the size of a binary STL by chance: text, and numbers that are not finite.
#[test]
fn not_every_long_stream_is_binary_stl() {
    let mut noise = long_stl();
    for record in noise[84..].chunks_mut(50) {
        record.fill(0xff);
    }
    for bytes in [b"some words\n".repeat(20_000), noise] {
        let options = ReadOptions::default();
        let error = files::read_stream(&bytes[..], "stream", &options).expect_err("no mesh");
        let why = "stream: no known mesh format, neither by extension nor by content";
        assert_eq!(error.to_string(), why);
    }
}

/// The limit of triangles is inclusive, in every format.
#[test]
fn triangles_have_a_limit() {
    for (what, format, bytes) in samples::all() {
        let count = samples::read(&bytes, format).mesh.triangles().len() as u64;
        let with = |max_triangles| {
            let options = ReadOptions { format: Some(format), max_triangles, ..Default::default() };
            files::read_bytes_with(&bytes, "many", &options)
        };
        with(count).expect(what);
        let error = with(count - 1).expect_err(what);
        let (found, limit) = match error {
            FileError::TooManyTriangles { triangles, limit, .. } => (triangles, limit),
            other => panic!("{what}: {other}"),
        };
        assert!(found <= count && limit == count - 1 && found > limit, "{what}: {found}");
        let text = error_text(found, limit);
        assert_eq!(with(count - 1).expect_err(what).to_string(), text, "{what}");
    }
}

fn error_text(triangles: u64, limit: u64) -> String {
    format!(
        "many: {triangles} triangles or more, which may take 0.3 GB of memory; at most {limit} are read"
    )
}
