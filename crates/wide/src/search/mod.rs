//! Traversals of pairs of trees.

pub(crate) mod contacts;
pub(crate) mod distance;
pub(crate) mod front;
pub(crate) mod pair;
mod parts;
pub(crate) mod quads;
pub(crate) mod ray;
pub(crate) mod self_collision;

pub(crate) use pair::Pair;

/// Tetrahedra that coincide except for their last digits.
#[cfg(test)]
fn pile(n: u32) -> impinge_geometry::Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 0.1, 1.0]];
    let of =
        |k: u32| corners.map(|x| impinge_geometry::Point::from(x) * (1.0 + f64::from(k) * 1e-14));
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let triangles = (0..n).flat_map(|k| faces.map(|t| t.map(|v| 4 * k + v)));
    impinge_geometry::Mesh::new((0..n).flat_map(of).collect(), triangles.collect()).expect("finite")
}
