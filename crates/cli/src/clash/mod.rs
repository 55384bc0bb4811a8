//! `impinge clash`: all clashes among the parts of a scene.
//!
//! 1. [`parts`]: what the paths list, without reading meshes where that is not needed.
//! 2. [`load`]: meshes are read and prepared by all threads.
//! 3. The world classes every pair; [`report`] prints each clash as it is found.
//! 4. [`kept`]: what files need of each clash; [`page`]: the file to look at; [`bcf`]: issues for BIM
//!    tools.

mod bcf;
mod kept;
mod load;
mod page;
mod parts;
mod report;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use impinge::query::{Control, Detector, QueryError};
use impinge::scene::{ClashOptions, Summary};
use impinge::{Ask, Class, Kind, Object, ObjectId, World, WorldError};

use crate::ERROR;
use crate::arguments::Clash;
use crate::failure::Failure;
use crate::interrupt::{CANCEL, waiting};
use crate::meter::Meter;

use kept::{Kept, Label, Scene};
use parts::{Part, tell};
use report::Report;

/// Parts of the first and of the second group of `--groups`.
const GROUPS: [u32; 2] = [1, 2];

/// Finds and prints all clashes. The exit status says whether there are any.
pub(crate) fn run(arguments: &Clash) -> Result<ExitCode, Failure> {
    let mut parts = parts::list(&arguments.paths)?;
    if let Some(groups) = &arguments.groups {
        check_groups(&parts, groups)?;
        parts.retain(|part| groups.contains(&part.group));
    }
    let mut scene = assemble(parts, arguments)?;
    if let Some(path) = &arguments.ignore {
        ignore(&mut scene, path)?;
    }
    let (any, kept) = find(&mut scene, arguments)?;
    write_files(&scene, &kept, arguments)?;
    Ok(if scene.incomplete { ExitCode::from(ERROR) } else { ExitCode::from(u8::from(any)) })
}

/// Prints all clashes as they are found. Returns whether there are any, and what files need of them.
fn find(scene: &mut Scene, arguments: &Clash) -> Result<(bool, Vec<Kept>), Failure> {
    let contacts = if arguments.marks_triangles() { usize::MAX } else { arguments.listed() };
    let options =
        ClashOptions { clearance: arguments.clearance, solids: arguments.solids, contacts };
    let Scene { world, labels, .. } = scene;
    let mut report = Report::new(labels, arguments);
    let meter = Meter::beside_answers("clashes");
    let progress = |progress| meter.report(progress);
    let control = Control::NONE.cancelled_by(&CANCEL).reporting(&progress);
    let (mut kept, mut failed) = (Vec::new(), None);
    let outcome = world.clashes(&options, &control, &mut |clash| {
        if arguments.touching_ok && clash.class == Class::Touches || failed.is_some() {
            return;
        }
        if let Err(failure) = report.print(&clash) {
            // The world goes on until it looks at the flag.
            failed = Some(failure);
            CANCEL.cancel();
        } else if arguments.writes_files() {
            kept.push(Kept::of(clash));
        }
    });
    if let Some(failure) = failed {
        return Err(failure);
    }
    let Summary { candidates, .. } = outcome.map_err(|error| failure_of(labels, error))?;
    report.finish(candidates)?;
    Ok((report.any(), kept))
}

/// Writes what is to be looked at in other programs.
fn write_files(scene: &Scene, kept: &[Kept], arguments: &Clash) -> Result<(), Failure> {
    if let Some(path) = &arguments.html
        && let Some(note) = waiting(|| page::write(path, scene, kept, arguments))?
    {
        tell(path, &note);
    }
    if let Some(path) = &arguments.bcf {
        waiting(|| bcf::write(path, scene, kept, arguments))?;
    }
    Ok(())
}

/// Refuses a group that no part is in, since nothing would be compared.
fn check_groups(parts: &[Part], groups: &[String; 2]) -> Result<(), Failure> {
    for group in groups {
        if !parts.iter().any(|part| part.group == *group) {
            let mut known: Vec<&str> = parts.iter().map(|part| part.group.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            known.truncate(10);
            let message =
                format!("no part is in group \"{group}\"; there are {}", known.join(", "));
            return Err(Failure::usage("--groups", message));
        }
    }
    Ok(())
}

/// The method, if it answers what is asked.
fn detector(arguments: &Clash) -> Result<Arc<dyn Detector>, Failure> {
    let method = arguments.method;
    let detector: Arc<dyn Detector> = Arc::from(method.build());
    let check = |ask: &Ask| detector.describe().check(ask);
    let contacts = Ask::all_contacts();
    let checked = check(&if arguments.solids { contacts.solids() } else { contacts })
        .and_then(|()| match arguments.clearance {
            Some(d) => check(&Ask::nearer_than(d)).and_then(|()| check(&Ask::distance())),
            None => Ok(()),
        })
        .and_then(|()| match method.kind() {
            // Classes are found of the meshes, which such a method does not keep.
            Kind::Outside => {
                Err(QueryError::Unanswered { word: method.word(), what: "class of a clash" })
            }
            _ => Ok(()),
        });
    checked.map_err(|error| Failure::usage("--method", error.to_string()))?;
    Ok(detector)
}

/// Loads the meshes and adds the parts to a world. A part that cannot be read is named on standard
/// error and left out.
fn assemble(parts: Vec<Part>, arguments: &Clash) -> Result<Scene, Failure> {
    let detector = detector(arguments)?;
    let shapes = load::shapes(&parts, &detector, arguments.max_triangles)?;
    let (world, labels, incomplete) = (World::of(detector), Vec::new(), false);
    let mut scene = Scene { world, labels, incomplete };
    for (part, shape) in parts.into_iter().zip(shapes) {
        match shape {
            Ok(shape) => {
                let mut object = Object::new(shape, part.pose);
                if let Some([a, b]) = &arguments.groups {
                    let of = |yes: bool, bit: u32| if yes { bit } else { 0 };
                    let [first, second] = GROUPS;
                    let (in_a, in_b) = (part.group == *a, part.group == *b);
                    object = object.grouped(
                        of(in_a, first) | of(in_b, second),
                        of(in_a, second) | of(in_b, first),
                    );
                }
                let added = scene.world.add(object);
                added.map_err(|error| Failure::at(&part.name, error.to_string()))?;
                scene.labels.push(Label { name: part.name, group: part.group });
            }
            Err(message) => {
                scene.incomplete = true;
                let failure = Failure::file(&part.name, message);
                let _ = writeln!(std::io::stderr(), "impinge: {failure}");
                if arguments.json {
                    failure.print();
                }
            }
        }
    }
    Ok(scene)
}

/// Lets the pairs that a file names clash.
fn ignore(scene: &mut Scene, path: &Path) -> Result<(), Failure> {
    let ids: Vec<ObjectId> = scene.world.objects().map(|(id, _)| id).collect();
    let by_name: HashMap<&str, ObjectId> =
        scene.labels.iter().map(|label| label.name.as_str()).zip(ids.iter().copied()).collect();
    for ([a, b], line) in parts::pairs(path)? {
        let find = |name: &str| {
            let place = || format!("{}: line {line}", path.display());
            // A part that was left out is named already.
            let unknown = || Failure::file(place(), format!("no part is called \"{name}\""));
            match by_name.get(name) {
                Some(id) => Ok(Some(*id)),
                None if scene.incomplete => Ok(None),
                None => Err(unknown()),
            }
        };
        if let (Some(a), Some(b)) = (find(&a)?, find(&b)?) {
            let allowed = scene.world.allow(a, b, true);
            allowed.map_err(|error| Failure::at(path.display().to_string(), error.to_string()))?;
        }
    }
    Ok(())
}

fn failure_of(labels: &[Label], error: WorldError) -> Failure {
    let name = |id: ObjectId| labels.get(id.index() as usize).map_or("", |l| l.name.as_str());
    match error {
        WorldError::Cancelled(_) => Failure::Cancelled,
        WorldError::Query { a, b, source } => {
            Failure::query(format!("{} and {}", name(a), name(b)), &source)
        }
        error => Failure::at("clash", error.to_string()),
    }
}
