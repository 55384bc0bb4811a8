//! The WGSL texts: files, entry points and includes. A line `//!include image/pair.wgsl` is
//! replaced by that file, once. [`Assembled::origin`] maps errors of a shader compiler back to file
//! and line.

/// The stage of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A vertex shader.
    Vertex,
    /// A fragment shader.
    Fragment,
    /// A compute shader.
    Compute {
        /// Invocations per workgroup along x, y, z.
        group: [u32; 3],
    },
}

/// An entry point of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of its function.
    pub name: &'static str,
    /// The stage it runs in.
    pub stage: Stage,
}

/// A shader file with entry points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shader {
    /// The path of the file in `wgsl/`, without extension.
    pub name: &'static str,
    /// The entry points that can be run.
    pub entries: &'static [Entry],
}

/// The error of an include whose file does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: there is no shader file `{missing}`")]
pub struct MissingFile {
    /// The path that was included.
    pub missing: String,
    /// The file with the include.
    pub file: String,
    /// The line of the include, from 1.
    pub line: usize,
}

/// A text with its includes resolved, and the origins of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    text: String,
    origins: Vec<(&'static str, usize)>,
    files: Vec<&'static str>,
}

impl Assembled {
    /// The WGSL text to compile.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// File and line (from 1) of line `line` (from 1) of the text.
    pub fn origin(&self, line: usize) -> Option<(&'static str, usize)> {
        self.origins.get(line.checked_sub(1)?).copied()
    }

    /// The files it consists of, included ones first.
    pub fn files(&self) -> &[&'static str] {
        &self.files
    }

    fn push(&mut self, line: &str, origin: (&'static str, usize)) {
        self.text.push_str(line);
        self.text.push('\n');
        self.origins.push(origin);
    }
}

/// The prefix of an include line.
const INCLUDE: &str = "//!include ";

/// All files of `wgsl/`, by path.
const FILES: &[(&str, &str)] = &[
    ("sentinel.wgsl", include_str!("../wgsl/sentinel.wgsl")),
    ("invocation.wgsl", include_str!("../wgsl/invocation.wgsl")),
    ("counted.wgsl", include_str!("../wgsl/counted.wgsl")),
    ("numbers.wgsl", include_str!("../wgsl/numbers.wgsl")),
    ("peak.wgsl", include_str!("../wgsl/peak.wgsl")),
    ("image/atlas.wgsl", include_str!("../wgsl/image/atlas.wgsl")),
    ("image/pair.wgsl", include_str!("../wgsl/image/pair.wgsl")),
    ("image/hulls.wgsl", include_str!("../wgsl/image/hulls.wgsl")),
    ("image/classify.wgsl", include_str!("../wgsl/image/classify.wgsl")),
    ("image/layers.wgsl", include_str!("../wgsl/image/layers.wgsl")),
    ("stream/records.wgsl", include_str!("../wgsl/stream/records.wgsl")),
    ("stream/triangle.wgsl", include_str!("../wgsl/stream/triangle.wgsl")),
    ("stream/trees/descend.wgsl", include_str!("../wgsl/stream/trees/descend.wgsl")),
    ("stream/trees/meet.wgsl", include_str!("../wgsl/stream/trees/meet.wgsl")),
    ("stream/trees/placed.wgsl", include_str!("../wgsl/stream/trees/placed.wgsl")),
    ("stream/trees/probe.wgsl", include_str!("../wgsl/stream/trees/probe.wgsl")),
    ("stream/trees/triangles.wgsl", include_str!("../wgsl/stream/trees/triangles.wgsl")),
    ("stream/found.wgsl", include_str!("../wgsl/stream/found.wgsl")),
    ("stream/report.wgsl", include_str!("../wgsl/stream/report.wgsl")),
    ("stream/faces.wgsl", include_str!("../wgsl/stream/faces.wgsl")),
    ("stream/pairs.wgsl", include_str!("../wgsl/stream/pairs.wgsl")),
    ("stream/below.wgsl", include_str!("../wgsl/stream/below.wgsl")),
    ("stream/words.wgsl", include_str!("../wgsl/stream/words.wgsl")),
    ("stream/quads.wgsl", include_str!("../wgsl/stream/quads.wgsl")),
    ("stream/box.wgsl", include_str!("../wgsl/stream/box.wgsl")),
    ("stream/shrink.wgsl", include_str!("../wgsl/stream/shrink.wgsl")),
    ("stream/blocks.wgsl", include_str!("../wgsl/stream/blocks.wgsl")),
    ("stream/spread.wgsl", include_str!("../wgsl/stream/spread.wgsl")),
    ("stream/mark.wgsl", include_str!("../wgsl/stream/mark.wgsl")),
    ("stream/children.wgsl", include_str!("../wgsl/stream/children.wgsl")),
    ("stream/tiles.wgsl", include_str!("../wgsl/stream/tiles.wgsl")),
    ("stream/draw.wgsl", include_str!("../wgsl/stream/draw.wgsl")),
    ("stream/draw_boxes.wgsl", include_str!("../wgsl/stream/draw_boxes.wgsl")),
    ("stream/gather.wgsl", include_str!("../wgsl/stream/gather.wgsl")),
    ("stream/gather_below.wgsl", include_str!("../wgsl/stream/gather_below.wgsl")),
    ("stream/gather_marks.wgsl", include_str!("../wgsl/stream/gather_marks.wgsl")),
];

/// All files of `wgsl/` by path, with their texts before includes.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

impl Shader {
    /// The text with all includes resolved.
    ///
    /// # Errors
    /// [`MissingFile`]; a test assembles every shader of this crate.
    pub fn assemble(&self) -> Result<Assembled, MissingFile> {
        let path = format!("{}.wgsl", self.name);
        let mut whole = Assembled::default();
        let mut seen = Vec::new();
        append(FILES, &path, (self.name, 0), &mut seen, &mut whole)?;
        Ok(whole)
    }
}

/// Appends a file, with each include line replaced by the file it names. Each file is appended
/// once, so cyclic includes end.
fn append(
    files: &[(&'static str, &'static str)],
    path: &str,
    from: (&str, usize),
    seen: &mut Vec<&'static str>,
    whole: &mut Assembled,
) -> Result<(), MissingFile> {
    let Some(&(name, text)) = files.iter().find(|(name, _)| *name == path) else {
        let (file, line) = (from.0.to_owned(), from.1);
        return Err(MissingFile { missing: path.to_owned(), file, line });
    };
    if seen.contains(&name) {
        return Ok(());
    }
    seen.push(name);
    for (n, line) in text.lines().enumerate() {
        match line.strip_prefix(INCLUDE) {
            Some(other) => append(files, other.trim(), (name, n + 1), seen, whole)?,
            None => whole.push(line, (name, n + 1)),
        }
    }
    whole.files.push(name);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(files: &[(&'static str, &'static str)]) -> Result<Assembled, MissingFile> {
        let mut whole = Assembled::default();
        append(files, "a", ("top", 0), &mut Vec::new(), &mut whole).map(|()| whole)
    }

    #[test]
    fn an_include_is_put_in_place_once_and_lines_know_where_they_are_from() {
        let files =
            [("a", "one\n//!include b\ntwo\n//!include b\nthree"), ("b", "B\n//!include a")];
        let whole = whole(&files).expect("all there");
        assert_eq!(whole.text(), "one\nB\ntwo\nthree\n");
        assert_eq!(whole.origin(2), Some(("b", 1)));
        assert_eq!(whole.origin(4), Some(("a", 5)));
        assert_eq!((whole.origin(0), whole.origin(5)), (None, None));
        assert_eq!(whole.files(), ["b", "a"]);
    }

    #[test]
    fn a_missing_file_is_named_with_the_place_that_asks_for_it() {
        let error = whole(&[("a", "one\n//!include c")]).expect_err("c is missing");
        assert_eq!(error.to_string(), "a:2: there is no shader file `c`");
    }
}
