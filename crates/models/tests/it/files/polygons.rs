//! Triangulated polygons: area and boundary are preserved, and the map to faces is right.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use impinge_geometry::{Mesh, Vector};
use impinge_models::Random;
use impinge_models::files::Format;

use crate::files::samples;

/// Reads one polygon, given by plane corners that `lift` maps to space.
fn polygon(corners: &[[f64; 2]], lift: impl Fn([f64; 2]) -> [f64; 3]) -> (Mesh, Vec<String>) {
    let mut text = String::new();
    for &corner in corners {
        let [x, y, z] = lift(corner);
        writeln!(text, "v {x:?} {y:?} {z:?}").expect("a string takes everything");
    }
    text.push('f');
    for i in 1..=corners.len() {
        write!(text, " {i}").expect("a string takes everything");
    }
    let loaded = samples::read(&text, Format::Obj);
    (loaded.mesh, loaded.notes)
}

/// Sum of the triangles' areas, and the area of the vector sum: equal if no triangle is reversed.
fn areas(mesh: &Mesh) -> (f64, f64) {
    let mut sum = 0.0;
    let mut net = Vector::zeros();
    for [a, b, c] in mesh.corners() {
        let vector = (b - a).cross(&(c - a)) * 0.5;
        sum += vector.norm();
        net += vector;
    }
    (sum, net.norm())
}

/// Directed edges whose reverse is in no triangle: the boundary.
fn boundary(mesh: &Mesh) -> BTreeMap<(u32, u32), usize> {
    let mut edges = BTreeMap::new();
    for &[a, b, c] in mesh.triangles() {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    let all = edges.clone();
    edges.retain(|&(a, b), _| !all.contains_key(&(b, a)));
    edges
}

/// Checks the triangulation of a simple polygon of `n` corners with the given area.
fn check(mesh: &Mesh, n: usize, area: f64, what: &str) {
    assert_eq!(mesh.triangles().len(), n - 2, "{what}");
    assert_eq!(mesh.vertices().len(), n, "{what}");
    let (sum, net) = areas(mesh);
    assert!((sum - area).abs() <= 1e-9 * area, "{what}: area {sum}, not {area}");
    assert!((net - area).abs() <= 1e-9 * area, "{what}: net area {net}, not {area}");
    let ring: BTreeMap<_, _> = (0..n as u32).map(|i| ((i, (i + 1) % n as u32), 1)).collect();
    assert_eq!(boundary(mesh), ring, "{what}: the boundary is the polygon");
}

fn shoelace(corners: &[[f64; 2]]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() * 0.5
}

fn star(points: usize, inner: f64) -> Vec<[f64; 2]> {
    (0..2 * points)
        .map(|i| {
            let angle = std::f64::consts::PI * i as f64 / points as f64;
            let radius = if i % 2 == 0 { 1.0 } else { inner };
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect()
}

const L: [[f64; 2]; 6] = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
const ARROW: [[f64; 2]; 4] = [[0., 0.], [2., 1.], [0., 2.], [1., 1.]];
/// A square with a corner in the middle of each side, two on the last.
const KNOTTED: [[f64; 2]; 9] =
    [[0., 0.], [1., 0.], [2., 0.], [2., 1.], [2., 2.], [1., 2.], [0., 2.], [0., 1.5], [0., 0.5]];

/// Planes with all kinds of normals, in both orientations.
const LIFTS: [fn([f64; 2]) -> [f64; 3]; 6] = [
    |[x, y]| [x, y, 0.0],
    |[x, y]| [y, x, 5.0],
    |[x, y]| [0.0, x, y],
    |[x, y]| [x + 100.0, -3.0, y],
    |[x, y]| [x, y, 0.5 * x - 0.25 * y],
    |[x, y]| [x - y, x + y, 2.0 * x],
];

#[test]
fn concave_polygons_keep_their_area() {
    for (name, corners) in [
        ("L", L.to_vec()),
        ("arrow", ARROW.to_vec()),
        ("knotted square", KNOTTED.to_vec()),
        ("star", star(5, 0.3)),
        ("sharp star", star(40, 0.05)),
        ("round", star(100, 1.0)),
    ] {
        for (i, lift) in LIFTS.iter().enumerate() {
            for turn in 0..corners.len() {
                let mut corners = corners.clone();
                corners.rotate_left(turn);
                let origin = lift([0.0, 0.0]);
                let [u, v] = [lift([1.0, 0.0]), lift([0.0, 1.0])]
                    .map(|p| Vector::from([0, 1, 2].map(|k| p[k] - origin[k])));
                let area = shoelace(&corners) * u.cross(&v).norm();
                let (mesh, notes) = polygon(&corners, lift);
                check(&mesh, corners.len(), area, &format!("{name}, plane {i}, turn {turn}"));
                assert_eq!(notes, ["1 polygons with more than 3 corners triangulated"]);
            }
        }
    }
}

#[test]
fn huge_and_tiny_polygons() {
    for scale in [1e-150, 1e150] {
        let (mesh, _) = polygon(&L, |[x, y]| [x * scale, y * scale, 3.0 * scale]);
        let back = mesh.scaled(1.0 / scale).expect("near 1");
        check(&back, 6, 3.0, &format!("{scale:e}"));
    }
    // Differences up to 2e300.
    let (mesh, _) = polygon(&L, |[x, y]| [(x - 1.0) * 1e300, (y - 1.0) * 1e300, 0.0]);
    check(&mesh.scaled(1e-300).expect("near 1"), 6, 3.0, "1e300");
}

/// Spiral combs with corners on a lattice: many collinear corners, deep concavities.
#[test]
fn random_lattice_combs() {
    let mut random = Random::new(11);
    for case in 0..300 {
        let teeth = 2 + random.below(30) as usize;
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for x in 0..teeth {
            corners.push([x as f64, 5.0 + random.below(4) as f64]);
        }
        let bottom = teeth - random.below(teeth as u64 - 1) as usize;
        for x in (0..bottom).rev() {
            corners.push([
                (x * (teeth - 1)) as f64 / (bottom - 1).max(1) as f64,
                random.below(4) as f64,
            ]);
        }
        corners.reverse();
        let area = shoelace(&corners);
        let n = corners.len();
        if n < 4 || !(area > 0.0) {
            continue;
        }
        let (mesh, _) = polygon(&corners, LIFTS[case % LIFTS.len()]);
        assert_eq!(mesh.triangles().len(), n - 2, "case {case}");
        let (flat, _) = polygon(&corners, LIFTS[0]);
        check(&flat, n, area, &format!("case {case}: {corners:?}"));
    }
}

#[test]
fn degenerate_polygons_become_fans_with_a_note() {
    for corners in [
        vec![[0., 0.], [1., 0.], [2., 0.], [3., 0.]],
        vec![[1., 1.]; 7],
        vec![[0., 0.], [1., 1.], [2., 2.], [1., 1.], [0., 0.]],
        // A bow tie, and a pentagram.
        vec![[0., 0.], [1., 1.], [1., 0.], [0., 1.]],
    ] {
        let (mesh, notes) = polygon(&corners, |[x, y]| [x, y, x]);
        assert_eq!(mesh.triangles().len(), corners.len() - 2, "{corners:?}");
        assert!(notes.iter().any(|note| note.contains("fans")), "{corners:?}: {notes:?}");
    }
}

/// A star of few corners is cut by ears, and said to cross itself; one that only touches itself, along a
/// bridge to its hole, is not.
#[test]
fn polygons_that_cross_themselves_are_told() {
    let star = [[14., 19.], [11., 8.], [4., 5.], [0., 10.], [16., 14.]];
    let keyhole = [
        [0., 0.],
        [9., 0.],
        [9., 9.],
        [0., 9.],
        [0., 0.],
        [3., 3.],
        [3., 6.],
        [6., 6.],
        [6., 3.],
        [3., 3.],
    ];
    for (corners, crosses) in [(&star[..], true), (&keyhole[..], false)] {
        let (mesh, notes) = polygon(corners, |[x, y]| [x, y, x]);
        assert_eq!(mesh.triangles().len(), corners.len() - 2);
        let told = notes.iter().any(|note| note.contains("1 polygons cross themselves"));
        assert_eq!(told, crosses, "{notes:?}");
    }
}

/// For arbitrary corners: n − 2 triangles that have the polygon's boundary.
#[test]
fn wild_polygons_keep_their_boundary() {
    let mut random = Random::new(5);
    let mut fans = 0;
    for case in 0..2000 {
        let n = 4 + random.below(20) as usize;
        let span = 2 + random.below(6);
        let corners: Vec<[f64; 2]> =
            (0..n).map(|_| [random.below(span) as f64, random.below(span) as f64]).collect();
        let (mesh, notes) = polygon(&corners, LIFTS[case % LIFTS.len()]);
        assert_eq!(mesh.triangles().len(), n - 2, "{corners:?}");
        let ring: Vec<_> = (0..n as u32).map(|i| (i, (i + 1) % n as u32)).collect();
        let found = boundary(&mesh);
        assert!(ring.iter().all(|edge| found.get(edge) == Some(&1)), "{corners:?}: {found:?}");
        assert_eq!(found.len(), n, "{corners:?}");
        fans += usize::from(notes.iter().any(|note| note.contains("fans")));
    }
    assert!((100..2000).contains(&fans), "{fans} fans: both ways must occur");
}

#[test]
fn the_map_leads_back_to_the_polygon() {
    let mesh = samples::read(samples::OFF, Format::Off).mesh;
    assert_eq!(mesh.faces(), Some(&[0, 0, 1, 2, 3, 4][..]));
    let only_triangles = samples::read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj).mesh;
    assert_eq!(only_triangles.faces(), None);
}

/// Self-crossing polygons of many corners, for which ear clipping alone takes a minute.
#[test]
fn large_crossing_polygons_take_no_time() {
    let mut random = Random::new(14);
    let start = std::time::Instant::now();
    for span in [8, 1 << 20] {
        let n = 40_000;
        let corners: Vec<[f64; 2]> =
            (0..n).map(|_| [random.below(span) as f64, random.below(span) as f64]).collect();
        let (mesh, notes) = polygon(&corners, |[x, y]| [x, y, 0.0]);
        assert_eq!(mesh.triangles().len(), n - 2);
        assert!(notes.iter().any(|note| note.contains("fans")), "{notes:?}");
    }
    let corners = star(2000, 0.05);
    let (mesh, notes) = polygon(&corners, |[x, y]| [x, y, 0.0]);
    check(&mesh, corners.len(), shoelace(&corners), "a star");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
