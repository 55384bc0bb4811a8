//! What `claims` writes, as this side reads it: one JSON object a line. Meanings are in
//! `benches/src/claims/record.rs`; an unknown or missing field is an error, and so is another
//! version, so the two cannot drift apart unnoticed.

use serde::Deserialize;

/// The version that is understood.
const SCHEMA: u32 = 2;

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
enum Record {
    Run(Run),
    Claim(Box<Claim>),
    End(End),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) schema: u32,
    pub(crate) started_unix_s: u64,
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) system: String,
    pub(crate) rustc: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) profile: String,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the field is the sentence of the claim")]
pub(crate) struct Claim {
    pub(crate) id: String,
    pub(crate) claim: String,
    pub(crate) source: String,
    pub(crate) paper: String,
    pub(crate) paper_figures: String,
    pub(crate) ours: Vec<Figure>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) scene: Scene,
    pub(crate) plots: Vec<Plot>,
    pub(crate) seed: u64,
    pub(crate) seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Verdict {
    #[serde(rename = "holds")]
    Holds,
    #[serde(rename = "does not hold")]
    Fails,
    #[serde(rename = "cannot be run here")]
    Unrunnable,
}

impl Verdict {
    /// In words.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Unrunnable => "cannot be run here",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: Option<f64>,
    pub(crate) unit: String,
    pub(crate) paper: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layout {
    Lines,
    Panels,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) layout: Layout,
    pub(crate) across: Vec<f64>,
    pub(crate) curves: Vec<Curve>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) note: String,
    pub(crate) values: Vec<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scene {
    pub(crate) about: String,
    pub(crate) counts: Vec<Count>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Count {
    pub(crate) name: String,
    pub(crate) value: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    pub(crate) seconds: f64,
    pub(crate) claims: usize,
}

/// A whole file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(crate) run: Run,
    pub(crate) claims: Vec<Claim>,
    /// The lines of the claims as they were written.
    pub(crate) lines: Vec<String>,
    pub(crate) end: End,
}

impl Results {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Names the first line that is not understood; says so if the file was cut off or is of
    /// another version.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut claims, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            let at = |error: serde_json::Error| format!("line {}: {error}", number + 1);
            match serde_json::from_str(line).map_err(at)? {
                Record::Run(found) => run = Some(found),
                Record::Claim(claim) => {
                    claims.push(*claim);
                    lines.push(line.to_owned());
                }
                Record::End(found) => end = Some(found),
            }
        }
        let run: Run = run.ok_or("there is no line that tells about the run")?;
        if run.schema != SCHEMA {
            return Err(format!("version {}, but {SCHEMA} is understood", run.schema));
        }
        let end: End = end.ok_or("the file was cut off: its last line is missing")?;
        if end.claims != claims.len() {
            return Err(format!("{} claims of {}: the file was cut off", claims.len(), end.claims));
        }
        Ok(Self { run, claims, lines, end })
    }

    /// How many claims have this verdict.
    pub(crate) fn with(&self, verdict: Verdict) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_off_or_foreign_is_refused() {
        let sample = super::super::report::SAMPLE;
        let lines: Vec<&str> = sample.lines().collect();
        assert!(Results::parse("").expect_err("empty").contains("no line"));
        assert!(Results::parse("{}").expect_err("no record").starts_with("line 1"));
        let cut = lines[..lines.len() - 1].join("\n");
        assert!(Results::parse(&cut).expect_err("cut off").contains("cut off"));
        let fewer = [lines[0], lines[lines.len() - 1]].join("\n");
        assert!(Results::parse(&fewer).expect_err("fewer").contains("cut off"));
        let newer = sample.replace("\"schema\":2", "\"schema\":3");
        assert!(Results::parse(&newer).expect_err("newer").contains("version 3"));
        let surplus = sample.replace("\"cpu\"", "\"years\":1,\"cpu\"");
        assert!(Results::parse(&surplus).expect_err("surplus").contains("unknown field"));
        let vague = sample.replace("\"does not hold\"", "\"perhaps\"");
        assert!(Results::parse(&vague).expect_err("no verdict").contains("perhaps"));
    }

    #[test]
    fn verdicts_are_counted() {
        let results = Results::parse(super::super::report::SAMPLE).expect("a whole file");
        let counts = [Verdict::Holds, Verdict::Fails, Verdict::Unrunnable].map(|v| results.with(v));
        assert_eq!(counts, [1, 1, 1]);
        assert_eq!(results.lines.len(), 3);
    }
}
