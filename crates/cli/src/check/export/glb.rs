//! GLB, the binary form of glTF 2.0: one mesh per part, each with its colour.
//!
//! Coordinates are f32, relative to the middle of everything, which is the translation of the one
//! root node: a viewer that keeps f64 translations loses little far from the origin.

use std::io::{self, Write};

use impinge::Point;
use serde_json::{Value, json};

use super::{MEETING, Parts, color};

/// `mode` of a primitive in glTF.
const POINTS: u32 = 0;
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;
/// `componentType` in glTF.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

pub(super) fn write(out: &mut impl Write, parts: &Parts) -> io::Result<()> {
    let (middle, size) = extent(parts);
    if size > 0.0 && size < f64::from(f32::MIN_POSITIVE) / f64::from(f32::EPSILON) {
        let message = "the meshes are too small for glTF's 32-bit coordinates";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut file = Glb { middle, ..Glb::default() };
    for (number, part) in parts.meshes.iter().enumerate() {
        let mut used = vec![false; part.mesh.vertices().len()];
        part.mesh.triangles().iter().flatten().for_each(|&v| used[v as usize] = true);
        // Vertices of no triangle may be anywhere; they are not to be seen.
        let middle = file.middle;
        let places = part.mesh.vertices().iter().zip(used);
        let places = places.map(|(p, used)| if used { *p } else { middle });
        let positions = file.positions(places)?;
        for (marked, suffix) in [(false, ""), (true, "_contact")] {
            let indices: Vec<u32> = part.triangles(marked).flatten().collect();
            let name = format!("{}{suffix}", part.name);
            file.part(&name, positions, &indices, TRIANGLES, color(number, marked));
        }
    }
    let mut fans = Vec::new();
    let mut first = 0;
    for polygon in &parts.polygons {
        let n = polygon.len() as u32;
        fans.extend((1..n - 1).flat_map(|k| [first, first + k, first + k + 1]));
        first += n;
    }
    let polygons = file.positions(parts.polygons.iter().flatten().copied())?;
    file.part("polygons", polygons, &fans, TRIANGLES, MEETING);
    let segments = file.positions(parts.segments.iter().flatten().copied())?;
    let ends: Vec<u32> = (0..2 * parts.segments.len() as u32).collect();
    file.part("segments", segments, &ends, LINES, MEETING);
    let points = file.positions(parts.points.iter().copied())?;
    let each: Vec<u32> = (0..parts.points.len() as u32).collect();
    file.part("points", points, &each, POINTS, MEETING);
    file.write(out)
}

/// The middle of the meshes' bounds, and their longest side.
fn extent(parts: &Parts) -> (Point, f64) {
    let bounds = parts.meshes.iter().map(|part| part.mesh.bounds());
    let joined = bounds.reduce(|(a, b), (c, d)| (a.inf(&c), b.sup(&d)));
    let none = (Point::origin(), 0.0);
    joined.map_or(none, |(lower, upper)| (lower + (upper - lower) * 0.5, (upper - lower).amax()))
}

/// The file as it grows.
#[derive(Default)]
struct Glb {
    middle: Point,
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

impl Glb {
    /// Adds vertices; returns their accessor.
    fn positions(&mut self, points: impl Iterator<Item = Point>) -> io::Result<usize> {
        let (mut lower, mut upper) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let (start, mut count) = (self.bytes.len(), 0);
        for p in points {
            count += 1;
            let place: [f32; 3] = (p - self.middle).map(|x| x as f32).into();
            if place.iter().any(|x| x.is_infinite()) {
                let message = format!("{p} does not fit glTF's 32-bit coordinates");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            for (k, x) in place.into_iter().enumerate() {
                (lower[k], upper[k]) = (lower[k].min(x), upper[k].max(x));
                self.bytes.extend(x.to_le_bytes());
            }
        }
        let accessor =
            json!({ "componentType": FLOAT, "type": "VEC3", "min": lower, "max": upper });
        Ok(self.accessor(start, count, accessor))
    }

    /// Adds one part with its material. An empty part is left out, since glTF has no empty ones.
    fn part(&mut self, name: &str, positions: usize, indices: &[u32], mode: u32, rgb: [u8; 3]) {
        if indices.is_empty() {
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend(indices.iter().flat_map(|v| v.to_le_bytes()));
        let accessor = json!({ "componentType": UNSIGNED_INT, "type": "SCALAR" });
        let accessor = self.accessor(start, indices.len(), accessor);
        // glTF has linear colours; the bytes are in gamma 2.
        let [r, g, b] = rgb.map(|byte| (f64::from(byte) / 255.0).powi(2));
        self.nodes.push(json!({ "name": name, "mesh": self.meshes.len() }));
        self.meshes.push(json!({ "name": name, "primitives": [{
            "attributes": { "POSITION": positions },
            "indices": accessor,
            "mode": mode,
            "material": self.materials.len(),
        }] }));
        self.materials.push(json!({ "name": name, "doubleSided": true, "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8,
        } }));
    }

    /// Adds an accessor to the bytes from `start` on.
    fn accessor(&mut self, start: usize, count: usize, mut accessor: Value) -> usize {
        if count == 0 {
            return 0; // of a part that is left out
        }
        let length = self.bytes.len() - start;
        accessor["bufferView"] = json!(self.views.len());
        accessor["count"] = json!(count);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn write(self, out: &mut impl Write) -> io::Result<()> {
        let parts: Vec<usize> = (0..self.nodes.len()).collect();
        let mut nodes = self.nodes;
        let root = nodes.len();
        let translation: [f64; 3] = self.middle.into();
        nodes.push(json!({ "name": "contact", "translation": translation, "children": parts }));
        let document = json!({
            "asset": { "version": "2.0", "generator": "impinge" },
            "scene": 0,
            "scenes": [{ "nodes": [root] }],
            "nodes": nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len() }],
        });
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let size = |n: usize| {
            let message = "the file would exceed the 4 GiB of the format";
            u32::try_from(n).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, message))
        };
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&size(28 + text.len() + self.bytes.len())?.to_le_bytes())?;
        out.write_all(&size(text.len())?.to_le_bytes())?;
        out.write_all(b"JSON")?;
        out.write_all(&text)?;
        out.write_all(&size(self.bytes.len())?.to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        out.write_all(&self.bytes)
    }
}
