//! `ibcd`: the engine.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Control, Counter, Description, Engine, Meaning, Needs, PrepareError, QueryError,
    Question, QuestionKind, Statistics,
};

use crate::backend::{Artist, Scene};
use crate::collector;
use crate::model::{ImageModel, certainly_in_range};
use crate::pair::Pair;
use crate::params::{Mode, Params};
use crate::triangles::Triangles;
use crate::{certified, sampled};

const WORD: &str = "ibcd";

const CERTIFIED: Description = Description {
    word: WORD,
    title: "convex patches in depth and stencil images, certified",
    paper: "fan 2003, ch. 2",
    needs: Needs { closed: true, gpu: false },
    questions: &[QuestionKind::FirstContact, QuestionKind::AllContacts],
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    exact: true,
};

const SAMPLED: Description = Description {
    title: "convex patches in depth and stencil images, as sampled",
    questions: &[QuestionKind::FirstContact],
    exact: false,
    ..CERTIFIED
};

/// Image-based collision detection of closed meshes (fan 2003, ch. 2).
///
/// In [`Mode::Sampled`] it answers first contact only, and the same for surfaces and solids:
/// "do the hulls of two patches overlap in the picture?".
#[derive(Debug)]
pub struct Ibcd {
    pub(crate) params: Params,
    artist: Artist,
}

/// The certified form, in software.
pub fn ibcd() -> Ibcd {
    ibcd_with(Params::default())
}

/// The form that `params` ask for. An adapter is opened when the first picture is drawn.
pub fn ibcd_with(params: Params) -> Ibcd {
    Ibcd { params, artist: Artist::new(params.drawing, params.side()) }
}

impl Ibcd {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(crate) fn artist(&self) -> &Artist {
        &self.artist
    }

    pub(crate) fn word(&self) -> &'static str {
        self.describe().word
    }
}

/// What a pair keeps from query to query: the hulls of both, ready to be drawn, and space.
#[derive(Debug, Default)]
pub struct Memory {
    scene: Option<Scene>,
    pub(crate) triangles: Triangles,
}

impl Memory {
    /// The hulls of this pair; `None` if they are too many to be drawn.
    pub(crate) fn scene(&mut self, pair: &Pair<'_>) -> Option<&mut Scene> {
        if self.scene.as_ref().is_none_or(|scene| scene.key != pair.key()) {
            self.scene = Scene::new(pair);
        }
        self.scene.as_mut()
    }
}

impl Engine for Ibcd {
    type Model = ImageModel;
    type Memory = Memory;

    fn describe(&self) -> &Description {
        match self.params.mode {
            Mode::Certified => &CERTIFIED,
            Mode::Sampled => &SAMPLED,
        }
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<ImageModel, PrepareError> {
        ImageModel::new(self.word(), mesh, &self.params, control)
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn query(
        &self,
        a: &ImageModel,
        b: &ImageModel,
        b_in_a: &Pose,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        self.describe().check(ask)?;
        if !certainly_in_range(b, b_in_a) {
            b.mesh().posed(b_in_a).map(drop).map_err(QueryError::OutOfRange)?;
        }
        let pair = Pair { a, b, pose: b_in_a };
        answer.statistics = if ask.count {
            self.run(&pair, memory, ask, (Statistics::default(), control), answer)?
        } else {
            self.run(&pair, memory, ask, ((), control), answer)?
        };
        if ask.details {
            collector::describe(&pair, answer);
        }
        Ok(())
    }
}

impl Ibcd {
    fn run<C: Counter>(
        &self,
        pair: &Pair<'_>,
        memory: &mut Memory,
        ask: &Ask,
        (mut counter, control): (C, &Control<'_>),
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        let means = (&mut counter, control);
        match self.params.mode {
            Mode::Certified => certified::answer(self, pair, memory, ask, means, answer)?,
            Mode::Sampled if ask.question == Question::FirstContact => {
                sampled::answer(self, pair, memory, means, answer)?;
            }
            // Refused by the description.
            Mode::Sampled => {}
        }
        Ok(counter.finish())
    }
}
