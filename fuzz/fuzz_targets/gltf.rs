//! Arbitrary bytes to the glTF readers, of one mesh and of parts: unchanged, as the JSON chunk of a GLB, and as numbers in an
//! otherwise well-formed document.
#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use impinge_models::files::Format;

/// The numbers of a document with two views, two accessors, one primitive and two nodes.
#[derive(Arbitrary, Debug)]
struct Document {
    views: [(u8, u8, Option<u8>); 2],
    accessors: [Accessor; 2],
    mode: u8,
    indexed: bool,
    children: [Option<u8>; 2],
    meshes: [Option<u8>; 2],
    scale: [i8; 3],
    rotation: [i8; 4],
    names: [Option<bool>; 2],
}

#[derive(Arbitrary, Debug)]
struct Accessor {
    view: Option<u8>,
    offset: u8,
    component: u8,
    count: u8,
    kind: bool,
    normalized: bool,
    sparse: Option<(u8, u8, u8)>,
}

impl Accessor {
    fn json(&self) -> String {
        let view = self.view.map_or(String::new(), |v| format!("\"bufferView\":{},", v % 3));
        let sparse = self.sparse.map_or(String::new(), |(count, indices, values)| {
            format!(
                ",\"sparse\":{{\"count\":{count},\"indices\":{{\"bufferView\":{},\"componentType\":{}}},\
                 \"values\":{{\"bufferView\":{}}}}}",
                indices % 3,
                5121 + u32::from(indices) % 5,
                values % 3
            )
        });
        format!(
            "{{{view}\"byteOffset\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\",\
             \"normalized\":{}{sparse}}}",
            self.offset % 16,
            5120 + u32::from(self.component) % 7,
            self.count,
            if self.kind { "VEC3" } else { "SCALAR" },
            self.normalized
        )
    }
}

fn json(document: &Document, size: usize) -> String {
    let view = |&(offset, length, stride): &(u8, u8, Option<u8>)| {
        let stride = stride.map_or(String::new(), |s| format!(",\"byteStride\":{s}"));
        format!("{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}{stride}}}")
    };
    let node = |n: usize| {
        let (child, mesh) = (document.children[n], document.meshes[n]);
        let name = match document.names[n] {
            Some(true) => "\"name\":\"a\",",
            Some(false) => "\"name\":\"node 1\",",
            None => "",
        };
        let child = child.map_or(String::new(), |c| format!("\"children\":[{}],", c % 3));
        let mesh = mesh.map_or(String::new(), |m| format!("\"mesh\":{},", m % 2));
        let ([x, y, z], [a, b, c, d]) = (document.scale, document.rotation);
        format!("{{{name}{child}{mesh}\"scale\":[{x},{y},{z}],\"rotation\":[{a},{b},{c},{d}]}}")
    };
    let indices = if document.indexed { ",\"indices\":1" } else { "" };
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":{size}}}],\
         \"bufferViews\":[{},{}],\"accessors\":[{},{}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}{indices},\"mode\":{}}}]}}],\
         \"nodes\":[{},{}],\"scenes\":[{{\"nodes\":[0]}}]}}",
        view(&document.views[0]),
        view(&document.views[1]),
        document.accessors[0].json(),
        document.accessors[1].json(),
        document.mode % 8,
        node(0),
        node(1),
    )
}

/// A GLB of a JSON chunk and a binary chunk.
fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", json), (b"BIN\0", binary)] {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
    }
    bytes
}

fn check(bytes: &[u8]) {
    impinge_fuzz::check(bytes, Format::Gltf);
    impinge_fuzz::check_parts(bytes);
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&glb(bytes, &[]));
    let mut source = Unstructured::new(bytes);
    if let Ok(document) = Document::arbitrary(&mut source) {
        let binary = source.take_rest();
        let json = json(&document, binary.len());
        check(&glb(json.as_bytes(), binary));
    }
});
