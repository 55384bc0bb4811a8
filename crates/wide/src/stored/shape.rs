//! The structure of the tree in four bytes per node: how many lanes it has, and which of them are
//! leaves.
//!
//! Nodes and leaves are numbered depth first, so nothing else is needed: a stored tree cannot have
//! a missing child, a child with two parents, or a node that is its own ancestor.

use super::error::{StoredError, invalid};
use super::header::Header;
use crate::tree::{LANES, LEAF, Node, Tree};
use crate::validate::Place;

/// A node's word: number of lanes in the lower half; in the upper half one bit for each lane that
/// is a leaf.
pub(super) fn word(node: &Node) -> u32 {
    let lanes = &node.child[..node.lanes as usize];
    let leaves = lanes.iter().rev().fold(0, |bits, child| bits << 1 | child >> 31);
    node.lanes | leaves << 16
}

/// Nodes with lanes still to be numbered: the node, and its next lane.
struct Open {
    ways: Vec<(usize, usize)>,
    leaves: u32,
}

impl Open {
    /// Numbers the leaves before the next node.
    fn advance(&mut self, nodes: &mut [Node], words: &[[u8; 4]]) {
        while let Some((index, lane)) = self.ways.last_mut() {
            let node = &mut nodes[*index];
            if *lane == node.lanes as usize {
                self.ways.pop();
            } else if u32::from_le_bytes(words[*index]) >> (16 + *lane) & 1 != 0 {
                node.child[*lane] = LEAF | self.leaves;
                self.leaves += 1;
                *lane += 1;
            } else {
                return;
            }
        }
    }
}

/// Nodes without boxes from their words; checks that there are as many nodes and leaves as the
/// header announces.
pub(super) fn nodes(words: &[[u8; 4]], header: &Header) -> Result<Vec<Node>, StoredError> {
    let mut nodes: Vec<Node> = Vec::with_capacity(words.len());
    let mut open = Open { ways: Vec::with_capacity(Tree::DEEP), leaves: 0 };
    for (index, word) in words.iter().enumerate() {
        let wrong = |what| Err(invalid(what, Place::Node(index as u32)));
        let word = u32::from_le_bytes(*word);
        let (lanes, leaves) = (word & 0xffff, word >> 16);
        let (least, most) = if index == 0 { (1, 1) } else { (2, LANES as u32) };
        if !(least..=most).contains(&lanes) {
            return wrong("it has too few lanes, or too many");
        }
        if leaves >> lanes != 0 {
            return wrong("a lane that it does not have is a leaf");
        }
        match open.ways.last_mut() {
            Some((parent, lane)) => {
                nodes[*parent].child[*lane] = index as u32;
                *lane += 1;
            }
            None if index > 0 => return wrong("no lane leads to it"),
            None => {}
        }
        if open.ways.len() == Tree::DEEP {
            return wrong("it is too deep");
        }
        open.ways.push((index, 0));
        nodes.push(Node { lanes, ..Node::empty([0.0; 3]) });
        open.advance(&mut nodes, words);
        if open.leaves > header.leaves {
            return wrong("it has more leaves than there are");
        }
    }
    if let Some(&(node, lane)) = open.ways.last() {
        let place = Place::Lane { node: node as u32, lane: lane as u32 };
        return Err(invalid("it leads to no node", place));
    }
    if open.leaves < header.leaves {
        return Err(invalid("no lane leads to it", Place::Leaf(open.leaves)));
    }
    Ok(nodes)
}
