//! Somebody else's collision detection behind our interface, to compare with. The one place where
//! the facade knows a foreign library; each has a feature of its name, off by default.

#[cfg(feature = "parry")]
pub mod parry;
