//! [`Shape`]: every procedural mesh by its name and a triangle count.

use std::fmt;
use std::str::FromStr;

use impinge_geometry::{Mesh, Point};

use super::{
    Cloud, MAX_TRIANGLES, TREFOIL_MIN_RINGS, chain, comb, cuboid, fit, gear, hand,
    hull_of_random_points, leaf, sphere, teapot, torus, trefoil_tube,
};

/// The procedural shapes, each with a name on the command line.
///
/// ```
/// use impinge_models::Shape;
/// let shape: Shape = "gear".parse()?;
/// assert_eq!(shape, Shape::Gear);
/// assert_eq!(shape.to_string(), "gear");
/// # Ok::<(), impinge_models::procedural::UnknownShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shape {
    /// A sphere of radius 0.5 ([`sphere`]).
    Sphere,
    /// A torus of radii 0.35 and 0.15 ([`torus`]).
    Torus,
    /// A trefoil knot, its tube of radius 0.06 ([`trefoil_tube`]).
    Trefoil,
    /// The Utah teapot, centred and scaled to length 1 ([`teapot`]). Open.
    Teapot,
    /// A gear of up to 16 teeth ([`gear()`]).
    Gear,
    /// A chain of up to 8 links, one component each ([`chain`]).
    Chain,
    /// A hand, half closed ([`hand`]).
    Hand,
    /// The convex hull of random points on a sphere ([`hull_of_random_points`]).
    Hull,
    /// A cube of edge 1 ([`cuboid`]).
    Cube,
    /// A comb of up to 8 prongs ([`comb`]).
    Comb,
    /// A maize leaf, centred ([`leaf()`]). Open, and a single sheet.
    Leaf,
}

impl Shape {
    /// All shapes, in the order of the documentation.
    pub const ALL: [Self; 11] = [
        Self::Sphere,
        Self::Torus,
        Self::Trefoil,
        Self::Teapot,
        Self::Gear,
        Self::Chain,
        Self::Hand,
        Self::Hull,
        Self::Cube,
        Self::Comb,
        Self::Leaf,
    ];

    /// The shape's name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Torus => "torus",
            Self::Trefoil => "trefoil",
            Self::Teapot => "teapot",
            Self::Gear => "gear",
            Self::Chain => "chain",
            Self::Hand => "hand",
            Self::Hull => "hull",
            Self::Cube => "cube",
            Self::Comb => "comb",
            Self::Leaf => "leaf",
        }
    }

    /// Whether the mesh is closed and wound outward at every triangle count: all but the teapot
    /// and the leaf.
    pub fn is_closed(self) -> bool {
        !matches!(self, Self::Teapot | Self::Leaf)
    }

    /// The smallest triangle count of the shape.
    pub fn least_triangles(self) -> usize {
        match self {
            Self::Sphere | Self::Leaf => 6,
            Self::Torus => 18,
            Self::Trefoil => 108,
            Self::Teapot => 112,
            Self::Gear | Self::Chain => 96,
            Self::Hand => 244,
            Self::Hull => 4,
            Self::Cube => 12,
            Self::Comb => 44,
        }
    }

    /// Makes the shape with about `triangles` triangles, with longest extent about 1. It is centred near
    /// the origin, but for [`Shape::Hand`], whose wrist is at y = 0.
    ///
    /// The count is within 10 % of `triangles` from 1000 on, within 25 % from twice
    /// [`Shape::least_triangles`] on, and never below the least. Counts above 7/8 of
    /// [`MAX_TRIANGLES`] are clamped to it. The same arguments give the same bits on every machine.
    /// `seed` affects only [`Shape::Hull`]. Linear time, but O(n log n) for `Hull` and `Teapot`.
    #[expect(clippy::missing_panics_doc, reason = "the searches keep every parameter in range")]
    pub fn mesh(self, triangles: usize, seed: u64) -> Mesh {
        let least = self.least_triangles();
        // The searches may exceed the target slightly; leave them room.
        let target = triangles.clamp(least, MAX_TRIANGLES / 8 * 7) as f64;
        let made = match self {
            Self::Sphere => {
                let (sectors, bands) = fit::grid(target, (2, 0), 2.0, (3, 1));
                sphere(0.5, bands + 1, sectors)
            }
            Self::Torus => {
                let (rings, sides) = fit::grid(target, (2, 0), 2.0, (3, 3));
                torus(0.35, 0.15, rings, sides)
            }
            Self::Trefoil => {
                let (rings, sides) = fit::grid(target, (2, 0), 10.0, (TREFOIL_MIN_RINGS, 3));
                trefoil_tube(0.5, 0.06, rings, sides)
            }
            Self::Teapot => {
                let (around, along) = fit::grid(target, (64, 8), 1.0, (2, 1));
                teapot(around, along).map(|mesh| unit_teapot(&mesh))
            }
            Self::Gear => gear(&fit::gear(target)),
            Self::Chain => {
                let (links, bend, sides) = fit::links(target);
                // A chain of n links is 7 n + 5 wire radii long.
                chain(links, 1.0 / (7 * links + 5) as f64, bend, sides)
            }
            Self::Hand => hand(0.5, fit::hand(target)),
            Self::Hull => {
                let points = (target / 2.0).round() as usize + 2;
                let hull = hull_of_random_points(Cloud::Sphere, points, seed);
                return hull.expect("random points on a sphere are not all in one plane");
            }
            Self::Cube => cuboid([1.0; 3], fit::cube(target)),
            Self::Comb => {
                let (teeth, splits) = fit::comb(target);
                comb(teeth, splits)
            }
            Self::Leaf => leaf(&fit::leaf(target)).map(|mesh| centred_leaf(&mesh)),
        };
        made.expect("the searches keep every parameter in range")
    }
}

/// Newell's teapot, with its box centred approximately and its length scaled to 1.
fn unit_teapot(mesh: &Mesh) -> Mesh {
    let place = |p: &Point| Point::new(p.x - 0.217, p.y, p.z - 1.575) * 0.155;
    mesh.with_vertices(mesh.vertices().iter().map(place).collect())
        .expect("as many vertices as before, all finite")
}

/// The default leaf, with its box centred approximately.
fn centred_leaf(mesh: &Mesh) -> Mesh {
    let place = |p: &Point| Point::new(p.x - 0.41, p.y, p.z - 0.18);
    mesh.with_vertices(mesh.vertices().iter().map(place).collect())
        .expect("as many vertices as before, all finite")
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown shape {word:?}; known are: {}", Shape::ALL.map(Shape::word).join(", "))]
pub struct UnknownShape {
    /// The word that was parsed.
    pub word: String,
}

impl FromStr for Shape {
    type Err = UnknownShape;

    fn from_str(word: &str) -> Result<Self, UnknownShape> {
        Self::ALL
            .into_iter()
            .find(|shape| shape.word() == word)
            .ok_or_else(|| UnknownShape { word: word.to_owned() })
    }
}
