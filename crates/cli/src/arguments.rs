//! The command line arguments and their help.

mod clash;

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use impinge::models::Shape;
use impinge::models::files::{self, Format};
use impinge::models::plant::PLANT_MAX_PARTS;
use impinge::models::procedural::MAX_TRIANGLES;
use impinge::query::Meaning;
use impinge::{Device, Form, Method, Mode, Pose, Settings, UnknownMethod, Vector};

use crate::check::poses::{parse_direction, parse_pose};
use crate::{schema, stored};

pub(crate) use clash::{Clash, Up};

/// Finds out whether two triangle meshes touch, and where. Answers are exact.
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
  impinge info gear.obj
  impinge clash plant.glb

Reads OBJ, STL, PLY, OFF and glTF. Convert other files first: STEP with FreeCAD or gmsh, IFC with
IfcConvert, 3MF with Blender; of URDF, check the meshes it names.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<Check>),
    Overlap(Overlap),
    Clash(Clash),
    Info(Info),
    Methods(Methods),
    Prepare(Prepare),
    Make(Make),
    Schema(Schema),
}

impl Command {
    /// Whether answers and errors are JSON.
    pub(crate) const fn prints_json(&self) -> bool {
        match self {
            Self::Check(check) => check.json,
            Self::Overlap(overlap) => overlap.json,
            Self::Clash(clash) => clash.json,
            Self::Info(info) => info.json,
            Self::Methods(methods) => methods.json,
            Self::Prepare(_) | Self::Make(_) | Self::Schema(_) => false,
        }
    }
}

const CHECK_HELP: &str = "\
The answer:
  separated      the surfaces have no point in common
  intersecting   the surfaces have a point in common; mere touching counts
  contained      (only with --solids) the surfaces have no point in common, and one solid, or a
                 part of it, lies inside the other
With --self, A is tested against itself: intersecting means that A crosses or touches itself.

Use - for A or B to read that mesh from standard input. Its format is detected from the content;
set --format if that fails. All other files must be regular files, not pipes or devices.

Exit status: 0 if all poses are separated (or, with --touching-ok, only touch), 1 if some are in
contact (or, with --nearer-than, within the distance D), 2 on errors. With --sweep, 0 if B is also
proved to stay so on its way, else 1.

A pose places B in A's frame. It is seven numbers: a translation, in the unit of the files, and a
unit quaternion, as tx,ty,tz,qx,qy,qz,qw. A file of --poses has one pose per line; commas or blanks
separate the numbers, and # starts a comment. Each line is answered as soon as it is read.

--json prints one object per pose; `impinge schema check` prints its JSON schema. Its keys:
  version           version of this format: 1; it grows if a key changes its meaning or is removed
  a, b              the meshes: file, triangles, vertices; no b with --self
  pose, line        index of the pose, from 0, and its line in the poses file, from 1
  verdict, inner    the verdict as above; if contained, inner is the contained mesh, \"a\" or \"b\"
  contacts          pairs [triangle of A, triangle of B], indices from 0; at most one pair without
                    --contacts
  contacts_found    number of pairs found, including those left out by --cap
  faces             for each contact, the polygons that its triangles are part of; only if a file
                    has polygons
  details           for each contact: kind (point, segment or polygon), points, normal
  distance          value, on_a and on_b (nearest points in A's frame), triangles
  nearer_than       value is D; nearer is true if the meshes are at most D apart
  penetration       lower and upper (bounds of the least translation that parts the meshes),
                    translation (of B, in A's frame, of length upper); 0 if they are apart
  exit              by (how many times the direction of --exit B moves), low and high (between them
                    it ceases to touch; at most by), translation (that of B's pose there), triangles
                    (that touch last; none if nothing is in the way)
  touching_only     whether the meshes touch without going into each other (with --touching-ok, if
                    they have a point in common)
  contains          whether B lies wholly inside A (with --contains)
  sweep             the way to the pose of --sweep, in times from 0 to 1. outcome is touching: apart at
                    all times before low, in contact (or within D) at high, where distance and
                    triangles are theirs; free: never nearer than gap; undecided: not known from low
                    to high. nearest is the least distance found, distances how many were computed
  disagree          methods whose verdict differs from verdict (with --method all)
  methods           per method: kind, verdict, contacts_found, distance, prepare_ns, time_ns, stats,
                    certainty, backend, unanswered, error
An error is an object with the keys version and error (kind, place, message); the message also goes
to standard error.

Examples:
  impinge check a.stl b.obj
  impinge check a.stl b.obj --pose 0,0,0.5,0,0,0,1 --contacts --cap 20
  impinge check a.stl b.obj --distance --json
  impinge check gear.obj shaft.stl --penetration --solids
  impinge check mould.stl part.stl --exit 0,0,1
  impinge check shelf.obj box.obj --touching-ok
  impinge check housing.stl part.stl --contains --pose 0,0,0.5,0,0,0,1
  impinge check part.stl jig.stl --poses motion.txt --solids
  impinge check jig.stl part.stl --pose 0,0,9,0,0,0,1 --sweep 0,0,0,0,0,0.6,0.8
  impinge check scan.ply --self --contacts --json
  impinge check a.stl b.stl --picture contact.png --export contact.glb
  generate-poses | impinge check a.ply b.ply --poses - --json | jq .verdict
  impinge check a.stl b.stl --method all --count
  impinge check a.stl b.stl --method ibcd --mode sampled --resolution 64
  zcat a.obj.gz | impinge check - b.stl --format obj";

/// Find out whether the meshes A and B collide.
///
/// Reads OBJ, STL, PLY, OFF and glTF files, and what impinge prepare has stored. Coordinates are used without scaling, so both files
/// must have the same unit.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "See --help for poses, JSON and examples.")]
#[allow(clippy::struct_excessive_bools)] // switches of a command line are that
pub(crate) struct Check {
    /// Mesh file of A, which stays in place (- for standard input).
    pub(crate) a: PathBuf,
    /// Mesh file of B, which the pose moves (- for standard input).
    #[arg(required_unless_present = "itself")]
    pub(crate) b: Option<PathBuf>,
    /// Pose of B in A's frame: a translation and a unit quaternion, for example 0,0,2.5,0,0,0,1 to
    /// move B by 2.5 along z [default: 0,0,0,0,0,0,1].
    #[arg(help_heading = "Placing B")]
    #[arg(long, value_name = "tx,ty,tz,qx,qy,qz,qw", value_parser = parse_pose)]
    #[arg(allow_hyphen_values = true, conflicts_with = "poses")]
    pub(crate) pose: Option<Pose>,
    /// File with one pose of B per line; prints one line of answer per pose (- for standard input).
    #[arg(help_heading = "Placing B")]
    #[arg(long, value_name = "FILE")]
    pub(crate) poses: Option<PathBuf>,
    /// Move B from its pose to this one, at constant speed, and print also when it first touches A on
    /// the way (with --nearer-than, when it is first within D). B's origin runs along a straight line
    /// while B turns the shorter way.
    #[arg(help_heading = "Placing B")]
    #[arg(long, value_name = "tx,ty,tz,qx,qy,qz,qw", value_parser = parse_pose)]
    #[arg(allow_hyphen_values = true, conflicts_with_all = ["poses", "touching_ok"])]
    pub(crate) sweep: Option<Pose>,
    /// Let B go to the pose of --sweep about a fixed axis, and along it.
    #[arg(help_heading = "Placing B")]
    #[arg(long, requires = "sweep")]
    pub(crate) screw: bool,
    /// Method to use, or "all" to compare all methods; `impinge methods` lists them.
    #[arg(help_heading = "Method")]
    #[arg(long, value_name = "METHOD|all", default_value_t = Choice::One(Method::default()))]
    pub(crate) method: Choice,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Treat the meshes as solids, so that one inside the other counts as a collision. Both must be
    /// closed.
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) solids: bool,
    /// List every pair of triangles that touch or cross.
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) contacts: bool,
    /// List only the first N pairs (implies --contacts).
    #[arg(help_heading = "Questions")]
    #[arg(long, value_name = "N")]
    pub(crate) cap: Option<usize>,
    /// Print also the points where each pair meets, and the normal (implies --contacts).
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) details: bool,
    /// Print also the smallest distance between the meshes, and the two nearest points.
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) distance: bool,
    /// Print also whether the meshes are at most D apart, in the unit of the files; if they are,
    /// the exit status is 1.
    #[arg(help_heading = "Questions")]
    #[arg(long, value_name = "D", value_parser = parse_clearance, allow_negative_numbers = true)]
    pub(crate) nearer_than: Option<f64>,
    /// Print also whether B lies wholly inside the solid A (implies --solids).
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) contains: bool,
    /// Print also how deep the meshes are in each other: bounds of the length of the least translation
    /// of B after which they are apart, and a translation that parts them.
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) penetration: bool,
    /// Print also how far B must move along this direction until it is apart from A and meets it
    /// nowhere beyond.
    #[arg(help_heading = "Questions")]
    #[arg(long, value_name = "x,y,z", value_parser = parse_direction, allow_hyphen_values = true)]
    pub(crate) exit: Option<Vector>,
    /// With --exit, only as far as the first place where B is apart from A: others may be in the way
    /// beyond.
    #[arg(help_heading = "Questions")]
    #[arg(long, requires = "exit")]
    pub(crate) first_free: bool,
    /// Let touching pass: tell whether the meshes only touch, and if so, exit with status 0. Closed
    /// meshes touch if no point is inside both, open ones if their surfaces nowhere cross.
    #[arg(help_heading = "Questions")]
    #[arg(long)]
    pub(crate) touching_ok: bool,
    /// Test A for self-intersection instead of against a second mesh. Contact of neighbouring
    /// triangles in their common corners and edges does not count.
    #[arg(help_heading = "Questions")]
    #[arg(long = "self", conflicts_with_all = ["b", "pose", "poses", "sweep", "solids", "distance"])]
    #[arg(conflicts_with_all = ["nearer_than", "contains", "touching_ok"])]
    #[arg(conflicts_with_all = ["penetration", "exit", "screw", "first_free"])]
    pub(crate) itself: bool,
    /// Draw both meshes into a PNG file, with the triangles that touch or cross in red.
    #[arg(help_heading = "Output")]
    #[arg(long, value_name = "FILE.png", value_parser = parse_picture, conflicts_with = "poses")]
    pub(crate) picture: Option<PathBuf>,
    /// Write both meshes as placed into a file, with the triangles that touch or cross, and the
    /// points, segments and polygons where they do, as parts of their own: ply, obj or glb.
    #[arg(help_heading = "Output")]
    #[arg(long, value_name = "FILE.ply|obj|glb", value_parser = parse_export)]
    #[arg(conflicts_with = "poses")]
    pub(crate) export: Option<Export>,
    /// Print also the time and the numbers of bounding-volume and triangle tests.
    #[arg(help_heading = "Output")]
    #[arg(long)]
    pub(crate) count: bool,
    /// Print one JSON object per pose instead of text.
    #[arg(help_heading = "Output")]
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

    /// Whether all contacts are needed, printed or not.
    pub(crate) const fn needs_contacts(&self) -> bool {
        self.wants_contacts() || self.picture.is_some() || self.export.is_some()
    }

    /// The largest number of contacts to print; a picture and an export have all of them.
    pub(crate) fn printed(&self) -> usize {
        if self.wants_contacts() { self.cap.unwrap_or(usize::MAX) } else { 1 }
    }

    /// Whether containment counts as a collision.
    pub(crate) const fn wants_solids(&self) -> bool {
        self.solids || self.contains
    }

    /// What is to be apart.
    pub(crate) const fn meaning(&self) -> Meaning {
        if self.wants_solids() { Meaning::Solids } else { Meaning::Surfaces }
    }
}

/// What can be chosen of a method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct Choices {
    /// How much images decide, for ibcd and recode, or 32-bit numbers, for stream-basic, stream-tree
    /// and stream-shrink: certified (never wrong, the default) or sampled (as in their papers,
    /// sometimes wrong).
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<Mode>,
    /// What draws images, for ibcd, recode and ldi: software (the default) or adapter. What tests edges or
    /// triangles, for stream-basic, stream-tree, stream-shrink and stream-pairs: cpu (the default) or
    /// adapter. All other methods have cpu only.
    #[arg(long, value_name = "BACKEND")]
    pub(crate) backend: Option<Device>,
    /// How the adapter tests edges, for stream-basic, stream-tree and stream-shrink with --backend
    /// adapter: compute (the default) or raster (drawn, as in their paper).
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    /// Pixels along a side of an image, at most, for ibcd and recode [default: 32], and for ldi
    /// [default: 1024].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) resolution: Option<u32>,
}

impl Choices {
    pub(crate) const fn settings(&self) -> Settings {
        let Self { mode, backend, form, resolution } = *self;
        Settings { mode, backend, form, resolution }
    }
}

/// How mesh files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Format of a mesh on standard input: obj, stl, ply, off or gltf [default: detected].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Refuse meshes with more than N triangles, with every instance counted. Reading takes up to
    /// 256 MiB of memory and 400 bytes per triangle.
    #[arg(long, value_name = "N", default_value_t = files::MAX_TRIANGLES)]
    pub(crate) max_triangles: u64,
}

fn parse_clearance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(d) if d.is_finite() && d >= 0.0 => Ok(d),
        _ => Err("a distance must be finite and not negative".to_owned()),
    }
}

fn parse_picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("the name of a picture must end in .png".to_owned()),
    }
}

fn parse_export(text: &str) -> Result<Export, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let layout = match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("ply") => Layout::Ply,
        Some("obj") => Layout::Obj,
        Some("glb") => Layout::Glb,
        _ => return Err("the name of an export must end in .ply, .obj or .glb".to_owned()),
    };
    Ok(Export { path, layout })
}

/// A file of contacts to write.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    pub(crate) path: PathBuf,
    pub(crate) layout: Layout,
}

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Ply,
    Obj,
    Glb,
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

const OVERLAP_HELP: &str = "\
Both meshes are drawn along x, y and z into layered depth images: in every pixel the depths of all
triangles. The depths of each solid are paired into intervals, and the intervals of A and B that
overlap are added up. Every volume and depth has a proved bound on its error: the truth is from
value - error to value + error. Errors halve if --resolution doubles, and time grows fourfold. The
pairs of triangles that meet are exact.

The answer, for each axis:
  volume          what is inside both solids, in the unit of the files cubed
  depth           the longest segment along the axis inside both (not the translation
                  that separates them, nor a bound on it if one is not convex)
  contact pixels  pixels where an interval of A meets one of B
If a mesh is open it has no inside, and nothing is bounded; pixels in which its depths do not pair
are counted and left out.

Exit status: 0 if the solids (of open meshes, the surfaces) have no point in common, 1 if they have,
2 on errors. This is exact.

--json prints one object; `impinge schema overlap` prints its JSON schema. Its keys:
  version         version of this format: 1
  a, b            the mesh files
  closed          whether A's surface is closed, and B's
  contacts        pairs [triangle of A, triangle of B], as many as --cap allows
  contacts_found  how many pairs meet
  volume, share   value and error, from all axes; share is that of the region
  region          the lowest and highest corner of the intersection of the boxes around both meshes
  directions      per axis: axis, size in pixels, pixel (its side), volume, share, depth,
                  contact_pixels, unpaired (pixels of A, of B, that do not pair), layers (the most in
                  a pixel), passes, intervals (with --intervals)
  backend         what sampled the pixels

Examples:
  impinge overlap a.stl b.stl
  impinge overlap a.stl b.stl --pose 0,0,0.5,0,0,0,1 --resolution 1024
  impinge overlap a.stl b.stl --json | jq .volume";

/// Measure how far two solids overlap: volume and depth, with proved errors.
#[derive(Debug, Args)]
#[command(after_long_help = OVERLAP_HELP, after_help = "See --help for the answer and examples.")]
pub(crate) struct Overlap {
    /// Mesh file of A, which stays in place (- for standard input).
    pub(crate) a: PathBuf,
    /// Mesh file of B, which the pose moves (- for standard input).
    pub(crate) b: PathBuf,
    /// Pose of B in A's frame: a translation and a unit quaternion [default: 0,0,0,0,0,0,1].
    #[arg(long, value_name = "tx,ty,tz,qx,qy,qz,qw", value_parser = parse_pose)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) pose: Option<Pose>,
    /// Pixels along the longer side of each image.
    #[arg(long, value_name = "N", default_value_t = 512)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) resolution: u32,
    /// What samples the pixels: software or adapter. The bounds are the processor's in any case.
    #[arg(long, value_name = "BACKEND", default_value_t = Device::Software)]
    pub(crate) backend: Device,
    /// Most pairs of triangles to print with --json.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) cap: usize,
    /// Print up to N intervals of contact pixels for each axis.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) intervals: usize,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Describe a mesh file: counts, closedness, degenerate triangles, volume, extent.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  impinge info part.stl\n  zcat part.obj.gz | impinge info -")]
pub(crate) struct Info {
    /// Mesh file: OBJ, STL, PLY, OFF or glTF (- for standard input), or stored.
    pub(crate) file: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// List the collision methods and the questions that each answers.
#[derive(Debug, Args)]
pub(crate) struct Methods {
    /// Print a JSON object instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Prepare a mesh once and store the result, to be used wherever a mesh file is.
///
/// The file holds the mesh, bit for bit, and the search structure of the default method; reading it
/// takes about a fifth of the time of preparing. It is the same on every machine.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  impinge prepare scan.ply -o scan.impinge\n  impinge check scan.impinge part.stl"
)]
pub(crate) struct Prepare {
    /// Mesh file: OBJ, STL, PLY, OFF or glTF (- for standard input).
    pub(crate) file: PathBuf,
    /// File to write; its name must end in .impinge.
    #[arg(long, short, value_name = "FILE.impinge", value_parser = parse_stored)]
    pub(crate) output: PathBuf,
    /// Store the mesh and the search structure as they lie in memory: about twice as large, and
    /// mapped instead of read, so that commands that run at the same time share it. Do not change such a
    /// file while it is in use.
    #[arg(long)]
    pub(crate) image: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

fn parse_stored(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if stored::is_stored(&path) {
        Ok(path)
    } else {
        Err("the name of a stored mesh must end in .impinge".to_owned())
    }
}

const MAKE_HELP: &str = "\
plant is a scene for `impinge clash`: pipes, flanges, beams, plates and tanks, about 3 long each, two
in three pairs of which clash in one of the ways that clash tells apart. -o is then a folder, which
gets
  mesh-000.ply …   the meshes, at most 200 for any number of parts
  scene.csv        the table of parts
  clashes.csv      all clashes, known by construction: a,b,class
The classes are those with --solids --clearance 0.03125; any other two parts are farther apart.

Examples:
  impinge make torus --triangles 10000 -o torus.ply
  impinge make plant --parts 300 -o plant
  impinge clash plant/scene.csv --solids --clearance 0.03125 --html plant.html";

/// Generate a mesh file, or a plant of many parts, for example to try the other commands.
///
/// All shapes have a length of about 1, hand and leaf of about 0.8. They are centred near the origin, but
/// for hand, whose wrist is at y = 0.
#[derive(Debug, Args)]
#[command(after_long_help = MAKE_HELP, after_help = "See --help for plants and examples.")]
pub(crate) struct Make {
    /// Shape to generate, or plant for a scene with a known list of clashes.
    #[arg(value_name = "SHAPE|plant", value_parser = PossibleValuesParser::new(made()))]
    pub(crate) shape: String,
    /// Approximate number of triangles [default: 1000].
    #[arg(long, short = 'n', value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MAX_TRIANGLES as u64))]
    pub(crate) triangles: Option<u64>,
    /// File to write; its extension (obj, stl, ply or off) selects the format. Of a plant, the folder.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Seed of randomly generated shapes; the same seed gives the same shape.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of parts of a plant [default: 3000].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=PLANT_MAX_PARTS as u64))]
    pub(crate) parts: Option<u64>,
    /// Share, from 0 to 1, of a plant's clashing pairs whose faces lie on each other [default: 0.1].
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) flush: Option<f64>,
}

/// The word of a plant beside those of the shapes.
pub(crate) const PLANT: &str = "plant";

/// The words of what can be made.
fn made() -> impl Iterator<Item = &'static str> {
    Shape::ALL.map(Shape::word).into_iter().chain([PLANT])
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share must be from 0 to 1".to_owned()),
    }
}

/// Print the JSON schema of what check, overlap, clash, info or methods print with --json.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  impinge schema check > check.schema.json")]
pub(crate) struct Schema {
    /// The command whose output the schema describes.
    pub(crate) of: schema::Of,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definitions_do_not_contradict_each_other() {
        super::Arguments::command().debug_assert();
    }
}
