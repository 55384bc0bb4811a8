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
