//! Progress of a run: one JSON object a line on stderr, for a program that draws progress bars.
//! Records go to another stream, so progress can be discarded.

pub use impinge_records::progress::Progress;

/// Receiver of progress. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Listener<'l>(&'l (dyn Fn(&Progress<'_>) + Sync));

impl std::fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl<'l> Listener<'l> {
    /// Discards progress.
    pub const NONE: Listener<'static> = Listener(&|_| ());

    /// Calls `hear` for every line.
    pub fn new(hear: &'l (dyn Fn(&Progress<'_>) + Sync)) -> Self {
        Self(hear)
    }

    /// Reports that `done` of `of` parts of a stage are done.
    pub fn stage(&self, stage: &str, done: usize, of: usize) {
        (self.0)(&Progress::Stage { stage: stage.into(), done, of });
    }

    /// Reports the start of scene `index` of `of`.
    pub fn scene(&self, scene: &str, index: usize, of: usize) {
        (self.0)(&Progress::Scene { scene: scene.into(), index, of });
    }

    /// Reports a note for the reader.
    pub fn note(&self, text: &str) {
        (self.0)(&Progress::Note { text: text.into() });
    }
}

/// Writes a line of progress to stderr. Errors are ignored: a closed stderr must not stop a
/// measurement.
pub fn to_stderr(progress: &Progress<'_>) {
    use std::io::Write;
    if let Ok(line) = serde_json::to_string(progress) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}
