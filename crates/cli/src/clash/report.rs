//! Clashes as text and as JSON.

use impinge::query::Inner;
use impinge::report::ClashLine;
use impinge::{Clash as Found, Class};

use crate::arguments::Clash;
use crate::failure::Failure;
use crate::output::{self, counted, number};

use super::kept::Label;

/// Stands before what belongs to a clash: as wide as its class with the blanks behind it.
const INDENT: &str = "           ";

/// What is printed, and how much of it so far.
pub(super) struct Report<'r> {
    labels: &'r [Label],
    json: bool,
    clearance: bool,
    /// The most pairs of triangles of a clash.
    contacts: usize,
    /// Whether the text lists them; JSON has one in any case.
    lists: bool,
    /// For each class, in the order of [`Class::ALL`].
    counts: [u64; Class::ALL.len()],
}

impl<'r> Report<'r> {
    pub(super) fn new(labels: &'r [Label], arguments: &Clash) -> Self {
        let (json, clearance) = (arguments.json, arguments.clearance.is_some());
        let (contacts, lists) = (arguments.listed(), arguments.contacts);
        Self { labels, json, clearance, contacts, lists, counts: Default::default() }
    }

    /// Whether a clash was printed.
    pub(super) fn any(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// Prints a clash.
    pub(super) fn print(&mut self, clash: &Found) -> Result<(), Failure> {
        if let Some(place) = Class::ALL.iter().position(|class| *class == clash.class) {
            self.counts[place] += 1;
        }
        let name =
            |index: u32| self.labels.get(index as usize).map_or("", |label| label.name.as_str());
        let (a, b) = (name(clash.a.index()), name(clash.b.index()));
        if !self.json {
            output::line(&text(a, b, clash))?;
            return if self.lists { self.list(clash) } else { Ok(()) };
        }
        output::json(&ClashLine::of(a, b, clash, self.contacts))
    }

    /// Lists the pairs of triangles of a clash, and says how many are left out.
    fn list(&self, clash: &Found) -> Result<(), Failure> {
        let listed = &clash.contacts[..clash.contacts.len().min(self.contacts)];
        for contact in listed {
            output::line(&format!("{INDENT}{} and {}", contact.a, contact.b))?;
        }
        let found = clash.contacts_found.unwrap_or_default();
        match found.saturating_sub(listed.len() as u64) {
            0 => Ok(()),
            left => output::line(&format!("{INDENT}and {left} more")),
        }
    }

    /// Ends the text with a summary.
    pub(super) fn finish(&self, candidates: u64) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let parts = counted(self.labels.len(), "part");
        let pairs = counted(candidates as usize, "pair");
        let near = if self.clearance {
            "within the clearance by their boxes"
        } else {
            "with boxes that meet"
        };
        let found: Vec<String> = Class::ALL
            .iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| format!("{count} {class}"))
            .collect();
        let found = if found.is_empty() { "no clash".to_owned() } else { found.join(", ") };
        output::line(&format!("{parts}, {pairs} {near}: {found}"))
    }
}

fn text(a: &str, b: &str, clash: &Found) -> String {
    let pairs = |found: u64| counted(found as usize, "pair");
    let meet = clash.contacts_found.map(|found| format!("{} of triangles", pairs(found)));
    let what = match (clash.class, clash.inner, &clash.undecided) {
        (Class::Inside, Some(Inner::A), _) => format!("{a} is inside {b}"),
        (Class::Inside, ..) => format!("{b} is inside {a}"),
        (Class::TooNear, ..) => format!("{a} and {b}, {} apart", number(clash.distance)),
        (_, _, reason) => {
            let [meet, reason] = [(", ", meet.as_deref()), ("; ", reason.as_deref())]
                .map(|(mark, text)| text.map_or_else(String::new, |text| format!("{mark}{text}")));
            format!("{a} and {b}{meet}{reason}")
        }
    };
    format!("{:<9}  {what}", clash.class.word())
}
