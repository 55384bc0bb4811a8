//! Measures of a mesh, for the tests of this crate.

use impinge_geometry::{Mesh, Point, Triangle};
use robust::{Coord3D, orient3d};

/// Signed volume; positive if the mesh is closed and wound outward.
pub(crate) fn volume(mesh: &Mesh) -> f64 {
    mesh.corners().map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords)) / 6.0).sum()
}

/// The area of the smallest triangle.
pub(crate) fn least_area(mesh: &Mesh) -> f64 {
    mesh.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0).fold(f64::MAX, f64::min)
}

/// FNV-1a hash of the bits of all coordinates and indices. Meshes that are equal up to the sign of
/// a zero have different hashes.
pub(crate) fn fingerprint(mesh: &Mesh) -> u64 {
    let coordinates = mesh.vertices().iter().flat_map(|p| [p.x, p.y, p.z].map(f64::to_bits));
    let indices = mesh.triangles().iter().flatten().map(|&i| u64::from(i));
    hash(coordinates.chain(indices))
}

/// FNV-1a over the bytes of the words.
pub(crate) fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Number of pairs of an edge of one mesh and a triangle of the other that cross in their
/// interiors, by exact predicates. Skips triangles that share a vertex position. O(n²) with box
/// culling.
pub(crate) fn crossings(a: &Mesh, b: &Mesh) -> usize {
    let boxed = |t: Triangle| (t, t[0].inf(&t[1]).inf(&t[2]), t[0].sup(&t[1]).sup(&t[2]));
    let (left, right): (Vec<_>, Vec<_>) =
        (a.corners().map(boxed).collect(), b.corners().map(boxed).collect());
    let mut count = 0;
    for (s, low, high) in &left {
        for (t, low2, high2) in &right {
            let apart = (0..3).any(|k| low[k] > high2[k] || low2[k] > high[k]);
            if apart || s.iter().any(|p| t.contains(p)) {
                continue;
            }
            for k in 0..3 {
                count += usize::from(crosses(s[k], s[(k + 1) % 3], t));
                count += usize::from(crosses(t[k], t[(k + 1) % 3], s));
            }
        }
    }
    count
}

/// Whether the open segment `p q` crosses the open triangle.
fn crosses(p: Point, q: Point, [a, b, c]: &Triangle) -> bool {
    let sign = |a: &Point, b: &Point, c: &Point, d: &Point| {
        let coord = |p: &Point| Coord3D { x: p.x, y: p.y, z: p.z };
        orient3d(coord(a), coord(b), coord(c), coord(d))
    };
    if sign(a, b, c, &p) * sign(a, b, c, &q) >= 0.0 {
        return false;
    }
    let [x, y, z] = [sign(&p, &q, a, b), sign(&p, &q, b, c), sign(&p, &q, c, a)];
    (x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0)
}
