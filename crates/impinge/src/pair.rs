//! [`Pair`]: two prepared meshes, asked many times.

use impinge_continuous::penetration::PenetrationBody;
use impinge_continuous::rigid::Extent;
use impinge_continuous::translation::TranslationBody;
use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Contact, Control, Description, Nearest, PairMemory, QueryError, Side, Verdict,
};

use crate::kept::Kept;
use crate::{Body, Error, Method};

/// Two prepared meshes, with memory that speeds up the next question. Every question takes the pose
/// of B in A's frame; see [`Pose::relative`] for two poses in the world. For several threads, make
/// one pair per thread of the same two bodies.
///
/// ```
/// use impinge::{Pair, Pose, Vector, models::Shape};
/// let (a, b) = (Shape::Torus.mesh(1_000, 0), Shape::Cube.mesh(12, 0));
/// let mut pair = Pair::new(&a, &b)?;
/// let near = Pose::translation_by(Vector::new(0.5, 0.0, 0.0))?;
/// let far = Pose::translation_by(Vector::new(2.0, 0.0, 0.0))?;
/// assert!(pair.intersects(&near)?);
/// assert!(!pair.intersects(&far)?);
/// assert!((pair.distance(&far)?.distance - 1.0).abs() < 0.01);
/// assert!(pair.nearer_than(&far, 1.1)?);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug)]
pub struct Pair {
    pub(crate) a: Body,
    pub(crate) b: Body,
    pub(crate) memory: PairMemory,
    pub(crate) answer: Answer,
    pub(crate) deep: Kept<PenetrationBody>,
    pub(crate) extents: Kept<Extent>,
    pub(crate) ways: Kept<TranslationBody>,
    #[cfg(feature = "methods")]
    pub(crate) drawn: Kept<impinge_image::ldi::LdiModel>,
}

impl Pair {
    /// Both meshes prepared by the default method.
    ///
    /// # Errors
    /// [`Error::Prepare`] names the mesh that cannot be prepared.
    pub fn new(a: &Mesh, b: &Mesh) -> Result<Self, Error> {
        Self::with(Method::default(), a, b)
    }

    /// Both meshes prepared by `method`.
    ///
    /// # Errors
    /// As [`Pair::new`].
    pub fn with(method: Method, a: &Mesh, b: &Mesh) -> Result<Self, Error> {
        let prepare = |side, mesh| {
            Body::with(method, mesh, &Control::NONE)
                .map_err(|source| Error::Prepare { side, source })
        };
        Self::of(&prepare(Side::A, a)?, &prepare(Side::B, b)?)
    }

    /// Pairs two prepared bodies; cheap, since nothing is prepared or copied.
    ///
    /// # Errors
    /// [`QueryError::ForeignModel`] if they were prepared by different methods.
    pub fn of(a: &Body, b: &Body) -> Result<Self, Error> {
        if a.method() != b.method() {
            let (word, found) = (a.method().word(), b.method().word());
            return Err(QueryError::ForeignModel { side: Side::B, word, found }.into());
        }
        let memory = a.detector.memory();
        Ok(Self {
            a: a.clone(),
            b: b.clone(),
            memory,
            answer: Answer::default(),
            deep: Kept::default(),
            extents: Kept::default(),
            ways: Kept::default(),
            #[cfg(feature = "methods")]
            drawn: Kept::default(),
        })
    }

    /// The method of both bodies.
    pub const fn method(&self) -> Method {
        self.a.method()
    }

    /// What the method is and answers, with the settings of the first body.
    pub fn description(&self) -> &Description {
        self.a.description()
    }

    /// Moves the vertices of one of the meshes: see [`Body::refit`]. Other pairs of the same body
    /// keep its old shape.
    ///
    /// # Errors
    /// As [`Body::refit`]; the pair is then unchanged.
    pub fn refit(&mut self, side: Side, mesh: &Mesh) -> Result<(), Error> {
        self.deep.forget(side);
        self.extents.forget(side);
        self.ways.forget(side);
        #[cfg(feature = "methods")]
        self.drawn.forget(side);
        let body = match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        };
        body.moved(side, mesh)
    }

    /// Whether the surfaces share a point. Touching counts.
    ///
    /// # Errors
    /// [`Error::Query`], here and below.
    pub fn intersects(&mut self, b_in_a: &Pose) -> Result<bool, Error> {
        Ok(self.ask(b_in_a, &Ask::first_contact())?.verdict.is_hit())
    }

    /// Every pair of triangles that meet, ascending by (a, b).
    ///
    /// # Errors
    /// [`Error::Query`].
    pub fn contacts(&mut self, b_in_a: &Pose) -> Result<&[Contact], Error> {
        Ok(&self.ask(b_in_a, &Ask::all_contacts())?.contacts)
    }

    /// The least distance of the surfaces and where it is attained; 0 if they meet.
    ///
    /// # Errors
    /// [`Error::Query`].
    pub fn distance(&mut self, b_in_a: &Pose) -> Result<Nearest, Error> {
        let word = self.method().word();
        Ok(nearest(word, self.ask(b_in_a, &Ask::distance())?)?)
    }

    /// Whether the distance of the surfaces is at most `d`.
    ///
    /// # Errors
    /// [`Error::Query`], also if `d` is negative or not finite.
    pub fn nearer_than(&mut self, b_in_a: &Pose, d: f64) -> Result<bool, Error> {
        Ok(nearer(self.ask(b_in_a, &Ask::nearer_than(d))?))
    }

    /// Whether the solids collide: the surfaces meet, or one holds a component of the other.
    ///
    /// # Errors
    /// [`Error::Query`], also if a mesh is not closed: the error names the edge.
    pub fn collide_solids(&mut self, b_in_a: &Pose) -> Result<Verdict, Error> {
        Ok(self.ask(b_in_a, &Ask::first_contact().solids().verdict_only())?.verdict)
    }

    /// Whether B lies wholly inside the solid A: every point of B's surface and every point inside
    /// B is inside A and off A's surface. For cavities and several components see
    /// [`contains`](crate::contains).
    ///
    /// # Errors
    /// [`Error::Query`], also if a mesh is not closed: the error names the edge.
    pub fn contains(&mut self, b_in_a: &Pose) -> Result<bool, Error> {
        Ok(contained(self.ask(b_in_a, &Ask::contained_in())?))
    }

    /// Answers any question, with its options.
    ///
    /// # Errors
    /// [`Error::Query`].
    pub fn ask(&mut self, b_in_a: &Pose, ask: &Ask) -> Result<&Answer, Error> {
        self.ask_with(b_in_a, ask, &Control::NONE)
    }

    /// As [`Pair::ask`], with cancellation.
    ///
    /// # Errors
    /// [`Error::Query`]; a cancelled question is an error, never "separated".
    pub fn ask_with(
        &mut self,
        b_in_a: &Pose,
        ask: &Ask,
        control: &Control<'_>,
    ) -> Result<&Answer, Error> {
        let Self { a, b, memory, answer, .. } = self;
        let (m, n) = (&a.prepared, &b.prepared);
        a.detector.query(m, n, b_in_a, memory, ask, control, answer)?;
        Ok(answer)
    }

    /// Answers the same question for every pose, in order. The default method uses all threads of
    /// the caller's rayon pool, or of the global one; the answers equal those of single calls.
    ///
    /// # Errors
    /// [`Error::Batch`] names the first pose without an answer.
    ///
    /// ```
    /// use impinge::{Ask, Pair, Pose, Vector, models::Shape};
    /// let ball = Shape::Sphere.mesh(500, 0);
    /// let poses: Vec<Pose> = (0..5)
    ///     .map(|i| Pose::translation_by(Vector::new(0.4 * f64::from(i), 0.0, 0.0)))
    ///     .collect::<Result<_, _>>()?;
    /// let answers = Pair::new(&ball, &ball)?.batch(&poses, &Ask::first_contact())?;
    /// let hits: Vec<bool> = answers.iter().map(|answer| answer.verdict.is_hit()).collect();
    /// assert_eq!(hits, [true, true, true, false, false]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn batch(&mut self, poses: &[Pose], ask: &Ask) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(poses.len());
        let mut keep = |_: usize, answer: &Answer| answers.push(answer.clone());
        self.batch_with(poses, ask, &Control::NONE, &mut keep)?;
        Ok(answers)
    }

    /// As [`Pair::batch`], but calls `each` with every answer and its pose's index.
    ///
    /// # Errors
    /// [`Error::Batch`]; the answers of earlier poses have been delivered.
    pub fn batch_with(
        &mut self,
        poses: &[Pose],
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), Error> {
        let (m, n) = (&self.a.prepared, &self.b.prepared);
        Ok(self.a.detector.batch(m, n, poses, &mut self.memory, ask, control, each)?)
    }
}

/// The distance in `answer`, or an error if the method gave none.
pub(crate) fn nearest(word: &'static str, answer: &Answer) -> Result<Nearest, QueryError> {
    let reason = || "it answered without a distance".to_owned();
    answer.nearest.ok_or_else(|| QueryError::Backend { word, reason: reason() })
}

/// Whether B is wholly inside A.
pub(crate) fn contained(answer: &Answer) -> bool {
    answer.contained == Some(true)
}

/// Whether the surfaces are at most the asked distance apart.
pub(crate) fn nearer(answer: &Answer) -> bool {
    answer.nearer.unwrap_or(answer.verdict.is_hit())
}
