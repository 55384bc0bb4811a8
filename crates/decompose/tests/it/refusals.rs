//! Surfaces that are not closed, embedded and outward are refused, and the error names the place.

use impinge_decompose::{DecomposeError, Decomposition, Options};
use impinge_geometry::{Mesh, Point, Vector};
use impinge_models::{Random, Shape};
use impinge_threads::{Cancel, Cancelled, Control, Progress};

use crate::bodies::{block, cells};

fn refused(mesh: &Mesh) -> DecomposeError {
    Decomposition::new(mesh, &Options::default(), &Control::NONE).expect_err("refused")
}

fn with_triangles(mesh: &Mesh, change: impl FnOnce(&mut Vec<[u32; 3]>)) -> Mesh {
    let mut triangles = mesh.triangles().to_vec();
    change(&mut triangles);
    Mesh::new(mesh.vertices().to_vec(), triangles).expect("indices stay in range")
}

fn moved(mesh: &Mesh, by: [f64; 3]) -> Mesh {
    let t = Vector::from(by);
    mesh.with_vertices(mesh.vertices().iter().map(|p| p + t).collect()).expect("small")
}

fn both(a: &Mesh, b: &Mesh) -> Mesh {
    Mesh::union([a, b]).expect("two meshes")
}

#[test]
fn an_open_mesh_names_the_edge() {
    let open = with_triangles(&cells(&[[0; 3]]), |t| {
        t.pop();
    });
    let DecomposeError::Open(edge) = refused(&open) else { panic!("another error") };
    assert_eq!(edge.forward + edge.backward, 1);
}

#[test]
fn a_flipped_triangle_is_open() {
    let flipped = with_triangles(&Shape::Sphere.mesh(100, 0), |t| t[7].swap(0, 1));
    let DecomposeError::Open(edge) = refused(&flipped) else { panic!("another error") };
    assert!(edge.forward == 2 || edge.backward == 2);
}

#[test]
fn an_edge_of_four_triangles_is_named() {
    let mesh = cells(&[[0, 0, 0], [1, 1, 0]]);
    let DecomposeError::NonManifoldEdge { from, to, triangles } = refused(&mesh) else {
        panic!("another error")
    };
    assert_eq!(triangles, 4);
    let ends = [from, to].map(|v| mesh.vertices()[v as usize]);
    assert!(ends.iter().all(|p| p.x == 1.0 && p.y == 1.0), "{ends:?}");
}

#[test]
fn a_vertex_of_two_fans_is_named() {
    let mesh = cells(&[[0, 0, 0], [1, 1, 1]]);
    let DecomposeError::NonManifoldVertex { vertex } = refused(&mesh) else {
        panic!("another error")
    };
    assert_eq!(mesh.vertices()[vertex as usize], Point::new(1.0, 1.0, 1.0));
}

#[test]
fn a_degenerate_triangle_is_named() {
    let mesh = with_triangles(&cells(&[[0; 3]]), |t| t.push([0, 1, 1]));
    assert_eq!(refused(&mesh), DecomposeError::Degenerate { triangle: 12 });
}

#[test]
fn inside_out_names_the_component() {
    let cube = cells(&[[0; 3]]);
    assert_eq!(refused(&cube.flipped()), DecomposeError::InsideOut { triangle: 0 });
    let far = moved(&cube, [3.0, 0.0, 0.0]).flipped();
    assert_eq!(refused(&both(&cube, &far)), DecomposeError::InsideOut { triangle: 12 });
    // A body inside the solid must be a cavity, and a body in the cavity must not.
    let shell = cells(&block([5, 5, 5]));
    let inner = moved(&cells(&block([3, 3, 3])), [1.0; 3]);
    let core = moved(&cube, [2.0; 3]);
    assert!(matches!(refused(&both(&shell, &inner)), DecomposeError::InsideOut { .. }));
    let hollow = both(&shell, &inner.flipped());
    assert!(Decomposition::new(&hollow, &Options::default(), &Control::NONE).is_ok());
    assert!(matches!(refused(&both(&hollow, &core.flipped())), DecomposeError::InsideOut { .. }));
}

#[test]
fn surfaces_that_meet_themselves_name_the_triangles() {
    let cube = cells(&[[0; 3]]);
    for by in
        [[0.5, 0.25, 0.125], [1.0, 0.5, 0.5], [1.0, 1.0, 0.5], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]]
    {
        let mesh = both(&cube, &moved(&cube, by));
        let error = refused(&mesh);
        match error {
            DecomposeError::SelfIntersection { triangles: [a, b] } => assert!(a < b),
            // Vertices with equal coordinates are one vertex.
            DecomposeError::NonManifoldEdge { .. } | DecomposeError::Open(_) => {
                assert!(by == [0.0; 3] || by == [1.0, 1.0, 0.5], "{by:?} {error}");
            }
            _ => panic!("{by:?}: {error}"),
        }
    }
    // A spike through the opposite wall.
    let ball = Shape::Sphere.mesh(200, 0);
    let mut vertices = ball.vertices().to_vec();
    vertices[0] = Point::from(vertices[0].coords * -3.0);
    let spiked = ball.with_vertices(vertices).expect("as many");
    assert!(matches!(refused(&spiked), DecomposeError::SelfIntersection { .. }));
}

#[test]
fn nothing_panics_on_soup() {
    let mut random = Random::new(9);
    for _ in 0..300 {
        let n = 3 + random.below(8) as usize;
        let scale = [1.0, 1e150, 1e-150][random.below(3) as usize];
        let point =
            |r: &mut Random| Point::from([0; 3].map(|_: i32| (r.below(3) as f64 - 1.0) * scale));
        let vertices: Vec<Point> = (0..n).map(|_| point(&mut random)).collect();
        let triangle = |r: &mut Random| [0; 3].map(|_: i32| r.below(n as u64) as u32);
        let triangles = (0..=random.below(12)).map(|_| triangle(&mut random)).collect();
        let mesh = Mesh::new(vertices, triangles).expect("in range");
        if let Ok(d) = Decomposition::new(&mesh, &Options::default(), &Control::NONE) {
            d.validate(&mesh).expect("valid");
        }
    }
}

#[test]
fn cancelling_is_an_error_and_stages_are_named() {
    let mesh = Shape::Torus.mesh(6000, 0);
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let found = Decomposition::new(&mesh, &Options::default(), &control);
    assert_eq!(found, Err(DecomposeError::Cancelled(Cancelled)));
    cancel.reset();
    let stages = std::sync::Mutex::new(Vec::new());
    let listen = |p: Progress| {
        assert!(p.done <= p.total, "{p:?}");
        let mut stages = stages.lock().expect("one thread");
        if !stages.contains(&p.stage) {
            stages.push(p.stage);
        }
        if p.stage == "patches" && p.done > 1000 {
            cancel.cancel();
        }
    };
    let control = Control::NONE.cancelled_by(&cancel).reporting(&listen);
    let found = Decomposition::new(&mesh, &Options::default(), &control);
    assert_eq!(found, Err(DecomposeError::Cancelled(Cancelled)));
    assert_eq!(*stages.lock().expect("one thread"), ["self-intersection", "patches"]);
}
