//! Poses from the command line, a file or standard input: one per line, read as they are needed.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use impinge::models::files::RegularFile;
use impinge::{Pose, Vector};

use crate::failure::Failure;
use crate::input;
use crate::interrupt::waiting;

/// The form of a pose in error messages.
const FORM: &str = "tx,ty,tz,qx,qy,qz,qw";

/// Parses seven numbers, separated by commas or blanks.
///
/// # Errors
/// A message: which word is not a number, how many numbers there are, or why they form no rigid
/// motion.
pub(crate) fn parse_pose(text: &str) -> Result<Pose, String> {
    let [tx, ty, tz, qx, qy, qz, qw] = numbers(text, "a pose", FORM)?;
    Pose::from_quaternion([tx, ty, tz], [qx, qy, qz, qw]).map_err(|error| error.to_string())
}

/// Parses three numbers, separated by commas or blanks.
///
/// # Errors
/// A message, as of [`parse_pose`].
pub(crate) fn parse_direction(text: &str) -> Result<Vector, String> {
    numbers(text, "a direction", "x,y,z").map(Vector::from)
}

/// Parses as many numbers as `what` has, separated by commas or blanks.
fn numbers<const N: usize>(text: &str, what: &str, form: &str) -> Result<[f64; N], String> {
    let mut numbers = Vec::with_capacity(N);
    let parts: Vec<&str> = text.split(',').collect();
    for (i, part) in parts.iter().enumerate() {
        if part.trim().is_empty() && parts.len() > 1 {
            return Err(format!(
                "the number before comma {} or at the end is missing; {what} is {form}",
                i + 1
            ));
        }
        for word in part.split_whitespace() {
            let number: f64 = word.parse().map_err(|_| format!("\"{word}\" is not a number"))?;
            numbers.push(number);
        }
    }
    let found = numbers.len();
    let wrong = |_| format!("{what} has {N} numbers, {form}; this one has {found}");
    numbers.try_into().map_err(wrong)
}

/// A pose and its line in the file.
pub(crate) struct Posed {
    pub(crate) pose: Pose,
    /// From 1; `None` if the pose is not from a file.
    pub(crate) line: Option<u64>,
}

/// The poses to answer, in order.
pub(crate) enum Poses {
    /// One pose from the command line.
    Single(Option<Pose>),
    /// The lines of a file or of standard input.
    Lines(Lines),
}

impl Poses {
    /// Opens `file`; `-` is standard input.
    pub(crate) fn open(file: &Path) -> Result<Self, Failure> {
        let name = input::name(file);
        let (bytes, input): (_, Box<dyn Read>) = if input::is_standard(file) {
            (None, Box::new(io::stdin()))
        } else {
            // Read as it is answered, so no limit of size is needed.
            let input = RegularFile::open(file, u64::MAX)?;
            (Some(input.size()), Box::new(input))
        };
        let input = BufReader::with_capacity(1 << 16, input);
        Ok(Self::Lines(Lines {
            name,
            bytes,
            read: 0,
            line: 0,
            found: false,
            halfway: false,
            input,
        }))
    }

    /// The next pose, or `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Posed>, Failure> {
        match self {
            Self::Single(pose) => Ok(pose.take().map(|pose| Posed { pose, line: None })),
            Self::Lines(lines) => lines.next(),
        }
    }

    /// The place of the last pose, for error messages.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Single(_) => None,
            Self::Lines(lines) => Some(lines.place()),
        }
    }

    /// Bytes read and total bytes, if the poses come from a file.
    pub(crate) fn progress(&self) -> Option<(u64, u64)> {
        match self {
            Self::Single(_) => None,
            Self::Lines(lines) => lines.bytes.map(|bytes| (lines.read, bytes)),
        }
    }
}

/// The poses of a file, line by line.
pub(crate) struct Lines {
    name: String,
    bytes: Option<u64>,
    read: u64,
    line: u64,
    found: bool,
    /// Whether the last line ended with CR, so that LF belongs to it.
    halfway: bool,
    input: BufReader<Box<dyn Read>>,
}

/// Longest accepted line, in bytes; keeps a wrong file from filling memory.
const LONGEST_LINE: usize = 1 << 16;

impl Lines {
    fn place(&self) -> String {
        format!("{}:{}", self.name, self.line)
    }

    fn next(&mut self) -> Result<Option<Posed>, Failure> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = waiting(|| self.read_line(&mut bytes));
            if !read.map_err(|error| Failure::file(&self.name, error.to_string()))? {
                return self.end();
            }
            self.line += 1;
            if bytes.len() > LONGEST_LINE {
                return Err(Failure::file(self.place(), "the line is too long to be a pose"));
            }
            // A comment may be of any encoding.
            let pose = bytes.split(|&byte| byte == b'#').next().unwrap_or_default();
            let text = std::str::from_utf8(pose).map_err(|error| {
                let byte = error.valid_up_to() + 1;
                Failure::file(self.place(), format!("byte {byte} of the line is not UTF-8 text"))
            })?;
            let text = text.trim().trim_start_matches('\u{feff}');
            if !text.is_empty() {
                self.found = true;
                let pose = parse_pose(text).map_err(|error| Failure::file(self.place(), error))?;
                return Ok(Some(Posed { pose, line: Some(self.line) }));
            }
        }
    }

    /// Reads a line, which ends with LF, CR LF or CR, without its end; somewhat more than the longest line
    /// at most. Returns whether there is one. Nothing is waited for beyond its end.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut any = false;
        while line.len() <= LONGEST_LINE {
            let ready = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                ready => ready?,
            };
            let skipped = usize::from(self.halfway && ready.first() == Some(&b'\n'));
            let rest = &ready[skipped..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            any |= !rest.is_empty();
            let used = end.map_or(ready.len(), |end| skipped + end + 1);
            self.halfway = end.is_some_and(|end| rest[end] == b'\r');
            let is_over = end.is_some() || ready.is_empty();
            self.input.consume(used);
            self.read += used as u64;
            if is_over {
                break;
            }
        }
        Ok(any)
    }

    /// The end of the file. A file without a pose is an error: no output and status 0 would
    /// mislead.
    fn end(&self) -> Result<Option<Posed>, Failure> {
        if self.found {
            Ok(None)
        } else {
            Err(Failure::file(&self.name, "the file contains no pose"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_blanks_separate() {
        let pose = parse_pose("1,2,3,0,0,0,1").expect("a pose");
        for text in ["1 2 3 0 0 0 1", "1, 2, 3,  0 0\t0, 1", " 1,2,3,0,0,0,1.0e0 "] {
            assert_eq!(parse_pose(text).as_ref(), Ok(&pose), "{text}");
        }
    }

    #[test]
    fn a_direction_has_three_numbers() {
        assert_eq!(parse_direction("0 0,-1.5"), Ok(Vector::new(0.0, 0.0, -1.5)));
        assert!(parse_direction("1,2").unwrap_err().contains("a direction has 3 numbers, x,y,z"));
    }

    #[test]
    fn what_is_no_pose_says_why() {
        for (text, why) in [
            ("", "7 numbers"),
            ("1,2,3", "has 3"),
            ("1,2,3,0,0,0,1,0", "has 8"),
            ("1,,2,3,0,0,0,1", "comma 2"),
            ("1,2,3,0,0,0,1,", "comma 8"),
            ("1,2,x,0,0,0,1", "\"x\""),
            ("nan,0,0,0,0,0,1", "finite"),
            ("0,0,0,0,0,0,2", "rigid"),
            ("0,0,0,0,0,0,0", "rigid"),
        ] {
            let error = parse_pose(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
