//! Parts enter the world in the order of the input, each as soon as its mesh is prepared. While the next mesh
//! is waited for, pairs of parts that have entered are classed: of a sixteenth of all parts at least, so that
//! the broad phase is asked a few times only.

use std::io::Write;
use std::sync::Arc;

use impinge::query::{Control, Detector};
use impinge::scene::{ClashOptions, Summary};
use impinge::{Object, ObjectId, World, WorldError};

use crate::arguments::Clash;
use crate::failure::Failure;
use crate::interrupt::CANCEL;

use super::exceptions::Exceptions;
use super::kept::{Label, Scene, Told};
use super::load::{self, Event, Loaded};
use super::parts::Part;

/// The most times that pairs are classed while meshes are read.
const TIMES: usize = 16;

/// Parts of the first and of the second group of `--groups`.
const GROUPS: [u32; 2] = [1, 2];

/// What was found while meshes were read.
#[derive(Default)]
pub(super) struct Early {
    /// In the order of the pairs.
    pub(super) clashes: Vec<Told>,
    pub(super) candidates: u64,
    /// Pairs of objects below this index are classed.
    pub(super) classed: u32,
    /// A pair has no answer: no more are asked until all parts are known, so that the error comes after the
    /// clashes of all pairs before it.
    stopped: bool,
}

impl Early {
    /// Classes the other pairs, and calls `each` with all clashes in the order of the pairs; before an error,
    /// with those of the pairs before it. Returns how many pairs there were.
    pub(super) fn and_others(
        self,
        world: &mut World,
        (options, arguments): (&ClashOptions, &Clash),
        control: &Control<'_>,
        each: &mut dyn FnMut(Told),
    ) -> Result<u64, WorldError> {
        let mut known = self.clashes.into_iter().peekable();
        let is_left = |[_, b]: [ObjectId; 2]| b.index() >= self.classed;
        let outcome = world.clashes_where(is_left, options, control, &mut |clash| {
            let next = [clash.a, clash.b];
            while let Some(before) = known.next_if(|told| told.pair() < next) {
                each(before);
            }
            each(Told::of(clash, arguments));
        });
        match outcome {
            Ok(_) => known.for_each(each),
            Err(WorldError::Query { a, b, .. }) => {
                known.take_while(|told| told.pair() < [a, b]).for_each(each);
            }
            Err(_) => {}
        }
        Ok(self.candidates + outcome?.candidates)
    }
}

/// Loads the meshes, adds the parts to a world, and classes pairs of those that are loaded while nothing else
/// can be done. A part that cannot be read is named on standard error and left out.
pub(super) fn assemble(
    parts: &[Part],
    exceptions: &Exceptions,
    detector: &Arc<dyn Detector>,
    options: &ClashOptions,
    arguments: &Clash,
) -> Result<(Scene, Early), Failure> {
    let mut assembly = Assembly::new(parts, exceptions, detector, options, arguments);
    load::shapes(parts, &**detector, arguments.max_triangles, |event| match event {
        Event::Loaded(shape) => assembly.take(shape),
        Event::Waiting => {
            assembly.use_wait();
            Ok(())
        }
    })?;
    Ok(assembly.finish())
}

/// A scene that parts enter.
struct Assembly<'a> {
    parts: &'a [Part],
    options: &'a ClashOptions,
    arguments: &'a Clash,
    exceptions: &'a Exceptions,
    scene: Scene,
    early: Early,
    /// Of the parts so far.
    ids: Vec<Option<ObjectId>>,
}

impl<'a> Assembly<'a> {
    fn new(
        parts: &'a [Part],
        exceptions: &'a Exceptions,
        detector: &Arc<dyn Detector>,
        options: &'a ClashOptions,
        arguments: &'a Clash,
    ) -> Self {
        let world = World::of(Arc::clone(detector));
        let scene = Scene { world, labels: Vec::new(), incomplete: false };
        let (early, ids) = (Early::default(), Vec::new());
        Self { parts, options, arguments, exceptions, scene, early, ids }
    }

    /// Takes the next part in.
    fn take(&mut self, shape: Loaded) -> Result<(), Failure> {
        let Self { parts, arguments, exceptions, scene, ids, .. } = self;
        let number = ids.len();
        let part = &parts[number];
        let id = enter(scene, part, shape, arguments)?;
        ids.push(id);
        for other in exceptions.before(number) {
            if let Some((id, other)) = id.zip(ids[*other]) {
                let allowed = scene.world.allow(other, id, true);
                allowed.map_err(|error| Failure::at(&part.name, error.to_string()))?;
            }
        }
        Ok(())
    }

    /// Classes the pairs with a part that has entered since, if there are some more parts.
    fn use_wait(&mut self) {
        let Self { parts, options, arguments, scene, early, .. } = self;
        let entered = scene.labels.len() as u32;
        if early.stopped || (entered - early.classed) as usize * TIMES < parts.len() {
            return;
        }
        let (control, known) = (Control::NONE.cancelled_by(&CANCEL), early.clashes.len());
        let classed = early.classed;
        let is_new = |[_, b]: [ObjectId; 2]| b.index() >= classed;
        let each = &mut |clash| early.clashes.push(Told::of(clash, arguments));
        let outcome = scene.world.clashes_where(is_new, options, &control, each);
        if let Ok(Summary { candidates, .. }) = outcome {
            early.candidates += candidates;
            early.classed = entered;
        } else {
            early.clashes.truncate(known);
            early.stopped = true;
        }
    }

    fn finish(mut self) -> (Scene, Early) {
        self.early.clashes.sort_by_key(Told::pair);
        (self.scene, self.early)
    }
}

/// Adds a part to the world. `None` if it cannot be read.
fn enter(
    scene: &mut Scene,
    part: &Part,
    shape: Loaded,
    arguments: &Clash,
) -> Result<Option<ObjectId>, Failure> {
    let label = Label { name: part.name.clone(), group: part.group.clone() };
    let shape = match shape {
        Ok(shape) => shape,
        Err(message) => {
            scene.incomplete = true;
            let failure = Failure::file(label.name, message);
            let _ = writeln!(std::io::stderr(), "impinge: {failure}");
            if arguments.json {
                failure.print();
            }
            return Ok(None);
        }
    };
    let mut object = Object::new(shape, part.pose);
    if let Some([a, b]) = &arguments.groups {
        let of = |yes: bool, bit: u32| if yes { bit } else { 0 };
        let [first, second] = GROUPS;
        let (in_a, in_b) = (label.group == *a, label.group == *b);
        object =
            object.grouped(of(in_a, first) | of(in_b, second), of(in_a, second) | of(in_b, first));
    }
    let added = scene.world.add(object);
    let id = added.map_err(|error| Failure::at(&label.name, error.to_string()))?;
    scene.labels.push(label);
    Ok(Some(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use clap::Parser;
    use impinge::models::Shape as Model;
    use impinge::models::files;
    use impinge::scene::Shape;

    use crate::arguments::{Arguments, Command};
    use crate::clash::parts;

    fn arguments(path: &Path) -> Clash {
        let words = ["impinge".as_ref(), "clash".as_ref(), path.as_os_str()];
        match Arguments::try_parse_from(words).expect("arguments").command {
            Command::Clash(arguments) => arguments,
            _ => panic!("another command"),
        }
    }

    /// A scene of cubes at these places, with or without a wait before each.
    fn assembled(places: &[f64], options: &ClashOptions, waits: bool) -> (Scene, Early) {
        let folder = tempfile::tempdir().expect("a folder");
        let (mesh, table) = (folder.path().join("cube.obj"), folder.path().join("scene.csv"));
        let cube = Model::Cube.mesh(12, 0);
        files::write(&mesh, &cube).expect("written");
        let row = |(number, x)| format!("{number},cube.obj,{x},0,0,0,0,0,1\n");
        let rows: String = places.iter().enumerate().map(row).collect();
        let text = format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{rows}");
        std::fs::write(&table, text).expect("written");
        let arguments = arguments(&table);
        let detector: Arc<dyn Detector> = Arc::from(arguments.method.build());
        let parts = parts::list(&arguments.paths, arguments.max_triangles).expect("parts");
        let exceptions = Exceptions::default();
        let mut assembly = Assembly::new(&parts, &exceptions, &detector, options, &arguments);
        let shape = Shape::new(&*detector, &cube, &Control::NONE).expect("prepared");
        for _ in &parts {
            if waits {
                assembly.use_wait();
            }
            assembly.take(Ok(shape.clone())).expect("taken");
        }
        assembly.finish()
    }

    fn early(places: &[f64], options: &ClashOptions) -> Early {
        assembled(places, options, true).1
    }

    /// All clashes as they come, and how many pairs there were or the error.
    fn told(
        (mut scene, early): (Scene, Early),
        options: &ClashOptions,
    ) -> (Vec<Told>, Result<u64, String>) {
        let (mut all, arguments) = (Vec::new(), arguments(Path::new("scene.csv")));
        let each = &mut |told| all.push(told);
        let asked = (options, &arguments);
        let outcome = early.and_others(&mut scene.world, asked, &Control::NONE, each);
        (all, outcome.map_err(|error| error.to_string()))
    }

    /// The same list with and without waits, also up to a pair without an answer.
    #[test]
    fn clashes_come_in_the_order_of_the_pairs() {
        let near = ClashOptions { clearance: Some(1e307), ..ClashOptions::default() };
        let mut places: Vec<f64> = (0..41).map(|i| f64::from(i % 17)).collect();
        for (options, far) in [(ClashOptions::default(), None), (near, Some([5, 30]))] {
            if let Some([a, b]) = far {
                (places[a], places[b]) = (9e299, -9e299);
            }
            let [with, without] = [true, false].map(|waits| assembled(&places, &options, waits));
            assert!(with.1.clashes.len() > 20 && without.1.clashes.is_empty());
            let (found, outcome) = told(with, &options);
            let index = |told: &Told| told.pair().map(ObjectId::index);
            assert!(found.is_sorted_by_key(index) && outcome.is_ok() == far.is_none());
            // A cube meets those of its own place and of both beside, or is near all others.
            assert!(found.len() > 60 && found.iter().any(|told| index(told) == [5, 22]));
            assert_eq!((found, outcome), told(without, &options));
        }
    }

    /// 40 cubes, each touching the next, with a wait before each: pairs are classed of three at a time, and
    /// those of the last are left.
    #[test]
    fn pairs_are_classed_while_others_are_read() {
        let places: Vec<f64> = (0..40).map(f64::from).collect();
        let early = early(&places, &ClashOptions::default());
        let found: Vec<_> =
            early.clashes.iter().map(|told| told.pair().map(ObjectId::index)).collect();
        assert_eq!(found, (0..38).map(|a| [a, a + 1]).collect::<Vec<_>>());
        assert_eq!((early.candidates, early.classed), (38, 39));
    }

    /// Of a part that has no answer, and of all later ones, nothing is known early.
    #[test]
    fn an_error_waits_for_its_turn() {
        let mut places: Vec<f64> = (0..40).map(f64::from).collect();
        (places[2], places[20]) = (9e299, -9e299);
        let options = ClashOptions { clearance: Some(1e307), ..ClashOptions::default() };
        let early = early(&places, &options);
        assert_eq!((early.candidates, early.classed), (18 * 17 / 2, 18));
        assert!(early.clashes.iter().all(|told| told.clash.b.index() < 18));
        assert_eq!(early.clashes.len(), 18 * 17 / 2);
    }
}
