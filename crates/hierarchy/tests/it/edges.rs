//! The edges of a mesh: each once, with the triangles that have it.

use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::edges::Edges;
use impinge_query::{Cancel, Control};

fn mesh(triangles: &[[u32; 3]]) -> Mesh {
    let corner = |k: u32| Point::new(f64::from(k), f64::from(k * k), 0.0);
    Mesh::new((0..6).map(corner).collect(), triangles.to_vec()).expect("a legal mesh")
}

#[test]
fn every_edge_is_there_once_with_its_triangles() {
    // Two triangles share an edge, in either direction; the third has two equal corners.
    let mesh = mesh(&[[2, 1, 3], [5, 3, 1], [4, 4, 0]]);
    let edges = Edges::new(&mesh, &Control::NONE).expect("not cancelled");
    let all: Vec<([u32; 2], &[u32])> =
        (0..edges.len() as u32).map(|e| (edges.ends(e), edges.triangles(e))).collect();
    let expected: [([u32; 2], &[u32]); 7] = [
        ([0, 4], &[2]),
        ([1, 2], &[0]),
        ([1, 3], &[0, 1]),
        ([1, 5], &[1]),
        ([2, 3], &[0]),
        ([3, 5], &[1]),
        ([4, 4], &[2]),
    ];
    assert_eq!(all, expected);
    assert_eq!(edges.by_triangle(3), [[1, 2, 4], [2, 3, 5], [0, 6, u32::MAX]]);
    assert!(!edges.is_empty());
    let least = 7 * size_of::<[u32; 2]>() + (8 + 8) * size_of::<u32>();
    assert!((least..4 * least).contains(&edges.bytes()), "{}", edges.bytes());
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(Edges::new(&mesh, &Control::NONE.cancelled_by(&cancel)).is_err());
}
