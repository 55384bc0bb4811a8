//! Seeded pairs of triangles in named classes, most of them in which collision tests are known to
//! fail; pairs of meshes that are traps ([`meshes`]); and features in motion ([`moving`]).
//!
//! A case is a class and an index, and has the same bits on every machine. In every class between
//! 30 and 70 % of any 1,000 consecutive cases are hits, so that neither answer can be guessed.

mod draw;
mod generic;
mod lattice;
pub mod meshes;
pub mod moving;
mod touching;

use std::fmt::Write;

use impinge_geometry::Triangle;
use impinge_models::Random;

use crate::oracle;
pub(crate) use draw::stepped;

/// The class of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Random corners, sizes alike.
    Random,
    /// One triangle 10⁶ to 10²⁰⁰ times larger than the other.
    HugeTiny,
    /// Triangles 10⁸ times longer than wide.
    Needles,
    /// A common corner, or one that misses by ulps.
    SharedVertex,
    /// A common edge or part of one, or one that misses by ulps.
    SharedEdge,
    /// Exactly coplanar, overlapping or not, or in two adjacent planes.
    Coplanar,
    /// Small integer coordinates: many exact degeneracies of all kinds.
    Lattice,
    /// A corner on the other's plane, edge or corner, moved by −2 to 2 ulps.
    Ulp,
    /// Coordinates near 1e150 and 1e-150, also in one triangle.
    Extreme,
    /// At least one triangle is a segment or a point.
    Degenerate,
    /// Edges that cross in exactly one point, or miss by little.
    EdgeCrossing,
    /// A corner exactly on the other's face, or off it by little.
    VertexOnFace,
    /// Exact contacts after a rotation that rounds every corner.
    Posed,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 13] = [
        Self::Random,
        Self::HugeTiny,
        Self::Needles,
        Self::SharedVertex,
        Self::SharedEdge,
        Self::Coplanar,
        Self::Lattice,
        Self::Ulp,
        Self::Extreme,
        Self::Degenerate,
        Self::EdgeCrossing,
        Self::VertexOnFace,
        Self::Posed,
    ];

    /// The name of the class.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::HugeTiny => "huge-tiny",
            Self::Needles => "needles",
            Self::SharedVertex => "shared-vertex",
            Self::SharedEdge => "shared-edge",
            Self::Coplanar => "coplanar",
            Self::Lattice => "lattice",
            Self::Ulp => "ulp",
            Self::Extreme => "extreme",
            Self::Degenerate => "degenerate",
            Self::EdgeCrossing => "edge-crossing",
            Self::VertexOnFace => "vertex-on-face",
            Self::Posed => "posed",
        }
    }

    /// Whether rounding or a missed special case easily gives a wrong answer.
    pub const fn is_adversarial(self) -> bool {
        !matches!(self, Self::Random | Self::HugeTiny | Self::Needles)
    }

    fn draw(self, random: &mut Random) -> (Triangle, Triangle) {
        match self {
            Self::Random => generic::random(random),
            Self::HugeTiny => generic::huge_tiny(random),
            Self::Needles => generic::needles(random),
            Self::SharedVertex => touching::shared_vertex(random),
            Self::SharedEdge => touching::shared_edge(random),
            Self::Coplanar => lattice::coplanar(random),
            Self::Lattice => lattice::lattice(random),
            Self::Ulp => touching::ulp(random),
            Self::Extreme => generic::extreme(random),
            Self::Degenerate => lattice::degenerate(random),
            Self::EdgeCrossing => lattice::edge_crossing(random),
            Self::VertexOnFace => lattice::vertex_on_face(random),
            Self::Posed => touching::posed(random),
        }
    }
}

/// Case number `index` of a class: the same bits in every version on every machine.
pub fn generate(class: Class, index: u64) -> (Triangle, Triangle) {
    let mut random = Random::stream(0x7e57 + class as u64, index);
    let (mut a, mut b) = class.draw(&mut random);
    random.shuffle(&mut a);
    random.shuffle(&mut b);
    if random.chance(0.5) { (a, b) } else { (b, a) }
}

/// The case as Rust source with the oracle's verdict, all numbers exact, to be pasted as a
/// regression test.
pub fn as_source(a: &Triangle, b: &Triangle) -> String {
    let mut source = String::new();
    for (name, triangle) in [("a", a), ("b", b)] {
        // Writing to a string cannot fail. {:?} prints the shortest literal that reads back.
        let _ = writeln!(source, "let {name} = [");
        for p in triangle {
            let _ = writeln!(source, "    Point::new({:?}, {:?}, {:?}),", p.x, p.y, p.z);
        }
        let _ = writeln!(source, "];");
    }
    let negation = if oracle::triangles_meet(a, b) { "" } else { "!" };
    let _ = writeln!(source, "assert!({negation}triangles_meet(&a, &b));");
    source
}
