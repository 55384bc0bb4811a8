//! F7: *streaming is steadier than IBCD and, at high complexity, faster* (fan fig. 2-19 against
//! 3-18), on the moving hand of F2.
//!
//! The paper's methods both run on one adapter. Here both run on the processor, and on an adapter
//! if there is one that is hardware.

use impinge::Method;
use impinge::image::{Drawing, Params, ibcd_with};
use impinge::query::Ask;
use impinge::stream::Form;
use impinge_benches::harness::{Competitor, NOISE, Timing};
use impinge_benches::progress::Listener;

use super::drawer::{Drawer, answered_all, streaming};
use super::fan_image::{self, CHOSEN, HAND};
use super::lasting::{FEW, STATES, crosswise, deviations, lasting};
use super::outcome::{
    Effort, Figure, Outcome, Scene, Statement, Verdict, above_one, listed, sized,
};

/// S2 and IBCD, in this order.
const FORMS: [&str; 2] = ["S2", "ibcd"];

/// What is read off one size of the scene.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    triangles: usize,
    /// Of either half of the passes, per step, of both methods.
    times: [[Vec<f64>; 2]; 2],
    /// For each step, whether it is in lasting separation (0) or lasting contact (1).
    lasting: Vec<Option<usize>>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sizes: &[usize] =
        effort.pick(&[244, 400], &[400, 800, 1_200, 2_000], &[1_000, 2_000, 4_000, 8_000]);
    let steps = effort.pick(12, 100, 1_000);
    let run = effort.pick(2, 5, 10);
    let mut about = Scene::new(format!(
        "{HAND}{CHOSEN} {steps} steps at each of {} sizes. S2 is the certified form. Both run on the \
         processor, and on an adapter if there is one that is hardware. Lasting: {run} steps or more without \
         a change.",
        sizes.len()
    ));
    let (mut parts, mut adapter, mut drawer) = (Vec::new(), Vec::new(), None);
    for &triangles in sizes {
        let asked = fan_image::hand(triangles, steps, effort.seed)?;
        let passes = effort.pick(2, 2, 4);
        let measured = |form| -> Result<(Part, Timing), String> {
            let both = both(form);
            let mut times =
                fan_image::times(&both, &asked, &Ask::first_contact(), passes, listener)?;
            if form != Form::Cpu {
                answered_all(&times)?;
            }
            let halves = |timing: &Timing| timing.halves.clone();
            let part = Part {
                triangles,
                times: [halves(&times[0]), halves(&times[1])],
                // S2 is certified.
                lasting: lasting(&times[0].hit, run),
            };
            Ok((part, times.swap_remove(0)))
        };
        let (part, timing) = measured(Form::Cpu)?;
        about = sized(about, &format!("{triangles} triangles a body"), &asked, &timing);
        parts.push(part);
        let all = std::slice::from_ref(&asked);
        let by = Drawer::of_streams(&mut drawer, all, effort.drawing)?;
        if by.is_hardware() {
            adapter.push(measured(Form::Compute)?.0);
        }
    }
    let drawer = drawer.unwrap_or(Drawer::Rasteriser("nothing was asked".to_owned()));
    Ok(conclude(&parts, &adapter, &drawer, about))
}

/// S2 and IBCD on the processor, or on an adapter.
fn both(form: Form) -> [Competitor; 2] {
    let drawing = if form == Form::Cpu { Drawing::Software } else { Drawing::Adapter };
    let params = Params { drawing, ..fan_image::params() };
    [streaming(Method::StreamShrink, form), Competitor::new("ibcd, sampled", ibcd_with(params))]
}

impl Part {
    /// Mean time of the steps of a state by half of the passes; NaN without such steps.
    fn means(&self, who: usize, state: usize) -> [f64; 2] {
        self.times[who].each_ref().map(|half| {
            let own = half.iter().zip(&self.lasting).filter(|(_, at)| **at == Some(state));
            let own: Vec<f64> = own.map(|(time, _)| *time).collect();
            own.iter().sum::<f64>() / own.len() as f64
        })
    }
}

/// Draws the conclusion from the processor's parts, and from those of an adapter if it is hardware.
fn conclude(parts: &[Part], adapter: &[Part], drawer: &Drawer, scene: Scene) -> Outcome {
    let (mut statements, mut ours) = decided("on the processor", parts);
    if adapter.is_empty() {
        statements.push(drawer.cannot("both on one adapter"));
    } else {
        let (more, figures) = decided("both on one adapter", adapter);
        statements.extend(more);
        ours.extend(figures);
    }
    Outcome::several(statements, ours, scene)
}

/// Whether S2 is steadier and faster in one place, and the figures.
fn decided(place: &str, parts: &[Part]) -> (Vec<Statement>, Vec<Figure>) {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    for (state, about) in STATES.into_iter().enumerate() {
        let mut readings = Vec::new();
        for part in parts {
            let of = part
                .times
                .each_ref()
                .map(|halves| halves.each_ref().map(|half| deviations(half, &part.lasting, state)));
            let whole = of.map(|halves| halves.map(|[whole, ..]| [whole]));
            readings.extend(crosswise(&whole[0], &whole[1]));
            for (who, form) in FORMS.into_iter().enumerate() {
                let name =
                    format!("{} triangles, {place}, lasting {about}: {form}", part.triangles);
                let mean = part.means(who, state)[0] / 1e6;
                ours.push(Figure::new(format!("{name}, time"), mean, "ms"));
                let deviation = 100.0 * of[who][0][0];
                ours.push(Figure::new(format!("{name}, standard deviation of η"), deviation, "%"));
            }
        }
        let text = |what: &str| format!("{place}, lasting {about}: {what}");
        let over: Vec<f64> = readings.iter().map(|ratio| ratio.recip()).collect();
        let (verdict, reason) = if readings.len() == 4 * parts.len() {
            let reason = format!(
                "The standard deviation of η of S2 over that of ibcd, by size, of either half of the \
                 passes against either half of those: {}. Below {:.2} in all it holds, above {:.2} in \
                 all it does not.",
                listed(readings.iter().copied()),
                1.0 - NOISE,
                1.0 / (1.0 - NOISE)
            );
            (above_one(&over, NOISE), reason)
        } else {
            let reason = format!("At some size the walk has fewer than {FEW} such steps.");
            (Verdict::Unrunnable, reason)
        };
        statements.push(Statement::new(text("streaming is steadier"), verdict, reason));
        statements.push(faster(&text("streaming is faster at the most triangles"), parts, state));
    }
    (statements, ours)
}

/// Whether S2 is faster than ibcd at the last size.
fn faster(text: &str, parts: &[Part], state: usize) -> Statement {
    let ratios = |part: &Part| -> Vec<f64> {
        let [s2, ibcd] = [0, 1].map(|who| part.means(who, state));
        s2.iter().zip(ibcd).map(|(s2, ibcd)| s2 / ibcd).filter(|ratio| !ratio.is_nan()).collect()
    };
    let last = parts.last().map(ratios).unwrap_or_default();
    let all = parts.iter().map(|part| ratios(part).first().copied().unwrap_or(f64::NAN));
    let reason = if last.is_empty() {
        "At the most triangles the walk has no such step.".to_owned()
    } else {
        format!("Time of S2 over ibcd, by size: {}.", listed(all))
    };
    let over: Vec<f64> = last.iter().map(|ratio| ratio.recip()).collect();
    Statement::new(text, above_one(&over, NOISE), reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!(outcome.statements.len(), 5);
        assert_eq!(outcome.verdicts()[4], Verdict::Unrunnable);
        assert_eq!(outcome.ours.len(), 2 * 2 * 2 * 2);
    }

    #[test]
    fn the_steadier_and_the_faster_win() {
        let part = |means: [f64; 2], swing: [f64; 2]| {
            let of = |who: usize| {
                let value = |k: usize| {
                    means[who] * (1.0 + swing[who] * if k.is_multiple_of(2) { 1.0 } else { -1.0 })
                };
                [0, 1].map(|_| (0..40).map(value).collect::<Vec<f64>>())
            };
            Part { triangles: 9, times: [of(0), of(1)], lasting: vec![Some(1); 40] }
        };
        let verdicts = |parts: &[Part]| {
            let drawer = Drawer::Hardware("a card".to_owned());
            let found = conclude(parts, parts, &drawer, Scene::default()).verdicts();
            assert_eq!(found[..4], found[4..], "the same times on an adapter");
            found
        };
        let (small, large) = (part([3.0, 2.0], [0.1, 0.3]), part([3.0, 9.0], [0.1, 0.3]));
        // No step of lasting separation.
        let found = verdicts(&[small.clone(), large.clone()]);
        assert_eq!(found[..2], [Verdict::Unrunnable, Verdict::Unrunnable]);
        assert_eq!(found[2..4], [Verdict::Holds, Verdict::Holds]);
        assert_eq!(verdicts(&[large.clone(), small])[3], Verdict::Fails);
        let wild = part([3.0, 9.0], [0.4, 0.3]);
        assert_eq!(verdicts(std::slice::from_ref(&wild))[2], Verdict::Fails);
        assert_eq!(verdicts(&[wild, large])[2], Verdict::Untold);
    }
}
