//! Broad phases by their words.

mod cells;
mod grid;
mod kept;
mod octree;
mod regions;
mod sweep;

use impinge_geometry::volume::Aabb;
use impinge_query::{Cancelled, Control, Objects};

pub use grid::Grid;
pub use impinge_query::broad::EveryPair;
pub use impinge_wide::BoxTree;
pub use octree::{OctreeCounts, OctreeHits, OctreeScene, Start, StartCell};
pub use regions::{InvalidRegions, RegionCounts, Regions, RegionsParams};
pub use sweep::Sweep;

/// Boxes, tests or moves between two looks at the caller's flag: well below a millisecond.
const STRETCH: usize = 1 << 12;

/// An object of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Present {
    object: u32,
    one: Aabb,
    fixed: bool,
}

impl Present {
    /// Whether its box has points.
    #[inline]
    fn is_there(&self) -> bool {
        self.one.min[0] <= self.one.max[0]
    }

    /// Whether a pair with another object is to be reported.
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        !(self.fixed && other.fixed) && self.one.overlaps(&other.one)
    }

    /// Both objects, the lower first.
    #[inline]
    fn pair(&self, other: &Self) -> [u32; 2] {
        [self.object.min(other.object), self.object.max(other.object)]
    }
}

/// The objects that have points, by ascending index.
fn present<'o>(objects: &'o Objects<'_>) -> impl Iterator<Item = Present> + 'o {
    objects.present().map(|(object, one, fixed)| Present { object, one, fixed })
}

/// Writes down the objects that have points, by ascending index.
fn gather(
    objects: &Objects<'_>,
    control: &Control<'_>,
    into: &mut Vec<Present>,
) -> Result<(), Cancelled> {
    into.clear();
    for (number, one) in present(objects).enumerate() {
        if number.is_multiple_of(STRETCH) {
            control.check()?;
        }
        into.push(one);
    }
    Ok(())
}
