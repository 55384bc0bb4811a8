//! The paper's form (fan 2003, §2.4.1 and §2.4.4).
//!
//! 1. The pairs of a level whose boxes may share a point are drawn, all in one submission.
//! 2. A pair without a pixel of value 2 in either direction is dropped.
//! 3. Two leaves with such a pixel are a collision, and the search ends.
//! 4. For other pairs, every child of one with every child of the other joins the next level.
//!
//! Hulls without volume cannot be drawn. Above the leaves such a pair is replaced by its children's
//! pairs; at the leaves the triangles of the patches decide.

use impinge_query::{Contact, Counter, QueryError};

use super::descent;
use super::model::ImageModel;
use crate::sampled::{Sampling, Seen, Viewed};

/// A contact that represents the collision, if the image shows one.
pub(super) fn contact<C: Counter>(
    sampling: &mut Sampling<'_, ImageModel>,
    counter: &mut C,
) -> Result<Option<Contact>, QueryError> {
    let (pair, control) = (sampling.pair, sampling.control);
    let mut level = vec![[0, 0]];
    while !level.is_empty() {
        let near =
            counter.stage("descent", |counter| descent::near(pair, &level, counter, control))?;
        let views: Vec<Viewed> =
            near.iter().map(|near| (near.nodes, Some(near.viewport.view))).collect();
        let seen = counter.stage("image", |counter| sampling.look(&views, counter))?;
        level.clear();
        for (near, seen) in near.iter().zip(seen) {
            if let Some(patches) = pair.patches(near.nodes) {
                let contact = sampling.contact(patches, seen, counter)?;
                if contact.is_some() {
                    return Ok(contact);
                }
            } else if seen != Seen::Apart {
                pair.children(near.nodes, &mut level);
            }
        }
    }
    Ok(None)
}
