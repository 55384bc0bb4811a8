//! `ibcd`: the engine.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Control, Counter, Description, Engine, Meaning, Needs, PrepareError, QueryError,
    Question, QuestionKind, Statistics, details,
};

use crate::backend::{Artist, Scene};
use crate::body::Parts;
use crate::model::ImageModel;
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

/// The form that `params` ask for, drawn on what the caller opened and may share with others,
/// whatever [`Params::drawing`] says. Where nothing was opened, or it cannot draw, software does, and
/// [`Answer::backend`] says why. A lost device stays lost, and each query that would draw on it is an
/// error: make another engine. Models can be kept, if both engines are of one [`Mode`].
#[cfg(feature = "wgpu")]
pub fn ibcd_on(opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>, params: Params) -> Ibcd {
    let params = Params { drawing: crate::Drawing::Adapter, ..params };
    let artist = Artist::on(opened.map_err(|why| why.to_string()), params.side());
    Ibcd { params, artist }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use impinge_models::{Random, Shape};
    use impinge_query::{Cancel, Contact, Spread, Verdict};

    /// Raises a flag when so many things were counted, so that every place in a query where work is
    /// done can be the one after which it is cancelled.
    struct Fuse<'f> {
        cancel: &'f Cancel,
        after: u64,
        counted: &'f AtomicU64,
    }

    impl Fuse<'_> {
        fn step(&self) {
            if self.counted.fetch_add(1, Ordering::Relaxed) == self.after {
                self.cancel.cancel();
            }
        }
    }

    impl Counter for Fuse<'_> {
        const COUNTS: bool = true;
        fn fork(&self) -> Self {
            Self { ..*self }
        }
        fn merge(&mut self, _: Self) {}
        fn spread(&mut self, _: impl FnOnce() -> Spread) {}
        fn volumes(&mut self, _: u64) {
            self.step();
        }
        fn primitives(&mut self, _: u64) {
            self.step();
        }
        fn updated(&mut self, _: u64) {
            self.step();
        }
        fn exact(&mut self, _: u64) {
            self.step();
        }
        fn submitted(&mut self, _: u64) {
            self.step();
        }
        fn stage<R>(&mut self, _: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
            self.step();
            let result = work(self);
            self.step();
            result
        }
        fn finish(self) -> Option<Statistics> {
            None
        }
    }

    /// Verdict and contacts of a query that is cancelled after so many counts; and how many there were.
    fn cut(
        (engine, pair, ask): (&Ibcd, &Pair<'_>, &Ask),
        memory: &mut Memory,
        after: u64,
    ) -> (Result<(Verdict, Vec<Contact>), QueryError>, u64) {
        let (cancel, counted, mut answer) = (Cancel::new(), AtomicU64::new(0), Answer::default());
        let control = Control::NONE.cancelled_by(&cancel);
        let fuse = Fuse { cancel: &cancel, after, counted: &counted };
        let ended = engine.run(pair, memory, ask, (fuse, &control), &mut answer);
        let answered = ended.map(|_| (answer.verdict, answer.contacts));
        (answered, counted.into_inner())
    }

    #[test]
    fn cancelled_after_any_step_a_query_is_an_error_or_right_and_its_memory_stays_good() {
        let meshes = [Shape::Gear.mesh(96, 0), Shape::Torus.mesh(100, 1)];
        let first = Ask::first_contact().solids();
        let all = Ask::all_contacts().solids();
        let mut random = Random::new(131);
        let (mut cancelled, mut answered) = (0, 0);
        for (params, asks) in
            [(Params::default(), vec![first, all]), (Params::sampled(16), vec![first])]
        {
            let engine = ibcd_with(params);
            let [a, b] =
                [0, 1].map(|m| engine.prepare(&meshes[m], &Control::NONE).expect("closed"));
            let mut memory = engine.memory();
            for (index, ask) in (0..12).flat_map(|i| asks.iter().map(move |ask| (i, ask))) {
                let pose = Random::stream(132, index).pose(0.7);
                let asked = (&engine, &Pair { a: &a, b: &b, pose: &pose }, ask);
                let (whole, steps) = cut(asked, &mut memory, u64::MAX);
                let whole = whole.expect("nobody cancels");
                for try_ in 0..40 {
                    let after = if try_ < 10 { try_ } else { random.below(steps + 2) };
                    match cut(asked, &mut memory, after).0 {
                        Ok(found) => {
                            assert_eq!(found, whole, "pose {index}, {ask:?}, after {after}");
                            answered += 1;
                        }
                        Err(QueryError::Cancelled(_)) if after < steps => cancelled += 1,
                        Err(why) => panic!("pose {index}, {ask:?}, after {after}: {why}"),
                    }
                }
                assert_eq!(cut(asked, &mut memory, u64::MAX), (Ok(whole), steps));
            }
        }
        println!("{cancelled} cancelled, {answered} answered all the same");
        assert!(cancelled > 500 && answered > 20, "{cancelled} {answered}");
    }
}
