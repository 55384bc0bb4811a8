//! A mesh prepared for questions about penetration.

use std::sync::OnceLock;

use impinge_geometry::convex::ConvexBody;
use impinge_geometry::volume::ConvexHull;
use impinge_geometry::{Mesh, OpenSurface, Point, Topology, triangle};
use impinge_query::{Cancelled, Control};

use super::balls::Balls;
use super::edges::Edges;
use super::field::Field;
use super::scene::SLACK;

/// A mesh with what penetration needs of it: a tree of boxes, its convex hull, and balls inside it.
/// Immutable; for any number of questions, from any thread.
#[derive(Debug)]
pub struct PenetrationBody {
    mesh: Mesh,
    pub(crate) field: Field,
    topology: Topology,
    /// Of a convex body: how far its surface is from that of its hull.
    convex: Option<f64>,
    facing: f64,
    /// The vertices of its convex hull.
    hull: Vec<Point>,
    balls: OnceLock<Balls>,
    edges: OnceLock<Edges>,
    border: OnceLock<Option<(Mesh, Field)>>,
}

impl PenetrationBody {
    /// Prepares a mesh. O(n log n); some 0.1 s for 10,000 triangles.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let mut look = || control.check();
        let topology = Topology::watched(mesh, &mut look)?;
        let convex = ConvexBody::watched(mesh, &mut look)?.ok();
        let convex = convex.map(|body| hollow(mesh, &body, control)).transpose()?;
        let corners: Vec<Point> = used(mesh);
        let hull = ConvexHull::watched(&corners, &mut look)?;
        let hull = hull.map_or(corners, |hull| hull.vertices().to_vec());
        let field = Field::new(mesh, control)?;
        let made = Self {
            mesh: mesh.clone(),
            field,
            topology,
            convex,
            facing: facing(mesh),
            hull,
            balls: OnceLock::new(),
            edges: OnceLock::new(),
            border: OnceLock::new(),
        };
        made.balls(control)?;
        Ok(made)
    }

    /// The mesh, in its own frame.
    pub const fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Whether the mesh bounds a convex body, up to rounding of its vertices.
    pub const fn is_convex(&self) -> bool {
        self.convex.is_some()
    }

    pub(crate) const fn convex(&self) -> Option<f64> {
        self.convex
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.mesh.vertices())
            + size_of_val(self.mesh.triangles())
            + self.field.bytes()
            + self.balls.get().map_or(0, Balls::bytes)
            + size_of_val(&*self.hull)
    }

    pub(crate) fn closed(&self) -> Result<(), OpenSurface> {
        self.topology.closed()
    }

    /// 1 if most of the surface faces outward, −1 if inward. Decides where searches begin, and nothing
    /// else.
    pub(crate) const fn facing(&self) -> f64 {
        self.facing
    }

    pub(crate) fn hull(&self) -> &[Point] {
        &self.hull
    }

    pub(crate) const fn topology(&self) -> &Topology {
        &self.topology
    }

    /// A vertex of each component.
    pub(crate) fn representatives(&self) -> impl Iterator<Item = Point> + '_ {
        self.topology.components().iter().map(|&t| self.mesh.triangle(t)[0])
    }

    /// Its edges; computed at the first call.
    pub(crate) fn edges(&self) -> &Edges {
        self.edges.get_or_init(|| Edges::new(&self.mesh))
    }

    /// The edges with an odd number of triangles, as triangles without area, and their tree.
    pub(crate) fn border(&self) -> Option<&(Mesh, Field)> {
        let made = || {
            let edges = self.edges().border.iter().map(|&[u, v]| [u, v, v]).collect();
            let mesh = Mesh::new(self.mesh.vertices().to_vec(), edges).ok()?;
            let field = Field::new(&mesh, &Control::NONE).ok()?;
            Some((mesh, field))
        };
        self.border.get_or_init(made).as_ref()
    }

    /// Balls inside the solid; none if the surface is not closed.
    pub(crate) fn balls(&self, control: &Control<'_>) -> Result<&Balls, Cancelled> {
        if let Some(balls) = self.balls.get() {
            return Ok(balls);
        }
        let made = if self.topology.closed().is_ok() {
            let slack = SLACK * self.field.reach() + f64::MIN_POSITIVE;
            Balls::inside(&self.field, used(&self.mesh).into_iter(), slack, control)?
        } else {
            Balls::default()
        };
        Ok(self.balls.get_or_init(|| made))
    }
}

/// The vertices that triangles use, in order.
fn used(mesh: &Mesh) -> Vec<Point> {
    let mut is_used = vec![false; mesh.vertices().len()];
    mesh.triangles().iter().flatten().for_each(|&v| is_used[v as usize] = true);
    mesh.vertices().iter().zip(is_used).filter(|(_, used)| *used).map(|(p, _)| *p).collect()
}

/// How far the surface of a convex body is from that of its hull at most: no triangle is deeper below
/// the plane of its own that supports the body. Zero but for rounding of its vertices.
fn hollow(mesh: &Mesh, body: &ConvexBody, control: &Control<'_>) -> Result<f64, Cancelled> {
    let (mut deepest, mut at) = (0.0f64, 0);
    for (k, t) in mesh.corners().enumerate() {
        if k % 64 == 0 {
            control.check()?;
        }
        let Some(n) = triangle::unit_normal(&t) else { return Ok(f64::INFINITY) };
        at = body.farthest(&n, at);
        let top = body.extreme(at);
        let below = t.iter().map(|c| n.dot(&(top - c))).fold(0.0, f64::max);
        deepest = deepest.max(below);
    }
    Ok(deepest)
}

fn facing(mesh: &Mesh) -> f64 {
    let (low, high) = mesh.bounds();
    let size = (high - low).amax();
    let local = |p: Point| (p - low) / size;
    let six: f64 = mesh.corners().map(|t| t.map(local)).map(|[a, b, c]| a.cross(&b).dot(&c)).sum();
    if six < 0.0 { -1.0 } else { 1.0 }
}
