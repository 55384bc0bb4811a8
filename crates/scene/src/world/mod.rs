//! [`World`]: many objects that move, and the pairs of them that meet.
//!
//! A step is: change objects, ask. The steps of a question:
//! 1. Compute the boxes of the objects that have moved, in the world's frame.
//! 2. Give all boxes to the broad phase; take the pairs that overlap.
//! 3. Drop pairs that groups, masks or exceptions exclude; order the rest, and give each pair what was
//!    kept of it.
//! 4. Leave out pairs that a direction parts, kept from the last question (`parting`).
//! 5. Ask the method about each other pair, over all threads, and hand over the answers in order.
//!
//! Steps 1 to 3 are skipped if nothing has changed.

mod ask;
mod candidates;
mod error;
mod objects;
mod parting;
mod places;
mod run;
mod shape;

use std::fmt;
use std::sync::Arc;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{BroadPhase, Control, Detector, PairMemory, PrepareError, RefitError, broad};

use candidates::Candidates;
use objects::Objects;
use places::Places;

pub use ask::{Found, Meet, Near, Summary};
pub use candidates::Keep;
pub use error::WorldError;
pub use objects::{Object, ObjectId, Velocity};
pub(crate) use parting::Parting;
pub(crate) use places::Place;
pub(crate) use run::{Asked, Task, Told};
pub use shape::Shape;

/// Many objects with poses, and the questions of a step: which pairs meet, where, how near they are,
/// which contain each other. Any method answers them, any broad phase finds the pairs to ask about;
/// answers do not depend on the broad phase.
///
/// Objects are instances of shared [`Shape`]s. They may be added, removed, moved any distance and
/// deformed between questions. After any change, the next question takes in the boxes of all objects,
/// O(n) with the default broad phase, and asks about what is near.
pub struct World {
    detector: Arc<dyn Detector>,
    phase: Box<dyn BroadPhase>,
    keep: Keep,
    objects: Objects,
    /// Where they were when the boxes were computed.
    places: Places,
    /// The box of each object, enlarged by `room`.
    boxes: Vec<Option<Aabb>>,
    fixed: Vec<bool>,
    room: f64,
    /// Objects whose boxes are not those of their poses.
    moved: Vec<bool>,
    /// Objects that are new, or have a new shape, since the candidates were found.
    new: Vec<bool>,
    /// Whether the broad phase has the boxes of all objects.
    updated: bool,
    /// Whether the candidates are those of the boxes.
    searched: bool,
    candidates: Candidates,
    memory: PairMemory,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("method", &self.detector.describe().word)
            .field("phase", &self.phase.word())
            .field("objects", &self.objects.count())
            .finish_non_exhaustive()
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world with the default method, [`wide`](impinge_wide), and the default broad phase,
    /// [`BoxTree`](impinge_wide::BoxTree).
    pub fn new() -> Self {
        Self::of(Arc::new(impinge_wide::wide()))
    }

    /// An empty world whose pairs are answered by `detector`.
    pub fn of(detector: Arc<dyn Detector>) -> Self {
        let memory = detector.memory();
        Self {
            detector,
            phase: Box::new(impinge_wide::BoxTree::default()),
            keep: Keep::default(),
            objects: Objects::default(),
            places: Places::default(),
            boxes: Vec::new(),
            fixed: Vec::new(),
            room: 0.0,
            moved: Vec::new(),
            new: Vec::new(),
            updated: false,
            searched: false,
            candidates: Candidates::default(),
            memory,
        }
    }

    /// The same world with another broad phase. Answers stay the same.
    #[must_use]
    pub fn with_phase(mut self, phase: Box<dyn BroadPhase>) -> Self {
        (self.phase, self.updated, self.searched) = (phase, false, false);
        self
    }

    /// The same world, with more or less kept of each pair between questions.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Self {
        (self.keep, self.searched) = (keep, false);
        self
    }

    /// The method that answers.
    pub fn detector(&self) -> &Arc<dyn Detector> {
        &self.detector
    }

    /// The word of the broad phase.
    pub fn phase(&self) -> &'static str {
        self.phase.word()
    }

    /// Prepares a mesh by the world's method, for any number of objects.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh.
    pub fn shape(&self, mesh: &Mesh) -> Result<Shape, PrepareError> {
        Shape::new(&*self.detector, mesh, &Control::NONE)
    }

    /// Adds an object.
    ///
    /// # Errors
    /// [`WorldError::ForeignShape`], [`WorldError::Pose`], [`WorldError::TooMany`].
    pub fn add(&mut self, object: Object) -> Result<ObjectId, WorldError> {
        self.check(&object.shape)?;
        check_pose(&object.pose)?;
        let fixed = object.fixed;
        let id = self.objects.add(object)?;
        let places = self.objects.places();
        self.places.resize(places);
        self.boxes.resize(places, None);
        self.fixed.resize(places, false);
        self.moved.resize(places, false);
        self.new.resize(places, false);
        self.fixed[id.index() as usize] = fixed;
        self.is_new(id);
        Ok(id)
    }

    /// Removes an object and returns it.
    ///
    /// # Errors
    /// [`WorldError::NoObject`], here and in all calls that take an id.
    pub fn remove(&mut self, id: ObjectId) -> Result<Object, WorldError> {
        let object = self.objects.remove(id)?;
        self.fixed[id.index() as usize] = false;
        self.is_new(id);
        Ok(object)
    }

    /// An object of the world.
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn object(&self, id: ObjectId) -> Result<&Object, WorldError> {
        self.objects.get(id)
    }

    /// All objects by ascending index.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.present()
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.objects.count()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves an object to `pose`, from wherever it is.
    ///
    /// # Errors
    /// [`WorldError::NoObject`], [`WorldError::Pose`].
    pub fn set_pose(&mut self, id: ObjectId, pose: Pose) -> Result<(), WorldError> {
        check_pose(&pose)?;
        self.objects.get_mut(id)?.pose = pose;
        self.has_moved(id.index());
        Ok(())
    }

    /// Sets how an object moves in [`World::advance`].
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn set_velocity(&mut self, id: ObjectId, velocity: Velocity) -> Result<(), WorldError> {
        self.objects.get_mut(id)?.velocity = velocity;
        Ok(())
    }

    /// Moves every object by its velocity, `time` long. Positions in between are not looked at.
    ///
    /// # Errors
    /// [`WorldError::Lost`]; no object has moved then.
    pub fn advance(&mut self, time: f64) -> Result<(), WorldError> {
        let Self { objects, moved, updated, searched, .. } = self;
        objects.advance(time, |index| {
            moved[index as usize] = true;
            (*updated, *searched) = (false, false);
        })
    }

    /// Sets the groups of an object, and the groups it is asked about: see [`Object`].
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn set_groups(&mut self, id: ObjectId, groups: u32, mask: u32) -> Result<(), WorldError> {
        let object = self.objects.get_mut(id)?;
        (object.groups, object.mask, self.searched) = (groups, mask, false);
        Ok(())
    }

    /// Sets whether an object is fixed. Two fixed objects are never asked about together.
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn set_fixed(&mut self, id: ObjectId, fixed: bool) -> Result<(), WorldError> {
        self.objects.get_mut(id)?.fixed = fixed;
        self.fixed[id.index() as usize] = fixed;
        (self.updated, self.searched) = (false, false);
        Ok(())
    }

    /// Sets whether two objects may meet: a pair that may is not asked about. Returns whether it was
    /// allowed before. The entries of an object end with it.
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn allow(&mut self, a: ObjectId, b: ObjectId, allowed: bool) -> Result<bool, WorldError> {
        self.searched = false;
        self.objects.except(a, b, allowed)
    }

    /// Whether two objects are a pair to ask about: not both fixed, each in a group of the other's mask,
    /// and not an exception. Not of an object and itself.
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn asks(&self, a: ObjectId, b: ObjectId) -> Result<bool, WorldError> {
        let (_, _) = (self.objects.get(a)?, self.objects.get(b)?);
        Ok(self.objects.are_asked([a.index().min(b.index()), a.index().max(b.index())]))
    }

    /// Gives an object another shape.
    ///
    /// # Errors
    /// [`WorldError::NoObject`], [`WorldError::ForeignShape`].
    pub fn set_shape(&mut self, id: ObjectId, shape: Shape) -> Result<(), WorldError> {
        self.check(&shape)?;
        self.objects.get_mut(id)?.shape = shape;
        self.is_new(id);
        Ok(())
    }

    /// Moves the vertices of an object's mesh; other instances of the shape keep theirs. An object
    /// that shares its shape gets one of its own at the first call, prepared anew; later calls refit
    /// it, which takes O(n) for most methods.
    ///
    /// # Errors
    /// [`WorldError::Refit`], [`WorldError::Prepare`]; the object is then as it was.
    pub fn deform(
        &mut self,
        id: ObjectId,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), WorldError> {
        let object = self.objects.get_mut(id)?;
        let no_mesh = || WorldError::NoMesh { word: self.detector.describe().word };
        let mesh = object.shape.prepared().mesh().ok_or_else(no_mesh)?;
        let mesh = mesh.with_vertices(vertices.to_vec()).map_err(RefitError::from)?;
        let refitted = object.shape.alone().map(|own| self.detector.refit(own, vertices, control));
        match refitted {
            Some(Ok(())) => {
                object.shape.measure(&mesh);
                self.places.forget(id.index());
            }
            None | Some(Err(RefitError::Unsupported { .. })) => {
                object.shape = Shape::new(&*self.detector, &mesh, control)?;
                self.is_new(id);
            }
            Some(Err(error)) => return Err(error.into()),
        }
        self.has_moved(id.index());
        Ok(())
    }

    /// The box of an object in the world, a little larger than the smallest one.
    ///
    /// # Errors
    /// [`WorldError::NoObject`].
    pub fn bounds(&self, id: ObjectId) -> Result<Aabb, WorldError> {
        let Object { shape, pose, .. } = self.objects.get(id)?;
        Ok(shape.posed(pose, 0.0))
    }

    fn check(&self, shape: &Shape) -> Result<(), WorldError> {
        let (word, found) = (self.detector.describe().word, shape.prepared().word());
        if word == found { Ok(()) } else { Err(WorldError::ForeignShape { word, found }) }
    }

    fn has_moved(&mut self, index: u32) {
        self.moved[index as usize] = true;
        (self.updated, self.searched) = (false, false);
    }

    fn is_new(&mut self, id: ObjectId) {
        self.new[id.index() as usize] = true;
        self.places.begin(id.index());
        self.has_moved(id.index());
    }

    /// Brings the boxes and the broad phase up to date, with boxes enlarged by `room`.
    fn update(&mut self, room: f64, control: &Control<'_>) -> Result<(), WorldError> {
        if self.updated && room == self.room {
            return Ok(());
        }
        (self.updated, self.searched) = (false, false);
        let all = room != self.room;
        for (index, moved) in (0u32..).zip(&mut self.moved) {
            if !*moved && !all {
                continue;
            }
            if index.is_multiple_of(1 << 12) {
                control.check()?;
            }
            let places = &mut self.places;
            let taken = self.objects.at(index).map(|(_, o)| places.take_in(index, o, room));
            self.boxes[index as usize] = taken;
            *moved = all;
        }
        if all {
            // Only now: a cancelled loop leaves boxes of both kinds, which the next call mends.
            self.moved.fill(false);
            self.room = room;
        }
        let objects = broad::Objects { boxes: &self.boxes, fixed: &self.fixed };
        self.phase.update(&objects, control)?;
        self.updated = true;
        Ok(())
    }

    /// Brings the candidates up to date.
    pub(crate) fn search(&mut self, room: f64, control: &Control<'_>) -> Result<(), WorldError> {
        self.update(room, control)?;
        if !self.searched {
            self.renew(control, |_, _| true)?;
            self.searched = true;
        }
        Ok(())
    }

    /// Makes those pairs the candidates of one question for which `is_chosen` holds.
    pub(crate) fn choose(
        &mut self,
        room: f64,
        control: &Control<'_>,
        is_chosen: impl Fn([ObjectId; 2]) -> bool,
    ) -> Result<(), WorldError> {
        self.update(room, control)?;
        self.searched = false;
        self.renew(control, |objects, pair| {
            let [a, b] = pair.map(|index| objects.at(index));
            a.zip(b).is_some_and(|((a, _), (b, _))| is_chosen([a, b]))
        })
    }

    fn renew(
        &mut self,
        control: &Control<'_>,
        is_chosen: impl Fn(&Objects, [u32; 2]) -> bool,
    ) -> Result<(), WorldError> {
        let Self { phase, candidates, objects, new, keep, .. } = self;
        phase.pairs(control, candidates.fresh())?;
        let is_asked = |pair| objects.are_asked(pair) && is_chosen(objects, pair);
        candidates.renew(objects.places(), *keep, control, is_asked, |i| new[i as usize])?;
        new.fill(false);
        Ok(())
    }

    /// Makes these pairs the candidates of one question.
    pub(crate) fn take(
        &mut self,
        pairs: &[[ObjectId; 2]],
        control: &Control<'_>,
    ) -> Result<(), WorldError> {
        self.searched = false;
        let Self { candidates, objects, new, keep, moved, places, .. } = self;
        let found = candidates.fresh();
        for (number, &pair) in pairs.iter().enumerate() {
            if number.is_multiple_of(1 << 12) {
                control.check()?;
            }
            let [a, b] = pair.map(ObjectId::index);
            for id in pair {
                let object = objects.get(id)?;
                if moved[id.index() as usize] {
                    // Its box is taken in at the next question of all pairs.
                    places.take_in(id.index(), object, self.room);
                }
            }
            found.push([a.min(b), a.max(b)]);
        }
        let is_asked = |pair| objects.are_asked(pair);
        candidates.renew(objects.places(), *keep, control, is_asked, |i| new[i as usize])?;
        // Objects stay new until a question of all pairs, so that no pair gets what was kept of others.
        Ok(())
    }
}

/// Poses can be composed beyond the range of coordinates, where boxes would not be finite.
fn check_pose(pose: &Pose) -> Result<(), WorldError> {
    pose.check_range().map_err(WorldError::Pose)
}
