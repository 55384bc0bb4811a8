//! How far the run is: one JSON object a line on stderr, for a program that draws bars. Records
//! go elsewhere, so progress can be thrown away.

pub use impinge_records::progress::Progress;

/// Where progress goes. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Listener<'l>(&'l (dyn Fn(&Progress<'_>) + Sync));

impl std::fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl<'l> Listener<'l> {
    /// Nobody listens.
    pub const NONE: Listener<'static> = Listener(&|_| ());

    /// `hear` is called for every line.
    pub fn new(hear: &'l (dyn Fn(&Progress<'_>) + Sync)) -> Self {
        Self(hear)
    }

    /// A part of the work.
    pub fn stage(&self, stage: &str, done: usize, of: usize) {
        (self.0)(&Progress::Stage { stage: stage.into(), done, of });
    }

    /// A scene begins.
    pub fn scene(&self, scene: &str, index: usize, of: usize) {
        (self.0)(&Progress::Scene { scene: scene.into(), index, of });
    }

    /// Something a reader should know.
    pub fn note(&self, text: &str) {
        (self.0)(&Progress::Note { text: text.into() });
    }
}

/// Writes a line of progress to stderr; a closed stderr is no reason to stop measuring.
pub fn to_stderr(progress: &Progress<'_>) {
    use std::io::Write;
    if let Ok(line) = serde_json::to_string(progress) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}
