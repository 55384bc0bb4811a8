//! Candidate pairs from sorted boxes: one sweep along the longest axis of the common region. It
//! checks the trees, and so deliberately uses none.

use impinge::Mesh;

/// The axis-aligned box of one triangle.
#[derive(Clone, Copy, Debug)]
struct Slab {
    lo: [f64; 3],
    hi: [f64; 3],
    triangle: u32,
}

impl Slab {
    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
}

/// The boxes of all triangles of a posed mesh, and their common bounding box.
#[derive(Clone, Debug)]
pub struct Boxes {
    all: Slab,
    each: Vec<Slab>,
}

impl Boxes {
    /// Computes the boxes. They are exact, since only comparisons are needed.
    pub fn of(mesh: &Mesh) -> Self {
        let mut all = Slab { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3], triangle: 0 };
        let each = mesh
            .corners()
            .zip(0_u32..)
            .map(|([p, q, r], triangle)| {
                let lo = std::array::from_fn(|k| p[k].min(q[k]).min(r[k]));
                let hi = std::array::from_fn(|k| p[k].max(q[k]).max(r[k]));
                for k in 0..3 {
                    all.lo[k] = all.lo[k].min(lo[k]);
                    all.hi[k] = all.hi[k].max(hi[k]);
                }
                Slab { lo, hi, triangle }
            })
            .collect();
        Self { all, each }
    }
}

/// Calls `each` once for every pair of triangles whose boxes share a point, in unspecified order.
pub fn candidates(a: &Boxes, b: &Boxes, each: &mut dyn FnMut(u32, u32)) {
    if !a.all.meets(&b.all) {
        return;
    }
    let common = Slab {
        lo: std::array::from_fn(|k| a.all.lo[k].max(b.all.lo[k])),
        hi: std::array::from_fn(|k| a.all.hi[k].min(b.all.hi[k])),
        triangle: 0,
    };
    let length = |k: usize| common.hi[k] - common.lo[k];
    let axis = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let sorted = |boxes: &Boxes| {
        let mut list: Vec<Slab> =
            boxes.each.iter().filter(|slab| slab.meets(&common)).copied().collect();
        list.sort_unstable_by(|s, t| s.lo[axis].total_cmp(&t.lo[axis]));
        list
    };
    let (first, second) = (sorted(a), sorted(b));
    let (mut i, mut j) = (0, 0);
    // The box that begins first is paired with those that begin before it ends.
    while i < first.len() && j < second.len() {
        if first[i].lo[axis] <= second[j].lo[axis] {
            let s = &first[i];
            for t in second[j..].iter().take_while(|t| t.lo[axis] <= s.hi[axis]) {
                if s.meets(t) {
                    each(s.triangle, t.triangle);
                }
            }
            i += 1;
        } else {
            let t = &second[j];
            for s in first[i..].iter().take_while(|s| s.lo[axis] <= t.hi[axis]) {
                if s.meets(t) {
                    each(s.triangle, t.triangle);
                }
            }
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::{Random, Shape};

    #[test]
    fn the_sweep_finds_every_pair_of_boxes_once() {
        let mesh = Shape::Gear.mesh(300, 0);
        let mut random = Random::new(11);
        let mut seen = 0;
        for _ in 0..20 {
            let a = Boxes::of(&mesh);
            let b = Boxes::of(&mesh.posed(&random.pose(0.7)).expect("the pose is small"));
            let mut found = Vec::new();
            candidates(&a, &b, &mut |i, j| found.push((i, j)));
            found.sort_unstable();
            let mut all = Vec::new();
            for s in &a.each {
                all.extend(b.each.iter().filter(|t| s.meets(t)).map(|t| (s.triangle, t.triangle)));
            }
            assert_eq!(found, all);
            seen += all.len();
        }
        assert!(seen > 100, "{seen} pairs in all");
    }
}
