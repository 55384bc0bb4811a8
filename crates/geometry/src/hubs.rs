//! Points that are a corner of many triangles, compared by coordinates.

use std::collections::BTreeMap;

use crate::coincident::{bits, hash};
use crate::{Mesh, Point};

/// A point that is a corner of many triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Hub {
    /// Its coordinates.
    pub at: Point,
    /// The triangles at this corner, ascending, without duplicates.
    pub triangles: Vec<u32>,
}

/// Triangles processed between two calls of `look`: some milliseconds.
const AT_ONCE: u32 = 1 << 16;

/// The points that are a corner of at least `least` (at most 255) of the triangles for which
/// `counts` returns true, in an unspecified but reproducible order. Points with the same
/// coordinates are merged (−0 equals 0). Expected O(n), plus O(m log m) for m triangles at such
/// points. `look` is called every few milliseconds, so that the caller can cancel.
///
/// # Errors
/// The first error of `look`.
pub fn hubs<E>(
    mesh: &Mesh,
    least: u8,
    counts: impl Fn(u32) -> bool,
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<Hub>, E> {
    look()?;
    let hashes: Vec<u64> = mesh.vertices().iter().map(hash).collect();
    let cells = (4 * hashes.len()).next_power_of_two();
    let cell = |v: u32| hashes[v as usize] as usize & (cells - 1);
    let all = || (0..).zip(mesh.triangles()).filter(|(t, _)| counts(*t));
    // The number of corners in a hash cell bounds the number of triangles of each of its points.
    let mut number = vec![0_u8; cells];
    for (_, corners) in all() {
        for &v in corners {
            let number = &mut number[cell(v)];
            *number = number.saturating_add(1);
        }
    }
    look()?;
    if number.iter().all(|&number| number < least) {
        return Ok(Vec::new());
    }
    // Per cell, its points with their triangles, ascending.
    let mut full: BTreeMap<usize, Vec<([u64; 3], u32)>> = BTreeMap::new();
    for (t, corners) in all() {
        if t % AT_ONCE == 0 {
            look()?;
        }
        for &v in corners.iter().filter(|&&v| number[cell(v)] >= least) {
            let point = bits(&mesh.vertices()[v as usize]);
            full.entry(cell(v)).or_default().push((point, t));
        }
    }
    let mut hubs = Vec::new();
    for found in full.values_mut() {
        look()?;
        found.sort_unstable();
        found.dedup();
        let hub = |same: &[([u64; 3], u32)]| Hub {
            at: Point::from(same[0].0.map(f64::from_bits)),
            triangles: same.iter().map(|&(_, t)| t).collect(),
        };
        let points = found.chunk_by(|x, y| x.0 == y.0);
        hubs.extend(points.filter(|same| same.len() >= usize::from(least)).map(hub));
    }
    Ok(hubs)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn hubs_are_points_not_indices_and_triangles_count_once() {
        // Three fans: one over an index, one over copies of a point, one of nine triangles.
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        let mut point = |p: [f64; 3]| {
            vertices.push(Point::from(p));
            vertices.len() as u32 - 1
        };
        let apex = point([0.0, -0.0, 5.0]);
        for (fan, size) in [(0, 12), (1, 10), (2, 9)] {
            for k in 0..size {
                let k = f64::from(k);
                let own = if fan == 0 { apex } else { point([f64::from(fan), 0.0, 5.0]) };
                let rim = [point([k, 1.0 + k * k, 0.0]), point([k, -1.0, k * k])];
                triangles.push([own, rim[0], if k == 3.0 { own } else { rim[1] }]);
            }
        }
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        let hubs = |counts: &dyn Fn(u32) -> bool| {
            let Ok(found) = hubs(&mesh, 10, counts, &mut || Ok::<(), Infallible>(()));
            found
        };
        let found = hubs(&|_| true);
        let mut sizes: Vec<(f64, Vec<u32>)> =
            found.into_iter().map(|hub| (hub.at.x, hub.triangles)).collect();
        sizes.sort_by(|p, q| p.0.total_cmp(&q.0));
        assert_eq!(sizes, [(0.0, (0..12).collect()), (1.0, (12..22).collect())]);
        assert_eq!(hubs(&|t| t > 5).len(), 1);
        // A corner with exactly `least` triangles is found; one more finds none.
        let vertices = (0..11).map(|k| Point::new(f64::from(k), f64::from(k * k), 1.0)).collect();
        let fan = (0..5).map(|k| [0, 2 * k + 1, 2 * k + 2]).collect();
        let fan = Mesh::new(vertices, fan).expect("indices are in range");
        let number = |least| {
            let Ok(found) = super::hubs(&fan, least, |_| true, &mut || Ok::<(), Infallible>(()));
            found.len()
        };
        assert_eq!((number(5), number(6)), (1, 0));
    }
}
