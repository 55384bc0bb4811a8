//! The engine `wide`.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Batching, Cancelled, Contacts, Control, Counter, Description, Found, Goal, Meaning,
    Nearest, Needs, Place, PrepareError, Query, QueryError, QuestionKind, RefitError, Search, Side,
    Statistics, driver,
};

use crate::build::Quality;
use crate::counted::{All, First, Nearby, OfItself};
use crate::frame::Frame;
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::contacts::{self, Walk};
use crate::search::front::{FromFront, Front, Keeper, Start};
use crate::search::pair::meet;
use crate::search::ray::Surface;
use crate::search::{Pair, distance};
use crate::share::Shared;
use crate::simd::Width;
use crate::tree::Tree;

const DESCRIPTION: Description = Description {
    word: "wide",
    title: "sixteen oriented boxes at a time, triangles four by four",
    paper: "after li 2019 (a box per node, of the kind that fits best); Gottschalk 1996; Wald 2007",
    needs: Needs { closed: false, gpu: false },
    questions: QuestionKind::ALL,
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    self_contacts: true,
    exact: true,
};

/// Parameters of [`wide_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideParams {
    /// The instruction set; `None` means the fastest that the processor has. One that it lacks is
    /// replaced by [`Width::Portable`]. Answers do not depend on it.
    pub width: Option<Width>,
    /// How trees are cut.
    pub quality: Quality,
}

/// The fast engine: exact contacts, distance and containment of any triangles.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    width: Width,
    quality: Quality,
}

/// The engine with the fastest instruction set of this processor.
pub fn wide() -> Wide {
    wide_with(WideParams::default())
}

/// The engine with the given parameters.
pub fn wide_with(params: WideParams) -> Wide {
    let width = params.width.unwrap_or_else(Width::fastest);
    let width = if width.is_present() { width } else { Width::Portable };
    Wide { width, quality: params.quality }
}

impl Wide {
    /// The instruction set in use.
    pub const fn width(&self) -> Width {
        self.width
    }
}

/// Memory of a pair between queries: the triangles that met last, those that were nearest, what was
/// apart and by how much, and stacks to reuse.
pub type Memory = driver::Memory<Stacks>;

/// Stacks of the searches, kept to reuse their allocations, and where the last one for a first contact
/// ended.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    pub(crate) contacts: contacts::Stack,
    pub(crate) front: Front,
    pub(crate) distance: distance::Stack,
}

impl Search for Wide {
    type Model = WideModel;
    type Memory = Stacks;

    const REMEMBERS: bool = true;

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn batching(&self) -> Batching {
        Batching::OverThreads
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<WideModel, PrepareError> {
        PrepareError::check_count(DESCRIPTION.word, mesh.triangles().len(), Tree::MAX_TRIANGLES)?;
        Ok(WideModel::of(mesh, self.quality, self.width, control)?)
    }

    fn refit(
        &self,
        model: &mut WideModel,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        model.follow(self.quality, self.width, vertices, control)
    }

    /// Compiled for both counters, since a query about boxes that are apart takes no longer than a few
    /// of its own steps (decision 0022).
    #[inline]
    fn answer(
        &self,
        query: &Query<'_, WideModel>,
        memory: &mut Memory,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        if query.ask.count {
            driver::answer(self, query, Statistics::default(), memory, answer)
        } else {
            driver::answer(self, query, (), memory, answer)
        }
    }

    fn memory(&self) -> Stacks {
        Stacks::default()
    }

    /// Stacks are emptied before each search, and opened leaves know their models.
    #[inline]
    fn forget(&self, memory: &mut Stacks) {
        memory.front.forget();
    }

    #[inline]
    fn place(&self, memory: &Stacks) -> Option<Place> {
        memory.contacts.place()
    }

    #[inline]
    fn starts_at_place(&self, memory: &Stacks) -> bool {
        memory.contacts.starts_at_place()
    }

    #[inline]
    fn recall_place(&self, memory: &mut Stacks, place: Option<Place>) {
        memory.contacts.recall(place);
    }

    #[inline(always)]
    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, WideModel>,
        memory: &mut Stacks,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let (models, found) = ([query.a, query.b], &mut found.contacts);
        let Stacks { contacts: stack, front, .. } = memory;
        let first = found.wants_first();
        if first && front.is_apart(models, query.pose) {
            return Ok(());
        }
        // Triangles that met, and others near them, are tested first where they are known.
        let near = if first && stack.starts_at_place() {
            Placement::new(query.pose, models.map(frame), models.map(WideModel::max_abs))
        } else {
            Placement::unless_apart(query.pose, models, counter)
        };
        let Some(placement) = &near else {
            if first {
                front.pass_over();
            }
            return Ok(());
        };
        let pair = Pair { models, pose: query.pose, placement };
        let (width, control) = (self.width, query.control);
        counter.stage("descent", |counter| {
            let shared = Shared { width, pair, control };
            if first {
                counter.count(First { shared, front, stack, found })
            } else {
                counter.count(All { shared, stack, found })
            }
        })?;
        Ok(())
    }

    fn self_contacts<C: Counter>(
        &self,
        query: &Query<'_, WideModel>,
        memory: &mut Stacks,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let (stack, found) = (&mut memory.contacts, &mut found.contacts);
        counter.count(OfItself { width: self.width, query, stack, found })
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, WideModel>,
        goal: Goal,
        most: Option<f64>,
        memory: &mut Stacks,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let models = [query.a, query.b];
        if let Goal::Within(distance) = goal
            && Placement::is_beyond(query.pose, models, distance, counter)
        {
            return Ok(None);
        }
        let placement =
            &Placement::however_far(query.pose, models.map(frame), models.map(WideModel::max_abs));
        let pair = Pair { models, pose: query.pose, placement };
        let (width, control) = (self.width, query.control);
        let question = distance::Question { width, pair, goal, most, control };
        Ok(counter.count(Nearby { question, stack: &mut memory.distance })?)
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, WideModel>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        let surface = match solid {
            Side::A => Surface::new(query.a, Pose::identity()),
            Side::B => Surface::new(query.b, *query.pose),
        };
        move |p, counter| surface.winding(p, counter, query.control)
    }
}

/// Searches for a contact, from the roots or from the front.
#[inline(always)]
pub(crate) fn first_contact<C: Counter>(
    shared: Shared<'_>,
    front: &mut Front,
    stack: &mut contacts::Stack,
    counter: &mut C,
    found: &mut Contacts,
) -> Result<(), Cancelled> {
    let Shared { width, pair, control } = shared;
    if stack.begin_at_place(&pair) && shared.first(stack, found, counter)? {
        return Ok(());
    }
    let start = front.start(&pair);
    if start != Start::Front {
        stack.begin(&pair);
    }
    if start == Start::Plain {
        return shared.first(stack, found, counter).map(drop);
    }
    let mut met = false;
    let hit = |contact| {
        met = true;
        found.take(contact)
    };
    let keeper = Keeper::new(front, &pair);
    let walk = Walk::<_, _, _, _, true>::new(pair, stack, counter, control, hit, meet, keeper);
    let done = if start == Start::Roots { width.run(walk) } else { width.run(FromFront(walk)) };
    front.end(start, done.is_ok() && !met);
    done
}

fn frame(model: &WideModel) -> &Frame {
    &model.tree.frame
}
