//! Segment tests.
