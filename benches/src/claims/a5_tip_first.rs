//! A5: *tip-first priority and the split-plane block save primitive tests* (anthology 5 §2 to §4).
//!
//! Pairs of modelled leaves; four forms of the paper's pipeline on the same trees: without
//! priority, with priority, and with the block as printed and as corrected.
//! [`leaf_forms`](super::leaf_forms) counts and times them, [`leaf_survey`] sums up.

use impinge::hierarchy::methods::{TIP_SHARE, tip_self_contacts};
use impinge_benches::progress::Listener;
use impinge_models::Random;
use impinge_models::maize::{leaf_pairs, varied_leaf};
use impinge_models::procedural::leaf;

use super::box_pairs;
use super::leaf_figures::{Selves, figures};
use super::leaf_forms::Form;
use super::leaf_survey::{self, Found};
use super::leaf_walks::{Meeting, TipCount, blade_of};
use super::outcome::{Effort, Outcome, Scene};

/// Pairs per set of twelve leaves.
const PAIRS: usize = 20;
/// A smaller saving, as a fraction of the tests, counts as none.
const LEAST: f64 = 0.01;
/// To make leaves intersect themselves, vertices are moved by up to this along each axis. Unit: a
/// leaf's usual length.
const SHAKE: f64 = 0.02;
/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sets = effort.pick(2, 8, 120);
    let count = sets * PAIRS;
    let passes = effort.pick(1, 5, 10);
    let leaves = effort.pick(3, 40, 200);
    let mut found = Found::default();
    let mut random = Random::new(effort.seed);
    for k in 0..sets {
        listener.stage("sets of leaves", k, sets);
        let set = leaf_pairs(PAIRS, random.bits()).map_err(|error| error.to_string())?;
        leaf_survey::add(&mut found, &set, passes)?;
    }
    let mut plants = TipCount::default();
    for (a, b, pose) in box_pairs::blade_poses(count, effort.seed) {
        let (a, b) = (blade_of(&a)?, blade_of(&b)?);
        let meeting = Meeting { a: &a, b: &b, pose };
        let contacts = meeting.trace(Form::Corrected.rule(), false)?.contacts;
        meeting.count_tips(&contacts, &mut plants);
    }
    let selves = [selves(leaves, false, effort.seed)?, selves(leaves, true, effort.seed)?];
    let about = Scene::new(
        "Pairs of modelled maize leaves (about 1 long, 212 triangles; twelve to a set), near each other in \
         their outer halves, about half of them colliding; the paper's leaves are not published. \
         The modelled pairs are brought together at the outer halves because the paper sees most \
         crossings there, so the tip's share is partly put in; leaves of neighbouring plants, placed \
         without regard to the tip, are counted beside them. Primitive tests are the paper's: \
         each triangle of one set with each of the other, timed apart from the boxes by repeating \
         what the walk handed on; the library compares bounds before and tests fewer. Without \
         priority means equal weights: breadth first. Self-contacts are looked for in other \
         leaves, as drawn and with every vertex moved by up to 0.02 at random, since the smooth ones \
         have none.",
    )
    .count("sets of twelve leaves", sets)
    .count("leaf pairs", count)
    .count("colliding", found.colliding)
    .count("leaf pairs of neighbouring plants", count)
    .count("leaves asked for self-contacts, of each kind", leaves);
    Ok(conclude(&found, &plants, selves, about))
}

/// Counts self-contacts of random leaves, as modelled or with vertices moved at random.
fn selves(leaves: usize, shaken: bool, seed: u64) -> Result<Selves, String> {
    let mut sum = Selves::default();
    for k in 0..leaves {
        let mut random = Random::stream(seed ^ 0xA5, k as u64);
        let mut mesh = leaf(&varied_leaf(&mut random)).map_err(|error| error.to_string())?;
        if shaken {
            let moved = mesh.vertices().iter().map(|p| p + random.vector(-SHAKE, SHAKE)).collect();
            mesh = mesh.with_vertices(moved).map_err(|error| error.to_string())?;
        }
        sum.all += tip_self_contacts(&mesh, 1.0).len();
        sum.tip += tip_self_contacts(&mesh, TIP_SHARE).len();
    }
    Ok(sum)
}

fn conclude(found: &Found, plants: &TipCount, selves: [Selves; 2], scene: Scene) -> Outcome {
    let [first, all] = &found.questions;
    let of_order = first.colliding[Form::Tip].tests / first.colliding[Form::Plain].tests;
    let of_printed = all.all[Form::Printed].tests / all.all[Form::Tip].tests;
    let of_corrected = all.all[Form::Corrected].tests / all.all[Form::Tip].tests;
    let part = 100.0 * found.contacts_printed as f64 / found.contacts as f64;
    let verdicts = 100.0 * found.verdicts_right as f64 / found.pairs as f64;
    let saves = |ratio: f64| ratio <= 1.0 - LEAST;
    let error = found.order_error() / first.colliding[Form::Plain].tests;
    let holds = saves(of_order) && 1.0 - of_order >= 2.0 * error && saves(of_printed);
    let printed_time = all.all[Form::Printed].primitive / all.all[Form::Tip].primitive;
    let reason = format!(
        "Tip-first priority makes {} triangle tests to the first contact of colliding leaves than \
         equal weights (standard error {:.1} %). For all contacts the block as printed makes {} \
         than none, in {:.2} × the time, and finds {part:.1} % of the contacts with {verdicts:.1} % \
         of the verdicts right; corrected, so that no contact is lost, it makes {}. With \
         bounds compared before each pair of triangles the printed block makes {}, those \
         of lost contacts among them. Both the order \
         and the printed block must save at least {:.0} % of the tests, the order also twice its \
         standard error.",
        more_or_fewer(of_order),
        100.0 * error,
        more_or_fewer(of_printed),
        printed_time,
        more_or_fewer(of_corrected),
        more_or_fewer(all.all[Form::Printed].culled / all.all[Form::Tip].culled),
        100.0 * LEAST
    );
    Outcome::ran(holds, reason, figures(found, plants, selves), scene)
}

fn more_or_fewer(ratio: f64) -> String {
    let percent = 100.0 * (ratio - 1.0).abs();
    format!("{percent:.1} % {}", if ratio <= 1.0 { "fewer" } else { "more" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf_forms::{Asked, Work, Works};
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn forms_are_counted_and_the_corrected_one_loses_nothing() {
        let outcome = tiny(run);
        assert_ne!(outcome.verdict(), Verdict::Unrunnable);
        let value = |name: &str| {
            let figure = outcome.ours.iter().find(|figure| figure.name.starts_with(name));
            figure.and_then(|figure| figure.value).expect("the figure is there")
        };
        assert_eq!(value("contacts found, corrected").to_bits(), 100.0_f64.to_bits());
        assert_eq!(value("right verdicts").to_bits(), 100.0_f64.to_bits());
        assert!((0.0..100.0).contains(&value("tip half, neighbouring plants")));
        assert!(value("self-contacts, vertices moved: all") > 0.0);
    }

    #[test]
    fn both_the_order_and_the_block_must_save() {
        let judged = |tip: u64, printed: u64, order_excess: [f64; 2]| {
            let work = |tests: u64| Work { tests: tests as f64, ..Work::default() };
            let all = Works([work(100), work(tip), work(printed), work(tip)]);
            let asked = Asked { all, colliding: all };
            let order_excess = order_excess.to_vec();
            let found = Found { questions: [asked, asked], order_excess, ..Found::default() };
            conclude(&found, &TipCount::default(), [Selves::default(); 2], Scene::default())
                .verdict()
        };
        let verdict = |tip, printed| judged(tip, printed, [-5.0, -5.0]);
        assert_eq!(verdict(90, 80), Verdict::Holds);
        assert_eq!(judged(90, 80, [-15.0, 5.0]), Verdict::Fails, "no more than chance");
        assert_eq!(verdict(100, 80), Verdict::Fails, "the order saves nothing");
        assert_eq!(verdict(90, 90), Verdict::Fails, "the block saves nothing");
        assert_eq!(verdict(90, 95), Verdict::Fails);
    }
}
