//! Small files of every format, made in memory.

use impinge_models::files::{self, Format, Loaded};

/// Reads a valid file.
pub(crate) fn read(bytes: impl AsRef<[u8]>, format: Format) -> Loaded {
    files::read_bytes(bytes.as_ref(), format, "sample").unwrap_or_else(|error| panic!("{error}"))
}

/// Reads an invalid file and returns the message without the name.
pub(crate) fn refusal(bytes: impl AsRef<[u8]>, format: Format) -> String {
    match files::read_bytes(bytes.as_ref(), format, "sample") {
        Ok(loaded) => panic!("read as {} triangles", loaded.mesh.triangles().len()),
        Err(error) => {
            let text = error.to_string();
            text.strip_prefix("sample: ").unwrap_or_else(|| panic!("no name: {text}")).to_owned()
        }
    }
}

/// A square pyramid: one quadrilateral and four triangles.
pub(crate) const OBJ: &str = "# pyramid\no thing\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\n\
                       f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

/// The same as OFF.
pub(crate) const OFF: &str = "OFF\n# pyramid\n5 5 8\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n\
                       4 3 2 1 0\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";

/// The same as ascii PLY.
pub(crate) const PLY: &str = "ply\nformat ascii 1.0\ncomment pyramid\nelement vertex 5\n\
                       property float x\nproperty float y\nproperty float z\nelement face 5\n\
                       property list uchar int vertex_indices\nend_header\n\
                       0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n\
                       4 3 2 1 0\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";

/// Two facets as text STL.
pub(crate) const STL: &str = "solid two\n\
    facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n \
    endloop\nendfacet\n\
    facet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0\n  vertex 0 1 0\n \
    endloop\nendfacet\nendsolid two\n";

/// Binary STL with the given header text.
pub(crate) fn stl_binary(header: &str, facets: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes[..header.len()].copy_from_slice(header.as_bytes());
    bytes.extend((facets.len() as u32).to_le_bytes());
    for facet in facets {
        bytes.extend([0; 12]);
        bytes.extend(facet.as_flattened().iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// The facets of [`STL`].
pub(crate) const FACETS: [[[f32; 3]; 3]; 2] =
    [[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[1., 0., 0.], [1., 1., 0.], [0., 1., 0.]]];

/// The pyramid as binary PLY of either byte order, coordinates as double.
pub(crate) fn ply_binary(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 5\nproperty double x\n\
         property double y\nproperty double z\nelement face 5\n\
         property list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    let points = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.0_f64]];
    for c in points.as_flattened() {
        bytes.extend(if big { c.to_be_bytes() } else { c.to_le_bytes() });
    }
    let faces: [&[i32]; 5] = [&[3, 2, 1, 0], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]];
    for face in faces {
        bytes.push(face.len() as u8);
        for v in face {
            bytes.extend(if big { v.to_be_bytes() } else { v.to_le_bytes() });
        }
    }
    bytes
}

/// A GLB of its two chunks.
#[cfg(feature = "gltf")]
pub(crate) fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let padded = |data: &[u8], with: u8| {
        let mut data = data.to_vec();
        data.resize(data.len().next_multiple_of(4), with);
        data
    };
    let (json, binary) = (padded(json.as_bytes(), b' '), padded(binary, 0));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((12 + 8 + json.len() + 8 + binary.len()) as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", json), (b"BIN\0", binary)] {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
    }
    bytes
}

/// The bytes of f32 numbers.
#[cfg(feature = "gltf")]
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// The bytes of u16 numbers.
#[cfg(feature = "gltf")]
pub(crate) fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// A GLB of one triangle (0,0,0) (1,0,0) (0,1,0), bytes 0 to 36 of its buffer, with the indices
/// 0 1 2 after it; `nodes` and `scenes` as given.
#[cfg(feature = "gltf")]
pub(crate) fn glb_triangle(nodes: &str, scenes: &str) -> Vec<u8> {
    let mut binary = floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    binary.extend(shorts(&[0, 1, 2]));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":42}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "nodes":{nodes},"scenes":{scenes}}}"#
    );
    glb(&json, &binary)
}

/// One file of each kind.
pub(crate) fn all() -> Vec<(&'static str, Format, Vec<u8>)> {
    vec![
        ("obj", Format::Obj, OBJ.into()),
        ("off", Format::Off, OFF.into()),
        ("text stl", Format::Stl, STL.into()),
        ("binary stl", Format::Stl, stl_binary("made by hand", &FACETS)),
        ("ascii ply", Format::Ply, PLY.into()),
        ("little-endian ply", Format::Ply, ply_binary(false)),
        ("big-endian ply", Format::Ply, ply_binary(true)),
        #[cfg(feature = "gltf")]
        ("glb", Format::Gltf, glb_triangle(r#"[{"mesh":0}]"#, r#"[{"nodes":[0]}]"#)),
    ]
}
