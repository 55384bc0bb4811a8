//! A prepared mesh: its triangles and boxes in 32 bits, and its edges.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::build::{Builder, Mean, ObbRowsFit, TopDown};
use impinge_hierarchy::edges::Edges;
use impinge_hierarchy::volume::{ObbRows, Volume};
use impinge_hierarchy::{Child, Tree};
use impinge_query::{Cancelled, Control, MeshModel, PrepareError, Subject};

use crate::kernel::{Face, StreamBox};

/// Items between two polls of the caller's flag.
const LOOK: usize = 1 << 12;

/// What `make` returns for each item, with looks at the caller's flag.
pub(crate) fn each<T, U>(
    items: impl Iterator<Item = T>,
    control: &Control<'_>,
    mut make: impl FnMut(T) -> U,
) -> Result<Vec<U>, Cancelled> {
    let mut made = Vec::with_capacity(items.size_hint().0);
    for (index, item) in items.enumerate() {
        if index % LOOK == 0 {
            control.check()?;
        }
        made.push(make(item));
    }
    Ok(made)
}

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// The first of two nodes.
    Nodes(u32),
    Triangle(u32),
}

impl Below {
    /// What is below this node; `None` if it is a leaf without exactly one triangle.
    pub(crate) fn of<V: Volume>(tree: &Tree<V>, node: usize) -> Option<Self> {
        match tree.nodes()[node].child() {
            Child::Pair(first) => Some(Self::Nodes(first)),
            Child::Leaf(leaf) => match tree.leaf(leaf).as_slice() {
                &[t] => Some(Self::Triangle(t)),
                _ => None,
            },
        }
    }
}

/// A mesh ready for streams of edges. Coordinates in 32 bits are relative to the middle of the
/// mesh's bounds, in units of a power of two that makes them at most 1.
#[derive(Debug)]
pub struct StreamModel {
    subject: Subject,
    edges: Edges,
    frame: Frame,
    faces: Vec<Face>,
    culled: Option<Culled>,
}

/// The boxes over the triangles, one for each node of the tree.
#[derive(Debug)]
pub(crate) struct Culled {
    pub(crate) tree: Tree<ObbRows>,
    pub(crate) boxes: Vec<StreamBox>,
}

/// Origin and unit of a mesh's 32-bit coordinates, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) origin: [f64; 3],
    /// A power of two.
    pub(crate) unit: f64,
}

impl Frame {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let (min, max) = mesh.bounds();
        let origin = [0, 1, 2].map(|k| 0.5 * min[k] + 0.5 * max[k]);
        let most = |k: usize| (max[k] - origin[k]).max(origin[k] - min[k]);
        Self { origin, unit: unit_above(most(0).max(most(1)).max(most(2))) }
    }

    /// Whether the mesh is one point: in any unit its coordinates are 0.
    pub(crate) fn is_point(&self) -> bool {
        self.unit == unit_above(0.0)
    }

    /// A point in units of the frame, not yet rounded to 32 bits.
    #[inline(always)]
    pub(crate) fn place(&self, p: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| (p[k] - self.origin[k]) / self.unit)
    }
}

/// A power of two above `size`, normal. For a size of 0 it is less than for any other.
pub(crate) fn unit_above(size: f64) -> f64 {
    if size == 0.0 {
        return f64::MIN_POSITIVE;
    }
    let exponent = f64::from_bits(size.to_bits() & (0x7ff << 52));
    2.0 * exponent.max(f64::MIN_POSITIVE)
}

/// Rounds to 32 bits.
pub(crate) fn narrow(p: [f64; 3]) -> [f32; 3] {
    p.map(|x| x as f32)
}

impl StreamModel {
    /// Collects the edges, and builds the tree if `culls`.
    pub(crate) fn new(
        mesh: &Mesh,
        culls: bool,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let frame = Frame::of(mesh);
        let edges = Edges::new(mesh, control)?;
        let place = |p: Point| narrow(frame.place(p.coords.into()));
        let faces = each(mesh.corners(), control, |corners| Face::new(corners.map(place)))?;
        let culled = culls.then(|| Culled::new(mesh, &frame, control)).transpose()?;
        Ok(Self { subject: Subject::new(mesh.clone()), edges, frame, faces, culled })
    }

    /// All edges of the mesh.
    pub const fn edges(&self) -> &Edges {
        &self.edges
    }

    pub(crate) const fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }

    pub(crate) const fn culled(&self) -> Option<&Culled> {
        self.culled.as_ref()
    }
}

impl Culled {
    fn new(mesh: &Mesh, frame: &Frame, control: &Control<'_>) -> Result<Self, PrepareError> {
        let builder = TopDown::new(ObbRowsFit(ObbFit::AreaWeighted), Mean);
        let tree = builder.build(mesh, control)?;
        let boxes = each(tree.nodes().iter(), control, |node| StreamBox::new(&node.volume, frame))?;
        Ok(Self { tree, boxes })
    }
}

impl MeshModel for StreamModel {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        let culled = self.culled.as_ref();
        let of_tree = culled.map_or(0, |c| c.tree.bytes() + size_of_val(c.boxes.as_slice()));
        self.edges.bytes() + size_of_val(self.faces.as_slice()) + of_tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_a_power_of_two_above_the_size() {
        for (size, unit) in [(1.0, 2.0), (0.99, 1.0), (3.0, 4.0), (1e-320, 2.0 * f64::MIN_POSITIVE)]
        {
            assert_eq!(unit_above(size), unit, "{size:e}");
        }
        assert!(unit_above(0.0) > 0.0 && unit_above(0.0) < unit_above(f64::from_bits(1)));
        assert!(unit_above(1e300).is_finite());
    }

    /// A cube has 12 triangles, so a tree over it has 23 nodes.
    #[test]
    fn bytes_are_those_of_edges_triangles_and_boxes() {
        let mesh = impinge_models::Shape::Cube.mesh(12, 0);
        let [plain, culled] = [false, true]
            .map(|culls| StreamModel::new(&mesh, culls, &Control::NONE).expect("any mesh"));
        let faces = 12 * 19 * size_of::<f32>();
        assert_eq!(plain.own_bytes(), plain.edges().bytes() + faces);
        let tree = culled.culled().expect("it culls").tree.bytes();
        assert_eq!(culled.own_bytes(), plain.own_bytes() + tree + 23 * 15 * size_of::<f32>());
    }

    #[test]
    fn coordinates_are_at_most_one() {
        let points = vec![
            Point::new(1e7, -3.0, 0.1),
            Point::new(1e7 + 5.0, 4.0, 0.1),
            Point::new(1e7, 0.0, 0.0),
        ];
        let mesh = Mesh::new(points, vec![[0, 1, 2]]).expect("a triangle");
        let frame = Frame::of(&mesh);
        let placed = mesh.vertices().iter().map(|p| frame.place(p.coords.into()));
        let most = placed.flatten().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(most > 0.4 && most <= 1.0, "{most}");
    }
}
