//! What draws for an experiment: an adapter, or a program in its place.

use impinge::Method;
use impinge::image::Drawing;
use impinge::query::{Ask, Backend};
use impinge::stream::{Form, Params, stream_basic_with, stream_shrink_with, stream_tree_with};
use impinge_benches::harness::{Competitor, Timing, Workload};

use super::outcome::{Statement, Verdict};

/// Parts of the names of adapters that draw in software.
const SOFTWARE: [&str; 4] = ["llvmpipe", "SwiftShader", "lavapipe", "Basic Render"];

/// What drew, or tested edges, for an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drawer {
    /// The processor, and why no adapter did.
    Rasteriser(String),
    /// An adapter that is a program.
    Program(String),
    Hardware(String),
}

impl Drawer {
    /// Who gave an answer.
    pub(crate) fn of(backend: &Backend) -> Self {
        match backend {
            Backend::Gpu(name) if SOFTWARE.iter().any(|part| name.contains(part)) => {
                Self::Program(name.clone())
            }
            Backend::Gpu(name) => Self::Hardware(name.clone()),
            Backend::Software(why) => Self::Rasteriser(why.clone()),
            other => Self::Rasteriser(format!("{other:?}")),
        }
    }

    /// Who answers these queries by streams if an adapter is wanted.
    pub(crate) fn of_streams(asked: &[Workload], drawing: Drawing) -> Result<Self, String> {
        let one = streaming(Method::StreamShrink, Form::Compute);
        let none = || "no query gets beyond the bounds of both bodies".to_owned();
        Ok(Self::of_first(&one, asked, drawing)?.unwrap_or_else(|| Self::Rasteriser(none())))
    }

    /// Who answers these queries if an adapter is wanted: the first that is more than a test of bounds, which the
    /// processor makes. `None` if there is no such query.
    pub(crate) fn of_first(
        one: &Competitor,
        asked: &[Workload],
        drawing: Drawing,
    ) -> Result<Option<Self>, String> {
        if drawing == Drawing::Software {
            return Ok(Some(Self::Rasteriser("none was asked for (--gpu required)".to_owned())));
        }
        for asked in asked {
            let (models, mut ready) = (one.prepare(asked)?, one.ready(asked.pairs));
            for query in asked.steps.iter().flatten() {
                ready.ask(&models, query, &Ask::first_contact())?;
                if ready.answer.backend != Backend::Cpu {
                    return Ok(Some(Self::of(&ready.answer.backend)));
                }
            }
        }
        Ok(None)
    }

    /// Whether it is hardware.
    pub(crate) const fn is_hardware(&self) -> bool {
        matches!(self, Self::Hardware(_))
    }

    /// A statement about hardware that is not there.
    pub(crate) fn cannot(&self, text: impl Into<String>) -> Statement {
        let reason = match self {
            Self::Rasteriser(why) => format!("No adapter answered: {why}."),
            Self::Program(name) => format!("{name} is no hardware."),
            Self::Hardware(name) => format!("{name} was not asked."),
        };
        Statement::new(text, Verdict::Unrunnable, reason)
    }
}

/// An error if a program answered a query in the place of an adapter that answers others: it was lost, for
/// example. What was timed is then of neither.
pub(crate) fn answered_all(timings: &[Timing]) -> Result<(), String> {
    let told = timings.iter().find_map(|timing| timing.instead.as_ref());
    let error = |why| Err(format!("a program answered in the place of the adapter: {why}"));
    told.map_or(Ok(()), error)
}

/// A certified streaming method in a form.
pub(crate) fn streaming(method: Method, form: Form) -> Competitor {
    let params = Params { form, ..Params::default() };
    let engine = match method {
        Method::StreamTree => stream_tree_with(params),
        Method::StreamShrink => stream_shrink_with(params),
        _ => stream_basic_with(params),
    };
    let word = match form {
        Form::Cpu => "processor",
        Form::Compute => "compute",
        Form::Raster => "raster",
    };
    Competitor::new(format!("{method}, {word}"), engine)
}
