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
use impinge_shaders::image::View;

use crate::backend::{Artist, Scene};
use crate::body::{Body, Parts};
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
        let views: Vec<Viewed> =
            near.iter().map(|near| (near.nodes, Some(near.viewport.view))).collect();
        let seen = counter.stage("image", |counter| {
            let who = (engine.artist(), engine.word());
            look(who, pair, memory.scene(pair), &views, (counter, control), &mut answer.backend)
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
            found(contact, answer);
            return Ok(());
        }
    }
    Ok(())
}

/// Answers with one contact.
pub(crate) fn found(contact: Contact, answer: &mut Answer) {
    answer.contacts.push(contact);
    answer.contacts_found = 1;
    answer.verdict = Verdict::Intersecting;
}

/// What the image shows of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Overlap,
    Apart,
    /// It cannot be drawn.
    Nothing,
}

/// Two hulls and their view; none if their boxes are apart.
pub(crate) type Viewed = ([u32; 2], Option<View>);

/// Draws pairs of hulls, each by its view, in one submission.
pub(crate) fn look<C: Counter, M: Parts>(
    (artist, word): (&Artist, &'static str),
    pair: &Pair<'_, M>,
    scene: Option<&mut Scene>,
    views: &[Viewed],
    (counter, control): (&mut C, &Control<'_>),
    backend: &mut Backend,
) -> Result<Vec<Seen>, QueryError> {
    let mut seen = vec![Seen::Nothing; views.len()];
    let Some(scene) = scene else { return Ok(seen) };
    let draw = |(index, (hulls, view)): (usize, &Viewed)| {
        let draw = || pair.draw(*hulls, view.as_ref()?, scene.begin_b);
        pair.can_be_drawn(*hulls).then(draw).flatten().map(|draw| (index, draw))
    };
    let (places, draws): (Vec<usize>, Vec<_>) = views.iter().enumerate().filter_map(draw).unzip();
    if draws.is_empty() {
        return Ok(seen);
    }
    let shown = artist.draw(scene, &draws, control).map_err(|e| e.of(word))?;
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
    means: (&mut C, &Control<'_>),
) -> Result<Option<Contact>, QueryError> {
    let Some(patches) = pair.patches(near.nodes) else { return Ok(None) };
    contact(pair, patches, seen, triangles, means)
}

/// The contact of two patches, if they collide: by what was seen, or by their triangles where
/// nothing can be.
pub(crate) fn contact<C: Counter, M: Parts>(
    pair: &Pair<'_, M>,
    [p, q]: [u32; 2],
    seen: Seen,
    triangles: &mut Triangles,
    (counter, control): (&mut C, &Control<'_>),
) -> Result<Option<Contact>, QueryError> {
    let mut contact = None;
    match seen {
        Seen::Apart => {}
        Seen::Overlap => {
            let first = |body: &Body, patch: u32| {
                body.decomposition().patches()[patch as usize].faces().first().copied()
            };
            let [a, b] = pair.bodies();
            contact = first(a, p).zip(first(b, q)).map(|(a, b)| Contact { a, b });
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
