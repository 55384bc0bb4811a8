//! The filter beside fractions.
