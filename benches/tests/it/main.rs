//! The tests of `impinge-benches` from the outside, in one program.

mod claims;
mod follow;
mod measure;
mod placement;

/// The output of a program, one JSON value per line.
fn lines(output: &std::process::Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}
