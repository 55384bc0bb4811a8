//! A4: *ordered axes end the box test earlier* (anthology 5 §2, §4).
//!
//! The same pairs of boxes are tested on fifteen axes in several orders. Only the order differs,
//! and the verdicts are compared.

use impinge::geometry::volume::{Aabb, Obb};
use impinge::{Mesh, Pose};
use impinge_benches::progress::Listener;
use impinge_models::Random;

use super::box_pairs::{self, BoxPair};
use super::box_tree::{BoxTree, Rule};
use super::fifteen_axes::{boxwise, by_length, count_axes, interleaved};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict};

/// The paper's mean numbers of axes per test.
const PAPER_ORDERED: f64 = 5.8;
const PAPER_UNORDERED: f64 = 6.4;

/// A smaller saving (as a fraction) counts as none; so does one below twice its standard error.
const LEAST: f64 = 0.01;

/// Shares of overlapping pairs for which the means are printed.
const SHARES: [f64; 4] = [0.1, 0.2, 0.3, 0.5];

/// Depth of the paper's trees.
const DEPTH: usize = 3;
/// Deep enough for one triangle per leaf of the maize leaf's 212 triangles.
const WHOLE: usize = 16;

/// Means over one set of pairs, in axes per test.
struct Means {
    /// Fraction of the pairs that overlap.
    overlapping: f64,
    /// Longest axes first, as `Obb::overlaps_ordered` counts.
    ordered: f64,
    /// A's faces, B's faces, cross products; the axes of each box in random order.
    arbitrary: f64,
    /// As `arbitrary`, but in the order of the fit: largest spread first.
    fitted: f64,
    /// Shortest axes first.
    shortest: f64,
    /// Standard error of `arbitrary − ordered`, assuming independent tests.
    error: f64,
    /// Number of tests in which the orders disagree about the verdict.
    disagreements: usize,
}

impl Means {
    /// Fraction of the axes that the paper's order saves.
    fn saved(&self) -> f64 {
        1.0 - self.ordered / self.arbitrary
    }

    /// Whether the paper's order needs significantly fewer axes.
    fn verdict(&self) -> Verdict {
        let error = 2.0 * self.error / self.arbitrary;
        if self.saved() >= LEAST.max(error) {
            Verdict::Holds
        } else if self.saved() + error < LEAST {
            Verdict::Fails
        } else {
            Verdict::Untold
        }
    }

    /// Axes per test of separated boxes only. Overlapping boxes take all fifteen.
    fn of_separated(&self, mean: f64) -> f64 {
        (mean - 15.0 * self.overlapping) / (1.0 - self.overlapping)
    }
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let leaf_pairs = effort.pick(4, 60, 600);
    let drawn = effort.pick(400, 20_000, 400_000);
    let poses = box_pairs::blade_poses(leaf_pairs, effort.seed);
    let [mut cells, mut shallow, mut whole] = [const { Vec::new() }; 3];
    for (k, (a, b, pose)) in poses.iter().enumerate() {
        listener.stage("descending", k, poses.len());
        descend(a, b, pose, DEPTH, &mut shallow)?;
        descend(a, b, pose, WHOLE, &mut whole)?;
        for (own, theirs) in meeting_cells(a, b, pose)? {
            descend(&own, &theirs, pose, DEPTH, &mut cells)?;
        }
    }
    let mixed = box_pairs::random(drawn, 0.25, effort.seed);
    let sets = [
        ("octree cells, depth 3", &cells),
        ("leaf pairs, depth 3", &shallow),
        ("leaf pairs, whole trees", &whole),
        ("random boxes, 25 % overlapping", &mixed),
    ];
    let mut means = Vec::new();
    for (k, (name, pairs)) in sets.iter().enumerate() {
        listener.stage("testing", k, sets.len());
        means.push((*name, means_of(pairs, effort.seed)));
    }
    let scene = Scene::new(
        "Pairs of maize leaves (1 long, 212 triangles; rise, droop, twist and waves at random) of \
         neighbouring plants, where their axis-aligned boxes overlap. Each gets a binary tree of oriented \
         boxes (vertex covariance, split at the median along the longest axis, depth 3 as in the \
         paper and again down to single triangles), and as in the paper the same in each of the eight \
         cells of its axis-aligned box, for cells whose boxes overlap; the box pairs are those that \
         a larger-first descent tests. Chosen here: the \
         unordered test takes A's faces, B's faces and cross products with the axes of each box in \
         random order, since the paper does not say what its order was.",
    )
    .count("leaf pairs", poses.len())
    .count("box pairs, octree cells", cells.len())
    .count("box pairs, depth 3", shallow.len())
    .count("box pairs, whole trees", whole.len())
    .count("random box pairs", mixed.len());
    Ok(conclude(&means, scene))
}

fn conclude(means: &[(&str, Means)], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    for (k, (name, m)) in means.iter().enumerate() {
        let ordered = Figure::new(format!("{name}: ordered"), m.ordered, "axes");
        let arbitrary = Figure::new(format!("{name}: unordered"), m.arbitrary, "axes");
        // The first set is the paper's.
        let first = k == 0;
        ours.push(ordered.paper(first.then_some(PAPER_ORDERED)));
        ours.push(arbitrary.paper(first.then_some(PAPER_UNORDERED)));
        ours.extend(by_share(name, m));
        ours.push(Figure::new(format!("{name}: faces by spread"), m.fitted, "axes"));
        ours.push(Figure::new(format!("{name}: shortest first"), m.shortest, "axes"));
        ours.push(Figure::new(format!("{name}: overlapping"), 100.0 * m.overlapping, "%"));
        ours.push(Figure::new(format!("{name}: saved"), 100.0 * m.saved(), "%"));
        let separated = [m.of_separated(m.ordered), m.of_separated(m.arbitrary)];
        for (order, mean) in ["ordered", "unordered"].iter().zip(separated) {
            ours.push(Figure::new(format!("{name}: {order}, separated pairs"), mean, "axes"));
        }
    }
    let disagreements: usize = means.iter().map(|(_, m)| m.disagreements).sum();
    ours.push(Figure::new("verdicts that depend on the order", disagreements as f64, ""));
    let all_agree = disagreements == 0;
    let statement = |k: usize, trees: &str| {
        let (_, m) = &means[k];
        Statement::new(
            format!("ordered axes end the box test earlier: {trees}"),
            if all_agree { m.verdict() } else { Verdict::Fails },
            reason(m),
        )
    };
    let statements = vec![
        statement(0, "trees in octree cells, as in the paper"),
        statement(1, "one tree a leaf, of the same depth"),
    ];
    Outcome::several(statements, ours, scene)
}

/// What decided on one set.
fn reason(m: &Means) -> String {
    let at = |mean: f64, papers: f64| {
        let separated = m.of_separated(mean);
        100.0 * (papers - separated) / (15.0 - separated)
    };
    format!(
        "The longest axes first need {:.2} axes a test where an arbitrary order needs {:.2}: \
         {:.1} % saved (standard error {:.1} %), where the paper's figures are 9.4 %. Less than \
         {:.0} % counts as nothing, and so does less than twice the standard error. {:.0} % of these \
         pairs overlap and take all fifteen axes in any order; the paper's 5.8 would need {:.0} %, \
         its 6.4 {:.0} %.",
        m.ordered,
        m.arbitrary,
        100.0 * m.saved(),
        100.0 * m.error / m.arbitrary,
        100.0 * LEAST,
        100.0 * m.overlapping,
        at(m.ordered, PAPER_ORDERED),
        at(m.arbitrary, PAPER_UNORDERED)
    )
}

/// Means of this set if another share of the pairs overlapped: separated pairs need what they need
/// here, overlapping ones all fifteen axes.
fn by_share(name: &str, m: &Means) -> Vec<Figure> {
    let mut list = Vec::new();
    for share in SHARES {
        let at = |mean: f64| 15.0 * share + (1.0 - share) * m.of_separated(mean);
        for (order, mean) in [("ordered", m.ordered), ("unordered", m.arbitrary)] {
            let what = format!("{name}: {order}, if {:.0} % overlapped", 100.0 * share);
            list.push(Figure::new(what, at(mean), "axes"));
        }
    }
    list
}

/// Adds the pairs of boxes that a descent through two trees tests.
fn descend(
    a: &Mesh,
    b: &Mesh,
    pose: &Pose,
    depth: usize,
    met: &mut Vec<BoxPair>,
) -> Result<(), String> {
    let tree = |mesh| BoxTree::new(mesh, Rule::median(depth)).ok_or("no triangles");
    let test = |own: &Obb, theirs: &Obb| {
        met.push((*own, *theirs));
        own.overlaps(theirs)
    };
    tree(a)?.descend(&tree(b)?.posed(pose), test, |_, _| ());
    Ok(())
}

/// The pairs of octree cells of A and posed B whose axis-aligned boxes overlap (anthology 5 §2): the
/// space of each leaf's box is divided once, evenly.
fn meeting_cells(a: &Mesh, b: &Mesh, pose: &Pose) -> Result<Vec<(Mesh, Mesh)>, String> {
    let boxed = |cell: &Mesh, pose: &Pose| {
        let corners = cell.corners().map(|t| Aabb::of_triangle(&t.map(|p| pose.apply(&p))));
        corners.reduce(|all, one| all.merged(&one))
    };
    let (of_a, of_b) = (cells(a)?, cells(b)?);
    let mut pairs = Vec::new();
    for own in &of_a {
        for theirs in &of_b {
            let both = boxed(own, &Pose::identity()).zip(boxed(theirs, pose));
            if both.is_some_and(|(x, y)| x.overlaps(&y)) {
                pairs.push((own.clone(), theirs.clone()));
            }
        }
    }
    Ok(pairs)
}

/// The triangles of a mesh by the eighth of its box that holds their centroid, without empty cells.
fn cells(mesh: &Mesh) -> Result<Vec<Mesh>, String> {
    let (min, max) = mesh.bounds();
    let mut parts = [const { Vec::new() }; 8];
    for (corners, triangle) in mesh.corners().zip(mesh.triangles()) {
        let above =
            |k: usize| corners.iter().map(|p| p[k]).sum::<f64>() / 3.0 >= 0.5 * (min[k] + max[k]);
        let cell = (0..3).map(|k| usize::from(above(k)) << k).sum::<usize>();
        parts[cell].push(*triangle);
    }
    let filled = parts.into_iter().filter(|part| !part.is_empty());
    let cell = |part| Mesh::new(mesh.vertices().to_vec(), part).map_err(|error| error.to_string());
    filled.map(cell).collect()
}

fn means_of(pairs: &[BoxPair], seed: u64) -> Means {
    let mut random = Random::stream(seed, 4);
    let mut shuffled = || {
        let mut list = [0, 1, 2];
        random.shuffle(&mut list);
        list
    };
    let mut sums = [0_usize; 5];
    let (mut disagreements, mut squares) = (0, 0.0);
    for (a, b) in pairs {
        let ordered = a.overlaps_ordered(b);
        let reversed = |obb: &Obb| {
            let [long, middle, short] = by_length(obb);
            [short, middle, long]
        };
        let others = [
            boxwise(shuffled(), shuffled()),
            boxwise([0, 1, 2], [0, 1, 2]),
            interleaved(reversed(a), reversed(b)),
        ]
        .map(|order| count_axes(a, b, &order));
        disagreements += usize::from(others.iter().any(|(hit, _)| *hit != ordered.overlap));
        sums[0] += usize::from(ordered.overlap);
        sums[1] += ordered.tested as usize;
        (0..3).for_each(|k| sums[k + 2] += others[k].1);
        squares += (others[0].1 as f64 - f64::from(ordered.tested)).powi(2);
    }
    let n = pairs.len() as f64;
    let [overlapping, ordered, arbitrary, fitted, shortest] = sums.map(|sum| sum as f64 / n);
    let error = ((squares / n - (arbitrary - ordered).powi(2)) / n).sqrt();
    Means { overlapping, ordered, arbitrary, fitted, shortest, error, disagreements }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn axes_are_counted_and_verdicts_agree() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts().len(), 2);
        let disagreements = outcome.ours.last().expect("there are figures");
        assert_eq!(disagreements.value, Some(0.0));
        let axes = outcome.ours.iter().filter(|figure| figure.unit == "axes");
        assert!(axes.into_iter().all(|f| f.value.is_some_and(|v| (1.0..=15.0).contains(&v))));
    }

    #[test]
    fn an_order_that_needs_more_axes_does_not_hold() {
        use Verdict::{Fails, Holds, Untold};
        let means = |ordered| Means {
            overlapping: 0.3,
            ordered,
            arbitrary: 6.4,
            fitted: 6.0,
            shortest: 6.0,
            error: 0.1,
            disagreements: 0,
        };
        let verdicts = |cells: Means, trees: Means| {
            conclude(&[("x", cells), ("y", trees)], Scene::default()).verdicts()
        };
        assert_eq!(verdicts(means(5.8), means(5.8)), [Holds, Holds]);
        assert_eq!(verdicts(means(6.7), means(5.8)), [Fails, Holds]);
        assert_eq!(verdicts(means(5.8), means(6.7)), [Holds, Fails]);
        assert_eq!(verdicts(means(6.39), means(6.3))[0], Untold, "about a percent");
        let noisy = Means { error: 0.4, ..means(5.8) };
        assert_eq!(verdicts(noisy, means(5.8)), [Untold, Holds]);
        let broken = Means { disagreements: 1, ..means(5.8) };
        assert_eq!(verdicts(broken, means(5.8)), [Fails, Fails]);
    }

    /// Every triangle is in one cell, and cells that meet are not left out.
    #[test]
    fn cells_hold_every_triangle_once() {
        let (a, b, pose) = box_pairs::blade_poses(1, 3).remove(0);
        let all = cells(&a).expect("cells");
        assert!((2..=8).contains(&all.len()));
        let held: usize = all.iter().map(|cell| cell.triangles().len()).sum();
        assert_eq!(held, a.triangles().len());
        let pairs = meeting_cells(&a, &b, &pose).expect("cells");
        assert!(!pairs.is_empty() && pairs.len() <= 64);
        let meet = |s: &Mesh, t: &Mesh| impinge::intersects(s, t, &pose).expect("an answer");
        let found = pairs.iter().any(|(own, theirs)| meet(own, theirs));
        assert_eq!(found, meet(&a, &b));
    }
}
