//! A closed mesh as solids: its components, and on which sides of each is inside.

use num_bigint::BigInt;

use crate::integers::{cross, dot, integers, minus, sign_of};
use crate::mesh::first_equal;
use crate::predicates::Sign;
use crate::topology::{Unpaired, across};
use crate::volume::Aabb;
use crate::{Mesh, Point, Triangle};

use super::Undecided;
use super::inside::{Component, winding};

/// On which sides of a surface is inside. At least one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    /// Where the normals point.
    pub(super) front: bool,
    pub(super) back: bool,
}

impl Sides {
    /// The sides of a surface whose front has this winding number; the back has one more.
    const fn of(front: i32) -> Self {
        Self { front: front != 0, back: front + 1 != 0 }
    }
}

/// Components that are one solid.
pub(super) struct Body {
    pub(super) number: u32,
    pub(super) bounds: Aabb,
}

/// A closed mesh, one or several solids. If all components face the same way, each is a solid of
/// its own, and the inside of the mesh is the union of theirs. Otherwise some are cavities, and all
/// components together are one solid.
pub(super) struct Solid<'m> {
    /// 0 or 1, for errors.
    pub(super) number: usize,
    pub(super) mesh: &'m Mesh,
    across: Vec<[u32; 3]>,
    component_of: Vec<u32>,
    /// Per component.
    sides: Vec<Sides>,
    bodies: Vec<Body>,
    /// Whether each component is a body.
    apart: bool,
}

impl<'m> Solid<'m> {
    /// `itself` are the pairs of triangles that meet elsewhere.
    pub(super) fn new<E: From<Undecided>>(
        number: usize,
        mesh: &'m Mesh,
        itself: &[[u32; 2]],
        look: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let (across, joined) = neighbors(number, mesh, look)?;
        let component_of = components(&across);
        let meets = |triangles| Undecided::MeetsItself { mesh: number, triangles };
        let within = |&[s, t]: &[u32; 2]| component_of[s as usize] == component_of[t as usize];
        if let Some(pair) = itself.iter().copied().find(|pair| within(pair)) {
            return Err(meets(pair).into());
        }
        let count = component_of.iter().max().map_or(0, |&last| last as usize + 1);
        let facing = orientations(mesh, &component_of, count);
        if let Some(flat) = facing.iter().position(|sign| sign.is_zero()) {
            let triangle =
                component_of.iter().position(|&c| c as usize == flat).unwrap_or(0) as u32;
            return Err(Undecided::Degenerate { mesh: number, triangle }.into());
        }
        let apart = facing.windows(2).all(|pair| pair[0] == pair[1]);
        let mut solid = Self {
            number,
            mesh,
            across,
            component_of,
            sides: Vec::new(),
            bodies: Vec::new(),
            apart,
        };
        let all = Component::all(&solid, &[]);
        if apart {
            let numbered = (0..).zip(&all);
            solid.bodies = numbered.map(|(number, c)| Body { number, bounds: c.bounds }).collect();
            solid.sides = facing.iter().map(|&sign| own_sides(sign, 0)).collect();
            return Ok(solid);
        }
        if let Some(pair) = itself.first() {
            return Err(meets(*pair).into());
        }
        if let Some(edge) = joined {
            return Err(edge.into());
        }
        let bounds = all.iter().map(|c| c.bounds).reduce(|a, b| a.merged(&b));
        solid.bodies = bounds.map(|bounds| Body { number: 0, bounds }).into_iter().collect();
        for (component, (found, &sign)) in (0..).zip(all.iter().zip(&facing)) {
            look()?;
            let others = || {
                let all = mesh.corners().zip(&solid.component_of);
                all.filter(|&(_, &of)| of != component).map(|(t, _)| t)
            };
            let about = found.vertices(&solid).find_map(|p| winding(others(), &p));
            let crowded = Undecided::Crowded { mesh: number, triangle: found.first };
            solid.sides.push(own_sides(sign, about.ok_or(crowded)?));
        }
        Ok(solid)
    }

    pub(super) fn component(&self, triangle: u32) -> u32 {
        self.component_of[triangle as usize]
    }

    pub(super) fn sides(&self, triangle: u32) -> Sides {
        self.sides[self.component(triangle) as usize]
    }

    pub(super) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The number of the body that a triangle belongs to.
    pub(super) fn body(&self, triangle: u32) -> u32 {
        if self.apart { self.component(triangle) } else { 0 }
    }

    /// The triangle behind a side of `triangle`, and its corner off that side.
    pub(super) fn across(&self, triangle: u32, side: usize) -> (u32, Option<Point>) {
        let neighbor = self.across[triangle as usize][side];
        let own = self.mesh.triangle(triangle);
        let (from, to) = (own[side], own[(side + 1) % 3]);
        let corners = self.mesh.triangle(neighbor);
        (neighbor, corners.into_iter().find(|p| *p != from && *p != to))
    }
}

/// The sides of a surface in space of winding number `around`.
fn own_sides(facing: Sign, around: i32) -> Sides {
    Sides::of(around - i32::from(facing == Sign::Negative))
}

/// The triangles behind the sides of each, and why the surface is no manifold where vertices of
/// equal coordinates are one vertex. They are not, if only that makes it a manifold.
type Neighbors = (Vec<[u32; 3]>, Option<Undecided>);

fn neighbors<E: From<Undecided>>(
    number: usize,
    mesh: &Mesh,
    look: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Neighbors, E> {
    let same: Vec<u32> = first_equal(mesh.vertices());
    let vertices: Vec<u32> = (0..same.len() as u32).collect();
    let merged: Vec<[u32; 3]> =
        mesh.triangles().iter().map(|t| t.map(|v| same[v as usize])).collect();
    let mut join =
        |triangles: &[[u32; 3]]| match across::<Stop<E>>(triangles, &vertices, &mut || {
            look().map_err(Stop::Caller)
        }) {
            Ok(across) => Ok(complete(number, across)),
            Err(Stop::Unpaired(unpaired)) => Ok(Err(not_manifold(number, &unpaired))),
            Err(Stop::Caller(error)) => Err(error),
        };
    let refused = match join(&merged)? {
        Ok(across) => return Ok((across, None)),
        Err(refused) => refused,
    };
    let Ok(across) = join(mesh.triangles())? else { return Err(refused.into()) };
    match crowded_edge(number, &merged, &components(&across)) {
        Some(edge) => Err(edge.into()),
        None => Ok((across, Some(refused))),
    }
}

/// Why neighbours were not found.
enum Stop<E> {
    Unpaired(Unpaired),
    Caller(E),
}

impl<E> From<Unpaired> for Stop<E> {
    fn from(unpaired: Unpaired) -> Self {
        Self::Unpaired(unpaired)
    }
}

fn not_manifold(mesh: usize, unpaired: &Unpaired) -> Undecided {
    let (from, to, triangles) = match *unpaired {
        Unpaired::NonManifold { from, to, triangles } => (from, to, triangles),
        Unpaired::Open(ref open) => (open.from, open.to, open.forward + open.backward),
    };
    Undecided::NonManifold { mesh, from, to, triangles }
}

/// Refuses triangles with a repeated corner, which have sides without neighbours.
fn complete(mesh: usize, across: Vec<[u32; 3]>) -> Result<Vec<[u32; 3]>, Undecided> {
    let missing = across.iter().position(|sides| sides.contains(&u32::MAX));
    match missing {
        Some(triangle) => Err(Undecided::Degenerate { mesh, triangle: triangle as u32 }),
        None => Ok(across),
    }
}

/// An edge that more than two triangles of one component share, where vertices of equal coordinates
/// are one.
fn crowded_edge(number: usize, merged: &[[u32; 3]], component_of: &[u32]) -> Option<Undecided> {
    let sides = |(t, corners): (usize, &[u32; 3])| {
        let corners = *corners;
        [0, 1, 2].map(|k| {
            let (u, v) = (corners[k], corners[(k + 1) % 3]);
            (component_of[t], u.min(v), u.max(v))
        })
    };
    let mut edges: Vec<(u32, u32, u32)> = merged.iter().enumerate().flat_map(sides).collect();
    edges.sort_unstable();
    let crowded = edges.chunk_by(|a, b| a == b).find(|run| run.len() > 2)?;
    let (_, from, to) = crowded[0];
    Some(Undecided::NonManifold { mesh: number, from, to, triangles: crowded.len() })
}

/// Per triangle, the number of its component: triangles joined through sides.
fn components(across: &[[u32; 3]]) -> Vec<u32> {
    let mut component_of = vec![u32::MAX; across.len()];
    let mut number = 0;
    for start in 0..across.len() {
        if component_of[start] != u32::MAX {
            continue;
        }
        let mut open = vec![start as u32];
        component_of[start] = number;
        while let Some(triangle) = open.pop() {
            for &next in &across[triangle as usize] {
                if component_of[next as usize] == u32::MAX {
                    component_of[next as usize] = number;
                    open.push(next);
                }
            }
        }
        number += 1;
    }
    component_of
}

/// Differences of coordinates below this have finite products of three.
const FAR: f64 = 1e100;
/// What underflow takes from a determinant of such differences, and from its permanent: six products
/// each, off by 2⁻¹⁰⁷⁵, times a difference. Doubled.
const TINY: f64 = 16.0 * f64::from_bits(1) * FAR;

/// Per component, the sign of the volume that it encloses; positive if it faces outward. Zero only
/// if no triangle has area, where the component does not meet itself.
pub(super) fn orientations(mesh: &Mesh, component_of: &[u32], count: usize) -> Vec<Sign> {
    let mut sums = vec![Volume::default(); count];
    for (corners, &c) in mesh.corners().zip(component_of) {
        sums[c as usize].add(&corners);
    }
    let decide =
        |(c, sum): (usize, &Volume)| sum.sign().unwrap_or_else(|| exactly(mesh, component_of, c));
    sums.iter().enumerate().map(decide).collect()
}

/// Six times the volume of a component in f64.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Volume {
    /// A corner; coordinates are taken from it.
    origin: Option<Point>,
    sum: f64,
    /// The sum of the permanents.
    size: f64,
    triangles: f64,
    /// The largest difference of coordinates.
    reach: f64,
}

impl Volume {
    pub(super) fn add(&mut self, corners: &Triangle) {
        let origin = *self.origin.get_or_insert(corners[0]);
        let [a, b, c] = corners.map(|p| p - origin);
        self.reach = self.reach.max(a.amax()).max(b.amax()).max(c.amax());
        self.sum += a.dot(&b.cross(&c));
        let (a, b, c) = (a.abs(), b.abs(), c.abs());
        let pairs = b.yzx().component_mul(&c.zxy()) + b.zxy().component_mul(&c.yzx());
        self.size += a.dot(&pairs);
        self.triangles += 1.0;
    }

    /// The sign, if it is certain. A determinant of rounded differences is off by at most 16 u of
    /// its permanent, and a sum of n of them by n u of their sum more; u = 2⁻⁵³.
    pub(super) fn sign(&self) -> Option<Sign> {
        let bound = (64.0 + self.triangles) * f64::EPSILON * self.size + self.triangles * TINY;
        (self.reach < FAR && self.sum.abs() > bound).then(|| Sign::of(self.sum))
    }
}

/// The sign of the enclosed volume by integers.
pub(super) fn exactly(mesh: &Mesh, component_of: &[u32], component: usize) -> Sign {
    let own = |t: &usize| component_of[*t] as usize == component;
    let triangles: Vec<usize> = (0..component_of.len()).filter(own).collect();
    // All coordinates on one scale: that of the least power of two among them.
    let coordinates: Vec<f64> = triangles
        .iter()
        .flat_map(|&t| mesh.triangle(t as u32))
        .flat_map(|p| [p.x, p.y, p.z])
        .collect();
    let least = coordinates.iter().copied().filter(|x| *x != 0.0).map(lowest_bit).reduce(f64::min);
    let Some(least) = least else { return Sign::Zero };
    let scaled: Vec<BigInt> = coordinates
        .iter()
        .map(|&x| {
            let [x, unit] = integers([x, least]);
            x / unit
        })
        .collect();
    let mut sum = BigInt::from(0);
    let point = |k: usize| -> [BigInt; 3] { std::array::from_fn(|i| scaled[3 * k + i].clone()) };
    let origin = point(0);
    for t in 0..triangles.len() {
        let [a, b, c] = [0, 1, 2].map(|k| minus(&point(3 * t + k), &origin));
        sum += dot(&a, &cross(&b, &c));
    }
    sign_of(&sum)
}

/// The value of the lowest set bit of a finite number other than zero.
fn lowest_bit(x: f64) -> f64 {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let power = exponent.max(1) as i32 - 1075 + mantissa.trailing_zeros() as i32;
    // Two steps, since a power of two below 2⁻¹⁰²² is not reached in one.
    2.0_f64.powi(power.max(-1000)) * 2.0_f64.powi(power.min(-1000) + 1000)
}
