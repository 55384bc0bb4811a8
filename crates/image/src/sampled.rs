//! The form of the paper (fan 2003, §2.4.1 and §2.4.4): what the image shows is believed.
//!
//! 1. Of a level's pairs, those whose boxes may share a point are drawn, all in one submission.
//! 2. A pair without a pixel of value 2, either way round, is dropped.
//! 3. Two leaves with one are a collision, and the search ends.
//! 4. Of others, every child of the one with every child of the other makes the next level.
//!
//! Hulls without volume cannot be drawn. Above the leaves such a pair goes on to its children, at the
//! leaves the triangles of the patches decide.

use std::ops::ControlFlow;

use impinge_query::{Answer, Backend, Certainty, Contact, Control, Counter, QueryError, Verdict};

use crate::descent::{self, Near};
use crate::engine::{Ibcd, Memory};
use crate::pair::Pair;
use crate::triangles::Triangles;

/// Is there a collision, as far as the image can tell?
pub(crate) fn answer<C: Counter>(
    engine: &Ibcd,
    pair: &Pair<'_>,
    memory: &mut Memory,
    (counter, control): (&mut C, &Control<'_>),
    answer: &mut Answer,
) -> Result<(), QueryError> {
    answer.certainty = Certainty::Sampled { resolution: engine.artist().side() };
    let mut level = vec![[0, 0]];
    while !level.is_empty() {
        let near =
            counter.stage("descent", |counter| descent::near(pair, &level, counter, control))?;
        let seen = counter.stage("image", |counter| {
            look(engine, pair, memory, &near, (counter, control), &mut answer.backend)
        })?;
        level.clear();
        let mut triangles = std::mem::take(&mut memory.triangles);
        let hit = near.iter().zip(&seen).find_map(|(near, &seen)| {
            match leaf(pair, near, seen, &mut triangles, (counter, control)) {
                Ok(None) if seen != Seen::Apart => pair.children_of_inner(near.nodes, &mut level),
                Ok(None) => {}
                other => return other.transpose(),
            }
            None
        });
        memory.triangles = triangles;
        if let Some(contact) = hit.transpose()? {
            answer.contacts.push(contact);
            answer.contacts_found = 1;
            answer.verdict = Verdict::Intersecting;
            return Ok(());
        }
    }
    Ok(())
}

/// What the image shows of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Overlap,
    Apart,
    /// It cannot be drawn.
    Nothing,
}

fn look<C: Counter>(
    engine: &Ibcd,
    pair: &Pair<'_>,
    memory: &mut Memory,
    near: &[Near],
    (counter, control): (&mut C, &Control<'_>),
    backend: &mut Backend,
) -> Result<Vec<Seen>, QueryError> {
    let mut seen = vec![Seen::Nothing; near.len()];
    let Some(scene) = memory.scene(pair) else { return Ok(seen) };
    let draw = |(index, near): (usize, &Near)| {
        let view = &near.viewport.view;
        let draw = || pair.draw(near.nodes, view, scene.begin_b);
        pair.can_be_drawn(near.nodes).then(draw).flatten().map(|draw| (index, draw))
    };
    let (places, draws): (Vec<usize>, Vec<_>) = near.iter().enumerate().filter_map(draw).unzip();
    if draws.is_empty() {
        return Ok(seen);
    }
    let shown = engine.artist().draw(scene, &draws, control).map_err(|e| e.of(engine.word()))?;
    counter.submitted(shown.submissions);
    *backend = shown.backend;
    for (index, class) in places.into_iter().zip(shown.classes) {
        seen[index] = if class.overlap.is_some() { Seen::Overlap } else { Seen::Apart };
    }
    Ok(seen)
}

/// The contact of two leaves, if they collide; none of any other pair.
fn leaf<C: Counter>(
    pair: &Pair<'_>,
    near: &Near,
    seen: Seen,
    triangles: &mut Triangles,
    (counter, control): (&mut C, &Control<'_>),
) -> Result<Option<Contact>, QueryError> {
    let Some([p, q]) = pair.patches(near.nodes) else { return Ok(None) };
    let mut contact = None;
    match seen {
        Seen::Apart => {}
        Seen::Overlap => {
            let first = |model: &crate::ImageModel, patch: u32| {
                model.decomposition().patches()[patch as usize].faces().first().copied()
            };
            contact = first(pair.a, p).zip(first(pair.b, q)).map(|(a, b)| Contact { a, b });
        }
        Seen::Nothing => {
            let _ = triangles.meet(pair, [p, q], counter, control, |found| {
                contact = Some(found);
                ControlFlow::Break(())
            })?;
        }
    }
    Ok(contact)
}
