//! How far a run is. Records go elsewhere, so progress can be thrown away.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One line of progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "progress", rename_all = "kebab-case")]
pub enum Progress<'t> {
    /// A scene or a claim begins.
    Scene {
        /// Its name.
        scene: Cow<'t, str>,
        /// Number, from 0.
        index: usize,
        /// How many there are.
        of: usize,
    },
    /// A part of the scene's work.
    Stage {
        /// `"meshes"`, `"placing"`, `"judging"`, `"picture"`, `"preparing"`, `"measuring"`.
        stage: Cow<'t, str>,
        /// Units done.
        done: usize,
        /// Units in all.
        of: usize,
    },
    /// Something a reader should know.
    Note {
        /// One sentence.
        text: Cow<'t, str>,
    },
}
