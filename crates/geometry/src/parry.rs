//! Conversions to and from parry3d.
