//! How deep two meshes are in each other: bounds of the least translation that parts them, for meshes
//! of any shape.
//!
//! | file | what it does |
//! | --- | --- |
//! | `body`, `balls`, `field`, `edges` | a prepared mesh: hull, balls inside, tree, neighbours |
//! | `scene` | both meshes in one frame; the exact test after a translation of B |
//! | `candidates`, `escape`, `halfspaces` | the upper bound: ways out, verified and shortened |
//! | `cover`, `witness`, `linked` | the lower bound: a cover of all shorter translations |
//! | `convex` | both bounds of convex bodies |
//!
//! `docs/penetration.md` has the steps, the proofs and the bounds of all rounding.

mod balls;
mod body;
mod candidates;
mod convex;
mod cover;
mod edges;
mod escape;
mod field;
mod halfspaces;
mod linked;
mod pairs;
mod report;
mod scene;
#[cfg(test)]
mod tests;
mod witness;

use impinge_geometry::{Pose, Vector};
use impinge_query::{Cancelled, Control, Meaning, QueryError, Side};

pub use body::PenetrationBody;
pub use pairs::{PosedBodies, penetrations};
pub use report::{Penetration, PenetrationOptions};

use convex::Hulls;
use escape::Escape;
use linked::Linked;
use scene::Scene;

/// How close the bounds of convex bodies are brought, relative to the depth.
const CONVEX: f64 = 1e-11;

/// The depth of B, at a pose, in A: the length of the least translation of B after which the two are
/// apart, between two bounds.
///
/// Surfaces and solids are closed sets, so the depth is an infimum: no translation attains it exactly,
/// and bodies that only touch have depth 0 and a small upper bound. Bodies that are apart have depth 0.
/// With [`Meaning::Surfaces`], a body inside another one without touching it is apart from it.
///
/// Deterministic; works at any scale. Some 0.1 s for two tori of 10,000 triangles at a width of 10 %,
/// of which the upper bound takes a tenth.
///
/// # Errors
/// [`QueryError::BadOption`]; [`QueryError::NotClosed`] with [`Meaning::Solids`]; [`QueryError::OutOfRange`];
/// [`QueryError::Backend`] if no translation in the range of coordinates parts them;
/// [`QueryError::Cancelled`].
///
/// ```
/// use impinge_continuous::penetration::{PenetrationBody, PenetrationOptions, penetration};
/// use impinge_continuous::{geometry::Pose, query::Control};
/// # use impinge_continuous::geometry::{Mesh, Point};
/// # let tetrahedron = Mesh::new(
/// #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
/// #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// # )?;
/// let body = PenetrationBody::new(&tetrahedron, &Control::NONE)?;
/// let pose = Pose::translation_by([0.75, 0.0, 0.0].into())?;
/// let found = penetration(&body, &body, &pose, &PenetrationOptions::default(), &Control::NONE)?;
/// let depth = 0.25 / 3f64.sqrt(); // across the slanted face
/// assert!(found.lower <= depth && depth <= found.upper && found.width() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(
    a: &PenetrationBody,
    b: &PenetrationBody,
    b_in_a: &Pose,
    options: &PenetrationOptions,
    control: &Control<'_>,
) -> Result<Penetration, QueryError> {
    options.validate()?;
    control.check()?;
    if options.meaning == Meaning::Solids {
        for (body, side) in [(a, Side::A), (b, Side::B)] {
            body.closed().map_err(|open| QueryError::NotClosed { side, open })?;
        }
    }
    b.mesh().posed(b_in_a).map(drop).map_err(QueryError::OutOfRange)?;
    let scene = Scene::new([a, b], b_in_a, options.meaning, control)?;
    bounds(&scene, options)
}

/// Both bounds of a scene.
fn bounds(scene: &Scene<'_>, options: &PenetrationOptions) -> Result<Penetration, QueryError> {
    if scene.apart(&Vector::zeros())? {
        return Ok(Penetration::none());
    }
    let Some(mut escape) = Escape::new(scene)? else {
        let reason = "no translation within the range of coordinates parts the bodies".to_owned();
        return Err(QueryError::Backend { word: "penetration", reason });
    };
    let linked = Linked::new(scene);
    let mut lower = 0.0;
    if let [Some(p), Some(q)] = scene.bodies.map(PenetrationBody::convex) {
        lower = of_convex(scene, &linked, &mut escape, p + q)?;
    }
    let mut cells = 0;
    if lower < escape.length() * (1.0 - options.width) {
        candidates::search(scene, &mut escape)?;
        let covered = cover::cover(scene, &linked, &mut escape, options)?;
        (lower, cells) = (covered.lower.max(lower), covered.cells);
    }
    let translation = escape.best() / scene.scale;
    // At the ends of the range the sum of squares would overflow.
    let upper = (translation * scene.scale).norm() / scene.scale;
    Ok(Penetration { lower: (lower / scene.scale).min(upper), upper, translation, cells })
}

/// The lower bound of two convex bodies whose surfaces are no farther than `hollow` from those of their
/// hulls, together; shortens the way out to that of the hulls.
fn of_convex(
    scene: &Scene<'_>,
    linked: &Linked,
    escape: &mut Escape<'_, '_>,
    hollow: f64,
) -> Result<f64, Cancelled> {
    let depth = Hulls::new(scene).depth(scene, CONVEX, f64::INFINITY)?;
    let length = depth.way.norm();
    let mut beyond = 0.125 * scene.slack;
    while length > 0.0 && beyond < 0.5 * length {
        if escape.offer(depth.way * (1.0 + beyond / length))? {
            break;
        }
        beyond *= 2.0;
    }
    // A body holds its hull shrunk towards the centre of a ball inside it.
    let Some(shrunk) = scene.shrunk(hollow * scene.scale + scene.slack) else { return Ok(0.0) };
    let lower = (depth.lower - shrunk - scene.slack).max(0.0);
    Ok(if scene.meaning == Meaning::Solids { lower } else { lower.min(linked.outside()) })
}
