//! The meshes of a plant: each shape in a few dimensions and numbers of triangles.

use std::collections::BTreeMap;

use impinge_geometry::Mesh;

use crate::procedural::fittings::{bar_on_edge, boxes, half_circle, hollow, revolved};

/// Variants of most shapes. All shapes together have 169 meshes.
pub(super) const VARIANTS: usize = 15;

/// Half the thickness of a plate.
pub(super) const PLATE: f64 = 0.0625;
/// Half the thickness of a flange.
pub(super) const FLANGE: f64 = 0.125;
/// Half the height of a beam.
pub(super) const BEAM: f64 = 0.5;
/// Half the edge of a bracket.
pub(super) const BRACKET: f64 = 0.25;
/// Distance of a reducer's tip from its middle.
pub(super) const TIP: f64 = 0.5;
/// Distance of an angle bar's edges from its axis.
pub(super) const BAR: f64 = 0.25;

/// The shapes, each about the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// Twelve bars along the edges of a cube of 9.5; its bay is inside.
    Frame,
    /// Three bars along the axes, which cross at the origin.
    Brace,
    /// A hollow pipe along z, of outer radius 0.25 to 0.3125 and length 2.5 to 3.25.
    Pipe,
    /// A solid pipe along z, of radius 0.125 to 0.1875 and length 3.
    Rod,
    /// A ring about z with a hole of radius 0.5, 0.25 thick.
    Flange,
    /// The flange of the same variant, its triangles in another order and from other corners.
    TurnedFlange,
    /// A section I along z, web 0.125 thick in the plane x = 0, 1 × 1 × 2.5 to 3.
    Beam,
    /// A plate 2.5 × 2 × 0.125.
    Plate,
    /// A solid cube of edge 1.75 or 1.875.
    Block,
    /// A cube of edge 0.5.
    Bracket,
    /// A cylinder of radius 1.125 and height 2.5 with a cavity of radius 0.9375 and height 2.125.
    Tank,
    /// A ball of radius 0.25 to 0.375.
    Valve,
    /// A cone along z whose tip points down.
    Reducer,
    /// A bar along z that stands on an edge, along y.
    AngleBar,
}

impl Shape {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Brace => "brace",
            Self::Pipe => "pipe",
            Self::Rod => "solid pipe",
            Self::Flange | Self::TurnedFlange => "flange",
            Self::Beam => "beam",
            Self::Plate => "plate",
            Self::Block => "foundation",
            Self::Bracket => "bracket",
            Self::Tank => "tank",
            Self::Valve => "valve",
            Self::Reducer => "reducer",
            Self::AngleBar => "angle bar",
        }
    }

    pub(super) fn group(self) -> &'static str {
        match self {
            Self::Tank => "vessels",
            Self::Block => "civil",
            Self::Frame
            | Self::Brace
            | Self::Beam
            | Self::Plate
            | Self::Bracket
            | Self::AngleBar => "steel",
            _ => "piping",
        }
    }

    /// How many variants differ.
    fn variants(self) -> usize {
        match self {
            Self::Frame | Self::Brace => 1,
            Self::TurnedFlange => 2,
            _ => VARIANTS,
        }
    }

    fn mesh(self, variant: usize, coarser: usize) -> Mesh {
        // Unions of boxes have up to a fifth fewer, bodies of revolution up to a tenth more.
        let size = (2500 + 100 * variant) / coarser;
        let of = |values: &[f64]| values[variant % values.len()];
        let cube = |half: f64| boxes([&[-half, half]; 3], |_| true, size);
        match self {
            Self::Frame => {
                let breaks: &[f64] = &[-4.75, -4.375, 4.375, 4.75];
                boxes([breaks; 3], |cell| cell.iter().filter(|&&c| c != 1).count() >= 2, size)
            }
            Self::Brace => {
                let breaks: &[f64] = &[-4.0, -0.125, 0.125, 4.0];
                boxes([breaks; 3], |cell| cell.iter().filter(|&&c| c == 1).count() >= 2, size)
            }
            Self::Pipe => {
                let (r, h) = (of(&[0.25, 0.281_25, 0.3125]), of(&[1.25, 1.375, 1.5, 1.625]));
                revolved(&[[r, -h], [r, h], [r - 0.0625, h], [r - 0.0625, -h]], size)
            }
            Self::Rod => {
                let r = of(&[0.125, 0.156_25, 0.1875]);
                revolved(&[[0.0, -1.5], [r, -1.5], [r, 1.5], [0.0, 1.5]], size)
            }
            Self::Flange => {
                let (r, h) = (of(&[0.75, 0.8125, 0.875, 0.9375]), FLANGE);
                revolved(&[[r, -h], [r, h], [0.5, h], [0.5, -h]], size)
            }
            Self::TurnedFlange => {
                let mesh = Self::Flange.mesh(variant, coarser);
                let triangles = mesh.triangles().iter().rev().map(|&[a, b, c]| [b, c, a]);
                Mesh::new(mesh.vertices().to_vec(), triangles.collect())
                    .expect("the same triangles in another order")
            }
            Self::Beam => {
                let (l, w) = (of(&[1.25, 1.375, 1.5]), 0.0625);
                let x = [-0.5, -w, w, 0.5];
                let y = [-BEAM, -BEAM + 0.125, BEAM - 0.125, BEAM];
                boxes([&x, &y, &[-l, l]], |[x, y, _]| y != 1 || x == 1, size)
            }
            Self::Plate => boxes([&[-1.25, 1.25], &[-1.0, 1.0], &[-PLATE, PLATE]], |_| true, size),
            Self::Block => cube(block(variant)),
            Self::Bracket => cube(BRACKET),
            Self::Tank => {
                let body = |r: f64, h: f64| [[0.0, -h], [r, -h], [r, h], [0.0, h]];
                hollow(&body(1.125, 1.25), &body(0.9375, 1.0625), size)
            }
            Self::Valve => revolved(&half_circle(valve(variant)), size),
            Self::Reducer => revolved(&[[0.0, -TIP], [0.5, TIP], [0.0, TIP]], size),
            Self::AngleBar => bar_on_edge(BAR, 1.0, size),
        }
    }
}

/// Half the edge of a block.
pub(super) fn block(variant: usize) -> f64 {
    [0.875, 0.9375][variant % 2]
}

/// The radius of a valve.
pub(super) fn valve(variant: usize) -> f64 {
    [0.25, 0.3125, 0.375][variant % 3]
}

/// The meshes in use.
pub(super) struct Catalogue {
    coarser: usize,
    known: BTreeMap<(Shape, usize), usize>,
    meshes: Vec<Mesh>,
}

impl Catalogue {
    pub(super) fn new(coarser: usize) -> Self {
        Self { coarser, known: BTreeMap::new(), meshes: Vec::new() }
    }

    /// The index of a mesh, which is made if it is new.
    pub(super) fn mesh(&mut self, shape: Shape, variant: usize) -> usize {
        let variant = variant % shape.variants();
        *self.known.entry((shape, variant)).or_insert_with(|| {
            self.meshes.push(shape.mesh(variant, self.coarser));
            self.meshes.len() - 1
        })
    }

    pub(super) fn into_meshes(self) -> Vec<Mesh> {
        self.meshes
    }
}
