//! Where the search for ways out begins.

use impinge_geometry::{Vector, triangle};
use impinge_query::Cancelled;

use super::convex::Hulls;
use super::escape::Escape;
use super::scene::Scene;

/// How well the depth of the hulls is computed, relative to it.
const ROUGHLY: f64 = 0.01;
/// Steps of a push at most.
const PUSHES: usize = 16;
/// Contacts whose normals are tried.
const CONTACTS: usize = 64;

/// Offers ways out: pushes along the deepest witness, and along a spread of directions.
pub(crate) fn search(scene: &Scene<'_>, escape: &mut Escape<'_, '_>) -> Result<(), Cancelled> {
    if !push(scene, escape)? {
        let best = *escape.best();
        escape.improve(best)?;
    }
    let mut directions = normals(scene)?;
    directions.extend(spread());
    for d in &directions {
        escape.offer(d * (0.9 * escape.length()))?;
    }
    let hulls = Hulls::new(scene).depth(scene, ROUGHLY, escape.length())?;
    escape.offer(hulls.way * (1.0 + ROUGHLY))?;
    Ok(())
}

/// Moves B out along the deepest witness again and again, until the bodies are apart; whether they
/// came apart.
fn push(scene: &Scene<'_>, escape: &mut Escape<'_, '_>) -> Result<bool, Cancelled> {
    let (mut v, mut hint) = (Vector::zeros(), None);
    for _ in 0..PUSHES {
        let Some(pair) = scene.balls_a.deepest(&scene.balls_b, &v, hint, 0.0) else { break };
        hint = Some(pair.indices);
        let on = [pair.a.radius == 0.0, pair.b.radius == 0.0];
        let from = Scene::between(&pair, &v);
        let Some(witness) = scene.ascend(&v, from, on, f64::INFINITY) else { break };
        let Some(out) = witness.outward.try_normalize(0.0) else { break };
        let depth = witness.proved.radius.max(1e-3 * escape.length());
        v += out * (depth * 1.05);
        if escape.offer(v)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The normals of some contacts, both ways.
fn normals(scene: &Scene<'_>) -> Result<Vec<Vector>, Cancelled> {
    let met = scene.contacts(&Vector::zeros(), CONTACTS)?.unwrap_or_default();
    let mut found: Vec<Vector> = Vec::new();
    for pair in met {
        let (p, q) = (&scene.a.triangles[pair.a as usize], &scene.b.triangles[pair.b as usize]);
        for n in [triangle::unit_normal(p), triangle::unit_normal(q)].into_iter().flatten() {
            if found.iter().all(|m| m.dot(&n).abs() < 0.9) {
                found.extend([n, -n]);
            }
        }
    }
    Ok(found)
}

/// The 26 directions to the neighbours in a lattice.
fn spread() -> impl Iterator<Item = Vector> {
    (0..27).filter(|k| *k != 13).map(|k: i32| {
        let at = |x: i32| f64::from(x % 3 - 1);
        Vector::new(at(k), at(k / 3), at(k / 9)).normalize()
    })
}
