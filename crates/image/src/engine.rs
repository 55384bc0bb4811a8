//! The engine of both image-based methods, generic over a [`Form`].

use std::fmt::Debug;
use std::marker::PhantomData;

use impinge_geometry::volume::Obb;
use impinge_geometry::{Mesh, Point};
use impinge_query::lists::Lists;
use impinge_query::{
    Cancelled, Certainty, Contact, Control, Counter, Description, Found, Meaning, MeshModel, Needs,
    PrepareError, Query, QueryError, QuestionKind, Search, Side, driver,
};
use impinge_shaders::image::View;

use crate::backend::{Renderer, Scene};
use crate::body::Parts;
use crate::certified::{DrawOptions, Leaves};
use crate::ibcd::PatchHierarchy;
use crate::inside;
use crate::pair::Pair;
use crate::params::{Mode, Params};
use crate::sampled::Sampling;

/// The specific part of a method: its models, its pairs of hulls, and their views.
pub trait Form: Copy + Debug + Send + Sync + 'static {
    /// A prepared mesh.
    type Model: Parts + MeshModel;
    /// Buffers of a query, kept to reuse their allocations.
    type Space: Debug + Default + Send + Sync + 'static;

    /// The description of the certified form.
    const CERTIFIED: Description;
    /// The description of the sampled form.
    const SAMPLED: Description;

    /// Prepares a mesh.
    ///
    /// # Errors
    /// [`PrepareError`] if it cannot, or the caller cancelled.
    fn prepare(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<Self::Model, PrepareError>;

    /// All pairs of patches whose boxes may share a point.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn leaves<C: Counter>(
        pair: &Pair<'_, Self::Model>,
        space: &mut Self::Space,
        means: (&mut C, &Control<'_>),
    ) -> Result<Leaves, Cancelled>;

    /// The view of two hulls; `None` if their boxes are apart.
    fn view(pair: &Pair<'_, Self::Model>, space: &Self::Space, hulls: [u32; 2]) -> Option<View>;

    /// A contact that represents the collision, if the image shows one.
    ///
    /// # Errors
    /// [`QueryError`].
    fn sampled<C: Counter>(
        sampling: &mut Sampling<'_, Self::Model>,
        space: &mut Self::Space,
        counter: &mut C,
    ) -> Result<Option<Contact>, QueryError>;

    /// A box around the mesh, in its own frame.
    fn around(model: &Self::Model) -> Obb;
}

/// The description of the certified form of an image-based method.
pub(crate) const fn certified(
    word: &'static str,
    title: &'static str,
    paper: &'static str,
) -> Description {
    Description {
        word,
        title,
        paper,
        needs: Needs { closed: true, gpu: false },
        questions: QuestionKind::OF_CONTACTS,
        meanings: &[Meaning::Surfaces, Meaning::Solids],
        self_contacts: false,
        exact: true,
    }
}

/// The description of the sampled form.
pub(crate) const fn sampled(certified: Description, title: &'static str) -> Description {
    Description { title, questions: &[QuestionKind::FirstContact], exact: false, ..certified }
}

/// The engine of an image-based method.
///
/// In [`Mode::Sampled`] it answers first contact only, with the same answer for surfaces and
/// solids: whether the hulls of two patches overlap in the picture.
#[derive(Debug)]
pub struct ImageEngine<F> {
    pub(crate) params: Params,
    pub(crate) renderer: Renderer,
    form: PhantomData<F>,
}

impl<F: Form> ImageEngine<F> {
    pub(crate) fn new(params: Params) -> Self {
        let renderer = Renderer::new(params.drawing, params.sizes());
        Self { params, renderer, form: PhantomData }
    }

    #[cfg(feature = "wgpu")]
    pub(crate) fn on(
        opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>,
        params: Params,
    ) -> Self {
        let params = Params { drawing: crate::Drawing::Adapter, ..params };
        let renderer = Renderer::on(opened.map_err(|why| why.to_string()), params.sizes());
        Self { params, renderer, form: PhantomData }
    }

    /// The parameters it was created with; `resolution` unclamped.
    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(crate) fn word(&self) -> &'static str {
        self.describe().word
    }
}

/// Memory of a pair between queries.
pub type Memory<F = PatchHierarchy> = driver::Memory<Space<F>>;

/// The hulls of a pair for drawing, and buffers.
#[derive(Debug)]
pub struct Space<F: Form> {
    scene: Option<Scene>,
    lists: Lists,
    of_form: F::Space,
}

impl<F: Form> Default for Space<F> {
    fn default() -> Self {
        Self { scene: None, lists: Lists::default(), of_form: F::Space::default() }
    }
}

impl<F: Form> Search for ImageEngine<F> {
    type Model = F::Model;
    type Memory = Space<F>;

    fn describe(&self) -> &Description {
        match self.params.mode {
            Mode::Certified => &F::CERTIFIED,
            Mode::Sampled => &F::SAMPLED,
        }
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<F::Model, PrepareError> {
        self.params.check(self.word())?;
        F::prepare(self.word(), mesh, &self.params, control)
    }

    fn memory(&self) -> Space<F> {
        Space::default()
    }

    fn forget(&self, memory: &mut Space<F>) {
        memory.scene = None;
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, F::Model>,
        memory: &mut Space<F>,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let pair = Pair { a: query.a, b: query.b, pose: query.pose };
        match self.params.mode {
            Mode::Certified => {
                let verdict_only = query.ask.verdict_only && query.ask.needs_solids();
                self.certified(&pair, memory, (counter, query.control), verdict_only, found)
            }
            Mode::Sampled => self.sampled(&pair, memory, (counter, query.control), found),
        }
    }

    /// The sampled form treats the hulls of patches as solids, so it needs no containment test.
    fn leaves_containment(&self) -> bool {
        self.params.mode == Mode::Certified
    }

    /// Linear in the triangles for each point inside the other's box.
    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, F::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        let around = match solid {
            Side::A => F::around(query.a),
            Side::B => F::around(query.b).posed(query.pose),
        };
        inside::winding(query, solid, move |p| around.contains(p))
    }
}

impl<F: Form> ImageEngine<F> {
    /// Boxes prune pairs, the picture orders them, exact tests of triangles decide; or a witness
    /// does, if only the verdict on solids is wanted.
    fn certified<C: Counter>(
        &self,
        pair: &Pair<'_, F::Model>,
        memory: &mut Space<F>,
        (counter, control): (&mut C, &Control<'_>),
        verdict_only: bool,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let Space { scene, lists, of_form } = memory;
        let mut leaves = F::leaves(pair, of_form, (counter, control))?;
        // All contacts need all pairs, so the image would not help.
        if found.contacts.wants_first() {
            let view = |hulls| F::view(pair, of_form, hulls);
            let options = self.options(&view, self.params.drawn);
            let scene = Scene::kept(scene, pair);
            counter
                .stage("image", |counter| leaves.look(pair, &options, scene, (counter, control)))?;
            if verdict_only
                && leaves.pairs.iter().any(|leaf| leaf.witness.is_some())
                && Self::reach_out(pair)
                && let Some(settled) = leaves.collide(pair)
            {
                *found.backend = leaves.backend.take().unwrap_or_default();
                *found.certainty = Certainty::Certified { settled, resolved: 0 };
                found.contacts.pass_over(1);
                return Ok(());
            }
            leaves.arrange();
        }
        *found.backend = leaves.backend.take().unwrap_or_default();
        *found.certainty = counter.stage("triangles", |counter| {
            leaves.contacts(pair, lists, (counter, control), &mut found.contacts)
        })?;
        Ok(())
    }

    /// Whether each component of either surface certainly has a vertex outside the other solid.
    fn reach_out(pair: &Pair<'_, F::Model>) -> bool {
        let ([a, b], pose) = (pair.bodies(), pair.pose);
        let (around_a, around_b) = (F::around(pair.a), F::around(pair.b).posed(pose));
        a.extremes().reach_out(a.mesh(), &around_b, |p| *p)
            && b.extremes().reach_out(b.mesh(), &around_a, |p| pose.apply(p))
    }

    /// Drawing options with a view, for at most `most` pairs.
    pub(crate) fn options<'e>(
        &'e self,
        view: &'e dyn Fn([u32; 2]) -> Option<View>,
        most: usize,
    ) -> DrawOptions<'e> {
        DrawOptions { renderer: &self.renderer, word: self.word(), most, view }
    }

    fn sampled<C: Counter>(
        &self,
        pair: &Pair<'_, F::Model>,
        memory: &mut Space<F>,
        (counter, control): (&mut C, &Control<'_>),
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let Space { scene, lists, of_form } = memory;
        let (renderer, word) = (&self.renderer, self.word());
        let mut sampling = Sampling { renderer, word, pair, scene, lists, control, backend: None };
        if let Some(contact) = F::sampled(&mut sampling, of_form, counter)? {
            let _ = found.contacts.take(contact);
        }
        *found.certainty = Certainty::Sampled { resolution: renderer.sizes().most };
        *found.backend = sampling.backend.unwrap_or_default();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use impinge_geometry::Pose;
    use impinge_models::{Random, Shape};
    use impinge_query::{
        Answer, Ask, Cancel, Contact, Control, Counter, Engine, Pictures, Query, QueryError,
        Spread, Statistics, Verdict, driver,
    };

    use crate::{Ibcd, ImageModel, Memory, Params, ibcd_with};

    /// Raises the cancel flag after a number of counted events, so that a query can be cancelled at
    /// every place where it does work.
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
        fn counts(&self) -> bool {
            true
        }
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
        fn drawn(&mut self, _: Pictures) {}
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

    /// Verdict and contacts of a query that is cancelled after a number of counted events; and the
    /// number of events.
    fn cut(
        (engine, [a, b], pose, ask): (&Ibcd, [&ImageModel; 2], &Pose, &Ask),
        memory: &mut Memory,
        after: u64,
    ) -> (Result<(Verdict, Vec<Contact>), QueryError>, u64) {
        let (cancel, counted, mut answer) = (Cancel::new(), AtomicU64::new(0), Answer::default());
        let control = Control::NONE.cancelled_by(&cancel);
        let fuse = Fuse { cancel: &cancel, after, counted: &counted };
        let query = Query { a, b, pose, ask, control: &control };
        let ended = driver::answer(engine, &query, fuse, memory, &mut answer);
        let answered = ended.map(|()| (answer.verdict, answer.contacts));
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
                let asked = (&engine, [&a, &b], &pose, ask);
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
