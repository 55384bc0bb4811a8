//! Meshes: invalid input is refused and the error names the element; welding, union, size.

use impinge_geometry::{MAX_COORDINATE, Mesh, MeshError, Point, Pose, Topology, Vector};

fn tetrahedron() -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    Mesh::new(corners.map(Point::from).to_vec(), faces).expect("a good mesh")
}

#[test]
fn bad_input_is_refused_by_element() {
    let points = tetrahedron().vertices().to_vec();
    assert_eq!(Mesh::new(points.clone(), vec![]), Err(MeshError::Empty));
    let index = Mesh::new(points.clone(), vec![[0, 1, 2], [1, 4, 2]]);
    assert_eq!(index, Err(MeshError::Index { triangle: 1, index: 4, vertices: 4 }));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1 * MAX_COORDINATE] {
        let mut points = points.clone();
        points[2].y = bad;
        let error = Mesh::new(points, vec![[0, 1, 2]]).expect_err("refused");
        assert!(matches!(error, MeshError::Coordinate { vertex: 2, axis: 'y', .. }), "{error}");
        assert!(error.to_string().starts_with("vertex 2: coordinate y"), "{error}");
    }
    let faces = tetrahedron().with_faces(vec![0; 3]);
    assert!(matches!(faces, Err(MeshError::Length { expected: 4, found: 3, .. })));
    let moved = tetrahedron().with_vertices(points[..3].to_vec());
    assert!(matches!(moved, Err(MeshError::Length { expected: 4, found: 3, .. })));
}

#[test]
fn a_pose_that_leaves_the_range_is_refused() {
    let mesh = tetrahedron().scaled(1e300).expect("just in range");
    let pose = Pose::translation_by(Vector::new(1e300, 0.0, 0.0)).expect("in range");
    assert!(matches!(mesh.posed(&pose), Err(MeshError::Coordinate { vertex: 1, axis: 'x', .. })));
    assert!(tetrahedron().scaled(1e301).is_err());
}

#[test]
fn welding_merges_equal_bits_and_both_zeros() {
    let soup: Vec<Point> = tetrahedron().corners().flatten().collect();
    let mut soup = soup;
    soup[0].x = -0.0;
    let mesh = Mesh::new(soup, (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    let mesh = mesh.expect("soup");
    let welded = mesh.welded();
    assert_eq!(welded.vertices().len(), 4);
    let same: Vec<_> = mesh.corners().collect();
    assert_eq!(welded.corners().collect::<Vec<_>>(), same);
    assert_eq!(welded.welded(), welded);
}

#[test]
fn closedness_does_not_need_welding() {
    let soup: Vec<Point> = tetrahedron().corners().flatten().collect();
    let triangles: Vec<[u32; 3]> = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let closed = Mesh::new(soup.clone(), triangles.clone()).expect("soup");
    let topology = Topology::new(&closed);
    assert_eq!(topology.closed(), Ok(()));
    assert_eq!((topology.boundary_edges(), topology.nonmanifold_edges()), (0, 0));
    assert_eq!(topology.components(), [0]);
    let open = Topology::new(&Mesh::new(soup.clone(), triangles[1..].to_vec()).expect("soup"));
    let edge = open.closed().expect_err("one face is missing");
    assert_eq!((edge.forward, edge.backward), (0, 1));
    assert_eq!(open.boundary_edges(), 3);
    let mut flipped = triangles;
    flipped[0].swap(0, 1);
    let twisted = Topology::new(&Mesh::new(soup, flipped).expect("soup"));
    let edge = twisted.closed().expect_err("one face is turned over");
    assert!((edge.forward, edge.backward) == (2, 0) || (edge.forward, edge.backward) == (0, 2));
    assert_eq!(twisted.boundary_edges(), 0);
}

#[test]
fn an_open_surface_is_told_in_words() {
    let faces = tetrahedron().triangles().to_vec();
    let told = |faces: Vec<[u32; 3]>| {
        let mesh = Mesh::new(tetrahedron().vertices().to_vec(), faces).expect("a good mesh");
        Topology::new(&mesh).closed().expect_err("not closed").to_string()
    };
    assert_eq!(
        told(vec![faces[3]]),
        "the edge between vertices 1 and 2 belongs to triangle 0 only, so the surface is not closed"
    );
    assert_eq!(
        told(vec![faces[0], faces[3], faces[1], [0, 2, 3]]),
        "two triangles run along the edge between vertices 0 and 2 in the same direction (one is \
         triangle 0), so the surface is not consistently wound"
    );
    assert_eq!(
        told([&faces[..], &[faces[0]]].concat()),
        "1 triangles run along the edge between vertices 0 and 1 in one direction and 2 in the \
         other (one is triangle 0), so the surface is not closed and consistently wound"
    );
}

#[test]
fn components_are_found_and_numbered_by_first_triangle() {
    let one = tetrahedron();
    let far = one.posed(&Pose::translation_by(Vector::new(5.0, 0.0, 0.0)).expect("a pose"));
    let both = Mesh::union([&far.expect("in range"), &one, &one.flipped()]).expect("small");
    let topology = Topology::new(&both);
    assert_eq!(topology.components(), [0, 4]);
    assert_eq!(topology.component_of(), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    // Two tetrahedra in the same place, one inverted: closed, with four triangles at every edge.
    assert_eq!(topology.closed(), Ok(()));
    assert_eq!(topology.nonmanifold_edges(), 6);
}

#[test]
fn degenerate_triangles_are_legal_and_closed_by_themselves() {
    let points = vec![Point::origin(), Point::new(1.0, 0.0, 0.0)];
    let dot = Mesh::new(points.clone(), vec![[0, 0, 0]]).expect("legal");
    assert_eq!(Topology::new(&dot).closed(), Ok(()));
    let segment = Mesh::new(points, vec![[0, 1, 1]]).expect("legal");
    assert_eq!(Topology::new(&segment).closed(), Ok(()));
    assert_eq!(segment.diagonal(), 1.0);
    assert_eq!(dot.diagonal(), 0.0);
}

#[test]
fn the_diagonal_survives_both_ends_of_the_range() {
    for scale in [1e-300, 1.0, 1e299] {
        let mesh = tetrahedron().scaled(scale).expect("in range");
        assert!((mesh.diagonal() / scale - 3f64.sqrt()).abs() < 1e-12, "{scale:e}");
    }
}

#[test]
fn moved_vertices_are_checked_and_the_rest_is_kept() {
    let mut mesh = tetrahedron().with_faces(vec![5, 5, 7, 9]).expect("four");
    let before = mesh.clone();
    assert_eq!(mesh.faces(), Some(&[5, 5, 7, 9][..]));
    assert_eq!([0, 1, 2, 3].map(|t| mesh.face_of(t)), [5, 5, 7, 9]);
    assert_eq!([0, 1, 2, 3].map(|t| tetrahedron().face_of(t)), [0, 1, 2, 3]);
    assert_eq!(tetrahedron().faces(), None);
    assert!(matches!(mesh.move_vertices(&[]), Err(MeshError::Length { .. })));
    let mut bad = mesh.vertices().to_vec();
    bad[1].z = f64::NAN;
    assert!(matches!(mesh.move_vertices(&bad), Err(MeshError::Coordinate { vertex: 1, .. })));
    assert_eq!(mesh, before, "a mesh that is refused changes nothing");
    let moved: Vec<Point> = mesh.vertices().iter().map(|p| p + Vector::x()).collect();
    mesh.move_vertices(&moved).expect("finite");
    assert_eq!(mesh, before.with_vertices(moved.clone()).expect("finite"));
    assert_eq!((mesh.vertices(), mesh.faces()), (&moved[..], before.faces()));
    assert_eq!(mesh.welded().faces(), before.faces());
    let flipped = mesh.flipped();
    assert_eq!(flipped.triangles()[3], [1, 3, 2]);
    assert_eq!((flipped.vertices(), flipped.faces()), (mesh.vertices(), mesh.faces()));
}

#[test]
fn sizes_are_those_of_the_vertices() {
    let at = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let vertices =
        vec![at(1.0, -7.0, 2.0), at(3.0, 4.0, -5.0), at(-2.0, 0.0, 0.5), at(9.0, 0.0, 0.0)];
    for (k, largest) in [(0, 9.0), (1, 7.0), (2, 5.0)] {
        let only = |p: &Point| {
            let mut q = Point::origin();
            q[k] = p[k];
            q
        };
        let mesh = Mesh::new(vertices.iter().map(only).collect(), vec![[0, 1, 2]]).expect("a mesh");
        assert_eq!(mesh.max_abs_coordinate(), largest);
    }
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("a mesh");
    // The fourth vertex is in no triangle.
    assert_eq!(mesh.bounds(), (at(-2.0, -7.0, -5.0), at(3.0, 4.0, 2.0)));
    assert_eq!(mesh.max_abs_coordinate(), 9.0);
    assert!((mesh.diagonal() - (25.0 + 121.0 + 49.0f64).sqrt()).abs() < 1e-14);
    let corner = Point::new(0.0, -MAX_COORDINATE, MAX_COORDINATE);
    let most = Mesh::new(vec![corner], vec![[0, 0, 0]]).expect("just in range");
    assert_eq!(most.max_abs_coordinate(), MAX_COORDINATE);
    let both = Mesh::union([&mesh, &tetrahedron(), &mesh]).expect("small");
    assert_eq!(both.triangles()[..2], [[0, 1, 2], [4, 6, 5]]);
    assert_eq!(both.triangle(5), mesh.triangle(0));
    assert_eq!(both.corners().len(), 6);
}

#[cfg(feature = "serde")]
#[test]
fn serde_checks_what_it_reads() {
    let mesh = tetrahedron().with_faces(vec![0, 1, 2, 2]).expect("four");
    let json = serde_json::to_string(&mesh).expect("plain data");
    assert_eq!(serde_json::from_str::<Mesh>(&json).expect("the same mesh"), mesh);
    let bad = json.replace("[1,2,3]", "[1,2,9]");
    assert_ne!(bad, json);
    let error = serde_json::from_str::<Mesh>(&bad).expect_err("index out of range");
    assert!(error.to_string().contains("triangle 3"), "{error}");
}
