//! Broad phases: find the pairs of objects whose boxes overlap, to be given to a
//! [`Detector`](crate::Detector).

use impinge_geometry::volume::Aabb;

use crate::{Cancelled, Control};

/// The objects of one step, by index. Indices may come and go between steps.
#[derive(Clone, Copy, Debug)]
pub struct Objects<'a> {
    /// The box of object `i` in one frame for all; `None`, or a box without points, if there is no such
    /// object.
    pub boxes: &'a [Option<Aabb>],
    /// Whether object `i` is fixed; those beyond the end are not. A pair of two fixed objects is
    /// not reported. A fixed object may be moved between steps all the same.
    pub fixed: &'a [bool],
}

impl<'a> Objects<'a> {
    /// Objects of which none is fixed.
    pub const fn moving(boxes: &'a [Option<Aabb>]) -> Self {
        Self { boxes, fixed: &[] }
    }

    /// Whether object `i` is fixed.
    #[inline]
    pub fn is_fixed(&self, i: usize) -> bool {
        self.fixed.get(i).copied().unwrap_or(false)
    }

    /// The objects that there are: index, box, and whether it is fixed, by ascending index.
    pub fn present(&self) -> impl Iterator<Item = (u32, Aabb, bool)> + '_ {
        let has_points = |one: &Aabb| (0..3).all(|k| one.min[k] <= one.max[k]);
        let objects = (0u32..).zip(self.boxes);
        objects.filter_map(move |(i, one)| {
            one.filter(has_points).map(|one| (i, one, self.is_fixed(i as usize)))
        })
    }
}

/// Finds the pairs of overlapping boxes, step by step; may keep state between steps.
///
/// Pairs and neighbours are exact: two boxes overlap if they share a point, touching included.
pub trait BroadPhase: Send + Sync {
    /// The name of the method on the command line and in `docs/methods/`.
    fn word(&self) -> &'static str;

    /// Forgets all objects.
    fn clear(&mut self);

    /// What [`update`](Self::update) does unless it is cancelled at once. If it is cancelled later,
    /// anything may be left behind.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled>;

    /// Takes in the objects of a step. Boxes may have moved any distance.
    ///
    /// # Errors
    /// [`Cancelled`]. Until the next update that succeeds, there are no objects.
    fn update(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        let done = control.check().and_then(|()| self.take_in(objects, control));
        if done.is_err() {
            self.clear();
        }
        done
    }

    /// Appends every pair of objects whose boxes overlap and that are not both fixed, each once,
    /// lower index first. The order depends on the method, and is the same for the same steps.
    ///
    /// # Errors
    /// [`Cancelled`]; `into` then holds some of the pairs.
    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled>;

    /// Appends every object whose box overlaps `one`, each once, in no particular order.
    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>);
}

/// Tests every pair of boxes, as a baseline. O(n²).
#[derive(Clone, Debug, Default)]
pub struct EveryPair {
    present: Vec<(u32, Aabb, bool)>,
}

impl BroadPhase for EveryPair {
    fn word(&self) -> &'static str {
        "every-pair"
    }

    fn clear(&mut self) {
        self.present.clear();
    }

    fn take_in(&mut self, objects: &Objects<'_>, _: &Control<'_>) -> Result<(), Cancelled> {
        self.present.clear();
        self.present.extend(objects.present());
        Ok(())
    }

    /// Reports pairs in ascending order.
    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        for (k, (i, one, fixed)) in self.present.iter().enumerate() {
            control.check()?;
            for (j, other, other_fixed) in &self.present[k + 1..] {
                if !(*fixed && *other_fixed) && one.overlaps(other) {
                    into.push([*i, *j]);
                }
            }
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        let meets = self.present.iter().filter(|(_, other, _)| one.overlaps(other));
        into.extend(meets.map(|(i, ..)| i));
    }
}
