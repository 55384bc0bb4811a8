//! What a search for clashes asks of the method: all contacts only where one is not enough. And what one
//! contact tells where all leave a class uncertain.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use impinge_models::Shape as Model;
use impinge_query::{
    Answer, Ask, Control, Description, Engine, PrepareError, QueryError, Question,
};
use impinge_scene::geometry::{Mesh, Point, Pose, Vector};
use impinge_scene::{ClashOptions, Class, Object, World};
use impinge_wide::{Memory, Wide, WideModel, wide};
use nalgebra::Rotation3;

/// The default method, with the first or the last of all contacts as a first contact. Any is right.
struct Teller {
    wide: Wide,
    last: bool,
    /// Number of questions for all contacts.
    all: Arc<AtomicUsize>,
}

impl Engine for Teller {
    type Model = WideModel;
    type Memory = Memory;

    fn describe(&self) -> &Description {
        Engine::describe(&self.wide)
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<WideModel, PrepareError> {
        Engine::prepare(&self.wide, mesh, control)
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn query(
        &self,
        a: &WideModel,
        b: &WideModel,
        b_in_a: &Pose,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        if ask.question != Question::FirstContact {
            self.all
                .fetch_add(usize::from(ask.question == Question::AllContacts), Ordering::Relaxed);
            return self.wide.query(a, b, b_in_a, memory, ask, control, answer);
        }
        let ask = Ask { question: Question::AllContacts, ..*ask };
        self.wide.query(a, b, b_in_a, memory, &ask, control, answer)?;
        let one = if self.last { answer.contacts.last() } else { answer.contacts.first() };
        answer.contacts = one.copied().into_iter().collect();
        Ok(())
    }

    fn query_self(
        &self,
        model: &WideModel,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        self.wide.query_self(model, memory, ask, control, answer)
    }
}

/// The class of two meshes, and how often all contacts were asked for.
fn class(meshes: [&Mesh; 2], last: bool, only_class: bool) -> (Class, usize) {
    let options = ClashOptions { only_class, ..ClashOptions::default() };
    let (class, asked) = class_if_any(meshes, last, &options);
    (class.expect("a clash"), asked)
}

/// The class of two meshes if they clash, and how often all contacts were asked for.
fn class_if_any(meshes: [&Mesh; 2], last: bool, options: &ClashOptions) -> (Option<Class>, usize) {
    let all = Arc::new(AtomicUsize::new(0));
    let mut world = World::of(Arc::new(Teller { wide: wide(), last, all: all.clone() }));
    for mesh in meshes {
        let shape = world.shape(mesh).expect("prepared");
        world.add(Object::new(shape, Pose::identity())).expect("added");
    }
    let mut class = None;
    let found = world.clashes(options, &Control::NONE, &mut |clash| class = Some(clash.class));
    assert_eq!(found.expect("asked").candidates, 1);
    (class, all.load(Ordering::Relaxed))
}

fn moved(mesh: &Mesh, x: f64) -> Mesh {
    let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("near");
    mesh.posed(&pose).expect("near")
}

/// Balls beside each other along a diagonal, whose boxes overlap.
#[test]
fn bodies_that_a_plane_parts_are_not_asked_about() {
    let ball = Model::Sphere.mesh(80, 0);
    let diagonal = Pose::translation_by(Vector::new(0.8, 0.8, 0.1)).expect("near");
    let beside = ball.posed(&diagonal).expect("near");
    for (clearance, expected) in [(0.05, (None, 0)), (0.25, (Some(Class::TooNear), 1))] {
        let options =
            ClashOptions { clearance: Some(clearance), solids: true, ..ClashOptions::default() };
        assert_eq!(class_if_any([&ball, &beside], false, &options), expected);
    }
}

/// What is known of an object that has gone, or of its mesh, is not taken for that of the next one: the
/// rounding of a huge body would hide that small ones are apart.
#[test]
fn a_plane_parts_bodies_where_a_huge_one_has_been() {
    let ball = Model::Sphere.mesh(80, 0);
    let diagonal = Pose::translation_by(Vector::new(0.8, 0.8, 0.1)).expect("near");
    for removed in [true, false] {
        let all = Arc::new(AtomicUsize::new(0));
        let mut world = World::of(Arc::new(Teller { wide: wide(), last: false, all: all.clone() }));
        let huge = world.shape(&ball.scaled(1e290).expect("in range")).expect("prepared");
        let small = world.shape(&ball).expect("prepared");
        let first = world.add(Object::new(huge, Pose::identity())).expect("added");
        assert!(world.colliding().expect("answered").is_empty());
        if removed {
            world.remove(first).expect("there");
            world.add(Object::new(small.clone(), Pose::identity())).expect("added");
        } else {
            world.set_shape(first, small.clone()).expect("there");
        }
        world.add(Object::new(small, diagonal)).expect("added");
        let options = ClashOptions { solids: true, ..ClashOptions::default() };
        let found = world.clashes(&options, &Control::NONE, &mut |_| ()).expect("answered");
        assert_eq!((found.candidates, found.found, all.load(Ordering::Relaxed)), (1, 0, 0));
    }
}

#[test]
fn a_class_alone_needs_all_contacts_only_where_one_does_not_show_it() {
    let cube = Model::Cube.mesh(12, 0);
    let beside = moved(&cube, 1.0);
    for last in [false, true] {
        assert_eq!(class([&cube, &beside], last, true), (Class::Touches, 1));
        assert_eq!(class([&cube, &beside], last, false), (Class::Touches, 1));
    }
    let small = cube.scaled(0.75).expect("in range");
    let turned = moved(&small, 0.3).posed(&turn(0.4)).expect("near");
    for last in [false, true] {
        assert_eq!(class([&cube, &turned], last, true), (Class::Pierces, 0));
        assert_eq!(class([&cube, &turned], last, false), (Class::Pierces, 1));
    }
}

/// Turned about the first axis.
fn turn(angle: f64) -> Pose {
    let turn = Rotation3::from_axis_angle(&Vector::x_axis(), angle);
    Pose::new(*turn.matrix(), Vector::zeros()).expect("a rotation")
}

/// A bar through cubes that face inward and outward in turn, with faces that lie on each other, and then
/// through one by itself: none of the first contacts shows that they pierce, the last does, whichever part is
/// first.
#[test]
fn one_contact_shows_what_all_others_leave_uncertain() {
    let cube = Model::Cube.mesh(12, 0);
    let turned = |k: u32| {
        let turned = cube.posed(&turn(0.1 * f64::from(k))).expect("near");
        if k.is_multiple_of(2) { turned } else { turned.flipped() }
    };
    let mut cubes: Vec<Mesh> = (0..12).map(turned).collect();
    cubes.push(moved(&cube, 3.0));
    let cubes = Mesh::union(&cubes).expect("in range");
    let along = |p: &Point| Point::new(2.5 * p.x + 1.5, 0.1 * p.y + 0.01, 0.1 * p.z + 0.02);
    let bar = cube.vertices().iter().map(along).collect();
    let bar = Mesh::new(bar, cube.triangles().to_vec()).expect("legal");
    for [a, b] in [[&cubes, &bar], [&bar, &cubes]] {
        assert_eq!(class([a, b], false, false), (Class::Pierces, 1));
        assert_eq!(class([a, b], true, false), (Class::Pierces, 1));
        assert_eq!(class([a, b], true, true).0, Class::Pierces);
        assert_eq!(class([a, b], false, true).0, Class::Pierces);
    }
    assert_eq!(class([&cubes, &bar], true, true), (Class::Pierces, 0));
    // Without the cube by itself nothing is certain.
    let cubes: Vec<Mesh> = (0..12).map(turned).collect();
    let cubes = Mesh::union(&cubes).expect("in range");
    for only_class in [false, true] {
        assert_eq!(class([&cubes, &bar], false, only_class), (Class::Uncertain, 1));
    }
}
