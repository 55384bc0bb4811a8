//! F2: *IBCD's time varies less from step to step than RAPID's* (η, eq. 2-12, fan fig. 2-20).

use impinge::Method;
use impinge::image::{ibcd_with, recode_with};
use impinge::query::{Ask, Control};
use impinge_benches::harness::{Competitor, NOISE, Timing, Workload};
use impinge_benches::progress::Listener;
use impinge_benches::timing::summary::eta;

use super::fan_image::{self, CHOSEN, HAND, deviation};
use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Verdict, sized};

/// The paper's form and first competitor; the second stands in for RAPID.
const IBCD: &str = "ibcd, sampled";

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(244, 1_000, 2_000);
    let steps = effort.pick(3, 40, 120);
    let passes = effort.pick(2, 4, 6);
    let asked = fan_image::hand(triangles, steps, effort.seed)?;
    let (taken, refused) = competitors(&asked);
    let first = fan_image::times(&taken, &asked, &Ask::first_contact(), passes, listener)?;
    let few = [Method::Ibcd, Method::ObbTree].map(Competitor::from);
    let all = fan_image::times(&few, &asked, &Ask::all_contacts(), passes, listener)?;
    let scene = Scene::new(format!(
        "{HAND}{CHOSEN} The thesis runs 1,000 steps; here {steps}. A step's time is the least of \
         {passes} passes. Every method of this build that takes the scene is asked, by default \
         parameters, and ibcd and recode also in sampled form. Not taken: {}.",
        if refused.is_empty() { "none".to_owned() } else { refused.join(", ") }
    ));
    let scene = sized(scene, "hand and gear", &asked, &first[1]);
    let labels: Vec<&str> = taken.iter().map(|one| one.label.as_str()).collect();
    Ok(conclude(&labels, &first, &[all[0].clone(), all[1].clone()], scene))
}

/// `ibcd` in sampled form, `obbtree`, `recode` in sampled form, and all other methods that accept
/// the meshes; and the words of those that do not.
fn competitors(asked: &Workload) -> (Vec<Competitor>, Vec<&'static str>) {
    let params = fan_image::params();
    let mut taken = vec![
        Competitor::new(IBCD, ibcd_with(params)),
        Method::ObbTree.into(),
        Competitor::new("recode, sampled", recode_with(params)),
    ];
    let mut refused = Vec::new();
    for &method in Method::all().iter().filter(|method| **method != Method::ObbTree) {
        let one = Competitor::from(method);
        let takes = |mesh| one.detector.prepare(mesh, &Control::NONE).is_ok();
        if asked.meshes.iter().all(takes) {
            taken.push(one);
        } else {
            refused.push(method.word());
        }
    }
    (taken, refused)
}

/// Draws the conclusion. `first` is in the order of `labels`; `all` holds `ibcd` and `obbtree`,
/// asked for all contacts.
fn conclude(labels: &[&str], first: &[Timing], all: &[Timing; 2], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut plot = Plot::panels("η of each step, first contact (eq. 2-12)");
    let sigma = |steps: &Timing| 100.0 * deviation(&eta(&steps.least));
    for (label, steps) in labels.iter().zip(first) {
        let etas = eta(&steps.least);
        let peak = etas.iter().fold(0.0, |most: f64, e| most.max(*e));
        ours.push(Figure::new(format!("{label}: standard deviation of η"), sigma(steps), "%"));
        ours.push(Figure::new(format!("{label}: largest η"), 100.0 * peak, "%"));
        ours.push(Figure::new(format!("{label}: mean time of a step"), steps.mean() / 1e6, "ms"));
        let note = format!("σ {:.0} %, mean {:.3} ms", sigma(steps), steps.mean() / 1e6);
        plot = plot.noted(label, note, etas.into_iter());
    }
    for (label, steps) in ["ibcd", "obbtree"].into_iter().zip(all) {
        let name = format!("{label}, all contacts: standard deviation of η");
        ours.push(Figure::new(name, sigma(steps), "%"));
    }
    let verdict = told(&first[0], &first[1]);
    let steadiest = labels.iter().zip(first).min_by(|m, n| sigma(m.1).total_cmp(&sigma(n.1)));
    let reason = format!(
        "The standard deviation of η over the steps is {:.0} % for ibcd in sampled form and {:.0} % for \
         obbtree, which stands for RAPID; each half of the passes must say the same, and differences \
         below {:.0} % count as none. Asked for all contacts, the certified ibcd has {:.0} % and \
         obbtree {:.0} %. The steadiest of all is {} with {:.0} %.",
        sigma(&first[0]),
        sigma(&first[1]),
        100.0 * NOISE,
        sigma(&all[0]),
        sigma(&all[1]),
        steadiest.map_or("none", |(label, _)| label),
        steadiest.map_or(0.0, |(_, steps)| sigma(steps)),
    );
    Outcome::whole(verdict, reason, ours, scene).with(vec![plot])
}

/// Whether `ibcd` varies less than `rapid`, in both halves of the passes.
fn told(ibcd: &Timing, rapid: &Timing) -> Verdict {
    let steadier = |half: usize| {
        let [ours, theirs] = [ibcd, rapid].map(|steps| deviation(&eta(&steps.halves[half])));
        ours < theirs * (1.0 - NOISE)
    };
    match [steadier(0), steadier(1)] {
        [true, true] => Verdict::Holds,
        [false, false] => Verdict::Fails,
        _ => Verdict::Untold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs_with_every_method_that_takes_the_scene() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        let curves = outcome.plots[0].curves.len();
        assert!(curves > 15 && curves <= 2 + Method::all().len(), "{curves}");
        assert!(outcome.scene.about.contains("gjk"), "it takes convex bodies only");
    }

    #[test]
    fn the_steadier_one_wins_if_both_halves_say_so() {
        let steps = |swing: [f64; 2]| {
            let halves = swing.map(|s| vec![1.0 - s, 1.0 + s]);
            Timing { least: halves[0].clone(), halves, ..Timing::default() }
        };
        let verdict = |ibcd, rapid| {
            let first = [steps(ibcd), steps(rapid)];
            let all = [steps([0.1; 2]), steps([0.1; 2])];
            conclude(&[IBCD, "obbtree"], &first, &all, Scene::default()).verdict()
        };
        assert_eq!(verdict([0.1, 0.1], [0.5, 0.5]), Verdict::Holds);
        assert_eq!(verdict([0.5, 0.5], [0.1, 0.1]), Verdict::Fails);
        assert_eq!(verdict([0.5, 0.5], [0.5, 0.5]), Verdict::Fails);
        assert_eq!(verdict([0.1, 0.6], [0.5, 0.5]), Verdict::Untold);
    }
}
