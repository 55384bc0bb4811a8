//! Three views of a Rust file with equal line numbers: the text, its code, and its comments.
//! Strings and comments are blank in the code view, so that rules about code ignore text about
//! code.

/// The three views, all with the same number of lines.
#[derive(Debug)]
pub(crate) struct Source {
    /// The unchanged text.
    pub(crate) raw: Vec<String>,
    /// The text with blanks for comments and the contents of literals.
    pub(crate) code: Vec<String>,
    /// The text with blanks for everything but comments.
    pub(crate) comments: Vec<String>,
}

/// The syntactic class of a character.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Literal,
}

impl Source {
    /// Splits a file's text into the views.
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let parts = parts(&chars);
        let keep = |wanted: Part| -> Vec<String> {
            let shown: String = chars
                .iter()
                .zip(&parts)
                .map(|(&c, &part)| if c == '\n' || part == wanted { c } else { ' ' })
                .collect();
            shown.lines().map(str::to_owned).collect()
        };
        let raw = text.lines().map(str::to_owned).collect();
        Self { raw, code: keep(Part::Code), comments: keep(Part::Comment) }
    }
}

/// The class of every character, in one pass.
fn parts(chars: &[char]) -> Vec<Part> {
    let mut parts = vec![Part::Code; chars.len()];
    let mut at = 0;
    while at < chars.len() {
        let (end, part) = piece(chars, at);
        parts[at..end].fill(part);
        at = end;
    }
    parts
}

/// The end and class of the piece that starts at `at`.
fn piece(chars: &[char], at: usize) -> (usize, Part) {
    let next = |k: usize| chars.get(at + k).copied().unwrap_or('\0');
    let before = at.checked_sub(1).map_or(' ', |k| chars[k]);
    match (chars[at], next(1)) {
        ('/', '/') => (line_end(chars, at), Part::Comment),
        ('/', '*') => (block_end(chars, at), Part::Comment),
        ('"', _) => (string_end(chars, at + 1), Part::Literal),
        ('r', '"' | '#') if !is_word(before) || before == 'b' => match raw_end(chars, at + 1) {
            Some(end) => (end, Part::Literal),
            None => (at + 1, Part::Code),
        },
        ('\'', _) => match character_end(chars, at) {
            Some(end) => (end, Part::Literal),
            None => (at + 1, Part::Code),
        },
        _ => (at + 1, Part::Code),
    }
}

fn line_end(chars: &[char], from: usize) -> usize {
    chars[from..].iter().position(|&c| c == '\n').map_or(chars.len(), |k| from + k)
}

/// The end of a block comment; these nest.
fn block_end(chars: &[char], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0_usize);
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], from: usize) -> usize {
    let mut at = from;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The end of a raw string `#*"…"#*`; `None` if it is a raw identifier.
fn raw_end(chars: &[char], from: usize) -> Option<usize> {
    let hashes = chars[from..].iter().take_while(|&&c| c == '#').count();
    if chars.get(from + hashes) != Some(&'"') {
        return None;
    }
    let mut at = from + hashes + 1;
    while at < chars.len() {
        let closes = chars[at] == '"'
            && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
        if closes {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// The end of a character literal; `None` if the quote begins a lifetime.
fn character_end(chars: &[char], at: usize) -> Option<usize> {
    if chars.get(at + 1) == Some(&'\\') {
        let close = chars[at + 3..].iter().position(|&c| c == '\'')?;
        return Some(at + 3 + close + 1);
    }
    (chars.get(at + 2) == Some(&'\'')).then_some(at + 3)
}

/// Whether `c` can be part of an identifier.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The byte offsets at which `word` occurs as a whole word in `line`.
pub(crate) fn whole_words<'l>(line: &'l str, word: &'l str) -> impl Iterator<Item = usize> + 'l {
    line.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        let after = line[at + word.len()..].chars().next().unwrap_or(' ');
        !is_word(before) && !is_word(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_no_code() {
        let text = "let a = \"fn \\\" x {\"; // fn y {\nlet b = r#\"{ \"# ; let c = '{'; /* { /* { */ */ d\n\
                    fn f<'a>(x: &'a str) {} let e = b\"{\"; let n = '\\n'; let q = '\\'';";
        let source = Source::new(text);
        assert_eq!(source.code.len(), 3);
        let code = source.code.join("\n");
        assert_eq!(code.matches('{').count(), 1, "{code}");
        assert!(code.contains("fn f<'a>(x: &'a str) {}"), "{code}");
        assert!(source.comments[0].contains("// fn y {"));
        assert!(source.code[1].trim_end().ends_with('d'));
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(whole_words("fn fnord fn_x fn", "fn").collect::<Vec<_>>(), [0, 14]);
    }
}
