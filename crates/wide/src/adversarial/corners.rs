//! Corners that are loaded from the cells of leaves are where the mesh has them, up to the room that is
//! told with them; so what is certain of them is what the exact test says.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector, triangle};
use impinge_models::Random;
use impinge_query::{Control, Engine};

use super::triangles::{Beyond, against, any};
use super::widths;
use crate::frame::power_of_two;
use crate::kernel::triangles::{Certain, Reach, UNIT, bounds};
use crate::kernel::{directions, heights};
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::Pair;
use crate::search::quads::{Loaded, Quads};
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Leaf};
use crate::wide;

const KINDS: u64 = 9;

fn log(random: &mut Random, low: f64, high: f64) -> f64 {
    random.range(low.ln(), high.ln()).exp()
}

/// Four triangles against four that nearly touch them, and a fifth far away in each mesh, so that
/// leaves are small parts of their models.
struct Case {
    models: [WideModel; 2],
    pose: Pose,
}

fn mesh(four: &[Triangle; 4], far: Option<Vector>, place: impl Fn(&Point) -> Point) -> Mesh {
    let mut corners: Vec<Point> = four.iter().flatten().map(&place).collect();
    if let Some(far) = far {
        corners.extend(four[0].iter().map(|x| place(&(x + far))));
    }
    let n = corners.len() as u32 / 3;
    Mesh::new(corners, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("legal")
}

impl Case {
    fn new(random: &mut Random, kind: u64) -> Self {
        let p = [0; 4].map(|_| any(random));
        let finer = if random.chance(0.5) { 1.0 } else { log(random, 1e-3, 1.0) };
        let q = [0, 1, 2, 3].map(|i: usize| {
            let q = against(random, &p[i], kind);
            q.map(|x| q[0] + (x - q[0]) * finer)
        });
        let scale = log(random, 1e-6, 1e6);
        let mut far = || {
            let far = random.unit_vector() * log(random, 4.0, 1e4);
            random.chance(0.7).then_some(far)
        };
        let far = [far(), far()];
        let away = random.in_ball() * if random.chance(0.5) { 0.0 } else { log(random, 1.0, 1e4) };
        let turned = random.pose(0.0);
        let way = random.in_ball() * log(random, 1.0, 1e3);
        let pose = Pose::new(*turned.rotation(), way * scale).expect("in range");
        let inverse = pose.inverse();
        let of_a = |x: &Point| Point::from((x.coords + away) * scale);
        let of_b = |x: &Point| inverse.apply(&of_a(x));
        let meshes = [mesh(&p, far[0], of_a), mesh(&q, far[1], of_b)];
        let prepare = |mesh: &Mesh| wide().prepare(mesh, &Control::NONE).expect("any mesh");
        Self { models: meshes.each_ref().map(prepare), pose }
    }

    /// The leaves with the first triangles.
    fn leaves(&self) -> [&Leaf; 2] {
        self.models.each_ref().map(|model| {
            let leaves = &model.tree.leaves;
            leaves.iter().find(|leaf| leaf.triangles().contains(&0)).expect("a leaf")
        })
    }

    fn placement(&self) -> Placement {
        let [a, b] = self.models.each_ref();
        let max_abs = [a.max_abs(), b.max_abs()];
        Placement::however_far(&self.pose, [&a.tree.frame, &b.tree.frame], max_abs)
    }

    /// The pairs for which `certain` is wrong.
    fn wrong(&self, certain: Certain) -> u32 {
        let [a, b] = self.leaves().map(Leaf::triangles);
        let [of_a, of_b] = self.models.each_ref().map(WideModel::mesh);
        let len = self.leaves().map(Leaf::len);
        let mut wrong = 0;
        for bit in (0..16).filter(|bit| bit / 4 < len[0] && bit % 4 < len[1]) {
            let [hit, miss] = [certain.hit, certain.miss].map(|bits| bits >> bit & 1 == 1);
            let p = of_a.triangle(a[bit / 4]);
            let q = of_b.triangle(b[bit % 4]).map(|x| self.pose.apply(&x));
            wrong += u32::from((hit || miss) && triangles_meet(&p, &q) != hit);
        }
        wrong
    }
}

struct Load<'c>(&'c Case, &'c Placement);

impl Task for Load<'_> {
    type Out = Loaded;

    #[inline(always)]
    fn run<S: Simd>(self) -> Loaded {
        let Self(case, placement) = self;
        let models = case.models.each_ref();
        let pair = Pair { models, pose: &case.pose, placement };
        let [a, b] = case.leaves();
        Quads::new(&pair).load::<S>(&pair, a, b)
    }
}

/// The share of the room that corners need: the most that one of A is off, and the most that one of B is,
/// both beyond their relative errors.
fn needed(case: &Case, placement: &Placement, (fours, reach): &Loaded) -> f64 {
    let [e, f] = placement.exponents;
    let scale = power_of_two(-e.max(f));
    let [a, b] = case.leaves();
    let frame = &case.models[0].tree.frame;
    let unit = power_of_two(frame.exponent);
    // Relative to the origin of A's leaf, in 64 bits.
    let from = |x: &Point| {
        [0, 1, 2].map(|c| ((x[c] - frame.center[c]) - f64::from(a.origin[c]) * unit) * scale)
    };
    let mut off = [0.0f64; 2];
    for (side, leaf) in [a, b].into_iter().enumerate() {
        let mesh = case.models[side].mesh();
        for i in 0..4 {
            let triangle = mesh.triangle(leaf.triangle(i)).map(|x| match side {
                0 => from(&x),
                _ => from(&case.pose.apply(&x)),
            });
            for k in 0..3 {
                for c in 0..3 {
                    let (found, exact) = (f64::from(fours[side].at(k, c)[i]), triangle[k][c]);
                    let relative = 1.001 * f64::from(UNIT) * exact.abs();
                    off[side] = off[side].max((found - exact).abs() - relative);
                    let largest = f64::from(reach.largest + reach.room);
                    assert!(exact.abs() <= largest, "{exact} of {reach:?}");
                    let edge = (triangle[(k + 1) % 3][c] - exact).abs();
                    assert!(
                        edge <= f64::from(reach.longest[side] + 2.0 * reach.room),
                        "{edge} {reach:?}"
                    );
                }
            }
        }
    }
    (off[0] + off[1]) / f64::from(reach.room)
}

/// Bounds on the distances of all pairs, in the kernel's unit.
struct Along<'l>(&'l Loaded);

impl Task for Along<'_> {
    type Out = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; LANES] {
        let ([p, q], reach) = self.0;
        let mut squares = [0.0; LANES];
        directions::bounds::<S>(p, q, reach, &mut squares);
        squares
    }
}

/// Whether triangle `i` of A and `j` of B are certainly farther apart than a limit.
struct Over<'l>(&'l Loaded, f32);

impl Task for Over<'_> {
    type Out = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let ([p, q], reach) = self.0;
        heights::beyond::<S>(p, q, reach, self.1)
    }
}

/// The pairs of which a bound is larger than the distance: along a direction, and over a plane.
fn too_far(case: &Case, placement: &Placement, loaded: &Loaded, width: Width) -> [u32; 2] {
    let [e, f] = placement.exponents;
    let scale = power_of_two(-e.max(f));
    let (squares, leaves) = (width.run(Along(loaded)), case.leaves());
    let [of_a, of_b] = case.models.each_ref().map(WideModel::mesh);
    let mut wrong = [0; 2];
    for (bit, square) in squares.into_iter().enumerate() {
        let p = of_a.triangle(leaves[0].triangle(bit / 4));
        let q = of_b.triangle(leaves[1].triangle(bit % 4)).map(|x| case.pose.apply(&x));
        let distance = triangle::distance(&p, &q).0 * scale;
        // Distances in 64 bits are off by some roundings of the coordinates, a part of the pad.
        let far = case.models.each_ref().map(WideModel::max_abs);
        let size = (far[0] + far[1] + case.pose.translation().amax()) * scale;
        let most = distance * (1.0 + 1e-9) + size * 1e-13;
        wrong[0] += u32::from(f64::from(square).sqrt() > most);
        let limit = (most * most * (1.0 + 1e-6)) as f32;
        wrong[1] += width.run(Over(loaded, limit)) >> bit & 1;
    }
    wrong
}

#[test]
fn loaded_corners_are_where_the_mesh_has_them() {
    let mut random = Random::new(61);
    let (mut most, mut decided, mut undecided) = (0.0f64, [0; 2], 0);
    for index in 0..60_000 {
        let case = Case::new(&mut random, index % KINDS);
        let placement = case.placement();
        if placement.far {
            continue;
        }
        for width in widths() {
            let loaded = width.run(Load(&case, &placement));
            let share = needed(&case, &placement, &loaded);
            assert!(share <= 1.0, "{width}, case {index}: {share} of {:?}", loaded.1);
            most = most.max(share);
            let certain = width.run(Beyond(&loaded.0, bounds(&loaded.1)));
            assert_eq!(case.wrong(certain), 0, "{width}, case {index}: {certain:?}");
            if index % 8 == 0 {
                assert_eq!(too_far(&case, &placement, &loaded, width), [0; 2], "{width}, {index}");
            }
            decided[0] += certain.hit.count_ones();
            decided[1] += certain.miss.count_ones();
            undecided += (!(certain.hit | certain.miss) & 0xffff).count_ones();
        }
    }
    println!("{most:.3} of the room; certain hits, misses: {decided:?}, undecided {undecided}");
    assert!(decided.iter().all(|n| *n > 50_000), "{decided:?}");
    assert!(most > 0.4, "{most}");
}

/// With a thousandth of the bound some signs are wrong, and with none many.
#[test]
fn smaller_bounds_would_not_do() {
    let mut random = Random::new(61);
    let (mut wrong, mut far) = ([0; 2], [0; 2]);
    for index in 0..40_000 {
        let case = Case::new(&mut random, index % KINDS);
        let placement = case.placement();
        if placement.far {
            continue;
        }
        let (fours, reach) = Width::Portable.run(Load(&case, &placement));
        for (wrong, share) in wrong.iter_mut().zip([1e-3, 0.0]) {
            *wrong +=
                case.wrong(Width::Portable.run(Beyond(&fours, bounds(&reach).map(|x| x * share))));
        }
        if index % 8 == 0 {
            let bare = (fours, Reach { largest: 0.0, room: 0.0, ..reach });
            let [along, over] = too_far(&case, &placement, &bare, Width::Portable);
            far = [far[0] + along, far[1] + over];
        }
    }
    println!("a thousandth of the bound, and none: {wrong:?} wrong; too far without room: {far:?}");
    assert!(wrong[0] > 10 && wrong[1] > 1_000, "{wrong:?}");
    assert!(far[0] > 10, "{far:?}");
}
