//! The parts of the JSON that locate triangles, in little memory. Everything else is skipped: a
//! file may have any number of names, materials and empty objects.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

/// Most nodes and most scenes of a file: an empty one takes three bytes of JSON but many times that
/// in memory. Unit: items.
pub(super) const MOST: usize = 1 << 20;

/// The document.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    #[serde(borrow)]
    pub(super) asset: Asset<'a>,
    pub(super) scene: Option<u64>,
    #[serde(default, deserialize_with = "few")]
    pub(super) scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "few")]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<View>,
    #[serde(default, borrow)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default)]
    pub(super) extensions_required: Extensions,
    #[serde(default)]
    pub(super) extensions_used: Extensions,
}

/// The part shared by all versions: enough to identify the version.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub(super) asset: Asset<'a>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset<'a> {
    #[serde(borrow)]
    pub(super) version: Text<'a>,
    #[serde(borrow)]
    pub(super) min_version: Option<Text<'a>>,
}

/// A string, borrowed from the file unless it has escapes.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// The names of nodes and meshes.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Names<'a> {
    #[serde(default, borrow, deserialize_with = "few")]
    pub(super) nodes: Vec<Named<'a>>,
    #[serde(default, borrow)]
    pub(super) meshes: Vec<Named<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Named<'a> {
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<u32>,
}

/// A node; most have few of these fields.
#[derive(Debug, serde::Deserialize)]
#[serde(from = "RawNode")]
pub(super) struct Node {
    pub(super) mesh: Option<u32>,
    pub(super) skin: bool,
    pub(super) more: Option<Box<More>>,
}

#[derive(Debug)]
pub(super) struct More {
    pub(super) children: Vec<u32>,
    pub(super) transform: Option<Box<Transform>>,
}

#[derive(Debug)]
pub(super) enum Transform {
    /// Column-major.
    Matrix([f64; 16]),
    Parts {
        translation: [f64; 3],
        rotation: [f64; 4],
        scale: [f64; 3],
    },
}

#[derive(serde::Deserialize)]
struct RawNode {
    #[serde(default)]
    children: Vec<u32>,
    mesh: Option<u32>,
    skin: Option<IgnoredAny>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

impl From<RawNode> for Node {
    fn from(raw: RawNode) -> Self {
        let RawNode { children, mesh, skin, matrix, translation, rotation, scale } = raw;
        let parts = || Transform::Parts {
            translation: translation.unwrap_or_default(),
            rotation: rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: scale.unwrap_or([1.0; 3]),
        };
        let moved = translation.is_some() || rotation.is_some() || scale.is_some();
        let transform = matrix.map(Transform::Matrix).or_else(|| moved.then(parts)).map(Box::new);
        let more = (transform.is_some() || !children.is_empty())
            .then(|| Box::new(More { children, transform }));
        Self { mesh, skin: skin.is_some(), more }
    }
}

impl Node {
    pub(super) fn children(&self) -> &[u32] {
        self.more.as_ref().map_or(&[], |more| &more.children)
    }
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<u32>,
    #[serde(default = "triangles")]
    pub(super) mode: u32,
    #[serde(default)]
    pub(super) targets: Vec<IgnoredAny>,
}

/// The default mode of a primitive: separate triangles.
fn triangles() -> u32 {
    4
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<u32>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<u32>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) sparse: Option<Box<Sparse>>,
}

/// The accessor types allowed for positions and indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Kind {
    Scalar,
    Vec3,
    #[serde(other)]
    Other,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    /// The type of the indices; the values have the accessor's.
    pub(super) component_type: Option<u32>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: u32,
    pub(super) byte_length: u64,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer<'a> {
    pub(super) byte_length: u64,
    #[serde(default, borrow)]
    pub(super) uri: Option<Text<'a>>,
}

/// A list of extension names.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    /// The first extension that may change positions or triangles.
    pub(super) foreign: Option<String>,
    /// Whether `EXT_mesh_gpu_instancing` may place nodes many times.
    pub(super) instancing: bool,
}

/// Extensions that do not change positions and triangles. Quantized positions of
/// `KHR_mesh_quantization` are supported.
const HARMLESS: &[&str] = &[
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
];

impl<'de> Deserialize<'de> for Extensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Extensions;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Extensions, A::Error> {
                let mut found = Extensions::default();
                while let Some(Text(name)) = list.next_element()? {
                    found.instancing |= name == "EXT_mesh_gpu_instancing";
                    let harmless = HARMLESS.iter().any(|prefix| name.starts_with(prefix));
                    if !harmless && found.foreign.is_none() {
                        found.foreign = Some(name.into_owned());
                    }
                }
                Ok(found)
            }
        }
        deserializer.deserialize_seq(Names)
    }
}

/// Deserialises a list of at most [`MOST`] items.
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = list.next_element()? {
                if items.len() == MOST {
                    return Err(A::Error::custom(format!("a list of more than {MOST} items")));
                }
                items.push(item);
            }
            Ok(items)
        }
    }
    from.deserialize_seq(Few(PhantomData))
}
