//! In the place of an adapter, in builds without the feature `wgpu`.

use std::marker::PhantomData;

use impinge_geometry::Pose;
use impinge_query::{Counter, Query, QueryError};

use super::runner::Family;
use crate::methods::Device;
use crate::pairs::{Landing, PairsModel};
use crate::pass::{End, Pass};
use crate::stream::EdgeStream;

/// There is none.
#[derive(Debug)]
pub(crate) enum Adapter {}

/// Nothing of a model is sent to it.
#[derive(Debug, Default)]
pub(crate) struct Sent;

/// As little for pairs of trees.
pub(crate) type PairsSent = Sent;

/// Nothing is kept on it.
#[derive(Debug, Default)]
pub(crate) struct Kept<S>(PhantomData<S>);

impl<S> Kept<S> {
    #[expect(clippy::unused_self, reason = "with the feature it drops buffers")]
    pub(crate) const fn forget(&mut self) {}
}

impl Adapter {
    pub(crate) fn open(_: Device, _: Family) -> Result<Self, String> {
        Err("built without the feature wgpu".to_owned())
    }

    pub(crate) const fn ready(&self) -> Result<(), String> {
        match *self {}
    }

    pub(crate) fn name(&self) -> String {
        match *self {}
    }

    pub(crate) fn run<C: Counter>(
        &self,
        _: &mut Pass<'_, '_, C>,
        _: &EdgeStream,
        _: &mut Kept<Sent>,
        _: &'static str,
    ) -> Result<End, QueryError> {
        match *self {}
    }

    pub(crate) const fn poses_at_once(&self) -> usize {
        match *self {}
    }

    pub(crate) fn fly(
        &self,
        _: &Query<'_, PairsModel>,
        _: &[Pose],
        _: bool,
        _: &mut Kept<PairsSent>,
    ) -> Result<Vec<Landing>, QueryError> {
        match *self {}
    }
}
