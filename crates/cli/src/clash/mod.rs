//! `impinge clash`: all clashes among the parts of a scene.
//!
//! 1. [`parts`]: what the paths list, without reading meshes where that is not needed.
//! 2. [`load`]: meshes are read and prepared by all threads.
//! 3. [`assemble`]: parts enter the world as they are loaded, and pairs are classed meanwhile.
//! 4. The world classes the other pairs; [`report`] prints each clash in its order as it is found.
//! 5. [`kept`]: what files need of each clash; [`page`]: the file to look at; [`bcf`]: issues for BIM
//!    tools.

mod assemble;
mod bcf;
mod exceptions;
mod kept;
mod load;
mod page;
mod parts;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use impinge::query::{Control, Detector, QueryError};
use impinge::scene::ClashOptions;
use impinge::{Ask, Class, Kind, ObjectId, WorldError};

use crate::ERROR;
use crate::arguments::Clash;
use crate::failure::Failure;
use crate::input::tell;
use crate::interrupt::{CANCEL, waiting};
use crate::meter::Meter;
use crate::output;

use assemble::Early;
use exceptions::Exceptions;
use kept::{Kept, Label, Scene, Told};
use parts::{Part, Source};
use report::Report;

/// Finds and prints all clashes. The exit status says whether there are any.
pub(crate) fn run(arguments: &Clash) -> Result<ExitCode, Failure> {
    let mut parts = parts::list(&arguments.paths, arguments.max_triangles)?;
    let written = [("--html", arguments.html.as_deref()), ("--bcf", arguments.bcf.as_deref())];
    let files = parts.iter().filter_map(|part| match &part.source {
        Source::File(path) => Some::<&Path>(path),
        Source::Mesh(..) | Source::Unread(_) => None,
    });
    let named = arguments.paths.iter().chain(&arguments.ignore).map(PathBuf::as_path);
    output::keep_inputs(&written, &named.chain(files).collect::<Vec<_>>())?;
    let groups = arguments.groups.as_ref();
    if let Some(groups) = groups {
        check_groups(&parts, groups)?;
    }
    let detector = detector(arguments)?;
    let is_asked =
        |part: &Part| groups.is_none_or(|groups| groups.contains(&part.group)) || is_lost(part);
    let exceptions = match &arguments.ignore {
        Some(path) => Exceptions::read(path, &parts, is_asked)?,
        None => Exceptions::default(),
    };
    parts.retain(is_asked);
    let contacts = if arguments.marks_triangles() { usize::MAX } else { arguments.listed() };
    let options = ClashOptions {
        clearance: arguments.clearance,
        solids: arguments.solids,
        contacts,
        only_class: arguments.only_class,
    };
    let (mut scene, early) =
        assemble::assemble(&parts, &exceptions, &detector, &options, arguments)?;
    let Found { any, kept, told } = find(&mut scene, early, &options, arguments)?;
    write_files(&scene, &kept, arguments)?;
    output::beside_files(arguments.writes_files(), told)?;
    Ok(if scene.incomplete { ExitCode::from(ERROR) } else { ExitCode::from(u8::from(any)) })
}

/// The clashes.
struct Found {
    any: bool,
    /// What files need of them.
    kept: Vec<Kept>,
    /// Whether all are printed.
    told: Result<(), Failure>,
}

/// Prints all clashes: those that are known, and the others as they are found. Where they cannot be printed
/// they are found all the same if files are to have them.
fn find(
    scene: &mut Scene,
    early: Early,
    options: &ClashOptions,
    arguments: &Clash,
) -> Result<Found, Failure> {
    let Scene { world, labels, .. } = scene;
    let (report, kept, failed) = (Report::new(labels, arguments), Vec::new(), None);
    let mut printer = Printer { report, arguments, kept, failed };
    let meter = Meter::beside_answers("clashes");
    let progress = |progress| meter.report(progress);
    let control = Control::NONE.cancelled_by(&CANCEL).reporting(&progress);
    let asked = (options, arguments);
    let outcome = early.and_others(world, asked, &control, &mut |told| printer.take(told));
    let Printer { report, kept, mut failed, .. } = printer;
    let any = report.any();
    if let Some(failure) = failed.take_if(|_| !arguments.writes_files()) {
        return Err(failure);
    }
    let candidates = outcome.map_err(|error| failure_of(labels, error))?;
    let told = failed.map_or_else(|| report.finish(candidates), Err);
    Ok(Found { any, kept, told })
}

/// Prints clashes, and keeps what files need of them.
struct Printer<'p> {
    report: Report<'p>,
    arguments: &'p Clash,
    kept: Vec<Kept>,
    failed: Option<Failure>,
}

impl Printer<'_> {
    fn take(&mut self, told: Told) {
        let Self { report, arguments, kept, failed } = self;
        if arguments.touching_ok && told.clash.class == Class::Touches {
            return;
        }
        if failed.is_none() {
            *failed = report.print(&told.clash).err();
        }
        if arguments.writes_files() {
            kept.push(Kept::of(told));
        } else if failed.is_some() {
            // The world goes on until it looks at the flag.
            CANCEL.cancel();
        }
    }
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

/// Whether a part may be of any group, since the table or the row that says so cannot be read. It is named in
/// any case.
fn is_lost(part: &Part) -> bool {
    part.group.is_empty()
}

/// Refuses a group that no part is in, since nothing would be compared, unless parts may be in it that
/// cannot be read.
fn check_groups(parts: &[Part], groups: &[String; 2]) -> Result<(), Failure> {
    if parts.iter().any(is_lost) {
        return Ok(());
    }
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
