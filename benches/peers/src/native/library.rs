//! The only file that calls C++: a loaded shim, its models, and its broad phases. Signatures are
//! those of `benches/peers/shim/peer.h`. The preconditions of the calls are established and checked
//! here.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use impinge::Mesh;

/// `PEER_INTERFACE` of `peer.h`.
const INTERFACE: i32 = 2;

/// The purpose of a model; the values are those of `peer.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Contacts = 0,
    Distance = 1,
}

/// A broad phase of the library; the values are those of `peer.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BroadPhase {
    Tree = 0,
    Array = 1,
    SaP = 2,
    SSaP = 3,
    Intervals = 4,
    Hash = 5,
}

/// A model of the library, opaque.
#[repr(C)]
struct Opaque {
    _nothing: [u8; 0],
}

/// Boxes in a broad phase of the library, opaque.
#[repr(C)]
struct OpaqueBoxes {
    _nothing: [u8; 0],
}

// SAFETY: a type alone has no obligations; each call below justifies how it meets `peer.h`.
type Number = unsafe extern "C" fn() -> i32;
type Text = unsafe extern "C" fn() -> *const c_char;
type Build = unsafe extern "C" fn(*const f64, u64, *const u32, u64, i32) -> *mut Opaque;
type Free = unsafe extern "C" fn(*mut Opaque);
type Bytes = unsafe extern "C" fn(*const Opaque) -> u64;
type Collide =
    unsafe extern "C" fn(*const Opaque, *const Opaque, *const f64, u64, i32, *mut u32, u64) -> i64;
type Distance = unsafe extern "C" fn(*const Opaque, *const Opaque, *const f64) -> f64;
// SAFETY: as above.
type BoxesBuild = unsafe extern "C" fn(*const f64, u64, i32) -> *mut OpaqueBoxes;
type BoxesFree = unsafe extern "C" fn(*mut OpaqueBoxes);
type BoxesMove = unsafe extern "C" fn(*mut OpaqueBoxes, *const f64, *const u32, u64, i32) -> i32;
type BoxesPairs = unsafe extern "C" fn(*const OpaqueBoxes, *mut u32, u64) -> i64;

/// A shim with the library that it is linked to.
pub(super) struct Library {
    version: String,
    needs_distance_model: bool,
    build: Build,
    free: Free,
    bytes: Bytes,
    collide: Collide,
    distance: Distance,
    boxes_build: BoxesBuild,
    boxes_free: BoxesFree,
    boxes_move: BoxesMove,
    boxes_pairs: BoxesPairs,
    /// Keeps the code behind the function pointers loaded.
    _loaded: libloading::Library,
}

impl Library {
    /// Loads the shim in `path`.
    ///
    /// # Errors
    /// If the file does not load or has another interface version; the error names it.
    pub(super) fn open(path: &Path) -> Result<Arc<Self>, String> {
        let said = |error: libloading::Error| format!("{}: {error}", path.display());
        // SAFETY: loading runs the initialisers of the shim and of the library that it is linked
        // to. They are those of a C++ library that the user installed and asked for, and need
        // nothing of us.
        let loaded = unsafe { libloading::Library::new(path) }.map_err(said)?;
        // SAFETY: `peer.h` declares these names with these types, and `peer_interface` is checked
        // below before anything else is called; its own type never changes.
        let library = unsafe {
            let interface: Number = *loaded.get(b"peer_interface").map_err(said)?;
            let found = interface();
            if found != INTERFACE {
                let why = format!("interface {found}, not {INTERFACE}: compile it anew");
                return Err(format!("{}: {why}", path.display()));
            }
            let version: Text = *loaded.get(b"peer_version").map_err(said)?;
            let needs: Number = *loaded.get(b"peer_needs_distance_model").map_err(said)?;
            Self {
                // `peer_version` gives static text that ends in a zero.
                version: CStr::from_ptr(version()).to_string_lossy().into_owned(),
                needs_distance_model: needs() == 1,
                build: *loaded.get(b"peer_build").map_err(said)?,
                free: *loaded.get(b"peer_free").map_err(said)?,
                bytes: *loaded.get(b"peer_bytes").map_err(said)?,
                collide: *loaded.get(b"peer_collide").map_err(said)?,
                distance: *loaded.get(b"peer_distance").map_err(said)?,
                boxes_build: *loaded.get(b"peer_boxes_build").map_err(said)?,
                boxes_free: *loaded.get(b"peer_boxes_free").map_err(said)?,
                boxes_move: *loaded.get(b"peer_boxes_move").map_err(said)?,
                boxes_pairs: *loaded.get(b"peer_boxes_pairs").map_err(said)?,
                _loaded: loaded,
            }
        };
        Ok(Arc::new(library))
    }

    /// The library's own version text.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Whether distances need a model of their own.
    pub(super) const fn needs_distance_model(&self) -> bool {
        self.needs_distance_model
    }
}

fn thrown() -> String {
    "the library threw an exception".to_owned()
}

/// A prepared mesh; freed with its last owner.
pub(super) struct Model {
    library: Arc<Library>,
    handle: NonNull<Opaque>,
    purpose: Purpose,
}

// SAFETY: `peer.h` demands of every shim that a model may move to another thread, and that calls
// that only read models may run at the same time.
unsafe impl Send for Model {}
// SAFETY: as above; `&Model` allows only calls that read.
unsafe impl Sync for Model {}

impl Model {
    /// Prepares `mesh`.
    ///
    /// # Errors
    /// If the library refuses it.
    pub(super) fn build(
        library: &Arc<Library>,
        mesh: &Mesh,
        purpose: Purpose,
    ) -> Result<Self, String> {
        let vertices: Vec<f64> = mesh.vertices().iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let triangles = mesh.triangles().as_flattened();
        // SAFETY: both pointers lead to as many numbers as the counts say, three a vertex and three
        // a triangle, and are read only during the call; `Mesh` holds at least one triangle, only
        // indices of existing vertices, and only finite coordinates.
        let made = unsafe {
            (library.build)(
                vertices.as_ptr(),
                mesh.vertices().len() as u64,
                triangles.as_ptr(),
                mesh.triangles().len() as u64,
                purpose as i32,
            )
        };
        let handle = NonNull::new(made).ok_or("the library refuses the mesh")?;
        Ok(Self { library: Arc::clone(library), handle, purpose })
    }

    /// Bytes of the library's arrays, including its copy of the mesh.
    pub(super) fn bytes(&self) -> u64 {
        // SAFETY: the handle came from this library's `peer_build` and lives as long as `self`.
        unsafe { (self.library.bytes)(self.handle.as_ptr()) }
    }

    /// The number of pairs of triangles that meet, counted up to `most`. Writes as many pairs to
    /// `pairs` as fit, two numbers each.
    ///
    /// # Errors
    /// If the library throws, or the models are not two of one library for one purpose.
    pub(super) fn collide(
        &self,
        b: &Self,
        pose: &[f64; 12],
        most: u64,
        plain: bool,
        pairs: &mut [u32],
    ) -> Result<u64, String> {
        self.accept(b, self.purpose)?;
        let room = (pairs.len() / 2) as u64;
        let to = if room == 0 { null_mut() } else { pairs.as_mut_ptr() };
        let (a, b) = (self.handle.as_ptr(), b.handle.as_ptr());
        // SAFETY: both handles are models of this library, made for one purpose, and live through the
        // call, which only reads them; `pose` has its twelve numbers; not more than `room` pairs are
        // written.
        let found = unsafe {
            (self.library.collide)(a, b, pose.as_ptr(), most, i32::from(plain), to, room)
        };
        u64::try_from(found).map_err(|_| thrown())
    }

    /// The distance of two models.
    ///
    /// # Errors
    /// If the library throws, or the models are not two distance models of one library.
    pub(super) fn distance(&self, b: &Self, pose: &[f64; 12]) -> Result<f64, String> {
        self.accept(b, Purpose::Distance)?;
        let (a, b) = (self.handle.as_ptr(), b.handle.as_ptr());
        // SAFETY: both handles are models for distances of this library and live through the call,
        // which only reads them; `pose` has its twelve numbers.
        let found = unsafe { (self.library.distance)(a, b, pose.as_ptr()) };
        if found.is_nan() { Err("the library gives no distance".to_owned()) } else { Ok(found) }
    }

    /// Checks that both models are of this library and fit the purpose. A library with a single
    /// kind of model accepts any of its own.
    fn accept(&self, b: &Self, purpose: Purpose) -> Result<(), String> {
        let any = !self.library.needs_distance_model;
        let fits = |model: &Self| any || model.purpose == purpose;
        if Arc::ptr_eq(&self.library, &b.library) && fits(self) && fits(b) {
            return Ok(());
        }
        Err("models of different libraries or purposes".to_owned())
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the handle came from this library's `peer_build`, nobody else has it, and it is
        // freed once.
        unsafe { (self.library.free)(self.handle.as_ptr()) }
    }
}

/// Boxes in a broad phase; freed with their owner.
pub(super) struct Boxes {
    library: Arc<Library>,
    handle: NonNull<OpaqueBoxes>,
    /// The number of boxes.
    count: usize,
    /// Space for the pairs; all but the first calls find enough.
    space: Vec<[u32; 2]>,
}

impl Boxes {
    /// Takes in boxes, each with its least and its largest corner.
    ///
    /// # Errors
    /// If the library does not have this broad phase.
    pub(super) fn build(
        library: &Arc<Library>,
        corners: &[[f64; 6]],
        broad_phase: BroadPhase,
    ) -> Result<Self, String> {
        let count = corners.len();
        let numbers = corners.as_flattened().as_ptr();
        // SAFETY: the pointer leads to six numbers for each of `count` boxes, which are read only
        // during the call.
        let made = unsafe { (library.boxes_build)(numbers, count as u64, broad_phase as i32) };
        let handle = NonNull::new(made).ok_or("the library has no such broad phase")?;
        Ok(Self { library: Arc::clone(library), handle, count, space: Vec::new() })
    }

    /// Moves the boxes to `corners`, of which there are as many as before. The broad phase is updated
    /// in place, or emptied and filled `anew`; `jumped` are the indices of boxes that moved far.
    ///
    /// # Errors
    /// If the library throws, or there are other boxes than before.
    pub(super) fn move_to(
        &mut self,
        corners: &[[f64; 6]],
        jumped: &[u32],
        anew: bool,
    ) -> Result<(), String> {
        if corners.len() != self.count || jumped.iter().any(|&i| i as usize >= self.count) {
            return Err("other boxes than before".to_owned());
        }
        let (numbers, jumps) = (corners.as_flattened().as_ptr(), jumped.len() as u64);
        let boxes = self.handle.as_ptr();
        // SAFETY: the handle came from this library's `peer_boxes_build`, and `&mut self` is its only
        // user; the pointers lead to six numbers a box, as many as when it was built, and to `jumps`
        // indices below their number, all read only during the call.
        let status = unsafe {
            (self.library.boxes_move)(boxes, numbers, jumped.as_ptr(), jumps, i32::from(anew))
        };
        if status == 0 { Ok(()) } else { Err(thrown()) }
    }

    /// Appends all pairs of boxes that overlap.
    ///
    /// # Errors
    /// If the library throws.
    pub(super) fn pairs(&mut self, into: &mut Vec<[u32; 2]>) -> Result<(), String> {
        loop {
            let to = self.space.as_flattened_mut().as_mut_ptr();
            let room = self.space.len();
            // SAFETY: the handle came from this library's `peer_boxes_build`, and `&mut self` is its
            // only user; not more than `room` pairs of two numbers are written.
            let found =
                unsafe { (self.library.boxes_pairs)(self.handle.as_ptr(), to, room as u64) };
            let found = usize::try_from(found).map_err(|_| thrown())?;
            if let Some(pairs) = self.space.get(..found) {
                into.extend_from_slice(pairs);
                return Ok(());
            }
            self.space.resize(2 * found, [0; 2]);
        }
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        // SAFETY: the handle came from this library's `peer_boxes_build`, nobody else has it, and it
        // is freed once.
        unsafe { (self.library.boxes_free)(self.handle.as_ptr()) }
    }
}
