//! The report: one self-contained HTML file. Its template is `xtask/templates/claims.html`.

use serde_json::{Value, json};

use super::figures::{number, ours, papers};
use super::plot;
use super::record::{Claim, Results, Statement, Verdict};
use crate::numbers::date;
use crate::page;

/// The page's template.
const TEMPLATE: &str = include_str!("../../templates/claims.html");

/// The report as HTML.
///
/// # Errors
/// If the template is invalid.
pub(super) fn html(results: &Results) -> Result<String, String> {
    let (run, host) = (&results.run, &results.run.host);
    let context = json!({
        "run": {
            "date": date(host.started_unix_s),
            "cpu": host.cpu,
            "cores": host.cores,
            "system": host.system,
            "rustc": host.rustc.as_deref().unwrap_or("unknown compiler"),
            "commit": host.commit.as_deref().unwrap_or("unknown"),
            "debug": host.debug,
            "quick": run.quick,
            "seed": run.seed,
            "adapter": run.adapter,
            "seconds": number(results.end.seconds),
        },
        "sums": {
            "all": results.statements().count(),
            "claims": results.claims.len(),
            "holds": results.with(Verdict::Holds),
            "fails": results.with(Verdict::Fails),
            "untold": results.with(Verdict::Untold),
            "unrunnable": results.with(Verdict::Unrunnable),
        },
        "overview": results.by_verdict().into_iter().map(line).collect::<Vec<_>>(),
        "claims": results.claims.iter().map(claim).collect::<Vec<_>>(),
    });
    page::render(TEMPLATE, context)
}

/// A line of the overview.
fn line((claim, of): (&Claim, &Statement)) -> Value {
    let (id, source) = (&claim.id, &claim.source);
    let text = if of.text.is_empty() { &claim.claim } else { &of.text };
    json!({ "id": id, "text": text, "source": source, "outcome": outcome(of) })
}

/// A verdict with its sign and colour.
fn outcome(of: &Statement) -> Value {
    let (class, sign) = match of.verdict {
        Verdict::Holds => ("good", "✓"),
        Verdict::Fails => ("bad", "✗"),
        Verdict::Untold => ("soft", "?"),
        Verdict::Unrunnable => ("soft", "·"),
    };
    let verdict = of.verdict.text();
    json!({ "text": of.text, "verdict": verdict, "class": class, "sign": sign, "reason": of.reason })
}

fn claim(claim: &Claim) -> Value {
    let figures = claim.ours.iter().map(
        |figure| json!({ "name": figure.name, "ours": ours(figure), "paper": papers(figure) }),
    );
    let counts = claim
        .scene
        .counts
        .iter()
        .map(|count| json!({ "name": count.name, "value": number(count.value as f64) }));
    json!({
        "id": claim.id,
        "claim": claim.claim,
        "source": claim.source,
        "paper": claim.paper,
        "paper_figures": claim.paper_figures,
        "statements": claim.statements.iter().map(outcome).collect::<Vec<_>>(),
        "ran": claim.statements.iter().any(|it| it.verdict != Verdict::Unrunnable),
        "figures": figures.collect::<Vec<_>>(),
        "plots": claim.plots.iter().map(plot::value).collect::<Vec<_>>(),
        "about": claim.scene.about,
        "counts": counts.collect::<Vec<_>>(),
        "seed": claim.seed,
        "seconds": number(claim.seconds),
    })
}

/// A file of three claims with four statements, one per verdict.
#[cfg(test)]
pub(super) const SAMPLE: &str = include_str!("sample.jsonl");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_needs_nothing_from_outside_and_names_every_claim() {
        let results = Results::parse(SAMPLE).expect("the sample is a whole file");
        let html = html(&results).expect("the template is whole");
        for outside in ["<link", "<script src", "src=\"http", "url(http", "@import"] {
            assert!(!html.contains(outside), "{outside}");
        }
        for claim in &results.claims {
            assert!(html.contains(&claim.claim), "{}", claim.id);
        }
        for (claim, statement) in results.statements() {
            assert!(html.contains(&statement.reason), "{}", claim.id);
            assert!(html.contains(&statement.text), "{}", claim.id);
        }
        assert!(html.contains("6.40 axes"), "the paper's figure stands beside ours");
        assert_eq!(html.matches("<svg").count(), 3);
        assert_eq!(html.matches("<polyline").count(), 4);
    }

    #[test]
    fn text_from_records_is_escaped() {
        let hostile = SAMPLE.replace("Ordered axes", "<script>x</script>");
        let results = Results::parse(&hostile).expect("still a whole file");
        assert!(!html(&results).expect("the template is whole").contains("<script>x"));
    }
}
