//! Queries of files: eight rows a query, four places at the start and four at the end, each coordinate a
//! numerator and a denominator, and at the end of each row whether there is a contact.

use std::error::Error;
use std::path::{Path, PathBuf};

use impinge_continuous::Question;
use impinge_continuous::geometry::Point;

use crate::times::{self, Asked};

/// Folders of the two questions.
const QUESTIONS: [(&str, Question); 2] =
    [("vertex-face", Question::VertexFace), ("edge-edge", Question::EdgeEdge)];

/// A query, and whether there is a contact.
type Known = (Asked, bool);

/// Answers all queries below a folder, by both means.
///
/// # Errors
/// If a file cannot be read, there is none, or an answer is wrong.
pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    times::print_head();
    let mut total = Vec::new();
    for (name, question) in QUESTIONS {
        let mut known = Vec::new();
        for path in files(folder, name)? {
            let text = std::fs::read_to_string(&path)?;
            let read = queries(&text, question);
            known.extend(read.map_err(|why| format!("{}: {why}", path.display()))?);
        }
        print(name, &known);
        total.extend(known);
    }
    let wrong = print("all", &total);
    match (total.len(), wrong) {
        (0, _) => Err(format!("no queries below {}", folder.display()).into()),
        (_, 0) => Ok(()),
        _ => Err("answers are wrong".into()),
    }
}

/// The files of one question, in order.
fn files(folder: &Path, name: &str) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let asked = folder.file_name().is_some_and(|own| own == name);
            if path.is_dir() {
                folders.push(path);
            } else if asked && path.extension().is_some_and(|word| word == "csv") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The queries of a file.
fn queries(text: &str, question: Question) -> Result<Vec<Known>, String> {
    let rows = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let rows = rows.map(|(line, number)| row(line).map_err(|why| format!("line {number}: {why}")));
    let rows = rows.collect::<Result<Vec<_>, String>>()?;
    let queries = rows.chunks(8).map(|query| {
        let places = |from: usize| -> [Point; 4] { std::array::from_fn(|k| query[from + k].0) };
        let truth = query[0].1;
        if query.len() < 8 || query.iter().any(|row| row.1 != truth) {
            return Err("a query has eight rows, with one truth".to_owned());
        }
        Ok((Asked { question, start: places(0), end: places(4) }, truth))
    });
    queries.collect()
}

fn row(line: &str) -> Result<(Point, bool), String> {
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    let [x, p, y, q, z, r, truth] = words[..] else {
        return Err(format!("{} numbers, not 7", words.len()));
    };
    let met = match truth {
        "0" => false,
        "1" => true,
        _ => return Err(format!("\"{truth}\" is neither 0 nor 1")),
    };
    Ok((Point::new(quotient(x, p)?, quotient(y, q)?, quotient(z, r)?), met))
}

/// A quotient of two integers that is a 64-bit number. Both integers are one too, and the divisor is a power
/// of two, or it is an error.
fn quotient(numerator: &str, denominator: &str) -> Result<f64, String> {
    let exact = |word: &str| {
        let value: f64 = word.parse().map_err(|_| format!("\"{word}\" is no integer"))?;
        let same = value.is_finite() && format!("{value:.0}") == word;
        if same { Ok(value) } else { Err(format!("{word} is no 64-bit number")) }
    };
    let (n, d) = (exact(numerator)?, exact(denominator)?);
    let is_power = d > 0.0 && d.to_bits() & ((1 << 52) - 1) == 0;
    if is_power { Ok(n / d) } else { Err(format!("{denominator} is no power of two")) }
}

/// Prints a row of the table. Returns the number of wrong answers.
fn print(name: &str, known: &[Known]) -> u64 {
    let [mut missed, mut invented] = [0; 2];
    for (asked, truth) in known {
        let both = [
            asked.decide().map(|decision| decision.first),
            asked.question.by_integers(&asked.start, &asked.end),
        ];
        for found in both {
            let met = found.is_ok_and(|first| first.is_some());
            missed += u64::from(*truth && !met);
            invented += u64::from(!*truth && met);
        }
    }
    let all: Vec<Asked> = known.iter().map(|(asked, _)| *asked).collect();
    times::print(name, known.len() as u64, [missed, invented, 0], &all);
    missed + invented
}
