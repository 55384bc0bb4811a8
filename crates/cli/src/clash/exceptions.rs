//! `--ignore`: the pairs of parts that may clash.
//!
//! A line is a pair of names, separated by a comma. A name is as CSV has it: blanks around it do not count, and
//! one in double quotes may hold anything, quotes doubled.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use impinge::models::files::{MAX_FILE_BYTES, RegularFile};

use crate::failure::Failure;
use crate::interrupt::waiting;

use super::parts::Part;

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
        let bytes = waiting(|| bytes(path))?;
        for pair in Pairs::new(&bytes) {
            let ([a, b], line) = pair.map_err(|(line, message)| at(path, line, message))?;
            let find = |name: &str| {
                let unknown = || at(path, line, format!("no part is called \"{name}\""));
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

fn at(path: &Path, line: u64, message: impl Into<String>) -> Failure {
    Failure::file(format!("{}: line {line}", path.display()), message)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut file = RegularFile::open(path, MAX_FILE_BYTES).map_err(Failure::reading)?;
    let read = file.read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(path.display().to_string(), error.to_string()))?;
    Ok(bytes)
}

/// The pairs of names in a file, each with the line in which it begins, from 1; or that line, and what is wrong
/// in it.
struct Pairs<'b> {
    rest: &'b [u8],
    /// The line in which the rest begins.
    line: u64,
}

impl<'b> Pairs<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }

    /// Takes as many bytes off the rest, and counts the lines that end in them.
    fn take(&mut self, bytes: usize) -> &'b [u8] {
        let (taken, rest) = self.rest.split_at(bytes);
        let ends = |at: &usize| match self.rest[*at] {
            b'\n' => true,
            b'\r' => self.rest.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        self.line += (0..bytes).filter(ends).count() as u64;
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is: impl Fn(u8) -> bool) -> &'b [u8] {
        self.take(self.rest.iter().take_while(|byte| is(**byte)).count())
    }

    /// Whether this byte is next. It is taken then.
    fn take_if(&mut self, byte: u8) -> bool {
        let is_next = self.rest.first() == Some(&byte);
        self.take(usize::from(is_next));
        is_next
    }

    /// Takes blanks, empty lines and comments, which may be of any encoding.
    fn take_empty(&mut self) {
        while self.rest.first().is_some_and(|byte| *byte == b'#' || byte.is_ascii_whitespace()) {
            if self.rest[0] == b'#' {
                self.take_while(is_in_line);
            } else {
                self.take(1);
            }
        }
    }

    fn name(&mut self) -> Result<String, String> {
        self.take_while(is_blank);
        let mut name = Vec::new();
        let is_quoted = self.take_if(b'"');
        if is_quoted {
            loop {
                name.extend(self.take_while(|byte| byte != b'"'));
                if !self.take_if(b'"') {
                    return Err("a name has no closing quote".to_owned());
                }
                if !self.take_if(b'"') {
                    break;
                }
                name.push(b'"');
            }
            self.take_while(is_blank);
            if self.rest.first().is_some_and(|byte| *byte != b',' && is_in_line(*byte)) {
                return Err("there is text behind a closing quote".to_owned());
            }
        } else {
            name.extend(self.take_while(|byte| byte != b',' && is_in_line(byte)).trim_ascii_end());
        }
        String::from_utf8(name).map_err(|_| "a name is not UTF-8 text".to_owned())
    }

    fn pair(&mut self) -> Result<[String; 2], String> {
        let mut names = vec![self.name()?];
        while self.take_if(b',') {
            names.push(self.name()?);
        }
        names.try_into().map_err(|names: Vec<String>| {
            format!("{} names; a pair has two, separated by a comma", names.len())
        })
    }
}

impl Iterator for Pairs<'_> {
    type Item = Result<([String; 2], u64), (u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.take_empty();
        let line = self.line;
        let pair = (!self.rest.is_empty()).then(|| self.pair())?;
        Some(pair.map(|names| (names, line)).map_err(|message| (line, message)))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_in_line(byte: u8) -> bool {
    !matches!(byte, b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two names and their line.
    type Named = (String, String, u64);

    /// The pairs up to an error, and the error.
    fn read(text: impl AsRef<[u8]>) -> (Vec<Named>, Option<(u64, String)>) {
        let mut found = Vec::new();
        for pair in Pairs::new(text.as_ref()) {
            match pair {
                Ok(([a, b], line)) => found.push((a, b, line)),
                Err(error) => return (found, Some(error)),
            }
        }
        (found, None)
    }

    #[test]
    fn quotes_hold_any_name() {
        let long = "é".repeat(10_000);
        for name in [" a ", "#1", "a,b", "say \"x\"", "\"", "two\nlines", "\r\n", "", &long] {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            let (found, error) = read(format!("{quoted}, b \n\tb ,\t{quoted} \n"));
            assert_eq!(error, None, "{name:?}");
            let [first, second] = &found[..] else { panic!("{found:?}") };
            assert_eq!((&*first.0, &*first.1), (name, "b"));
            assert_eq!((&*second.0, &*second.1), ("b", name));
        }
        // Quotes within a name are part of it, and so is # behind its beginning.
        let (found, _) = read("5\" pipe #2,b");
        assert_eq!(found, [("5\" pipe #2".to_owned(), "b".to_owned(), 1)]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let text = "\u{feff}# known\n\n\"a\n\",b\n \t\n#x,y\nc,d\n\ne,\"f";
        for end in ["\n", "\r\n", "\r"] {
            let (found, error) = read(text.replace('\n', end));
            let lines: Vec<u64> = found.iter().map(|pair| pair.2).collect();
            assert_eq!(lines, [3, 7], "{end:?}");
            assert_eq!(error, Some((9, "a name has no closing quote".to_owned())), "{end:?}");
        }
        assert_eq!(read(b"# caf\xe9\na,b").0.len(), 1);
        for (text, why) in [
            (&b"a,caf\xe9\n"[..], "a name is not UTF-8 text"),
            (b"a,b,c", "3 names"),
            (b"a", "1 names"),
            (b"a\nb", "1 names"),
            (b"\"a\" b,c", "there is text behind a closing quote"),
        ] {
            let (line, message) = read(text).1.expect("an error");
            assert!(line == 1 && message.starts_with(why), "{message}");
        }
    }
}
