//! Whether two meshes that share points only touch.

use impinge_geometry::Pose;
use impinge_geometry::touching::{Touch, Undecided};
use impinge_query::{
    Answer, Ask, BatchError, Cancelled, Control, PairMemory, QueryError, Side, batch,
};
use impinge_scene::touching::{TouchError, Touching};

use crate::{Body, Error, Pair};

/// What is asked, for errors.
const QUESTION: &str = "whether surfaces only touch";

impl Pair {
    /// How the surfaces share points; `None` if they share none. Exact, whatever touches: a part
    /// resting on another, sharing a face, an edge or a corner with it.
    ///
    /// - Closed meshes [touch](Touch::Touches) if no point is inside both. A part that lies flush
    ///   inside another [pierces](Touch::Pierces) it.
    /// - If one of the meshes is open, they touch if their surfaces nowhere cross: neither inside
    ///   two triangles, nor along an edge, with parts of one surface on both sides of the other.
    ///
    /// Costs as much as all contacts; where no two triangles cross, it also prepares B as posed,
    /// and asks for the contacts of each mesh with itself.
    ///
    /// # Errors
    /// [`Error::Undecided`] if what is inside a closed mesh is not certain: it meets itself, or
    /// more than two triangles share an edge. [`Error::Query`], also of a method that is not
    /// [exact](impinge_query::Description::exact).
    ///
    /// ```
    /// use impinge::{Pair, Pose, Touch, Vector, models::Shape};
    /// let cube = Shape::Cube.mesh(12, 0); // edge 1
    /// let mut pair = Pair::new(&cube, &cube)?;
    /// let mut at = |x: f64| pair.touch(&Pose::translation_by(Vector::new(x, 0.25, 0.0))?);
    /// assert_eq!(at(1.5)?, None);
    /// assert_eq!(at(1.0)?, Some(Touch::Touches)); // side by side
    /// assert_eq!(at(1.0 - f64::EPSILON)?, Some(Touch::Pierces));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn touch(&mut self, b_in_a: &Pose) -> Result<Option<Touch>, Error> {
        self.touch_with(b_in_a, &Control::NONE)
    }

    /// As [`Pair::touch`], with cancellation.
    ///
    /// # Errors
    /// As [`Pair::touch`], also if the caller cancelled.
    pub fn touch_with(
        &mut self,
        b_in_a: &Pose,
        control: &Control<'_>,
    ) -> Result<Option<Touch>, Error> {
        self.description().check_exact(QUESTION)?;
        let Self { a, b, memory, answer, .. } = self;
        touch_of([a, b], b_in_a, (memory, answer), control)
    }

    /// [`Pair::touch_with`] at every pose, over all threads of the caller's rayon pool, or of the global one;
    /// calls `each` with every answer and its pose's index, in order.
    ///
    /// # Errors
    /// [`Error::Batch`] has the index of the first pose without an answer; those before it have been
    /// delivered. Of one that is not certain, [`Error::Undecided`].
    pub fn touches(
        &self,
        poses: &[Pose],
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Option<Touch>),
    ) -> Result<(), Error> {
        self.description().check_exact(QUESTION)?;
        let Self { a, b, .. } = self;
        let fresh = || (a.detector.memory(), Answer::default());
        let work = |index: usize, (memory, answer): &mut (_, _), control: &Control<'_>| {
            touch_of([a, b], &poses[index], (memory, answer), control)
        };
        batch::answers(poses.len(), fresh, control, work, each).map_err(
            |(index, error)| match error {
                Error::Query(source) => BatchError { index, source }.into(),
                error => error,
            },
        )
    }
}

/// How the surfaces of two bodies share points.
fn touch_of(
    [a, b]: [&Body; 2],
    b_in_a: &Pose,
    (memory, answer): (&mut PairMemory, &mut Answer),
    control: &Control<'_>,
) -> Result<Option<Touch>, Error> {
    a.detector.query(
        &a.prepared,
        &b.prepared,
        b_in_a,
        memory,
        &Ask::all_contacts(),
        control,
        answer,
    )?;
    if answer.contacts.is_empty() {
        return Ok(None);
    }
    let (detector, closed) = (&*a.detector, [None; 2]);
    let (a, b, contacts) = (&a.prepared, &b.prepared, &answer.contacts);
    let touching = Touching { detector, a, b, b_in_a, contacts, closed };
    Ok(Some(touching.decide(control)?))
}

impl From<TouchError> for Error {
    fn from(error: TouchError) -> Self {
        match error {
            TouchError::Undecided(source) => source.into(),
            TouchError::Prepare { side, source } => Self::Prepare { side, source },
            TouchError::Query(source) => source.into(),
            error => {
                let reason = error.to_string();
                Self::Query(QueryError::Backend { word: "touching", reason })
            }
        }
    }
}

impl From<Undecided> for Error {
    fn from(source: Undecided) -> Self {
        Self::Undecided { side: if source.mesh() == 0 { Side::A } else { Side::B }, source }
    }
}

impl From<Cancelled> for Error {
    fn from(cancelled: Cancelled) -> Self {
        Self::Query(cancelled.into())
    }
}
