//! `--html`: one file with a list of the clashes and a view of each.
//!
//! 1. [`pack`]: the meshes of parts that clash, each once.
//! 2. The scene as JSON, in which no text can end the script element that holds it.
//! 3. The page: `viewer/src/page.html` with style, scene and script. Its policy allows that one
//!    script, by its hash, and no access to the network.

mod pack;

use std::io;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use impinge::query::Inner;
use impinge::report::id;
use impinge::{Class, Mesh, Object};
use serde::Serialize;

use crate::arguments::{Clash, Up};
use crate::failure::Failure;
use crate::output::{self, JSON_VERSION, number};

use super::kept::{Kept, Meshes, Scene};
use pack::{PackedMesh, PackedNumbers};

const PAGE: &str = include_str!("../../../viewer/src/page.html");
const STYLE: &str = include_str!("../../../viewer/src/page.css");
const VIEWER: &str = include_str!("../../../viewer/viewer.js");
/// The hash of the viewer, among others.
const SUMS: &str = include_str!("../../../viewer/SHA256SUMS");

/// What the viewer reads.
#[derive(Serialize)]
struct Content<'s> {
    version: u32,
    program: &'static str,
    up: &'static str,
    inputs: Vec<String>,
    /// The options that decide what is a clash.
    asked: String,
    notes: Vec<String>,
    parts_found: usize,
    parts: Vec<ShownPart<'s>>,
    meshes: Vec<PackedMesh>,
    clashes: Vec<ShownClash<'s>>,
}

/// A part that clashes.
#[derive(Serialize)]
struct ShownPart<'s> {
    name: &'s str,
    group: &'s str,
    mesh: usize,
    /// By rows.
    rotation: [f64; 9],
    translation: [f64; 3],
}

#[derive(Serialize)]
struct ShownClash<'s> {
    id: String,
    a: usize,
    b: usize,
    class: Class,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Inner>,
    contacts_found: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    extent: Option<[[f64; 3]; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<[[f64; 3]; 2]>,
    distance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'s str>,
    marks: [PackedNumbers; 2],
}

/// Writes the page. Returns a note for the user if meshes were left out.
pub(super) fn write(
    path: &Path,
    scene: &Scene,
    kept: &[Kept],
    arguments: &Clash,
) -> Result<Option<String>, Failure> {
    let failed = |error: io::Error| Failure::file(path.display().to_string(), error.to_string());
    let content = content(scene, kept, arguments).map_err(failed)?;
    let json = serde_json::to_string(&content).map_err(|error| failed(io::Error::other(error)))?;
    // Only texts contain the letter.
    let page = page(&json.replace('<', "\\u003c"));
    output::replace(path, |file| file.write_all(page.as_bytes()))?;
    Ok(content.notes.into_iter().next())
}

fn content<'s>(scene: &'s Scene, kept: &'s [Kept], arguments: &Clash) -> io::Result<Content<'s>> {
    let objects = scene.objects();
    let mut indices: Vec<u32> = kept.iter().flat_map(|clash| clash.parts).collect();
    indices.sort_unstable();
    indices.dedup();
    let mut own = Meshes::default();
    let mut parts = Vec::with_capacity(indices.len());
    for &index in &indices {
        let Object { shape, pose, .. } = objects[index as usize];
        let label = &scene.labels[index as usize];
        parts.push(ShownPart {
            name: &label.name,
            group: &label.group,
            mesh: own.place(shape),
            rotation: std::array::from_fn(|k| pose.rotation()[(k / 3, k % 3)]),
            translation: (*pose.translation()).into(),
        });
    }
    let (meshes, note) = meshes(&own, arguments.html_triangles)?;
    let shown = |clash: &'s Kept| -> io::Result<ShownClash<'s>> {
        let [a, b] = clash.parts.map(|index| indices.partition_point(|other| *other < index));
        let [left, right] = &clash.marks;
        Ok(ShownClash {
            id: id(parts[a].name, parts[b].name),
            a,
            b,
            class: clash.class,
            inner: clash.inner,
            contacts_found: clash.contacts_found,
            extent: clash.extent.map(|extent| [extent.min.into(), extent.max.into()]),
            nearest: clash.nearest.map(|ends| ends.map(Into::into)),
            distance: clash.distance,
            reason: clash.undecided.as_deref(),
            marks: [PackedNumbers::new(left)?, PackedNumbers::new(right)?],
        })
    };
    let clashes = kept.iter().map(shown).collect::<io::Result<_>>()?;
    Ok(Content {
        version: JSON_VERSION,
        program: concat!("impinge ", env!("CARGO_PKG_VERSION")),
        up: if arguments.up() == Up::Y { "y" } else { "z" },
        inputs: arguments.paths.iter().map(|path| path.display().to_string()).collect(),
        asked: asked(arguments),
        notes: note.into_iter().collect(),
        parts_found: scene.labels.len(),
        parts,
        meshes,
        clashes,
    })
}

/// The meshes; of those with the most triangles only the boxes, until the others have at most
/// `limit` triangles together. A note says which were left out.
fn meshes(meshes: &Meshes<'_>, limit: u64) -> io::Result<(Vec<PackedMesh>, Option<String>)> {
    let size = |number: usize| meshes.list[number].map_or(0, |mesh| mesh.triangles().len() as u64);
    let mut order: Vec<usize> = (0..meshes.list.len()).collect();
    order.sort_by_key(|&number| size(number));
    let mut whole = vec![false; order.len()];
    let mut total = 0;
    for number in order {
        total += size(number);
        whole[number] = total <= limit;
    }
    let pack = |(mesh, whole): (Option<&Mesh>, bool)| match mesh {
        Some(mesh) => PackedMesh::new(mesh, whole),
        None => Ok(PackedMesh::default()),
    };
    let packed: Vec<PackedMesh> =
        meshes.list.iter().copied().zip(whole).map(pack).collect::<io::Result<_>>()?;
    let left_out = packed.iter().filter(|mesh| mesh.data.is_none()).count();
    let note = (left_out > 0).then(|| {
        let all = packed.len();
        format!(
            "{left_out} of {all} meshes are left out of the page, their parts shown as boxes: the \
             meshes have {total} triangles, more than --html-triangles {limit}"
        )
    });
    Ok((packed, note))
}

/// The options that decide what is a clash, in words.
fn asked(arguments: &Clash) -> String {
    let words = [
        arguments.clearance.map(|d| format!("clearance {}", number(d))),
        arguments.solids.then(|| "closed parts as solids".to_owned()),
        arguments.touching_ok.then(|| "touching left out".to_owned()),
        arguments.groups.as_ref().map(|[a, b]| format!("groups {a} and {b}")),
        arguments.ignore.as_ref().map(|path| format!("without the pairs of {}", path.display())),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The page around a scene. What is put in is not searched for places again.
fn page(scene: &str) -> String {
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + VIEWER.len() + scene.len());
    for part in PAGE.split("{{") {
        let (word, rest) = part.split_once("}}").unwrap_or(("", part));
        match word {
            "hash" => page.push_str(&hash()),
            "style" => page.push_str(STYLE),
            "scene" => page.push_str(scene),
            "viewer" => page.push_str(VIEWER),
            _ => {}
        }
        page.push_str(rest);
    }
    page
}

/// The hash of the viewer as a policy names it.
fn hash() -> String {
    let of_viewer = SUMS.lines().find_map(|line| line.strip_suffix("  viewer.js"));
    let digits = of_viewer.unwrap_or_default().as_bytes();
    let byte =
        |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|s| u8::from_str_radix(s, 16).ok());
    let bytes: Vec<u8> = digits.chunks(2).filter_map(byte).collect();
    format!("sha256-{}", BASE64_STANDARD.encode(bytes))
}
