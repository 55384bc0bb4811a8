//! The form of the paper (fan 2003, §2.4.1 and §2.4.4).
//!
//! 1. Of a level's pairs, those whose boxes may share a point are drawn, all in one submission.
//! 2. A pair without a pixel of value 2, either way round, is dropped.
//! 3. Two leaves with one are a collision, and the search ends.
//! 4. Of others, every child of the one with every child of the other makes the next level.
//!
//! Hulls without volume cannot be drawn. Above the leaves such a pair goes on to its children, at the
//! leaves the triangles of the patches decide.

use impinge_query::{Contact, Counter, QueryError};

use super::descent;
use super::model::ImageModel;
use crate::sampled::{Sampling, Seen, Viewed};

/// Is there a collision, as far as the image can tell?
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
