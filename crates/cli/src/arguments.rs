//! The command line arguments and their help.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use impinge::models::Shape;
use impinge::models::files::{self, Format};
use impinge::models::procedural::MAX_TRIANGLES;
use impinge::{Method, Pose, UnknownMethod};

use crate::check::poses::parse_pose;

/// Do two triangle meshes touch, and where? Exact answers, by every published method.
#[derive(Debug, Parser)]
#[command(name = "impinge", version, propagate_version = true, after_help = TOP_EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const TOP_EXAMPLES: &str = "\
Start here:
  impinge make gear --triangles 20000 -o gear.obj
  impinge make torus --triangles 5000 -o torus.obj
  impinge check gear.obj torus.obj --pose 0.4,0,0,0,0,0,1
  impinge info gear.obj";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do the meshes A and B collide?
    Check(Check),
    /// What is in a mesh file: counts, closedness, degeneracies, volume, extent.
    Info(Info),
    /// The methods and the questions each answers.
    Methods(Methods),
    /// Make a mesh file to try things with.
    Make(Make),
}

const CHECK_HELP: &str = "\
The answer:
  separated      the surfaces share no point
  intersecting   they share a point; touching counts
  contained      (--solids) the surfaces are apart, and one solid lies inside the other
With --self, A takes both places: intersecting if it meets itself.

- as A or B reads that mesh from standard input; --format says what it is, if its content does not.
Other files must be regular ones: no pipe and no device is read.

Exit status: 0 all poses separated, 1 some in contact (or nearer than asked), 2 an error.

A pose is seven numbers, the translation and a unit quaternion: tx,ty,tz,qx,qy,qz,qw. It places
B in A's frame. A poses file has one pose a line (commas or blanks between the numbers, # starts a
comment) and is answered line by line, in order; - reads standard input.

--json prints one object per pose:
  pose, line        index of the pose, from 0, and its line in the poses file
  verdict, inner    as above; inner is \"a\" or \"b\", the contained one
  contacts          [triangle of A, triangle of B], from 0: all with --contacts, else one
  contacts_found    how many there are before --cap
  faces             the polygons the contacts' triangles were cut from, if a file had polygons
  details           parallel to contacts: kind, points, normal
  distance          value, on_a, on_b (points in A's frame), triangles
  nearer_than       value, nearer
  contains          is B wholly inside A? (--contains)
  disagree          methods whose verdict differs from the top one (--method all)
  methods           per method: kind, verdict, contacts_found, distance, time_ns, stats, certainty,
                    backend, unanswered, error

Examples:
  impinge check a.stl b.obj
  impinge check a.stl b.obj --pose 0,0,0.5,0,0,0,1 --contacts --cap 20
  impinge check a.stl b.obj --distance --json
  impinge check housing.stl part.stl --contains --pose 0,0,0.5,0,0,0,1
  impinge check part.stl jig.stl --poses motion.txt --solids
  impinge check scan.ply --self --contacts --json
  generate-poses | impinge check a.ply b.ply --poses - --json | jq .verdict
  impinge check a.stl b.stl --method all --count
  zcat a.obj.gz | impinge check - b.stl --format obj";

/// Do the meshes A and B collide?
///
/// Reads OBJ, STL, PLY, OFF and glTF. Coordinates are taken as they are in the files.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "See --help for poses, JSON and examples.")]
#[allow(clippy::struct_excessive_bools)] // switches of a command line are that
pub(crate) struct Check {
    /// The mesh in whose frame the question is asked; - is standard input.
    pub(crate) a: PathBuf,
    /// The mesh that the pose places; - is standard input.
    #[arg(required_unless_present = "itself")]
    pub(crate) b: Option<PathBuf>,
    /// Where B is in A's frame [default: 0,0,0,0,0,0,1].
    #[arg(long, value_name = "tx,ty,tz,qx,qy,qz,qw", value_parser = parse_pose)]
    #[arg(allow_hyphen_values = true, conflicts_with = "poses")]
    pub(crate) pose: Option<Pose>,
    /// A file with one pose a line, each answered with one line; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) poses: Option<PathBuf>,
    /// The method, or "all" to compare all; `impinge methods` lists them.
    #[arg(long, value_name = "METHOD|all", default_value_t = Choice::One(Method::default()))]
    pub(crate) method: Choice,
    /// Containment counts: both meshes must be closed.
    #[arg(long)]
    pub(crate) solids: bool,
    /// List every pair of triangles that meet.
    #[arg(long)]
    pub(crate) contacts: bool,
    /// List at most N pairs, the first ones (implies --contacts).
    #[arg(long, value_name = "N")]
    pub(crate) cap: Option<usize>,
    /// Also where each pair meets, and the normal (implies --contacts).
    #[arg(long)]
    pub(crate) details: bool,
    /// Also the least distance, and where it is attained.
    #[arg(long)]
    pub(crate) distance: bool,
    /// Also whether they are at most D apart; then the exit status is 1 too.
    #[arg(long, value_name = "D", value_parser = parse_clearance, allow_negative_numbers = true)]
    pub(crate) nearer_than: Option<f64>,
    /// Also whether B is wholly inside the solid A (implies --solids).
    #[arg(long)]
    pub(crate) contains: bool,
    /// Does A meet itself? Its triangles against each other; neighbours meet in common corners and
    /// edges, and that does not count.
    #[arg(long = "self", conflicts_with_all = ["b", "pose", "poses", "solids", "distance"])]
    #[arg(conflicts_with_all = ["nearer_than", "contains"])]
    pub(crate) itself: bool,
    /// Also how many volumes and triangles were tested, and the time.
    #[arg(long)]
    pub(crate) count: bool,
    /// One JSON object per pose.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Check {
    /// Whether contacts are listed.
    pub(crate) const fn wants_contacts(&self) -> bool {
        self.contacts || self.details || self.cap.is_some()
    }

    /// Whether containment counts as a collision.
    pub(crate) const fn wants_solids(&self) -> bool {
        self.solids || self.contains
    }
}

/// How mesh files are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// What standard input holds, where a mesh is -: obj, stl, ply, off or gltf.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Refuse a mesh of more triangles before they are made, every instance counted. A file takes
    /// up to 256 MiB of memory and 400 bytes a triangle.
    #[arg(long, value_name = "N", default_value_t = files::MAX_TRIANGLES)]
    pub(crate) max_triangles: u64,
}

fn parse_clearance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(d) if d.is_finite() && d >= 0.0 => Ok(d),
        _ => Err("a distance is a finite number, not negative".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    All,
    One(Method),
}

impl Choice {
    /// The chosen methods, exact ones first.
    pub(crate) fn methods(self) -> Vec<Method> {
        match self {
            Self::All => Method::all().to_vec(),
            Self::One(method) => vec![method],
        }
    }
}

impl FromStr for Choice {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        if word == "all" {
            return Ok(Self::All);
        }
        let unknown = |error: UnknownMethod| format!("{error}, or all");
        word.parse().map(Self::One).map_err(unknown)
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::One(method) => method.fmt(f),
        }
    }
}

/// What is in a mesh file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  impinge info part.stl\n  zcat part.obj.gz | impinge info -")]
pub(crate) struct Info {
    /// The mesh file: OBJ, STL, PLY, OFF or glTF; - is standard input.
    pub(crate) file: PathBuf,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// The methods and the questions each answers.
#[derive(Debug, Args)]
pub(crate) struct Methods {
    /// A JSON array.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Make a mesh file to try things with. All shapes are about 1 long and centred near the origin.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  impinge make torus --triangles 10000 -o torus.ply")]
pub(crate) struct Make {
    /// The shape.
    #[arg(value_parser = PossibleValuesParser::new(Shape::ALL.map(Shape::word)))]
    pub(crate) shape: String,
    /// About how many triangles it should have.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MAX_TRIANGLES as u64))]
    pub(crate) triangles: u64,
    /// Where to write it; the extension (obj, stl, ply, off) tells the format.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The seed of shapes made by chance.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definitions_do_not_contradict_each_other() {
        super::Arguments::command().debug_assert();
    }
}
