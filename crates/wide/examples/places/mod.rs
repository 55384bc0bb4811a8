//! Places of one body beside another.

use std::error::Error;

use impinge_geometry::Pose;
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::{WideModel, wide};

/// A place, moved along the way to it until the bodies are `gap` apart, to a hundredth of it. Begins at twice the way,
/// where they must be apart.
pub(crate) fn nearer(
    [a, b]: [&WideModel; 2],
    place: &Pose,
    gap: f64,
) -> Result<Pose, Box<dyn Error>> {
    let (engine, mut answer) = (wide(), Answer::default());
    let way = place.translation().normalize();
    let mut pose = Pose::translation_by(place.translation() * 2.0)?.then_inner(place);
    for _ in 0..200 {
        let (memory, ask) = (&mut engine.memory(), Ask::distance());
        engine.query(a, b, &pose, memory, &ask, &Control::NONE, &mut answer)?;
        let off = answer.nearest.as_ref().map_or(0.0, |nearest| nearest.distance) - gap;
        if off.abs() < 0.01 * gap {
            break;
        }
        pose = Pose::translation_by(-way * off)?.then_inner(&pose);
    }
    Ok(pose)
}
