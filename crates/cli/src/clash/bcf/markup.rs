//! `markup.bcf`: an issue in words.

use std::io;

use impinge::Class;

use super::xml::{self, Xml};
use super::{Issue, snapshot};
use crate::output::{counted, number, triple};

/// With `pictured`, the issue has a snapshot.
pub(super) fn of(issue: &Issue<'_>, pictured: bool) -> io::Result<Vec<u8>> {
    xml::file(|xml| {
        xml.create_element("Markup").write_inner_content(|xml| {
            topic(xml, issue)?;
            let viewpoint = issue.viewpoint().to_string();
            let viewpoint =
                xml.create_element("Viewpoints").with_attribute(("Guid", viewpoint.as_str()));
            viewpoint.write_inner_content(|xml| {
                xml::text(xml, "Viewpoint", "viewpoint.bcfv")?;
                if pictured { xml::text(xml, "Snapshot", snapshot::FILE) } else { Ok(()) }
            })?;
            Ok(())
        })?;
        Ok(())
    })
}

fn topic(xml: &mut Xml, issue: &Issue<'_>) -> io::Result<()> {
    let guid = issue.guid.to_string();
    let attributes = [("Guid", guid.as_str()), ("TopicType", "Clash"), ("TopicStatus", "Open")];
    let class = issue.clash.class;
    let [a, b] = issue.names();
    let topic = xml.create_element("Topic").with_attributes(attributes);
    topic.write_inner_content(|xml| {
        xml::text(xml, "Title", &format!("{class}: {a} / {b}"))?;
        xml::text(xml, "Index", &issue.number.to_string())?;
        xml::text(xml, "Labels", class.word())?;
        xml::text(xml, "CreationDate", issue.date)?;
        xml::text(xml, "CreationAuthor", concat!("impinge ", env!("CARGO_PKG_VERSION")))?;
        xml::text(xml, "Description", &description(issue))
    })?;
    Ok(())
}

/// What was found, a line each.
fn description(issue: &Issue<'_>) -> String {
    let clash = issue.clash;
    let [a, b] = issue.names();
    let what = match (clash.class, clash.inside()) {
        (Class::Inside, Some(inner)) if inner == clash.parts[0] => format!("{a} is inside {b}"),
        (Class::Inside, _) => format!("{b} is inside {a}"),
        (Class::TooNear, _) => format!("{a} and {b} are {} apart", number(clash.distance)),
        (Class::Duplicate, _) => format!("{a} and {b} are the same in the same place"),
        (Class::Touches, _) => format!("{a} and {b} touch"),
        (Class::Uncertain, _) => {
            format!("{a} and {b} share points, and whether they only touch is not certain")
        }
        _ => format!("{a} and {b} go into each other"),
    };
    let pairs = counted(clash.contacts_found as usize, "pair");
    let lines = [
        Some(what),
        (clash.contacts_found > 0).then(|| format!("{pairs} of triangles meet")),
        clash.extent.map(|extent| {
            let [low, high] = [extent.min, extent.max].map(|p| triple(p.into()));
            format!("from {low} to {high}")
        }),
        clash.undecided.clone(),
    ];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
