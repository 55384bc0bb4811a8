//! Which objects of a world touch on their way from one step to the next.

use std::collections::HashMap;
use std::sync::Arc;

use impinge_continuous::rigid::{
    Extent, MovingPair, RelativeMotion, RigidMotion, Sweep, SweepError, SweepOptions, Swept,
    sweep_pairs,
};
use impinge_geometry::Pose;
use impinge_geometry::volume::Aabb;
use impinge_query::{BroadPhase, Control, Prepared, QueryError, broad};
use impinge_scene::{Object, ObjectId, World, WorldError};
use impinge_wide::BoxTree;

/// Two objects that touch on the way, or of which it is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnTheWay {
    /// The object with the lower index.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// When they first touch; never [`Sweep::Free`].
    pub swept: Swept,
}

/// The pairs of objects that touch while those of `ends` go from their poses to the ones given there,
/// ascending by index: each turns about its origin, which runs along a straight line, at constant speeds
/// ([`RigidMotion`]), all others rest. Pairs that the world does not ask about, two fixed objects among
/// them, are left out. The world is not changed. Of several ends of one object the last counts.
///
/// Each pair is swept by itself: contact of two objects does not stop them. The candidates are pairs of
/// boxes over both ends, enlarged by how far a turn leads beside the straight line; then every pair is
/// judged as [`Pair::sweep`](crate::Pair::sweep) does, at poses of B in A's frame, over all threads, with the
/// same bits for any number of them. Prepares nothing, but takes O(n) a shape for its extent.
///
/// # Errors
/// [`WorldError::NoObject`], [`WorldError::Pose`]; [`WorldError::Query`] about a pair without an answer;
/// [`WorldError::NoMesh`]; [`WorldError::Refused`] if an option is out of range;
/// [`WorldError::Cancelled`].
///
/// ```
/// use impinge::{Object, Pose, Sweep, SweepOptions, Vector, World, models::Shape, sweep_world};
/// use impinge::query::Control;
/// let mut world = World::new();
/// let cube = world.shape(&Shape::Cube.mesh(12, 0))?; // edge 1
/// let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0));
/// let bullet = world.add(Object::new(cube.clone(), at(-10.0)?))?;
/// let wall = world.add(Object::new(cube, at(0.0)?))?;
/// let ends = [(bullet, at(10.0)?)]; // far beyond the wall
/// let found = sweep_world(&world, &ends, &SweepOptions::default(), &Control::NONE)?;
/// assert_eq!((found.len(), found[0].a, found[0].b), (1, bullet, wall));
/// let Sweep::Touching { low, high, .. } = found[0].swept.outcome else { unreachable!() };
/// assert!(low <= 0.45 && 0.45 <= high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep_world(
    world: &World,
    ends: &[(ObjectId, Pose)],
    options: &SweepOptions,
    control: &Control<'_>,
) -> Result<Vec<OnTheWay>, WorldError> {
    options.validate().map_err(|error| WorldError::Refused(refused(&error)))?;
    let step = Step::new(world, ends, control)?;
    let candidates = step.candidates(options.near, control)?;
    let mut pairs = Vec::with_capacity(candidates.len());
    for [p, q] in &candidates {
        let two = [&step.bodies[*p], &step.bodies[*q]];
        pairs.push(MovingPair {
            models: two.map(|body| &**body.object.shape.prepared()),
            extents: two.map(|body| &step.extents[body.extent]),
            motion: RelativeMotion::new(two[0].motion, two[1].motion),
        });
    }
    let mut found = Vec::new();
    let mut each = |index: usize, swept: &Swept| {
        if !matches!(swept.outcome, Sweep::Free { .. }) {
            let [a, b] = candidates[index].map(|k| step.bodies[k].id);
            found.push(OnTheWay { a, b, swept: *swept });
        }
    };
    sweep_pairs(&**world.detector(), &pairs, options, control, &mut each).map_err(
        |(index, error)| {
            let [a, b] = candidates[index].map(|k| step.bodies[k].id);
            failed(a, b, error)
        },
    )?;
    Ok(found)
}

fn failed(a: ObjectId, b: ObjectId, error: SweepError) -> WorldError {
    match error {
        SweepError::Query(QueryError::Cancelled(cancelled)) => WorldError::Cancelled(cancelled),
        SweepError::Query(source) => WorldError::Query { a, b, source },
        SweepError::NoMesh { word } => WorldError::NoMesh { word },
        error => WorldError::Query { a, b, source: refused(&error) },
    }
}

/// An option that is out of range, as the error of a question.
fn refused(error: &SweepError) -> QueryError {
    match error {
        SweepError::Option { what, value } => {
            QueryError::BadOption { of: "sweep", what, value: *value }
        }
        other => QueryError::Backend { word: "sweep", reason: other.to_string() },
    }
}

/// An object on its way.
struct Body<'w> {
    id: ObjectId,
    object: &'w Object,
    motion: RigidMotion,
    /// Index of its extent.
    extent: usize,
}

/// All objects on their way, by ascending index.
struct Step<'w> {
    world: &'w World,
    bodies: Vec<Body<'w>>,
    /// One for each prepared mesh.
    extents: Vec<Extent>,
}

impl<'w> Step<'w> {
    fn new(
        world: &'w World,
        ends: &[(ObjectId, Pose)],
        control: &Control<'_>,
    ) -> Result<Self, WorldError> {
        let mut end = HashMap::with_capacity(ends.len());
        for (id, pose) in ends {
            world.object(*id)?;
            end.insert(*id, *pose);
        }
        let (mut bodies, mut extents, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for (id, object) in world.objects() {
            let end = end.get(&id).unwrap_or(&object.pose);
            let motion = RigidMotion::new(&object.pose, end).map_err(WorldError::Pose)?;
            let prepared = object.shape.prepared();
            let extent = if let Some(extent) = known.get(&Arc::as_ptr(prepared)) {
                *extent
            } else {
                extents.push(extent(prepared, control)?);
                known.insert(Arc::as_ptr(prepared), extents.len() - 1);
                extents.len() - 1
            };
            bodies.push(Body { id, object, motion, extent });
        }
        Ok(Self { world, bodies, extents })
    }

    /// The pairs that may come within `near` of each other, ascending, by their places among the bodies.
    fn candidates(&self, near: f64, control: &Control<'_>) -> Result<Vec<[usize; 2]>, WorldError> {
        let boxes: Vec<Option<Aabb>> =
            self.bodies.iter().map(|body| Some(self.way(body, near))).collect();
        let mut tree = BoxTree::default();
        tree.update(&broad::Objects::moving(&boxes), control)?;
        let mut pairs = Vec::new();
        tree.pairs(control, &mut pairs)?;
        pairs.sort_unstable();
        let mut asked = Vec::new();
        for pair in pairs {
            let pair = pair.map(|k| k as usize);
            let [a, b] = pair.map(|k| self.bodies[k].id);
            if self.world.asks(a, b)? {
                asked.push(pair);
            }
        }
        Ok(asked)
    }

    /// A box around all places of a body, half of `near` away from it.
    fn way(&self, body: &Body<'_>, near: f64) -> Aabb {
        let room = 0.5 * near + body.motion.sagitta(&self.extents[body.extent]);
        let [start, end] = [body.motion.start(), body.motion.end()];
        body.object.shape.posed(start, room).merged(&body.object.shape.posed(end, room))
    }
}

fn extent(prepared: &Prepared, control: &Control<'_>) -> Result<Extent, WorldError> {
    let mesh = prepared.mesh().ok_or_else(|| WorldError::NoMesh { word: prepared.word() })?;
    Ok(Extent::new(mesh, control)?)
}
