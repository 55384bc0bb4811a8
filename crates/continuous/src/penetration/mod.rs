//! How deep two meshes are in each other: bounds of the least translation that parts them.
mod balls;
mod body;
mod candidates;
mod cover;
mod escape;
mod field;
mod halfspaces;
mod linked;
mod report;
mod scene;
mod witness;

use impinge_geometry::{Pose, Vector};
use impinge_query::{Control, Meaning, QueryError, Side};

pub use body::PenetrationBody;
pub use report::{Penetration, PenetrationOptions};

use escape::Escape;
use scene::Scene;

/// The penetration depth of B, at a pose, in A.
pub fn penetration(
    a: &PenetrationBody,
    b: &PenetrationBody,
    b_in_a: &Pose,
    options: &PenetrationOptions,
    control: &Control<'_>,
) -> Result<Penetration, QueryError> {
    control.check()?;
    if options.meaning == Meaning::Solids {
        for (body, side) in [(a, Side::A), (b, Side::B)] {
            body.closed().map_err(|open| QueryError::NotClosed { side, open })?;
        }
    }
    b.mesh().posed(b_in_a).map(drop).map_err(QueryError::OutOfRange)?;
    let scene = Scene::new([a, b], b_in_a, options.meaning, control)?;
    if scene.apart(&Vector::zeros())? {
        return Ok(Penetration::none());
    }
    let clock = std::time::Instant::now();
    let refused = |reason: &str| QueryError::Backend { word: "penetration", reason: reason.into() };
    let mut escape =
        Escape::new(&scene)?.ok_or_else(|| refused("no translation within range parts the bodies"))?;
    candidates::search(&scene, &mut escape)?;
    eprintln!("upper {} after {:?} tests {}", escape.length(), clock.elapsed(), escape.tests);
    let covered = cover::cover(&scene, &mut escape, options.width, options.budget)?;
    eprintln!("lower {} after {:?} tests {}", covered.lower, clock.elapsed(), escape.tests);
    let translation = escape.best() / scene.scale;
    let upper = translation.norm();
    Ok(Penetration {
        lower: (covered.lower / scene.scale).min(upper),
        upper,
        translation,
        cells: covered.cells,
    })
}
