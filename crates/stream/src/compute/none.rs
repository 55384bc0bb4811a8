//! In the place of an adapter, in builds without the feature `wgpu`.

use impinge_query::{Counter, QueryError};

use crate::methods::{Device, Form};
use crate::pass::{End, Pass};
use crate::stream::EdgeStream;

/// There is none.
#[derive(Debug)]
pub(crate) enum Adapter {}

/// Nothing is kept on it.
#[derive(Debug, Default)]
pub(crate) struct Kept;

impl Kept {
    #[expect(clippy::unused_self, reason = "with the feature it drops buffers")]
    pub(crate) const fn forget(&mut self) {}
}

impl Adapter {
    pub(crate) fn open(_: Device, _: Form) -> Result<Self, String> {
        Err("built without the feature wgpu".to_owned())
    }

    pub(crate) fn name(&self) -> String {
        match *self {}
    }

    pub(crate) fn run<C: Counter>(
        &self,
        _: &mut Pass<'_, '_, C>,
        _: &EdgeStream,
        _: &mut Kept,
        _: &'static str,
    ) -> Result<End, QueryError> {
        match *self {}
    }
}
