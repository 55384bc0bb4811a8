//! `recode`: the engine.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, Cancelled, Control, Counter, Description, Engine, Meaning, Needs, PrepareError,
    QueryError, Question, QuestionKind, Statistics, details,
};
use impinge_shaders::image::View;

use super::model::RecodeModel;
use super::overlap::{self, Placed};
use super::sampled;
use crate::backend::{Artist, Scene};
use crate::body::Parts;
use crate::certified::{Leaf, Leaves, Looking};
use crate::containment;
use crate::pair::Pair;
use crate::params::{Mode, Params};
use crate::triangles::Triangles;

const CERTIFIED: Description = Description {
    word: "recode",
    title: "all pairs of convex parts in depth and stencil images, certified",
    paper: "Baciu, Wong, Sun 1999, as in fan 2003, §1.3.4",
    needs: Needs { closed: true, gpu: false },
    questions: &[QuestionKind::FirstContact, QuestionKind::AllContacts],
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    exact: true,
};

const SAMPLED: Description = Description {
    title: "all pairs of convex parts in depth and stencil images, as sampled",
    questions: &[QuestionKind::FirstContact],
    exact: false,
    ..CERTIFIED
};

/// The image-based baseline: convex parts, all pairs, axis-aligned overlap regions.
///
/// In [`Mode::Sampled`] it answers first contact only, and the same for surfaces and solids.
#[derive(Debug)]
pub struct Recode {
    params: Params,
    artist: Artist,
}

/// The certified form, in software.
pub fn recode() -> Recode {
    recode_with(Params::default())
}

/// The form that `params` ask for; [`Params::strips`] does not matter. An adapter is opened when
/// the first picture is drawn.
pub fn recode_with(params: Params) -> Recode {
    Recode { params, artist: Artist::new(params.drawing, params.side()) }
}

impl Recode {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(super) fn artist(&self) -> &Artist {
        &self.artist
    }

    pub(super) fn word(&self) -> &'static str {
        self.describe().word
    }
}

/// What a pair keeps from query to query: the hulls of both, ready to be drawn, and space.
#[derive(Debug, Default)]
pub struct RecodeMemory {
    pub(super) scene: Option<Scene>,
    pub(super) posed: Placed,
    pub(super) triangles: Triangles,
}

impl RecodeMemory {
    /// The hulls of this pair; `None` if they are too many to be drawn.
    pub(super) fn scene<'s>(
        kept: &'s mut Option<Scene>,
        pair: &Pair<'_, RecodeModel>,
    ) -> Option<&'s mut Scene> {
        if kept.as_ref().is_none_or(|scene| scene.key != pair.key()) {
            *kept = Scene::new(pair);
        }
        kept.as_mut()
    }
}

impl Engine for Recode {
    type Model = RecodeModel;
    type Memory = RecodeMemory;

    fn describe(&self) -> &Description {
        match self.params.mode {
            Mode::Certified => &CERTIFIED,
            Mode::Sampled => &SAMPLED,
        }
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<RecodeModel, PrepareError> {
        RecodeModel::new(self.word(), mesh, &self.params, control)
    }

    fn memory(&self) -> RecodeMemory {
        RecodeMemory::default()
    }

    fn query(
        &self,
        a: &RecodeModel,
        b: &RecodeModel,
        b_in_a: &Pose,
        memory: &mut RecodeMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        self.describe().check(ask)?;
        b.body().subject().check_range(b_in_a)?;
        let pair = Pair { a, b, pose: b_in_a };
        answer.statistics = if ask.count {
            self.run(&pair, memory, ask, (Statistics::default(), control), answer)?
        } else {
            self.run(&pair, memory, ask, ((), control), answer)?
        };
        if ask.details {
            details::describe(answer, control, |contact| {
                (pair.triangle_a(contact.a), pair.triangle_b(contact.b))
            })?;
        }
        Ok(())
    }
}

impl Recode {
    fn run<C: Counter>(
        &self,
        pair: &Pair<'_, RecodeModel>,
        memory: &mut RecodeMemory,
        ask: &Ask,
        (mut counter, control): (C, &Control<'_>),
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        let means = (&mut counter, control);
        match self.params.mode {
            Mode::Certified => self.certified(pair, memory, ask, means, answer)?,
            Mode::Sampled if ask.question == Question::FirstContact => {
                sampled::answer(self, pair, memory, means, answer)?;
            }
            // Refused by the description.
            Mode::Sampled => {}
        }
        Ok(counter.finish())
    }

    /// Boxes drop pairs, the picture says where to look first, triangles decide.
    fn certified<C: Counter>(
        &self,
        pair: &Pair<'_, RecodeModel>,
        memory: &mut RecodeMemory,
        ask: &Ask,
        (counter, control): (&mut C, &Control<'_>),
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let RecodeMemory { scene, posed, triangles } = memory;
        let leaves = counter.stage("boxes", |counter| {
            posed.place(pair.b, pair.pose);
            counter.updated(posed.boxes.len() as u64);
            meeting(pair, posed, counter, control)
        })?;
        let view = |[p, q]: [u32; 2]| -> Option<View> {
            overlap::view(pair.a.boxes().get(p as usize)?, posed.boxes.get(q as usize)?)
        };
        let (artist, most) = (&self.artist, self.params.drawn);
        let looking = Looking { artist, word: self.word(), most, view: &view };
        let scene = match ask.question {
            Question::FirstContact => RecodeMemory::scene(scene, pair),
            _ => None,
        };
        leaves.answer(pair, &looking, (scene, triangles), ask, (counter, control), answer)?;
        let ((min, max), bounds) = (pair.a.mesh().bounds(), posed.bounds());
        let in_a = |p: &Point| (0..3).all(|k| min[k] <= p[k] && p[k] <= max[k]);
        let in_b = |p: &Point| bounds.is_some_and(|all| all.contains(p));
        containment::complete(pair, [&in_a, &in_b], ask, (counter, control), answer)?;
        Ok(())
    }
}

/// Every part of A with every part of B, if their boxes meet.
fn meeting<C: Counter>(
    pair: &Pair<'_, RecodeModel>,
    posed: &Placed,
    counter: &mut C,
    control: &Control<'_>,
) -> Result<Leaves, Cancelled> {
    let mut pairs = Vec::new();
    for (p, a) in (0..).zip(pair.a.boxes()) {
        control.check()?;
        counter.volumes(posed.boxes.len() as u64);
        for (q, b) in (0..).zip(&posed.boxes) {
            if let Some(common) = a.intersection(b) {
                pairs.push(Leaf::new([p, q], [p, q], overlap::shortest(&common)));
            }
        }
    }
    Ok(Leaves { pairs, backend: None })
}
