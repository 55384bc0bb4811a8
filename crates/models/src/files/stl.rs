//! STL, text and binary: unindexed triangles, welded by equal coordinates.
//!
//! Binary: a header of 80 bytes, a 32-bit count, then 50 bytes per triangle, all little-endian. A
//! header may begin with `solid` in a binary file too, so the size decides first.

use impinge_geometry::{Mesh, MeshError, Point};

use super::ReadOptions;
use super::assemble::check_triangles;
use super::error::{Fault, Place};
use super::text::{Lines, coordinates, quoted, trim_bom, words};

const HEADER: usize = 84;
const RECORD: usize = 50;

/// The first word of the note that every STL file gets.
pub(super) const WELDED: &str = "welded";

/// Whether the size equals that given by the count at byte 80.
pub(super) fn is_exact_binary(bytes: &[u8]) -> bool {
    promised(bytes).is_some_and(|(_, size)| size == bytes.len() as u64)
}

/// Whether this may be the beginning of a binary STL that goes on: the header promises more, there is a
/// byte 0, which no text has, and all coordinates are finite.
pub(super) fn may_begin(head: &[u8]) -> bool {
    let goes_on = head.len() as u64 >= super::source::HEAD
        && promised(head).is_some_and(|(_, size)| size > head.len() as u64);
    if !goes_on || !head.contains(&0) {
        return false;
    }
    let (records, _) = head[HEADER..].as_chunks::<RECORD>();
    records.iter().all(|record| {
        let (floats, _) = record.as_chunks::<4>();
        floats[3..].iter().all(|bytes| f32::from_le_bytes(*bytes).is_finite())
    })
}

/// Number of triangles and total size by the header; `None` if the header is incomplete.
pub(super) fn promised(bytes: &[u8]) -> Option<(u32, u64)> {
    let count = bytes.get(80..)?.first_chunk().map(|b| u32::from_le_bytes(*b))?;
    Some((count, HEADER as u64 + RECORD as u64 * u64::from(count)))
}

/// Reads text or binary STL.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<String>), Fault> {
    let (vertices, mut notes) = if !is_exact_binary(bytes) && looks_like_text(bytes) {
        read_text(bytes, options)?
    } else {
        read_binary(bytes, options)?
    };
    let count = vertices.len();
    let indices =
        u32::try_from(count).map_err(|_| MeshError::TooLarge { what: "vertices", count })?;
    let triangles = (0..indices / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh::new(vertices, triangles).map_err(name_facet)?.welded();
    notes.push(format!("{WELDED} {count} corners to {} vertices", mesh.vertices().len()));
    Ok((mesh, notes))
}

/// Replaces a vertex index by its facet, which the user can find in the file.
fn name_facet(error: MeshError) -> Fault {
    match error {
        MeshError::Coordinate { vertex, axis, value } => Fault::face(
            vertex / 3,
            format!(
                "corner {}: coordinate {axis} is {value:e}, it must be finite and at most 1e300 in magnitude",
                vertex % 3
            ),
        ),
        other => Fault::Mesh(other),
    }
}

/// Whether this begins with the first word of a text STL.
pub(super) fn begins_text(text: &[u8]) -> bool {
    text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let head = trim_bom(bytes).trim_ascii_start();
    let sample = &head[..head.len().min(512)];
    begins_text(head) && sample.iter().all(|&b| b >= b' ' || b.is_ascii_whitespace())
}

fn read_binary(bytes: &[u8], options: &ReadOptions) -> Result<(Vec<Point>, Vec<String>), Fault> {
    let Some((count, size)) = promised(bytes) else {
        let message = format!(
            "neither text STL (no \"solid\") nor binary (a header has {HEADER} bytes, the file {})",
            bytes.len()
        );
        return Err(Fault::file(message));
    };
    if size > bytes.len() as u64 {
        let message = format!(
            "the header promises {count} triangles, {size} bytes in all, but the file has {}",
            bytes.len()
        );
        return Err(Fault::byte(80, message));
    }
    check_triangles(count.into(), options.max_triangles)?;
    let (records, _) = bytes[HEADER..].as_chunks::<RECORD>();
    let mut vertices = Vec::with_capacity(3 * count as usize);
    for record in &records[..count as usize] {
        let (floats, _) = record.as_chunks::<4>();
        let float = |i: usize| f64::from(f32::from_le_bytes(floats[i]));
        // The first three are the normal, which follows from the corners' order.
        vertices.extend([3, 6, 9].map(|i| Point::new(float(i), float(i + 1), float(i + 2))));
    }
    let mut notes = Vec::new();
    let after = bytes.len() as u64 - size;
    if after > 0 {
        notes.push(format!("{after} bytes after the last triangle ignored"));
    }
    Ok((vertices, notes))
}

/// The token that the text reader expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Solid,
    Facet,
    Loop,
    Vertex(u8),
    EndLoop,
    EndFacet,
}

impl Expect {
    fn describe(self) -> &'static str {
        match self {
            Self::Solid => "\"solid\"",
            Self::Facet => "\"facet normal\" or \"endsolid\"",
            Self::Loop => "\"outer loop\"",
            Self::Vertex(_) => "\"vertex\"",
            Self::EndLoop => "\"endloop\" (a facet has three vertices)",
            Self::EndFacet => "\"endfacet\"",
        }
    }
}

fn read_text(bytes: &[u8], options: &ReadOptions) -> Result<(Vec<Point>, Vec<String>), Fault> {
    let mut vertices = Vec::new();
    let mut expect = Expect::Solid;
    let mut solids = 0_usize;
    let mut lines = Lines::new(trim_bom(bytes));
    while let Some(line) = lines.next() {
        let mut words = words(line).peekable();
        // A `#` in a solid's name cuts the name; it is not used.
        while let Some(word) = words.next() {
            let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
            expect = match expect {
                Expect::Solid if is("solid") => {
                    solids += 1;
                    words.by_ref().for_each(drop);
                    Expect::Facet
                }
                Expect::Facet if is("facet") => {
                    // The normal is not used, and some writers emit "nan nan nan".
                    words.by_ref().take(4).for_each(drop);
                    Expect::Loop
                }
                Expect::Facet if is("endsolid") => {
                    words.by_ref().for_each(drop);
                    Expect::Solid
                }
                Expect::Loop if is("outer") => {
                    words.next_if(|next| next.eq_ignore_ascii_case(b"loop"));
                    Expect::Vertex(0)
                }
                Expect::Vertex(corner) if is("vertex") => {
                    let [x, y, z] = coordinates(&mut words, lines.line())?;
                    vertices.push(Point::new(x, y, z));
                    check_triangles(vertices.len() as u64 / 3, options.max_triangles)?;
                    if corner == 2 { Expect::EndLoop } else { Expect::Vertex(corner + 1) }
                }
                Expect::EndLoop if is("endloop") => Expect::EndFacet,
                Expect::EndFacet if is("endfacet") => Expect::Facet,
                _ => {
                    let message = format!("expected {}, found {}", expect.describe(), quoted(word));
                    return Err(Fault::line(lines.line(), message));
                }
            };
        }
    }
    if expect != Expect::Solid || solids == 0 {
        let message = format!("the file ends where {} is expected", expect.describe());
        return Err(Fault::At(Place::Line(lines.line()), message));
    }
    let mut notes = Vec::new();
    if solids > 1 {
        notes.push(format!("{solids} solids merged"));
    }
    Ok((vertices, notes))
}
