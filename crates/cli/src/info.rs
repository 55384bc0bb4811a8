//! `impinge info`: the contents of a mesh file, and properties that affect queries.

use impinge::geometry::predicates::collinear;
use impinge::geometry::{OpenSurface, Topology};
use impinge::query::{Control, Side};
use impinge::{Answer, Ask, Body, Error, Mesh, Point, Vector};
use serde::Serialize;

use crate::arguments::Info;
use crate::failure::Failure;
use crate::input::{self, Read};
use crate::interrupt::waiting;
use crate::output::{self, JSON_VERSION, counted, number, triple};

/// The JSON object. Lengths, areas and volumes are in the file's unit.
#[derive(Serialize)]
struct Report {
    version: u32,
    file: String,
    format: String,
    triangles: usize,
    vertices: usize,
    /// Polygons, if the triangles were cut from polygons.
    faces: Option<usize>,
    /// Closed and consistently wound, so that the mesh has an inside.
    closed: bool,
    /// An edge that breaks this.
    open_edge: Option<OpenEdge>,
    boundary_edges: usize,
    nonmanifold_edges: usize,
    components: usize,
    degenerate_triangles: usize,
    duplicate_vertices: usize,
    /// Pairs of triangles that share a point off their common corners and edges.
    self_contacts: u64,
    /// The lowest such pair.
    first_self_contact: Option<[u32; 2]>,
    unused_vertices: usize,
    area: f64,
    /// Only for a closed surface; negative if it is wound inside out.
    volume: Option<f64>,
    lower: [f64; 3],
    upper: [f64; 3],
    diagonal: f64,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct OpenEdge {
    from: u32,
    to: u32,
    triangle: u32,
    forward: usize,
    backward: usize,
    #[serde(skip)]
    text: String,
}

impl From<OpenSurface> for OpenEdge {
    fn from(open: OpenSurface) -> Self {
        let text = open.to_string();
        let OpenSurface { from, to, triangle, forward, backward } = open;
        Self { from, to, triangle, forward, backward, text }
    }
}

/// Reads the file and prints the report.
pub(crate) fn run(arguments: &Info) -> Result<(), Failure> {
    input::check(&[&arguments.file], None, &arguments.reading)?;
    let loaded = input::read_quietly(&arguments.file, &arguments.reading)?;
    let name = input::name(&arguments.file);
    let report = waiting(|| -> Result<Report, Failure> {
        let refused = |error: Error| Failure::at(&name, error.to_string());
        let itself = against_itself(&loaded).map_err(refused)?;
        Ok(report(name.clone(), loaded, &itself))
    })?;
    if arguments.json { output::json(&report) } else { print(&report) }
}

/// The number of pairs of triangles that meet, and the first of them.
fn against_itself(loaded: &Read) -> Result<Answer, Error> {
    let prepare = || Body::new(&loaded.mesh);
    let body = loaded.body.clone().map_or_else(prepare, Ok);
    let body = body.map_err(|source| Error::Prepare { side: Side::A, source })?;
    body.ask_self(&Ask::all_contacts().capped(1), &Control::NONE)
}

fn report(file: String, loaded: Read, itself: &Answer) -> Report {
    let mesh = &loaded.mesh;
    let topology = Topology::new(mesh);
    let open_edge = topology.closed().err().map(OpenEdge::from);
    let (lower, upper) = mesh.bounds();
    Report {
        version: JSON_VERSION,
        file,
        format: loaded.format,
        triangles: mesh.triangles().len(),
        vertices: mesh.vertices().len(),
        faces: mesh.faces().map(|faces| faces.chunk_by(|f, g| f == g).count()),
        closed: open_edge.is_none(),
        boundary_edges: topology.boundary_edges(),
        nonmanifold_edges: topology.nonmanifold_edges(),
        components: topology.components().len(),
        degenerate_triangles: mesh.corners().filter(|[a, b, c]| collinear(a, b, c)).count(),
        duplicate_vertices: duplicates(mesh),
        self_contacts: itself.contacts_found,
        first_self_contact: itself.contacts.first().map(|c| [c.a, c.b]),
        unused_vertices: unused(mesh),
        area: area(mesh),
        volume: open_edge.is_none().then(|| volume(mesh)),
        lower: lower.into(),
        upper: upper.into(),
        diagonal: mesh.diagonal(),
        open_edge,
        notes: loaded.notes,
    }
}

fn unused(mesh: &Mesh) -> usize {
    let mut used = vec![false; mesh.vertices().len()];
    mesh.triangles().iter().flatten().for_each(|&v| used[v as usize] = true);
    used.iter().filter(|&&used| !used).count()
}

/// The number of vertices with the coordinates of an earlier one. Sorts rather than hashes, so that
/// no input makes it slow; sorts indices, since a copy of all vertices may be as large as the mesh.
fn duplicates(mesh: &Mesh) -> usize {
    // Adding zero turns -0 into 0.
    let key = |v: &u32| mesh.vertices()[*v as usize].coords.map(|c| (c + 0.0).to_bits());
    let key = |v: &u32| <[u64; 3]>::from(key(v));
    let mut order: Vec<u32> = (0..mesh.vertices().len() as u32).collect();
    order.sort_unstable_by_key(key);
    order.windows(2).filter(|pair| key(&pair[0]) == key(&pair[1])).count()
}

/// A power of two near `size`, after its reciprocal; both are normal numbers. Lengths times the reciprocal
/// have products in the range of f64. Powers of two keep all digits.
fn powers(size: f64) -> [f64; 2] {
    let exponent = ((size.to_bits() >> 52) & 0x7ff).clamp(1, 2045);
    [2046 - exponent, exponent].map(|exponent| f64::from_bits(exponent << 52))
}

/// The length of a vector of any size.
fn length(vector: &Vector) -> f64 {
    let [down, up] = powers(vector.amax());
    (vector * down).norm() * up
}

fn area(mesh: &Mesh) -> f64 {
    let of = |[a, b, c]: [Point; 3]| {
        let (ab, ac) = (b - a, c - a);
        let [down, up] = powers(ab.amax().max(ac.amax()));
        length(&(ab * down).cross(&(ac * down))) / 2.0 * up * up
    };
    mesh.corners().map(of).sum()
}

/// The sum of signed tetrahedron volumes whose apex is the lower corner of the triangles' box, near the
/// mesh to limit cancellation.
fn volume(mesh: &Mesh) -> f64 {
    let (mut lower, mut upper) =
        (Point::from([f64::INFINITY; 3]), Point::from([f64::NEG_INFINITY; 3]));
    for corner in mesh.corners().flatten() {
        (lower, upper) = (lower.inf(&corner), upper.sup(&corner));
    }
    let [down, up] = powers((upper - lower).amax());
    let of = |corners: [Point; 3]| {
        let [a, b, c] = corners.map(|corner| (corner - lower) * down);
        a.dot(&b.cross(&c)) / 6.0
    };
    let sum: f64 = mesh.corners().map(of).sum();
    sum * up * up * up
}

fn print(report: &Report) -> Result<(), Failure> {
    let mut lines = vec![
        format!("{}: {}", report.file, report.format),
        format!("  {}, {} vertices", counted(report.triangles, "triangle"), report.vertices),
    ];
    if let Some(faces) = report.faces {
        lines.push(format!("  triangulated from {}", counted(faces, "polygon")));
    }
    lines.push(format!("  {}", counted(report.components, "component")));
    lines.push(match &report.open_edge {
        None => "  closed: the surface encloses a volume".to_owned(),
        Some(edge) => format!("  open: {}", edge.text),
    });
    for (count, what) in [
        (report.boundary_edges, "boundary edge"),
        (report.nonmanifold_edges, "edge with more than two triangles"),
        (report.degenerate_triangles, "degenerate triangle"),
        (report.duplicate_vertices, "duplicate of another vertex"),
        (report.unused_vertices, "unused vertex"),
    ] {
        if count > 0 {
            lines.push(format!("  {}", plural(count, what)));
        }
    }
    if let Some([a, b]) = report.first_self_contact {
        let pairs = counted(report.self_contacts as usize, "pair");
        lines.push(format!("  intersects itself: {pairs} of triangles, the first is {a} and {b}"));
    }
    lines.push(format!("  area {}", number(report.area)));
    if let Some(volume) = report.volume {
        let note = if volume < 0.0 { " (negative: the triangles face inward)" } else { "" };
        lines.push(format!("  volume {}{note}", number(volume)));
    }
    let [x, y, z] = std::array::from_fn(|k| number(report.upper[k] - report.lower[k]));
    lines.push(format!("  extent {x} x {y} x {z}, diagonal {}", number(report.diagonal)));
    lines.push(format!("  bounds from {} to {}", triple(report.lower), triple(report.upper)));
    lines.extend(report.notes.iter().map(|note| format!("  note: {note}")));
    output::line(&lines.join("\n"))
}

fn plural(count: usize, what: &str) -> String {
    match what {
        "edge with more than two triangles" if count > 1 => {
            format!("{count} edges with more than two triangles")
        }
        "duplicate of another vertex" if count > 1 => format!("{count} duplicate vertices"),
        "unused vertex" if count > 1 => format!("{count} unused vertices"),
        _ => counted(count, what),
    }
}
