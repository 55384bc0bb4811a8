//! Point in closed mesh: `exact::locate` along +z against the oracle's rational ray in a generic
//! direction, for points inside, outside, and on faces, edges and corners.

use impinge_geometry::exact::{self, Location};
use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_testkit::oracle;

fn verdict_of(mesh: &Mesh, p: &Point) -> (Location, bool) {
    let found = exact::locate(mesh, p);
    let agrees = match (found, oracle::winding(mesh, p)) {
        (Location::Outside, oracle::Location::Outside) | (Location::On, oracle::Location::On) => {
            true
        }
        (Location::Inside(m), oracle::Location::Inside(n)) => m == n,
        _ => false,
    };
    (found, agrees)
}

/// Points whose rays pass through corners and edges: vertices, midpoints, and mixtures of the
/// mesh's coordinates.
fn point(mesh: &Mesh, random: &mut Random) -> Point {
    let vertex =
        |random: &mut Random| mesh.vertices()[random.below(mesh.vertices().len() as u64) as usize];
    let (a, b, c) = (vertex(random), vertex(random), vertex(random));
    match random.below(6) {
        0 => a,
        1 => Point::from((a.coords + b.coords) * 0.5),
        2 => Point::new(a.x, b.y, c.z),
        3 => Point::new(a.x, a.y, c.z),
        4 => {
            let t = mesh.triangle(random.below(mesh.triangles().len() as u64) as u32);
            Point::from((t[0].coords + t[1].coords) * 0.5)
        }
        _ => Point::from((a.coords + b.coords + c.coords) / 3.0),
    }
}

fn meshes() -> Vec<Mesh> {
    let mut meshes: Vec<Mesh> = [Shape::Cube, Shape::Torus, Shape::Hull, Shape::Comb, Shape::Gear]
        .into_iter()
        .map(|shape| shape.mesh(100, 3))
        .collect();
    meshes.push(meshes[0].flipped());
    // A cavity (a small inverted cube within a large one), and a doubled surface.
    let small = meshes[0].scaled(0.5).expect("in range").flipped();
    meshes.push(Mesh::union([&meshes[0], &small]).expect("two cubes"));
    meshes.push(Mesh::union([&meshes[0], &meshes[0]]).expect("two cubes"));
    meshes
}

#[test]
fn locations_agree_with_the_oracle() {
    let mut count = [0, 0, 0];
    for (m, mesh) in meshes().iter().enumerate() {
        for index in 0..250 {
            let p = point(mesh, &mut Random::stream(31 + m as u64, index));
            let (found, agrees) = verdict_of(mesh, &p);
            assert!(agrees, "mesh {m}, {p:?}: {found:?}");
            count[match found {
                Location::Outside => 0,
                Location::Inside(_) => 1,
                Location::On => 2,
            }] += 1;
        }
    }
    assert!(count.iter().all(|&n| n > 200), "{count:?} outside, inside, on");
}

#[test]
fn winding_numbers_count_layers_and_directions() {
    let cube = Shape::Cube.mesh(12, 0);
    let middle = Point::origin();
    assert_eq!(exact::locate(&cube, &middle), Location::Inside(1));
    assert_eq!(exact::locate(&cube.flipped(), &middle), Location::Inside(-1));
    let double = Mesh::union([&cube, &cube]).expect("two cubes");
    assert_eq!(exact::locate(&double, &middle), Location::Inside(2));
    let hollow = cube.scaled(0.5).expect("in range").flipped();
    let hollow = Mesh::union([&cube, &hollow]).expect("two cubes");
    assert_eq!(exact::locate(&hollow, &middle), Location::Outside);
    assert_eq!(exact::locate(&hollow, &Point::new(0.3, 0.3, 0.3)), Location::Inside(1));
}

#[test]
fn a_ray_that_counts_shared_edges_twice_would_be_noticed() {
    // A fault: strict instead of half-open comparisons lose every ray through an edge.
    let cube = Shape::Cube.mesh(12, 0);
    let strict = |p: &Point| {
        cube.corners()
            .filter(|t| {
                let side = |i: usize| {
                    let (u, v) = (t[i], t[(i + 1) % 3]);
                    (v.x - u.x) * (p.y - u.y) - (v.y - u.y) * (p.x - u.x)
                };
                let s = [side(0), side(1), side(2)];
                let through = s.iter().all(|&x| x > 0.0) || s.iter().all(|&x| x < 0.0);
                through && t[0].z > p.z
            })
            .count()
            % 2
            == 1
    };
    let differs = (0..200)
        .map(|i| point(&cube, &mut Random::stream(41, i)) * 0.5)
        .any(|p| strict(&p) != matches!(verdict_of(&cube, &p).0, Location::Inside(_)));
    assert!(differs, "no point of the test runs its ray through an edge");
}
