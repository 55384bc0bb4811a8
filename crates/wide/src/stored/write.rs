//! Writes a stored model.

use super::header::{CHECKSUM, Header};
use super::{checksum, shape};
use crate::model::WideModel;
use crate::tree::{Leaf, NONE, Node};

pub(super) fn bytes(model: &WideModel) -> Vec<u8> {
    let (mesh, tree) = (model.mesh(), &model.tree);
    let (built, degraded) = model.wear();
    let header = Header {
        vertices: mesh.vertices().len() as u32,
        triangles: mesh.triangles().len() as u32,
        nodes: tree.nodes.len() as u32,
        leaves: tree.leaves.len() as u32,
        faces: mesh.faces().is_some(),
        degraded,
        built,
    };
    let mut to = Vec::with_capacity(header.bytes() as usize);
    header.write(&mut to);
    let coordinates = mesh.vertices().iter().flat_map(|p| p.iter());
    to.extend(coordinates.flat_map(|x| x.to_le_bytes()));
    words(&mut to, mesh.triangles().as_flattened().iter().copied());
    words(&mut to, mesh.faces().unwrap_or_default().iter().copied());
    words(&mut to, tree.nodes.iter().map(shape::word));
    to.extend(tree.leaves.iter().map(|leaf| leaf.len() as u8));
    let order = tree.leaves.iter().flat_map(Leaf::triangles);
    words(&mut to, order.filter(|t| *t != NONE));
    for node in &tree.nodes {
        axes(&mut to, node);
    }
    let sum: [u8; CHECKSUM] = checksum(&to).to_le_bytes();
    to.extend_from_slice(&sum);
    to
}

fn words(to: &mut Vec<u8>, words: impl Iterator<Item = u32>) {
    to.extend(words.flat_map(u32::to_le_bytes));
}

fn axes(to: &mut Vec<u8>, node: &Node) {
    for l in 0..node.lanes as usize {
        for x in node.get(l).axes.as_flattened() {
            to.extend_from_slice(&x.to_le_bytes());
        }
    }
}
