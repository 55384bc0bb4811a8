//! Progress lines of a run. They are separate from its records and may be discarded.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One line of progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "progress", rename_all = "kebab-case")]
pub enum Progress<'t> {
    /// A scene or a claim begins.
    Scene {
        /// Name of the scene or id of the claim.
        scene: Cow<'t, str>,
        /// Its index in the run, from 0.
        index: usize,
        /// Scenes or claims in the run.
        of: usize,
    },
    /// A part of the scene's work.
    Stage {
        /// `"meshes"`, `"placing"`, `"judging"`, `"picture"`, `"preparing"`, `"measuring"`.
        stage: Cow<'t, str>,
        /// Units of the stage done so far.
        done: usize,
        /// Units of the stage in all.
        of: usize,
    },
    /// A remark for the reader.
    Note {
        /// One sentence.
        text: Cow<'t, str>,
    },
}
