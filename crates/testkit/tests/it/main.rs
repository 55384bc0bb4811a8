//! The tests of `impinge-testkit` from the outside, in one program.

mod broad;
mod cases;
mod exact;
mod location;
mod meeting;
mod oracle;
