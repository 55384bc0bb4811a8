//! A batch of poses by `stream-pairs`, and by `wide` over all threads.

use impinge::query::{Answer, Ask, Prepared};
use impinge::stream::{Device, PairsParams, stream_pairs_with};
use impinge::{Method, Pose};
use impinge_models::{Random, Shape};
use impinge_records::streams::StreamBatch;

use super::{PASSES, Sizes, answered_by};
use crate::harness::{Competitor, Ready, Timing, Workload, take_turns};
use crate::progress::Listener;

/// Measures both on the same poses, some of which are hits. Submissions come from a pass that is not
/// timed, as all counts do.
///
/// # Errors
/// If the two differ in a verdict, a query fails, or the processor answers in the place of an
/// adapter.
pub fn measure(
    device: Option<Device>,
    sizes: Sizes,
    seed: u64,
    listener: Listener<'_>,
) -> Result<StreamBatch, String> {
    let mesh = Shape::Torus.mesh(sizes.batch_triangles, 0);
    let (triangles, reach) = (mesh.triangles().len(), 0.5 * mesh.diagonal());
    let pose = |index: usize| Random::stream(seed, index as u64).pose(reach);
    let poses: Vec<Pose> = (0..sizes.batch_poses).map(pose).collect();
    let pairs = Competitor::new("stream-pairs", stream_pairs_with(PairsParams { device }));
    let competitors = [pairs, Competitor::from(Method::Wide)];
    let workload = Workload::new(vec![mesh], Vec::new());
    let [pairs_models, wide_models] = competitors.each_ref().map(|one| one.prepare(&workload));
    let models = [pairs_models?, wide_models?];
    let mut ready = competitors.each_ref().map(|one| one.ready(1));
    let ask = Ask::first_contact();
    let mut found = [Timing::default(), Timing::default()];
    for (who, timing) in found.iter_mut().enumerate() {
        listener.stage("counting the batch", who, competitors.len());
        let wanted = who == 0 && device.is_some();
        let mut by = Ok(());
        let mut each = |answer: &Answer| {
            timing.add(answer);
            if by.is_ok() {
                by = answered_by(&competitors[who].label, wanted, &answer.backend);
            }
        };
        ready[who].time_batch(both(&models[who])?, &poses, &ask.counted(), &mut each).1?;
        by?;
    }
    agree(&found)?;
    time(&mut ready, &models, &poses, &mut found, listener)?;
    let [pairs, wide] = &found;
    Ok(StreamBatch {
        triangles,
        poses: poses.len(),
        hits: pairs.hits(),
        submissions: pairs.submissions,
        pairs_ns: pairs.total(),
        wide_ns: wide.total(),
        noise: pairs.noise().max(wide.noise()),
    })
}

/// Compares the verdicts one by one.
fn agree([pairs, wide]: &[Timing; 2]) -> Result<(), String> {
    match pairs.unlike(wide) {
        0 if pairs.hit.len() == wide.hit.len() => Ok(()),
        n => Err(format!("stream-pairs and wide differ in {n} of {} verdicts", wide.hit.len())),
    }
}

/// Times whole batches, in turns. Models stay on the adapter, as between the frames of a simulation.
fn time(
    ready: &mut [Ready<'_>; 2],
    models: &[Vec<Prepared>; 2],
    poses: &[Pose],
    found: &mut [Timing; 2],
    listener: Listener<'_>,
) -> Result<(), String> {
    let mut halves = [const { [[f64::INFINITY]; 2] }; 2];
    take_turns(ready.len(), PASSES, 1, |turn| {
        listener.stage("timing the batch", turn.pass, PASSES);
        let mut hits = 0;
        let mut each = |answer: &Answer| hits += usize::from(answer.verdict.is_hit());
        let both = both(&models[turn.who])?;
        let (took, outcome) =
            ready[turn.who].time_batch(both, poses, &Ask::first_contact(), &mut each);
        outcome?;
        if hits != found[turn.who].hits() {
            return Err(format!("{hits} hits, and {} before", found[turn.who].hits()));
        }
        let half: &mut f64 = &mut halves[turn.who][turn.pass % 2][0];
        *half = half.min(took.as_nanos() as f64);
        Ok(())
    })?;
    for (timing, halves) in found.iter_mut().zip(halves) {
        timing.timed(halves.map(Vec::from));
    }
    Ok(())
}

/// The model of a mesh that is asked about its copy.
fn both(models: &[Prepared]) -> Result<[&Prepared; 2], String> {
    let model = models.first().ok_or("no model")?;
    Ok([model, model])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_other_verdict_is_an_error() {
        let timing = |hit: &[bool]| Timing { hit: hit.to_vec(), ..Timing::default() };
        let all = |hits: [&[bool]; 2]| agree(&hits.map(timing));
        assert!(all([&[true, false], &[true, false]]).is_ok());
        let why = all([&[true, false], &[false, true]]).expect_err("both differ");
        assert!(why.contains("2 of 2"), "{why}");
        assert!(all([&[true], &[true, false]]).is_err(), "one is missing");
    }
}
