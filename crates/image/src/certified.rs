//! The certified form: the image tells which pairs to test first, exact signs decide.

use impinge_query::lists::Lists;
use impinge_query::{Backend, Cancelled, Certainty, Contacts, Control, Counter, QueryError};
use impinge_shaders::image::View;

use crate::backend::{Renderer, Scene};
use crate::body::Parts;
use crate::pair::Pair;
use crate::solid;
use crate::triangles::meet_in_patches;
use crate::witness::Witness;

/// A pair of patches whose boxes may share a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// Numbers under which their hulls are drawn.
    pub(crate) hulls: [u32; 2],
    pub(crate) patches: [u32; 2],
    /// Least overlap of their boxes on an axis, in the meshes' unit.
    pub(crate) overlap: f64,
    pub(crate) seen: bool,
    /// Proof that their hulls overlap: the pair is *settled*.
    pub(crate) witness: Option<Witness>,
}

impl Leaf {
    pub(crate) fn new(hulls: [u32; 2], patches: [u32; 2], overlap: f64) -> Self {
        Self { hulls, patches, overlap, seen: false, witness: None }
    }
}

/// All such pairs of a query.
#[derive(Debug)]
pub struct Leaves {
    pub(crate) pairs: Vec<Leaf>,
    pub(crate) backend: Option<Backend>,
}

/// Options for drawing pairs.
pub(crate) struct DrawOptions<'e> {
    pub(crate) renderer: &'e Renderer,
    /// The method's word, for errors.
    pub(crate) word: &'static str,
    /// Most pairs of patches to draw.
    pub(crate) most: usize,
    /// The view of two hulls; `None` if their boxes are apart.
    pub(crate) view: &'e dyn Fn([u32; 2]) -> Option<View>,
}

impl Leaves {
    /// Draws the pairs whose boxes overlap deepest, all in one submission. Where the image shows an
    /// overlap, looks for a witness. Draws nothing without a scene.
    pub(crate) fn look<C: Counter, M: Parts>(
        &mut self,
        pair: &Pair<'_, M>,
        options: &DrawOptions<'_>,
        scene: Option<&mut Scene>,
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<(), QueryError> {
        self.pairs.sort_by(|m, n| n.overlap.total_cmp(&m.overlap));
        let Some(scene) = scene else { return Ok(()) };
        let (mut drawn, mut draws) = (Vec::new(), Vec::new());
        for (index, leaf) in self.pairs.iter().enumerate() {
            if drawn.len() >= options.most {
                break;
            }
            let place = (scene.begin_b, options.renderer.sizes());
            if pair.can_be_drawn(leaf.hulls)
                && let Some(view) = (options.view)(leaf.hulls)
                && let Some(picture) = pair.picture(leaf.hulls, &view, place)
            {
                drawn.push((index, view));
                draws.push(picture);
            }
        }
        if draws.is_empty() {
            return Ok(());
        }
        let renderer = options.renderer;
        let seen = renderer.draw(scene, &draws, control).map_err(|e| e.of(options.word))?;
        seen.count(counter);
        self.backend = Some(seen.backend);
        for ((index, view), class) in drawn.into_iter().zip(seen.classes) {
            control.check()?;
            let leaf = &mut self.pairs[index];
            leaf.seen = class.overlap.is_some();
            leaf.witness = class.overlap.and_then(|pixel| {
                let size = renderer.sizes().of(&view);
                Witness::find(&view, size, pixel, &pair.hulls(leaf.patches))
            });
        }
        Ok(())
    }

    /// The number of pairs with a witness, if one of them certainly is in both solids as posed.
    pub(crate) fn collide<M: Parts>(&self, pair: &Pair<'_, M>) -> Option<u64> {
        let reach = solid::reach(pair.b.body().mesh(), pair.pose);
        let mut settled = self.pairs.iter().filter_map(|leaf| Some((leaf, leaf.witness?.point)));
        settled
            .clone()
            .any(|(leaf, p)| solid::holds(pair, leaf.patches, &p, reach))
            .then(|| settled.by_ref().count() as u64)
    }

    /// Sorts settled pairs first, the deepest of them before the others.
    pub(crate) fn arrange(&mut self) {
        let depth = |leaf: &Leaf| leaf.witness.map_or(f64::NEG_INFINITY, |witness| witness.depth);
        self.pairs.sort_by(|m, n| depth(n).total_cmp(&depth(m)));
    }

    /// Tests the triangles of all pairs, or until the first contact.
    pub(crate) fn contacts<C: Counter, M: Parts>(
        &self,
        pair: &Pair<'_, M>,
        lists: &mut Lists,
        (counter, control): (&mut C, &Control<'_>),
        found: &mut Contacts,
    ) -> Result<Certainty, Cancelled> {
        let settled = self.pairs.iter().filter(|leaf| leaf.witness.is_some()).count() as u64;
        let mut resolved = 0;
        for leaf in &self.pairs {
            resolved += u64::from(leaf.witness.is_none());
            let hit = |contact| found.take(contact);
            if meet_in_patches(lists, pair, leaf.patches, (counter, control), hit)?.is_break() {
                break;
            }
        }
        Ok(Certainty::Certified { settled, resolved })
    }
}
