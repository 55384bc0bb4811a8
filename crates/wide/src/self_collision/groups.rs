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
            // Only the queried model's repeats are left out of groups: a refit may have made others, which are
            // found as pairs like any.
            let model = WideModel::viewed(mesh, tree, None, (0.0, false));
            Ok(Group { key, model, triangles })
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

#[cfg(test)]
mod tests {
    use impinge_query::Engine;

    use super::*;
    use crate::wide;

    #[test]
    fn keys_as_numbers_are_in_the_order_of_keys() {
        let ends = [0, 1, 2, 7, 1 << 16, u32::MAX - 1, u32::MAX];
        let keys: Vec<Key> = ends.iter().flat_map(|x| ends.map(|y| [*x, y])).collect();
        assert!(keys.windows(2).all(|two| two[0] < two[1] && joined(two[0]) < joined(two[1])));
    }

    /// Triangles in random directions from some corners `0, 1, ..`: each is given by its corners
    /// among them, and has new ones besides.
    fn mesh(counts: &[(&[u32], usize)]) -> Mesh {
        let hubs = counts.iter().flat_map(|(corners, _)| *corners).max().map_or(0, |h| h + 1);
        let mut vertices: Vec<Point> =
            (0..hubs).map(|h| Point::new(f64::from(h), 0.3 * f64::from(h * h), 0.1)).collect();
        let mut random = impinge_models::Random::new(51);
        let mut triangles = Vec::new();
        for (corners, n) in counts {
            for _ in 0..*n {
                let mut triangle = corners.to_vec();
                while triangle.len() < 3 {
                    triangle.push(vertices.len() as u32);
                    vertices.push(Point::from(random.vector(-9.0, 9.0)));
                }
                triangles.push([triangle[0], triangle[1], triangle[2]]);
            }
        }
        Mesh::new(vertices, triangles).expect("legal")
    }

    /// For each group but the rest its hubs and its number of triangles; and the number of the rest.
    type Counts = (Vec<(Vec<u32>, usize)>, usize);

    fn groups(counts: &[(&[u32], usize)]) -> Option<Counts> {
        let mesh = mesh(counts);
        let model = wide().prepare(&mesh, &Control::NONE).expect("a model");
        let found = Groups::of(&model, Width::fastest(), &Control::NONE).expect("runs")?;
        let mut all: Vec<u32> = Vec::new();
        let mut sets = Vec::new();
        for group in &found.groups {
            all.extend(&group.triangles);
            let hubs: Vec<Point> = group.key.iter().map(|h| found.hubs[*h as usize]).collect();
            for (t, own) in group.triangles.iter().zip(0u32..) {
                let corners = mesh.triangle(*t);
                assert!(hubs.iter().all(|hub| corners.contains(hub)));
                assert_eq!(group.model.mesh().triangle(own), corners);
            }
            let hub = |p: &Point| mesh.vertices().iter().position(|x| x == p).expect("a vertex");
            let mut hubs: Vec<u32> = hubs.iter().map(|p| hub(p) as u32).collect();
            hubs.sort_unstable();
            sets.push((hubs, group.triangles.len()));
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..mesh.triangles().len() as u32), "each in one group");
        let rest = if sets[0].0.is_empty() { sets.remove(0).1 } else { 0 };
        assert!(sets.iter().all(|(hubs, _)| !hubs.is_empty()), "the rest comes first");
        sets.sort_unstable();
        Some((sets, rest))
    }

    #[test]
    fn a_hub_has_so_many_triangles_and_a_triangle_is_at_its_largest() {
        let (few, least) = (FEW, usize::from(LEAST));
        assert_eq!(groups(&[(&[0], least - 1), (&[], 5)]), None);
        assert_eq!(groups(&[(&[0], least), (&[], 5)]), Some((vec![(vec![0], least)], 5)));
        assert_eq!(groups(&[(&[0], least)]), Some((vec![(vec![0], least)], 0)));
        // A smaller hub keeps those that are not at the larger one.
        for (own, joins) in [(few, false), (few - 1, true)] {
            let shared = least - own;
            let found = groups(&[(&[0], 2 * least), (&[0, 1], shared), (&[1], own), (&[], 7)]);
            let mut sets = vec![(vec![0], 2 * least + shared)];
            if !joins {
                sets.push((vec![1], own));
            }
            assert_eq!(found, Some((sets, if joins { 7 + own } else { 7 })), "{own}");
        }
    }

    #[test]
    fn a_book_has_so_many_triangles_and_comes_before_hubs() {
        let least = usize::from(LEAST);
        let found = groups(&[(&[0, 1], least), (&[0], 2 * least), (&[1], 40)]);
        let sets = vec![(vec![0], 2 * least), (vec![0, 1], least), (vec![1], 40)];
        assert_eq!(found, Some((sets, 0)));
        // One page less: they are at the larger hub.
        let found = groups(&[(&[0, 1], least - 1), (&[0], 2 * least), (&[1], 40)]);
        assert_eq!(found, Some((vec![(vec![0], 3 * least - 1), (vec![1], 40)], 0)));
        // Triangles of two books are in the larger.
        let found = groups(&[(&[0, 1], least), (&[1, 2], least + 20), (&[0, 1, 2], 1)]);
        assert_eq!(found, Some((vec![(vec![0, 1], least), (vec![1, 2], least + 21)], 0)));
    }

    /// Few vertices among many, or most of them: the same parts.
    #[test]
    fn a_part_has_the_triangles_and_their_vertices_in_order() {
        let whole = mesh(&[(&[0], 200)]);
        for triangles in [vec![5, 3], vec![199], (0..150).collect::<Vec<u32>>()] {
            let part = part(&whole, &triangles);
            let corners = triangles.iter().map(|t| whole.triangle(*t));
            assert!(corners.eq(part.corners()));
            let used = whole.vertices().iter().filter(|p| part.vertices().contains(p));
            assert!(used.eq(part.vertices()));
        }
    }
}
