//! `impinge check`: one answer per pose.
//!
//! 1. [`competitor`]: every chosen method prepares both meshes, and answers each pose.
//! 2. [`poses`]: the poses, read as they are needed.
//! 3. [`picture`], [`export`]: the contacts to look at.
//! 4. [`report`], [`text`]: the answer as JSON or as text.

mod competitor;
mod exit;
mod export;
mod marks;
mod penetrate;
mod picture;
pub(crate) mod poses;
mod report;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use impinge::{Body, Contact, Exit, Kind, Mesh, Penetration, Pose, Settings};

use crate::arguments::{Check, Reading};
use crate::failure::Failure;
use crate::interrupt::waiting;
use crate::meter::Meter;
use crate::{input, output};

use competitor::{Competitor, Outcome};
use exit::Exits;
use marks::Marks;
use penetrate::Depths;
use poses::Poses;

/// A mesh and its name in answers.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
    /// The mesh prepared by the default method, if it was stored so.
    body: Option<Body>,
}

impl Input {
    fn read(path: &Path, reading: &Reading) -> Result<Self, Failure> {
        let input::Read { mesh, body, .. } = input::read(path, reading)?;
        Ok(Self { name: input::name(path), mesh, body })
    }
}

/// The meshes and the questions about them.
pub(crate) struct Inquiry<'c> {
    pub(crate) check: &'c Check,
    pub(crate) a: Input,
    /// `None` if A is asked about itself.
    b: Option<Input>,
}

impl Inquiry<'_> {
    /// B, or A if A is asked about itself.
    pub(crate) fn b(&self) -> &Input {
        self.b.as_ref().unwrap_or(&self.a)
    }

    /// B, unless A is asked about itself.
    pub(crate) fn other(&self) -> Option<&Input> {
        self.b.as_ref()
    }

    /// All contacts, if files are to show them.
    fn shown(&self, judge: &Outcome) -> Option<Vec<Contact>> {
        let wanted = self.check.picture.is_some() || self.check.export.is_some();
        let contacts = || judge.answer.as_ref().map_or_else(Vec::new, |a| a.contacts.clone());
        wanted.then(contacts)
    }

    /// Writes the files that show the contacts.
    fn show(&self, pose: &Pose, contacts: &[Contact]) -> Result<(), Failure> {
        let marks = Marks::new(self, contacts);
        if let Some(path) = &self.check.picture {
            picture::write(self, pose, &marks, path)?;
        }
        if let Some(path) = &self.check.export {
            export::write(self, pose, marks, contacts, path)?;
        }
        Ok(())
    }
}

/// The answers of all methods to one pose.
pub(crate) struct Answers<'o> {
    /// Index of the pose, from 0.
    pub(crate) index: u64,
    /// Its line in the poses file, from 1.
    pub(crate) line: Option<u64>,
    /// The reported answer: of the first exact method, else of the only method.
    pub(crate) judge: &'o Outcome,
    /// All answers, in the order of the methods.
    pub(crate) all: &'o [Outcome],
    /// How deep the meshes are in each other, if that is asked.
    pub(crate) penetration: Option<Penetration>,
    /// The way out along the direction of --exit.
    pub(crate) exit: Option<Exit>,
}

impl Answers<'_> {
    fn print(&self, inquiry: &Inquiry<'_>) -> Result<(), Failure> {
        if inquiry.check.json {
            output::json(&report::Row::new(inquiry, self))
        } else {
            output::line(&text::answer(inquiry, self))
        }
    }
}

/// Refuses to write over the meshes and the poses.
fn keep_inputs(check: &Check, files: &[&Path]) -> Result<(), Failure> {
    let written = [
        ("--picture", check.picture.as_deref()),
        ("--export", check.export.as_ref().map(|export| export.path.as_path())),
    ];
    let read: Vec<&Path> = files.iter().copied().chain(check.poses.as_deref()).collect();
    output::keep_inputs(&written, &read)
}

/// Answers every pose. The exit status says whether any was in contact.
pub(crate) fn run(check: &Check) -> Result<ExitCode, Failure> {
    let files: Vec<&Path> =
        std::iter::once(&check.a).chain(&check.b).map(PathBuf::as_path).collect();
    input::check(&files, check.poses.as_deref(), &check.reading)?;
    keep_inputs(check, &files)?;
    let mut poses = match &check.poses {
        Some(file) => Poses::open(file)?,
        None => Poses::Single(Some(check.pose.unwrap_or_default())),
    };
    let a = Input::read(&check.a, &check.reading)?;
    let b = check.b.as_ref().map(|b| Input::read(b, &check.reading)).transpose()?;
    let inquiry = Inquiry { check, a, b };
    let methods = check.method.methods();
    if methods.len() > 1 && check.choices.settings() != Settings::default() {
        let message = "--mode, --backend, --form and --resolution are for one method";
        return Err(Failure::usage("--method all", message));
    }
    let judge = methods.iter().position(|method| method.kind() == Kind::Exact).unwrap_or(0);
    let mut competitors = Vec::with_capacity(methods.len());
    for (i, &method) in methods.iter().enumerate() {
        competitors.push(Competitor::prepare(&inquiry, method, i == judge)?);
    }

    let depths = check.penetration.then(|| Depths::prepare(&inquiry)).transpose()?;
    let exits = check.exit.map(|along| Exits::prepare(&inquiry, along)).transpose()?;
    let meter = Meter::beside_answers("check");
    let mut outcomes = Vec::with_capacity(methods.len());
    let (mut index, mut hit) = (0, false);
    while let Some(posed) = poses.next()? {
        outcomes.clear();
        for competitor in &mut competitors {
            let outcome = competitor.answer(&inquiry, &posed.pose);
            outcomes.push(outcome.map_err(|error| inquiry.failure(poses.place(), &error))?);
        }
        let shown = inquiry.shown(&outcomes[judge]);
        for outcome in &mut outcomes {
            outcome.keep(check.printed());
        }
        let place = || poses.place();
        let depth = depths.as_ref().map(|depths| depths.at(&inquiry, &posed.pose, place()));
        let exit = exits.as_ref().map(|exits| exits.at(&inquiry, &posed.pose, place()));
        let (penetration, exit) = (depth.transpose()?, exit.transpose()?);
        let (judge, all) = (&outcomes[judge], &outcomes[..]);
        let answers = Answers { index, line: posed.line, judge, all, penetration, exit };
        hit |= answers.judge.is_hit();
        let told = answers.print(&inquiry);
        if let Some(contacts) = &shown {
            waiting(|| inquiry.show(&posed.pose, contacts))?;
        }
        output::beside_files(shown.is_some(), told)?;
        index += 1;
        let (done, total) = poses.progress().map_or((index, None), |(d, t)| (d, Some(t)));
        meter.set("poses", done, total);
    }
    Ok(ExitCode::from(u8::from(hit)))
}
