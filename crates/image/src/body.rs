//! A closed mesh prepared for drawing: convex patches, and hulls in 32 bits.

use impinge_decompose::{DecomposeError, Decomposition, Hull, Options, Strips};
use impinge_geometry::volume::LocalFrame;
use impinge_geometry::{Mesh, Point, Pose, Topology};
use impinge_query::{Control, PrepareError, QueryError, Side, Subject};
use impinge_shaders::image::strip::{self, Code, Run};

use crate::nested::Extremes;

/// The data of a mesh that all methods of this crate share.
#[derive(Debug)]
pub struct Body {
    subject: Subject,
    patches: Decomposition,
    /// Frame of the 32-bit vertices: `(v − origin) · scale`, at most 1 in magnitude.
    frame: LocalFrame,
    vertices: Vec<[f32; 3]>,
    hulls: Hulls,
    extremes: Extremes,
}

/// A model that contains a [`Body`].
pub trait Parts {
    fn body(&self) -> &Body;
}

/// Number of vertices sent to draw all hulls of a model once (fan 2003, §2.3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Number of hulls that can be drawn.
    pub hulls: u64,
    /// Number of their triangles.
    pub triangles: u64,
    /// Number of strips; a separate triangle counts as one.
    pub strips: u64,
    /// Number of vertices sent; without strips, three per triangle.
    pub vertices: u64,
}

/// Encoded hulls.
#[derive(Debug, Default)]
pub(crate) struct Hulls {
    /// Entries of all hulls.
    entries: Vec<u32>,
    /// For each hull its entries.
    runs: Vec<Run>,
    sent: Sent,
}

impl Hulls {
    /// Encodes hulls; a hull's number is its position. `None` is never drawn.
    ///
    /// # Errors
    /// [`PrepareError`] if they need more than 32-bit indices, or the caller cancelled.
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
                let strips = match code {
                    Code::Strips => {
                        let strips = Strips::watched(hull, control)?;
                        let entries = strip::encode(strips.iter());
                        made.entries.extend(entries.map_err(|e| refuse(e.to_string()))?);
                        strips.count()
                    }
                    Code::List => {
                        made.entries.extend_from_slice(hull.faces().as_flattened());
                        hull.faces().len()
                    }
                };
                made.sent.hulls += 1;
                made.sent.triangles += hull.faces().len() as u64;
                made.sent.strips += strips as u64;
            }
            let run = Run::new(code, begin as u32, &made.entries[begin..]);
            made.sent.vertices += u64::from(run.vertices);
            made.runs.push(run);
        }
        made.entries.shrink_to_fit();
        made.runs.shrink_to_fit();
        if u32::try_from(made.entries.len()).is_err() {
            let count = made.entries.len();
            return Err(refuse(format!("its hulls take {count} entries, more than 2³²")));
        }
        Ok(made)
    }
}

/// Converts the error to that of the engine contract.
pub(crate) fn refused(word: &'static str) -> impl Fn(DecomposeError) -> PrepareError {
    move |why| match why {
        DecomposeError::Cancelled(cancelled) => PrepareError::Cancelled(cancelled),
        DecomposeError::Open(open) => PrepareError::Open(open),
        why => PrepareError::Refused { word, reason: why.to_string() },
    }
}

impl Body {
    /// Decomposes the mesh into patches. Encodes no hulls yet.
    ///
    /// # Errors
    /// [`PrepareError`] with the place where the surface is open, intersects itself, is degenerate
    /// or turned inside out; or if there are more triangles than `largest`.
    pub(crate) fn new(
        word: &'static str,
        mesh: &Mesh,
        largest: usize,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        control.check()?;
        let count = mesh.triangles().len();
        if count > largest {
            let reason = format!(
                "it has {count} triangles, more than the limit of {largest} set by `largest`"
            );
            return Err(PrepareError::Refused { word, reason });
        }
        let patches =
            Decomposition::new(mesh, &Options::default(), control).map_err(refused(word))?;
        let (min, max) = mesh.bounds();
        let frame = LocalFrame::new(&min, &max);
        let single = |p: &Point| <[f64; 3]>::from(frame.local(p)).map(|x| x as f32);
        let subject = Subject::new(mesh.clone());
        let topology = Topology::watched(mesh, &mut || control.check())?;
        // Computed once here, not at the first query.
        subject.check_closed(Side::A, control).map_err(|error| match error {
            QueryError::NotClosed { open, .. } => PrepareError::Open(open),
            QueryError::Cancelled(cancelled) => PrepareError::Cancelled(cancelled),
            other => PrepareError::Refused { word, reason: other.to_string() },
        })?;
        Ok(Self {
            subject,
            vertices: mesh.vertices().iter().map(single).collect(),
            hulls: Hulls::default(),
            extremes: Extremes::of(mesh, &topology),
            patches,
            frame,
        })
    }

    /// The vertices that show which components are not inside a box.
    pub(crate) const fn extremes(&self) -> &Extremes {
        &self.extremes
    }

    /// Adds encoded hulls; without them, nothing can be drawn.
    pub(crate) fn with_hulls(self, hulls: Hulls) -> Self {
        Self { hulls, ..self }
    }

    /// The mesh with its identity and extent; checked to be closed.
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

    /// A hull's entries; none if it is never drawn.
    pub(crate) fn hull(&self, number: u32) -> Run {
        self.hulls.runs[number as usize]
    }

    /// Rows of the map from 32-bit vertices to A's frame.
    pub(crate) fn to_world(&self, pose: &Pose) -> [[f64; 4]; 3] {
        let (rotation, at) = (pose.rotation(), pose.apply(&self.frame.origin));
        let factor = |i: usize, k: usize| rotation[(i, k)] / self.frame.scale;
        [0, 1, 2].map(|i| [factor(i, 0), factor(i, 1), factor(i, 2), at[i]])
    }

    /// Triangles of a patch's hull, posed.
    pub(crate) fn corners<'m>(
        &'m self,
        patch: u32,
        pose: &'m Pose,
    ) -> impl Iterator<Item = [Point; 3]> + Clone + 'm {
        let hull = self.patches.patches()[patch as usize].hull();
        hull.corners(self.mesh()).map(|t| t.map(|p| pose.apply(&p)))
    }

    /// Memory in bytes besides the mesh's own.
    pub(crate) fn own_bytes(&self) -> usize {
        let patches = self.patches.patches().iter();
        patches
            .map(|p| size_of_val(p) + size_of_val(p.faces()) + hull_bytes(p.hull()))
            .sum::<usize>()
            + size_of_val(self.patches.patch_of())
            + size_of_val(&self.vertices[..])
            + self.extremes.bytes()
            + size_of_val(&self.hulls.entries[..])
            + size_of_val(&self.hulls.runs[..])
            + 4 * self.subject.representatives().map_or(0, |w| w.len())
    }
}

/// Heap bytes of a hull.
pub(crate) fn hull_bytes(hull: &Hull) -> usize {
    size_of_val(hull.vertices()) + size_of_val(hull.faces())
}
