//! Groups of triangles with a common corner or edge. The boxes of many such triangles all meet
//! there, so pairs among them are found without boxes.
//!
//! 1. A *hub* is a corner of at least [`LEAST`] triangles, a *book* an edge of at least as many
//!    triangles whose ends are hubs.
//! 2. A triangle belongs to its largest book, else to its largest hub, else to the rest. Groups of
//!    fewer than [`FEW`] join the rest.
//!
//! A group's *key* is that hub, or the ends of that edge.

use impinge_geometry::hubs::{Hub, hubs};
use impinge_geometry::{Mesh, Point};
use impinge_query::{Cancelled, Control, order};

use crate::build::{self, Quality};
use crate::model::WideModel;
use crate::simd::Width;

/// Fewest triangles at a hub. Boxes find at most half as many pairs per triangle at any other
/// corner; more than the roughly forty triangles at a vertex of a tetrahedral mesh.
const LEAST: u8 = 128;
/// Smaller groups are not worth a tree.
const FEW: usize = 16;

/// Some triangles of a mesh, as a model of their own.
#[derive(Debug)]
pub(super) struct Group {
    /// Indices of its hubs, ascending; empty for the rest.
    pub(super) key: Vec<u32>,
    pub(super) model: WideModel,
    /// Their indices in the mesh.
    pub(super) triangles: Vec<u32>,
}

/// All triangles but repeats, each in one group; the rest, if any, comes first.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) hubs: Vec<Point>,
    pub(super) groups: Vec<Group>,
}

impl Groups {
    /// Groups of a model's triangles without repeats; `None` if there is no hub. O(n) then, else
    /// O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn of(
        model: &WideModel,
        width: Width,
        control: &Control<'_>,
    ) -> Result<Option<Self>, Cancelled> {
        let counts = |t: u32| model.coincident().is_none_or(|equal| !equal.repeats(t));
        let look = &mut || control.check();
        let hubs = hubs(model.mesh(), LEAST, counts, look)?;
        if hubs.is_empty() {
            return Ok(None);
        }
        let mut keyed = keys(&hubs, model.mesh().triangles().len() as u32, counts, control)?;
        order::sort_by(&mut keyed, |(key, _)| joined(*key), <[_]>::sort_unstable, control)?;
        let mut rest = Vec::new();
        let mut sets = Vec::new();
        for same in keyed.chunk_by(|x, y| x.0 == y.0) {
            let triangles = same.iter().map(|(_, t)| *t);
            let key = same[0].0.iter().filter_map(|end| end.checked_sub(1)).collect::<Vec<_>>();
            if key.is_empty() || same.len() < FEW {
                rest.extend(triangles);
            } else {
                sets.push((key, triangles.collect()));
            }
        }
        if !rest.is_empty() {
            rest.sort_unstable();
            sets.insert(0, (Vec::new(), rest));
        }
        let group = |(key, triangles): (Vec<u32>, Vec<u32>)| {
            control.check()?;
            let mesh = part(model.mesh(), &triangles);
            let tree = build::build(&mesh, Quality::SurfaceArea, width, &control.silent())?;
            Ok(Group { key, model: WideModel::new(mesh, tree), triangles })
        };
        let groups = sets.into_iter().map(group).collect::<Result<_, Cancelled>>()?;
        Ok(Some(Self { hubs: hubs.iter().map(|hub| hub.at).collect(), groups }))
    }
}

/// Key during grouping: the hubs' indices plus one, 0 for none.
type Key = [u32; 2];

/// A key as one number, with the same order.
fn joined([low, high]: Key) -> u64 {
    u64::from(low) << 32 | u64::from(high)
}

/// The key of every triangle that counts.
fn keys(
    hubs: &[Hub],
    triangles: u32,
    counts: impl Fn(u32) -> bool,
    control: &Control<'_>,
) -> Result<Vec<(Key, u32)>, Cancelled> {
    let mut of: Vec<(u32, u32)> =
        (0..).zip(hubs).flat_map(|(h, hub)| hub.triangles.iter().map(move |&t| (t, h))).collect();
    order::sort_by(&mut of, |&(t, h)| joined([t, h]), <[_]>::sort_unstable, control)?;
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for own in of.chunk_by(|x, y| x.0 == y.0) {
        edges.extend(pairs(own));
    }
    order::sort_by(&mut edges, |edge| joined(*edge), <[_]>::sort_unstable, control)?;
    let books: Vec<([u32; 2], usize)> = (edges.chunk_by(|x, y| x == y))
        .filter(|same| same.len() >= usize::from(LEAST))
        .map(|same| (same[0], same.len()))
        .collect();
    let size = |edge: &[u32; 2]| {
        books.binary_search_by_key(edge, |book| book.0).ok().map(|at| books[at].1)
    };
    let mut keys: Vec<(Key, u32)> = Vec::new();
    let mut own = of.chunk_by(|x, y| x.0 == y.0).peekable();
    for t in (0..triangles).filter(|&t| counts(t)) {
        let Some(own) = own.next_if(|own| own[0].0 == t) else {
            keys.push(([0; 2], t));
            continue;
        };
        let book = pairs(own).filter(|edge| size(edge).is_some()).max_by_key(size);
        let hub = own.iter().map(|x| x.1).max_by_key(|&h| (hubs[h as usize].triangles.len(), h));
        let of_hub = || [hub.map_or(0, |h| h + 1), 0];
        keys.push((book.map_or_else(of_hub, |ends| ends.map(|end| end + 1)), t));
    }
    control.check()?;
    Ok(keys)
}

/// The edges between a triangle's hubs, which are in ascending order.
fn pairs(own: &[(u32, u32)]) -> impl Iterator<Item = [u32; 2]> + '_ {
    let after = move |i: usize| own[i + 1..].iter().map(move |y| [own[i].1, y.1]);
    (0..own.len()).flat_map(after)
}

/// A mesh of some triangles and their vertices.
fn part(mesh: &Mesh, triangles: &[u32]) -> Mesh {
    let corners = |t: &u32| mesh.triangles()[*t as usize];
    let mut used: Vec<u32> = triangles.iter().flat_map(corners).collect();
    let of = if 8 * used.len() < mesh.vertices().len() {
        used.sort_unstable();
        used.dedup();
        let place = |v: u32| used.partition_point(|&u| u < v) as u32;
        triangles.iter().map(|t| corners(t).map(place)).collect()
    } else {
        // There are enough triangles to be worth a table of all vertices.
        let mut place = vec![u32::MAX; mesh.vertices().len()];
        for &v in &used {
            place[v as usize] = 0;
        }
        used = (0..place.len() as u32).filter(|&v| place[v as usize] == 0).collect();
        for (k, &v) in (0..).zip(&used) {
            place[v as usize] = k;
        }
        triangles.iter().map(|t| corners(t).map(|v| place[v as usize])).collect()
    };
    let vertices = used.iter().map(|&v| mesh.vertices()[v as usize]).collect();
    // Cannot fail: the parts of a valid mesh are valid.
    Mesh::new(vertices, of).unwrap_or_else(|_| mesh.clone())
}
