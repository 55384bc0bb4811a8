//! A world answers as the method does about every pair, whatever has happened to the objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use impinge_models::{Random, Shape as Model};
use impinge_query::{Answer, Ask, Control, Meaning, QueryError, Question, Verdict};
use impinge_scene::geometry::volume::Aabb;
use impinge_scene::geometry::{Mesh, Point, Pose, Vector};
use impinge_scene::{Keep, Object, ObjectId, Shape, Summary, World, WorldError};

/// A pair of objects and its answer.
pub(crate) type Row = (ObjectId, ObjectId, Answer);

/// What the world answers.
pub(crate) fn rows(world: &mut World, ask: &Ask) -> Vec<Row> {
    let mut rows = Vec::new();
    let each = &mut |found: impinge_scene::Found<'_>| {
        rows.push((found.a, found.b, found.answer.clone()));
    };
    let summary = world.ask(ask, &Control::NONE, each).expect("answered");
    assert_eq!(summary.found, rows.len() as u64);
    assert!(summary.found <= summary.candidates);
    rows
}

/// Which pairs are asked about, besides their boxes.
type Allowed<'a> = &'a dyn Fn(ObjectId, ObjectId) -> bool;

/// What the method answers about every pair, asked without memory.
fn truth(world: &World, ask: &Ask, allowed: Allowed<'_>) -> Vec<Row> {
    let objects: Vec<_> = world.objects().collect();
    let mut rows = Vec::new();
    for (k, (a, m)) in objects.iter().enumerate() {
        for (b, n) in &objects[k + 1..] {
            if !allowed(*a, *b) || (m.fixed && n.fixed) {
                continue;
            }
            let pose = Pose::relative(&m.pose, &n.pose);
            let mut answer = one(world, &m.shape, &n.shape, &pose, ask);
            let (mut a, mut b) = (*a, *b);
            if ask.question == Question::ContainedIn && answer.contained == Some(false) {
                answer = one(world, &n.shape, &m.shape, &pose.inverse(), ask);
                (a, b) = (b, a);
            }
            let holds = answer.contained.or(answer.nearer);
            if holds.unwrap_or_else(|| answer.verdict.is_hit()) {
                rows.push((a, b, answer));
            }
        }
    }
    rows
}

pub(crate) fn one(world: &World, a: &Shape, b: &Shape, pose: &Pose, ask: &Ask) -> Answer {
    let (detector, mut answer) = (world.detector(), Answer::default());
    let (a, b) = (a.prepared(), b.prepared());
    detector
        .query(a, b, pose, &mut detector.memory(), ask, &Control::NONE, &mut answer)
        .expect("answered");
    answer
}

/// The part of a row that no hint changes.
pub(crate) fn essence(ask: &Ask, rows: Vec<Row>) -> Vec<(ObjectId, ObjectId, Verdict, usize)> {
    let all = ask.question == Question::AllContacts;
    let size = |answer: &Answer| if all { answer.contacts.len() } else { 0 };
    rows.into_iter().map(|(a, b, answer)| (a, b, answer.verdict, size(&answer))).collect()
}

/// A world under change, with what is asked about.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) random: Random,
    shapes: Vec<(Shape, Mesh)>,
    pub(crate) ids: Vec<ObjectId>,
    allowed: BTreeMap<[ObjectId; 2], bool>,
    reach: f64,
    /// Sizes of meshes, and of the places of objects.
    units: Vec<f64>,
}

impl Scene {
    pub(crate) fn new(world: World, seed: u64, reach: f64) -> Self {
        Self::of_units(world, seed, reach, &[1.0])
    }

    /// Each mesh has one of these sizes; so has the place of each object, by itself.
    pub(crate) fn of_units(world: World, seed: u64, reach: f64, units: &[f64]) -> Self {
        let models = [Model::Sphere, Model::Gear, Model::Cube, Model::Torus];
        let mut shapes = Vec::new();
        for unit in units {
            for model in models {
                let mesh = model.mesh(120, 0).scaled(*unit).expect("in range");
                shapes.push((world.shape(&mesh).expect("prepared"), mesh));
            }
        }
        let random = Random::stream(0x3031d, seed);
        let (ids, allowed) = (Vec::new(), BTreeMap::new());
        Self { world, random, shapes, ids, allowed, reach, units: units.to_vec() }
    }

    /// A pose within reach, in one of the units.
    fn pose(&mut self) -> Pose {
        let pose = self.random.pose(self.reach);
        let unit = match self.units.as_slice() {
            [unit] => *unit,
            units => units[self.random.below(units.len() as u64) as usize],
        };
        Pose::new(*pose.rotation(), pose.translation() * unit).expect("in range")
    }

    pub(crate) fn some(&mut self) -> ObjectId {
        self.ids[self.random.below(self.ids.len() as u64) as usize]
    }

    /// One random change.
    pub(crate) fn change(&mut self) {
        let pose = self.pose();
        let choice = self.random.below(12);
        if self.ids.len() < 5 || choice == 0 {
            let kind = self.random.below(self.shapes.len() as u64) as usize;
            let bits = |random: &mut Random| 1u32 << random.below(3);
            let mut object = Object::new(self.shapes[kind].0.clone(), pose);
            if self.random.chance(0.3) {
                let (groups, mask) = (bits(&mut self.random), bits(&mut self.random));
                object = object.grouped(groups | bits(&mut self.random), !mask);
            }
            if self.random.chance(0.2) {
                object = object.fixed();
            }
            self.ids.push(self.world.add(object).expect("added"));
            return;
        }
        let id = self.some();
        match choice {
            1 if self.ids.len() > 12 => {
                self.world.remove(id).expect("removed");
                self.ids.retain(|other| *other != id);
                self.allowed.retain(|pair, _| !pair.contains(&id));
            }
            2 => {
                let other = self.some();
                let allowed = self.random.chance(0.7);
                let pair = [id.min(other), id.max(other)];
                let was = self.world.allow(id, other, allowed).expect("two objects");
                if id != other {
                    assert_eq!(was, self.allowed.insert(pair, allowed).unwrap_or(false));
                }
            }
            3 => {
                let size = self.random.range(0.5, 1.5);
                let shape = self.world.object(id).expect("there").shape.clone();
                let mesh = shape.prepared().mesh().expect("kept");
                let moved: Vec<Point> = mesh.vertices().iter().map(|p| p * size).collect();
                drop(shape);
                self.world.deform(id, &moved, &Control::NONE).expect("deformed");
            }
            4 => self.world.set_fixed(id, pose.translation().x > 0.0).expect("there"),
            5 => {
                let kind = self.random.below(self.shapes.len() as u64) as usize;
                let shape = self.shapes[kind].0.clone();
                self.world.set_shape(id, shape).expect("set");
            }
            _ => self.world.set_pose(id, pose).expect("there"),
        }
    }

    /// The rows that must be found.
    pub(crate) fn truth(&self, ask: &Ask) -> Vec<Row> {
        let groups = |a: ObjectId, b: ObjectId| {
            let [m, n] = [a, b].map(|id| self.world.object(id).expect("there"));
            m.groups & n.mask != 0 && n.groups & m.mask != 0
        };
        let allowed = |a: ObjectId, b: ObjectId| {
            groups(a, b) && !self.allowed.get(&[a.min(b), a.max(b)]).copied().unwrap_or(false)
        };
        let mut rows = truth(&self.world, ask, &allowed);
        // Ids are ordered by index.
        rows.sort_by_key(|(a, b, _)| [a.index().min(b.index()), a.index().max(b.index())]);
        rows
    }
}

pub(crate) const ASKS: [Ask; 5] = [
    Ask::first_contact(),
    Ask::all_contacts(),
    Ask::nearer_than(0.1),
    Ask::contained_in(),
    Ask::first_contact().solids(),
];

#[test]
fn a_changing_world_answers_as_every_pair_does() {
    let (mut pairs, mut hits) = (0, 0);
    for keep in [Keep::Hints, Keep::Memories] {
        let mut scene = Scene::new(World::new().keeping(keep), 0, 1.3);
        for step in 0..150 {
            for _ in 0..4 {
                scene.change();
            }
            let ask = &ASKS[step % ASKS.len()];
            let truth = scene.truth(ask);
            pairs += scene.ids.len() * (scene.ids.len() - 1) / 2;
            hits += truth.len();
            let found = rows(&mut scene.world, ask);
            assert_eq!(essence(ask, found), essence(ask, truth), "{keep:?}, step {step}");
        }
    }
    assert!(hits * 10 > pairs && hits * 2 < pairs, "{hits} of {pairs}");
}

#[test]
fn answers_are_the_same_for_every_number_of_threads() {
    let of_threads = |threads: usize, keep: Keep| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut scene = Scene::new(World::new().keeping(keep), 1, 3.0);
            let mut all = Vec::new();
            // Enough for milliseconds of work a question: less is left to one thread.
            while scene.ids.len() < 400 {
                let pose = scene.random.pose(scene.reach);
                let kind = scene.random.below(4) as usize;
                let object = Object::new(scene.shapes[kind].0.clone(), pose);
                scene.ids.push(scene.world.add(object).expect("added"));
            }
            for step in 0..10 {
                for _ in 0..20 {
                    scene.change();
                }
                all.push(rows(&mut scene.world, &ASKS[step % ASKS.len()]));
            }
            all
        })
    };
    for keep in [Keep::Hints, Keep::Memories] {
        let one = of_threads(1, keep);
        let found: usize = one.iter().map(Vec::len).sum();
        assert!(found > 10_000, "{found}");
        for threads in [2, 5] {
            assert_eq!(of_threads(threads, keep), one, "{threads} threads");
        }
    }
}

/// Instances of one shape side by side, nearly alike: the contact of one pair is often one of the
/// next. What is asked for the first time is answered as by a method that remembers nothing.
#[test]
fn a_pair_knows_nothing_of_the_pair_before() {
    let mut random = Random::stream(0xa11ce, 0);
    let mut world = World::new();
    let ball = world.shape(&Model::Sphere.mesh(80, 0)).expect("prepared");
    for i in 0..600 {
        let off = random.in_ball() * 0.03;
        let place = Vector::new(0.8 * f64::from(i), 0.0, 0.0) + off;
        let pose = Pose::translation_by(place).expect("near");
        world.add(Object::new(ball.clone(), pose)).expect("added");
    }
    let ask = Ask::first_contact();
    let truth = truth(&world, &ask, &|a, b| b.index() == a.index() + 1);
    assert_eq!(truth.len(), 599);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut again = World::new();
        for (_, object) in world.objects() {
            again.add(object.clone()).expect("added");
        }
        assert_eq!(pool.install(|| rows(&mut again, &ask)), truth, "{threads} threads");
    }
}

/// Two tetrahedra about as large as `unit` meet apex to apex so many units from the origin, or miss each other,
/// by less than the rounding of their places, and their boxes hardly overlap. No pair that the method finds
/// in A's frame may be lost by boxes in the world's. Returns whether they meet, and whether they would be
/// lost by the boxes of the posed corners themselves, without room for rounding.
pub(crate) fn apex_to_apex(random: &mut Random, unit: f64, place: f64) -> [bool; 2] {
    let at = random.vector(-1.0, 1.0) * place * unit;
    let pose = random.turned_to(at);
    let edges = [[1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]];
    let edges = edges.map(|e| pose.rotation().transpose() * Vector::from(e) * unit);
    let mut world = World::new();
    let mut add = |apex: Point, sign: f64, pose: Pose| {
        let mut corners = vec![apex];
        corners.extend(edges.iter().map(|e| apex + e * sign));
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let mesh = Mesh::new(corners, faces).expect("legal");
        let shape = world.shape(&mesh).expect("prepared");
        world.add(Object::new(shape, pose)).expect("added");
        Aabb::fit_points(mesh.vertices().iter().map(|p| pose.apply(p))).expect("corners")
    };
    let apex = Point::from(random.vector(-1.0, 1.0) * unit);
    let ulp = (place * unit * f64::EPSILON).max(f64::from_bits(1));
    let there = pose.apply(&apex).coords - Vector::repeat(random.range(-1.0, 1.0) * ulp);
    let other = Pose::new(*pose.rotation(), there).expect("in range");
    let boxes = [add(apex, -1.0, pose), add(Point::origin(), 1.0, other)];
    let ask = Ask::first_contact();
    let truth = truth(&world, &ask, &|_, _| true);
    let found = essence(&ask, rows(&mut world, &ask));
    assert_eq!(found, essence(&ask, truth.clone()), "{unit:e}, {place}");
    [!truth.is_empty(), !truth.is_empty() && !boxes[0].overlaps(&boxes[1])]
}

#[test]
fn no_pair_is_lost_by_rounding() {
    let mut random = Random::stream(0xfa4, 0);
    let (mut meet, mut lost_without_room) = (0, 0);
    for place in [1.0, 1e3, 1e6, 1e9].into_iter().flat_map(|place| [place; 500]) {
        let [met, lost] = apex_to_apex(&mut random, 1.0, place);
        meet += u32::from(met);
        lost_without_room += u32::from(lost);
    }
    assert!((500..1500).contains(&meet) && lost_without_room > 4, "{meet}, {lost_without_room}");
}

#[test]
fn what_is_near_has_its_distance() {
    let mut world = World::new();
    let ball = world.shape(&Model::Sphere.mesh(500, 0)).expect("prepared");
    let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("near");
    let ids: Vec<_> = [0.0, 1.25, 2.75, 2.8]
        .map(|x| world.add(Object::new(ball.clone(), at(x))).expect("added"))
        .into();
    let near = world.near(0.3).expect("answered");
    let pairs: Vec<_> = near.iter().map(|near| (near.a, near.b)).collect();
    assert_eq!(pairs, [(ids[0], ids[1]), (ids[2], ids[3])]);
    let pose = at(1.25);
    let alone = one(&world, &ball, &ball, &pose, &Ask::distance()).nearest.expect("a distance");
    assert_eq!((near[0].nearest, near[1].nearest.distance), (alone, 0.0));
    // Exactly at the distance, and one ulp below.
    let d = alone.distance;
    assert_eq!(world.near(d).expect("answered").len(), 2);
    assert_eq!(world.near(d * (1.0 - 1e-12)).expect("answered").len(), 1);
    let solid = |world: &mut World| {
        let mut found = 0;
        world
            .near_with(0.0, Meaning::Solids, &Control::NONE, &mut |_| found += 1)
            .map(|summary| (summary.found, found))
            .expect("answered")
    };
    let small = Model::Sphere.mesh(80, 0).scaled(0.25).expect("in range");
    let inner = world.shape(&small).expect("prepared");
    assert_eq!(solid(&mut world), (1, 1));
    world.add(Object::new(inner, at(0.0))).expect("added");
    assert_eq!(solid(&mut world), (2, 2), "a ball in a ball has distance 0");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            world.near(bad),
            Err(WorldError::Refused(QueryError::BadDistance { .. }))
        ));
    }
}

#[test]
fn one_object_is_asked_about_its_neighbours() {
    let mut scene = Scene::new(World::new(), 2, 1.6);
    let mut found = 0;
    for step in 0..60 {
        for _ in 0..4 {
            scene.change();
        }
        let ask = &ASKS[[0, 1, 2, 4][step % 4]];
        let truth = scene.truth(ask);
        for id in scene.ids.clone() {
            let mut others = Vec::new();
            let each = &mut |other: ObjectId, _: &Answer| others.push(other);
            let summary = scene.world.ask_one(id, ask, &Control::NONE, each).expect("answered");
            let mut expected: Vec<_> = truth
                .iter()
                .filter_map(|(a, b, _)| if *a == id { Some(*b) } else { (*b == id).then_some(*a) })
                .collect();
            expected.sort_by_key(|id| id.index());
            assert_eq!((others, summary.found), (expected.clone(), expected.len() as u64));
            found += expected.len();
            // The same object from outside meets itself too.
            let outside = scene.world.object(id).expect("there").clone();
            let outside = Object { fixed: false, ..outside };
            let mut met = false;
            let each = &mut |other: ObjectId, _: &Answer| met |= other == id;
            scene.world.ask_object(&outside, ask, &Control::NONE, each).expect("answered");
            // Posing it in its own frame rounds: a cube may be inside its own copy.
            let pose = Pose::relative(&outside.pose, &outside.pose);
            let own = one(&scene.world, &outside.shape, &outside.shape, &pose, ask);
            let hit = own.nearer.unwrap_or_else(|| own.verdict.is_hit());
            assert_eq!(met, hit && outside.groups & outside.mask != 0);
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn objects_with_velocities_advance() {
    use impinge_scene::Velocity;
    let mut world = World::new();
    let cube = world.shape(&Model::Cube.mesh(12, 0)).expect("prepared");
    let far = Pose::translation_by(Vector::new(2.9, 0.0, 0.0)).expect("near");
    world.add(Object::new(cube.clone(), Pose::identity()).fixed()).expect("added");
    let id = world.add(Object::new(cube, far)).expect("added");
    let linear = Vector::new(-1.0, 0.0, 0.0);
    let angular = Vector::new(0.0, 0.0, std::f64::consts::PI);
    world.set_velocity(id, Velocity { linear, angular }).expect("there");
    let mut met = Vec::new();
    for _ in 0..8 {
        world.advance(0.25).expect("in range");
        met.push(!world.colliding().expect("answered").is_empty());
    }
    // The seventh step ends at 1.15, an edge first: ½ + ½ √2 is more.
    assert_eq!(met, [false, false, false, false, false, false, true, true]);
    let pose = world.object(id).expect("there").pose;
    assert!(
        (pose.rotation()[(0, 0)] - 1.0).abs() < 1e-12 && (pose.translation().x - 0.9).abs() < 1e-12
    );
    world.set_velocity(id, Velocity { linear: linear * 1e300, angular }).expect("there");
    assert!(matches!(world.advance(2.0), Err(WorldError::Lost { id: lost, .. }) if lost == id));
    assert_eq!(world.object(id).expect("there").pose, pose);
}

#[test]
fn errors_name_the_objects_and_leave_the_world_usable() {
    let mut world = World::new();
    let closed = Model::Cube.mesh(12, 0);
    let open = Mesh::new(closed.vertices().to_vec(), closed.triangles()[1..].to_vec());
    let [cube, open] = [&closed, &open.expect("legal")].map(|mesh| world.shape(mesh).expect("any"));
    let a = world.add(Object::new(cube.clone(), Pose::identity())).expect("added");
    let b = world.add(Object::new(open, Pose::identity())).expect("added");
    let solids = Ask::first_contact().solids();
    let error = world.ask(&solids, &Control::NONE, &mut |_| ()).expect_err("open");
    assert_eq!(error.to_string().split(':').next(), Some("objects 0 and 1"));
    assert!(matches!(error, WorldError::Query { a: x, b: y, .. } if (x, y) == (a, b)));
    assert_eq!(world.colliding().expect("surfaces"), [[a, b]]);
    let refused = world.ask(&Ask::distance(), &Control::NONE, &mut |_| ());
    assert!(matches!(refused, Err(WorldError::Refused(QueryError::Unanswered { .. }))));
    world.remove(b).expect("there");
    assert_eq!(world.remove(b).expect_err("gone"), WorldError::NoObject(b));
    let c = world.add(Object::new(cube.clone(), Pose::identity())).expect("added");
    assert_eq!((c.index(), c == b, c.to_string().as_str()), (1, false, "1 (reused 1 times)"));
    assert_eq!(world.set_pose(b, Pose::identity()), Err(WorldError::NoObject(b)));
    let few = cube.prepared().mesh().expect("kept").vertices()[1..].to_vec();
    assert!(matches!(world.deform(c, &few, &Control::NONE), Err(WorldError::Refit(_))));
    assert_eq!(world.colliding().expect("as before"), [[a, c]]);
}

/// What is kept of a pair saves work, and nothing of another pair.
#[test]
fn a_hint_is_of_its_own_pair() {
    let mut world = World::of(Arc::new(impinge_wide::wide()));
    let gear = world.shape(&Model::Gear.mesh(2_000, 0)).expect("prepared");
    let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("near");
    for i in 0..20 {
        world.add(Object::new(gear.clone(), at(0.8 * f64::from(i)))).expect("added");
    }
    let tests = |world: &mut World| {
        let ask = Ask::first_contact().counted();
        rows(world, &ask)
            .iter()
            .map(|(.., answer)| answer.statistics.as_ref().map_or(0, |s| s.volume_tests))
            .sum::<u64>()
    };
    let (first, second) = (tests(&mut world), tests(&mut world));
    assert!(first > 50 && second == 0, "{first}, {second}");
    let summary = world.ask(&Ask::first_contact(), &Control::NONE, &mut |_| ()).expect("answered");
    assert_eq!(summary, Summary { candidates: 19, found: 19 });
}

/// What is inside an open mesh is an error, also where the objects are known to be apart.
#[test]
fn containment_in_open_meshes_is_refused_whatever_is_known() {
    let ball = Model::Sphere.mesh(400, 0);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[1..].to_vec()).expect("legal");
    for ask in [Ask::contained_in(), Ask::new(Question::ContainedIn)] {
        let mut world = World::new();
        let shape = world.shape(&open).expect("prepared");
        for x in [0.0, 0.9] {
            let pose = Pose::translation_by(Vector::new(x, x, 0.0)).expect("near");
            world.add(Object::new(shape.clone(), pose)).expect("room");
        }
        for _ in 0..2 {
            let refused = world.ask(&ask, &Control::NONE, &mut |_| {});
            let is_open = |error: &WorldError| {
                matches!(error, WorldError::Query { source: QueryError::NotClosed { .. }, .. })
            };
            assert!(refused.as_ref().is_err_and(is_open), "{refused:?}");
            assert!(world.colliding().expect("answered").is_empty());
        }
    }
}
