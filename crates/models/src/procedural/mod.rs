//! Procedural meshes: each shape with its own parameters, and [`Shape`], which makes any of them
//! with about a wanted number of triangles.

mod chain;
mod deforming;
mod drape;
mod fit;
pub(crate) mod fittings;
mod gear;
mod hand;
mod hull;
mod lattice;
mod leaf;
mod nurbs;
mod press;
mod round;
mod shape;
mod surface;
mod teapot;
mod trefoil;

pub use chain::chain;
pub use deforming::{DeformingMesh, DeformingScene};
pub use drape::Drape;
pub use gear::{Gear, gear};
pub use hand::hand;
pub use hull::{
    Cloud, HULL_LEAST_COORDINATE, HullError, convex_hull, hull_of_random_points, random_points,
};
pub use lattice::{comb, cuboid};
pub use leaf::{Leaf, leaf};
pub use nurbs::{ControlPoint, Knots, NURBS_MAX_DEGREE, NurbsCurve, NurbsSurface};
pub use press::Press;
pub use round::{sphere, torus};
pub use shape::{Shape, UnknownShape};
pub use teapot::{Patch, teapot, teapot_patches};
pub use trefoil::{TREFOIL_MIN_RINGS, trefoil_tube};

/// Largest triangle count of a procedural mesh, so that a mistyped count does not exhaust memory.
///
/// Unit: triangles. Usual value: 2²⁶, about 67 million, 2.4 GB as a mesh. A value above 2³¹ would
/// overflow vertex indices.
pub const MAX_TRIANGLES: usize = 1 << 26;

/// A parameter outside the range of its shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{shape}: {parameter} is {value}; it must {must}")]
pub struct ParameterError {
    /// The shape's name.
    pub shape: &'static str,
    /// The parameter's name.
    pub parameter: &'static str,
    /// The refused value.
    pub value: f64,
    /// The rule it violates, after "must".
    pub must: &'static str,
}
