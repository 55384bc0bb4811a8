//! Traversals of pairs of trees.

pub(crate) mod contacts;
pub(crate) mod distance;
pub(crate) mod front;
pub(crate) mod pair;
mod parts;
pub(crate) mod quads;
pub(crate) mod ray;
pub(crate) mod self_collision;

pub(crate) use pair::Pair;
