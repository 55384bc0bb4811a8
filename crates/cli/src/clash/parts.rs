//! What a scene consists of: parts by name, the mesh of each, and where it is.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use impinge::models::files::{self, MAX_FILE_BYTES, ReadOptions, RegularFile};
pub(super) use impinge::models::files::{Listed as Part, Source};

use crate::failure::Failure;
use crate::input::tell;
use crate::interrupt::waiting;

/// The parts of all paths, in order.
pub(super) fn list(paths: &[PathBuf], max_triangles: u64) -> Result<Vec<Part>, Failure> {
    let options = ReadOptions { max_triangles, ..ReadOptions::default() };
    let listed = waiting(|| files::list_parts(paths, &options, &mut |path, note| tell(path, note)));
    listed.map_err(Failure::reading)
}

/// The pairs of parts that may clash.
#[derive(Default)]
pub(super) struct Exceptions {
    /// For the number of a part, the numbers of parts before it.
    before: HashMap<usize, Vec<usize>>,
}

impl Exceptions {
    /// Reads the pairs of a file. All parts may be named, and those that are not asked about are dropped;
    /// numbers are those of the parts that are left.
    pub(super) fn read(
        path: &Path,
        parts: &[Part],
        is_asked: impl Fn(&Part) -> bool,
    ) -> Result<Self, Failure> {
        let (mut numbers, mut asked) = (HashMap::new(), 0..);
        for part in parts {
            let number = if is_asked(part) { asked.next() } else { None };
            numbers.insert(part.name.as_str(), number);
        }
        let mut before: HashMap<usize, Vec<usize>> = HashMap::new();
        for ([a, b], line) in pairs(path)? {
            let find = |name: &str| {
                let place = || format!("{}: line {line}", path.display());
                let unknown = || Failure::file(place(), format!("no part is called \"{name}\""));
                numbers.get(name).copied().ok_or_else(unknown)
            };
            if let (Some(a), Some(b)) = (find(&a)?, find(&b)?)
                && a != b
            {
                before.entry(a.max(b)).or_default().push(a.min(b));
            }
        }
        Ok(Self { before })
    }

    /// The numbers of the parts before this one that may clash with it.
    pub(super) fn before(&self, number: usize) -> &[usize] {
        self.before.get(&number).map_or(&[], Vec::as_slice)
    }
}

/// The line of a record, which begins behind empty lines and comments.
fn line_of(position: &csv::Position, bytes: &[u8]) -> u64 {
    let rest = bytes.get(position.byte() as usize..).unwrap_or_default();
    let lines = rest.split(|&byte| byte == b'\n');
    let skipped = |line: &&[u8]| line.first() == Some(&b'#') || line.iter().all(|&b| b == b'\r');
    position.line() + lines.take_while(skipped).count() as u64
}

/// The pairs of names in a file, and their lines.
fn pairs(path: &Path) -> Result<Vec<([String; 2], u64)>, Failure> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let mut file = RegularFile::open(path, MAX_FILE_BYTES).map_err(Failure::reading)?;
    file.read_to_end(&mut bytes).map_err(|error| Failure::file(&name, error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(&bytes[..]);
    let mut pairs = Vec::new();
    for record in waiting(|| reader.records().collect::<Vec<_>>()) {
        let record = record.map_err(|error| Failure::file(&name, error.to_string()))?;
        let line = record.position().map_or(0, |position| line_of(position, &bytes));
        match record.iter().collect::<Vec<_>>()[..] {
            [a, b] => pairs.push(([a.to_owned(), b.to_owned()], line)),
            ref words => {
                let message =
                    format!("{} names; a pair has two, separated by a comma", words.len());
                return Err(Failure::file(format!("{name}: line {line}"), message));
            }
        }
    }
    Ok(pairs)
}
