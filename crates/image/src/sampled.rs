//! The sampled form, in which the image is trusted: what both methods share.

use std::ops::ControlFlow;

use impinge_query::lists::Lists;
use impinge_query::{Backend, Contact, Control, Counter, QueryError};
use impinge_shaders::image::View;

use crate::backend::{Renderer, Scene};
use crate::body::{Body, Parts};
use crate::pair::Pair;
use crate::triangles::meet_in_patches;

/// What the image shows of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Overlap,
    Apart,
    /// The pair cannot be drawn.
    Nothing,
}

/// Two hulls and their view; `None` if their boxes are apart.
pub(crate) type Viewed = ([u32; 2], Option<View>);

#[derive(Debug)]
pub struct Sampling<'q, M> {
    pub(crate) renderer: &'q Renderer,
    /// The method's word, for errors.
    pub(crate) word: &'static str,
    pub(crate) pair: &'q Pair<'q, M>,
    pub(crate) scene: &'q mut Option<Scene>,
    pub(crate) lists: &'q mut Lists,
    pub(crate) control: &'q Control<'q>,
    /// The backend that drew last.
    pub(crate) backend: Option<Backend>,
}

impl<M: Parts> Sampling<'_, M> {
    /// Draws pairs of hulls, each in its view, in one submission.
    pub(crate) fn look<C: Counter>(
        &mut self,
        views: &[Viewed],
        counter: &mut C,
    ) -> Result<Vec<Seen>, QueryError> {
        let pair = self.pair;
        let mut seen = vec![Seen::Nothing; views.len()];
        let Some(scene) = Scene::kept(self.scene, pair) else { return Ok(seen) };
        let place = (scene.begin_b, self.renderer.sizes());
        let draw = |(index, (hulls, view)): (usize, &Viewed)| {
            let draw = || pair.picture(*hulls, view.as_ref()?, place);
            pair.can_be_drawn(*hulls).then(draw).flatten().map(|draw| (index, draw))
        };
        let (places, draws): (Vec<usize>, Vec<_>) =
            views.iter().enumerate().filter_map(draw).unzip();
        if draws.is_empty() {
            return Ok(seen);
        }
        let word = self.word;
        let shown = self.renderer.draw(scene, &draws, self.control).map_err(|e| e.of(word))?;
        shown.count(counter);
        self.backend = Some(shown.backend);
        for (index, class) in places.into_iter().zip(shown.classes) {
            seen[index] = if class.overlap.is_some() { Seen::Overlap } else { Seen::Apart };
        }
        Ok(seen)
    }

    /// The contact of two patches, if they collide: according to the image, or by their triangles
    /// if they cannot be drawn.
    pub(crate) fn contact<C: Counter>(
        &mut self,
        [p, q]: [u32; 2],
        seen: Seen,
        counter: &mut C,
    ) -> Result<Option<Contact>, QueryError> {
        let mut contact = None;
        match seen {
            Seen::Apart => {}
            Seen::Overlap => {
                let first = |body: &Body, patch: u32| {
                    body.decomposition().patches()[patch as usize].faces().first().copied()
                };
                let [a, b] = self.pair.bodies();
                contact = first(a, p).zip(first(b, q)).map(|(a, b)| Contact { a, b });
            }
            Seen::Nothing => {
                let hit = |found| {
                    contact = Some(found);
                    ControlFlow::Break(())
                };
                let watch = (&mut *counter, self.control);
                let _ = meet_in_patches(self.lists, self.pair, [p, q], watch, hit)?;
            }
        }
        Ok(contact)
    }
}
