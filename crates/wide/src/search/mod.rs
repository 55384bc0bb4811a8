//! Walks over pairs of trees.

pub(crate) mod contacts;
pub(crate) mod distance;
pub(crate) mod itself;
pub(crate) mod pair;
mod quads;
pub(crate) mod ray;

pub(crate) use pair::Pair;
