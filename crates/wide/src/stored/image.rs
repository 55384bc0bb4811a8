//! Models as they lie in memory: bytes that are viewed where they are.
//!
//! Numbers are little-endian, and every part begins at a multiple of the alignment of its records.
//!
//! | part | bytes | what |
//! | --- | --- | --- |
//! | header | 128 | mark, version, boxes per node and triangles per leaf, flags, counts, cost, frame |
//! | nodes | 1088 each | boxes, and links to what is below |
//! | leaves | 128 each | triangles and their corners |
//! | vertices | 24 each | three 64-bit coordinates |
//! | triangles | 12 each | three indices |
//! | faces | 4 per triangle, or none | the mesh's faces |
//! | checksum | 16 | XXH3 of all bytes before |

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{NoUninit, Zeroable};
use impinge_geometry::{Coincident, Column, Mesh, Point, SharedBytes};
use impinge_query::Control;

use super::checksum;
use super::error::{StoredError, invalid};
use super::header::{CHECKSUM, check_form, check_length, check_whole, opened};
use crate::build;
use crate::frame::Frame;
use crate::model::WideModel;
use crate::simd::Width;
use crate::tree::{LANES, Leaf, Node, TRIANGLES, Tree};
use crate::validate::Place;

/// Version of this form; raised with every change of it.
const VERSION: u32 = 2;

/// Every triangle has a face.
const FACES: u32 = 1;
/// The next refit is to rebuild the tree.
const DEGRADED: u32 = 2;
/// Some triangles are repeats.
const REPEATS: u32 = 4;

/// Where a node may begin.
const ALIGNMENT: usize = align_of::<Node>();

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Header {
    mark: [u8; 8],
    version: u32,
    /// Boxes per node, and triangles per leaf.
    layout: [u16; 2],
    flags: u32,
    vertices: u32,
    triangles: u32,
    nodes: u32,
    leaves: u32,
    exponent: i32,
    built: f64,
    surfaces: f64,
    center: [f64; 3],
    unused: [u64; 6],
}

const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == 128 && HEADER.is_multiple_of(ALIGNMENT));

/// A part of [`AlignedBytes`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block([u8; ALIGNMENT]);

/// Bytes that begin where [`WideModel::view`] needs it, as those of a mapped file do: at a multiple of
/// 64.
#[derive(Clone, Debug, Default)]
pub struct AlignedBytes {
    blocks: Vec<Block>,
    length: usize,
}

impl AlignedBytes {
    /// A copy of bytes that may begin anywhere.
    pub fn copied(bytes: &[u8]) -> Self {
        let mut copy = Self::zeros(bytes.len());
        copy.as_mut().copy_from_slice(bytes);
        copy
    }

    fn zeros(length: usize) -> Self {
        Self { blocks: vec![Block::zeroed(); length.div_ceil(ALIGNMENT)], length }
    }

    fn as_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.blocks)[..self.length]
    }

    /// For shared ownership.
    pub fn shared(self) -> SharedBytes {
        Arc::new(self)
    }
}

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.blocks)[..self.length]
    }
}

impl WideModel {
    /// The first bytes of [`WideModel::to_image`]; those of [`WideModel::to_bytes`] are others.
    pub const IMAGE_MARK: [u8; 8] = *b"\x89impv\r\n\x1a";

    /// The model, its mesh and its boxes as they lie in memory, for [`WideModel::view`]: about two
    /// times the bytes of [`WideModel::to_bytes`]. The same bytes on every little-endian machine. O(n).
    pub fn to_image(&self) -> AlignedBytes {
        self.with_new_repeats().as_ref().unwrap_or(self).image()
    }

    fn image(&self) -> AlignedBytes {
        let (mesh, tree) = (self.mesh(), &self.tree);
        let header = Header::of(self);
        let mut image = AlignedBytes::zeros(header.bytes() as usize);
        let (sealed, sum) = image.as_mut().split_at_mut(header.bytes() as usize - CHECKSUM);
        let to = put(&mut *sealed, &[header]);
        let to = put(to, &tree.nodes);
        let to = put(to, &tree.leaves);
        let to = put(to, mesh.vertices());
        let to = put(to, mesh.triangles());
        put(to, mesh.faces().unwrap_or_default());
        sum.copy_from_slice(&checksum(sealed).to_le_bytes());
        image
    }

    /// A model over the bytes of [`WideModel::to_image`], a mapped file or shared memory, which it
    /// keeps: nothing is copied until the model is refitted. Answers are those of the model that was
    /// stored. Clones share the bytes.
    ///
    /// Checks everything once: any bytes are either refused or give a model whose answers are right
    /// for its [`mesh`](WideModel::mesh). The boxes are computed again beside those in the bytes, on all
    /// threads of the current pool. O(n), about the time of [`WideModel::from_bytes`].
    ///
    /// ```
    /// # use impinge_wide::{WideModel, geometry::{Mesh, Point}, query::{Control, Engine}, wide};
    /// # let mesh = Mesh::new(
    /// #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.)],
    /// #     vec![[0, 1, 2]],
    /// # )?;
    /// let model = wide().prepare(&mesh, &Control::NONE)?;
    /// let bytes = model.to_image().shared(); // or a mapped file
    /// let viewed = WideModel::view(&bytes, &Control::NONE)?;
    /// assert_eq!(viewed.mesh(), &mesh);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StoredError`] tells what is wrong and where; also if the bytes do not begin at a multiple of
    /// 64, see [`AlignedBytes`].
    pub fn view(bytes: &SharedBytes, control: &Control<'_>) -> Result<Self, StoredError> {
        control.check()?;
        let all: &[u8] = bytes.as_ref().as_ref();
        let header = Header::read(all)?;
        check_whole(all, header.bytes())?;
        control.check()?;
        let model = header.model(bytes)?;
        control.check()?;
        check(&model)?;
        control.check()?;
        Ok(model)
    }

    /// The same of bytes that [`WideModel::view`] has accepted before, in this process or another:
    /// only header, lengths, coordinates and indices of the mesh are checked
    /// (`cargo run --release -p impinge-wide --example stored` times it).
    ///
    /// Of other bytes, answers may be wrong, and a query may panic or not end.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn view_again(bytes: &SharedBytes) -> Result<Self, StoredError> {
        Header::read(bytes.as_ref().as_ref())?.model(bytes)
    }
}

/// What a refit keeps of a node: its lanes with their axes and children.
fn without_boxes(node: &Node) -> Node {
    let mut kept = Node { lanes: node.lanes, ..Node::empty([0.0; 3]) };
    for l in 0..node.lanes as usize {
        kept.child[l] = node.child[l];
        for (to, from) in kept.axes.as_flattened_mut().iter_mut().zip(node.axes.as_flattened()) {
            to[l] = from[l];
        }
    }
    kept
}

/// Writes records to the front of `to`. Returns what is behind them.
fn put<'b, T: NoUninit>(to: &'b mut [u8], records: &[T]) -> &'b mut [u8] {
    let bytes: &[u8] = bytemuck::cast_slice(records);
    let (front, rest) = to.split_at_mut(bytes.len());
    front.copy_from_slice(bytes);
    rest
}

impl Header {
    fn of(model: &WideModel) -> Self {
        let (mesh, tree) = (model.mesh(), &model.tree);
        let (built, degraded) = model.wear();
        let flags = [
            (mesh.faces().is_some(), FACES),
            (degraded, DEGRADED),
            (model.coincident().is_some(), REPEATS),
        ];
        Self {
            mark: WideModel::IMAGE_MARK,
            version: VERSION,
            layout: [LANES as u16, TRIANGLES as u16],
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            vertices: mesh.vertices().len() as u32,
            triangles: mesh.triangles().len() as u32,
            nodes: tree.nodes.len() as u32,
            leaves: tree.leaves.len() as u32,
            exponent: tree.frame.exponent,
            built,
            surfaces: tree.surfaces,
            center: tree.frame.center,
            unused: [0; 6],
        }
    }

    /// The header of bytes of the length that it announces.
    fn read(bytes: &[u8]) -> Result<Self, StoredError> {
        if cfg!(target_endian = "big") {
            return Err(StoredError::Foreign);
        }
        let header = opened::<HEADER>(bytes, WideModel::IMAGE_MARK)?;
        let header: Self = bytemuck::pod_read_unaligned(header);
        check_form(header.version, VERSION, header.layout.map(u32::from))?;
        let (most, number) =
            (Tree::MAX_TRIANGLES as u32, |x: f64| (0.0..f64::INFINITY).contains(&x));
        let counts = (1..=most).contains(&header.triangles)
            && (1..=header.triangles).contains(&header.leaves)
            && (1..=header.leaves).contains(&header.nodes);
        let known = header.flags & !(FACES | DEGRADED | REPEATS) == 0 && header.unused == [0; 6];
        if !counts || !known || !number(header.built) || !number(header.surfaces) {
            return Err(invalid("a count or a flag is impossible", Place::Header));
        }
        check_length(bytes, header.bytes())?;
        Ok(header)
    }

    /// Bytes of the parts: nodes, leaves, vertices, triangles, faces.
    fn sizes(&self) -> [u64; 5] {
        let faces = if self.flags & FACES == 0 { 0 } else { self.triangles };
        [
            (self.nodes, size_of::<Node>()),
            (self.leaves, size_of::<Leaf>()),
            (self.vertices, size_of::<Point>()),
            (self.triangles, size_of::<[u32; 3]>()),
            (faces, size_of::<u32>()),
        ]
        .map(|(count, bytes)| u64::from(count) * bytes as u64)
    }

    /// Where the parts are in bytes of the length that the header announces.
    fn parts(&self) -> [Range<usize>; 5] {
        let mut end = HEADER;
        self.sizes().map(|bytes| {
            let begin = end;
            end += bytes as usize;
            begin..end
        })
    }

    /// Bytes in total.
    fn bytes(&self) -> u64 {
        (HEADER + CHECKSUM) as u64 + self.sizes().iter().sum::<u64>()
    }

    /// The model; its tree is not checked.
    fn model(&self, bytes: &SharedBytes) -> Result<WideModel, StoredError> {
        let [nodes, leaves, vertices, triangles, faces] = self.parts();
        let mut mesh =
            Mesh::of_columns(Column::view(bytes, vertices)?, Column::view(bytes, triangles)?)?;
        if self.flags & FACES != 0 {
            mesh = mesh.with_face_column(Column::view(bytes, faces)?)?;
        }
        let tree = Tree {
            frame: Frame { center: self.center, exponent: self.exponent },
            nodes: Column::view(bytes, nodes)?,
            leaves: Column::view(bytes, leaves)?,
            surfaces: self.surfaces,
        };
        let coincident =
            if self.flags & REPEATS == 0 { None } else { Coincident::of(&mesh).map(Box::new) };
        let degraded = self.flags & DEGRADED != 0;
        Ok(WideModel::viewed(mesh, tree, coincident, (self.built, degraded)))
    }
}

/// Checks that the tree is what a refit would make of its order and axes.
fn check(model: &WideModel) -> Result<(), StoredError> {
    let (mesh, tree) = (model.mesh(), &model.tree);
    tree.check_order(mesh)?;
    super::read::orthonormal(&tree.nodes)?;
    let coincident = Coincident::of(mesh);
    if coincident.as_ref() != model.coincident() {
        return Err(invalid("it does not tell whether triangles are repeated", Place::Header));
    }
    let nodes = tree.nodes.iter().map(without_boxes).collect();
    let mut again = Tree { nodes, ..tree.clone() };
    build::refit(&mut again, mesh, Frame::of(mesh), Width::fastest());
    again.mark(coincident.as_ref());
    for (index, (node, again)) in (0..).zip(tree.nodes.iter().zip(&again.nodes)) {
        if bytemuck::bytes_of(node) != bytemuck::bytes_of(again) {
            return Err(invalid(
                "its boxes or marks are not those of the mesh",
                Place::Node(index),
            ));
        }
    }
    for (index, (leaf, again)) in (0..).zip(tree.leaves.iter().zip(&again.leaves)) {
        if bytemuck::bytes_of(leaf) != bytemuck::bytes_of(again) {
            return Err(invalid("its corners are not those of the mesh", Place::Leaf(index)));
        }
    }
    let numbers = |tree: &Tree| (tree.frame, tree.surfaces.to_bits());
    if numbers(tree) != numbers(&again) {
        return Err(invalid("its frame or cost is not that of the mesh", Place::Header));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
