//! Tables on the terminal: the verdicts, or per claim the paper's figures, ours, and the reason.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table};

use super::figures::{ours, papers};
use super::record::{Claim, Results, Statement, Verdict};

/// Largest number of figures in a cell; the report shows them all. Unit: lines of a cell.
const MOST_FIGURES: usize = 12;

/// Width of the table if stdout is no terminal. Unit: columns.
const WIDTH: u16 = 140;

/// Most lines and columns of the overview; three more lines name the files.
const LINES: usize = 40;
const COLUMNS: usize = 80;

/// The mark of each verdict, in the order of [`Verdict::ALL`].
const MARKS: [char; 4] = ['+', '-', '?', '.'];

/// The overview or, if `all`, the table with all figures; then a summary line.
pub(super) fn text(results: &Results, all: bool) -> String {
    let table = if all { format!("{}\n", table(results)) } else { overview(results) };
    let debug =
        if results.run.host.debug { "This was a debug build: times mean nothing.\n" } else { "" };
    format!("{table}{}\n{debug}", sums(results))
}

/// One line per claim with a mark for each statement; claims of which nothing was run are in one line.
fn overview(results: &Results) -> String {
    let not_run = |claim: &&Claim| {
        claim.statements.iter().all(|statement| statement.verdict == Verdict::Unrunnable)
    };
    let (unrunnable, run): (Vec<&Claim>, Vec<&Claim>) = results.claims.iter().partition(not_run);
    // Below are those that cannot be run, the marks, the remark, the sums, and the warning of a debug
    // build.
    let room = LINES - 5;
    let mut lines: Vec<String> = run.iter().take(room).map(|claim| line(claim)).collect();
    if !unrunnable.is_empty() {
        let ids: Vec<&str> = unrunnable.iter().map(|claim| claim.id.as_str()).collect();
        lines.push(cut(format!("not run here: {}", ids.join(", "))));
    }
    let marks =
        Verdict::ALL.iter().zip(MARKS).map(|(verdict, mark)| format!("{mark} {}", verdict.text()));
    lines.push(cut(format!("each statement: {}", marks.collect::<Vec<_>>().join(", "))));
    let more = match run.len().saturating_sub(room) {
        0 => String::new(),
        n => format!("{n} more claims, "),
    };
    lines.push(format!("{more}figures and reasons: --all --report-only"));
    lines.join("\n") + "\n"
}

/// A claim's id, the marks of its statements in their order, and its sentence.
fn line(claim: &Claim) -> String {
    let mark = |statement: &Statement| {
        let at = Verdict::ALL.iter().position(|verdict| *verdict == statement.verdict);
        at.map_or('?', |at| MARKS[at])
    };
    let marks: String = claim.statements.iter().map(mark).collect();
    cut(format!("{:<3} {marks:<12}  {}", claim.id, claim.claim))
}

/// A line that is not longer than a small terminal.
fn cut(text: String) -> String {
    if text.chars().count() <= COLUMNS {
        return text;
    }
    text.chars().take(COLUMNS - 1).chain(['…']).collect()
}

fn sums(results: &Results) -> String {
    let words = ["hold", "do not", "cannot be told", "not run"];
    let counts = Verdict::ALL.map(|verdict| results.with(verdict)).into_iter().zip(words);
    let counts = counts.filter(|(n, _)| *n > 0).map(|(n, text)| format!("{n} {text}"));
    let (claims, statements) = (results.claims.len(), results.statements().count());
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{statements} statements of {claims} claims: {counts}")
}

fn table(results: &Results) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none() {
        table.set_width(WIDTH);
    }
    let head = ["id", "claim", "the paper", "ours", "verdict"];
    table.set_header(head.map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    for claim in &results.claims {
        for (index, statement) in claim.statements.iter().enumerate() {
            table.add_row(row(claim, statement, index == 0));
        }
    }
    table
}

/// The row of a statement; the claim's cells are filled in its first row only.
fn row(claim: &Claim, of: &Statement, first: bool) -> Vec<Cell> {
    let cell = |text: String| Cell::new(if first { text } else { String::new() });
    let what = if of.text.is_empty() { String::new() } else { format!("{}: ", of.text) };
    let verdict = Cell::new(format!("{what}{}: {}", of.verdict.text(), of.reason));
    vec![
        Cell::new(&claim.id).add_attribute(Attribute::Bold),
        cell(format!("{} ({})", claim.claim, claim.source)),
        cell(claim.paper_figures.clone()),
        cell(our_figures(claim)),
        match of.verdict {
            Verdict::Holds => verdict.fg(Color::Green),
            Verdict::Fails => verdict.fg(Color::Red),
            Verdict::Untold => verdict.fg(Color::Yellow),
            Verdict::Unrunnable => verdict.fg(Color::DarkGrey),
        },
    ]
}

/// One figure per line; those that the paper also prints come first.
fn our_figures(claim: &Claim) -> String {
    let (theirs, own): (Vec<_>, Vec<_>) =
        claim.ours.iter().partition(|figure| figure.paper.is_some());
    let mut lines: Vec<String> = theirs
        .into_iter()
        .chain(own)
        .map(|figure| {
            let beside = match papers(figure) {
                text if text.is_empty() => text,
                text => format!(" (paper: {text})"),
            };
            format!("{}: {}{beside}", figure.name, ours(figure))
        })
        .collect();
    if lines.len() > MOST_FIGURES {
        let more = lines.len() - MOST_FIGURES + 1;
        lines.truncate(MOST_FIGURES - 1);
        lines.push(format!("{more} more in the report"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::report::SAMPLE;

    #[test]
    fn every_claim_has_a_row_with_both_figures() {
        let results = Results::parse(SAMPLE).expect("a whole file");
        let text = table(&results).to_string();
        for claim in &results.claims {
            assert!(text.contains(&claim.id));
        }
        let figures = our_figures(&results.claims[0]);
        assert!(figures.contains("(paper: 6.40 axes)"), "{figures}");
        let wanted = "4 statements of 3 claims: 1 hold, 1 do not, 1 cannot be told, 1 not run";
        assert_eq!(sums(&results), wanted);
    }

    #[test]
    fn the_overview_fits_a_small_terminal() {
        let mut results = Results::parse(SAMPLE).expect("a whole file");
        let short = text(&results, false);
        assert!(short.contains("A4  -?            "), "{short}");
        assert!(short.contains("L2  +             "), "{short}");
        assert!(short.contains("not run here: O1\n"), "{short}");
        assert!(short.contains("+ holds, - does not hold, ? cannot be told, ."), "{short}");
        assert!(text(&results, true).contains("More axes"), "the reason");
        let mut long = results.claims[0].clone();
        long.claim = long.claim.repeat(9);
        long.statements[0].text.clear();
        results.claims.extend(vec![long; 40]);
        results.run.host.debug = true;
        let short = text(&results, false);
        assert_eq!(short.lines().count(), LINES, "{short}");
        assert!(short.lines().all(|line| line.chars().count() <= COLUMNS), "{short}");
        assert!(short.contains("7 more claims"), "{short}");
    }

    #[test]
    fn a_long_list_is_cut() {
        let results = Results::parse(SAMPLE).expect("a whole file");
        let mut claim = results.claims[0].clone();
        let one = claim.ours[0].clone();
        claim.ours = vec![one; MOST_FIGURES + 5];
        let text = our_figures(&claim);
        assert_eq!(text.lines().count(), MOST_FIGURES);
        assert!(text.ends_with("6 more in the report"));
    }
}
