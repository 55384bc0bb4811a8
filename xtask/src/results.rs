//! Reads files of records: one JSON object per line.

use serde::de::DeserializeOwned;

/// Parses every line as a record.
///
/// # Errors
/// Names the first line that is not a record.
pub(crate) fn records<R: DeserializeOwned>(text: &str) -> Result<Vec<R>, String> {
    let read =
        |(n, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", n + 1));
    text.lines().enumerate().map(read).collect()
}

/// Unwraps the first and the last record of a run.
///
/// # Errors
/// If one of them is missing.
pub(crate) fn whole<R, E>(run: Option<R>, end: Option<E>) -> Result<(R, E), String> {
    let run = run.ok_or("there is no line that tells about the run")?;
    Ok((run, end.ok_or("the file was cut off: its last line is missing")?))
}

/// Checks that the records have the schema version of this program.
///
/// # Errors
/// If the versions differ.
pub(crate) fn same_version(found: u32, known: u32) -> Result<(), String> {
    if found == known {
        return Ok(());
    }
    Err(format!("records of version {found}, but {known} is understood"))
}
