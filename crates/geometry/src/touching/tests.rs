//! Touching against integer oracles that share no code with it: solids are unions of unit cubes and
//! tetrahedra with integer corners, and two convex ones have common inner points unless a plane
//! separates them, which integers decide. A linear map with integer entries then turns all of them
//! away from the axes.

use std::collections::BTreeSet;

use super::{Touch, Undecided, crossing_is_evident, of_solids, solid, touch};
use crate::exact::{meet_elsewhere, triangles_meet};
use crate::predicates::Sign;
use crate::{Mesh, Point, Topology};

type Int = [i64; 3];

/// A closed mesh with integer corners, and the convex solids whose union it encloses.
#[derive(Clone)]
struct Shape {
    corners: Vec<Int>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<Vec<Int>>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

impl Shape {
    /// The boundary of a union of unit cubes. Faces between two of them are left out.
    fn cubes(cubes: &BTreeSet<Int>) -> Self {
        let mut shape = Self { corners: Vec::new(), triangles: Vec::new(), parts: Vec::new() };
        for &cube in cubes {
            let corner =
                |bits: usize| -> Int { std::array::from_fn(|k| cube[k] + (bits >> k & 1) as i64) };
            shape.parts.push((0..8).map(corner).collect());
            for axis in 0..3 {
                for up in [false, true] {
                    let mut beside = cube;
                    beside[axis] += if up { 1 } else { -1 };
                    if cubes.contains(&beside) {
                        continue;
                    }
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    let place =
                        |du: usize, dv: usize| corner(usize::from(up) << axis | du << u | dv << v);
                    let square = [place(0, 0), place(1, 0), place(1, 1), place(0, 1)];
                    for [i, j, k] in [[0, 1, 2], [0, 2, 3]] {
                        let [i, j, k] = if up { [i, j, k] } else { [i, k, j] };
                        shape.push([square[i], square[j], square[k]]);
                    }
                }
            }
        }
        shape
    }

    fn tetrahedron(corners: [Int; 4]) -> Option<Self> {
        let [a, b, c, d] = corners;
        let volume = dot(cross(minus(b, a), minus(c, a)), minus(d, a));
        let (b, c) = if volume > 0 { (c, b) } else { (b, c) };
        let mut shape =
            Self { corners: Vec::new(), triangles: Vec::new(), parts: vec![corners.to_vec()] };
        for face in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            shape.push(face);
        }
        (volume != 0).then_some(shape)
    }

    fn push(&mut self, triangle: [Int; 3]) {
        let index = triangle.map(|p| {
            self.corners.iter().position(|q| *q == p).unwrap_or_else(|| {
                self.corners.push(p);
                self.corners.len() - 1
            }) as u32
        });
        self.triangles.push(index);
    }

    fn mapped(&self, map: impl Fn(Int) -> Int) -> Self {
        let parts = self.parts.iter().map(|part| part.iter().map(|&p| map(p)).collect());
        Self {
            corners: self.corners.iter().map(|&p| map(p)).collect(),
            triangles: self.triangles.clone(),
            parts: parts.collect(),
        }
    }

    fn mesh(&self) -> Mesh {
        let points = self.corners.iter().map(|p| Point::from(p.map(|x| x as f64)));
        Mesh::new(points.collect(), self.triangles.clone()).expect("legal")
    }
}

fn minus(a: Int, b: Int) -> Int {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Int, b: Int) -> Int {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Int, b: Int) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Whether two convex hulls have common inner points: no plane through three corners of one, or
/// along an edge of each, has them on different sides. All pairs of corners stand for the edges.
fn hulls_overlap(p: &[Int], q: &[Int]) -> bool {
    let edges = |hull: &[Int]| -> Vec<Int> {
        let pairs = (0..hull.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| minus(hull[i], hull[j])).collect()
    };
    let (of_p, of_q) = (edges(p), edges(q));
    let all: Vec<Int> = of_p.iter().chain(&of_q).copied().collect();
    let separates = |axis: Int| {
        let range = |hull: &[Int]| {
            let along: Vec<i64> = hull.iter().map(|&x| dot(axis, x)).collect();
            (*along.iter().min().expect("corners"), *along.iter().max().expect("corners"))
        };
        let ((p0, p1), (q0, q1)) = (range(p), range(q));
        axis != [0; 3] && (p1 <= q0 || q1 <= p0)
    };
    !all.iter().enumerate().any(|(i, &a)| all[..i].iter().any(|&b| separates(cross(a, b))))
}

fn overlap(a: &Shape, b: &Shape) -> bool {
    a.parts.iter().any(|p| b.parts.iter().any(|q| hulls_overlap(p, q)))
}

fn all(mesh: &Mesh) -> Vec<u32> {
    (0..mesh.triangles().len() as u32).collect()
}

fn pairs(a: &Mesh, b: &Mesh) -> Vec<[u32; 2]> {
    let both = all(a).into_iter().flat_map(|p| all(b).into_iter().map(move |q| [p, q]));
    both.filter(|[p, q]| triangles_meet(&a.triangle(*p), &b.triangle(*q))).collect()
}

/// What `touch` says, or `None` if the surfaces share no point. Closed meshes are decided with and
/// without the look for an evident crossing.
fn decided(a: &Mesh, b: &Mesh) -> Option<Result<Touch, Undecided>> {
    let pairs = pairs(a, b);
    let mut itself = |which: usize| {
        let mesh = [a, b][which];
        let pairs = all(mesh).into_iter().flat_map(|q| (0..q).map(move |p| [p, q]));
        let meets =
            |pair: &[u32; 2]| meet_elsewhere(&mesh.triangle(pair[0]), &mesh.triangle(pair[1]));
        Ok(pairs.filter(meets).collect())
    };
    (!pairs.is_empty()).then(|| {
        let found = touch([a, b], [None; 2], &pairs, &mut itself, &mut || Ok(()));
        if [a, b].into_iter().all(|mesh| Topology::new(mesh).closed().is_ok()) {
            let slowly = of_solids([a, b], &pairs, &mut itself, &mut || Ok(()));
            assert!(slowly == found || slowly.is_err(), "{slowly:?}, {found:?}");
            let evident = crossing_is_evident::<Undecided>([a, b], &pairs, &mut || Ok(()));
            assert!(evident != Ok(true) || found == Ok(Touch::Pierces));
        }
        found
    })
}

/// Counts of answers: touches, pierces, undecided.
#[derive(Debug, Default)]
struct Tally([usize; 3]);

impl Tally {
    /// Compares both orders of two shapes with the oracle, upright and mapped.
    fn compare(&mut self, a: &Shape, b: &Shape) {
        let shear = |[x, y, z]: Int| [2 * x + y - z, x + 3 * y + z, y - x + 2 * z];
        // Volumes are kept, and f64 does not see their sign.
        let steep = |[x, y, z]: Int| {
            let y = y + 90_001 * x;
            let z = z + 90_007 * y;
            [x + 30_011 * z, y, z]
        };
        let truth = if overlap(a, b) { Touch::Pierces } else { Touch::Touches };
        for (a, b) in [
            (a.clone(), b.clone()),
            (b.mapped(shear), a.mapped(shear)),
            (a.mapped(steep), b.mapped(steep)),
        ] {
            let (a, b) = (a.mesh(), b.mesh());
            match decided(&a, &b) {
                None => {}
                Some(Err(_)) => self.0[2] += 1,
                Some(Ok(found)) => {
                    assert_eq!(
                        found,
                        truth,
                        "{:?} {:?}\n{:?} {:?}",
                        a.vertices(),
                        a.triangles(),
                        b.vertices(),
                        b.triangles()
                    );
                    self.0[usize::from(found == Touch::Pierces)] += 1;
                }
            }
        }
    }

    fn holds(&self, least: usize, undecided: usize) {
        let [touches, pierces, unknown] = self.0;
        assert!(touches >= least && pierces >= least, "{self:?}");
        assert!(unknown * 100 <= undecided * (touches + pierces + unknown), "{self:?}");
    }
}

fn some_cubes(random: &mut Random, size: u64, wanted: u64) -> BTreeSet<Int> {
    let mut cubes = BTreeSet::from([[0, 0, 0]]);
    while cubes.len() < wanted as usize {
        let at = random.below(cubes.len() as u64) as usize;
        let mut next = *cubes.iter().nth(at).expect("in range");
        let step = if random.below(2) == 0 { 1 } else { -1 };
        next[random.below(3) as usize] += step;
        if next.iter().all(|x| (0..size as i64).contains(x)) {
            cubes.insert(next);
        }
    }
    cubes
}

fn moved(shape: &Shape, random: &mut Random, range: u64) -> Shape {
    let by: Int = std::array::from_fn(|_| random.below(2 * range + 1) as i64 - range as i64);
    shape.mapped(|p| std::array::from_fn(|k| p[k] + by[k]))
}

#[test]
fn unions_of_cubes() {
    let (mut random, mut tally) = (Random(1), Tally::default());
    for _ in 0..300 {
        let (n, m) = (1 + random.below(9), 1 + random.below(6));
        let a = Shape::cubes(&some_cubes(&mut random, 3, n));
        let b = Shape::cubes(&some_cubes(&mut random, 3, m));
        let b = moved(&b, &mut random, 2);
        tally.compare(&a, &b);
    }
    tally.holds(30, 25);
}

#[test]
fn cubes_half_a_step_apart_and_tetrahedra() {
    let (mut random, mut tally) = (Random(2), Tally::default());
    let corner = |random: &mut Random| -> Int { std::array::from_fn(|_| random.below(7) as i64) };
    let mut left = 300;
    while left > 0 {
        let a = Shape::tetrahedron(std::array::from_fn(|_| corner(&mut random)));
        let n = 1 + random.below(4);
        let cubes = Shape::cubes(&some_cubes(&mut random, 3, n)).mapped(|p| p.map(|x| 2 * x));
        let b = match random.below(3) {
            0 => Shape::tetrahedron(std::array::from_fn(|_| corner(&mut random))),
            _ => Some(moved(&cubes, &mut random, 3)),
        };
        if let (Some(a), Some(b)) = (a, b) {
            tally.compare(&a, &b);
            left -= 1;
        }
    }
    tally.holds(25, 10);
}

/// A block with a cavity, and what is in the cavity, in the wall, or outside.
#[test]
fn cavities_and_what_is_in_them() {
    let (mut random, mut tally) = (Random(3), Tally::default());
    for _ in 0..40 {
        let mut wall: BTreeSet<Int> = (0..125).map(|k| [k % 5, k / 5 % 5, k / 25]).collect();
        let n = 1 + random.below(5);
        for cube in some_cubes(&mut random, 3, n) {
            wall.remove(&cube.map(|x| x + 1));
        }
        let block = Shape::cubes(&wall);
        let m = 1 + random.below(3);
        let inner = Shape::cubes(&some_cubes(&mut random, 3, m));
        let inner = inner.mapped(|p| p.map(|x| x + 1));
        tally.compare(&block, &moved(&inner, &mut random, 2));
    }
    tally.holds(9, 40);
}

/// Solids of several components, apart, touching or overlapping, with common corners in the file or without.
#[test]
fn several_components() {
    let (mut random, mut tally) = (Random(4), Tally::default());
    for _ in 0..300 {
        let part = |random: &mut Random| {
            let n = 1 + random.below(3);
            let part = Shape::cubes(&some_cubes(random, 2, n));
            moved(&part, random, 2)
        };
        let (p, q, b) = (part(&mut random), part(&mut random), part(&mut random));
        // Kept apart: shapes that share corners are two solids only by their indices.
        let mut both = p.clone();
        let first = both.corners.len() as u32;
        both.corners.extend(&q.corners);
        both.triangles.extend(q.triangles.iter().map(|t| t.map(|v| v + first)));
        both.parts.extend(q.parts.clone());
        tally.compare(&both, &b);
    }
    tally.holds(30, 10);
}

#[test]
fn inverted_solids_have_the_same_inside() {
    let (mut random, mut tally) = (Random(5), Tally::default());
    for _ in 0..150 {
        let n = 1 + random.below(4);
        let mut a = Shape::cubes(&some_cubes(&mut random, 3, n));
        let b = Shape::cubes(&some_cubes(&mut random, 3, 2));
        a.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        tally.compare(&a, &moved(&b, &mut random, 1));
    }
    tally.holds(20, 25);
}

#[test]
fn touching_at_points_from_inside_is_piercing() {
    // The corners of the inner tetrahedron are on faces of the outer cube, and nothing else is.
    let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]])).mapped(|p| p.map(|x| 12 * x));
    let inner = Shape::tetrahedron([[5, 4, 0], [0, 5, 4], [12, 7, 5], [6, 12, 7]]).expect("solid");
    let mut tally = Tally::default();
    tally.compare(&cube, &inner);
    assert_eq!(tally.0, [0, 3, 0]);
}

/// As before, with corners of which the middles are no floating-point numbers.
#[test]
fn touching_at_points_where_middles_are_rounded() {
    let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]])).mapped(|p| p.map(|x| 12 * x)).mesh();
    let corners = [[5.1, 4.3, 0.0], [0.0, 5.7, 4.9], [12.0, 7.3, 5.1], [6.7, 12.0, 7.9]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let inner = Mesh::new(corners.map(Point::from).to_vec(), faces).expect("legal");
    assert_eq!(decided(&cube, &inner), Some(Ok(Touch::Pierces)));
    assert_eq!(decided(&inner, &cube), Some(Ok(Touch::Pierces)));
}

/// A cube beside a small one, both inside a large one; the last two are one mesh.
#[test]
fn beside_one_body_and_inside_another() {
    let block = |at: Int, size: i64| {
        let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]]));
        cube.mapped(|p| std::array::from_fn(|k| at[k] + size * p[k])).mesh()
    };
    let (large, small, beside) = (block([0; 3], 12), block([2; 3], 2), block([4, 2, 2], 2));
    for bodies in [[&large, &small], [&small, &large]] {
        let both = Mesh::union(bodies).expect("24 triangles");
        assert_eq!(decided(&beside, &both), Some(Ok(Touch::Pierces)));
        assert_eq!(decided(&both, &beside), Some(Ok(Touch::Pierces)));
    }
}

/// A tetrahedron with nothing but an edge, or a corner, on a face of a cube: inside, or outside.
#[test]
fn an_edge_on_a_face() {
    let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]])).mapped(|p| p.map(|x| 12 * x));
    let inner = [[4, 4, 0], [8, 5, 0], [5, 7, 4], [6, 3, 5]];
    let mut tally = Tally::default();
    for (corners, up) in
        [(inner, true), (inner, false), ([[4, 4, 0], [8, 5, 1], [5, 7, 4], [6, 3, 5]], true)]
    {
        let turned = corners.map(|[x, y, z]: Int| [x, y, if up { z } else { -z }]);
        let solid = Shape::tetrahedron(turned).expect("solid");
        tally.compare(&cube, &solid);
        tally.compare(&solid, &cube);
    }
    assert_eq!(tally.0, [6, 12, 0]);
}

/// A triangle as a mesh.
fn sheet(corners: [[f64; 3]; 3]) -> Mesh {
    Mesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("legal")
}

/// Two triangles with a common edge.
fn folded(apex: [[f64; 3]; 2], edge: [[f64; 3]; 2]) -> Mesh {
    let corners = [edge[0], edge[1], apex[0], apex[1]].map(Point::from);
    Mesh::new(corners.to_vec(), vec![[0, 1, 2], [1, 0, 3]]).expect("legal")
}

#[test]
fn open_surfaces_pierce_if_triangles_cross() {
    let flat = sheet([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    for (corners, expected) in [
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [5.0, 5.0, 1.0]], Touch::Pierces),
        ([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 1.0]], Touch::Touches),
        ([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 2.0, 1.0]], Touch::Touches),
        ([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]], Touch::Touches),
    ] {
        assert_eq!(decided(&flat, &sheet(corners)), Some(Ok(expected)), "{corners:?}");
    }
    // Through an edge: a folded sheet whose edge lies in the other triangle, or along its side.
    let (above, below, beside) = ([1.5, 1.0, 1.0], [1.5, 1.0, -1.0], [1.5, 1.5, 1.0]);
    let inside = [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]];
    let along = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    for (apex, edge, expected) in [
        ([above, below], inside, Touch::Pierces),
        ([above, beside], inside, Touch::Touches),
        ([above, below], along, Touch::Touches),
    ] {
        let sheet = folded(apex, edge);
        assert_eq!(decided(&flat, &sheet), Some(Ok(expected)), "{apex:?} {edge:?}");
        assert_eq!(decided(&sheet, &flat), Some(Ok(expected)), "{apex:?} {edge:?}");
    }
    // Through an edge of both: a floor of two halves, and a wall that stands on their border.
    let floor = folded([[2.0, 3.0, 0.0], [2.0, -3.0, 0.0]], [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    for (apex, expected) in [([above, below], Touch::Pierces), ([above, beside], Touch::Touches)] {
        let wall = folded(apex, along);
        assert_eq!(decided(&floor, &wall), Some(Ok(expected)), "{apex:?}");
        assert_eq!(decided(&wall, &floor), Some(Ok(expected)), "{apex:?}");
    }
    // Two of three sheets at an edge are on both sides of a folded one, and the third lies on it.
    let corners = [along[0], along[1], [1.5, 0.0, 1.0], [1.5, 1.0, 1.0], [1.5, -1.0, -1.0]];
    let corners = corners.map(Point::from).to_vec();
    let three = Mesh::new(corners, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]).expect("legal");
    let two = folded([[1.5, 1.0, 0.0], [1.5, 0.0, 1.0]], along);
    assert_eq!(decided(&two, &three), Some(Ok(Touch::Pierces)));
    assert_eq!(decided(&three, &two), Some(Ok(Touch::Pierces)));
    // So it is where only one of them is open.
    let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]])).mesh();
    let leaning = sheet([[0.5, 0.5, 0.0], [0.25, 0.5, 0.5], [0.5, 0.25, 0.5]]);
    assert_eq!(decided(&cube, &leaning), Some(Ok(Touch::Touches)));
    assert_eq!(decided(&leaning, &cube), Some(Ok(Touch::Touches)));
}

#[test]
fn a_triangle_without_area_pierces_where_it_passes_through() {
    let flat = sheet([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    let floor = folded([[2.0, 3.0, 0.0], [2.0, -3.0, 0.0]], [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    let thread = sheet([[1.0, 1.0, -1.0], [1.0, 1.0, 0.5], [1.0, 1.0, 2.0]]);
    assert_eq!(decided(&flat, &thread), Some(Ok(Touch::Pierces)));
    // Where it passes by the border, or only through a corner, it does not; through an edge inside
    // a surface it does.
    for (x, y) in [(1.0, 0.0), (0.0, 1.0), (2.0, 2.0), (0.0, 0.0), (4.0, 0.0)] {
        let brushing = sheet([[x, y, -1.0], [x, y, 0.5], [x, y, 2.0]]);
        assert_eq!(decided(&flat, &brushing), Some(Ok(Touch::Touches)), "{x} {y}");
        assert_eq!(decided(&brushing, &flat), Some(Ok(Touch::Touches)), "{x} {y}");
    }
    let through = sheet([[1.0, 0.0, -1.0], [1.0, 0.0, 0.5], [1.0, 0.0, 2.0]]);
    assert_eq!(decided(&floor, &through), Some(Ok(Touch::Pierces)));
    assert_eq!(decided(&through, &floor), Some(Ok(Touch::Pierces)));
}

#[test]
fn what_meets_itself_is_refused_by_name() {
    // Two cubes in one mesh that share an edge, with common corners: an edge of four triangles.
    let two = Shape::cubes(&BTreeSet::from([[0, 0, 0], [1, 1, 0]])).mesh();
    let on_top = Shape::cubes(&BTreeSet::from([[0, 0, 1]])).mesh();
    let found = decided(&two, &on_top).expect("they meet").expect_err("no manifold");
    assert!(matches!(found, Undecided::NonManifold { mesh: 0, triangles: 4, .. }), "{found}");
    assert_eq!(found.mesh(), 0);
    let swapped = decided(&on_top, &two).expect("they meet").expect_err("no manifold");
    assert_eq!(swapped.mesh(), 1, "{swapped}");
}

/// The volume's sign is found by integers where f64 cannot: a sliver far from the origin.
#[test]
fn slivers_and_extreme_units() {
    for unit in [1.0, 1e-140, 1e140, 2.0_f64.powi(-1060)] {
        let cube = |at: [f64; 3], size: f64| {
            let shape = Shape::cubes(&BTreeSet::from([[0, 0, 0]]));
            let place = |p: &Int| {
                Point::from(std::array::from_fn::<f64, 3, _>(|k| {
                    (at[k] + p[k] as f64 * size) * unit
                }))
            };
            let points: Vec<Point> = shape.corners.iter().map(place).collect();
            Mesh::new(points, shape.triangles).expect("legal")
        };
        let a = cube([64.0, 0.0, 0.0], 16.0);
        for (b, expected) in [
            (cube([80.0, 4.0, 4.0], 1.0), Touch::Touches),
            (cube([79.0, 4.0, 4.0], 1.0), Touch::Pierces),
            (cube([79.0, 4.0, 4.0], 2.0), Touch::Pierces),
            (cube([80.0, 16.0, 16.0], 3.0), Touch::Touches),
            (cube([64.0, 0.0, 0.0], 16.0), Touch::Pierces),
        ] {
            assert_eq!(decided(&a, &b), Some(Ok(expected)), "unit {unit:e}");
        }
    }
}

/// A bent prism whose ends share an edge, with corners of their own: one component by its corners,
/// with four triangles at an edge by their places.
#[test]
fn a_component_that_touches_itself_along_an_edge_is_refused() {
    let sections: [[[f64; 3]; 3]; 5] = [
        [[1., 0., 0.], [1., 0., 1.], [2., 0., 0.]],
        [[0., 1., 0.], [0., 1., 1.], [0., 2., 0.]],
        [[-1., 0., 0.], [-1., 0., 1.], [-2., 0., 0.]],
        [[0., -1., 0.], [0., -1., 1.], [0., -2., 0.]],
        [[1., 0., 0.], [1., 0., 1.], [2., -1., 0.]],
    ];
    let mut triangles = vec![[0, 1, 2], [12, 14, 13]];
    for s in 0..4 {
        for k in 0..3 {
            let (a, b) = (3 * s + k, 3 * s + (k + 1) % 3);
            triangles.extend([[b, a, a + 3], [b, a + 3, b + 3]]);
        }
    }
    let ring = Mesh::new(sections.concat().into_iter().map(Point::from).collect(), triangles);
    let ring = ring.expect("legal");
    assert!(Topology::new(&ring).closed().is_ok());
    let cube = Shape::cubes(&BTreeSet::from([[1, 0, 1]])).mesh();
    let found = decided(&ring, &cube).expect("they meet").expect_err("four at an edge");
    assert!(matches!(found, Undecided::NonManifold { mesh: 0, triangles: 4, .. }), "{found}");
}

#[test]
fn a_crossing_is_evident_unless_a_triangle_meets_its_own_mesh() {
    let cube = |at: Int| Shape::cubes(&BTreeSet::from([at])).mapped(|p| p.map(|x| 4 * x));
    let (a, b) =
        (cube([0; 3]).mesh(), cube([0; 3]).mapped(|[x, y, z]| [x + 1, y + 2, z + 3]).mesh());
    let evident = |a: &Mesh, b: &Mesh| {
        crossing_is_evident::<Undecided>([a, b], &pairs(a, b), &mut || Ok(())).expect("no look")
    };
    assert!(evident(&a, &b) && evident(&b, &a));
    // A second sheet over every triangle, and its back over that: nothing is certain.
    let doubled = Mesh::union([&a, &a, &a.flipped()]).expect("36 triangles");
    assert!(!evident(&doubled, &b) && !evident(&b, &doubled));
    let beside = cube([1, 0, 0]).mesh();
    assert!(!evident(&a, &beside));
}

#[test]
fn the_sign_of_a_volume_is_exact() {
    let solid = Shape::tetrahedron([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).expect("solid");
    let big = |[x, y, z]: Int| [x + 30_011 * z, y + 90_001 * x, z + 90_007 * (y + 90_001 * x)];
    for (shape, expected) in [
        (solid.clone(), Sign::Positive),
        (solid.mapped(big), Sign::Positive),
        (solid.mapped(big).mapped(|[x, y, z]| [y, x, z]), Sign::Negative),
        (solid.mapped(|[x, y, _]| [x, y, x + y]), Sign::Zero),
    ] {
        for unit in [1.0, 2.0_f64.powi(-1074), 2.0_f64.powi(900), 0.75] {
            let mesh = shape.mesh().scaled(unit).expect("in range");
            let signs = solid::orientations(&mesh, &[0; 4], 1);
            assert_eq!(signs, [expected], "unit {unit:e}");
            assert_eq!(solid::exactly(&mesh, &[0; 4], 0), expected, "unit {unit:e}");
            let flipped = mesh.flipped();
            assert_eq!(solid::exactly(&flipped, &[0; 4], 0), expected.opposite());
        }
    }
    // Of two components each has its own sign.
    let pair = Mesh::union([&solid.mesh(), &solid.mesh().flipped()]).expect("8 triangles");
    let of = [0, 0, 0, 0, 1, 1, 1, 1];
    assert_eq!(solid::orientations(&pair, &of, 2), [Sign::Positive, Sign::Negative]);
    assert_eq!([0, 1].map(|c| solid::exactly(&pair, &of, c)), [Sign::Positive, Sign::Negative]);
}

/// Integers are asked about few bodies: not about one of ordinary shape and place.
#[test]
fn the_sign_of_most_volumes_needs_no_integers() {
    let mut volume = solid::Volume::default();
    let mesh = Shape::cubes(&BTreeSet::from([[100, 200, 300]])).mesh();
    mesh.corners().for_each(|corners| volume.add(&corners));
    assert_eq!(volume.sign(), Some(Sign::Positive));
    let mut flat = solid::Volume::default();
    flat.add(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from));
    assert_eq!(flat.sign(), None);
}

/// A rounded middle is no farther off than what it is said to be.
#[test]
fn middles_are_as_far_off_as_they_may_be() {
    let mut random = Random(7);
    let (mut rounded, mut worst) = (0, 0.0_f64);
    for _ in 0..2_000 {
        let mut at =
            || Point::from([0; 3].map(|_| 1.0 + random.below(1 << 40) as f64 * f64::EPSILON));
        let (u, v) = (at(), at());
        let [(middle, slack), ..] = super::inside::middles(&[u, v, u]);
        // All are near 1, so that their differences are exact.
        let off = middle - u - (v - middle);
        let distance = off.norm() / 2.0;
        assert!(distance <= slack, "{u} {v}: {distance:e} of {slack:e}");
        rounded += u32::from(slack > 0.0);
        worst = worst.max(if slack > 0.0 { distance / slack } else { 0.0 });
    }
    assert!(rounded > 1_000 && worst > 0.1, "{rounded} {worst}");
}

#[test]
fn middles_know_whether_they_are_exact() {
    use super::inside::is_middle;
    assert!(is_middle(1.0, 2.0, 1.5) && is_middle(-3.0, 3.0, 0.0));
    assert!(!is_middle(0.0, f64::from_bits(1), 0.0));
    let next = 1.0 + f64::EPSILON;
    assert!(!is_middle(1.0, next, 1.0) && !is_middle(1.0, next, next));
    assert!(!is_middle(1e20, 1.0, 5e19) && !is_middle(1.0, 2.0, 1.25));
}

/// The products of the largest and the least coordinates lose more than the sum has left.
#[test]
fn underflow_is_no_volume() {
    let e = 1e-170;
    let corners = [
        [1.3e291, 0.0, 0.0],
        [7e290, 0.0, e],
        [1.2e291, e, 0.0],
        [1e290, e, e],
        [1.4e291, 0.0, 0.0],
        [8e290, 0.0, e],
        [1.3e291, e, 0.0],
        [4e290, e, e],
    ];
    let triangles = vec![
        [6, 7, 4],
        [5, 4, 7],
        [5, 0, 4],
        [1, 0, 5],
        [3, 7, 2],
        [6, 2, 7],
        [0, 2, 6],
        [4, 0, 6],
        [7, 1, 5],
        [3, 1, 7],
        [1, 3, 0],
        [0, 3, 2],
    ];
    let mesh = Mesh::new(corners.map(Point::from).to_vec(), triangles).expect("legal");
    assert!(Topology::new(&mesh).closed().is_ok());
    assert_eq!(solid::exactly(&mesh, &[0; 12], 0), Sign::Positive);
    assert_eq!(solid::orientations(&mesh, &[0; 12], 1), [Sign::Positive]);
}

/// Two triangles on one line are a closed surface that encloses nothing.
#[test]
fn a_component_without_area_is_refused() {
    let cube = Shape::cubes(&BTreeSet::from([[0, 0, 0]])).mesh();
    let line = [[3.0, 0.5, 0.5], [3.25, 0.5, 0.5], [3.5, 0.5, 0.5]].map(Point::from);
    let line = Mesh::new(line.to_vec(), vec![[0, 1, 2], [0, 2, 1]]).expect("legal");
    let both = Mesh::union([&cube, &line]).expect("14 triangles");
    let block = Shape::cubes(&(1..6).map(|x| [x, 0, 0]).collect()).mesh();
    let found = decided(&both, &block).expect("they share a face").expect_err("no sides");
    assert_eq!(found, Undecided::Degenerate { mesh: 0, triangle: 12 });
}
