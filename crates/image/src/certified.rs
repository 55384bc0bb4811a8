//! The certified form: the image says where to look first, exact signs say what is true.

use std::ops::ControlFlow;

use impinge_query::{
    Answer, Backend, Cancelled, Certainty, Control, Counter, Meaning, QueryError, Question, Verdict,
};

use crate::collector::Collector;
use crate::containment;
use crate::descent::{self, Near};
use crate::engine::{Ibcd, Memory};
use crate::pair::Pair;
use crate::triangles::Triangles;
use crate::witness::Witness;
use impinge_query::Ask;

/// A pair of patches whose boxes may share a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) near: Near,
    pub(crate) seen: bool,
    /// The proof that their hulls overlap: the pair is *settled*.
    pub(crate) witness: Option<Witness>,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Leaves {
    pub(crate) pairs: Vec<Leaf>,
    pub(crate) backend: Option<Backend>,
}

impl Leaves {
    pub(crate) fn find<C: Counter>(
        pair: &Pair<'_>,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<Self, Cancelled> {
        let found = descent::leaves(pair, counter, control)?;
        let leaf = |near| Leaf { near, seen: false, witness: None };
        Ok(Self { pairs: found.into_iter().map(leaf).collect(), backend: None })
    }

    /// Draws up to `most` of them, those whose boxes overlap deepest, all in one submission; where
    /// an overlap is seen, looks for a witness.
    pub(crate) fn look<C: Counter>(
        &mut self,
        pair: &Pair<'_>,
        engine: &Ibcd,
        most: usize,
        memory: &mut Memory,
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<(), QueryError> {
        let reach = |leaf: &Leaf| leaf.near.viewport.overlap;
        self.pairs.sort_by(|m, n| reach(n).total_cmp(&reach(m)));
        let Some(scene) = memory.scene(pair) else { return Ok(()) };
        let mut drawn = Vec::new();
        let mut draws = Vec::new();
        for (index, leaf) in self.pairs.iter().enumerate() {
            if drawn.len() >= most {
                break;
            }
            let near = &leaf.near;
            let draw = || pair.draw(near.nodes, &near.viewport.view, scene.begin_b);
            if pair.can_be_drawn(near.nodes)
                && let Some(draw) = draw()
            {
                drawn.push(index);
                draws.push(draw);
            }
        }
        if draws.is_empty() {
            return Ok(());
        }
        let seen = engine.artist().draw(scene, &draws, control).map_err(|e| e.of(engine.word()))?;
        counter.submitted(seen.submissions);
        self.backend = Some(seen.backend);
        for (index, class) in drawn.into_iter().zip(seen.classes) {
            control.check()?;
            let leaf = &mut self.pairs[index];
            leaf.seen = class.overlap.is_some();
            leaf.witness = class.overlap.and_then(|pixel| {
                let (view, hulls) = (&leaf.near.viewport.view, pair.hulls(leaf.near.nodes));
                Witness::find(view, engine.artist().side(), pixel, &hulls)
            });
        }
        Ok(())
    }

    /// Settled pairs first, the deepest of them before the others.
    fn arrange(&mut self) {
        let depth = |leaf: &Leaf| leaf.witness.map_or(f64::NEG_INFINITY, |witness| witness.depth);
        self.pairs.sort_by(|m, n| depth(n).total_cmp(&depth(m)));
    }
}

/// Answers a contact question.
pub(crate) fn answer<C: Counter>(
    engine: &Ibcd,
    pair: &Pair<'_>,
    memory: &mut Memory,
    ask: &Ask,
    (counter, control): (&mut C, &Control<'_>),
    answer: &mut Answer,
) -> Result<(), QueryError> {
    let first = ask.question == Question::FirstContact;
    let mut leaves = counter.stage("descent", |counter| Leaves::find(pair, counter, control))?;
    // All contacts need all pairs: the image would tell nothing that they do not.
    if first {
        counter.stage("image", |counter| {
            leaves.look(pair, engine, engine.params.drawn, memory, (counter, control))
        })?;
        leaves.arrange();
        answer.backend = leaves.backend.take().unwrap_or_default();
    }
    counter.stage("triangles", |counter| {
        contacts(pair, &leaves, ask, &mut memory.triangles, (counter, control), answer)
    })?;
    if ask.meaning == Meaning::Solids && answer.verdict == Verdict::Separated {
        let inner =
            counter.stage("containment", |counter| containment::find(pair, counter, control))?;
        if let Some(inner) = inner {
            answer.verdict = Verdict::Contained(inner);
        }
    }
    Ok(())
}

fn contacts<C: Counter>(
    pair: &Pair<'_>,
    leaves: &Leaves,
    ask: &Ask,
    triangles: &mut Triangles,
    (counter, control): (&mut C, &Control<'_>),
    answer: &mut Answer,
) -> Result<(), Cancelled> {
    let first = ask.question == Question::FirstContact;
    let settled = leaves.pairs.iter().filter(|leaf| leaf.witness.is_some()).count() as u64;
    let mut resolved = 0;
    let mut found = Collector::new(&mut answer.contacts, ask.cap.filter(|_| !first));
    for leaf in &leaves.pairs {
        let Some(patches) = pair.patches(leaf.near.nodes) else { continue };
        resolved += u64::from(leaf.witness.is_none());
        let end = triangles.meet(pair, patches, counter, control, |contact| {
            found.push(contact);
            if first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if end.is_break() {
            break;
        }
    }
    answer.contacts_found = found.finish();
    if answer.contacts_found > 0 {
        answer.verdict = Verdict::Intersecting;
    }
    answer.certainty = Certainty::Certified { settled, resolved };
    Ok(())
}
