//! The certified form: the image says where to look first, exact signs say what is true.

use std::ops::ControlFlow;

use impinge_query::{
    Answer, Ask, Backend, Cancelled, Certainty, Contacts, Control, Counter, QueryError, Question,
};
use impinge_shaders::image::View;

use crate::backend::{Artist, Scene};
use crate::body::Parts;
use crate::containment;
use crate::descent;
use crate::engine::{Ibcd, Memory};
use crate::pair::{Nodes, Pair};
use crate::triangles::Triangles;
use crate::viewport::Viewport;
use crate::witness::Witness;

/// A pair of patches whose boxes may share a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// The numbers under which their hulls are drawn.
    pub(crate) hulls: [u32; 2],
    pub(crate) patches: [u32; 2],
    /// The least common part of their boxes on an axis. Unit: the meshes'.
    pub(crate) overlap: f64,
    pub(crate) seen: bool,
    /// The proof that their hulls overlap: the pair is *settled*.
    pub(crate) witness: Option<Witness>,
}

impl Leaf {
    pub(crate) fn new(hulls: [u32; 2], patches: [u32; 2], overlap: f64) -> Self {
        Self { hulls, patches, overlap, seen: false, witness: None }
    }
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Leaves {
    pub(crate) pairs: Vec<Leaf>,
    pub(crate) backend: Option<Backend>,
}

/// How pictures are made.
pub(crate) struct Looking<'e> {
    pub(crate) artist: &'e Artist,
    /// The method's, for errors.
    pub(crate) word: &'static str,
    /// At most so many pairs of patches are drawn.
    pub(crate) most: usize,
    /// The view of two hulls; none if their boxes are apart.
    pub(crate) view: &'e dyn Fn([u32; 2]) -> Option<View>,
}

impl Leaves {
    /// The pairs of leaves that a descent of two hierarchies comes to.
    pub(crate) fn find<C: Counter>(
        pair: &Pair<'_>,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<Self, Cancelled> {
        let found = descent::leaves(pair, counter, control)?;
        let leaf = |near: descent::Near| {
            let patches = pair.patches(near.nodes)?;
            Some(Leaf::new(near.nodes, patches, near.viewport.overlap))
        };
        Ok(Self { pairs: found.into_iter().filter_map(leaf).collect(), backend: None })
    }

    /// Draws those whose boxes overlap deepest, all in one submission; where an overlap is seen,
    /// looks for a witness. Nothing can be drawn without a scene.
    pub(crate) fn look<C: Counter, M: Parts>(
        &mut self,
        pair: &Pair<'_, M>,
        looking: &Looking<'_>,
        scene: Option<&mut Scene>,
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<(), QueryError> {
        self.pairs.sort_by(|m, n| n.overlap.total_cmp(&m.overlap));
        let Some(scene) = scene else { return Ok(()) };
        let (mut drawn, mut draws) = (Vec::new(), Vec::new());
        for (index, leaf) in self.pairs.iter().enumerate() {
            if drawn.len() >= looking.most {
                break;
            }
            if pair.can_be_drawn(leaf.hulls)
                && let Some(view) = (looking.view)(leaf.hulls)
                && let Some(draw) = pair.draw(leaf.hulls, &view, scene.begin_b)
            {
                drawn.push((index, view));
                draws.push(draw);
            }
        }
        if draws.is_empty() {
            return Ok(());
        }
        let artist = looking.artist;
        let seen = artist.draw(scene, &draws, control).map_err(|e| e.of(looking.word))?;
        counter.submitted(seen.submissions);
        self.backend = Some(seen.backend);
        for ((index, view), class) in drawn.into_iter().zip(seen.classes) {
            control.check()?;
            let leaf = &mut self.pairs[index];
            leaf.seen = class.overlap.is_some();
            leaf.witness = class.overlap.and_then(|pixel| {
                Witness::find(&view, artist.side(), pixel, &pair.hulls(leaf.patches))
            });
        }
        Ok(())
    }

    /// Settled pairs first, the deepest of them before the others.
    fn arrange(&mut self) {
        let depth = |leaf: &Leaf| leaf.witness.map_or(f64::NEG_INFINITY, |witness| witness.depth);
        self.pairs.sort_by(|m, n| depth(n).total_cmp(&depth(m)));
    }

    /// Looks where only the first contact is asked for, and tests triangles.
    pub(crate) fn answer<C: Counter, M: Parts>(
        mut self,
        pair: &Pair<'_, M>,
        looking: &Looking<'_>,
        (scene, triangles): (Option<&mut Scene>, &mut Triangles),
        ask: &Ask,
        (counter, control): (&mut C, &Control<'_>),
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        // All contacts need all pairs: the image would tell nothing that they do not.
        if ask.question == Question::FirstContact {
            counter
                .stage("image", |counter| self.look(pair, looking, scene, (counter, control)))?;
            self.arrange();
            answer.backend = self.backend.take().unwrap_or_default();
        }
        counter.stage("triangles", |counter| {
            contacts(pair, &self, ask, triangles, (counter, control), answer)
        })?;
        Ok(())
    }
}

impl Ibcd {
    /// How its pictures of two nodes are made, at most so many.
    pub(crate) fn looking<'e>(
        &'e self,
        view: &'e dyn Fn(Nodes) -> Option<View>,
        most: usize,
    ) -> Looking<'e> {
        Looking { artist: self.artist(), word: self.word(), most, view }
    }
}

/// The view of two nodes.
pub(crate) fn view(pair: &Pair<'_>, nodes: Nodes) -> Option<View> {
    let [a, b] = pair.boxes(nodes);
    Viewport::new(&a, &b).map(|viewport| viewport.view)
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
    let leaves = counter.stage("descent", |counter| Leaves::find(pair, counter, control))?;
    let mut triangles = std::mem::take(&mut memory.triangles);
    let view = |nodes: Nodes| view(pair, nodes);
    let looking = engine.looking(&view, engine.params.drawn);
    let scene = if ask.question == Question::FirstContact { memory.scene(pair) } else { None };
    let space = (scene.map(|scene| &mut *scene), &mut triangles);
    let done = leaves.answer(pair, &looking, space, ask, (counter, control), answer);
    memory.triangles = triangles;
    done?;
    let [a, b] = pair.boxes([0, 0]);
    let holds: [&dyn Fn(&_) -> bool; 2] = [&|p| a.contains(p), &|p| b.contains(p)];
    containment::complete(pair, holds, ask, (counter, control), answer)?;
    Ok(())
}

fn contacts<C: Counter, M: Parts>(
    pair: &Pair<'_, M>,
    leaves: &Leaves,
    ask: &Ask,
    triangles: &mut Triangles,
    (counter, control): (&mut C, &Control<'_>),
    answer: &mut Answer,
) -> Result<(), Cancelled> {
    let first = ask.question == Question::FirstContact;
    let settled = leaves.pairs.iter().filter(|leaf| leaf.witness.is_some()).count() as u64;
    let mut resolved = 0;
    let space = std::mem::take(&mut answer.contacts);
    let mut found = Contacts::new(space, ask.cap.filter(|_| !first));
    for leaf in &leaves.pairs {
        resolved += u64::from(leaf.witness.is_none());
        let end = triangles.meet(pair, leaf.patches, counter, control, |contact| {
            found.push(contact);
            if first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if end.is_break() {
            break;
        }
    }
    found.finish(answer, control)?;
    answer.certainty = Certainty::Certified { settled, resolved };
    Ok(())
}
