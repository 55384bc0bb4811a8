//! Two parts each whose relation is known: how they touch, pierce, hold, repeat, or miss each other.
//!
//! A part that may be turned about its middle by any rotation is given a ball that holds it and one
//! that it holds, so that no rotation changes the relation. The numbers are those of
//! [`shapes`](super::shapes).

use impinge_geometry::{Pose, Vector};

use super::Plant;
use super::shapes::{BAR, BEAM, BRACKET, FLANGE, PLATE, Shape, TIP, VARIANTS, block, valve};
use crate::Random;

/// A rotation by its quaternion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn([f64; 4]);

impl Default for Turn {
    fn default() -> Self {
        Self([0.0, 0.0, 0.0, 1.0])
    }
}

impl Turn {
    /// Takes x to y, y to z and z to x.
    const FORWARD: Self = Self([0.5; 4]);
    /// Takes x to z, z to y and y to x.
    const BACKWARD: Self = Self([-0.5, -0.5, -0.5, 0.5]);

    /// One of the twelve rotations that permute the axes evenly; with them posing is exact.
    pub(super) fn permutation(random: &mut Random) -> Self {
        let axis = random.below(4) as usize;
        let mut half = Self([0.0; 4]);
        half.0[axis] = 1.0;
        match random.below(3) {
            0 => half,
            1 => half.after(&Self::FORWARD),
            _ => half.after(&Self::BACKWARD),
        }
    }

    /// Any rotation.
    pub(super) fn any(random: &mut Random) -> Self {
        Self(random.quaternion())
    }

    /// A rotation by at most 20 degrees.
    fn tilt(random: &mut Random) -> Self {
        let v = random.vector(-0.1, 0.1);
        let norm = (1.0 + v.norm_squared()).sqrt();
        Self([v.x / norm, v.y / norm, v.z / norm, 1.0 / norm])
    }

    /// First `inner`, then this one.
    pub(super) fn after(&self, inner: &Self) -> Self {
        let ([a, b, c, d], [x, y, z, w]) = (self.0, inner.0);
        Self([
            d * x + a * w + b * z - c * y,
            d * y - a * z + b * w + c * x,
            d * z + a * y - b * x + c * w,
            d * w - a * x - b * y - c * z,
        ])
    }

    pub(super) fn rotate(&self, v: &Vector) -> Vector {
        Pose::from_quaternion([0.0; 3], self.0).map_or(*v, |pose| pose.rotate(v))
    }

    /// The quaternion `x, y, z, w`.
    pub(super) fn quaternion(&self) -> [f64; 4] {
        self.0
    }
}

/// A part in the frame of its station.
pub(super) struct Placed {
    pub(super) shape: Shape,
    pub(super) variant: usize,
    pub(super) turn: Turn,
    pub(super) t: Vector,
}

/// Two parts and their class, if they clash.
pub(super) struct Station {
    pub(super) parts: [Placed; 2],
    pub(super) class: Option<&'static str>,
    /// Whether the class holds only if posing is exact.
    pub(super) exact: bool,
}

/// How two parts of a station stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Template {
    /// Two flanges, face on face.
    FlangeOnFlange,
    /// A plate on the flange of a beam.
    PlateOnBeam,
    /// A bracket inside a block, a face of it in one of the block's.
    BracketFlushInside,
    /// The edge of an angle bar on a plate.
    EdgeOnFace,
    /// The tip of a reducer on a plate.
    TipOnFace,
    /// Two brackets with a part of an edge in common.
    EdgeOnEdge,
    /// Two brackets with a corner in common.
    CornerOnCorner,
    /// A pipe through the web of a beam.
    PipeThroughBeam,
    /// A solid pipe through the middle of a beam.
    RodInBeam,
    /// A valve in the wall of a tank.
    ValveInWall,
    /// A valve inside a block.
    ValveInside,
    /// A bracket inside a block.
    BracketInside,
    /// The same flange twice.
    Twice,
    /// The same flange twice, once with its triangles in another order.
    TwiceTurned,
    /// Two flanges at half the clearance.
    HalfClearance,
    /// Two flanges at exactly the clearance.
    ExactClearance,
    /// A valve over a plate at half the clearance.
    ValveOverPlate,
    /// Two flanges at barely more than the clearance.
    OverClearance,
    /// A pipe in the hole of a flange.
    PipeInHole,
    /// A valve in the cavity of a tank.
    ValveInCavity,
    /// A solid pipe between the flanges of a beam.
    RodBesideWeb,
    /// Two solid pipes that pass each other.
    RodsAcross,
}

impl Template {
    /// Clashes with faces on each other.
    pub(super) const FLUSH: &[Self] = &[
        Self::FlangeOnFlange,
        Self::PlateOnBeam,
        Self::FlangeOnFlange,
        Self::PlateOnBeam,
        Self::BracketFlushInside,
    ];
    /// Other clashes: seven in sixteen pierce. The first seven have every class.
    pub(super) const CLASHES: &[Self] = &[
        Self::PipeThroughBeam,
        Self::HalfClearance,
        Self::ValveInside,
        Self::EdgeOnFace,
        Self::Twice,
        Self::ValveInWall,
        Self::ExactClearance,
        Self::RodInBeam,
        Self::TipOnFace,
        Self::PipeThroughBeam,
        Self::ValveOverPlate,
        Self::BracketInside,
        Self::RodInBeam,
        Self::EdgeOnEdge,
        Self::TwiceTurned,
        Self::ValveInWall,
        Self::PipeThroughBeam,
        Self::CornerOnCorner,
    ];
    /// Parts that are apart.
    pub(super) const APART: &[Self] = &[
        Self::PipeInHole,
        Self::OverClearance,
        Self::RodBesideWeb,
        Self::ValveInCavity,
        Self::RodsAcross,
    ];

    fn class(self) -> Option<&'static str> {
        Some(match self {
            Self::FlangeOnFlange
            | Self::PlateOnBeam
            | Self::EdgeOnFace
            | Self::TipOnFace
            | Self::EdgeOnEdge
            | Self::CornerOnCorner => "touches",
            Self::BracketFlushInside
            | Self::PipeThroughBeam
            | Self::RodInBeam
            | Self::ValveInWall => "pierces",
            Self::ValveInside | Self::BracketInside => "inside",
            Self::Twice | Self::TwiceTurned => "duplicate",
            Self::HalfClearance | Self::ExactClearance | Self::ValveOverPlate => "too-near",
            Self::OverClearance
            | Self::PipeInHole
            | Self::ValveInCavity
            | Self::RodBesideWeb
            | Self::RodsAcross => return None,
        })
    }

    /// A station of this template, its meshes and free turns chosen at random.
    pub(super) fn station(self, random: &mut Random) -> Station {
        let mut variant = || random.below(VARIANTS as u64) as usize;
        let (u, v) = (variant(), variant());
        let exact = matches!(self.class(), Some("touches" | "duplicate"))
            || matches!(
                self,
                Self::BracketFlushInside | Self::ExactClearance | Self::OverClearance
            );
        Station { parts: self.parts(u, v, random), class: self.class(), exact }
    }

    // long: one arm for each template.
    fn parts(self, u: usize, v: usize, random: &mut Random) -> [Placed; 2] {
        let still = Turn::default();
        let middle = Vector::zeros();
        let put = |shape, variant, turn, t| Placed { shape, variant, turn, t };
        let at = |shape, variant, x, y, z| put(shape, variant, still, Vector::new(x, y, z));
        // Two flanges with a gap, each over or under the middle.
        let flanges = |gap: f64| {
            let z = FLANGE + gap / 2.0;
            [at(Shape::Flange, u, 0.0, 0.0, -z), at(Shape::Flange, v, 0.0, 0.0, z)]
        };
        let brackets = |x: f64, y: f64, z: f64| {
            [at(Shape::Bracket, u, 0.0, 0.0, 0.0), at(Shape::Bracket, v, x, y, z)]
        };
        let lying_plate = |y| put(Shape::Plate, v, Turn::BACKWARD, Vector::new(0.0, y, 0.0));
        match self {
            Self::FlangeOnFlange => flanges(0.0),
            Self::PlateOnBeam => [at(Shape::Beam, u, 0.0, 0.0, 0.0), lying_plate(BEAM + PLATE)],
            Self::BracketFlushInside => [
                at(Shape::Block, u, 0.0, 0.0, 0.0),
                at(Shape::Bracket, v, block(u) - BRACKET, 0.125, 0.25),
            ],
            Self::EdgeOnFace => [at(Shape::AngleBar, u, 0.0, PLATE + BAR, 0.0), lying_plate(0.0)],
            Self::TipOnFace => {
                [at(Shape::Plate, u, 0.0, 0.0, 0.0), at(Shape::Reducer, v, 0.0, 0.0, PLATE + TIP)]
            }
            Self::EdgeOnEdge => brackets(2.0 * BRACKET, 2.0 * BRACKET, 0.125),
            Self::CornerOnCorner => brackets(2.0 * BRACKET, 2.0 * BRACKET, 2.0 * BRACKET),
            // The tilted pipe crosses the web within its height of 0.75, and its ends stay outside.
            Self::PipeThroughBeam => [
                at(Shape::Beam, u, 0.0, 0.0, 0.0),
                put(Shape::Pipe, v, Turn::tilt(random).after(&Turn::FORWARD), middle),
            ],
            // Both hold the middle. The solid pipe holds a ball about it that is thicker than the
            // web; the beam has points at distance 0.5 from it in perpendicular directions, of
            // which one is outside the pipe.
            Self::RodInBeam => [
                put(Shape::Beam, u, Turn::any(random), middle),
                put(Shape::Rod, v, Turn::any(random), middle),
            ],
            // The middle of the valve is in the wall, which is thinner.
            Self::ValveInWall => [
                at(Shape::Tank, u, 0.0, 0.0, 0.0),
                put(Shape::Valve, v, Turn::any(random), Vector::new(1.031_25, 0.0, 0.0)),
            ],
            Self::ValveInside | Self::BracketInside => {
                let shape = if self == Self::ValveInside { Shape::Valve } else { Shape::Bracket };
                let (turn, t) = (Turn::any(random), random.vector(-0.25, 0.25));
                [at(Shape::Block, u, 0.0, 0.0, 0.0), put(shape, v, turn, t)]
            }
            Self::Twice => {
                [at(Shape::Flange, u, 0.0, 0.0, 0.0), at(Shape::Flange, u, 0.0, 0.0, 0.0)]
            }
            Self::TwiceTurned => {
                let few = u % 2;
                [at(Shape::Flange, few, 0.0, 0.0, 0.0), at(Shape::TurnedFlange, few, 0.0, 0.0, 0.0)]
            }
            Self::HalfClearance => flanges(Plant::CLEARANCE / 2.0),
            Self::ExactClearance => flanges(Plant::CLEARANCE),
            Self::OverClearance => flanges(Plant::CLEARANCE * (1.0 + 1.0 / 16.0)),
            Self::ValveOverPlate => [
                at(Shape::Plate, u, 0.0, 0.0, 0.0),
                at(Shape::Valve, v, 0.0, 0.0, PLATE + Plant::CLEARANCE / 2.0 + valve(v)),
            ],
            Self::PipeInHole => {
                [at(Shape::Flange, u, 0.0, 0.0, 0.0), at(Shape::Pipe, v, 0.0, 0.0, 0.0)]
            }
            Self::ValveInCavity => [
                at(Shape::Tank, u, 0.0, 0.0, 0.0),
                put(Shape::Valve, v, Turn::any(random), random.vector(-0.25, 0.25)),
            ],
            Self::RodBesideWeb => {
                [at(Shape::Beam, u, 0.0, 0.0, 0.0), at(Shape::Rod, v, 0.3125, 0.0, 0.0)]
            }
            Self::RodsAcross => [
                at(Shape::Rod, u, -0.25, 0.0, 0.0),
                put(Shape::Rod, v, Turn::BACKWARD, Vector::new(0.25, 0.0, 0.0)),
            ],
        }
    }
}
