//! [`Body`]: one mesh, prepared once, asked many times, moved, stored.

use std::sync::Arc;

use impinge_geometry::{Mesh, SharedBytes};
use impinge_query::{
    Answer, Ask, Contact, Control, Description, Detector, PrepareError, Prepared, RefitError, Side,
};
use impinge_scene::{self as scene, World, WorldError};
use impinge_wide::{AlignedBytes, StoredError, WideModel, wide};

use crate::{Error, Method, Settings};

/// One mesh prepared by one method. Clones share the prepared data.
///
/// ```
/// use impinge::{Body, Pair, Pose, Vector, models::Shape};
/// let gear = Body::new(&Shape::Gear.mesh(1_000, 0))?; // prepared once, used in two pairs
/// let ball = Body::new(&Shape::Sphere.mesh(500, 0))?;
/// let pose = Pose::translation_by(Vector::new(0.5, 0.0, 0.0))?;
/// assert!(Pair::of(&gear, &ball)?.intersects(&pose)?);
/// assert!(Pair::of(&gear, &gear)?.intersects(&pose)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Body {
    method: Method,
    pub(crate) detector: Arc<dyn Detector>,
    pub(crate) prepared: Arc<Prepared>,
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Body").field(&self.prepared).finish()
    }
}

impl Body {
    /// `mesh` prepared by the default method.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh.
    pub fn new(mesh: &Mesh) -> Result<Self, PrepareError> {
        Self::with(Method::default(), mesh, &Control::NONE)
    }

    /// `mesh` prepared by `method`, with progress and cancellation.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh, or the caller cancelled.
    pub fn with(method: Method, mesh: &Mesh, control: &Control<'_>) -> Result<Self, PrepareError> {
        Self::by(method, method.build(), mesh, control)
    }

    /// As [`Body::with`], by a method with settings of its own. Two bodies make a
    /// [`Pair`](crate::Pair) that answers with the settings of the first.
    ///
    /// # Errors
    /// [`Error::Settings`] if the method does not have them; [`Error::Prepare`].
    pub fn with_settings(
        method: Method,
        settings: &Settings,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self, Error> {
        let detector = method.build_with(settings)?;
        let refuse = |source| Error::Prepare { side: Side::A, source };
        Self::by(method, detector, mesh, control).map_err(refuse)
    }

    fn by(
        method: Method,
        detector: Box<dyn Detector>,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let detector: Arc<dyn Detector> = Arc::from(detector);
        let prepared = Arc::new(detector.prepare(mesh, control)?);
        Ok(Self { method, detector, prepared })
    }

    /// The method that prepared this body.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// What the method is and answers, with the settings of this body.
    pub fn description(&self) -> &Description {
        self.detector.describe()
    }

    /// The prepared data, with its counts and sizes in bytes.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The body as a shape for objects of a [`World`](crate::World) with the same method. O(n): make
    /// it once, and clone it for every object.
    ///
    /// # Errors
    /// [`WorldError::NoMesh`] of methods that do not keep the mesh.
    pub fn shape(&self) -> Result<scene::Shape, WorldError> {
        scene::Shape::of(Arc::clone(&self.prepared))
    }

    /// A world whose pairs are answered by this body's method, with its settings.
    pub fn world(&self) -> World {
        World::of(Arc::clone(&self.detector))
    }

    /// The mesh; `None` for methods that do not keep it, which are those of [`outside`](crate::outside).
    pub fn mesh(&self) -> Option<&Mesh> {
        self.prepared.mesh()
    }

    /// Whether the mesh meets itself, as defined at [`self_intersects`](crate::self_intersects).
    ///
    /// # Errors
    /// [`Error::Query`], also if the method does not answer this question: see
    /// [`Description::self_contacts`](crate::query::Description::self_contacts).
    pub fn self_intersects(&self) -> Result<bool, Error> {
        Ok(self.ask_self(&Ask::first_contact(), &Control::NONE)?.verdict.is_hit())
    }

    /// All pairs of the mesh's triangles that meet in this sense, `a < b`, ascending.
    ///
    /// # Errors
    /// As [`Body::self_intersects`].
    pub fn self_contacts(&self) -> Result<Vec<Contact>, Error> {
        Ok(self.ask_self(&Ask::all_contacts(), &Control::NONE)?.contacts)
    }

    /// Asks a contact question about the mesh against itself.
    ///
    /// # Errors
    /// As [`Body::self_intersects`].
    pub fn ask_self(&self, ask: &Ask, control: &Control<'_>) -> Result<Answer, Error> {
        let (mut memory, mut answer) = (self.detector.memory(), Answer::default());
        self.detector.query_self(&self.prepared, &mut memory, ask, control, &mut answer)?;
        Ok(answer)
    }

    /// Gives the triangles the vertices of `mesh`, which has the same triangles. Refits the prepared
    /// data, in O(n) for most methods; methods without a refit prepare the mesh anew. So does a
    /// body that shares its prepared data with clones or with a [`Pair`](crate::Pair): they keep
    /// the old shape. To move a mesh of a pair, see [`Pair::refit`](crate::Pair::refit).
    ///
    /// # Errors
    /// [`Error::Refit`] names the first triangle that differs, or what is wrong with a vertex;
    /// [`Error::Prepare`] if the mesh is prepared anew and the method cannot take it. The body is
    /// then unchanged.
    ///
    /// ```
    /// use impinge::{Body, models::Shape};
    /// let ball = Shape::Sphere.mesh(500, 0);
    /// let mut body = Body::new(&ball)?;
    /// body.refit(&ball.scaled(2.0)?)?; // the same triangles, twice as far out
    /// assert!(body.refit(&Shape::Cube.mesh(12, 0)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit(&mut self, mesh: &Mesh) -> Result<(), Error> {
        self.moved(Side::A, mesh)
    }

    /// [`Body::refit`]; errors of preparation name `side`.
    pub(crate) fn moved(&mut self, side: Side, mesh: &Mesh) -> Result<(), Error> {
        if let Some(own) = self.mesh() {
            same_triangles(own, mesh)?;
        }
        // A shared model is not changed, and not copied either: two copies would have one identity,
        // by which memories of pairs tell shapes apart.
        if let Some(prepared) = Arc::get_mut(&mut self.prepared) {
            match self.detector.refit(prepared, mesh.vertices(), &Control::NONE) {
                Err(RefitError::Unsupported { .. }) => {}
                refitted => return Ok(refitted?),
            }
        }
        let prepared = self.detector.prepare(mesh, &Control::NONE);
        self.prepared = Arc::new(prepared.map_err(|source| Error::Prepare { side, source })?);
        Ok(())
    }

    /// The prepared data and the mesh as bytes for [`Body::from_bytes`]: the same on every machine,
    /// about 1.5 times those of the mesh's own arrays, with a checksum. O(n).
    ///
    /// # Errors
    /// [`Error::NotStored`] for every method but [`Method::Wide`].
    ///
    /// ```
    /// use impinge::{Body, models::Shape};
    /// let gear = Shape::Gear.mesh(1_000, 0);
    /// let bytes = Body::new(&gear)?.to_bytes()?;
    /// assert_eq!(Body::from_bytes(&bytes)?.mesh(), Some(&gear));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.wide()?.to_bytes())
    }

    /// The body stored by [`Body::to_bytes`], prepared by [`Method::Wide`]. Takes about a fifth of the
    /// time of preparing. Bytes from any source are safe: they are refused, or give a body whose
    /// answers are right for its [`mesh`](Body::mesh).
    ///
    /// # Errors
    /// [`StoredError`] tells what is wrong and where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        Self::from_bytes_with(bytes, &Control::NONE)
    }

    /// As [`Body::from_bytes`], with progress and cancellation.
    ///
    /// # Errors
    /// As there, also if the caller cancelled.
    pub fn from_bytes_with(bytes: &[u8], control: &Control<'_>) -> Result<Self, StoredError> {
        Ok(Self::of_wide(WideModel::from_bytes(bytes, control)?))
    }

    /// The prepared data and the mesh as they lie in memory, for [`Body::view`]: about twice the
    /// bytes of [`Body::to_bytes`], the same on every little-endian machine, with a checksum. O(n).
    ///
    /// # Errors
    /// As [`Body::to_bytes`].
    ///
    /// ```
    /// use impinge::{Body, models::Shape, query::Control};
    /// let gear = Shape::Gear.mesh(1_000, 0);
    /// let bytes = Body::new(&gear)?.to_image()?.shared(); // or a mapped file
    /// assert_eq!(Body::view(&bytes, &Control::NONE)?.mesh(), Some(&gear));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_image(&self) -> Result<AlignedBytes, Error> {
        Ok(self.wide()?.to_image())
    }

    /// A body over the bytes of [`Body::to_image`], a mapped file or shared memory, which it keeps:
    /// nothing is copied until it is refitted. Checks all of them once, which takes about as long as
    /// [`Body::from_bytes`], and as safely.
    ///
    /// # Errors
    /// [`StoredError`] tells what is wrong and where.
    pub fn view(bytes: &SharedBytes, control: &Control<'_>) -> Result<Self, StoredError> {
        Ok(Self::of_wide(WideModel::view(bytes, control)?))
    }

    /// The same of bytes that [`Body::view`] has accepted before, in this process or another. Of other
    /// bytes, answers may be wrong, and a query may panic or not end: see [`WideModel::view_again`].
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn view_again(bytes: &SharedBytes) -> Result<Self, StoredError> {
        Ok(Self::of_wide(WideModel::view_again(bytes)?))
    }

    fn of_wide(model: WideModel) -> Self {
        let engine = wide();
        let prepared = Arc::new(Prepared::new(&engine, model));
        Self { method: Method::Wide, detector: Arc::new(engine), prepared }
    }

    fn wide(&self) -> Result<&WideModel, Error> {
        let model = self.prepared.model::<WideModel>().filter(|_| self.method == Method::Wide);
        model.ok_or_else(|| Error::NotStored { word: self.method.word() })
    }
}

/// Checks that both meshes have the same triangles.
fn same_triangles(own: &Mesh, other: &Mesh) -> Result<(), RefitError> {
    let (own, other) = (own.triangles(), other.triangles());
    if own == other {
        return Ok(());
    }
    let same = own.iter().zip(other).take_while(|(a, b)| a == b).count();
    Err(RefitError::OtherTriangles { triangle: same as u32 })
}
