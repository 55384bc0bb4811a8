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
use super::text::{number, quoted, trim_bom};
use super::{FileError, source};

/// Largest table that is read. Unit: bytes. Value: 1 GiB, 1000 bytes a row.
const MOST_BYTES: u64 = 1 << 30;

/// Most rows of a table. Unit: rows. Value: 2²⁰, as the nodes of a glTF file.
const MOST_ROWS: usize = 1 << 20;

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
    let folder = path.parent().unwrap_or(Path::new(""));
    let bytes = trim_bom(bytes);
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(bytes);
    let columns = Columns::new(&mut reader, bytes)?;
    let ends = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count();
    let most = (ends + 1).min(bytes.len() / LEAST_ROW).min(MOST_ROWS);
    let (mut rows, mut record) = (Vec::with_capacity(most), ByteRecord::new());
    while reader.read_byte_record(&mut record).map_err(|error| fault(&error, bytes))? {
        let line = line_of(record.position(), bytes);
        if rows.len() == MOST_ROWS {
            return Err(at(line, format!("more than {MOST_ROWS} rows")));
        }
        rows.push(columns.row(&record, folder, line)?);
    }
    if rows.is_empty() {
        return Err(Fault::file("the table has no rows below its header"));
    }
    check_names(&rows)?;
    Ok(rows)
}

/// Which field of a record is which column.
struct Columns {
    /// In the order of [`COLUMNS`]; `None` for the optional one if it is not there.
    places: [Option<usize>; COLUMNS.len()],
}

impl Columns {
    /// Finds the columns by the header.
    fn new(reader: &mut Reader<&[u8]>, bytes: &[u8]) -> Result<Self, Fault> {
        let header = reader.byte_headers().map_err(|error| fault(&error, bytes))?;
        let line = line_of(header.position(), bytes);
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

    fn row(&self, record: &ByteRecord, folder: &Path, line: u64) -> Result<Row, Fault> {
        let fields = self.places.map(|place| record.get(place?));
        let field = |column: usize| fields[column].unwrap_or_default();
        let text = |column: usize| {
            let (name, _) = COLUMNS[column];
            let word = field(column);
            from_utf8(word)
                .map_err(|_| at(line, format!("the {name} {} is not UTF-8", quoted(word))))
        };
        let needed = |column: usize| match text(column)? {
            "" => Err(at(line, format!("the {} is empty", COLUMNS[column].0))),
            text => Ok(text),
        };
        let mut numbers = [0.0; 7];
        for (value, column) in numbers.iter_mut().zip(2..) {
            *value = number(field(column)).ok_or_else(|| {
                let (name, _) = COLUMNS[column];
                at(line, format!("{name} is {}, not a number", quoted(field(column))))
            })?;
        }
        let [tx, ty, tz, qx, qy, qz, qw] = numbers;
        let pose = Pose::from_quaternion([tx, ty, tz], [qx, qy, qz, qw]);
        let group = text(9)?;
        Ok(Row {
            name: needed(0)?.to_owned(),
            file: folder.join(needed(1)?),
            pose: pose.map_err(|error| at(line, why(&error)))?,
            group: (!group.is_empty()).then(|| group.to_owned()),
            line,
        })
    }
}

/// Refuses a name that stands twice, and names the first row that repeats one.
fn check_names(rows: &[Row]) -> Result<(), Fault> {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let key = |&row: &u32| (&*rows[row as usize].name, row);
    order.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    let twice = order.windows(2).filter(|two| key(&two[0]).0 == key(&two[1]).0);
    let Some(two) = twice.min_by_key(|two| two[1]) else { return Ok(()) };
    let [first, again] = [two[0], two[1]].map(|row| &rows[row as usize]);
    let name = quoted(again.name.as_bytes());
    Err(at(again.line, format!("the name {name} stands in line {} already", first.line)))
}

/// The line of a record, from 1. The parser's position is before any empty lines.
fn line_of(position: Option<&csv::Position>, bytes: &[u8]) -> u64 {
    let Some(position) = position else { return 1 };
    let rest = bytes.get(position.byte() as usize..).unwrap_or_default();
    let empty = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    position.line() + empty.filter(|&&byte| byte == b'\n').count() as u64
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
fn fault(error: &csv::Error, bytes: &[u8]) -> Fault {
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} values, the header names {expected_len} columns")
        }
        _ => error.to_string(),
    };
    at(line_of(error.position(), bytes), message)
}
