//! [`Shape`]: every procedural mesh behind one word and one knob.

use std::fmt;
use std::str::FromStr;

use impinge_geometry::Mesh;

use super::surface::fit;
use super::{MAX_TRIANGLES, ParameterError, sphere, torus};

/// The procedural shapes, each with a word on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shape {
    /// A sphere of radius 0.5 ([`sphere`]).
    Sphere,
    /// A torus of radii 0.35 and 0.15 ([`torus`]).
    Torus,
}

impl Shape {
    /// All shapes, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::Sphere, Self::Torus];

    /// The shape's one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Torus => "torus",
        }
    }

    /// The shape with about `triangles` triangles, centred near the origin, its longest extent
    /// about 1.
    pub fn mesh(self, triangles: usize, _seed: u64) -> Mesh {
        let target = triangles.clamp(1, MAX_TRIANGLES) as f64;
        let made: Result<Mesh, ParameterError> = match self {
            Self::Sphere => {
                let (sectors, bands) = fit(target / 2.0, 2.0, (3, 1));
                sphere(0.5, bands + 1, sectors)
            }
            Self::Torus => {
                let (rings, sides) = fit(target / 2.0, 2.0, (3, 3));
                torus(0.35, 0.15, rings, sides)
            }
        };
        made.expect("the chosen parameters are in range")
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that names no [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no shape; there are: {}", Shape::ALL.map(Shape::word).join(", "))]
pub struct UnknownShape {
    /// The unknown word.
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
