//! A closed mesh made ready to be drawn: convex patches, and hulls in 32 bits.

use impinge_decompose::{DecomposeError, Decomposition, Hull, Options, Strips};
use impinge_geometry::volume::LocalFrame;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{Control, PrepareError, QueryError, Side, Subject};
use impinge_shaders::image::strip;

/// What all methods of this crate know of a mesh.
#[derive(Debug)]
pub struct Body {
    subject: Subject,
    patches: Decomposition,
    /// Where the 32-bit vertices are: `(v − origin) · scale`, at most 1 in magnitude.
    frame: LocalFrame,
    vertices: Vec<[f32; 3]>,
    hulls: Hulls,
}

/// A model that stands on a [`Body`].
pub trait Parts {
    fn body(&self) -> &Body;
}

/// How many vertices are sent to draw all hulls of a model once (fan 2003, §2.3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Hulls that can be drawn.
    pub hulls: u64,
    /// Their triangles.
    pub triangles: u64,
    /// Strips; a triangle of its own counts as one.
    pub strips: u64,
    /// Vertices; without strips three for each triangle.
    pub vertices: u64,
}

/// How hulls are sent to whoever draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Strips,
    Triangles,
}

/// Hulls as whoever draws them reads them.
#[derive(Debug, Default)]
pub(crate) struct Hulls {
    /// Strip entries of all hulls.
    entries: Vec<u32>,
    /// Per hull the first of its entries, and how many.
    places: Vec<(u32, u32)>,
    sent: Sent,
}

impl Hulls {
    /// Encodes hulls, each under the number of its place; `None` is never drawn.
    ///
    /// # Errors
    /// [`PrepareError`] if they are too many for 32 bits, or the caller cancelled.
    pub(crate) fn new<'h>(
        word: &'static str,
        hulls: impl Iterator<Item = Option<&'h Hull>>,
        code: Code,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let mut made = Self::default();
        let refuse = |reason| PrepareError::Refused { word, reason };
        for hull in hulls {
            control.check()?;
            let begin = made.entries.len();
            if let Some(hull) = hull {
                let (entries, strips) = match code {
                    Code::Strips => {
                        let strips = Strips::of(hull);
                        (strip::encode(strips.iter()), strips.count())
                    }
                    Code::Triangles => {
                        let each = hull.faces().iter().map(<[u32; 3]>::as_slice);
                        (strip::encode(each), hull.faces().len())
                    }
                };
                made.entries.extend(entries.map_err(|e| refuse(e.to_string()))?);
                made.sent.hulls += 1;
                made.sent.triangles += hull.faces().len() as u64;
                made.sent.strips += strips as u64;
            }
            made.places.push((begin as u32, (made.entries.len() - begin) as u32));
        }
        made.sent.vertices = made.entries.len() as u64;
        if u32::try_from(made.entries.len()).is_err() {
            let count = made.entries.len();
            return Err(refuse(format!("its hulls take {count} strip entries, more than 2³²")));
        }
        Ok(made)
    }
}

/// The same error in the words of the contract.
pub(crate) fn refused(word: &'static str) -> impl Fn(DecomposeError) -> PrepareError {
    move |why| match why {
        DecomposeError::Cancelled(cancelled) => PrepareError::Cancelled(cancelled),
        DecomposeError::Open(open) => PrepareError::Open(open),
        why => PrepareError::Refused { word, reason: why.to_string() },
    }
}

impl Body {
    /// Cuts the mesh into patches. No hull is encoded yet.
    ///
    /// # Errors
    /// [`PrepareError`] names the place where the surface is open, crosses itself, is degenerate or
    /// turned inside out; or that there are more triangles than `largest`.
    pub(crate) fn new(
        word: &'static str,
        mesh: &Mesh,
        largest: usize,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        control.check()?;
        let count = mesh.triangles().len();
        if count > largest {
            let reason = format!("it has {count} triangles, more than the {largest} of `largest`");
            return Err(PrepareError::Refused { word, reason });
        }
        let patches =
            Decomposition::new(mesh, &Options::default(), control).map_err(refused(word))?;
        let (min, max) = mesh.bounds();
        let frame = LocalFrame::new(&min, &max);
        let single = |p: &Point| <[f64; 3]>::from(frame.local(p)).map(|x| x as f32);
        let subject = Subject::new(mesh.clone());
        // Found once, here, not at the first query.
        subject.check_closed(Side::A, control).map_err(|error| match error {
            QueryError::NotClosed { open, .. } => PrepareError::Open(open),
            QueryError::Cancelled(cancelled) => PrepareError::Cancelled(cancelled),
            other => PrepareError::Refused { word, reason: other.to_string() },
        })?;
        Ok(Self {
            subject,
            vertices: mesh.vertices().iter().map(single).collect(),
            hulls: Hulls::default(),
            patches,
            frame,
        })
    }

    /// With hulls to be drawn; without, none can be.
    pub(crate) fn with_hulls(self, hulls: Hulls) -> Self {
        Self { hulls, ..self }
    }

    /// The mesh with its identity and extent; it is closed.
    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    pub(crate) fn decomposition(&self) -> &Decomposition {
        &self.patches
    }

    pub(crate) fn sent(&self) -> Sent {
        self.hulls.sent
    }

    pub(crate) fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    pub(crate) fn entries(&self) -> &[u32] {
        &self.hulls.entries
    }

    /// The strip entries of a hull: the first, and how many; none if it is never drawn.
    pub(crate) fn hull(&self, number: u32) -> (u32, u32) {
        self.hulls.places[number as usize]
    }

    /// The rows of the map from 32-bit vertices to the frame of A.
    pub(crate) fn to_world(&self, pose: &Pose) -> [[f64; 4]; 3] {
        let (rotation, at) = (pose.rotation(), pose.apply(&self.frame.origin));
        let factor = |i: usize, k: usize| rotation[(i, k)] / self.frame.scale;
        [0, 1, 2].map(|i| [factor(i, 0), factor(i, 1), factor(i, 2), at[i]])
    }

    /// The corners of a patch's hull, posed.
    pub(crate) fn corners<'m>(
        &'m self,
        patch: u32,
        pose: &'m Pose,
    ) -> impl Iterator<Item = [Point; 3]> + Clone + 'm {
        let hull = self.patches.patches()[patch as usize].hull();
        hull.corners(self.mesh()).map(|t| t.map(|p| pose.apply(&p)))
    }

    /// Bytes held beside the mesh's own.
    pub(crate) fn own_bytes(&self) -> usize {
        let patches = self.patches.patches().iter();
        patches
            .map(|p| size_of_val(p) + size_of_val(p.faces()) + hull_bytes(p.hull()))
            .sum::<usize>()
            + size_of_val(self.patches.patch_of())
            + size_of_val(&self.vertices[..])
            + size_of_val(&self.hulls.entries[..])
            + size_of_val(&self.hulls.places[..])
            + 4 * self.subject.representatives().map_or(0, |w| w.len())
    }
}

/// Heap bytes of a hull.
pub(crate) fn hull_bytes(hull: &Hull) -> usize {
    size_of_val(hull.vertices()) + size_of_val(hull.faces())
}
