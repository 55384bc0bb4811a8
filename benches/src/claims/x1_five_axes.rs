//! X1: *five axes instead of fifteen save 15 to 20 % of the time* (xie §3.2).
//!
//! Tree, descent and triangle test are the same; only the number of axes differs. If the method
//! `reduced-axes` is built, it is also timed against `obbtree`, whose tree differs as well.

use std::time::Instant;

use impinge::geometry::triangle::{meet_with, sat17};
use impinge::geometry::volume::Obb;
use impinge::query::Ask;
use impinge::{Mesh, Pose};
use impinge_benches::harness::{Competitor, Query, Rules, Workload, compete, take_all_turns};
use impinge_benches::placement::{Plan, Target, place_at, poses};
use impinge_benches::progress::Listener;
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

use super::box_tree::{BoxTree, Rule};
use super::fifteen_axes::{Axis, OrientedBox, Relative, SLACK, by_length};
use super::outcome::{Effort, Figure, Outcome, Scene};

/// Number of faces of both models in the paper.
const FACES: usize = 32_062;
/// Gaps in decreasing order, with the paper's milliseconds before and after. Unit: fraction of the
/// size.
const PAPER: [(f64, [f64; 2]); 2] = [(0.05, [12.03, 9.672]), (0.01, [65.36, 56.21])];
/// The claim is "15 to 20 %" and the paper's own figure 14.0 %. With a smaller saving the claim
/// does not hold.
const LEAST: f64 = 0.10;

/// The cost of one box test over all poses at one gap.
#[derive(Clone, Copy, Debug, Default)]
struct Descent {
    nanoseconds: f64,
    boxes: u64,
    triangles: u64,
    hits: u64,
}

/// A box with its axes sorted by half-length, shortest first, so that no test has to sort.
type Sorted = OrientedBox<f64>;

const NAMES: [&str; 2] = ["15 axes", "5 axes"];

fn sorted(obb: &Obb) -> Sorted {
    let OrientedBox { axes, center, half } = OrientedBox::of(obb, |x| x);
    let [long, middle, short] = by_length(obb);
    let order = [short, middle, long];
    OrientedBox { axes: order.map(|i| axes[i]), center, half: order.map(|i| half[i]) }
}

/// The full test: faces of A, faces of B, cross products.
fn fifteen(a: &Sorted, b: &Sorted) -> bool {
    let pair = Relative::between(a, b);
    let (q, slack) = (pair.magnitudes(), Some(SLACK * pair.size() + f64::MIN_POSITIVE));
    !((0..3).any(|i| pair.apart(&q, Axis::FaceA(i), slack))
        || (0..3).any(|j| pair.apart(&q, Axis::FaceB(j), slack))
        || (0..3).any(|i| (0..3).any(|j| pair.apart(&q, Axis::Edges(i, j), slack))))
}

/// The reduced test: `e_1, f_1, e_2 × f_3, e_3 × f_2, e_3 × f_3`, with ascending half-lengths.
fn five(a: &Sorted, b: &Sorted) -> bool {
    let pair = Relative::between(a, b);
    let (q, slack) = (pair.magnitudes(), Some(SLACK * pair.size() + f64::MIN_POSITIVE));
    !(pair.apart(&q, Axis::FaceA(0), slack)
        || pair.apart(&q, Axis::FaceB(0), slack)
        || pair.apart(&q, Axis::Edges(1, 2), slack)
        || pair.apart(&q, Axis::Edges(2, 1), slack)
        || pair.apart(&q, Axis::Edges(2, 2), slack))
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let faces = effort.pick(400, FACES, FACES);
    let lines = effort.pick(1, 6, 24);
    let passes = effort.pick(1, 3, 7);
    let named =
        [Shape::Gear, Shape::Teapot].map(|shape| NamedMesh::shape(shape, faces / 2, effort.seed));
    listener.stage("placing", 0, 1);
    let plan = Plan { orientations: lines, seed: effort.seed };
    let targets = PAPER.map(|(gap, _)| Target::Apart(gap));
    let placed = place_at(named.each_ref(), &targets, &plan, &|_| ())?;
    let placed = targets.map(|target| poses(&placed, target));
    let meshes = named.map(|named| named.mesh);
    let tree = |mesh: &Mesh| BoxTree::new(mesh, Rule::least_volume()).ok_or("no triangles");
    let (a, b) = (tree(&meshes[0])?.with_bounds(sorted), tree(&meshes[1])?);
    let mut by_gap = Vec::new();
    for (k, poses) in placed.iter().enumerate() {
        let mut sums = [Descent::default(); 2];
        for (line, pose) in poses.iter().enumerate() {
            listener.stage("descending", k * poses.len() + line, PAPER.len() * poses.len());
            let b = b.posed(pose).with_bounds(sorted);
            for (sum, part) in sums.iter_mut().zip(time_both(&a, &b, passes)) {
                sum.nanoseconds += part.nanoseconds;
                sum.boxes += part.boxes;
                sum.triangles += part.triangles;
                sum.hits += part.hits;
            }
        }
        by_gap.push(sums);
    }
    let by_method = methods(&meshes, &placed, passes, listener)?;
    let scene = Scene::new(
        "A gear and the teapot, together as many faces as the paper's two models, which are not \
         published, 5 % and 1 % of the smaller diagonal apart along random lines. Own trees as the \
         paper builds them (area-weighted boxes, split along the axis with the smallest sum of \
         child volumes, at the median, one triangle to a leaf), descended with both tests in the \
         same formulation; leaf pairs by 17 axes. Boxes are posed and their axes put in order \
         before the clock starts.",
    )
    .count("faces", meshes.iter().map(|mesh| mesh.triangles().len()).sum())
    .count("poses per gap", placed[0].len());
    Ok(conclude(&by_gap, &by_method, scene))
}

/// Least times of both tests, measured in turn.
fn time_both(a: &BoxTree<Sorted>, b: &BoxTree<Sorted>, passes: usize) -> [Descent; 2] {
    let mut least = [Descent { nanoseconds: f64::INFINITY, ..Descent::default() }; 2];
    take_all_turns(2, passes, 1, |turn| {
        let found = if turn.who == 0 { descend(a, b, fifteen) } else { descend(a, b, five) };
        let least = &mut least[turn.who];
        *least = if found.nanoseconds < least.nanoseconds { found } else { *least };
    });
    least
}

fn descend(
    a: &BoxTree<Sorted>,
    b: &BoxTree<Sorted>,
    test: impl Fn(&Sorted, &Sorted) -> bool,
) -> Descent {
    let mut found = Descent::default();
    let start = Instant::now();
    a.descend(
        b,
        |own, theirs| {
            found.boxes += 1;
            test(own, theirs)
        },
        |own, theirs| {
            found.triangles += 1;
            found.hits += u64::from(meet_with(sat17, &own[0], &theirs[0]));
        },
    );
    found.nanoseconds = start.elapsed().as_nanos() as f64;
    found
}

/// Per gap, the time of `reduced-axes` over that of `obbtree`; `None` if it is not built.
fn methods(
    meshes: &[Mesh; 2],
    placed: &[Vec<Pose>; 2],
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<f64>, String> {
    let words = ["reduced-axes", "obbtree"];
    if Outcome::missing(&words).is_some() {
        return Ok(Vec::new());
    }
    let both = Competitor::named(&words)?;
    let ratio = |poses: &Vec<Pose>| {
        // Every pose is a pair of its own, since unrelated poses have no coherence to exploit.
        let step = |(pair, pose): (usize, &Pose)| vec![Query { a: 0, b: 1, pair, pose: *pose }];
        let steps: Vec<_> = poses.iter().enumerate().map(step).collect();
        let asked = Workload::new(meshes.to_vec(), steps);
        let rules = Rules::passes(passes);
        let found = compete(&both, &asked, &Ask::first_contact(), rules, listener)?;
        Ok(found[0].total() / found[1].total())
    };
    placed.iter().map(ratio).collect()
}

fn conclude(by_gap: &[[Descent; 2]], by_method: &[f64], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut saved = Vec::new();
    for (k, ((gap, paper), [fifteen, five])) in PAPER.iter().zip(by_gap).enumerate() {
        let name = |what: &str| format!("{:.0} % apart: {what}", 100.0 * gap);
        let part = 1.0 - five.nanoseconds / fifteen.nanoseconds;
        saved.push(part);
        let papers = 100.0 * (1.0 - paper[1] / paper[0]);
        ours.push(Figure::new(name("time saved"), 100.0 * part, "%").paper(papers));
        let more = 100.0 * (five.boxes as f64 / fifteen.boxes as f64 - 1.0);
        ours.push(Figure::new(name("box tests more"), more, "%"));
        for (test, found) in NAMES.iter().zip([fifteen, five]) {
            let time = found.nanoseconds / 1e6;
            ours.push(Figure::new(name(&format!("time with {test}")), time, "ms"));
            let triangles = found.triangles as f64;
            ours.push(Figure::new(name(&format!("triangle tests with {test}")), triangles, ""));
        }
        if let Some(ratio) = by_method.get(k) {
            ours.push(Figure::new(name("time, reduced-axes over obbtree"), *ratio, "×"));
        }
    }
    let same = by_gap.iter().all(|[fifteen, five]| fifteen.hits == five.hits);
    let holds = same && saved.iter().all(|part| *part >= LEAST);
    let methods = match by_method {
        [far, near] => format!(
            " The method reduced-axes takes {far:.2} × and {near:.2} × the time of obbtree; these \
             two differ in how they split and where they start as well."
        ),
        _ => String::new(),
    };
    let order = if saved[1] > saved[0] {
        "The order is reversed: here more is saved at 1 %, in the paper at 5 %."
    } else {
        "As in the paper more is saved at 5 % than at 1 %."
    };
    let reason = format!(
        "In the same tree five axes save {:.1} % at 5 % and {:.1} % at 1 % distance (paper: 19.6 % \
         and 14.0 %; at least {:.0} % at both is asked). What they cost is box pairs that fifteen \
         axes would have told apart. {order}{methods}",
        100.0 * saved[0],
        100.0 * saved[1],
        100.0 * LEAST
    );
    Outcome::ran(holds, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs_and_keeps_more_pairs_with_fewer_axes() {
        let outcome = tiny(run);
        assert_ne!(outcome.verdict(), Verdict::Unrunnable);
        let more = outcome.ours.iter().filter(|figure| figure.name.ends_with("box tests more"));
        assert!(more.into_iter().all(|figure| figure.value.is_some_and(|more| more >= 0.0)));
    }

    #[test]
    fn both_tests_are_those_of_geometry() {
        for (a, b) in &crate::box_pairs::random(4000, 0.5, 9) {
            let [own, theirs] = [a, b].map(sorted);
            assert_eq!(fifteen(&own, &theirs), a.overlaps(b));
            assert_eq!(five(&own, &theirs), a.overlaps_reduced(b));
        }
    }

    #[test]
    fn both_gaps_must_save_enough_and_agree() {
        let verdict = |times: [f64; 2], hits: u64| {
            let descent = |nanoseconds| Descent { nanoseconds, boxes: 1, ..Descent::default() };
            let gap = |time| [descent(1.0), Descent { hits, ..descent(time) }];
            conclude(&times.map(gap), &[], Scene::default()).verdict()
        };
        let reason = |times: [f64; 2]| {
            let descent = |nanoseconds| Descent { nanoseconds, boxes: 1, ..Descent::default() };
            let outcome =
                conclude(&times.map(|time| [descent(1.0), descent(time)]), &[], Scene::default());
            outcome.statements[0].reason.contains("order is reversed")
        };
        assert!(reason([0.85, 0.8]) && !reason([0.8, 0.85]));
        assert_eq!(verdict([0.8, 0.85], 0), Verdict::Holds);
        assert_eq!(verdict([0.8, 0.95], 0), Verdict::Fails);
        assert_eq!(verdict([1.1, 0.85], 0), Verdict::Fails);
        assert_eq!(verdict([0.8, 0.85], 1), Verdict::Fails);
    }
}
