//! Pages: one self-contained HTML file each, from a template, a common style sheet and a script
//! that sorts tables.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde_json::Value;

/// What templates include. Style and script are the same on all pages.
const PARTS: [(&str, &str); 2] = [
    ("page.css", include_str!("../templates/page.css")),
    ("sort.js", include_str!("../templates/sort.js")),
];

/// Fills a template. Text from records is escaped.
///
/// # Errors
/// If the template is invalid.
pub(crate) fn render(template: &str, context: Value) -> Result<String, String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    for (name, text) in PARTS.into_iter().chain([("page", template)]) {
        environment.add_template(name, text).map_err(|error| error.to_string())?;
    }
    let page = environment.get_template("page").map_err(|error| error.to_string())?;
    page.render(Serde(context)).map_err(|error| format!("{error:#}"))
}

/// Escapes text for HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::PARTS;
    use crate::repository::root;

    /// The colours of a style sheet by name, those for light before those for dark.
    fn colours(style: &str) -> BTreeMap<&str, Vec<&str>> {
        let mut colours: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let named = style.split([';', '{', '}']).filter_map(|rule| rule.trim().split_once(": "));
        for (name, value) in named.filter(|(name, _)| name.starts_with("--")) {
            colours.entry(name).or_default().push(value);
        }
        colours
    }

    /// The page of clashes belongs to another package, which can take no file from here.
    #[test]
    fn the_page_of_clashes_has_the_colours_of_the_others() {
        let path = root().join("crates/cli/viewer/src/page.css");
        let style = std::fs::read_to_string(path).expect("the style sheet");
        let (own, other) = (colours(PARTS[0].1), colours(&style));
        let shared: Vec<_> = other.iter().filter(|(name, _)| own.contains_key(*name)).collect();
        assert!(shared.len() >= 12 && shared.len() + 1 == other.len(), "{other:?}");
        for (name, values) in shared {
            assert_eq!((values.len(), Some(values)), (2, own.get(name)), "{name}");
        }
    }
}
