//! Whether two posed meshes that share points only touch: what is asked of the meshes for that.

use impinge_geometry::touching::{self, Touch, Undecided};
use impinge_geometry::{MeshError, Pose};
use impinge_query::{
    Answer, Ask, Cancelled, Contact, Control, Detector, PrepareError, Prepared, QueryError, Side,
};

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

impl Touching<'_> {
    /// Whether they only touch. `of_a` gives the contacts of A with itself, if they are known.
    ///
    /// # Errors
    /// [`TouchError`].
    pub fn decide(
        &self,
        of_a: Option<&dyn Fn() -> Result<Vec<[u32; 2]>, QueryError>>,
        control: &Control<'_>,
    ) -> Result<Touch, TouchError> {
        let word = self.detector.describe().word;
        let no_mesh = || QueryError::Unanswered { word, what: "touching" };
        let a = self.a.mesh().ok_or_else(no_mesh)?;
        let posed = self.b.mesh().ok_or_else(no_mesh)?.posed(self.b_in_a)?;
        let pairs: Vec<[u32; 2]> = self.contacts.iter().map(|c| [c.a, c.b]).collect();
        // Posing rounds vertices, so what B meets of itself is asked of B as posed.
        let still = *self.b_in_a == Pose::identity();
        let mut itself = |mesh: usize| match (mesh, of_a) {
            (0, Some(known)) => Ok(known()?),
            (0, None) => self_contacts(self.detector, Ok(self.a), control),
            _ if still => self_contacts(self.detector, Ok(self.b), control),
            _ => self_contacts(self.detector, Err(&posed), control),
        };
        let mut look = || control.check().map_err(TouchError::from);
        touching::touch([a, &posed], self.closed, &pairs, &mut itself, &mut look)
    }
}

/// The contacts of a mesh with itself: of a prepared one by its own method if that answers, else by
/// the default method.
pub(crate) fn self_contacts(
    detector: &dyn Detector,
    model: Result<&Prepared, &impinge_geometry::Mesh>,
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
