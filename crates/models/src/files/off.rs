//! OFF, text form: a keyword, the counts, one vertex per line, one face per line. Normals,
//! colours and texture coordinates after a vertex (NOFF, COFF, STOFF) and colours after a face
//! are skipped.

use impinge_geometry::Mesh;

use super::ReadOptions;
use super::assemble::{Assembly, check_triangles};
use super::error::Fault;
use super::text::{Lines, coordinates, number, quoted, trim_bom, words};

/// What follows `OFF` in a header keyword without a space, as some writers have it (`OFF8 6 12`);
/// `None` if the word is not a keyword.
pub(super) fn keyword(word: &[u8]) -> Option<&[u8]> {
    let mut rest = word.strip_prefix(b"ST").unwrap_or(word);
    for letter in [&b"C"[..], b"N", b"4", b"n"] {
        rest = rest.strip_prefix(letter).unwrap_or(rest);
    }
    let after = rest.strip_prefix(b"OFF")?;
    after.iter().all(u8::is_ascii_digit).then_some(after)
}

/// The lines with words on them.
struct Rows<'a>(Lines<'a>);

impl<'a> Rows<'a> {
    /// The next line with words on it.
    fn next(&mut self, what: impl Fn() -> String) -> Result<Row<'a>, Fault> {
        for line in self.0.by_ref() {
            if words(line).next().is_some() {
                return Ok(Row { line, number: self.0.line() });
            }
        }
        Err(Fault::line(self.0.line(), format!("the file ends where {} is expected", what())))
    }
}

struct Row<'a> {
    line: &'a [u8],
    number: usize,
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<String>), Fault> {
    let mut rows = Rows(Lines::new(trim_bom(bytes)));
    let (vertices, faces) = header(&mut rows)?;
    let left = rows.0.rest().len();
    let number = rows.0.line();
    // Least bytes: "0 0 0" and a line end per vertex, "3 0 1 2" and a line end per face.
    let needed = vertices.saturating_mul(6).saturating_add(faces.saturating_mul(8));
    if needed > left as u64 + 1 {
        let message = format!(
            "the header announces {vertices} vertices and {faces} faces, but only {left} bytes follow"
        );
        return Err(Fault::line(number, message));
    }
    check_triangles(faces, options.max_triangles)?;
    let mut assembly = Assembly::new(options);
    assembly.reserve(vertices as usize, faces as usize);
    for v in 0..vertices {
        let row = rows.next(|| format!("vertex {v} of {vertices}"))?;
        assembly.vertex(coordinates(&mut words(row.line), row.number)?);
    }
    for f in 0..faces {
        let row = rows.next(|| format!("face {f} of {faces}"))?;
        face(&row, vertices, &mut assembly)?;
    }
    if rows.0.rest().split(u8::is_ascii_whitespace).any(|word| !word.is_empty()) {
        assembly.notes.push("text after the last face ignored".to_owned());
    }
    assembly.finish()
}

/// Number of vertices and faces. The number of edges may follow and is ignored.
fn header(rows: &mut Rows<'_>) -> Result<(u64, u64), Fault> {
    let mut row = rows.next(|| "the keyword OFF".to_owned())?;
    let mut counts = words(row.line);
    let first = counts.next().unwrap_or_default();
    let Some(glued) = keyword(first) else {
        let message = format!("expected the keyword OFF, found {}", quoted(first));
        return Err(Fault::line(row.number, message));
    };
    // A count beside the keyword may have the digit 4.
    let letters = first.strip_suffix(glued).unwrap_or(first);
    if letters.contains(&b'4') || letters.contains(&b'n') {
        let message = format!("{}: only points in three dimensions are read", quoted(first));
        return Err(Fault::line(row.number, message));
    }
    let mut numbers: Vec<&[u8]> = Vec::new();
    if !glued.is_empty() {
        numbers.push(glued);
    }
    numbers.extend(counts.take(3));
    if numbers.first().is_some_and(|word| word.eq_ignore_ascii_case(b"binary")) {
        return Err(Fault::line(row.number, "binary OFF is not read, only the text form"));
    }
    if numbers.is_empty() {
        row = rows.next(|| "the number of vertices and faces".to_owned())?;
        numbers.extend(words(row.line).take(3));
    }
    let count = |i: usize, what: &str| {
        let word = numbers.get(i).copied().unwrap_or_default();
        number::<u32>(word).map(u64::from).ok_or_else(|| {
            Fault::line(
                row.number,
                format!("expected the number of {what}, found {}", quoted(word)),
            )
        })
    };
    Ok((count(0, "vertices")?, count(1, "faces")?))
}

fn face(row: &Row<'_>, vertices: u64, assembly: &mut Assembly) -> Result<(), Fault> {
    let face = assembly.face_count();
    let bad = |what: String| Fault::line(row.number, format!("face {face}: {what}"));
    let mut words = words(row.line);
    let word = words.next().unwrap_or_default();
    let size: usize = number(word)
        .ok_or_else(|| bad(format!("expected the number of corners, found {}", quoted(word))))?;
    if size < 3 {
        return Err(bad(format!("{size} corners, a polygon needs at least 3")));
    }
    for i in 0..size {
        let word = words
            .next()
            .ok_or_else(|| bad(format!("{size} corners are announced, but only {i} follow")))?;
        let corner: u32 =
            number(word).filter(|&corner| u64::from(corner) < vertices).ok_or_else(|| {
                bad(format!("{} is not the index of one of the {vertices} vertices", quoted(word)))
            })?;
        assembly.corner(corner);
    }
    assembly.end_face(size)
}
