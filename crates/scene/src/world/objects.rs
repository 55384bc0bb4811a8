//! The objects of a world: their places, poses, groups and exceptions.

use std::collections::HashSet;
use std::fmt;

use impinge_geometry::{Pose, PoseError, Vector, prefetch};

use super::{Shape, WorldError};

/// An object of a world: stays valid until the object is removed, and never names another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectId {
    index: u32,
    generation: u32,
}

impl ObjectId {
    /// The object's place in the world, below the number of objects it ever had at a time. Pairs are
    /// reported by ascending places. Objects that are only added get 0, 1, 2, …
    pub const fn index(self) -> u32 {
        self.index
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.index),
            later => write!(f, "{} (reused {later} times)", self.index),
        }
    }
}

/// How an object moves, in the world's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity {
    /// Of the origin of the object's frame: lengths per unit of time.
    pub linear: Vector,
    /// About that origin: an axis, as long as the angle in radians per unit of time.
    pub angular: Vector,
}

impl Velocity {
    /// The pose `time` later.
    fn moved(&self, pose: &Pose, time: f64) -> Result<Pose, PoseError> {
        let turn = nalgebra::Rotation3::new(self.angular * time);
        let place = pose.translation() + self.linear * time;
        Pose::new(turn.into_inner() * pose.rotation(), place)
    }
}

/// What an object is at first. Plain data: start from [`Object::new`].
#[derive(Clone, Debug)]
pub struct Object {
    /// The mesh, shared with other instances of it.
    pub shape: Shape,
    /// Where it is in the world.
    pub pose: Pose,
    /// How it moves: [`World::advance`](super::World::advance).
    pub velocity: Velocity,
    /// The groups it belongs to, one bit each.
    pub groups: u32,
    /// The groups it is asked about. Two objects are a pair if each is in a group of the other's mask.
    pub mask: u32,
    /// Whether it is never asked about together with another fixed object.
    pub fixed: bool,
}

impl Object {
    /// An object at rest, of all groups, asked about all others.
    pub const fn new(shape: Shape, pose: Pose) -> Self {
        let velocity =
            Velocity { linear: Vector::new(0.0, 0.0, 0.0), angular: Vector::new(0.0, 0.0, 0.0) };
        Self { shape, pose, velocity, groups: u32::MAX, mask: u32::MAX, fixed: false }
    }

    /// The same object, fixed.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// The same object in `groups`, asked about those of `mask`.
    #[must_use]
    pub const fn grouped(mut self, groups: u32, mask: u32) -> Self {
        (self.groups, self.mask) = (groups, mask);
        self
    }

    /// Whether two objects are asked about together, as far as both tell: not both are fixed, and each is in a
    /// group of the other's mask.
    #[inline]
    pub(super) const fn is_asked_with(&self, other: &Self) -> bool {
        !(self.fixed && other.fixed)
            && self.groups & other.mask != 0
            && other.groups & self.mask != 0
    }
}

/// A place in the world.
#[derive(Debug)]
struct Slot {
    generation: u32,
    object: Option<Object>,
    /// The objects that this one is not asked about together with.
    exceptions: Vec<u32>,
}

/// All objects by index.
#[derive(Debug, Default)]
pub(super) struct Objects {
    slots: Vec<Slot>,
    free: Vec<u32>,
    present: usize,
    /// Pairs that are not asked about, the lower index first.
    exceptions: HashSet<[u32; 2]>,
}

impl Objects {
    pub(super) fn add(&mut self, object: Object) -> Result<ObjectId, WorldError> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.object = Some(object);
            self.present += 1;
            return Ok(ObjectId { index, generation: slot.generation });
        }
        let index = u32::try_from(self.slots.len()).ok().filter(|index| *index < u32::MAX);
        let index = index.ok_or(WorldError::TooMany)?;
        self.slots.push(Slot { generation: 0, object: Some(object), exceptions: Vec::new() });
        self.present += 1;
        Ok(ObjectId { index, generation: 0 })
    }

    pub(super) fn remove(&mut self, id: ObjectId) -> Result<Object, WorldError> {
        let slot = self.slot(id)?;
        let object = slot.object.take().ok_or(WorldError::NoObject(id))?;
        // After 2³² reuses a place is given up, so that no id comes back.
        let next = slot.generation.checked_add(1);
        slot.generation = next.unwrap_or(slot.generation);
        let partners = std::mem::take(&mut slot.exceptions);
        if next.is_some() {
            self.free.push(id.index);
        }
        self.present -= 1;
        for other in partners {
            self.exceptions.remove(&[id.index.min(other), id.index.max(other)]);
            self.slots[other as usize].exceptions.retain(|own| *own != id.index);
        }
        Ok(object)
    }

    fn slot(&mut self, id: ObjectId) -> Result<&mut Slot, WorldError> {
        let slot = self.slots.get_mut(id.index as usize);
        slot.filter(|slot| slot.generation == id.generation).ok_or(WorldError::NoObject(id))
    }

    pub(super) fn get(&self, id: ObjectId) -> Result<&Object, WorldError> {
        let slot = self.slots.get(id.index as usize);
        let slot = slot.filter(|slot| slot.generation == id.generation);
        slot.and_then(|slot| slot.object.as_ref()).ok_or(WorldError::NoObject(id))
    }

    pub(super) fn get_mut(&mut self, id: ObjectId) -> Result<&mut Object, WorldError> {
        self.slot(id)?.object.as_mut().ok_or(WorldError::NoObject(id))
    }

    /// The number of places, used and free.
    pub(super) const fn places(&self) -> usize {
        self.slots.len()
    }

    pub(super) const fn count(&self) -> usize {
        self.present
    }

    pub(super) fn at(&self, index: u32) -> Option<(ObjectId, &Object)> {
        let Slot { generation, object, .. } = self.slots.get(index as usize)?;
        object.as_ref().map(|object| (ObjectId { index, generation: *generation }, object))
    }

    /// Prefetches a place.
    #[inline]
    pub(super) fn prefetch(&self, index: u32) {
        prefetch(&self.slots[index as usize]);
    }

    pub(super) fn present(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (0..self.slots.len() as u32).filter_map(|index| self.at(index))
    }

    /// Whether two objects, the lower index first, are asked about together; not an object and itself.
    #[inline]
    pub(super) fn are_asked(&self, [a, b]: [u32; 2]) -> bool {
        let (p, q) = (&self.slots[a as usize], &self.slots[b as usize]);
        let (Some(m), Some(n)) = (&p.object, &q.object) else { return false };
        a != b
            && m.is_asked_with(n)
            && (p.exceptions.is_empty()
                || q.exceptions.is_empty()
                || !self.exceptions.contains(&[a, b]))
    }

    /// Sets whether the pair is an exception; returns whether it was.
    pub(super) fn except(
        &mut self,
        a: ObjectId,
        b: ObjectId,
        exception: bool,
    ) -> Result<bool, WorldError> {
        let (_, _) = (self.get(a)?, self.get(b)?);
        if a == b {
            return Ok(false);
        }
        let pair = [a.index.min(b.index), a.index.max(b.index)];
        let changed =
            if exception { self.exceptions.insert(pair) } else { self.exceptions.remove(&pair) };
        if changed {
            for [own, other] in [pair, [pair[1], pair[0]]] {
                let partners = &mut self.slots[own as usize].exceptions;
                if exception {
                    partners.push(other);
                } else {
                    partners.retain(|known| *known != other);
                }
            }
        }
        Ok(exception != changed)
    }

    /// Moves every object with a velocity, and calls `moved` for each.
    pub(super) fn advance(
        &mut self,
        time: f64,
        mut moved: impl FnMut(u32),
    ) -> Result<(), WorldError> {
        let mut poses = Vec::new();
        for (id, object) in self.present().filter(|(_, o)| o.velocity != Velocity::default()) {
            let pose = object.velocity.moved(&object.pose, time);
            poses.push((id, pose.map_err(|source| WorldError::Lost { id, source })?));
        }
        for (id, pose) in poses {
            self.get_mut(id)?.pose = pose;
            moved(id.index);
        }
        Ok(())
    }
}
