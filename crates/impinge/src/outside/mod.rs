//! Other collision libraries behind this interface, for comparison. Only this module of the facade
//! depends on them; each has a feature of its name, off by default.

#[cfg(feature = "parry")]
pub mod parry;
