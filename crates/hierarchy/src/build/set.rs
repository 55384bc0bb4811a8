//! The triangles that a volume is fitted to.

use impinge_geometry::volume::{Aabb, Obb, ObbFit};
use impinge_geometry::{Point, Triangle};

use super::Item;
use super::fit::{Fit, Scope, Wrapped};
use super::passes::{LOOK, Passes};

/// An iterator over the items of a set, to be cloned for each pass.
pub trait Items<'i>: Iterator<Item = &'i Item> + Clone {}

impl<'i, I: Iterator<Item = &'i Item> + Clone> Items<'i> for I {}

/// At least one triangle, to be gone over as often as a fit needs.
#[derive(Clone, Debug)]
pub struct Set<I> {
    first: Triangle,
    all: I,
    is_single: bool,
}

/// The triangles of at least one item.
pub fn set_of(items: &[Item]) -> Set<impl Items<'_>> {
    Set::new(items, items.iter())
}

/// [`set_of`], polling the caller's flag for every 4,096 items.
pub(super) fn heard<'i>(items: &'i [Item], passes: &'i Passes<'_>) -> Set<impl Items<'i>> {
    Set::new(items, passes.over(items))
}

/// Fits a volume to at least one triangle; polls the caller's flag for every 4,096, and never for
/// fewer.
pub(super) fn wrap<F: Fit>(
    fit: &F,
    items: &[Item],
    scope: &Scope,
    passes: &Passes<'_>,
) -> Wrapped<F::Volume> {
    if items.len() < LOOK {
        fit.wrap(&set_of(items), scope)
    } else {
        fit.wrap(&heard(items, passes), scope)
    }
}

impl<'i, I: Items<'i>> Set<I> {
    fn new(items: &[Item], all: I) -> Self {
        Self { first: items[0].corners, all, is_single: items.len() == 1 }
    }

    /// The triangles; once the caller has cancelled, some of them or none.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + Clone + use<'i, I> {
        self.all.clone().map(|item| item.corners)
    }

    /// Their corners.
    pub fn points(&self) -> impl Iterator<Item = Point> + Clone + use<'i, I> {
        self.triangles().flatten()
    }

    /// The first of them.
    pub const fn first(&self) -> &Triangle {
        &self.first
    }

    /// Whether there is only one.
    pub const fn is_single(&self) -> bool {
        self.is_single
    }

    /// Their bounds.
    pub fn aabb(&self) -> Aabb {
        let first = Aabb::of_triangle(&self.first);
        let mut others = self.triangles();
        others.next();
        others.fold(first, |all, corners| all.merged(&Aabb::of_triangle(&corners)))
    }

    /// Their oriented box; that of a single triangle is [`Obb::of_triangle`].
    pub fn obb(&self, fit: ObbFit) -> Obb {
        match Obb::fit(fit, self.triangles()) {
            Some(obb) if !self.is_single => obb,
            _ => Obb::of_triangle(&self.first),
        }
    }
}
