//! Reads a stored model.

use impinge_geometry::{Mesh, Point};
use impinge_query::Control;

use super::error::{StoredError, invalid};
use super::header::{HEADER, Header, check_whole};
use super::shape;
use crate::build;
use crate::frame::Frame;
use crate::model::WideModel;
use crate::simd::Width;
use crate::tree::{Leaf, Node, OFF, TRIANGLES, Tree};
use crate::validate::{Place, Taken};

/// Name of the stage in progress reports.
const STAGE: &str = "load";
/// Number of progress steps.
const STEPS: u64 = 4;

/// The model stored in these bytes.
pub(super) fn model(bytes: &[u8], control: &Control<'_>) -> Result<WideModel, StoredError> {
    let done = |step| {
        control.report(STAGE, step, STEPS);
        control.check()
    };
    done(0)?;
    let header = whole(bytes)?;
    done(1)?;
    let parts = Parts::of(bytes, &header);
    let mesh = parts.mesh()?;
    done(2)?;
    let mut tree = parts.tree(&header, &mesh)?;
    orthonormal(&tree.nodes)?;
    done(3)?;
    // Boxes are recomputed rather than stored, so they contain what is below them, whatever was
    // stored.
    build::refit(&mut tree, &mesh, Frame::of(&mesh), Width::fastest());
    let model = WideModel::restored(mesh, tree, header.built, header.degraded);
    done(4)?;
    Ok(model)
}

/// Reads the header and checks the length and the checksum.
fn whole(bytes: &[u8]) -> Result<Header, StoredError> {
    let header = Header::read(bytes)?;
    check_whole(bytes, header.bytes())?;
    Ok(header)
}

/// The sections after the header, in order.
pub(super) struct Parts<'b> {
    vertices: &'b [[u8; 24]],
    triangles: &'b [[u8; 12]],
    faces: Option<&'b [[u8; 4]]>,
    nodes: &'b [[u8; 4]],
    leaves: &'b [u8],
    order: &'b [[u8; 4]],
    axes: &'b [[u8; 36]],
}

impl<'b> Parts<'b> {
    /// Splits bytes of the length that the header announces.
    pub(super) fn of(bytes: &'b [u8], header: &Header) -> Self {
        let mut rest = &bytes[HEADER.min(bytes.len())..];
        let [vertices, triangles, faces, nodes, leaves, order, axes] =
            header.sections().map(|bytes| {
                let (section, after) = rest.split_at(rest.len().min(bytes as usize));
                rest = after;
                section
            });
        Self {
            vertices: vertices.as_chunks().0,
            triangles: triangles.as_chunks().0,
            faces: header.faces.then_some(faces.as_chunks().0),
            nodes: nodes.as_chunks().0,
            leaves,
            order: order.as_chunks().0,
            axes: axes.as_chunks().0,
        }
    }

    /// The mesh; its constructor checks coordinates and indices.
    pub(super) fn mesh(&self) -> Result<Mesh, StoredError> {
        let number = |bytes: &[u8; 24], k: usize| f64::from_le_bytes(bytes.as_chunks().0[k]);
        let vertices = (self.vertices.iter())
            .map(|p| Point::new(number(p, 0), number(p, 1), number(p, 2)))
            .collect();
        let corner = |bytes: &[u8; 12], k: usize| u32::from_le_bytes(bytes.as_chunks().0[k]);
        let triangles = self.triangles.iter().map(|t| [0, 1, 2].map(|k| corner(t, k))).collect();
        let mesh = Mesh::new(vertices, triangles)?;
        match self.faces {
            Some(faces) => Ok(mesh.with_faces(words(faces))?),
            None => Ok(mesh),
        }
    }

    /// The tree, with boxes of which only the axes are set. The axes are not checked.
    pub(super) fn tree(&self, header: &Header, mesh: &Mesh) -> Result<Tree, StoredError> {
        let mut nodes = shape::nodes(self.nodes, header)?;
        let leaves = self.leaves(mesh)?;
        let mut axes = self.axes.iter();
        for node in &mut nodes {
            for (l, bytes) in (0..node.lanes as usize).zip(&mut axes) {
                let numbers = bytes.as_chunks::<4>().0;
                for j in 0..3 {
                    for k in 0..3 {
                        node.axes[j][k][l] = f32::from_le_bytes(numbers[3 * j + k]);
                    }
                }
            }
        }
        Ok(Tree {
            frame: Frame::of(mesh),
            nodes: nodes.into(),
            leaves: leaves.into(),
            surfaces: 0.0,
        })
    }

    /// Reads the leaves and checks that they contain every triangle once.
    fn leaves(&self, mesh: &Mesh) -> Result<Vec<Leaf>, StoredError> {
        let order = words(self.order);
        let mut taken = Taken::none(mesh.triangles().len());
        let mut leaves = Vec::with_capacity(self.leaves.len());
        let mut rest = order.as_slice();
        for (index, &count) in self.leaves.iter().enumerate() {
            let wrong = |what| Err(invalid(what, Place::Leaf(index as u32)));
            let count = usize::from(count);
            if !(1..=TRIANGLES).contains(&count) {
                return wrong("it has no triangles, or too many");
            }
            let Some((ids, after)) = rest.split_at_checked(count) else {
                return wrong("it has more triangles than are left");
            };
            rest = after;
            for &t in ids {
                let place = Place::Leaf(index as u32);
                taken.take(t).map_err(|what| invalid(what, place))?;
            }
            leaves.push(Leaf::new(ids));
        }
        if rest.is_empty() {
            return Ok(leaves);
        }
        Err(invalid("some triangles are in no leaf", Place::Header))
    }
}

fn words(bytes: &[[u8; 4]]) -> Vec<u32> {
    bytes.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Checks that all frames are orthonormal to [`OFF`], by the same sums as the builder.
pub(super) fn orthonormal(nodes: &[Node]) -> Result<(), StoredError> {
    for (index, node) in nodes.iter().enumerate() {
        for l in 0..node.lanes as usize {
            let a = node.get(l).axes.map(|axis| axis.map(f64::from));
            let off = |i: usize, j: usize| {
                let x = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2];
                (x - if i == j { 1.0 } else { 0.0 }).abs()
            };
            // Written so that NaN fails.
            let holds = (0..3).all(|i| (0..=i).all(|j| off(i, j) <= OFF));
            if !holds {
                let place = Place::Lane { node: index as u32, lane: l as u32 };
                return Err(invalid("its axes are not orthonormal", place));
            }
        }
    }
    Ok(())
}
