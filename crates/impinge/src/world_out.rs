//! How deep the objects of a world are in each other, and the ways out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration, penetrations,
};
use impinge_continuous::translation::{
    Exit, ExitError, TranslationBody, TranslationError, Translations, Way, exits,
};
use impinge_geometry::{Mesh, Pose, Vector};
use impinge_query::{Ask, Cancelled, Control, Meaning, Prepared, QueryError};
use impinge_scene::{ObjectId, World, WorldError};

/// Two objects that meet, and something about them in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between<T> {
    /// The object with the lower index, which stays.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// The pose of B in A's frame, [`Pose::relative`] of both.
    pub b_in_a: Pose,
    /// The answer, about moving B in A's frame.
    pub found: T,
}

/// Depths and ways out in a world. Prepares each shape when it is first asked about, and keeps that as
/// long as an object has the shape. As it holds shapes too, [`World::deform`] prepares one that was asked
/// about anew.
///
/// Answers are those of [`Pair::penetration`](crate::Pair::penetration) and
/// [`Pair::exit`](crate::Pair::exit) at the pose of B in A's frame. Poses in the world that are made of them
/// are rounded once more.
///
/// ```
/// use impinge::{Object, PenetrationOptions, Pose, Vector, WaysOut, World, models::Shape};
/// use impinge::query::Control;
/// let mut world = World::new();
/// let cube = world.shape(&Shape::Cube.mesh(12, 0))?; // edge 1
/// let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0));
/// for x in [0.0, 0.75, 5.0] {
///     world.add(Object::new(cube.clone(), at(x)?))?;
/// }
/// let mut ways = WaysOut::default();
/// let deep = ways.penetrations(&mut world, &PenetrationOptions::default(), &Control::NONE)?;
/// assert_eq!(deep.len(), 1); // the first two
/// assert!(deep[0].found.lower <= 0.25 && deep[0].found.upper >= 0.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct WaysOut {
    deep: Shapes<PenetrationBody>,
    ways: Shapes<TranslationBody>,
}

impl WaysOut {
    /// How deep two objects are in each other, whether the world asks about them or not; the translation
    /// moves B in A's frame.
    ///
    /// # Errors
    /// [`WorldError::NoObject`]; [`WorldError::Query`], also if solids are asked for and a mesh is not
    /// closed; [`WorldError::Refused`] of an option that is out of range; [`WorldError::NoMesh`];
    /// [`WorldError::Cancelled`].
    pub fn penetration(
        &mut self,
        world: &World,
        [a, b]: [ObjectId; 2],
        options: &PenetrationOptions,
        control: &Control<'_>,
    ) -> Result<Penetration, WorldError> {
        options.validate().map_err(WorldError::Refused)?;
        self.deep.prepare(world, &[a, b], PenetrationBody::new, control)?;
        let pair = Posed::new(world, [a, b])?;
        let [p, q] = self.deep.of(world, [a, b])?;
        penetration(p, q, &pair.b_in_a, options, control).map_err(|error| pair.failed(error))
    }

    /// How deep all pairs of objects that meet are in each other, ascending by index: those of
    /// [`World::ask`]. Over all threads of the caller's rayon pool, or of the global one, with the same bits
    /// for any number of them. Reports progress as the stage `"pairs"`.
    ///
    /// # Errors
    /// As [`WaysOut::penetration`], about the first pair without an answer.
    pub fn penetrations(
        &mut self,
        world: &mut World,
        options: &PenetrationOptions,
        control: &Control<'_>,
    ) -> Result<Vec<Between<Penetration>>, WorldError> {
        options.validate().map_err(WorldError::Refused)?;
        let pairs = meeting(world, options.meaning, control)?;
        self.deep.prepare(world, pairs.as_flattened(), PenetrationBody::new, control)?;
        let posed = Posed::all(world, &pairs)?;
        let bodies = |pair: &Posed| Ok((self.deep.of(world, pair.objects)?, pair.b_in_a));
        let bodies = posed.iter().map(bodies).collect::<Result<Vec<_>, WorldError>>()?;
        let mut all = Vec::with_capacity(pairs.len());
        let mut each = |index: usize, found: &_| all.push(posed[index].between(*found));
        penetrations(&bodies, options, control, &mut each)
            .map_err(|(index, error)| posed[index].failed(error))?;
        Ok(all)
    }

    /// The way of B out of A along a direction in the world, which is turned into A's frame and rounded
    /// there: to the last contact or the first free place, of surfaces or of solids.
    ///
    /// # Errors
    /// As [`WaysOut::penetration`]; [`WorldError::Refused`] of a direction that is not finite or zero;
    /// [`WorldError::Pose`] if the free place is out of range.
    pub fn exit(
        &mut self,
        world: &World,
        [a, b]: [ObjectId; 2],
        direction: &Vector,
        (way, meaning): (Way, Meaning),
        control: &Control<'_>,
    ) -> Result<Exit, WorldError> {
        self.ways.prepare(world, &[a, b], TranslationBody::new, control)?;
        let pair = Posed::new(world, [a, b])?;
        let (translations, direction) = pair.along(self.ways.of(world, [a, b])?, direction);
        let found = translations.exit(way, &direction, meaning, control);
        found.map_err(|error| pair.no_exit(error))
    }

    /// As [`WaysOut::exit`], of every pair of objects that meet: in the order, and over the threads, of
    /// [`WaysOut::penetrations`].
    ///
    /// # Errors
    /// As [`WaysOut::exit`], about the first pair without an answer.
    pub fn exits(
        &mut self,
        world: &mut World,
        direction: &Vector,
        (way, meaning): (Way, Meaning),
        control: &Control<'_>,
    ) -> Result<Vec<Between<Exit>>, WorldError> {
        let pairs = meeting(world, meaning, control)?;
        self.ways.prepare(world, pairs.as_flattened(), TranslationBody::new, control)?;
        let posed = Posed::all(world, &pairs)?;
        let bodies = |pair: &Posed| Ok(pair.along(self.ways.of(world, pair.objects)?, direction));
        let bodies = posed.iter().map(bodies).collect::<Result<Vec<_>, WorldError>>()?;
        let mut all = Vec::with_capacity(pairs.len());
        let mut each = |index: usize, found: &_| all.push(posed[index].between(*found));
        exits(&bodies, way, meaning, control, &mut each)
            .map_err(|(index, error)| posed[index].no_exit(error))?;
        Ok(all)
    }
}

/// The pairs of objects that meet, ascending.
fn meeting(
    world: &mut World,
    meaning: Meaning,
    control: &Control<'_>,
) -> Result<Vec<[ObjectId; 2]>, WorldError> {
    let ask = Ask { meaning, ..Ask::first_contact().verdict_only() };
    let mut pairs = Vec::new();
    world.ask(&ask, &control.silent(), &mut |found| pairs.push([found.a, found.b]))?;
    Ok(pairs)
}

/// Two objects, and B in A's frame.
struct Posed {
    objects: [ObjectId; 2],
    a: Pose,
    b_in_a: Pose,
}

impl Posed {
    fn new(world: &World, objects: [ObjectId; 2]) -> Result<Self, WorldError> {
        let [a, b] = [world.object(objects[0])?.pose, world.object(objects[1])?.pose];
        Ok(Self { objects, a, b_in_a: Pose::relative(&a, &b) })
    }

    fn all(world: &World, pairs: &[[ObjectId; 2]]) -> Result<Vec<Self>, WorldError> {
        pairs.iter().map(|objects| Self::new(world, *objects)).collect()
    }

    fn between<T>(&self, found: T) -> Between<T> {
        let Self { objects: [a, b], b_in_a, .. } = *self;
        Between { a, b, b_in_a, found }
    }

    /// Both bodies, and a direction in the world, in A's frame.
    fn along<'b>(
        &self,
        [p, q]: [&'b TranslationBody; 2],
        direction: &Vector,
    ) -> (Translations<'b>, Vector) {
        (Translations::new(p, q, &self.b_in_a), self.a.rotation().transpose() * direction)
    }

    fn no_exit(&self, error: ExitError) -> WorldError {
        match error {
            ExitError::Query(source) => self.failed(source),
            ExitError::Translations(TranslationError::Cancelled(cancelled)) => cancelled.into(),
            ExitError::Pose(source) => WorldError::Pose(source),
            error => {
                let reason = error.to_string();
                WorldError::Refused(QueryError::Backend { word: "exit", reason })
            }
        }
    }

    fn failed(&self, source: QueryError) -> WorldError {
        let [a, b] = self.objects;
        match source {
            QueryError::Cancelled(cancelled) => WorldError::Cancelled(cancelled),
            source => WorldError::Query { a, b, source },
        }
    }
}

/// What is made of each shape, by the address of its prepared mesh, which stays that of this mesh as long
/// as it is held here.
#[derive(Debug)]
struct Shapes<T>(HashMap<usize, (Arc<Prepared>, T)>);

impl<T> Default for Shapes<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

fn address(prepared: &Arc<Prepared>) -> usize {
    Arc::as_ptr(prepared).addr()
}

impl<T> Shapes<T> {
    /// Makes what is missing for these objects, and drops what is of shapes that nothing else holds.
    fn prepare(
        &mut self,
        world: &World,
        objects: &[ObjectId],
        make: impl Fn(&Mesh, &Control<'_>) -> Result<T, Cancelled>,
        control: &Control<'_>,
    ) -> Result<(), WorldError> {
        self.0.retain(|_, (prepared, _)| Arc::strong_count(prepared) > 1);
        for id in objects {
            let prepared = world.object(*id)?.shape.prepared();
            if let Entry::Vacant(place) = self.0.entry(address(prepared)) {
                let no_mesh = || WorldError::NoMesh { word: prepared.word() };
                let made = make(prepared.mesh().ok_or_else(no_mesh)?, control)?;
                place.insert((Arc::clone(prepared), made));
            }
        }
        Ok(())
    }

    /// What was made for two objects.
    fn of(&self, world: &World, objects: [ObjectId; 2]) -> Result<[&T; 2], WorldError> {
        let one = |id| {
            let prepared = world.object(id)?.shape.prepared();
            let made = self.0.get(&address(prepared)).map(|(_, made)| made);
            made.ok_or_else(|| WorldError::NoMesh { word: prepared.word() })
        };
        Ok([one(objects[0])?, one(objects[1])?])
    }
}
