//! Two meshes a stated gap apart or a stated depth inside each other, by a search along random
//! lines through both centres.

use impinge::{Mesh, Method, Pair, Point, Pose, Vector};
use impinge_benches::placement::approach::{Line, descend};
use impinge_models::Random;

/// Contact counts as reached at this gap. Unit: the smaller diagonal.
const CONTACT: f64 = 1e-9;
/// Lines that miss are drawn anew, at most this many times per wanted line.
const TRIES: usize = 8;

/// Poses along one line: one per gap in falling order, then one at each depth past first contact.
pub(crate) struct Placed {
    /// B in A, per gap.
    pub(crate) apart: Vec<Pose>,
    /// B in A, per depth.
    pub(crate) deep: Vec<Pose>,
}

/// Places B about A along `lines` random lines, for gaps in falling order and for depths; both in
/// parts of the smaller diagonal.
///
/// # Errors
/// If a mesh cannot be prepared or asked, or too many lines miss.
pub(crate) fn place(
    [a, b]: [&Mesh; 2],
    gaps: &[f64],
    depths: &[f64],
    lines: usize,
    seed: u64,
) -> Result<Vec<Placed>, String> {
    let said = |error: impinge::Error| error.to_string();
    let mut pair = Pair::with(Method::ObbTree, a, b).map_err(said)?;
    let size = a.diagonal().min(b.diagonal());
    let mut found = Vec::new();
    for index in 0..lines * TRIES {
        if found.len() == lines {
            break;
        }
        let mut random = Random::stream(seed, index as u64);
        let turned = random.turned_to(Vector::zeros());
        let origin = center(a).coords - turned.rotate(&center(b).coords);
        let reach = a.diagonal() + b.diagonal();
        let line = Line::new(&turned, origin, random.unit_vector(), reach)
            .map_err(|error| error.to_string())?;
        let wanted = |list: &[f64]| list.iter().map(|part| part * size).collect::<Vec<_>>();
        let targets = [wanted(gaps), wanted(depths)];
        found.extend(along(&mut pair, &line, &targets, CONTACT * size).map_err(said)?);
    }
    if found.is_empty() { Err("no line through both centres hits".to_owned()) } else { Ok(found) }
}

fn center(mesh: &Mesh) -> Point {
    let (low, high) = mesh.bounds();
    low + (high - low) * 0.5
}

fn along(
    pair: &mut Pair,
    line: &Line,
    [gaps, depths]: &[Vec<f64>; 2],
    contact: f64,
) -> Result<Option<Placed>, impinge::Error> {
    let mut distance =
        |at: f64| -> Result<f64, impinge::Error> { Ok(pair.distance(&line.pose(at)?)?.distance) };
    let mut at = line.reach();
    let mut placed = Placed { apart: Vec::new(), deep: Vec::new() };
    for &gap in gaps {
        let Some(found) = descend(&mut distance, at, gap, -line.reach())? else { return Ok(None) };
        at = found;
        placed.apart.push(line.pose(at)?);
    }
    if !depths.is_empty() {
        let Some(touch) = descend(&mut distance, at, contact, -line.reach())? else {
            return Ok(None);
        };
        for &depth in depths {
            placed.deep.push(line.pose(touch - depth)?);
        }
    }
    Ok(Some(placed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Shape;

    #[test]
    fn gaps_and_depths_are_met() {
        let mesh = Shape::Torus.mesh(300, 1);
        let placed = place([&mesh, &mesh], &[0.05, 0.01], &[0.01], 2, 1).expect("lines hit");
        assert_eq!(placed.len(), 2);
        for Placed { apart, deep } in &placed {
            for (pose, gap) in apart.iter().zip([0.05, 0.01]) {
                let found = impinge::distance(&mesh, &mesh, pose).expect("a distance").distance;
                assert!((found / mesh.diagonal() - gap).abs() < 1e-6, "{found}");
            }
            assert!(impinge::intersects(&mesh, &mesh, &deep[0]).expect("an answer"));
        }
    }
}
