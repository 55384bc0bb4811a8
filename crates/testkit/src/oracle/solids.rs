//! Two closed meshes as solids: whether they meet, or a component of one is inside the other.

use std::collections::HashMap;

use impinge_geometry::{Mesh, Point};

use super::{Location, contacts, winding};

/// The relation of two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The surfaces are apart, and no component is inside the other mesh.
    Separated,
    /// The surfaces share a point.
    Intersecting,
    /// The surfaces are apart, and a component of one is inside the other.
    Contained,
}

impl Verdict {
    /// The word used in all reports: `"separated"`, `"intersecting"` or `"contained"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Separated => "separated",
            Self::Intersecting => "intersecting",
            Self::Contained => "contained",
        }
    }
}

/// The relation of two closed meshes as solids. Exact; meaningless if a mesh is not closed.
///
/// If the surfaces are apart, each component is wholly inside or wholly outside the other mesh, so
/// one of its vertices decides. Inside is a winding number other than zero.
pub fn solids(a: &Mesh, b: &Mesh) -> Verdict {
    if !contacts(a, b).is_empty() {
        return Verdict::Intersecting;
    }
    let inside = |mesh: &Mesh, p: &Point| winding(mesh, p) != Location::Outside;
    let a_in_b = one_vertex_each(a).iter().any(|p| inside(b, p));
    if a_in_b || one_vertex_each(b).iter().any(|p| inside(a, p)) {
        Verdict::Contained
    } else {
        Verdict::Separated
    }
}

/// Whether `b` is wholly inside the solid `a`: surfaces apart, every component of `b` inside `a`,
/// and none of `a` inside `b`. Exact; meaningless if a mesh is not closed.
pub fn holds(a: &Mesh, b: &Mesh) -> bool {
    let inside = |mesh: &Mesh, p: &Point| winding(mesh, p) != Location::Outside;
    contacts(a, b).is_empty()
        && one_vertex_each(b).iter().all(|p| inside(a, p))
        && !one_vertex_each(a).iter().any(|p| inside(b, p))
}

/// One vertex of every connected component; triangles that share a corner's coordinates are
/// connected. Labels are propagated until none changes.
pub(super) fn one_vertex_each(mesh: &Mesh) -> Vec<Point> {
    // Adding zero gives −0 and 0 the same key.
    let key = |p: &Point| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    let mut label: HashMap<[u64; 3], usize> = HashMap::new();
    for (i, p) in mesh.corners().flatten().enumerate() {
        label.entry(key(&p)).or_insert(i);
    }
    loop {
        let mut changed = false;
        for t in mesh.corners() {
            let keys = t.map(|p| key(&p));
            let least = keys.map(|k| label[&k]).into_iter().min().unwrap_or(0);
            for k in keys {
                changed |= label.insert(k, least) != Some(least);
            }
        }
        if !changed {
            break;
        }
    }
    let corners: Vec<Point> = mesh.corners().flatten().collect();
    let mut labels: Vec<usize> = label.into_values().collect();
    labels.sort_unstable();
    labels.dedup();
    labels.into_iter().map(|i| corners[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_meet_in_equal_coordinates() {
        let p = |x: f64| Point::new(x, 0.0, 0.0);
        let vertices = vec![p(0.0), p(1.0), p(2.0), p(-0.0), p(5.0), p(6.0), p(7.0)];
        let mesh = Mesh::new(vertices, vec![[4, 5, 6], [0, 1, 1], [3, 2, 2]]);
        let found = one_vertex_each(&mesh.expect("valid by inspection"));
        assert_eq!(found, vec![p(5.0), p(0.0)]);
    }
}
