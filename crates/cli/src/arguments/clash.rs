//! The arguments of `impinge clash`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::Method;
use impinge::models::files::{self, Format};
use jiff::Timestamp;

use super::parse_clearance;

const CLASH_HELP: &str = "\
What is compared: every part with every other. Parts are
  of a glTF file   its nodes with a mesh, by their names; instances of a mesh are not copied
  of a table       a .csv file with the header name,file,tx,ty,tz,qx,qy,qz,qw and perhaps group: one
                   part a line, placed by a translation and a unit quaternion; files are relative to
                   the table
  of other files   the file, by its path
Several paths make one scene. A part is in the group of its line in a table; otherwise in the group
named like its file, without folder and extension. Parts of glTF files among several paths are called
path/node. All files must have the same unit.

The classes:
  touches     the surfaces share points; of closed meshes, no point is inside both
  pierces     the surfaces share points, and go into each other
  inside      (with --solids, of closed meshes) the surfaces are apart, one part holds the other
  duplicate   both have the same triangles in the same place
  too-near    (with --clearance) the surfaces are apart, by at most that distance
  uncertain   the surfaces share points, and what is inside one is not certain there: it meets itself,
              more than two triangles share an edge, or one has no area; the key reason says which
All are decided exactly.

Exit status: 0 if nothing clashes, 1 if something does, 2 on errors. A part that cannot be read is
named and left out; the status is then 2. So is a glTF file or a table, by its path, and a line of a
table, by the name in it or else by its place. A name that stands twice ends the run.

--json prints one object a clash, in the order of the input, the same for any number of threads;
`impinge schema clash` prints its JSON schema. Its keys:
  version         version of this format: 1
  id              32 hexadecimal digits made of both names: the same in every run, in any order of
                  the input, and in the page
  a, b            the names of the parts; a comes first in the input
  class           as above
  inner           of inside: the part inside, \"a\" or \"b\"
  contacts        pairs [triangle of A, triangle of B]; at most one without --contacts
  contacts_found  how many pairs of triangles meet; not with --only-class
  extent          lowest and highest corner of a box around the common points, or the nearest ones;
                  with --only-class, only the latter
  nearest         of too-near: a point of A and one of B at that distance
  distance        the least distance of the surfaces; 0 of inside
  reason          of uncertain: which mesh, where, and why
An error is an object with the keys version and error (kind, place, message).

A file of --ignore has two names a line, as they are printed, separated by a comma. Blanks around a
name do not count, nor do empty lines and lines that begin with #. Any name may stand in double
quotes, with a quote in it doubled: \" pump\",\"5\"\" pipe, bent\". One that holds a comma or a line
break, begins with a quote or #, or has blanks at its ends must. Names of glTF files are cut after
256 bytes, with a note, and numbered if they stand twice.

--html writes one file that needs no network: a list that can be sorted and filtered by class, part
and text, and a view in three dimensions of the chosen clash, with the triangles in contact in red and
other clashing parts faint. FILE#clash=ID opens a clash by the id of --json. The file holds each mesh
of a clashing part once, in 3 to 15 bytes a triangle, beside 600 kB for the viewer. Beyond
--html-triangles the largest meshes are left out, and their parts shown as boxes; the page and standard
error say so.

--bcf writes an issue a clash, with a camera and both parts, selected and coloured. Parts whose names
are IFC GUIDs, or end with one after a /, are found by BIM tools. The GUIDs of issues are made of the
names: a later run gives a clash the same one. Issues are dated with --date, and placed in metres, by
--unit, with z up; y of the files points up if --up says so.

Pairs are compared while the meshes of later parts are read, which helps where files are slow.

Memory: the meshes, some 70 bytes per distinct triangle to search them, and the meshes that are being
read: one a thread, and all of a glTF file; clashes that are found before all parts are read; for --html and --bcf-snapshots the triangles in contact, four bytes each, and the
page.

Examples:
  impinge clash plant.glb
  impinge clash structure.glb pipes.glb --groups structure,pipes --clearance 0.05
  impinge clash plant.glb --clearance 0.05 --solids --html clashes.html
  impinge clash house.glb --unit 0.001 --bcf clashes.bcf
  impinge clash scene.csv --solids --touching-ok --json | jq -r .class | sort | uniq -c
  impinge clash *.stl --ignore known.csv";

/// Find all clashes among the parts of a scene.
#[derive(Debug, Args)]
#[command(after_long_help = CLASH_HELP, after_help = "See --help for scenes, classes and JSON.")]
#[allow(clippy::struct_excessive_bools)] // switches of a command line are that
pub(crate) struct Clash {
    /// glTF files, tables of parts (.csv), mesh files, and stored meshes.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Report parts that are at most this far apart too, in the unit of the files.
    #[arg(long, value_name = "D", value_parser = parse_clearance)]
    pub(crate) clearance: Option<f64>,
    /// Compare parts of one group with parts of the other only.
    #[arg(long, value_name = "A,B", value_parser = parse_groups)]
    pub(crate) groups: Option<[String; 2]>,
    /// File with pairs of names that may clash: one pair a line, separated by a comma, quoted as in CSV.
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore: Option<PathBuf>,
    /// Take closed meshes as solids: a part inside another is a clash.
    #[arg(long)]
    pub(crate) solids: bool,
    /// Parts that only touch do not clash.
    #[arg(long)]
    pub(crate) touching_ok: bool,
    /// List the pairs of triangles that meet, of every clash.
    #[arg(long)]
    pub(crate) contacts: bool,
    /// List at most this many of them a clash.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "contacts")]
    pub(crate) cap: usize,
    /// Find the class of each clash, and nothing else of parts that meet: no contacts, and not how many
    /// they are. Takes less time, and the classes are the same.
    #[arg(long, conflicts_with_all = ["contacts", "cap", "html", "html_triangles", "bcf"])]
    #[arg(conflicts_with_all = ["bcf_snapshots", "unit", "date"])]
    pub(crate) only_class: bool,
    /// Method that answers; `impinge methods` lists them. Classes are exact with exact methods.
    #[arg(long, value_name = "METHOD", default_value_t = Method::default())]
    pub(crate) method: Method,
    /// Print one JSON object a clash instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page with a list of the clashes and a view of each: one file, without network.
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "FILE.html", value_parser = parse_page)]
    pub(crate) html: Option<PathBuf>,
    /// Leave the largest meshes out of the page beyond N distinct triangles; 0 leaves out all.
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "N", default_value_t = 4_000_000, requires = "html")]
    pub(crate) html_triangles: u64,
    /// Write the clashes as issues with viewpoints for BIM tools, in the BIM Collaboration Format 2.1.
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "FILE.bcf", value_parser = parse_issues)]
    pub(crate) bcf: Option<PathBuf>,
    /// Add a picture of both parts to each issue, as its camera sees them, with the triangles in
    /// contact in red.
    #[arg(help_heading = "Files")]
    #[arg(long, requires = "bcf")]
    pub(crate) bcf_snapshots: bool,
    /// Length of the files' unit in metres, in which issues are placed: 0.001 for millimetres.
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "METRES", value_parser = parse_unit, default_value_t = 1.0)]
    #[arg(requires = "bcf")]
    pub(crate) unit: f64,
    /// Date of the issues, for example 2026-05-01T12:00:00Z [default: now].
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "DATE", requires = "bcf")]
    pub(crate) date: Option<Timestamp>,
    /// The axis that points up [default: y if all paths are glTF files, as glTF has it, otherwise z].
    #[arg(help_heading = "Files")]
    #[arg(long, value_name = "AXIS")]
    pub(crate) up: Option<Up>,
    /// Largest number of triangles to read from a file.
    #[arg(long, value_name = "N", default_value_t = files::MAX_TRIANGLES)]
    pub(crate) max_triangles: u64,
}

impl Clash {
    /// The most pairs of triangles to list of a clash.
    pub(crate) const fn listed(&self) -> usize {
        if self.contacts { self.cap } else { 1 }
    }

    /// Whether files need all triangles in contact.
    pub(crate) const fn marks_triangles(&self) -> bool {
        self.html.is_some() || self.bcf_snapshots
    }

    /// Whether files are written beside what is printed.
    pub(crate) const fn writes_files(&self) -> bool {
        self.html.is_some() || self.bcf.is_some()
    }

    /// The date of issues, in whole seconds.
    pub(crate) fn date(&self) -> String {
        let date = self.date.unwrap_or_else(Timestamp::now);
        Timestamp::from_second(date.as_second()).unwrap_or(date).to_string()
    }

    /// The axis that points up.
    pub(crate) fn up(&self) -> Up {
        let is_gltf = |path: &PathBuf| Format::from_extension(path) == Some(Format::Gltf);
        let default = || if self.paths.iter().all(is_gltf) { Up::Y } else { Up::Z };
        self.up.unwrap_or_else(default)
    }
}

/// An axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Up {
    Y,
    Z,
}

fn parse_page(text: &str) -> Result<PathBuf, String> {
    parse_file(text, &["html", "htm"])
}

fn parse_issues(text: &str) -> Result<PathBuf, String> {
    parse_file(text, &["bcf", "bcfzip"])
}

fn parse_unit(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(unit) if unit.is_finite() && unit > 0.0 => Ok(unit),
        _ => Err("a unit must be finite and longer than 0".to_owned()),
    }
}

/// A file whose name must end in one of some extensions.
fn parse_file(text: &str, extensions: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is = |known: &&str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(known));
    if extensions.iter().any(is) {
        Ok(path)
    } else {
        Err(format!("the name must end in .{}", extensions.join(" or .")))
    }
}

fn parse_groups(text: &str) -> Result<[String; 2], String> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [a, b] if !a.is_empty() && !b.is_empty() => Ok([a.to_owned(), b.to_owned()]),
        _ => Err("two groups are needed, as A,B".to_owned()),
    }
}
