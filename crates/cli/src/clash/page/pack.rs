//! Meshes and lists of triangles as text: numbers as differences, compressed, in base64.
//! `viewer/src/scene.js` reads them.

use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use impinge::{Mesh, Point};
use serde::Serialize;

/// A mesh of the page.
#[derive(Default, Serialize)]
pub(super) struct PackedMesh {
    /// The middle of the box around the triangles.
    pub(super) middle: [f64; 3],
    /// Half the size of the box.
    pub(super) half: [f64; 3],
    vertices: usize,
    pub(super) triangles: usize,
    /// The corners in 32 bits, relative to the middle, by place of their bytes; then their numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<String>,
}

/// Ascending numbers.
#[derive(Serialize)]
pub(super) struct PackedNumbers {
    count: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    data: String,
}

impl PackedNumbers {
    pub(super) fn new(numbers: &[u32]) -> io::Result<Self> {
        let mut bytes = Vec::new();
        differences(&mut bytes, numbers.iter().copied());
        let data = if numbers.is_empty() { String::new() } else { packed(&bytes)? };
        Ok(Self { count: numbers.len(), data })
    }
}

impl PackedMesh {
    /// A mesh, with its triangles only if `whole`.
    pub(super) fn new(mesh: &Mesh, whole: bool) -> io::Result<Self> {
        let (corners, numbers) = in_use(mesh);
        let first = corners.first().copied().unwrap_or_default();
        let (low, high) =
            corners.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
        let middle = low + (high - low) * 0.5;
        let half = (high - low) * 0.5;
        let data = whole.then(|| packed(&bytes(&corners, middle, &numbers))).transpose()?;
        let (vertices, triangles) = (corners.len(), mesh.triangles().len());
        Ok(Self { middle: middle.into(), half: half.into(), vertices, triangles, data })
    }
}

/// The vertices of triangles, in the order in which the triangles name them, and their numbers.
fn in_use(mesh: &Mesh) -> (Vec<Point>, Vec<u32>) {
    let mut number = vec![u32::MAX; mesh.vertices().len()];
    let mut corners = Vec::new();
    let numbers = mesh.triangles().iter().flatten().map(|&vertex| {
        let number = &mut number[vertex as usize];
        if *number == u32::MAX {
            *number = corners.len() as u32;
            corners.push(mesh.vertices()[vertex as usize]);
        }
        *number
    });
    let numbers = numbers.collect();
    (corners, numbers)
}

fn bytes(corners: &[Point], middle: Point, numbers: &[u32]) -> Vec<u8> {
    let places: Vec<[u8; 4]> = corners
        .iter()
        .flat_map(|p| (p - middle).data.0[0])
        .map(|x| (x as f32).to_le_bytes())
        .collect();
    let mut bytes = Vec::with_capacity(4 * places.len() + 2 * numbers.len());
    for place in 0..4 {
        bytes.extend(places.iter().map(|number| number[place]));
    }
    differences(&mut bytes, numbers.iter().copied());
    bytes
}

/// Appends the difference of each number to the one before: seven bits a byte, the lowest first, with
/// the sign in the lowest bit.
fn differences(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = u32>) {
    let mut last = 0;
    for number in numbers {
        let difference = i64::from(number) - last;
        last = i64::from(number);
        let mut rest = ((difference << 1) ^ (difference >> 63)) as u64;
        while rest > 127 {
            bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
}

fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}
