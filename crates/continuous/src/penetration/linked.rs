//! When surfaces meet, rather than solids.
use super::cover::Cell;
use super::scene::Scene;
pub(crate) struct Linked;
impl Linked {
    pub(crate) fn new(_: &Scene<'_>) -> Self { Self }
    pub(crate) fn neither_inside(&self, _: &Scene<'_>, _: &Cell) -> bool { true }
    pub(crate) fn pierced(&self, _: &Scene<'_>, _: &Cell) -> bool { false }
}
