//! XML files in memory.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// A file under construction.
pub(super) type Xml = Writer<Vec<u8>>;

/// A file with what `content` writes.
pub(super) fn file(content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    content(&mut xml)?;
    Ok(xml.into_inner())
}

/// An element with a text. What XML has no place for, such as control characters, is replaced.
pub(super) fn text(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    xml.create_element(name).write_text_content(BytesText::new(&allowed(text)))?;
    Ok(())
}

fn allowed(text: &str) -> Cow<'_, str> {
    let is_allowed = |letter: char| !matches!(letter, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.chars().all(is_allowed) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// The content of `bcf.version`.
pub(super) fn version() -> io::Result<Vec<u8>> {
    file(|xml| {
        let version = xml.create_element("Version").with_attribute(("VersionId", "2.1"));
        version.write_inner_content(|xml| text(xml, "DetailedVersion", "2.1"))?;
        Ok(())
    })
}
