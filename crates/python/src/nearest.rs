//! The object of a world that is nearest to another, and the nearest two of all.

use impinge::geometry::volume::Aabb;
use impinge::query::{Answer, Ask, Control, Meaning, PairMemory};
use impinge::scene::Found;
use impinge::{Nearest, Object, ObjectId, Pose, World, WorldError};

/// Two objects, with their distance in the frame of the first.
pub(crate) type Two = ([ObjectId; 2], Nearest);

/// A bound that rounding cannot take above the distance of two boxes: the relative error of a gap is
/// below eight units of rounding.
const DOWN: f64 = 1.0 - 8.0 * f64::EPSILON;

fn gap(a: &Aabb, b: &Aabb) -> f64 {
    let between = (a.min - b.max).sup(&(b.min - a.max));
    between.sup(&impinge::Vector::zeros()).norm() * DOWN
}

fn distance(
    world: &World,
    [a, b]: [&Object; 2],
    meaning: Meaning,
    memory: &mut PairMemory,
    control: &Control<'_>,
) -> Result<Option<Nearest>, impinge::query::QueryError> {
    let (ask, mut answer) = (Ask { meaning, ..Ask::distance() }, Answer::default());
    let (m, n) = (a.shape.prepared(), b.shape.prepared());
    let b_in_a = Pose::relative(&a.pose, &b.pose);
    world.detector().query(m, n, &b_in_a, memory, &ask, control, &mut answer)?;
    Ok(answer.nearest)
}

/// The object of the world that is nearest to `object`, whose own id is `own` if it is in the world; of
/// equally near ones that with the least index. Boxes decide which are asked about: O(n log n), and some
/// distances.
pub(crate) fn to(
    world: &World,
    object: &Object,
    own: Option<ObjectId>,
    meaning: Meaning,
    control: &Control<'_>,
) -> Result<Option<(ObjectId, Nearest)>, WorldError> {
    let around = object.shape.posed(&object.pose, 0.0);
    let others = world.objects().filter(|(id, _)| Some(*id) != own);
    let mut near: Vec<(f64, ObjectId, &Object)> = others
        .map(|(id, other)| (gap(&around, &other.shape.posed(&other.pose, 0.0)), id, other))
        .collect();
    near.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
    let (mut best, mut memory) = (None::<(ObjectId, Nearest)>, world.detector().memory());
    for (gap, id, other) in near {
        if best.is_some_and(|(_, found)| gap > found.distance) {
            break;
        }
        let found = distance(world, [object, other], meaning, &mut memory, control)
            .map_err(|source| WorldError::Outside { b: id, source })?;
        let Some(found) = found else { continue };
        let nearer =
            |(known, least): (ObjectId, Nearest)| (found.distance, id) < (least.distance, known);
        if best.is_none_or(nearer) {
            best = Some((id, found));
        }
    }
    Ok(best)
}

/// The two nearest objects of a world. O(n²) comparisons of boxes, and some distances.
pub(crate) fn of_all(
    world: &mut World,
    meaning: Meaning,
    control: &Control<'_>,
) -> Result<Option<Two>, WorldError> {
    let Some(first) = likely(world, meaning, control)? else { return Ok(None) };
    let mut best: Option<Two> = None;
    let mut each = |Found { a, b, answer, .. }: Found<'_>| {
        let Some(found) = answer.nearest else { return };
        if best.is_none_or(|(_, least)| found.distance < least.distance) {
            best = Some(([a, b], found));
        }
    };
    world.near_with(first.1.distance, meaning, control, &mut each)?;
    // "At most" is decided exactly, and the rounded distance may be below the exact one.
    Ok(best.or(Some(first)))
}

/// The distance of two objects whose boxes overlap, or of two whose boxes are nearest of those that do not,
/// whichever is less: of an object around all others, boxes overlap and surfaces may be far.
fn likely(
    world: &World,
    meaning: Meaning,
    control: &Control<'_>,
) -> Result<Option<Two>, WorldError> {
    let all: Vec<(ObjectId, &Object)> = world.objects().collect();
    let boxes: Vec<Aabb> = all.iter().map(|(_, o)| o.shape.posed(&o.pose, 0.0)).collect();
    let mut best: [Option<(f64, [usize; 2])>; 2] = [None; 2];
    for j in 1..all.len() {
        control.check()?;
        for i in 0..j {
            let gap = gap(&boxes[i], &boxes[j]);
            let best = &mut best[usize::from(gap > 0.0)];
            if best.is_none_or(|(least, _)| gap < least) && world.asks(all[i].0, all[j].0)? {
                *best = Some((gap, [i, j]));
            }
        }
    }
    let (mut nearest, mut memory) = (None::<Two>, world.detector().memory());
    for (gap, [i, j]) in best.into_iter().flatten() {
        if nearest.is_some_and(|(_, least)| gap > least.distance) {
            continue;
        }
        let [a, b] = [all[i].0, all[j].0];
        let found = distance(world, [all[i].1, all[j].1], meaning, &mut memory, control)
            .map_err(|source| WorldError::Query { a, b, source })?;
        let nearer = |found: &Nearest| nearest.is_none_or(|(_, n)| found.distance < n.distance);
        if let Some(found) = found.filter(nearer) {
            nearest = Some(([a, b], found));
        }
    }
    Ok(nearest)
}
