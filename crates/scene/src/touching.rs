//! Whether two posed meshes that share points only touch: what is asked of the meshes for that.

use impinge_geometry::exact::meet_elsewhere;
use impinge_geometry::touching::{self, Touch, Undecided, crossing_is_evident};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, MeshError, Pose};
use impinge_query::{
    Answer, Ask, Cancelled, Contact, Control, Detector, PrepareError, Prepared, QueryError, Side,
};
use impinge_wide::WideModel;

/// Why it is not known whether two meshes touch.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TouchError {
    /// What is inside a closed mesh is not certain: it meets itself, or more than two triangles
    /// share an edge.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// B as posed cannot be prepared.
    #[error("mesh {side}: {source}")]
    Prepare {
        /// The mesh.
        side: Side,
        /// Why.
        source: PrepareError,
    },
    /// A query failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<Cancelled> for TouchError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Query(cancelled.into())
    }
}

impl From<MeshError> for TouchError {
    fn from(error: MeshError) -> Self {
        Self::Query(QueryError::OutOfRange(error))
    }
}

/// Two meshes of one method that share points.
#[derive(Clone, Copy)]
pub struct Touching<'a> {
    /// The method.
    pub detector: &'a dyn Detector,
    /// The prepared mesh A.
    pub a: &'a Prepared,
    /// The prepared mesh B.
    pub b: &'a Prepared,
    /// B's pose in A's frame.
    pub b_in_a: &'a Pose,
    /// All pairs of triangles that meet, at least one.
    pub contacts: &'a [Contact],
    /// Whether A, and B as posed, are closed, if it is known. Posing keeps a closed surface closed, and
    /// may close an open one by rounding.
    pub closed: [Option<bool>; 2],
}

impl std::fmt::Debug for Touching<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.detector.describe().word;
        f.debug_struct("Touching").field("word", &word).finish_non_exhaustive()
    }
}

/// The pairs of a mesh's triangles that may meet elsewhere than neighbours do after each corner has
/// moved by up to `room`, beside a rotation and a translation.
#[derive(Clone, Debug)]
pub(crate) struct Restless {
    room: f64,
    /// `None` if they are too many to list.
    pairs: Option<Vec<[u32; 2]>>,
    /// The largest coordinate.
    most: f64,
}

/// Gives what is known of a mesh.
pub(crate) type Known<'k> = &'k dyn Fn() -> Result<Option<&'k Restless>, TouchError>;

/// Room for rounding, in sizes of a mesh: enough for translations of some hundred sizes, and so little
/// that hardly a pair of triangles is that near.
const ROOM: f64 = 1.0 / (1u64 << 38) as f64;
/// What posing moves a point by beside a rigid motion, in units of its coordinates and of the
/// translation: rotations are orthonormal to within `48 u` in norm, and posing rounds by
/// `4 u (3 M + T)` along each axis, with `u = 2⁻⁵³`. In length, that is less than `105 u M + 7 u T`.
const POSING: f64 = 256.0 / (1u64 << 53) as f64;

impl Restless {
    /// Finds them; `None` if the mesh was not prepared by the default method.
    pub(crate) fn of(
        prepared: &Prepared,
        control: &Control<'_>,
    ) -> Result<Option<Self>, TouchError> {
        let Some(model) = prepared.model::<WideModel>() else { return Ok(None) };
        let bounds = Aabb::fit_points(model.mesh().vertices().iter().copied());
        let size = bounds.map_or(0.0, |b| (b.max - b.min).amax());
        let most = bounds.map_or(0.0, |b| b.max.coords.amax().max(b.min.coords.amax()));
        let room = ROOM * size;
        Ok(Some(Self { room, pairs: model.restless(room, control)?, most }))
    }

    /// The pairs of `mesh` that meet elsewhere: it is the mesh that this is about, posed by `pose`.
    /// `None` if that is not known.
    fn of_posed(&self, mesh: &Mesh, pose: &Pose) -> Option<Vec<[u32; 2]>> {
        let moved = POSING * (self.most + pose.translation().amax()) + f64::MIN_POSITIVE;
        let pairs = self.pairs.as_ref().filter(|_| moved <= self.room)?;
        let meet = |[s, t]: &&[u32; 2]| meet_elsewhere(&mesh.triangle(*s), &mesh.triangle(*t));
        Some(pairs.iter().filter(meet).copied().collect())
    }
}

impl Touching<'_> {
    /// Whether they only touch. `known` gives what is known of A and of B, which may save their
    /// contacts with themselves.
    ///
    /// # Errors
    /// [`TouchError`].
    pub(crate) fn decide_with(
        &self,
        known: Option<[Known<'_>; 2]>,
        control: &Control<'_>,
    ) -> Result<Touch, TouchError> {
        let (a, posed, pairs) = self.in_frame_of_a()?;
        // Posing rounds vertices, so what B meets of itself is asked of B as posed.
        let still = *self.b_in_a == Pose::identity();
        let mut itself = |mesh: usize| {
            let (own, pose) = [(a, Pose::identity()), (&posed, *self.b_in_a)][mesh];
            if let Some(known) = known
                && let Some(restless) = known[mesh]()?
                && let Some(pairs) = restless.of_posed(own, &pose)
            {
                return Ok(pairs);
            }
            match mesh {
                0 => self_contacts(self.detector, Ok(self.a), control),
                _ if still => self_contacts(self.detector, Ok(self.b), control),
                _ => self_contacts(self.detector, Err(&posed), control),
            }
        };
        let mut look = || control.check().map_err(TouchError::from);
        touching::touch([a, &posed], self.closed, &pairs, &mut itself, &mut look)
    }

    /// A, B as posed, and the triangles that meet.
    fn in_frame_of_a(&self) -> Result<(&Mesh, Mesh, Vec<[u32; 2]>), TouchError> {
        let word = self.detector.describe().word;
        let no_mesh = || QueryError::Unanswered { word, what: "touching" };
        let a = self.a.mesh().ok_or_else(no_mesh)?;
        let posed = self.b.mesh().ok_or_else(no_mesh)?.posed(self.b_in_a)?;
        Ok((a, posed, self.contacts.iter().map(|c| [c.a, c.b]).collect()))
    }

    /// Whether the contacts show by themselves that the meshes go into each other; here they may be some of all.
    ///
    /// # Errors
    /// [`TouchError`].
    pub(crate) fn cross_evidently(&self, control: &Control<'_>) -> Result<bool, TouchError> {
        let (a, posed, pairs) = self.in_frame_of_a()?;
        crossing_is_evident([a, &posed], &pairs, &mut || control.check().map_err(TouchError::from))
    }

    /// Whether they only touch.
    ///
    /// # Errors
    /// [`TouchError`].
    pub fn decide(&self, control: &Control<'_>) -> Result<Touch, TouchError> {
        self.decide_with(None, control)
    }
}

/// The contacts of a mesh with itself: of a prepared one by its own method if that answers, else by
/// the default method.
fn self_contacts(
    detector: &dyn Detector,
    model: Result<&Prepared, &Mesh>,
    control: &Control<'_>,
) -> Result<Vec<[u32; 2]>, TouchError> {
    let standard = impinge_wide::wide();
    let mut answer = Answer::default();
    let ask = Ask::all_contacts();
    let prepare = |mesh| {
        let prepared = Detector::prepare(&standard, mesh, control);
        prepared.map_err(|source| match source {
            PrepareError::Cancelled(cancelled) => TouchError::from(cancelled),
            source => TouchError::Prepare { side: Side::B, source },
        })
    };
    match model {
        Ok(prepared) if detector.describe().self_contacts => {
            detector.query_self(prepared, &mut detector.memory(), &ask, control, &mut answer)?;
        }
        model => {
            let word = detector.describe().word;
            let no_mesh = QueryError::Unanswered { word, what: "touching" };
            let mesh = model.map_or_else(Some, Prepared::mesh).ok_or(no_mesh)?;
            let (own, memory) = (prepare(mesh)?, &mut Detector::memory(&standard));
            Detector::query_self(&standard, &own, memory, &ask, control, &mut answer)?;
        }
    }
    Ok(answer.contacts.iter().map(|c| [c.a, c.b]).collect())
}
