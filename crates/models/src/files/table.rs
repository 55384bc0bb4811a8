//! Tables of parts: a CSV file with a name, a mesh file and a pose per row.
//!
//! 1. The header names the columns, in any order.
//! 2. Each row is checked by itself.
//! 3. Names must differ.

use std::path::{Path, PathBuf};
use std::str::from_utf8;

use csv::{ByteRecord, Reader, ReaderBuilder, Trim};
use impinge_geometry::{Pose, PoseError};

use super::error::Fault;
use super::text::{Lines, number, quoted, trim_bom, utf16};
use super::{FileError, source};

/// Largest table that is read. Unit: bytes. Value: 1 GiB, 1000 bytes a row.
const MOST_BYTES: u64 = 1 << 30;

/// Most rows of a table. Unit: rows. Value: 2²⁰, as the nodes of a glTF file.
const MOST_ROWS: usize = 1 << 20;

/// Most rows that a list of parts names as unread, so that their messages take little memory. Unit: rows.
const MOST_UNFIT: usize = 1000;

/// A row with an end has at least nine values of one byte. Unit: bytes.
const LEAST_ROW: usize = 18;

/// The columns, and which must be there.
const COLUMNS: [(&str, bool); 10] = [
    ("name", true),
    ("file", true),
    ("tx", true),
    ("ty", true),
    ("tz", true),
    ("qx", true),
    ("qy", true),
    ("qz", true),
    ("qw", true),
    ("group", false),
];

/// A part of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// Its name, unique in the table.
    pub name: String,
    /// The path of its mesh file: that of the table's folder and of the file in it.
    pub file: PathBuf,
    /// Where the mesh is in the scene.
    pub pose: Pose,
    /// Its group, if the table has groups and this row has one.
    pub group: Option<String>,
    /// The line of the table where the row begins, from 1.
    pub line: u64,
}

/// Reads a table of parts: a CSV file whose first line names the columns `name`, `file`, `tx`, `ty`,
/// `tz`, `qx`, `qy`, `qz`, `qw` and, if wanted, `group`, in any order. A file's path is relative to
/// the table. The pose is the quaternion, by the rule of [`Pose::from_quaternion`], then the
/// translation. White space around a value does not count, nor do empty lines. The mesh files are
/// not opened.
///
/// Tables of at most 1 GiB and 2²⁰ rows are read. Memory is bounded as for meshes, with 256 bytes a
/// row, and the folder's path for each row.
///
/// # Errors
/// [`FileError`], with the line: a column that is missing, unknown or there twice; a row of another
/// length than the header; a name or file that is empty or not UTF-8; a name that stands twice; what
/// is no number; what is no rotation; no rows at all.
///
/// ```
/// use impinge_models::files::read_table_bytes;
/// let text = b"name,file,tx,ty,tz,qx,qy,qz,qw\nvalve,valve.stl,1,0,0,0,0,0,1\n";
/// let rows = read_table_bytes(text, "parts/scene.csv")?;
/// assert_eq!((&*rows[0].name, rows[0].line), ("valve", 2));
/// assert_eq!(rows[0].file, std::path::Path::new("parts/valve.stl"));
/// assert_eq!(rows[0].pose.translation().x, 1.0);
/// # Ok::<(), impinge_models::files::FileError>(())
/// ```
pub fn read_table(path: impl AsRef<Path>) -> Result<Vec<Row>, FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = source::read_file(path, MOST_BYTES).map_err(|refusal| refusal.of(name.clone()))?;
    rows(&bytes, path).map_err(|fault| fault.in_file(&name))
}

/// As [`read_table`], from memory; `path` is that of the table, which is not opened.
///
/// # Errors
/// [`FileError`], prefixed with `path`.
pub fn read_table_bytes(bytes: &[u8], path: impl AsRef<Path>) -> Result<Vec<Row>, FileError> {
    let path = path.as_ref();
    rows(bytes, path).map_err(|fault| fault.in_file(&path.display().to_string()))
}

fn rows(bytes: &[u8], path: &Path) -> Result<Vec<Row>, Fault> {
    let entries = parse(bytes, path, 0)?;
    check_names(&entries)?;
    Ok(entries.into_iter().filter_map(Result::ok).collect())
}

/// A row that places no part.
pub(super) struct Unfit {
    /// Its name and group, if both can be read.
    pub(super) label: Option<Label>,
    pub(super) line: u64,
    pub(super) fault: Fault,
}

/// A name, and the group if there is one.
type Label = (String, Option<String>);

/// A row, or why it is none.
pub(super) type Entry = Result<Row, Box<Unfit>>;

/// Reads the rows of a table, and why others are none. Names may stand twice.
pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, FileError> {
    let name = path.display().to_string();
    let bytes = source::read_file(path, MOST_BYTES).map_err(|refusal| refusal.of(name.clone()))?;
    parse(&bytes, path, MOST_UNFIT).map_err(|fault| fault.in_file(&name))
}

/// A table with more than `most_unfit` rows that place no part is refused.
fn parse(bytes: &[u8], path: &Path, most_unfit: usize) -> Result<Vec<Entry>, Fault> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if let Some(message) = utf16(bytes) {
        return Err(Fault::file(message));
    }
    let bytes = trim_bom(bytes);
    let mut places = Places::new(bytes);
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(bytes);
    let columns = Columns::new(&mut reader, &mut places)?;
    let ends = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count();
    let most = (ends + 1).min(bytes.len() / LEAST_ROW + most_unfit).min(MOST_ROWS);
    let (mut entries, mut record) = (Vec::with_capacity(most), ByteRecord::new());
    let mut unfit = 0;
    loop {
        let (line, entry) = match reader.read_byte_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = places.line_of(record.position());
                (line, columns.entry(&record, folder, line))
            }
            Err(error) => {
                let line = places.line_of(error.position());
                let fault = fault(&error, line);
                (line, Err(Box::new(Unfit { label: None, line, fault })))
            }
        };
        if entries.len() == MOST_ROWS {
            return Err(at(line, format!("more than {MOST_ROWS} rows")));
        }
        unfit += usize::from(entry.is_err());
        match entry {
            Err(one) if unfit > most_unfit => return Err(beyond(*one, most_unfit)),
            entry => entries.push(entry),
        }
    }
    if entries.is_empty() {
        return Err(Fault::file("the table has no rows below its header"));
    }
    Ok(entries)
}

/// The error of a table with too many rows like this.
fn beyond(unfit: Unfit, most_unfit: usize) -> Fault {
    match most_unfit {
        0 => unfit.fault,
        most => at(unfit.line, format!("more than {most} rows cannot be read, up to this one")),
    }
}

/// Which field of a record is which column.
struct Columns {
    /// In the order of [`COLUMNS`]; `None` for the optional one if it is not there.
    places: [Option<usize>; COLUMNS.len()],
}

impl Columns {
    /// Finds the columns by the header.
    fn new(reader: &mut Reader<&[u8]>, places: &mut Places<'_>) -> Result<Self, Fault> {
        let header = reader
            .byte_headers()
            .map_err(|error| fault(&error, places.line_of(error.position())))?;
        let line = places.line_of(header.position());
        let mut places = [None; COLUMNS.len()];
        for (place, name) in header.iter().enumerate() {
            let known = COLUMNS.iter().position(|(column, _)| column.as_bytes() == name);
            let Some(column) = known else {
                let all = COLUMNS.map(|(column, _)| column).join(", ");
                let message = format!("unknown column {}, known are: {all}", quoted(name));
                return Err(at(line, message));
            };
            if places[column].replace(place).is_some() {
                return Err(at(line, format!("the column {} is there twice", quoted(name))));
            }
        }
        let columns = COLUMNS.iter().zip(places);
        let missing = columns.filter(|((_, needed), place)| *needed && place.is_none());
        let missing: Vec<&str> = missing.map(|((name, _), _)| *name).collect();
        if missing.is_empty() {
            return Ok(Self { places });
        }
        Err(at(line, format!("the header has no column {}", missing.join(", "))))
    }

    fn entry(&self, record: &ByteRecord, folder: &Path, line: u64) -> Entry {
        let unfit = |label, fault| Err(Box::new(Unfit { label, line, fault }));
        let (name, group) = match self.label(record, line) {
            Ok(label) => label,
            Err(fault) => return unfit(None, fault),
        };
        match self.placed(record, line) {
            Ok((file, pose)) => Ok(Row { name, file: folder.join(file), pose, group, line }),
            Err(fault) => unfit(Some((name, group)), fault),
        }
    }

    fn field<'r>(&self, record: &'r ByteRecord, column: usize) -> &'r [u8] {
        self.places[column].and_then(|place| record.get(place)).unwrap_or_default()
    }

    fn text<'r>(&self, record: &'r ByteRecord, column: usize, line: u64) -> Result<&'r str, Fault> {
        let ((name, _), word) = (COLUMNS[column], self.field(record, column));
        from_utf8(word).map_err(|_| at(line, format!("the {name} {} is not UTF-8", quoted(word))))
    }

    fn needed<'r>(
        &self,
        record: &'r ByteRecord,
        column: usize,
        line: u64,
    ) -> Result<&'r str, Fault> {
        match self.text(record, column, line)? {
            "" => Err(at(line, format!("the {} is empty", COLUMNS[column].0))),
            text => Ok(text),
        }
    }

    fn label(&self, record: &ByteRecord, line: u64) -> Result<Label, Fault> {
        let (name, group) = (self.needed(record, 0, line)?, self.text(record, 9, line)?);
        Ok((name.to_owned(), (!group.is_empty()).then(|| group.to_owned())))
    }

    fn placed<'r>(&self, record: &'r ByteRecord, line: u64) -> Result<(&'r str, Pose), Fault> {
        let mut numbers = [0.0; 7];
        for (value, column) in numbers.iter_mut().zip(2..) {
            let word = self.field(record, column);
            *value = number(word).ok_or_else(|| {
                let (name, _) = COLUMNS[column];
                at(line, format!("{name} is {}, not a number", quoted(word)))
            })?;
        }
        let [tx, ty, tz, qx, qy, qz, qw] = numbers;
        let file = self.needed(record, 1, line)?;
        let pose = Pose::from_quaternion([tx, ty, tz], [qx, qy, qz, qw]);
        Ok((file, pose.map_err(|error| at(line, why(&error)))?))
    }
}

/// Refuses a name that stands twice, and names the first row that repeats one.
pub(super) fn check_names(entries: &[Entry]) -> Result<(), Fault> {
    let key = |&entry: &u32| match &entries[entry as usize] {
        Ok(row) => Some((&*row.name, row.line)),
        Err(unfit) => unfit.label.as_ref().map(|(name, _)| (&**name, unfit.line)),
    };
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    order.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    let twice = order.windows(2).filter_map(|two| {
        let ((name, first), (other, again)) = (key(&two[0])?, key(&two[1])?);
        (name == other).then_some((again, first, name))
    });
    let Some((again, first, name)) = twice.min() else { return Ok(()) };
    let name = quoted(name.as_bytes());
    Err(at(again, format!("the name {name} stands in line {first} already")))
}

/// The lines of records, which come in order. The parser's own count leaves out lines that end with CR.
struct Places<'a> {
    bytes: &'a [u8],
    lines: Lines<'a>,
}

impl<'a> Places<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, lines: Lines::new(bytes) }
    }

    /// The line of a record, from 1. The parser's position is before any empty lines.
    fn line_of(&mut self, position: Option<&csv::Position>) -> u64 {
        let byte = position.map_or(0, csv::Position::byte) as usize;
        let Self { bytes, lines } = self;
        while bytes.len() - lines.rest().len() < byte || matches!(lines.rest(), [b'\n' | b'\r', ..])
        {
            if lines.next().is_none() {
                break;
            }
        }
        lines.line() as u64 + 1
    }
}

fn at(line: u64, message: impl Into<String>) -> Fault {
    Fault::line(usize::try_from(line).unwrap_or(usize::MAX), message)
}

fn why(error: &PoseError) -> String {
    match error {
        PoseError::NotOrthonormal { off } => {
            format!("qx, qy, qz, qw are no rotation: their squared norm is off 1 by {off:e}")
        }
        other => other.to_string(),
    }
}

/// An error of the parser: bytes in memory have no other than rows of another length.
fn fault(error: &csv::Error, line: u64) -> Fault {
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} values, the header names {expected_len} columns")
        }
        _ => error.to_string(),
    };
    at(line, message)
}
