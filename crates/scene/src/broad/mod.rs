//! Broad phases by their words.

pub use impinge_query::broad::EveryPair;
