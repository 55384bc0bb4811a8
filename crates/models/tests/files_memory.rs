//! Headers that promise four billion elements cost no memory. In a test binary of its own: the
//! allocator counts.

use allocation_counter::measure;
use impinge_models::files::{Format, read_bytes};

/// The most a refused file of some hundred bytes may take at any moment.
const LIMIT: u64 = 1 << 20;

/// Small files that promise 2^32 − 1 of something, or more.
fn promises() -> Vec<(&'static str, Format, Vec<u8>)> {
    let ply = |format: &str, vertices: &str, faces: &str, body: &[u8]| {
        let mut bytes = format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty float x\n\
             property float y\nproperty float z\nelement face {faces}\n\
             property list uint int vertex_indices\nend_header\n"
        )
        .into_bytes();
        bytes.extend(body);
        bytes
    };
    let mut stl = vec![0; 84 + 50];
    stl[80..84].fill(0xff);
    let mut list = vec![0; 12];
    list.extend([0xff; 40]);
    let gltf = |accessor: &str, views: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":12,"uri":"data:;base64,AAAAAAAAAAAAAAAA"}}],
            "bufferViews":[{views}],"accessors":[{accessor}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{{"mesh":0}}]}}"#
        )
        .into_bytes()
    };
    let dense = r#"{"bufferView":0,"componentType":5126,"count":200000000,"type":"VEC3"}"#;
    let sparse = r#"{"componentType":5126,"count":200000000,"type":"VEC3","sparse":{"count":1,
        "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}"#;
    let view = r#"{"buffer":0,"byteLength":12}"#;
    let long_view = r#"{"buffer":0,"byteLength":4294967295}"#;
    vec![
        ("binary stl", Format::Stl, stl),
        ("off vertices", Format::Off, b"OFF\n4294967295 1 0\n0 0 0\n".to_vec()),
        ("off faces", Format::Off, b"OFF\n1 4294967295 0\n0 0 0\n3 0 0 0\n".to_vec()),
        ("off corners", Format::Off, b"OFF\n1 1 0\n0 0 0\n4294967295 0 0 0\n".to_vec()),
        ("ply vertices", Format::Ply, ply("ascii", "4294967295", "1", b"0 0 0\n")),
        ("ply faces", Format::Ply, ply("ascii", "1", "4294967295", b"0 0 0\n3 0 0 0\n")),
        ("ply corners", Format::Ply, ply("ascii", "1", "1", b"0 0 0\n4294967295 0 0 0\n")),
        (
            "binary ply vertices",
            Format::Ply,
            ply("binary_little_endian", "4294967295", "1", &[0; 12]),
        ),
        ("binary ply faces", Format::Ply, ply("binary_big_endian", "1", "4294967295", &[0; 99])),
        ("binary ply corners", Format::Ply, ply("binary_little_endian", "1", "1", &list)),
        ("gltf dense", Format::Gltf, gltf(dense, view)),
        ("gltf sparse", Format::Gltf, gltf(sparse, view)),
        ("gltf view", Format::Gltf, gltf(dense, long_view)),
    ]
}

#[test]
fn promised_counts_reserve_nothing() {
    for (what, format, bytes) in promises() {
        let mut error = String::new();
        let used = measure(|| {
            error = read_bytes(&bytes, format, "small")
                .map_or_else(|e| e.to_string(), |_| String::new());
        });
        assert!(!error.is_empty(), "{what} was read");
        assert!(used.bytes_max < LIMIT, "{what}: {} bytes, {error}", used.bytes_max);
        assert!(used.count_total > 0, "{what}: the allocator does not count");
    }
}

/// What is read takes a bounded multiple of the file: here the worst of the formats, faces of
/// one-byte indices.
#[test]
fn memory_is_linear_in_the_file() {
    let faces = 100_000;
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n\
         property uchar y\nproperty uchar z\nelement face {faces}\n\
         property list uchar uchar vertex_indices\nend_header\n\0\0\0"
    )
    .into_bytes();
    bytes.extend([4, 0, 0, 0, 0].repeat(faces));
    let used = measure(|| {
        read_bytes(&bytes, Format::Ply, "dense").expect("valid");
    });
    let factor = used.bytes_max / bytes.len() as u64;
    assert!(factor < 40, "{factor} times the file");
}
