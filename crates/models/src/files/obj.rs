//! Wavefront OBJ: the `v` and `f` statements. Texture, normal, group and material statements
//! are skipped; `l` and `p` elements, and `call`, which names another file, are skipped with a note.

use impinge_geometry::Mesh;

use super::ReadOptions;
use super::assemble::Assembly;
use super::error::Fault;
use super::polygon::MAX_CORNERS;
use super::text::{Lines, coordinates, number, quoted, trim_bom, uncommented, words};

/// Statements that do not affect triangles.
const SKIPPED: &[&[u8]] = &[
    b"vt",
    b"vn",
    b"vp",
    b"g",
    b"o",
    b"s",
    b"mg",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"csh",
];

struct Reader {
    assembly: Assembly,
    /// The largest vertex index used before its definition, and the line of that use.
    ahead: Option<(u32, usize)>,
    /// Number of elements that are not faces.
    loose: usize,
    calls: Skipped,
    unknown: Skipped,
}

/// Statements of one kind that are skipped with a note.
#[derive(Default)]
struct Skipped {
    count: usize,
    /// The line of the first.
    first: usize,
}

impl Skipped {
    fn add(&mut self, line: usize) {
        if self.count == 0 {
            self.first = line;
        }
        self.count += 1;
    }
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Mesh, Vec<String>), Fault> {
    let mut reader = Reader::new(options);
    let mut lines = Lines::new(trim_bom(bytes));
    let (vertices, faces) = count(lines.clone());
    reader.assembly.reserve(vertices, faces);
    let mut statement = Statement::default();
    while let Some(line) = lines.next() {
        let number = lines.line();
        statement.collect(line, &mut lines);
        reader.statement(&statement, number)?;
    }
    reader.finish()
}

/// The number of lines that begin like a vertex and like a face. Wrong for a file that continues
/// lines with backslashes; memory then grows on demand.
fn count(lines: Lines<'_>) -> (usize, usize) {
    lines.fold((0, 0), |(vertices, faces), line| {
        let [vertex, face] = begins(line).map(usize::from);
        (vertices + vertex, faces + face)
    })
}

/// Whether a line begins like a vertex, and whether like a face.
pub(super) fn begins(line: &[u8]) -> [bool; 2] {
    match line.trim_ascii_start() {
        [word, b' ' | b'\t', ..] => [b'v', b'f'].map(|letter| *word == letter),
        _ => [false; 2],
    }
}

/// The words of a statement, which continues over lines that end with a backslash. A backslash at the end
/// of a comment continues nothing.
#[derive(Default)]
struct Statement<'a> {
    /// The words, up to the length of the largest legal statement.
    words: Vec<&'a [u8]>,
    /// Number of further words, which are not stored: a line may be as long as the file.
    left_out: usize,
}

impl<'a> Statement<'a> {
    fn collect(&mut self, mut line: &'a [u8], lines: &mut Lines<'a>) {
        self.words.clear();
        self.left_out = 0;
        while let Some(before) = uncommented(line).trim_ascii_end().strip_suffix(b"\\") {
            self.extend(before);
            let Some(next) = lines.next() else { return };
            line = next;
        }
        self.extend(line);
    }

    fn extend(&mut self, line: &'a [u8]) {
        for word in words(line) {
            if self.words.len() <= MAX_CORNERS {
                self.words.push(word);
            } else {
                self.left_out += 1;
            }
        }
    }
}

impl Reader {
    fn new(options: &ReadOptions) -> Self {
        let assembly = Assembly::new(options);
        let (calls, unknown) = (Skipped::default(), Skipped::default());
        Self { assembly, ahead: None, loose: 0, calls, unknown }
    }

    fn statement(&mut self, statement: &Statement<'_>, line: usize) -> Result<(), Fault> {
        let Some((&keyword, arguments)) = statement.words.split_first() else { return Ok(()) };
        match keyword {
            b"v" => {
                // A weight or a colour may follow; neither affects the position.
                let point = coordinates(&mut arguments.iter().copied(), line)?;
                self.assembly.vertex(point);
                Ok(())
            }
            b"f" | b"fo" => {
                self.assembly.admit((arguments.len() + statement.left_out).max(3))?;
                self.face(arguments, line)
            }
            b"l" | b"p" => {
                self.loose += 1;
                Ok(())
            }
            other if SKIPPED.contains(&other) => Ok(()),
            b"call" => {
                self.calls.add(line);
                Ok(())
            }
            _ => {
                self.unknown.add(line);
                Ok(())
            }
        }
    }

    fn face(&mut self, corners: &[&[u8]], line: usize) -> Result<(), Fault> {
        if corners.len() < 3 {
            let face = self.assembly.face_count();
            let count = corners.len();
            let message = format!("face {face} has {count} corners, a polygon needs at least 3");
            return Err(Fault::line(line, message));
        }
        for corner in corners {
            let vertex = self.corner(corner, line)?;
            self.assembly.corner(vertex);
        }
        self.assembly.end_face(corners.len())
    }

    /// The vertex index, from 0, of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    fn corner(&mut self, word: &[u8], line: usize) -> Result<u32, Fault> {
        let bad = |what: &str| Fault::line(line, format!("corner {}: {what}", quoted(word)));
        let mut parts = word.split(|&b| b == b'/');
        let first = parts.next().unwrap_or_default();
        let index: i64 = number(first).ok_or_else(|| bad("no vertex index"))?;
        if parts.clone().count() > 2 || parts.any(|p| !p.is_empty() && number::<i64>(p).is_none()) {
            return Err(bad("not of the form v/vt/vn"));
        }
        let count = self.assembly.vertex_count();
        let vertex = match index {
            0 => return Err(bad("vertex indices count from 1")),
            1.. => u64::try_from(index - 1).ok(),
            _ => (count as u64).checked_sub(index.unsigned_abs()),
        };
        let vertex = vertex
            .and_then(|vertex| u32::try_from(vertex).ok())
            .ok_or_else(|| bad(&format!("out of range, there are {count} vertices so far")))?;
        if vertex as usize >= count && self.ahead.is_none_or(|(most, _)| vertex > most) {
            self.ahead = Some((vertex, line));
        }
        Ok(vertex)
    }

    fn finish(mut self) -> Result<(Mesh, Vec<String>), Fault> {
        if let Some((vertex, line)) = self.ahead {
            let count = self.assembly.vertex_count();
            if vertex as usize >= count {
                let index = u64::from(vertex) + 1;
                let message = format!("vertex index {index} is out of range, the file has {count}");
                return Err(Fault::line(line, message));
            }
        }
        let notes = &mut self.assembly.notes;
        if self.loose > 0 {
            notes.push(format!("{} point and line elements skipped", self.loose));
        }
        let Skipped { count, first } = self.calls;
        if count > 0 {
            notes.push(format!(
                "{count} statements \"call\" skipped, the first in line {first}: the files they name are not read"
            ));
        }
        let Skipped { count, first } = self.unknown;
        if count > 0 {
            notes.push(format!(
                "{count} statements of no known kind skipped, the first in line {first}"
            ));
        }
        self.assembly.finish()
    }
}
