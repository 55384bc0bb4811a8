//! A prepared mesh: its vertices on a grid, and boxes over its triangles.

use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::build::{AxisBoxFit, Builder, Median, TopDown};
use impinge_hierarchy::volume::AxisBox;
use impinge_hierarchy::{Tree, TreeModel};
use impinge_query::{Control, MeshModel, PrepareError, Subject};

use super::placed::PLACES;
use crate::model::{Below, Frame, each};

/// The method's name.
pub(super) const WORD: &str = "stream-pairs";

/// The corners of a triangle, in places of 2⁻²⁸ of the mesh's unit from its origin.
pub(crate) type Corners = [[i32; 3]; 3];

/// A box of a node, along the axes of its mesh and in its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBox {
    pub(crate) centre: [f32; 3],
    pub(crate) half: [f32; 3],
    pub(crate) below: Below,
}

/// A mesh ready for pairs of trees.
#[derive(Debug)]
pub struct PairsModel {
    tree: TreeModel<AxisBox>,
    frame: Frame,
    boxes: Vec<PlacedBox>,
    corners: Vec<Corners>,
}

impl PairsModel {
    pub(crate) fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, PrepareError> {
        let most = Tree::<AxisBox>::MAX_TRIANGLES;
        PrepareError::check_count(WORD, mesh.triangles().len(), most)?;
        let frame = Frame::of(mesh);
        let tree = TopDown::new(AxisBoxFit, Median).build(mesh, control)?;
        let tree = TreeModel::new(mesh.clone(), tree);
        let corners = each(mesh.corners(), control, |corners| corners.map(|p| on_grid(&frame, p)))?;
        let nodes = tree.tree().nodes().iter().enumerate();
        let boxes = each(nodes, control, |(index, node)| {
            let below = Below::of(tree.tree(), index).ok_or_else(|| PrepareError::Refused {
                word: WORD,
                reason: "a leaf has not one triangle".to_owned(),
            })?;
            Ok(PlacedBox::new(&frame, &node.volume, below))
        })?;
        let boxes = boxes.into_iter().collect::<Result<_, PrepareError>>()?;
        Ok(Self { tree, frame, boxes, corners })
    }

    pub(crate) const fn tree(&self) -> &TreeModel<AxisBox> {
        &self.tree
    }

    pub(crate) const fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn boxes(&self) -> &[PlacedBox] {
        &self.boxes
    }

    pub(crate) fn corners(&self) -> &[Corners] {
        &self.corners
    }
}

/// A vertex on the grid.
fn on_grid(frame: &Frame, p: Point) -> [i32; 3] {
    frame.place(p.coords.into()).map(|x| (x * PLACES).round() as i32)
}

impl PlacedBox {
    /// Rounded so that it holds what the box holds.
    fn new(frame: &Frame, volume: &AxisBox, below: Below) -> Self {
        let [low, high] = [volume.low(), volume.high()].map(|corner| frame.place(corner));
        let centre = [0, 1, 2].map(|k| (0.5 * low[k] + 0.5 * high[k]) as f32);
        let half = [0, 1, 2].map(|k: usize| {
            let middle = f64::from(centre[k]);
            ((high[k] - middle).max(middle - low[k]) as f32).next_up()
        });
        Self { centre, half, below }
    }
}

impl MeshModel for PairsModel {
    fn subject(&self) -> &Subject {
        self.tree.subject()
    }

    fn own_bytes(&self) -> usize {
        self.tree.own_bytes()
            + size_of_val(self.boxes.as_slice())
            + size_of_val(self.corners.as_slice())
    }
}
