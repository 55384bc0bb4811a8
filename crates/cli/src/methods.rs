//! `impinge methods`: the table of methods.

use impinge::query::{Meaning, QuestionKind};
use impinge::{Kind, Method};
use serde::Serialize;

use crate::arguments::Methods;
use crate::failure::Failure;
use crate::output::{self, JSON_VERSION};

/// A row of the JSON table.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools)] // what a method is, and needs
struct Row {
    method: &'static str,
    kind: &'static str,
    default: bool,
    title: &'static str,
    paper: &'static str,
    questions: &'static [QuestionKind],
    meanings: &'static [Meaning],
    self_contacts: bool,
    needs_closed: bool,
    needs_gpu: bool,
}

/// The JSON object.
#[derive(Serialize)]
struct Table {
    version: u32,
    methods: Vec<Row>,
}

/// Prints the table.
pub(crate) fn run(arguments: &Methods) -> Result<(), Failure> {
    if arguments.json {
        let methods = Method::all().iter().map(|&m| row(m)).collect();
        return output::json(&Table { version: JSON_VERSION, methods });
    }
    let title = |method: &Method| method.description().title.chars().count();
    let wide = Method::all().iter().map(title).max().unwrap_or(0);
    output::line(&format!("{:<14} {:<8} {:<wide$}  answers", "method", "kind", "what it is"))?;
    for &method in Method::all() {
        let about = method.description();
        let mut answers: Vec<&str> = about.questions.iter().map(|&q| question(q)).collect();
        if about.meanings.contains(&Meaning::Solids) {
            answers.push("solids");
        }
        if about.self_contacts {
            answers.push("self");
        }
        let (kind, answers) = (method.kind(), answers.join(", "));
        output::line(&format!("{method:<14} {kind:<8} {:<wide$}  {answers}", about.title))?;
    }
    output::line("")?;
    output::line(&format!("default: {}", Method::default()))?;
    output::line(&format!("{}: always correct; rounding errors only cost time", Kind::Exact))?;
    output::line(&format!(
        "{}: follows its paper as printed; reported contacts are real, but some, or all, may be missing",
        Kind::Faithful
    ))?;
    output::line(&format!(
        "{}: another library, for comparison; its answers may be wrong",
        Kind::Outside
    ))
}

fn row(method: Method) -> Row {
    let about = method.description();
    Row {
        method: method.word(),
        kind: method.kind().word(),
        default: method == Method::default(),
        title: about.title,
        paper: about.paper,
        questions: about.questions,
        meanings: about.meanings,
        self_contacts: about.self_contacts,
        needs_closed: about.needs.closed,
        needs_gpu: about.needs.gpu,
    }
}

fn question(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::FirstContact => "first contact",
        QuestionKind::AllContacts => "all contacts",
        QuestionKind::Distance => "distance",
        QuestionKind::NearerThan => "nearer than",
        QuestionKind::ContainedIn => "contained in",
    }
}
