//! How far the run is: one JSON object a line on stderr, for a program that draws bars. Records
//! go elsewhere, so progress can be thrown away.

use serde::Serialize;

/// One line of progress.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "progress", rename_all = "kebab-case")]
pub enum Progress<'t> {
    /// A scene begins.
    Scene {
        /// Its word.
        scene: &'t str,
        /// Number, from 0.
        index: usize,
        /// How many there are.
        of: usize,
    },
    /// A part of the scene's work.
    Stage {
        /// `"meshes"`, `"placing"`, `"judging"`, `"picture"`, `"preparing"`, `"measuring"`.
        stage: &'t str,
        /// Units done.
        done: usize,
        /// Units in all.
        of: usize,
    },
    /// Something a reader should know.
    Note {
        /// One sentence.
        text: &'t str,
    },
}

/// Where progress goes. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Listener<'l>(&'l (dyn Fn(Progress<'_>) + Sync));

impl std::fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl<'l> Listener<'l> {
    /// Nobody listens.
    pub const NONE: Listener<'static> = Listener(&|_| ());

    /// `hear` is called for every line.
    pub fn new(hear: &'l (dyn Fn(Progress<'_>) + Sync)) -> Self {
        Self(hear)
    }

    /// A part of the work.
    pub fn stage(&self, stage: &str, done: usize, of: usize) {
        (self.0)(Progress::Stage { stage, done, of });
    }

    /// A scene begins.
    pub fn scene(&self, scene: &str, index: usize, of: usize) {
        (self.0)(Progress::Scene { scene, index, of });
    }

    /// Something a reader should know.
    pub fn note(&self, text: &str) {
        (self.0)(Progress::Note { text });
    }
}

/// Writes a line of progress to stderr; a closed stderr is no reason to stop measuring.
pub fn to_stderr(progress: Progress<'_>) {
    use std::io::Write;
    if let Ok(line) = serde_json::to_string(&progress) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}
