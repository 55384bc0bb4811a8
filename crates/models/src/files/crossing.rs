//! Whether a polygon crosses itself. Ear clipping needs quadratic time or more to detect that (8000
//! corners on a small lattice: 4 s), so larger polygons are tested first.

use impinge_geometry::Point;
use impinge_geometry::predicates::{Drop, orient2d};

/// Finds self-crossings; counts its work over all polygons of a file.
#[derive(Default)]
pub(super) struct Crossings {
    /// Pairs of edges tested.
    work: u64,
    /// The edges by ascending least x: least and largest x, and index.
    order: Vec<(f64, f64, u32)>,
}

/// Most pairs of edges tested in one file, some seconds of work. Unit: pairs.
const MOST_PAIRS: u64 = 1 << 32;

impl Crossings {
    /// Whether two edges of the closed ring cross at inner points of both. Rings that only touch
    /// themselves do not. O(n log n + pairs of edges whose x-ranges overlap).
    ///
    /// # Errors
    /// A message, if all polygons together need too many pairs.
    pub(super) fn any(&mut self, ring: &[[f64; 2]]) -> Result<bool, String> {
        let edge = |i: u32| (ring[i as usize], ring[(i as usize + 1) % ring.len()]);
        self.order.clear();
        self.order.extend((0..ring.len() as u32).map(|i| {
            let (a, b) = edge(i);
            (a[0].min(b[0]), a[0].max(b[0]), i)
        }));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for (k, &(_, end, i)) in self.order.iter().enumerate() {
            for &(_, _, j) in self.order[k + 1..].iter().take_while(|other| other.0 <= end) {
                self.work += 1;
                if cross(edge(i), edge(j)) {
                    return Ok(true);
                }
            }
            if self.work > MOST_PAIRS {
                let n = ring.len();
                return Err(format!(
                    "the polygon has {n} corners, too many with overlapping x-ranges to be triangulated"
                ));
            }
        }
        Ok(false)
    }
}

/// Whether the segments cross at inner points of both. Exact.
fn cross((a, b): ([f64; 2], [f64; 2]), (c, d): ([f64; 2], [f64; 2])) -> bool {
    if a[1].max(b[1]) < c[1].min(d[1]) || c[1].max(d[1]) < a[1].min(b[1]) {
        return false;
    }
    let [a, b, c, d] = [a, b, c, d].map(|[x, y]| Point::new(x, y, 0.0));
    let side = |p, q, r| orient2d(p, q, r, Drop::Z);
    side(&a, &b, &c).is_opposite(side(&a, &b, &d)) && side(&c, &d, &a).is_opposite(side(&c, &d, &b))
}
