//! Questions about two bodies beside each other.

use std::error::Error;
use std::time::Instant;

use impinge_geometry::Pose;
use impinge_models::Random;
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::{WideModel, wide};

use crate::places::nearer;

/// 24 places, turned at random, so many diagonals of the smaller model apart, or inside if negative.
pub(crate) fn places(models: [&WideModel; 2], part: f64) -> Result<Vec<Pose>, Box<dyn Error>> {
    let [a, b] = models.map(|model| model.mesh().diagonal());
    let (mut random, smaller) = (Random::new(7), a.min(b));
    let mut place = || {
        let way = random.unit_vector();
        let outside = random.turned_to(way * (0.75 * (a + b)));
        let gap = if part > 0.0 { part } else { 1e-3 };
        let beside = nearer(models, &outside, gap * smaller)?;
        let inwards = Pose::translation_by(way * (part.min(0.0) * smaller))?;
        Ok(inwards.then_inner(&beside))
    };
    (0..24).map(|_| place()).collect()
}

/// Prints the time of a question, the median over the places of the least of nine rounds, each with a new
/// memory; and the boxes and pairs of triangles of a query in the mean.
pub(crate) fn measure(
    what: &str,
    [a, b]: [&WideModel; 2],
    places: &[Pose],
    ask: &Ask,
) -> Result<(), Box<dyn Error>> {
    let (engine, mut answer) = (wide(), Answer::default());
    let (mut boxes, mut pairs, counted) = (0, 0, ask.counted());
    let mut times = Vec::new();
    for pose in places {
        engine.query(a, b, pose, &mut engine.memory(), &counted, &Control::NONE, &mut answer)?;
        let statistics = answer.statistics.take().unwrap_or_default();
        boxes += statistics.volume_tests;
        pairs += statistics.primitive_tests;
        let mut least = f64::INFINITY;
        for _ in 0..9 {
            let memory = &mut engine.memory();
            let start = Instant::now();
            engine.query(a, b, pose, memory, ask, &Control::NONE, &mut answer)?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        times.push(least * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let (n, median) = (places.len() as u64, times[times.len() / 2]);
    let (boxes, pairs) = (boxes / n, pairs / n);
    println!("{what}: {median:.2} µs, {boxes} boxes, {pairs} pairs");
    Ok(())
}
