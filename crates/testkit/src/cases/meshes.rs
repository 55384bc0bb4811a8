//! Pairs of meshes that have made collision libraries fail.

mod bodies;

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Shape;
use impinge_models::procedural::{sphere, torus};
use nalgebra::Matrix3;

use crate::oracle::Verdict;
use bodies::{cube, mesh, moved, pyramid, sheet, soup, tetrahedron};

/// A pair of meshes and the pose of B in A's frame.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The difficulty, in a few words.
    pub name: &'static str,
    /// The first mesh, in whose frame the query is.
    pub a: Mesh,
    /// The second mesh, in its own frame.
    pub b: Mesh,
    /// The pose of B in A's frame.
    pub pose: Pose,
    /// Whether both meshes are closed and consistently wound, so that they may be asked about as
    /// solids.
    pub solids_ok: bool,
    /// The verdict, if it is obvious by construction: as solids if `solids_ok`, else of the
    /// surfaces.
    pub expected: Option<Verdict>,
}

const HIT: Option<Verdict> = Some(Verdict::Intersecting);
const MISS: Option<Verdict> = Some(Verdict::Separated);
const INSIDE: Option<Verdict> = Some(Verdict::Contained);

/// All traps, always the same, small enough for the oracle.
pub fn traps() -> Vec<Trap> {
    [touching(), coplanar(), shared_after_pose(), nested(), thin(), extreme(), round(), single()]
        .concat()
}

/// A trap of two closed meshes.
fn solids(name: &'static str, a: Mesh, b: Mesh, pose: Pose, expected: Option<Verdict>) -> Trap {
    Trap { name, a, b, pose, solids_ok: true, expected }
}

/// A trap of two meshes, at least one of which is open.
fn surfaces(name: &'static str, a: Mesh, b: Mesh, pose: Pose, expected: Option<Verdict>) -> Trap {
    Trap { name, a, b, pose, solids_ok: false, expected }
}

fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("finite numbers written in this file")
}

/// A rotation about a tilted axis that is not exact in binary.
fn inexact() -> Pose {
    Pose::from_quaternion([0.3, -0.2, 0.1], [0.1, 0.2, 0.3, 0.86_f64.sqrt()])
        .expect("the squares sum to one")
}

fn touching() -> Vec<Trap> {
    let ball = || Shape::Sphere.mesh(60, 0);
    // The pyramid's tip is at the origin and points down, towards the cube's face z = 1.
    let tip = |z: f64| shift(0.25, -0.5, z);
    let at_corner = || shift(1.0, 1.0, 1.0);
    let (below, above) = (tetrahedron(false), tetrahedron(true));
    vec![
        solids("identical meshes on top of each other", ball(), ball(), shift(0.0, 0.0, 0.0), HIT),
        solids("a vertex on a face", cube(1.0), pyramid(), tip(1.0), HIT),
        solids("a vertex one ulp off a face", cube(1.0), pyramid(), tip(1f64.next_up()), MISS),
        solids("a vertex one ulp into a face", cube(1.0), pyramid(), tip(1f64.next_down()), HIT),
        solids("a vertex on a corner", cube(1.0), pyramid(), at_corner(), HIT),
        solids(
            "edges crossing at one point",
            below.clone(),
            above.clone(),
            shift(0.0, 0.0, 0.0),
            HIT,
        ),
        solids("edges passing by", below.clone(), above.clone(), shift(0.0, 0.0, 1e-300), MISS),
        solids("edges crossing off their middles", below, above, shift(0.7, -0.9, 0.0), HIT),
    ]
}

/// Those of [`traps`] with coplanar faces, about which no filter is certain.
pub(crate) fn coplanar() -> Vec<Trap> {
    let none = shift(0.0, 0.0, 0.0);
    let lattice = || sheet(3, 1.0);
    vec![
        solids("cubes face on face", cube(1.0), cube(1.0), shift(0.5, 0.25, 2.0), HIT),
        solids("cubes edge on edge", cube(1.0), cube(1.0), shift(2.0, 0.25, 2.0), HIT),
        solids("cubes corner on corner", cube(1.0), cube(1.0), shift(2.0, 2.0, 2.0), HIT),
        solids("cubes with faces in one plane", cube(1.0), cube(1.0), shift(2.25, 0.0, 0.0), MISS),
        surfaces("one sheet in another", sheet(2, 4.0), lattice(), shift(0.5, 0.5, 0.0), HIT),
        surfaces("sheets edge on edge", lattice(), lattice(), shift(3.0, 0.25, 0.0), HIT),
        surfaces("sheets apart in one plane", lattice(), lattice(), shift(3.5, 0.0, 0.0), MISS),
        surfaces("sheets one ulp apart", lattice(), lattice(), shift(0.3, 0.1, 5e-324), MISS),
        surfaces("a sheet with itself", lattice(), lattice(), none, HIT),
    ]
}

fn shared_after_pose() -> Vec<Trap> {
    let pose = inexact();
    let hull = Shape::Hull.mesh(40, 3);
    let posed = |m: &Mesh| m.posed(&pose).expect("small numbers");
    let neighbour = moved(&cube(1.0), [2.0, 0.0, 0.0]);
    let corner = moved(&cube(1.0), [2.0, 2.0, 2.0]);
    let back = pose.inverse().then_inner(&pose);
    let slightly_off = Pose::new(
        Matrix3::new(1.0, 1e-9, 0.0, 0.0, 1.0, 0.0, 0.0, 2e-9, 1.0),
        Vector::new(2.0, 0.0, 0.0),
    )
    .expect("off by less than the tolerance");
    vec![
        solids("the same vertices after an inexact pose", posed(&hull), hull.clone(), pose, HIT),
        solids("a face shared after an inexact pose", posed(&cube(1.0)), neighbour, pose, HIT),
        solids("a corner shared after an inexact pose", posed(&cube(1.0)), corner, pose, HIT),
        solids("there and back by an inexact pose", posed(&hull), posed(&hull), back, None),
        solids("a rotation slightly off orthonormal", cube(1.0), cube(1.0), slightly_off, None),
    ]
}

fn nested() -> Vec<Trap> {
    let none = shift(0.0, 0.0, 0.0);
    let shell = Mesh::union([&cube(4.0), &cube(2.0).flipped()]).expect("two cubes");
    let two = Mesh::union([&moved(&cube(0.5), [20.0, 0.0, 0.0]), &cube(0.5)]).expect("two cubes");
    vec![
        solids("a mesh inside another", cube(2.0), cube(1.0), none, INSIDE),
        solids("a mesh around another", cube(1.0), cube(2.0), none, INSIDE),
        solids("inside a mesh turned inside out", cube(2.0).flipped(), cube(1.0), none, INSIDE),
        solids("in a cavity", shell.clone(), cube(1.0), none, MISS),
        solids("in the wall around a cavity", shell, cube(0.5), shift(3.0, 0.0, 0.0), INSIDE),
        solids("one component of two inside", cube(1.0), two, none, INSIDE),
        solids("inside a pyramid", pyramid(), cube(0.125), shift(0.0, 0.0, 0.75), INSIDE),
    ]
}

fn thin() -> Vec<Trap> {
    let none = shift(0.0, 0.0, 0.0);
    let flat_box = || {
        let flat = |p: &Point| Point::new(p.x, p.y, 0.0);
        let c = cube(1.0);
        c.with_vertices(c.vertices().iter().map(flat).collect()).expect("as many vertices")
    };
    let needle =
        |x: f64| mesh(&[[x, 0.5, -5.0], [x, 0.5, 5.0], [x + 1e-7, 0.5, 0.0]], &[[0, 1, 2]]);
    vec![
        surfaces("a flat mesh cut by a cube", sheet(4, 1.0), cube(1.0), shift(2.0, 2.0, 0.3), HIT),
        surfaces("a flat mesh inside a cube", cube(8.0), sheet(4, 1.0), none, MISS),
        solids("a closed mesh without volume", flat_box(), cube(0.5), shift(0.0, 0.0, 0.4), HIT),
        solids("a closed mesh without volume inside", cube(2.0), flat_box(), none, INSIDE),
        surfaces("a needle of aspect 1e8 through a face", cube(1.0), needle(0.5), none, HIT),
        surfaces("a needle of aspect 1e8 grazing", cube(1.0), needle(1.0), none, HIT),
        surfaces("a needle of aspect 1e8 passing", cube(1.0), needle(1f64.next_up()), none, MISS),
        surfaces("two needles after an inexact pose", needle(0.0), needle(0.0), inexact(), None),
        surfaces("segments, points and copies", soup(), cube(1.0), shift(1.0, 0.0, 0.0), HIT),
        surfaces("segments and points with themselves", soup(), soup(), inexact(), None),
    ]
}

fn extreme() -> Vec<Trap> {
    // Powers of two near 1e150 and 1e-150, so that scaling is exact.
    let (large, small) = (2f64.powi(498), 2f64.powi(-498));
    let none = shift(0.0, 0.0, 0.0);
    let ball = |factor: f64| Shape::Sphere.mesh(40, 0).scaled(factor).expect("in range");
    let tip = |z: f64| shift(0.25 * large, 0.5 * large, z * large);
    let big_pyramid = || pyramid().scaled(large).expect("in range");
    let small_pyramid = || pyramid().scaled(small).expect("in range");
    vec![
        solids("1e-150 inside 1e150", cube(large), ball(small), none, INSIDE),
        solids("1e-150 on the face of 1e150", cube(large), ball(small), tip(1.0), HIT),
        solids("1e-150 at the corner of 1e150", big_pyramid(), small_pyramid(), none, HIT),
        solids("1e150: a vertex on a face", cube(large), big_pyramid(), tip(1.0), HIT),
        solids(
            "1e150: a vertex one ulp off",
            cube(large),
            big_pyramid(),
            tip(1f64.next_up()),
            MISS,
        ),
        solids("1e150: balls after an inexact pose", ball(large), ball(large), inexact(), HIT),
        solids("1e-150: balls apart", ball(small), ball(small), shift(small * 1.5, 0.0, 0.0), MISS),
        solids(
            "1e-150: balls overlapping",
            ball(small),
            ball(small),
            shift(small * 0.7, 0.0, 0.0),
            HIT,
        ),
    ]
}

fn round() -> Vec<Trap> {
    let ball = || sphere(1.0, 6, 8).expect("valid parameters");
    // The ball's lower pole is moved down to the sheet z = 0.
    let over = |z: f64| shift(1.3, 1.1, z);
    let ring = || torus(1.0, 0.25, 10, 6).expect("valid parameters");
    let upright = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
    let through = |x: f64| Pose::new(upright, Vector::new(x, 0.0, 0.0)).expect("a quarter turn");
    vec![
        surfaces("a sphere on a plane", sheet(3, 1.0), ball(), over(1.0), HIT),
        surfaces("a sphere one ulp off a plane", sheet(3, 1.0), ball(), over(1f64.next_up()), MISS),
        surfaces("a sphere one ulp in a plane", sheet(3, 1.0), ball(), over(1f64.next_down()), HIT),
        solids("two tori linked without touching", ring(), ring(), through(1.0), MISS),
        solids("two tori linked and touching", ring(), ring(), through(0.3), HIT),
        solids("two tori apart", ring(), ring(), through(3.0), MISS),
        solids("a ball in the hole of a torus", ring(), ball(), shift(0.0, 0.0, 1.8), None),
    ]
}

fn single() -> Vec<Trap> {
    let none = shift(0.0, 0.0, 0.0);
    let one = || mesh(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let point = || mesh(&[[0.25, 0.25, 0.0]; 3], &[[0, 1, 2]]);
    vec![
        surfaces("one triangle with itself", one(), one(), none, HIT),
        surfaces("one triangle beside one", one(), one(), shift(0.5, 0.5, 1e-9), MISS),
        surfaces("one triangle at the tip of one", one(), one(), shift(0.0, 1.0, 0.0), HIT),
        surfaces("one triangle and a point on it", one(), point(), none, HIT),
        surfaces("one triangle and a point off it", one(), point(), shift(0.5, 0.5, 0.0), MISS),
        solids("one point with itself", point(), point(), none, HIT),
        surfaces("one triangle inside a cube", cube(2.0), one(), none, MISS),
    ]
}
