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

    /// Who answers these queries by streams if an adapter is wanted; asked once, and `known` from then on.
    pub(crate) fn of_streams<'k>(
        known: &'k mut Option<Self>,
        asked: &[Workload],
        drawing: Drawing,
    ) -> Result<&'k Self, String> {
        if known.is_none() {
            let one = streaming(Method::StreamShrink, Form::Compute);
            *known = Self::of_first(&one, asked, drawing)?;
        }
        Ok(known.get_or_insert_with(|| Self::Rasteriser("nothing was asked".to_owned())))
    }

    /// Who answers these queries if an adapter is wanted: the first that the processor does not end by itself, as
    /// methods that draw do where bounds are apart. `None` if there is no such query.
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

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::image::{Params, ibcd_with};
    use impinge::query::Answer;
    use impinge::{Pose, Vector};
    use impinge_models::Shape;

    use crate::fan_image;

    /// Two cubes of edge 1, so far apart along x in each step.
    fn cubes(places: &[f64]) -> Workload {
        let along = |x| Pose::translation_by(Vector::new(x, 0.1, 0.2)).expect("near");
        let poses: Vec<Pose> = places.iter().copied().map(along).collect();
        Workload::motion(vec![Shape::Cube.mesh(12, 0)], [0, 0], &poses)
    }

    /// With an adapter or without: bounds that are apart tell nothing of it.
    #[test]
    fn a_query_that_ends_at_the_bounds_does_not_tell_who_answers() {
        let params = Params { drawing: Drawing::Adapter, ..fan_image::params() };
        let ibcd = Competitor::new("ibcd", ibcd_with(params));
        let by =
            |places| Drawer::of_first(&ibcd, &[cubes(&[9.0]), cubes(places)], Drawing::Adapter);
        assert_eq!(by(&[8.0, 7.0]), Ok(None));
        let told = by(&[8.0, 0.5]).expect("answered");
        assert!(told.is_some() && told != Some(Drawer::of(&Backend::Cpu)), "{told:?}");
        let mut known = Some(Drawer::Hardware("a card".to_owned()));
        let before = known.clone();
        let again = Drawer::of_streams(&mut known, &[cubes(&[0.5])], Drawing::Adapter);
        assert_eq!(again.ok(), before.as_ref());
    }

    #[test]
    fn an_answer_in_the_place_of_the_adapter_is_an_error() {
        let timing = |instead: Option<&str>| Timing {
            instead: instead.map(str::to_owned),
            ..Timing::default()
        };
        assert_eq!(answered_all(&[timing(None), timing(None)]), Ok(()));
        let why =
            answered_all(&[timing(None), timing(Some("it was lost"))]).expect_err("a program");
        assert!(why.contains("it was lost"), "{why}");
        let mut counted = Timing::default();
        for backend in [Backend::Cpu, Backend::Gpu("a card".to_owned())] {
            counted.add(&Answer { backend, ..Answer::default() });
            assert_eq!(counted.instead, None);
        }
        for why in ["first", "second"] {
            counted
                .add(&Answer { backend: Backend::Software(why.to_owned()), ..Answer::default() });
            assert_eq!(counted.instead.as_deref(), Some("first"));
        }
    }
}
