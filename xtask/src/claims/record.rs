//! A file of [`impinge_records::claims`] and accessors.

pub(crate) use impinge_records::claims::{
    Claim, Curve, End, Figure, Layout, Plot, Record, Run, SCHEMA, Statement, Verdict,
};

use crate::results;

/// A complete file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(crate) run: Run,
    pub(crate) claims: Vec<Claim>,
    /// The unparsed lines of the claims.
    pub(crate) lines: Vec<String>,
    pub(crate) end: End,
}

impl Results {
    /// Parses a file.
    ///
    /// # Errors
    /// Names the first invalid line; also if the file was cut off or has another schema version.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut claims, mut lines) = (Vec::new(), Vec::new());
        for (record, line) in results::records(text)?.into_iter().zip(text.lines()) {
            match record {
                Record::Run(found) => run = Some(found),
                Record::Claim(claim) => {
                    claims.push(*claim);
                    lines.push(line.to_owned());
                }
                Record::End(found) => end = Some(found),
            }
        }
        let (run, end): (Run, End) = results::whole(run, end)?;
        results::same_version(run.schema, SCHEMA)?;
        if end.claims != claims.len() {
            return Err(format!("{} claims of {}: the file was cut off", claims.len(), end.claims));
        }
        Ok(Self { run, claims, lines, end })
    }

    /// All statements with their claims, in the order of [`Verdict::ALL`].
    pub(crate) fn by_verdict(&self) -> Vec<(&Claim, &Statement)> {
        let of = |verdict| self.statements().filter(move |(_, it)| it.verdict == verdict);
        Verdict::ALL.into_iter().flat_map(of).collect()
    }

    /// All statements with their claims, claim by claim.
    pub(crate) fn statements(&self) -> impl Iterator<Item = (&Claim, &Statement)> {
        self.claims.iter().flat_map(|claim| claim.statements.iter().map(move |it| (claim, it)))
    }

    /// The number of statements with this verdict.
    pub(crate) fn with(&self, verdict: Verdict) -> usize {
        self.statements().filter(|(_, it)| it.verdict == verdict).count()
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
        let newer = sample.replace("\"schema\":5", "\"schema\":6");
        assert!(Results::parse(&newer).expect_err("newer").contains("version 6"));
        let surplus = sample.replace("\"cpu\"", "\"years\":1,\"cpu\"");
        assert!(Results::parse(&surplus).expect_err("surplus").contains("unknown field"));
        let vague = sample.replace("\"does not hold\"", "\"perhaps\"");
        assert!(Results::parse(&vague).expect_err("no verdict").contains("perhaps"));
    }

    #[test]
    fn verdicts_are_counted() {
        let results = Results::parse(super::super::report::SAMPLE).expect("a whole file");
        assert_eq!(Verdict::ALL.map(|verdict| results.with(verdict)), [1, 1, 1, 1]);
        assert_eq!(results.lines.len(), 3);
        let order: Vec<&str> = results.by_verdict().iter().map(|(claim, _)| &*claim.id).collect();
        assert_eq!(order, ["L2", "A4", "A4", "O1"]);
    }
}
