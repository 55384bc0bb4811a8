//! `Model`: one mesh, prepared once, and never changed.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use impinge::geometry::volume::Aabb;
use impinge::geometry::{OpenSurface, Topology};
use impinge::models::files::{self, FileError, MAX_FILE_BYTES, ReadOptions, RegularFile};
use impinge::query::{Answer, Ask, Control, PrepareError};
use impinge::scene::Shape;
use impinge::wide::WideModel;
use impinge::{Body, Contact, Mesh, Method};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;

use crate::poses::{self, Poses};
use crate::watch::{Pace, left, tried, watched};
use crate::{arrays, errors, kept};

/// One mesh, prepared once, never changed: of any number of pairs, worlds and threads.
///
/// Pickles by its stored bytes, which other processes and machines read; one that views memory, too: what is
/// unpickled has a copy of its own. To share the memory, send the path or the array, and view it there.
///
/// Prepares a mesh.
///
/// vertices: (n, 3), lengths in any unit, finite and at most 1e300 in magnitude.
/// faces: (m, 3), indices of vertices, counter-clockwise seen from outside; any numeric type.
/// Raises `MeshError`, whose `vertex` or `triangle` is the first that is refused.
/// O(m log m).
#[pyclass(frozen, module = "impinge", weakref)]
pub(crate) struct Model {
    body: Body,
    /// The same mesh prepared by other methods, when a pair or a world first asks for one.
    others: Mutex<Vec<Body>>,
    shapes: Mutex<Vec<(Method, Shape)>>,
    closed: OnceLock<Result<(), OpenSurface>>,
    vertices: PyOnceLock<Py<PyArray2<f64>>>,
    faces: PyOnceLock<Py<PyArray2<u32>>>,
    /// What it was told to view.
    memory: Option<Py<PyArray1<u8>>>,
}

impl Model {
    /// A model of a prepared mesh.
    pub(crate) fn of(body: Body) -> Self {
        Self {
            body,
            others: Mutex::default(),
            shapes: Mutex::default(),
            closed: OnceLock::new(),
            vertices: PyOnceLock::new(),
            faces: PyOnceLock::new(),
            memory: None,
        }
    }

    /// The mesh; the default method keeps it.
    pub(crate) fn mesh(&self) -> PyResult<&Mesh> {
        self.body.mesh().ok_or_else(|| PyValueError::new_err("the method keeps no mesh"))
    }

    /// The number of triangles.
    pub(crate) fn size(&self) -> usize {
        self.body.prepared().triangles()
    }

    /// The mesh prepared by a method.
    pub(crate) fn body(&self, py: Python<'_>, method: Method) -> PyResult<Body> {
        if method == Method::Wide {
            return Ok(self.body.clone());
        }
        let find = |list: &[Body]| list.iter().find(|body| body.method() == method).cloned();
        let others = || self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(body) = find(&others()) {
            return Ok(body);
        }
        let mesh = self.mesh()?;
        let body = prepared(py, method, mesh, None)?
            .map_err(|error| errors::of_preparation(py, &error))?;
        // Another thread may have been first; two bodies of one mesh are equally good.
        others().push(body.clone());
        Ok(body)
    }

    /// The mesh as a shape for worlds of a method.
    pub(crate) fn shape(&self, py: Python<'_>, method: Method) -> PyResult<Shape> {
        let shapes = || self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |list: &[(Method, Shape)]| {
            list.iter().find(|(of, _)| *of == method).map(|(_, shape)| shape.clone())
        };
        if let Some(shape) = find(&shapes()) {
            return Ok(shape);
        }
        let body = self.body(py, method)?;
        let made = py.detach(|| body.shape()).map_err(|error| errors::plain(py, error))?;
        let mut shapes = shapes();
        // Worlds tell shapes apart by identity, so the first one stays.
        Ok(find(&shapes).unwrap_or_else(|| {
            shapes.push((method, made.clone()));
            made
        }))
    }

    fn prepared(
        py: Python<'_>,
        mesh: &Mesh,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let body = prepared(py, Method::Wide, mesh, progress)?;
        Ok(Self::of(body.map_err(|error| errors::of_preparation(py, &error))?))
    }

    /// A model of stored bytes, of a file if `path` says so.
    fn from_stored(
        py: Python<'_>,
        bytes: &[u8],
        path: Option<&Path>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let read = |control: &Control<'_>| Body::from_bytes_with(bytes, control);
        let body = tried(py, &Pace::default(), progress, read)?;
        Ok(Self::of(body.map_err(|error| errors::of_stored(py, &error, path))?))
    }

    /// Asks about the pairs of the model's own triangles.
    fn ask_self(
        &self,
        py: Python<'_>,
        ask: &Ask,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let ask_it = |control: &Control<'_>| self.body.ask_self(ask, control);
        let answer = tried(py, &Pace::default(), progress, ask_it)?;
        answer.map_err(|error| errors::of(py, &error))
    }

    /// A model over the bytes of an array, of a file if `path` says so.
    fn viewed(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        checked: bool,
        path: Option<&Path>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (bytes, memory) = kept::kept(data)?;
        let body = if checked {
            py.detach(|| Body::view_again(&bytes))
        } else {
            tried(py, &Pace::default(), progress, |control| Body::view(&bytes, control))?
        };
        let body = body.map_err(|error| errors::of_stored(py, &error, path))?;
        Ok(Self { memory, ..Self::of(body) })
    }
}

/// Meshes of at most so many triangles are prepared in some ten milliseconds.
const SMALL: usize = 10_000;

/// A mesh prepared by a method.
pub(crate) fn prepared(
    py: Python<'_>,
    method: Method,
    mesh: &Mesh,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Result<Body, PrepareError>> {
    let make = |control: &Control<'_>| Body::with(method, mesh, control);
    if mesh.triangles().len() <= SMALL && progress.is_none() {
        Ok(py.detach(|| make(&Control::NONE)))
    } else {
        watched(py, progress, make)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (vertices, faces, *, progress=None))]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::prepared(py, &arrays::mesh(vertices, faces)?, progress)
    }

    /// The mesh of an object with `vertices` (n, 3) and `faces` (m, 3).
    #[staticmethod]
    #[pyo3(signature = (mesh, *, progress=None))]
    fn from_trimesh(
        mesh: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::new(mesh.py(), &mesh.getattr("vertices")?, &mesh.getattr("faces")?, progress)
    }

    /// Reads OBJ, STL, PLY, OFF or glTF, or a stored model (`.impinge`).
    ///
    /// A stored image (`to_image`, `impinge prepare --image`) is mapped and viewed, as by `view`: it is
    /// read where the system keeps it, once for all processes. Nobody may write to the file meanwhile;
    /// another one may take its name.
    ///
    /// progress: hears "read", 0 and the bytes of the file while it is read, then of the preparation. After
    /// Ctrl-C a thread may go on reading for a while; nothing waits for it.
    ///
    /// Raises `FileError`, whose attributes name the file and the line, byte or face; `StoredError`; `OSError`.
    #[staticmethod]
    #[pyo3(signature = (path, *, progress=None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let stage = ("read", path.metadata().map_or(0, |file| file.len()));
        let own = path.clone();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("impinge")) {
            let bytes = left(py, progress, stage, move || stored(&own))?;
            let bytes = bytes.map_err(|error| errors::of_file(py, error))?;
            let Some(bytes) = bytes else {
                let map = py.import("numpy")?.call_method1("memmap", (&path, "u1", "r"))?;
                return Self::viewed(py, &map, false, Some(&path), progress);
            };
            return Self::from_stored(py, &bytes, Some(&path), progress);
        }
        let read = move || files::read_with(&own, &ReadOptions::default());
        let loaded = left(py, progress, stage, read)?;
        let loaded = loaded.map_err(|error| errors::of_file(py, error))?;
        Self::prepared(py, &loaded.mesh, progress)
    }

    /// A stored model, of `bytes`, an array (n,) of bytes, or what else NumPy makes one of: a
    /// `bytearray`, a memory map. Bytes from any source are safe.
    ///
    /// The model has copies of its own. Raises `StoredError`.
    #[staticmethod]
    #[pyo3(signature = (data, *, progress=None))]
    fn from_bytes(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Self::from_stored(py, bytes.as_bytes(), None, progress);
        }
        // Others may change while they are read.
        let copy = kept::array(data)?.try_readonly()?.as_array().to_vec();
        Self::from_stored(py, &copy, None, progress)
    }

    /// A model over the bytes of `to_image`: a mapped file, shared memory, an array (n,) of bytes.
    ///
    /// The memory is kept and read where it is, by any number of models and processes; it must be
    /// read-only, and nobody may change it meanwhile. It is copied only if it does not begin at a
    /// multiple of 64 bytes. Where the array reads the memory of another object, such as a shared
    /// memory, that object cannot be closed meanwhile. All of it is checked; with `checked`, which is for bytes that were
    /// checked before, here or in another process, only header and mesh. Raises `StoredError`.
    ///
    ///     memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    ///     model = impinge.Model.view(memory)
    #[staticmethod]
    #[pyo3(signature = (data, *, checked=false, progress=None))]
    fn view(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        checked: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::viewed(py, data, checked, None, progress)
    }

    /// (n,): the array that was given to `view`, or the mapped file, if the mesh lies in it; `None` of a
    /// model with memory of its own, also where `view` had to copy.
    #[getter]
    fn memory(&self, py: Python<'_>) -> PyResult<Option<Py<PyArray1<u8>>>> {
        let Some(array) = &self.memory else { return Ok(None) };
        // Told by where the mesh is, and not by what was asked for.
        let (mesh, begin) = (self.mesh()?.vertices().as_ptr().addr(), array.bind(py).data().addr());
        let inside = (begin..begin + array.bind(py).len()?).contains(&mesh);
        Ok(inside.then(|| array.clone_ref(py)))
    }

    /// The model for `view`: as it lies in memory, about twice the bytes of `to_bytes`. O(n).
    fn to_image<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let image = py.detach(|| self.body.to_image()).map_err(|error| errors::of(py, &error))?;
        Ok(PyBytes::new(py, image.as_ref()))
    }

    /// The model for `from_bytes` and for `.impinge` files: the same on every machine. O(n).
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.body.to_bytes()).map_err(|error| errors::of(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("from_bytes")?;
        Ok((read, (slf.get().to_bytes(slf.py())?,)))
    }

    /// (n, 3), read-only.
    #[getter]
    fn vertices(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let make = || {
            let rows = self.mesh()?.vertices().iter().map(|p| [p.x, p.y, p.z]).collect();
            arrays::frozen(arrays::rows(py, rows)?)
        };
        Ok(self.vertices.get_or_try_init(py, make)?.clone_ref(py))
    }

    /// (m, 3), read-only.
    #[getter]
    fn faces(&self, py: Python<'_>) -> PyResult<Py<PyArray2<u32>>> {
        let make = || arrays::frozen(arrays::rows(py, self.mesh()?.triangles().to_vec())?);
        Ok(self.faces.get_or_try_init(py, make)?.clone_ref(py))
    }

    /// (2, 3): the least and the largest corner of the box of all triangles. O(m).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mesh = self.mesh()?;
        let boxed = py.detach(|| Aabb::fit(mesh.corners()));
        let [low, high] = boxed
            .map_or([[f64::NAN; 3]; 2], |boxed| [boxed.min, boxed.max].map(|p| [p.x, p.y, p.z]));
        arrays::rows(py, vec![low, high])
    }

    /// (n, 2, 3): boxes in the world around the model at a batch of poses, some 1 % larger than the
    /// least. Of two models that a question finds to meet, the boxes overlap. O(m) once, then O(1) a pose.
    fn bounds_at<'py>(&self, poses: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let py = poses.py();
        let Poses::Many(batch) = poses::read(poses)? else {
            return Err(errors::argument("poses must be a batch, (n, 4, 4) or (n, 7)"));
        };
        let (shape, numbers) = (self.shape(py, Method::Wide)?, batch.numbers()?);
        let one = |i: usize| {
            let pose = numbers.pose(i).map_err(|refused| refused.raise(py, Some(i)))?;
            let boxed = shape.posed(&pose, 0.0);
            let ([a, b, c], [d, e, f]): ([f64; 3], [f64; 3]) = (boxed.min.into(), boxed.max.into());
            Ok([a, b, c, d, e, f])
        };
        let all = (0..batch.len()).map(one).collect::<PyResult<Vec<[f64; 6]>>>()?;
        arrays::rows(py, all)?.reshape([batch.len(), 2, 3])
    }

    /// Whether the mesh has an inside: every edge is traversed as often in both directions.
    ///
    /// O(m log m) at the first call.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        let mesh = self.mesh()?;
        let closed = py.detach(|| self.closed.get_or_init(|| Topology::new(mesh).closed()).is_ok());
        Ok(closed)
    }

    /// Bytes in memory, those of `memory` too.
    #[getter]
    fn nbytes(&self) -> usize {
        self.body.prepared().bytes()
    }

    fn __len__(&self) -> usize {
        self.size()
    }

    fn __repr__(&self) -> PyResult<String> {
        let mesh = self.mesh()?;
        let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
        Ok(format!("impinge.Model({vertices} vertices, {triangles} triangles)"))
    }

    /// Whether two triangles share a point off their common corners and edges.
    #[pyo3(signature = (*, progress=None))]
    fn self_collides(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let answer = self.ask_self(py, &Ask::first_contact(), progress)?;
        Ok(answer.verdict.is_hit())
    }

    /// (k, 2): all pairs of triangles that do, the lower index first, ascending; the first `cap`.
    #[pyo3(signature = (*, cap=None, progress=None))]
    fn self_contacts<'py>(
        &self,
        py: Python<'py>,
        cap: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let ask = Ask { cap, ..Ask::all_contacts() };
        contacts(py, &self.ask_self(py, &ask, progress)?.contacts)
    }
}

/// The bytes of a stored model; none of an image, which is better mapped.
fn stored(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let mut file = RegularFile::open(path, MAX_FILE_BYTES)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.size()).unwrap_or(0));
    let mark = WideModel::IMAGE_MARK;
    let mut read = || {
        file.by_ref().take(mark.len() as u64).read_to_end(&mut bytes)?;
        if bytes == mark { Ok(0) } else { file.read_to_end(&mut bytes) }
    };
    match read() {
        Ok(_) => Ok((bytes != mark).then_some(bytes)),
        Err(source) => Err(FileError::Io { path: path.display().to_string(), source }),
    }
}

/// Pairs of triangles as an array (k, 2).
pub(crate) fn contacts<'py>(
    py: Python<'py>,
    contacts: &[Contact],
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    arrays::rows(py, contacts.iter().map(|contact| [contact.a, contact.b]).collect())
}

/// The method of a word.
pub(crate) fn method(word: &str) -> PyResult<Method> {
    word.parse().map_err(|error: impinge::UnknownMethod| PyValueError::new_err(error.to_string()))
}
