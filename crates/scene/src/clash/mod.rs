//! Clashes: which parts of a scene meet or come too near, and how: the classes of
//! `docs/conventions.md`, each decided exactly.

mod duplicate;
mod meeting;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, Cancelled, Contact, Control, Detector, Inner, Meaning, PairMemory, QueryError,
    Verdict,
};

use crate::world::{Asked, Parting, Place, Task, Told};
use crate::{Object, ObjectId, Summary, World, WorldError};

use meeting::Meeting;

/// How two objects clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Class {
    /// The surfaces share points; of closed meshes, no point is inside both.
    Touches,
    /// The surfaces share points, and go into each other.
    Pierces,
    /// The surfaces are apart, and one solid holds the other, or a part of it.
    Inside,
    /// Both are equal as sets of posed triangles.
    Duplicate,
    /// The surfaces are apart, at most the clearance.
    TooNear,
    /// The surfaces share points. Whether they only touch is not certain, since what is inside one of
    /// them is not certain there: it meets itself, more than two triangles share an edge, or a triangle
    /// has no area. [`Clash::undecided`] names the place.
    Uncertain,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 6] = [
        Self::Touches,
        Self::Pierces,
        Self::Inside,
        Self::Duplicate,
        Self::TooNear,
        Self::Uncertain,
    ];

    /// The class as a lower-case word, for example `"too-near"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Touches => "touches",
            Self::Pierces => "pierces",
            Self::Inside => "inside",
            Self::Duplicate => "duplicate",
            Self::TooNear => "too-near",
            Self::Uncertain => "uncertain",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// What to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClashOptions {
    /// Report objects that are at most this far apart, in the unit of the world; `None` for no such
    /// class.
    pub clearance: Option<f64>,
    /// Report closed objects inside each other.
    pub solids: bool,
    /// Report up to this many pairs of triangles of each clash.
    pub contacts: usize,
    /// Find the class of each clash, and nothing else of those that meet: neither contacts, nor their number
    /// and extent. Takes less time, since one contact often shows the class, and none is needed of a body
    /// that is placed twice. The classes are the same.
    #[cfg_attr(feature = "serde", serde(default))]
    pub only_class: bool,
}

/// Two objects that clash.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clash {
    /// The object with the lower index.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// How they clash.
    pub class: Class,
    /// The object inside the other, of [`Class::Inside`].
    pub inner: Option<Inner>,
    /// The number of pairs of triangles that meet; `None` with [`ClashOptions::only_class`].
    pub contacts_found: Option<u64>,
    /// The first of them, as many as were asked for.
    pub contacts: Vec<Contact>,
    /// A box in the world that contains all common points up to rounding: for each pair of triangles
    /// that meet, the intersection of their boxes. Of [`Class::TooNear`], the box of the nearest points. `None` of
    /// [`Class::Inside`], and of those that meet with [`ClashOptions::only_class`].
    pub extent: Option<Aabb>,
    /// Of [`Class::TooNear`]: a point of A and a point of B in the world, [`distance`](Self::distance)
    /// apart up to rounding.
    pub nearest: Option<[Point; 2]>,
    /// The least distance of the surfaces: 0 if they meet; of [`Class::Inside`] too, as solids.
    pub distance: f64,
    /// Of [`Class::Uncertain`]: why.
    pub undecided: Option<String>,
}

/// What was found of a pair.
#[derive(Default)]
struct Finding {
    answer: Answer,
    clash: Option<Found>,
}

struct Found {
    class: Class,
    inner: Option<Inner>,
    extent: Option<Aabb>,
    nearest: Option<[Point; 2]>,
    distance: f64,
    undecided: Option<String>,
}

impl Found {
    const fn of(class: Class) -> Self {
        let (inner, extent, nearest, undecided) = (None, None, None, None);
        Self { class, inner, extent, nearest, distance: 0.0, undecided }
    }
}

impl World {
    /// Classifies every pair of objects that is asked about, and calls `each` for those that clash,
    /// ascending by index. The same for every number of threads. Whether open meshes are inside
    /// others is not asked. Uses threads, and reports progress, as [`World::ask`].
    ///
    /// # Errors
    /// As [`World::ask`].
    ///
    /// ```
    /// use impinge_scene::{Object, World, clash::{Class, ClashOptions}, geometry::{Pose, Vector}};
    /// use impinge_models::Shape;
    /// use impinge_query::Control;
    /// let mut world = World::new();
    /// let cube = world.shape(&Shape::Cube.mesh(12, 0))?; // edge 1
    /// for x in [0.0, 1.0, 2.125, 2.125] {
    ///     let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0))?;
    ///     world.add(Object::new(cube.clone(), pose))?;
    /// }
    /// let options = ClashOptions { clearance: Some(0.125), ..ClashOptions::default() };
    /// let mut found = Vec::new();
    /// world.clashes(&options, &Control::NONE, &mut |clash| {
    ///     found.push((clash.a.index(), clash.b.index(), clash.class));
    /// })?;
    /// let near = [(1, 2, Class::TooNear), (1, 3, Class::TooNear)];
    /// assert_eq!(found, [(0, 1, Class::Touches), near[0], near[1], (2, 3, Class::Duplicate)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clashes(
        &mut self,
        options: &ClashOptions,
        control: &Control<'_>,
        each: &mut dyn FnMut(Clash),
    ) -> Result<Summary, WorldError> {
        let room = self.room_of(options)?;
        self.search(room, control)?;
        self.classified(options, room, control, each)
    }

    /// As [`World::clashes`], of those pairs only for which `is_chosen` holds, the object with the lower index
    /// first: for example those with an object that was added since the last question.
    ///
    /// # Errors
    /// As [`World::clashes`].
    pub fn clashes_where(
        &mut self,
        is_chosen: impl Fn([ObjectId; 2]) -> bool,
        options: &ClashOptions,
        control: &Control<'_>,
        each: &mut dyn FnMut(Clash),
    ) -> Result<Summary, WorldError> {
        let room = self.room_of(options)?;
        self.choose(room, control, is_chosen)?;
        self.classified(options, room, control, each)
    }

    /// As [`World::clashes`], of some pairs only: in either order, each once, for example of those of a
    /// [`Portion`](crate::join::Portion). No box is looked at. Pairs that groups or exceptions leave out
    /// are not asked about, nor an object and itself.
    ///
    /// # Errors
    /// As [`World::clashes`]; [`WorldError::NoObject`].
    pub fn clashes_of(
        &mut self,
        pairs: &[[ObjectId; 2]],
        options: &ClashOptions,
        control: &Control<'_>,
        each: &mut dyn FnMut(Clash),
    ) -> Result<Summary, WorldError> {
        let room = self.room_of(options)?;
        self.take(pairs, control)?;
        self.classified(options, room, control, each)
    }

    /// The room around boxes, once the method is known to answer.
    fn room_of(&self, options: &ClashOptions) -> Result<f64, WorldError> {
        let description = self.detector().describe();
        description.check_exact("how parts clash").map_err(WorldError::Refused)?;
        let check = |ask: Ask| description.check(&ask).map_err(WorldError::Refused);
        let contacts = Ask::all_contacts();
        check(if options.solids { contacts.solids() } else { contacts })?;
        let Some(d) = options.clearance else { return Ok(0.0) };
        check(Ask::distance())?;
        self.room(&Ask::nearer_than(d))
    }

    /// Classifies all candidates. `room` is that of the options.
    fn classified(
        &mut self,
        options: &ClashOptions,
        room: f64,
        control: &Control<'_>,
        each: &mut dyn FnMut(Clash),
    ) -> Result<Summary, WorldError> {
        let detector = std::sync::Arc::clone(self.detector());
        let classes = Classes { detector: &*detector, options, room, control };
        let mut summary = Summary::default();
        let mut deliver = |pair: &Told<'_>, finding: &Finding| {
            summary.candidates += 1;
            let Some(found) = &finding.clash else { return };
            let Some([a, b]) = pair.ids() else { return };
            summary.found += 1;
            let contacts = &finding.answer.contacts;
            let listed = if options.only_class { 0 } else { options.contacts };
            each(Clash {
                a,
                b,
                class: found.class,
                inner: found.inner,
                contacts_found: (!options.only_class).then_some(contacts.len() as u64),
                contacts: contacts.iter().take(listed).copied().collect(),
                extent: found.extent,
                nearest: found.nearest,
                distance: found.distance,
                undecided: found.undecided.clone(),
            });
        };
        self.run(control, &classes, &mut deliver)?;
        Ok(summary)
    }
}

/// The classes of all candidates.
struct Classes<'w> {
    detector: &'w dyn Detector,
    options: &'w ClashOptions,
    /// Half of the clearance.
    room: f64,
    control: &'w Control<'w>,
}

impl Task for Classes<'_> {
    type Out = Finding;

    /// What a plane parts does not clash; neither is inside the other.
    fn is_apart<'a>(
        &self,
        places: [&Place; 2],
        objects: impl FnOnce() -> Option<[&'a Object; 2]>,
        parting: &mut Parting,
        finding: &mut Finding,
    ) -> bool {
        let apart = parting.parts(places, objects, self.room);
        if apart {
            finding.clash = None;
        }
        apart
    }

    fn work(
        &self,
        pair: &Asked<'_>,
        memory: &mut PairMemory,
        parting: &mut Parting,
        finding: &mut Finding,
    ) -> Result<usize, QueryError> {
        finding.clash = None;
        classify(self.detector, self.options, pair, memory, self.control, finding)?;
        parting.learn(pair.places, [pair.a, pair.b], self.room, finding.clash.is_none());
        Ok(finding.answer.contacts.len())
    }
}

/// Finds out whether and how a pair clashes.
fn classify(
    detector: &dyn Detector,
    options: &ClashOptions,
    pair: &Asked<'_>,
    memory: &mut PairMemory,
    control: &Control<'_>,
    finding: &mut Finding,
) -> Result<(), QueryError> {
    let ((a, b), pose) = (pair.models(), pair.b_in_a);
    let [m, n] = [&pair.a.shape, &pair.b.shape];
    let solids = options.solids && m.is_closed(control)? && n.is_closed(control)?;
    let meaning = if solids { Meaning::Solids } else { Meaning::Surfaces };
    let answer = &mut finding.answer;
    if options.only_class && pair.is_same_placed_twice() {
        answer.contacts.clear();
        finding.clash = Some(Found::of(Class::Duplicate));
        return Ok(());
    }
    let mut found = Found::of(Class::Touches);
    let ask = if options.only_class {
        Ask { verdict_only: true, ..Ask::first_contact() }
    } else {
        Ask::all_contacts()
    };
    detector.query(a, b, pose, memory, &Ask { meaning, ..ask }, control, answer)?;
    match answer.verdict {
        Verdict::Intersecting => {
            if !options.only_class {
                found.extent = extent(pair, &answer.contacts, control)?;
            }
            let meeting = Meeting { detector, pair, control };
            (found.class, found.undecided) = meeting.class(options.only_class, memory, answer)?;
        }
        Verdict::Contained(inner) => {
            (found.class, found.inner) = (Class::Inside, Some(inner));
        }
        Verdict::Separated => {
            let Some(d) = options.clearance else { return Ok(()) };
            let mut near = Answer::default();
            detector.query(a, b, pose, memory, &Ask::nearer_than(d), control, &mut near)?;
            if near.nearer != Some(true) {
                return Ok(());
            }
            detector.query(a, b, pose, memory, &Ask::distance(), control, &mut near)?;
            let Some(nearest) = near.nearest else { return Ok(()) };
            let ends = [nearest.on_a, nearest.on_b].map(|p| pair.a.pose.apply(&p));
            (found.class, found.distance) = (Class::TooNear, nearest.distance);
            found.extent = Aabb::fit_points(ends.into_iter());
            found.nearest = Some(ends);
        }
    }
    finding.clash = Some(found);
    Ok(())
}

/// A box in the world around all contacts, which are in order.
fn extent(
    pair: &Asked<'_>,
    contacts: &[Contact],
    control: &Control<'_>,
) -> Result<Option<Aabb>, Cancelled> {
    let (a, b) = pair.models();
    let (Some(a), Some(b)) = (a.mesh(), b.mesh()) else { return Ok(None) };
    let of_b = Placed::new(b, &pair.b.pose, contacts.len());
    let mut last = (u32::MAX, Aabb::EMPTY);
    let mut extent = Aabb::EMPTY;
    for some in contacts.chunks(1 << 14) {
        control.check()?;
        for contact in some {
            if contact.a != last.0 {
                let own = a.triangle(contact.a).map(|p| pair.a.pose.apply(&p));
                last = (contact.a, Aabb::of_triangle(&own));
            }
            let (p, q) = (last.1, of_b.bounds(contact.b));
            // Rounding may part the boxes; the gap then takes their place.
            let (low, high) = (p.min.sup(&q.min), p.max.inf(&q.max));
            extent = extent.merged(&Aabb { min: low.inf(&high), max: low.sup(&high) });
        }
    }
    Ok((!contacts.is_empty()).then_some(extent))
}

/// A mesh in the world.
struct Placed<'a> {
    mesh: &'a Mesh,
    pose: &'a Pose,
    /// All vertices, if that takes less than those of so many triangles.
    vertices: Option<Vec<Point>>,
}

impl<'a> Placed<'a> {
    fn new(mesh: &'a Mesh, pose: &'a Pose, triangles: usize) -> Self {
        let vertices = (mesh.vertices().len() < 3 * triangles)
            .then(|| mesh.vertices().iter().map(|p| pose.apply(p)).collect());
        Self { mesh, pose, vertices }
    }

    fn bounds(&self, triangle: u32) -> Aabb {
        Aabb::of_triangle(&match &self.vertices {
            Some(vertices) => {
                self.mesh.triangles()[triangle as usize].map(|v| vertices[v as usize])
            }
            None => self.mesh.triangle(triangle).map(|p| self.pose.apply(&p)),
        })
    }
}
